"""The parts of the compiler benchmark: compiles instruments and compares them with real texts."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from inforce.corpus.compile.checking import compare, touched_numbers
from inforce.corpus.compile.commencement import commencement
from inforce.corpus.compile.compiling import compile_law
from inforce.corpus.compile.instructions import read_instructions
from inforce.corpus.compile.instrument import Instrument, read_instruments, unmarked
from inforce.corpus.compile.law_names import same_law_as
from inforce.corpus.compile.versions import Compilation
from inforce.corpus.loaders.jsonl import read_jsonl
from inforce.corpus.loaders.single_law import parse_lawrefbook
from inforce.corpus.loaders.statute_text import text_lines
from inforce.corpus.titles import plain_title
from inforce.errors import InputError
from inforce.law.model import (
    Provision,
    Source,
    Validity,
    VersionText,
    same_wording,
)
from inforce.law.numerals import ProvisionNumber

HERE = Path(__file__).resolve().parent
CRIMINAL_LAW, CONSTITUTION = "中华人民共和国刑法", "中华人民共和国宪法"
CIVIL_CODE = date(2021, 1, 1)
JUST_LAWS = "just-laws/just-laws.bundle"
AMENDMENTS = "docs/criminal-law/criminal-law/04-amendment.md"
DECISION_1998 = "docs/criminal-law/criminal-law/05-foreign-exchange-crimes-decision.md"
OF_CONSTITUTION = "docs/constitution/05-amendment.md"
PREAMBLE = "docs/constitution/preamble.md"


@dataclass(slots=True)
class Figures:
    """Figures of one part of the benchmark."""

    name: str
    instruments: int = 0
    instructions: int = 0
    parsed: int = 0
    versions: int = 0
    clauses: Counter[str] = field(default_factory=Counter[str])
    """Clauses by outcome: applied, confirmed, noted, refused, failed."""
    texts: int = 0
    """Number of republished texts that were compared."""
    articles: int = 0
    """Number of articles that were compared."""
    equal: int = 0
    explained: Counter[str] = field(default_factory=Counter[str])
    """Articles that differ, by reason."""
    unexplained: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])
    """Texts that could not be compiled, with reasons."""
    seconds: float = 0.0
    """Processor time of reading and compiling."""


def texts_held(data: Path) -> dict[str, list[VersionText]]:
    """Read every text of `statutes/`, by law."""
    found: dict[str, list[VersionText]] = defaultdict(list)
    for name in ("versions", "laws_current"):
        for text in read_jsonl(data / "statutes" / f"{name}.jsonl.gz", on_problem=_raise):
            found[text.version.work].append(text)
    return found


def _raise(error: InputError) -> None:
    raise error


def files_of_bundle(bundle: Path, names: Iterable[str]) -> dict[str, str]:
    """Read files of the last commit in a git bundle."""
    with tempfile.TemporaryDirectory() as folder:
        run = ["git", "clone", "--quiet", "--bare", str(bundle), folder]
        subprocess.run(run, check=True, capture_output=True)
        return {
            name: subprocess.run(
                ["git", "-C", folder, "show", f"HEAD:{name}"],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            for name in names
        }


def instruments_in(text: str, name: str) -> tuple[Instrument, ...]:
    """Read the instruments in the text of a file."""
    return read_instruments(unmarked(text_lines(text)), name=name)


def count_instructions(figures: Figures, instruments: Iterable[Instrument]) -> None:
    """Count the points that order something, and those the grammar reads in full."""
    for instrument in instruments:
        figures.instruments += 1
        for one in read_instructions(instrument).instructions:
            if one.kind == "amending":
                figures.instructions += 1
                figures.parsed += all(piece.clause is not None for piece in one.pieces)


def compare_with(
    figures: Figures, compilation: Compilation, held: Iterable[VersionText], *, law: str = ""
) -> None:
    """Compare every compiled version with the texts that begin on its day.

    Args:
        figures: to add to.
        compilation: the versions.
        held: the texts of the data.
        law: name of the law, to compare only articles that an instruction touched.
    """
    texts = list(held)
    for index, version in enumerate(compilation.versions, 1):
        figures.versions += 1
        figures.clauses.update(one.status for one in version.outcomes)
        touched = touched_numbers(compilation.versions[:index])
        compiled = {one.number for one in version.text.provisions}
        for text in (one for one in texts if _begins(one) == version.day):
            beside = compare(version, text, touched=touched)
            different = [one for one in beside.differences if not law or one.number in touched]
            compared = len(compiled & touched) if law else beside.equal + len(different)
            figures.texts += 1
            figures.articles += compared
            figures.equal += compared - len(different)
            for one in different:
                line = f"{law or beside.held} {one.number.chinese}: {one.kind}"
                if one.explanation:
                    figures.explained[one.explanation] += 1
                else:
                    figures.unexplained.append(line)
        figures.left_out.extend(f"{law}: {one.text}: {one.reason}" for one in version.refused)
    for failed in compilation.unapplied:
        figures.clauses.update(one.status for one in failed.outcomes)
        figures.left_out.append(f"{law}: {failed.reason}")


def criminal_law(data: Path, held: dict[str, list[VersionText]]) -> Figures:
    """刑法 of 1997, the decision of 1998, twelve amendments, the decision of 2009."""
    figures = Figures("刑法 1997 + 14 instruments")
    files = files_of_bundle(data / JUST_LAWS, [AMENDMENTS, DECISION_1998])
    twelfth = json.dumps(_record(data, "中华人民共和国刑法修正案（十二）"), ensure_ascii=False)
    decision = (HERE / "decision_2009.txt").read_text(encoding="utf-8")
    texts = {**files, "laws_current": _text_of(json.loads(twelfth)), "2009": decision}
    started = time.process_time()
    instruments = [one for name, text in texts.items() for one in instruments_in(text, name)]
    count_instructions(figures, instruments)
    base = next(one for one in held[CRIMINAL_LAW] if one.version.label == "1997修订")
    compilation = compile_law(base, instruments)
    figures.seconds = time.process_time() - started
    compare_with(figures, compilation, held[CRIMINAL_LAW])
    return figures


def _record(data: Path, law: str) -> dict[str, Any]:
    with gzip.open(data / "statutes" / "laws_current.jsonl.gz", "rt", encoding="utf-8") as lines:
        return next(record for line in lines if (record := json.loads(line))["law"] == law)


def _text_of(record: dict[str, Any]) -> str:
    points = [
        ("" if one["no"] in ("全文", "序") else one["no"]) + one["text"]
        for one in record["articles"]
    ]
    return "\n".join([record["law"], *record.get("history", []), *points])


def constitution(data: Path, held: dict[str, list[VersionText]]) -> Figures:
    """宪法 of 1982 and its five amendments, compared with the texts of 2018 and 2004.

    The copies in the data have no preamble: that of 2018 is in another file, that of 1982 is the
    same except for the paragraphs in `constitution_1982.json`, which also has a misprint of that
    copy.
    """
    figures = Figures("宪法 1982 + 5 amendments")
    files = files_of_bundle(data / JUST_LAWS, [OF_CONSTITUTION, PREAMBLE])
    skipped = ("#", "-", "prev", "next")
    lines = [one for one in files[PREAMBLE].split("\n") if one.strip()]
    preamble = [one for one in lines if not one.startswith(skipped)]
    today = next(one for one in held[CONSTITUTION] if one.version.label == "2018-03-11")
    [first] = (one for one in held[CONSTITUTION] if one.version.label == "1982-12-04")
    reviewed = json.loads((HERE / "constitution_1982.json").read_text(encoding="utf-8"))
    earlier = [reviewed["preamble"].get(str(at), line) for at, line in enumerate(preamble, 1)]
    started = time.process_time()
    instruments = instruments_in(files[OF_CONSTITUTION], OF_CONSTITUTION)
    count_instructions(figures, instruments)
    compilation = compile_law(_of_1982(first, earlier, reviewed["slips"]), instruments)
    figures.seconds = time.process_time() - started
    others = [one for one in held[CONSTITUTION] if one not in (today, first)]
    compare_with(figures, compilation, [_with_preamble(today, preamble), *others])
    return figures


def _of_1982(
    held: VersionText, preamble: Sequence[str], slips: dict[str, tuple[str, str]]
) -> VersionText:
    provisions: list[Provision] = []
    for one in held.provisions:
        printed, meant = slips.get(one.number.short, ("", ""))
        provisions.append(replace(one, text=one.text.replace(printed, meant)))
    version = replace(held.version, work=CONSTITUTION)
    return _with_preamble(replace(held, version=version, provisions=tuple(provisions)), preamble)


def _with_preamble(text: VersionText, lines: Sequence[str]) -> VersionText:
    preamble = Provision(ProvisionNumber("preamble"), "\n".join(lines))
    return replace(text, provisions=(preamble, *text.provisions))


def court_decisions(data: Path, held: dict[str, list[VersionText]]) -> Figures:
    """The decisions of the Supreme People's Court, on each interpretation whose old text we have.

    Only the articles that an instruction touched are compared: the copies of the others differ by
    their editors.
    """
    figures = Figures("judicial decisions")
    lines = (data / "sources" / "interpretations.jsonl").read_text(encoding="utf-8").split("\n")
    records = [json.loads(line) for line in lines if line]
    texts = {law: list(all_of) for law, all_of in held.items()}
    for record in records:
        for text in _interpretation(record):
            texts.setdefault(text.version.work, []).append(text)
    started = time.process_time()
    instruments = [
        one
        for record in records
        if _amends(record["title"])
        for one in instruments_in(record["text"], record["id"])
    ]
    count_instructions(figures, instruments)
    amended: dict[str, list[Instrument]] = defaultdict(list)
    for instrument in instruments:
        for law in read_instructions(instrument).laws:
            amended[plain_title(law)].append(instrument)
    for law, amending in amended.items():
        same = same_law_as(law)
        of_law = [one for name, all_of in texts.items() if same(name) for one in all_of]
        _one_interpretation(figures, law, amending, of_law)
    figures.seconds = time.process_time() - started
    return figures


def _amends(title: str) -> bool:
    return "修改" in title and "修改决定" not in title and "修改后" not in title


def _interpretation(record: dict[str, Any]) -> Iterator[VersionText]:
    try:
        text = parse_lawrefbook(
            record["text"].encode(), path=record["id"], source=Source(record["id"])
        )
    except InputError:
        return  # a notice, a reply: nothing with articles
    version = replace(text.version, label=record["date"], validity=Validity(None, None, "unknown"))
    yield replace(text, version=version)


def _one_interpretation(
    figures: Figures, law: str, instruments: list[Instrument], texts: list[VersionText]
) -> None:
    days = {one: commencement(read_instructions(one)).default for one in instruments}
    first = min((day for day in days.values() if day is not None), default=None)
    if first is None:
        figures.left_out.append(f"{law}: the day of the decision is not stated")
        return
    old = [one for one in texts if (_begins(one) or date.max) < first]
    if not old:
        figures.left_out.append(f"{law}: no older text is held")
    for base in old:
        if _is_amended(base, first):
            figures.left_out.append(f"{law}: the text held under the old day is the amended one")
            continue
        begins = _begins(base) or date.max
        later = [one for one in instruments if (days[one] or first) > begins]
        compilation = compile_law(base, later)
        compare_with(figures, compilation, [one for one in texts if one not in old], law=law)


def _begins(text: VersionText) -> date | None:
    version = text.version
    return version.validity.start or version.promulgated or date.fromisoformat(version.label[:10])


def _is_amended(text: VersionText, day: date) -> bool:
    """Tell whether a copy under an old day mentions a code that did not exist yet."""
    return day >= CIVIL_CODE and any("民法典" in one.text for one in text.provisions)


def round_trip(held: dict[str, list[VersionText]]) -> Figures:
    """Draft instructions between two consecutive texts of a law, and compile them.

    The instructions are drafted as in the tests: every article that changed is restated,
    renumbered, added or deleted.
    """
    drafting: Any = _tests_module("compile_drafting")
    figures = Figures("two texts drafted article by article, compiled again")
    for earlier, later in _pairs(held):
        points: list[str] = drafting.draft_between(earlier, later)
        through = all(i == one.number.main for i, one in enumerate(later.provisions, 1))
        _compile_draft(figures, earlier, later, points, reorder=through)
    return figures


def round_trip_of_words(held: dict[str, list[VersionText]]) -> Figures:
    """Do the same word by word, for texts whose numbers did not change."""
    drafting: Any = _tests_module("compile_drafting")
    figures = Figures("two texts drafted word by word, compiled again")
    choice = Random(0)
    for pair in _pairs(held):
        earlier, later = map(_full_width, pair)
        if [one.number for one in earlier.provisions] == [one.number for one in later.provisions]:
            points: list[str] = drafting.draft_words(earlier, later, choice.choice)
            _compile_draft(figures, earlier, later, points, reorder=False)
    return figures


def _full_width(text: VersionText) -> VersionText:
    """Return a text with full-width marks: the width in a copy is no change of the law."""
    table = str.maketrans("(),:;%", "（），：；％")
    provisions = (replace(one, text=one.text.translate(table)) for one in text.provisions)
    return replace(text, provisions=tuple(provisions))


def _compile_draft(
    figures: Figures, earlier: VersionText, later: VersionText, points: list[str], *, reorder: bool
) -> None:
    if not points or len(points) > 99:
        return
    world: Any = _tests_module("compile_world")
    order = world.decision(*points, title=earlier.version.work, reorder=reorder)
    started = time.process_time()
    compilation: Compilation = world.compiled(earlier, order)
    figures.seconds += time.process_time() - started
    count_instructions(figures, world.instruments(order))
    figures.texts += 1
    figures.versions += len(compilation.versions)
    figures.clauses.update(one.status for one in compilation.outcomes)
    last = compilation.versions[-1].text if compilation.versions else earlier
    wanted = {one.number: one.text for one in later.provisions}
    compiled = {one.number: one.text for one in last.provisions}
    numbers = wanted.keys() | compiled.keys()
    different = [n for n in numbers if not same_wording(wanted.get(n, ""), compiled.get(n, ""))]
    figures.articles += len(numbers)
    figures.equal += len(numbers) - len(different)
    figures.unexplained += [f"{earlier.version.work} {one.chinese}" for one in different]


def _tests_module(name: str) -> Any:
    folder = str(HERE.parent / "tests" / "corpus" / "compile")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return import_module(name)


def _pairs(held: dict[str, list[VersionText]]) -> Iterator[tuple[VersionText, VersionText]]:
    for texts in held.values():
        whole = [
            one
            for one in texts
            if one.version.validity.start is not None
            and len(one.provisions) >= 10
            and not one.version.holes
            and all(each.number.kind == "article" for each in one.provisions)
        ]
        whole.sort(key=lambda one: (one.version.validity.start or date.max, one.version.key))
        yield from pairwise(whole)


__all__ = [
    "Figures",
    "constitution",
    "court_decisions",
    "criminal_law",
    "round_trip",
    "round_trip_of_words",
    "texts_held",
]
