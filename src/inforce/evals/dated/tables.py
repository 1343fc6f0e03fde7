"""Figures of dated questions: by kind, day around a change, year of the version, and whole sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from inforce.evals.benchmark import Record, Summary
from inforce.evals.dated.generator import OFFSETS
from inforce.evals.dated.questions import Kind
from inforce.evals.dated.revisions import CHANGES, Change
from inforce.evals.dated.scoring import MEASURES
from inforce.evals.summary import grouped, mean_of, means, measured
from inforce.evals.table import Table, one_row
from inforce.scoring.estimate import Estimate, mean

_WHOLE: Final[Mapping[str, Kind]] = {"days_right": "boundary", "series_right": "series"}
"""Measures of whole sets: the share of changes with all days right, of series with all dates."""

_CHANGE_HEADS: Final[Mapping[Change, str]] = {
    "amended": "Amended",
    "threshold": "Threshold",
    "renamed": "Crime renamed",
    "moved": "Number",
}
_SHARES: Final = {"to 10 %": 0.1, "10 to 30 %": 0.3, "over 30 %": 1.0}

_OVERALL: Final[Mapping[str, str]] = {
    "ROUGE-L": "rouge_l",
    "Correct": "correct",
    "Other time": "leak_answer",
    "Later law": "leak_future",
    "Shown": "shown_leak",
    "Quoted": "quoted_leak",
    "All days": "days_right",
    "All dates": "series_right",
}


def summarise(records: Sequence[Record]) -> Summary:
    """Means over all questions and whole sets; also by kind, offset and year of the version."""
    whole = {name: mean(sets_right(records, kind)) for name, kind in _WHOLE.items()}
    keys: dict[str, tuple[Sequence[Record], Callable[[Record], str]]] = {
        "kind": (records, _kind),
        "offset": (_boundary(records), _offset),
        "change": (records, _change),
        "changed": (_about_texts(records), _share),
        "year": (records, _year),
    }
    groups: dict[str, dict[str, Estimate | None]] = {}
    for name, (some, key) in keys.items():
        for value, of in grouped(some, key).items():
            groups[f"{name} {value}"] = means(of, MEASURES)
    return Summary({**means(records, MEASURES), **whole}, groups)


def sets_right(records: Sequence[Record], kind: Kind) -> list[float | None]:
    """For each set, 1 if all its questions were answered right and 0 if one was not.

    ``None`` if none was answered wrong but some were not asked, or could not be scored.
    """
    sets: dict[str, list[Record]] = {}
    for one in records:
        if _kind(one) == kind:
            sets.setdefault(f"{one.facts['group']}/{one.epoch}", []).append(one)
    found: list[float | None] = []
    for of in sets.values():
        right = measured(of, "correct")
        is_whole = right.count(1.0) == of[0].facts["size"]
        found.append(0.0 if 0.0 in right else 1.0 if is_whole else None)
    return found


def tables(records: Sequence[Record], name: str) -> Sequence[Table]:
    """Tables with a row for these records: overall, by change, around one, by version year."""
    return (
        _overall(records, name),
        _changes(records, name),
        _around(records, name),
        _years(records, name),
    )


def _overall(records: Sequence[Record], name: str) -> Table:
    summary = summarise(records).values
    return one_row(
        "Dated recitation and leakage",
        name,
        {head: summary[measure] for head, measure in _OVERALL.items()},
        note=(
            "Other time: the answer is a wording not in force then; Later law: one not yet in "
            "force. Shown, Quoted: share of dated provisions returned by tools, and of sentences "
            "quoted in the answer, not in force then. All days: changes with all five days right; "
            "All dates: series with every date right. Not in the paper."
        ),
    )


def _changes(records: Sequence[Record], name: str) -> Table:
    """By the kind of change a question was made from, and by how much of the rule changed."""
    by_change = grouped(records, _change)
    by_share = grouped(_about_texts(records), _share)
    changes: list[Change] = [one for one in CHANGES if one in by_change]
    groups = {_CHANGE_HEADS[one]: by_change[one] for one in changes}
    groups |= {one: by_share[one] for one in _SHARES if one in by_share}
    return one_row(
        "Correct by what changed",
        name,
        {head: mean_of(of, "correct") for head, of in groups.items()},
        note=(
            "Number: which number a rule stood under that only moved. Shares: of its characters "
            "the rule changed by; a small change is easily overlooked. Not in the paper."
        ),
    )


def _around(records: Sequence[Record], name: str) -> Table:
    by_day = grouped(_boundary(records), _offset)
    days = [day for day in map(_signed, OFFSETS) if day in by_day]
    return one_row(
        "Correct on the days around a change",
        name,
        {day: mean_of(by_day[day], "correct") for day in days},
        note="0 is the first day of the new wording. Not in the paper.",
    )


def _years(records: Sequence[Record], name: str) -> Table:
    return one_row(
        "ROUGE-L by the year in which the version began",
        name,
        {year: mean_of(of, "rouge_l") for year, of in grouped(records, _year).items()},
        note="As figure 2 of LegalSearch-R1, with questions made from a corpus.",
    )


def _boundary(records: Sequence[Record]) -> list[Record]:
    return [one for one in records if _kind(one) == "boundary"]


def _about_texts(records: Sequence[Record]) -> list[Record]:
    """Questions about a text that changed."""
    return [one for one in records if one.facts.get("changed")]


def _kind(record: Record) -> Kind:
    return record.facts["kind"]


def _offset(record: Record) -> str:
    return _signed(record.facts["offset"])


def _signed(offset: int) -> str:
    return f"{offset:+d}" if offset else "0"


def _change(record: Record) -> Change:
    return record.facts.get("change", "amended")


def _share(record: Record) -> str:
    """The band of the share of characters that changed."""
    changed = record.facts.get("changed") or 0.0
    return next(name for name, most in _SHARES.items() if changed <= most)


def _year(record: Record) -> str:
    return record.facts["valid_from"][:4]
