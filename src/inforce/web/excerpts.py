"""The parts of a page worth showing, without a model: whole articles and paragraphs, verbatim.

`excerpts` takes the articles (第…条, in full) and paragraphs that share the rare words of a
question, with their neighbours where they are short, and notes on when a law took effect or was
amended, because an answer depends on them (LegalSearch-R1, figure 8, rules 1 and 3).

`passage_around` takes the part of a page that a search snippet was taken from (L-MARS, section
3.3): the text around the sentence most like the snippet, by token-level F1.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inforce.errors import IdentifierError
from inforce.language import Sentence, sentences
from inforce.law.numerals import parse_numeral
from inforce.retrieval.tokens import tokenize

LIMIT = 4_000
"""Characters taken from one page at most."""
SEARCHED = 400_000
"""Characters of a page that are looked at."""

WINDOW = 2_500
"""Characters around the sentence of a snippet (L-MARS, section 3.3)."""
CAP = 4_000
"""Characters a passage can have at most (L-MARS, table 2)."""

_LONGEST_PARAGRAPH = 600
_LONGEST_ARTICLE = LIMIT
_SHORT = 200
_LEAST_SHARE = 0.35
"""Of the best unit's score, for a unit to be taken."""
_NOTES_WITHIN = 3_000
_NOTES_LIMIT = 500
_LEAD = 1_500

_ELLIPSIS = re.compile(r"\.{3,}|…+|·{3,}")
_NUMERAL = r"[零〇一二三四五六七八九十百千两0-9]{1,12}"
_ARTICLE = re.compile(rf"^[^\S\n]*第({_NUMERAL})条", re.MULTILINE)
_BREAK = re.compile(rf"^[^\S\n]*第{_NUMERAL}[编章节]|^[^\S\n]*\n", re.MULTILINE)
_ASKED_ARTICLE = re.compile(
    rf"第({_NUMERAL})条|(?:article|section|art\.|sec\.|§)\s{{0,9}}(\d+)", re.IGNORECASE
)
_NOTE = re.compile(
    r"(?:\d{4}|[一二]\s*[〇零九]\S{2})\s*年[^。\n]{0,80}?(?:施行|实施|生效|修订|修正|通过|公布|废止)"
    r"|(?:施行|生效|公布|发布|修订|修正)(?:日期|时间)\s*[：:]"
    r"|\b(?:effective|amended|enacted|repealed|in force)\b[^.\n]{0,60}\b\d{4}\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Excerpts:
    """The parts taken from a page, in its order."""

    texts: tuple[str, ...]
    """Stretches of the page, verbatim."""
    matched: bool
    """Whether any part matches the question; if not, the text is the page's beginning."""
    cut: bool = False
    """Whether the best part is longer than the limit, so that this is only its beginning."""


@dataclass(frozen=True, slots=True)
class _Unit:
    start: int
    end: int
    article: int | None = None


def excerpts(text: str, question: str, *, limit: int = LIMIT) -> Excerpts:
    """Take the articles and paragraphs relevant to a question, at most ``limit`` characters."""
    text = text[:SEARCHED]
    units = list(_units(text))
    scores = _scores(text, units, question)
    best = max(scores, default=0.0)
    if best <= 0:
        lead = text[: min(_LEAD, limit)].strip()
        return Excerpts((lead,) if lead else (), matched=False)
    ranked = sorted(range(len(units)), key=lambda number: (-scores[number], number))
    chosen = _Chosen(units, limit, text)
    for number in ranked:
        if scores[number] < _LEAST_SHARE * best:
            break
        chosen.take(number)
    if ranked[0] not in chosen.numbers:  # the best unit alone is above the limit
        start = units[ranked[0]].start
        return Excerpts((text[start : start + limit],), matched=True, cut=True)
    return Excerpts(
        tuple(_joined(text, [units[number] for number in sorted(chosen.numbers)])), matched=True
    )


def _units(text: str) -> Iterator[_Unit]:
    heads = list(_ARTICLE.finditer(text))
    yield from _paragraphs(text, 0, heads[0].start() if heads else len(text))
    for place, head in enumerate(heads):
        stop = heads[place + 1].start() if place + 1 < len(heads) else len(text)
        end = _article_end(text, head.end(), stop)
        start = head.start() + len(head[0]) - len(head[0].lstrip())
        yield _Unit(start, start + len(text[start:end].rstrip()), _number(head[1]))
        yield from _paragraphs(text, end, stop)


def _article_end(text: str, after: int, stop: int) -> int:
    """Where an article ends: at a chapter, an empty line or the next article."""
    broken = _BREAK.search(text, after, stop)
    end = broken.start() if broken else stop
    if end - after <= _LONGEST_ARTICLE:
        return end
    line = text.find("\n", after, after + _LONGEST_ARTICLE)
    return line if line >= 0 else after + _LONGEST_ARTICLE


def _paragraphs(text: str, start: int, stop: int) -> Iterator[_Unit]:
    begun: _Unit | None = None
    for one in sentences(text[start:stop], longest=_LONGEST_PARAGRAPH):
        piece = _Unit(start + one.start, start + one.end)
        if begun is not None:
            if (
                "\n" not in text[begun.end : piece.start]
                and piece.end - begun.start <= _LONGEST_PARAGRAPH
            ):
                begun = _Unit(begun.start, piece.end)
                continue
            yield begun
        begun = piece
    if begun is not None:
        yield begun


def _scores(text: str, units: Sequence[_Unit], question: str) -> list[float]:
    """BM25 of each unit for the question; an article it names by number comes first."""
    wanted = tokens_of(question)
    counts = [tokens_of(text[unit.start : unit.end]) for unit in units]
    lengths = [count.total() for count in counts]
    mean = max(1.0, sum(lengths) / max(1, len(lengths)))
    found = Counter(word for count in counts for word in wanted if word in count)
    rarity = {word: math.log(1 + len(units) / (1 + found[word])) for word in wanted}
    named = {_number(match[1] or match[2]) for match in _ASKED_ARTICLE.finditer(question)} - {None}
    highest = sum(rarity.values()) * 2.2 + 1
    return [
        sum(
            rarity[word] * count[word] * 2.2 / (count[word] + 1.2 * (0.25 + 0.75 * length / mean))
            for word in sorted(wanted)
            if word in count
        )
        + (highest if unit.article in named else 0.0)
        for unit, count, length in zip(units, counts, lengths, strict=True)
    ]


def _number(numeral: str) -> int | None:
    try:
        return parse_numeral(numeral)
    except IdentifierError:
        return None


class _Chosen:
    """Numbers of the units taken, within the limit; notes near the page's beginning come first."""

    def __init__(self, units: Sequence[_Unit], limit: int, text: str) -> None:
        self.numbers: set[int] = set()
        self._units = units
        self._limit = limit
        self._size = 0
        for number, unit in enumerate(units):
            if unit.start > _NOTES_WITHIN or unit.article is not None:
                break
            fits = self._size + unit.end - unit.start <= min(_NOTES_LIMIT, limit)
            if fits and _NOTE.search(text, unit.start, unit.end):
                self._add(number)

    def take(self, number: int) -> None:
        """Add a unit, and its neighbours where it is short, as far as the limit allows."""
        unit = self._units[number]
        self._add(number)
        if unit.article is None and unit.end - unit.start < _SHORT:
            for neighbour in (number - 1, number + 1):
                if 0 <= neighbour < len(self._units):
                    self._add(neighbour)

    def _add(self, number: int) -> None:
        size = self._size + self._units[number].end - self._units[number].start + 1
        if number not in self.numbers and size <= self._limit:
            self.numbers.add(number)
            self._size = size


def _joined(text: str, units: Sequence[_Unit]) -> Iterator[str]:
    """The text of units in order; those with nothing between them as one."""
    start, end = units[0].start, units[0].end
    for unit in units[1:]:
        if text[end : unit.start].strip():
            yield text[start:end]
            start = unit.start
        end = unit.end
    yield text[start:end]


@dataclass(frozen=True, slots=True)
class SnippetPassage:
    """A part of a page, and the sentence in it that is most like the snippet."""

    text: str
    start: int
    end: int
    anchor: Sentence | None
    """``None``: no sentence shares a word with the snippet; the passage is the beginning."""
    score: float
    """Token-level F1 of the anchor and the snippet, 0 to 1."""


def passage_around(
    text: str, snippet: str, *, window: int = WINDOW, cap: int = CAP
) -> SnippetPassage:
    """Return the part of a page that a search snippet was taken from.

    Args:
        text: the text of the page.
        snippet: the words the search engine showed of it; may have several parts.
        window: characters around the anchor; more, up to ``cap``, to take in whole sentences.
        cap: characters the passage can have at most.
    """
    if not 0 < window <= cap:
        raise ValueError(f"a window of {window} characters under a cap of {cap}")
    parts = [tokens_of(part) for part in {snippet, *_ELLIPSIS.split(snippet)} if part.strip()]
    candidates = list(sentences(text[:SEARCHED], longest=window))
    anchor, best = None, 0.0
    for sentence in candidates:
        tokens = tokens_of(text[sentence.start : sentence.end])
        score = max((token_f1(tokens, part) for part in parts), default=0.0)
        if score > best:
            anchor, best = sentence, score
    if anchor is None:
        beginning = text[:cap].rstrip()
        return SnippetPassage(beginning, 0, len(beginning), None, 0.0)
    # a window with the anchor in its middle, moved where it would leave the text
    start = anchor.start - (window - (anchor.end - anchor.start)) // 2
    start = max(0, min(start, len(text) - window))
    end = min(len(text), start + window)
    # sentences the window cuts are taken in whole, or left out where that exceeds the cap
    inside = [one for one in candidates if one.start < end and one.end > start]
    if inside[-1].end - inside[0].start > cap:
        inside = [one for one in inside if one.start >= start and one.end <= end]
    start, end = inside[0].start, inside[-1].end
    return SnippetPassage(text[start:end], start, end, anchor, best)


def token_f1(left: Counter[str], right: Counter[str]) -> float:
    """Token-level F1: the harmonic mean of the shares of tokens two texts have in common.

    >>> round(token_f1(tokens_of("故意杀人的，处死刑"), tokens_of("故意杀人")), 2)
    0.57
    """
    common = (left & right).total()
    return 2 * common / (left.total() + right.total()) if common else 0.0


def tokens_of(text: str) -> Counter[str]:
    """Count the index terms of a text."""
    return Counter(tokenize(text))
