"""The provisions that cite a provision, and those it cites, each resolved for its own time.

A reference means the article that had its number on the first day of the words that cite it. Where
a law was renumbered afterwards, the article has another number on the days looked up, and the
number that was cited is named. All of this is stored with the laws (`inforce.corpus.citations`);
here it is only looked up.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from inforce.corpus.rows import Row, number_from, text_digest, window_from
from inforce.dates import ALWAYS, DateRange
from inforce.law.ids import Portion
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import title_key
from inforce.law.timeline import Answer, Lookup, Span, Timeline
from inforce.law.work_kinds import WorkKind, kind_of

if TYPE_CHECKING:
    from inforce.corpus.store import Corpus
    from inforce.law.penalties.thresholds import Threshold

CRIMINAL_LAW = "中华人民共和国刑法"

_NOT_CITING: tuple[WorkKind, ...] = (
    "interpretation",
    "reply",
    "amendment",
    "crime_names",
    "material",
)
"""Not listed as citing: interpretations are apart, amending decisions are part of the history."""

_CITATION = """
    work.title, citation.number, citation.starts, citation.ends, reference.target, paragraph, item,
        answer
    FROM citation JOIN reference USING (work_id, number, text_id, position)
    JOIN work ON work.id = citation.work_id
"""
_CITED_ON = f"""
    SELECT {_CITATION} WHERE target_id = (SELECT id FROM work WHERE title = :work)
        AND citation.target = :number
        AND target_starts <= :day AND (target_ends IS NULL OR target_ends > :day)
        AND (citation.ends IS NULL OR citation.ends > :first)
        AND (:after IS NULL OR citation.starts < :after)
"""
_EVER_CITED = f"""
    SELECT DISTINCT {_CITATION} WHERE target_key = :key AND reference.target = :number
        AND target_id = (SELECT id FROM work WHERE title = :work)
        AND answer IN ('found', 'not_covered')
"""
_CITES = """
    SELECT reference.position, coalesce(work.title, reference.title), target_id IS NOT NULL,
        reference.target, paragraph, item, answer, citation.target, target_starts, target_ends
    FROM reference LEFT JOIN citation ON citation.work_id = reference.work_id
        AND citation.number = reference.number AND citation.text_id = reference.text_id
        AND citation.position = reference.position AND citation.starts = :starts
    LEFT JOIN work ON work.id = target_id
    WHERE reference.work_id = (SELECT id FROM work WHERE title = :work)
        AND reference.number = :number
        AND reference.text_id = (SELECT id FROM text WHERE hash = :text)
    ORDER BY reference.position, target_starts
"""


@dataclass(frozen=True, slots=True)
class CitedBy:
    """A provision that cites the one looked up."""

    work: str
    number: ProvisionNumber
    kind: WorkKind
    window: DateRange
    """The days on which the words that cite it were in force."""
    portions: tuple[Portion, ...]
    """The parts of the provision that are cited, under the number it had then."""
    checked: bool
    """Whether the text cited is held for that time; else the number alone says what is meant."""


@dataclass(frozen=True, slots=True)
class Cites:
    """A law or an article that the provision cites."""

    title: str
    held: bool
    """Whether any text of that law is held."""
    portion: Portion | None
    """As written; ``None`` for the law as a whole."""
    answer: Answer | None
    """What is known of the article when the citing words came into force; ``None`` where no article
    is cited or the law is not held."""
    now: ProvisionNumber | None
    """The number the article has on the days looked up, where it is another."""


@dataclass(frozen=True, slots=True)
class Links:
    """Interpretations of a provision, references to it and from it, and amounts for its words."""

    known: bool = True
    """Whether the references of this corpus were read; a file of an earlier release has none until
    something is added to it, or it is indexed."""

    interpretations: tuple[CitedBy, ...] = ()
    """Judicial interpretations and replies that cite it, the latest first."""
    cited_by: tuple[CitedBy, ...] = ()
    """Other provisions that cite it, those of its own law first."""
    cites: tuple[Cites, ...] = ()
    amounts: tuple[Threshold, ...] = ()
    """The amounts interpretations give for its words, as far as this library knows them."""


def links_at(corpus: Corpus, lookup: Lookup) -> Links:
    """Return the links of a provision on the days of a look-up."""
    work, number, days = lookup.work, lookup.number, lookup.as_of
    with corpus.one_state() as db:
        if not lookup.found or not _has_citations(db):
            return Links(known=_has_citations(db))
        cited: list[Row] = []
        cites: list[Cites] = []
        for span in lookup.found:
            day = max(span.window.start, days.start)
            cells = {
                "work": work,
                "number": number.iri,
                "day": day.isoformat(),
                "first": days.start.isoformat(),
                "after": None if days.end is None else days.end.isoformat(),
            }
            cited += db.execute(_CITED_ON, cells)
            cites += _cites(db, work, span, day)
    return _links(work, number, cited, cites, days)


def links_ever(corpus: Corpus, timeline: Timeline) -> Links:
    """Return every reference to a number of a law while the law had it, and every one from it."""
    work, number = timeline.work, timeline.number
    spans = [span for span in timeline.spans if span.provision]
    with corpus.one_state() as db:
        if not _has_citations(db):
            return Links(known=False)
        cites = [one for span in spans for one in _cites(db, work, span, span.window.start)]
        cells = {"work": work, "key": title_key(work), "number": number.iri}
        cited = db.execute(_EVER_CITED, cells).fetchall() if spans else []
    return _links(work, number, cited, cites, ALWAYS)


def _has_citations(db: sqlite3.Connection) -> bool:
    """Whether references are resolved in the file: in an older one, once it is written to."""
    found = "SELECT 1 FROM sqlite_schema WHERE name = 'citation'"
    return bool(db.execute(found).fetchone())


def _cites(db: sqlite3.Connection, work: str, span: Span, day: date) -> Iterator[Cites]:
    """The references in the words of a span, each with the number the article has on a day."""
    assert span.provision is not None
    cells = {
        "work": work,
        "number": span.provision.number.iri,
        "text": text_digest(span.provision.text),
        "starts": span.window.start.isoformat(),
    }
    for _, group in groupby(db.execute(_CITES, cells), key=itemgetter(0)):
        numbered = list(group)
        _, title, held, target, paragraph, item, answer, *_ = numbered[0]
        portion = Portion(number_from(target), paragraph, item) if target else None
        numbers = (
            number_from(number)
            for *_, number, starts, ends in numbered
            if answer == "found" and day in window_from(starts, ends)
        )
        now = next(numbers, None)
        is_same = portion is not None and now == portion.number
        yield Cites(title, bool(held), portion, answer or None, None if is_same else now)


def _links(
    work: str,
    number: ProvisionNumber,
    cited: Iterable[Row],
    cites: Sequence[Cites],
    days: DateRange,
) -> Links:
    cited_by = sorted(_cited_by(cited), key=lambda one: (one.work, one.number, one.window.start))
    judicial = [one for one in cited_by if one.kind in ("interpretation", "reply")]
    judicial.sort(key=lambda one: one.window.start, reverse=True)
    others = [one for one in cited_by if one.kind not in _NOT_CITING]
    others.sort(key=lambda one: one.work != work)
    amounts: tuple[Threshold, ...] = ()
    if work == CRIMINAL_LAW and number.kind == "article" and not number.branch:
        from inforce.law.penalties.thresholds import thresholds_of

        amounts = thresholds_of(number.main, days)
    return Links(True, tuple(judicial), tuple(others), tuple(dict.fromkeys(cites)), amounts)


def _cited_by(cited: Iterable[Row]) -> Iterator[CitedBy]:
    """Each citing wording once, with everything it cites of the provision."""
    portions: dict[tuple[str, ProvisionNumber, DateRange, bool], dict[Portion, None]] = {}
    for work, number, starts, ends, target, paragraph, item, answer in cited:
        words = (work, number_from(number), window_from(starts, ends), answer == "found")
        portion = Portion(number_from(target), paragraph, item)
        portions.setdefault(words, {})[portion] = None
    for (work, number, window, checked), cited_portions in portions.items():
        ordered = tuple(sorted(cited_portions, key=str))
        yield CitedBy(work, number, kind_of(work), window, ordered, checked)
