"""Articles cited by a number their rule no longer has, where no words of it are quoted.

A judgment of 2022 that says 经传票传唤，无正当理由拒不到庭 and cites 民事诉讼法第一百四十四条 means
第一百四十七条: the words it shares with the rule that had that number before stand in another
article now, and it shares none with the article that has the number now.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from inforce.dates import DateRange
from inforce.documents.document import Document
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span, Timeline
from inforce.retrieval.wordings import fold
from inforce.verification.citations import Cited
from inforce.verification.law import CheckedLaw, likeness

_GRAM = 4
_OTHER_RULE = 0.3
"""Likeness below which the same number was another rule's."""
_CLAUSE = re.compile(r"[。；;\n]")
_LONGEST_CLAUSE = 200
_FORMULA = re.compile(
    r"(?:[之的]?(?:相关|有关)?规定)(?:处理|处罚|处置|执行|办理|处断|论处|定罪处罚|予以处罚|给予处罚)?"
    r"|依法(?:处理|处罚|予以)|(?:承担|追究)(?:相应的?)?(?:法律|刑事|民事|行政|赔偿)?责任"
)
"""What is said of any article that is cited, and tells nothing of its rule."""


_MOST_ARTICLES, _FEW = 20, 2
"""Words that tell a rule stand in one article of twenty at most, or in two."""


@dataclass(frozen=True, slots=True)
class _Telling:
    """Which words tell one rule of a law from the others."""

    letters: int
    """As many at least."""
    articles: int
    """In as many articles of the law at most."""
    score: float
    """Likeness of the rule to the one that had the number, at least."""


_NEAR = _Telling(4, 15, 0.6)
"""In the clause that cites: 依照…第一百七十二条，提起公诉."""
_ANYWHERE = _Telling(6, 15, 0.8)
_OWN = _Telling(4, 15, 0.0)
"""Of the article that has the number, anywhere in the document."""


@dataclass(frozen=True, slots=True)
class OldNumber:
    """The rule that a number had, and where it is now."""

    span: Span
    """The wording the number once had."""
    number: ProvisionNumber
    score: float
    shared: str
    """The words of the document that are the rule's."""


class OldNumbers:
    """Finds articles cited by an old number in one document.

    Args:
        document: the document.
        cited: what it cites.
        law: the law it is checked against.
        quoted: the articles of which the document has words in quotation marks.
    """

    def __init__(
        self,
        document: Document,
        cited: Sequence[Cited],
        law: CheckedLaw,
        quoted: frozenset[tuple[str, ProvisionNumber]] = frozenset(),
    ) -> None:
        self._law = law
        self._text = document.text
        self._cited = cited
        self._quoted = quoted
        self._whole = _Words(fold(_without(document.text, cited, 0, len(document.text))).text)
        self._numbers = {
            (one.work, portion.number) for one in cited for portion in one.citation.portions
        }
        self._rare = lru_cache(256)(self._articles_with)

    def find(
        self, cited: Cited, timeline: Timeline, governing: Span, days: DateRange
    ) -> OldNumber | None:
        """The rule that is meant, if the number is one it no longer had on the days."""
        assert governing.provision
        if (timeline.work, timeline.number) in self._quoted:
            return None  # its words are compared themselves
        now = governing.provision.text
        near = _Words(fold(self._around(cited)).text)
        if self._telling(now, near, timeline, days, _OWN):
            return None
        own = self._telling(now, self._whole, timeline, days, _OWN)
        said_of_own = max((len(run) for run, _ in own), default=0)
        levels = ((near, _NEAR),) if own else ((near, _NEAR), (self._whole, _ANYWHERE))
        for span in reversed(timeline.spans):
            if span.provision is None or span.window.start >= days.start:
                continue
            text = span.provision.text
            if likeness(text, now) >= _OTHER_RULE:
                continue
            for words, which in levels:
                for shared, numbers in self._telling(text, words, timeline, days, which):
                    if len(shared) < said_of_own:
                        continue  # the document speaks rather of the rule that has the number now
                    if found := self._moved(timeline, span, numbers, days, shared, which):
                        return found
        return None

    def _moved(
        self,
        timeline: Timeline,
        span: Span,
        numbers: Iterable[ProvisionNumber],
        days: DateRange,
        shared: str,
        which: _Telling,
    ) -> OldNumber | None:
        assert span.provision
        later = {one.number: one for one in self._law.text_on(timeline.work, days.start)}
        scores = {one: likeness(span.provision.text, later[one].text) for one in numbers}
        number = max(scores, key=scores.__getitem__)
        meant = number != timeline.number and scores[number] >= which.score
        if not meant or (timeline.work, number) in self._numbers:
            return None
        return OldNumber(span, number, scores[number], shared)

    def _telling(
        self, text: str, words: _Words, timeline: Timeline, days: DateRange, which: _Telling
    ) -> list[tuple[str, tuple[ProvisionNumber, ...]]]:
        """The words a wording shares with the document that stand in few articles of the law."""
        found: list[tuple[str, tuple[ProvisionNumber, ...]]] = []
        for run in words.shared_with(self._law.folded(text)):
            if len(run) >= which.letters:
                numbers = self._rare(timeline.work, run, days)
                share = len(self._law.text_on(timeline.work, days.start)) // _MOST_ARTICLES
                if 0 < len(numbers) <= min(which.articles, max(share, _FEW)):
                    found.append((run, numbers))
        return found

    def _articles_with(self, work: str, words: str, days: DateRange) -> tuple[ProvisionNumber, ...]:
        return tuple(
            one.number
            for one in self._law.text_on(work, days.start)
            if words in self._law.folded(one.text)
        )

    def _around(self, cited: Cited) -> str:
        """The clause that cites, without what it cites."""
        text, start, end = self._text, cited.citation.start, cited.citation.end
        before = [
            one.end() for one in _CLAUSE.finditer(text, max(0, start - _LONGEST_CLAUSE), start)
        ]
        after = _CLAUSE.search(text, end, end + _LONGEST_CLAUSE)
        first = before[-1] if before else max(0, start - _LONGEST_CLAUSE)
        return _without(text, self._cited, first, after.start() if after else end + _LONGEST_CLAUSE)


def _without(text: str, cited: Sequence[Cited], start: int, end: int) -> str:
    """A stretch of a text, a stop for each citation in it."""
    parts: list[str] = []
    first = bisect_left(cited, start, key=lambda one: one.citation.start)
    for one in cited[first : bisect_left(cited, end, key=lambda one: one.citation.start)]:
        if one.citation.end <= end:
            parts.append(text[start : one.citation.start])
            start = max(start, one.citation.end)
    return _FORMULA.sub("\0", "\0".join((*parts, text[start:end])))


class _Words:
    """Folded words, in which those of others are looked for."""

    def __init__(self, folded: str) -> None:
        self._folded = folded
        self._grams = frozenset(folded[at : at + _GRAM] for at in range(len(folded) - _GRAM + 1))

    def shared_with(self, folded: str) -> Iterator[str]:
        """The longest stretches of other words that are among these."""
        start: int | None = None
        for at in range(len(folded) - _GRAM + 2):
            inside = at <= len(folded) - _GRAM and folded[at : at + _GRAM] in self._grams
            if start is not None and inside and folded[start : at + _GRAM] not in self._folded:
                yield folded[start : at - 1 + _GRAM]
                start = at
            elif inside and start is None:
                start = at
            elif not inside and start is not None:
                yield folded[start : at - 1 + _GRAM]
                start = None
