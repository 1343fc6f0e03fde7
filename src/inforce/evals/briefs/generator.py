"""Documents with known errors: paragraphs that cite and quote laws, some of them wrongly.

They are made from the timelines of a corpus, from wordings beyond dispute
(`inforce.scoring.dating.is_well_dated`). Each item is one paragraph: an event with its day, a
citation, mostly a quotation. The same corpus, plan and seed give the same documents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Final, Literal, get_args

from inforce.dates import DateRange
from inforce.errors import UserError
from inforce.evals.briefs.phrases import (
    CHANGED_WORDS,
    INVENTED_LAWS,
    OTHER_RULE,
    citation,
    written,
)
from inforce.files import write_file
from inforce.law.alignment import align
from inforce.law.numerals import ProvisionNumber, format_numeral
from inforce.law.portions import paragraphs
from inforce.law.registry import find_work
from inforce.law.timeline import Span, Timeline
from inforce.library import Library
from inforce.retrieval.text_reuse import fold
from inforce.scoring.dating import is_well_dated, wording_of

SeededError = Literal[
    "other_version",
    "not_yet_in_force",
    "repealed",
    "off_by_one",
    "wrong_paragraph",
    "word_changed",
    "old_number",
    "invented_article",
    "invented_law",
    "wrong_citation",
    "unmarked_changed",
]
"""``off_by_one``: the right words under the number before or after. ``old_number``: today's words
under an earlier number of the rule. ``wrong_citation``: the right words under another law.
``unmarked_changed``: words without quotation marks in which one term makes another rule."""

EXPECTED: Final[Mapping[SeededError, frozenset[str]]] = {
    "other_version": frozenset(("other_time", "renumbered", "wrong_source")),
    "not_yet_in_force": frozenset(("not_in_force", "renumbered")),
    "repealed": frozenset(("not_in_force", "renumbered")),
    "off_by_one": frozenset(("wrong_source", "renumbered")),
    "wrong_paragraph": frozenset(("unsupported_portion",)),
    "word_changed": frozenset(("misquoted",)),
    "old_number": frozenset(("renumbered", "wrong_source")),
    "invented_article": frozenset(("no_such_provision",)),
    "invented_law": frozenset(("no_such_law",)),
    "wrong_citation": frozenset(("wrong_source",)),
    "unmarked_changed": frozenset(("misquoted",)),
}
"""The findings that name an error rightly."""

_ERRORS: tuple[SeededError, ...] = get_args(SeededError)
_SHORTEST, _LONGEST = 14, 160
"""Letters of a quotation."""
_SHORTEST_UNMARKED = 20
_TRIES = 2_000
_CLAUSES = re.compile(r"[^。；\n]+[。；]?")


@dataclass(frozen=True, slots=True)
class Item:
    """One paragraph of a document: its citation, and its error if it has one."""

    start: int
    end: int
    """Of the paragraph, in the document's text."""
    law: str
    number: str
    day: date
    error: SeededError | None = None
    quotes: bool = True


@dataclass(frozen=True, slots=True)
class Brief:
    """A document with its items."""

    id: str
    text: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The documents to make."""

    count: int = 100
    items: int = 6
    """Paragraphs with a citation in each document."""
    share: float = 0.4
    """The share of them with an error; every kind equally often."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """The parts of a paragraph before it is written."""

    law: str
    cited: str
    number: ProvisionNumber
    day: date
    quote: str
    marked: bool = True
    """True if the words are in quotation marks."""


@dataclass(slots=True)
class _Law:
    """A law to cite: its provisions with their well-dated spans."""

    title: str
    timelines: dict[ProvisionNumber, Timeline] = field(
        default_factory=dict[ProvisionNumber, Timeline]
    )
    dated: dict[ProvisionNumber, list[Span]] = field(
        default_factory=dict[ProvisionNumber, list[Span]]
    )


def briefs(library: Library, plan: Plan) -> Iterator[Brief]:
    """Make the documents of a corpus, one after the other."""
    maker = _Maker(library, plan)
    for at in range(plan.count):
        yield maker.brief(at)


def write_briefs(folder: Path, made: Sequence[Brief]) -> None:
    """Write each document as text, and their items as JSON lines."""
    folder.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    for one in made:
        write_file(folder / f"{one.id}.txt", one.text)
        items = [{**asdict(item), "day": item.day.isoformat()} for item in one.items]
        lines.append(json.dumps({"id": one.id, "items": items}, ensure_ascii=False))
    write_file(folder / "items.jsonl", "\n".join([*lines, ""]))


class _Maker:
    """Makes the documents of one corpus."""

    def __init__(self, library: Library, plan: Plan) -> None:
        self._library = library
        self._plan = plan
        self._known = DateRange(date.min, DateRange.day(library.clock()).end)
        self._laws = list(self._read_laws())
        self._impossible: set[SeededError] = set()
        self._renumbered: dict[str, list[_Paragraph]] = {}
        self._makers: Mapping[SeededError, Callable[[Random], _Paragraph | None]] = {
            "other_version": self._other_version,
            "not_yet_in_force": self._not_yet,
            "repealed": self._repealed,
            "off_by_one": self._off_by_one,
            "wrong_paragraph": self._wrong_paragraph,
            "word_changed": lambda chance: self._changed(chance, CHANGED_WORDS),
            "old_number": self._old_number,
            "invented_article": self._invented_article,
            "invented_law": self._invented_law,
            "wrong_citation": self._wrong_citation,
            "unmarked_changed": self._unmarked_changed,
        }

    def brief(self, at: int) -> Brief:
        """Make the document of a number."""
        chance = Random(f"{self._plan.seed}/{at}")
        parts, items, length = ["代理意见\n\n"], list[Item](), 6
        for place in range(self._plan.items):
            error = None
            if chance.random() < self._plan.share:
                error = _ERRORS[(at * self._plan.items + place) % len(_ERRORS)]
            made = self._made(chance, error)
            if made is None:
                error, made = None, self._made(chance, None)
            if made is None:
                raise UserError(
                    "no document can be made: no law held has two well-dated texts; "
                    "add more versions (inforce corpus add)"
                )
            words = written(made.law, made.day, made.cited, made.quote, chance, marked=made.marked)
            items.append(
                Item(
                    length,
                    length + len(words),
                    made.law,
                    made.number.short,
                    made.day,
                    error,
                    bool(made.quote),
                )
            )
            parts.append(f"{words}\n\n")
            length += len(parts[-1])
        return Brief(f"brief-{at:05}", "".join(parts), tuple(items))

    def _made(self, chance: Random, error: SeededError | None) -> _Paragraph | None:
        """Make a paragraph; ``None`` if the laws of the corpus allow none of the kind."""
        if error in self._impossible or not self._laws:
            return None
        for _ in range(_TRIES):
            made = self._makers[error](chance) if error else self._right(chance)
            if made is not None:
                return made
        if error:
            self._impossible.add(error)
        return None

    def _read_laws(self) -> Iterator[_Law]:
        corpus = self._library.corpus
        for title in corpus.titles():
            law = _Law(title)
            for timeline in corpus.timelines(title):
                spans = [
                    span
                    for span in timeline.spans
                    if is_well_dated(timeline, span) and span.window.overlaps(self._known)
                ]
                if timeline.number.kind == "article" and spans:
                    law.timelines[timeline.number] = timeline
                    law.dated[timeline.number] = spans
            has_ended = any(one.window.end for spans in law.dated.values() for one in spans)
            if has_ended:
                yield law

    # What is right, and each kind of error

    def _pick(self, chance: Random) -> tuple[_Law, ProvisionNumber, Span]:
        law = chance.choice(self._laws)
        number = chance.choice(list(law.dated))
        return law, number, chance.choice(law.dated[number])

    def _day(self, span: Span, chance: Random) -> date:
        window = span.window.intersection(self._known)
        assert window is not None
        last = window.last
        assert last is not None
        return window.start + timedelta(chance.randint(0, (last - window.start).days))

    def _right(self, chance: Random) -> _Paragraph | None:
        law, number, span = self._pick(chance)
        day = self._day(span, chance)
        if chance.random() < 0.2:
            return _Paragraph(law.title, citation(law.title, number, chance), number, day, "")
        quote, paragraph = _excerpt(wording_of(span), chance)
        if not quote:
            return None
        shown = f"第{format_numeral(paragraph)}款" if paragraph and chance.random() < 0.3 else ""
        cited = citation(law.title, number, chance) + shown
        marked = chance.random() < 0.8 or len(fold(quote).text) < _SHORTEST_UNMARKED
        return _Paragraph(law.title, cited, number, day, quote, marked=marked)

    def _other_version(self, chance: Random) -> _Paragraph | None:
        law, number, span = self._pick(chance)
        others = [one for one in law.dated[number] if one is not span]
        if not others:
            return None
        other = chance.choice(others)
        here = fold(wording_of(span)).text
        clauses = [one for one in _clauses(wording_of(other)) if fold(one).text not in here]
        if not clauses:
            return None
        cited = citation(law.title, number, chance)
        day = self._day(span, chance)
        if _is_interpretation(law) and other.window.start > day:
            return None
        return _Paragraph(law.title, cited, number, day, chance.choice(clauses))

    def _not_yet(self, chance: Random) -> _Paragraph | None:
        law, number, _ = self._pick(chance)
        first = law.dated[number][0]
        day = first.window.start - timedelta(chance.randint(1, 900))
        if law.timelines[number].version_at(day).answer != "not_in_force":
            return None
        if _is_interpretation(law):
            return None
        quote, _ = _excerpt(wording_of(first), chance)
        quote = quote if chance.random() < 0.5 else ""
        cited = citation(law.title, number, chance)
        return _Paragraph(law.title, cited, number, day, quote)

    def _repealed(self, chance: Random) -> _Paragraph | None:
        law, number, _ = self._pick(chance)
        last = law.dated[number][-1]
        if last.window.end is None or last.window.end not in self._known:
            return None
        day = last.window.end + timedelta(chance.randint(0, 900))
        found = law.timelines[number].version_at(day)
        if day not in self._known or found.answer != "not_in_force":
            return None
        quote, _ = _excerpt(wording_of(last), chance)
        quote = quote if chance.random() < 0.5 else ""
        return _Paragraph(law.title, citation(law.title, number, chance), number, day, quote)

    def _off_by_one(self, chance: Random) -> _Paragraph | None:
        law, number, span = self._pick(chance)
        day = self._day(span, chance)
        other = ProvisionNumber.article(number.main + chance.choice((-1, 1)))
        beside = law.timelines.get(other)
        quote, _ = _excerpt(wording_of(span), chance)
        if beside is None or not quote or not self._reads_otherwise(beside, day, quote):
            return None
        cited = citation(law.title, other, chance)
        return _Paragraph(law.title, cited, other, day, quote)

    def _wrong_citation(self, chance: Random) -> _Paragraph | None:
        _, _, span = self._pick(chance)
        other, number, _ = self._pick(chance)
        day = self._day(span, chance)
        quote, _ = _excerpt(wording_of(span), chance)
        if not quote or not self._reads_otherwise(other.timelines[number], day, quote):
            return None
        cited = citation(other.title, number, chance)
        return _Paragraph(other.title, cited, number, day, quote)

    def _reads_otherwise(self, timeline: Timeline, day: date, quote: str) -> bool:
        """True if a provision was in force on a day, and never had these words."""
        words = fold(quote).text
        found = timeline.version_at(day).found
        return bool(found) and not _ever_had(timeline, words)

    def _wrong_paragraph(self, chance: Random) -> _Paragraph | None:
        law, number, span = self._pick(chance)
        found = paragraphs(wording_of(span))
        cited = citation(law.title, number, chance)
        day = self._day(span, chance)
        if len(found) == 1 or chance.random() < 0.3:
            wrong = len(found) + 1
            quote = ""
        else:
            wrong, right = chance.sample(range(1, len(found) + 1), 2)
            clauses = _clauses(found[right - 1].excerpt.text)
            there = fold(found[wrong - 1].excerpt.text).text
            clauses = [one for one in clauses if fold(one).text not in there]
            if not clauses:
                return None
            quote = chance.choice(clauses)
        cited += f"第{format_numeral(wrong)}款"
        return _Paragraph(law.title, cited, number, day, quote)

    def _unmarked_changed(self, chance: Random) -> _Paragraph | None:
        exchanges = [one for one in CHANGED_WORDS if one[0] in OTHER_RULE]
        made = self._changed(chance, exchanges)
        if made is None or len(fold(made.quote).text) < _SHORTEST_UNMARKED or "…" in made.quote:
            return None
        return replace(made, marked=False)

    def _changed(self, chance: Random, exchanges: Sequence[tuple[str, str]]) -> _Paragraph | None:
        """Words of a provision with one exchanged for another."""
        law, number, span = self._pick(chance)
        quote, _ = _excerpt(wording_of(span), chance)
        changes = [(old, new) for old, new in exchanges if old in quote]
        if not changes:
            return None
        old, new = chance.choice(changes)
        changed = quote.replace(old, new, 1)
        if _ever_had(law.timelines[number], fold(changed).text):
            return None
        day = self._day(span, chance)
        cited = citation(law.title, number, chance)
        return _Paragraph(law.title, cited, number, day, changed)

    def _old_number(self, chance: Random) -> _Paragraph | None:
        law = chance.choice(self._laws)
        if law.title not in self._renumbered:
            self._renumbered[law.title] = list(self._moved(law))
        found = self._renumbered[law.title]
        if not found:
            return None
        made = chance.choice(found)
        day = self._known.intersection(DateRange(made.day, None))
        return made if day else None

    def _moved(self, law: _Law) -> Iterator[_Paragraph]:
        """Rules of the last text of a law under the numbers they had in the text before."""
        editions = [one for one in self._library.editions(law.title) if one.version]
        if len(editions) < 2:
            return
        before, after = editions[-2], editions[-1]
        assert before.version and after.version
        corpus = self._library.corpus
        texts = corpus.provisions(before.version), corpus.provisions(after.version)
        new = {one.number: one.text for one in texts[1]}
        for link in align(*texts):
            quote = next(iter(_clauses(new[link.new])), "")
            old = law.timelines.get(link.old)
            day = after.window.start + timedelta(40)
            moved = link.old != link.new and link.score > 0.9 and link.new in law.dated
            if moved and old and quote and day in self._known:
                at = law.timelines[link.new].version_at(day).found
                well = bool(at) and is_well_dated(law.timelines[link.new], at[0])
                then = old.version_at(day).found
                if well and then and fold(quote).text not in fold(wording_of(then[0])).text:
                    cited = f"《{law.title}》{link.old.chinese}"
                    yield _Paragraph(law.title, cited, link.old, day, quote)

    def _invented_article(self, chance: Random) -> _Paragraph | None:
        law, _, span = self._pick(chance)
        last = max(one.main for one in law.timelines)
        numbers = self._library.corpus.numbers(law.title)
        number = ProvisionNumber.article(max(last, numbers[-1].main) + chance.randint(3, 90))
        day = self._day(span, chance)
        cited = citation(law.title, number, chance)
        return _Paragraph(law.title, cited, number, day, "")

    def _invented_law(self, chance: Random) -> _Paragraph | None:
        _, number, span = self._pick(chance)
        title = chance.choice(INVENTED_LAWS)
        if find_work(title) is not None:
            return None
        state = "中华人民共和国" if chance.random() < 0.5 else ""
        cited = f"《{state}{title}》{number.chinese}"
        quote, _ = _excerpt(wording_of(span), chance)
        quote = quote if chance.random() < 0.3 else ""
        return _Paragraph(title, cited, number, self._day(span, chance), quote)


def _ever_had(timeline: Timeline, words: str) -> bool:
    """True if some wording of a provision has these folded words."""
    texts = (one.provision.text for one in timeline.spans if one.provision)
    return any(words in fold(text).text for text in texts)


def _is_interpretation(law: _Law) -> bool:
    """True if a law applies to trials after its commencement, whenever the facts were."""
    return law.title.startswith(("最高人民法院", "最高人民检察院"))


def _clauses(text: str) -> list[str]:
    """Sentences and clauses of a text that are long enough to quote."""
    found = [one.strip("。；： \u3000") for one in _CLAUSES.findall(text)]
    return [one for one in found if _SHORTEST <= len(fold(one).text) <= _LONGEST and "“" not in one]


def _excerpt(text: str, chance: Random) -> tuple[str, int]:
    """Words of a text, sometimes with an ellipsis, and the number of their paragraph."""
    at = chance.randrange(len(found)) if (found := paragraphs(text)) else 0
    clauses = _clauses(found[at].excerpt.text) if found else []
    if not clauses:
        return "", 0
    first = chance.randrange(len(clauses))
    quote = clauses[first]
    if first + 2 < len(clauses) and chance.random() < 0.15:
        quote = f"{quote}……{clauses[first + 2]}"
    return quote, at + 1
