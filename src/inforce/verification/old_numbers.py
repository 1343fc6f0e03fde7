"""Articles cited by a number their rule no longer has, where no words of it are quoted.

A judgment of 2022 that says 经传票传唤，无正当理由拒不到庭 and cites 民事诉讼法第一百四十四条 means
第一百四十七条: the words it shares with the rule that had that number before are in another
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
from inforce.law.alignment import similarity
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span, Timeline
from inforce.retrieval.text_reuse import fold
from inforce.verification.citations import ResolvedCitation
from inforce.verification.law_lookup import LawLookup

_GRAM = 4
_OTHER_RULE = 0.3
"""Likeness below which the same number was another rule's."""
_CLAUSE = re.compile(r"[。；;\n]")
_LONGEST_CLAUSE = 200
_FORMULA = re.compile(
    r"(?:[之的]?(?:相关|有关)?规定)(?:处理|处罚|处置|执行|办理|处断|论处|定罪处罚|予以处罚|给予处罚)?"
    r"|依法(?:处理|处罚|予以)|(?:承担|追究)(?:相应的?)?(?:法律|刑事|民事|行政|赔偿)?责任"
)
"""Formulas around any citation, which identify no rule."""
_ONE_IN, _FEW = 20, 2
"""Words that identify a rule are in one article of twenty at most, or in two."""
_MOST_ARTICLES = 15
"""Articles of a law in which words may be that identify one of its rules."""


@dataclass(frozen=True, slots=True)
class _Threshold:
    """From what on words identify a rule of a law."""

    letters: int
    score: float
    """Likeness of the rule to the one that had the number."""


_NEAR = _Threshold(4, 0.6)
"""For the clause that cites: 依照…第一百七十二条，提起公诉."""
_ANYWHERE = _Threshold(6, 0.8)


@dataclass(frozen=True, slots=True)
class OldNumber:
    """The rule that a number once had, and its number on the days concerned."""

    span: Span
    """The wording the number once had."""
    number: ProvisionNumber
    score: float
    """Likeness of the two wordings, 0 to 1."""


class OldNumbers:
    """Finds articles cited by an old number in one document.

    Those of which it has words in quotation marks are ``quoted``.
    """

    def __init__(
        self,
        document: Document,
        cited: Sequence[ResolvedCitation],
        law: LawLookup,
        quoted: frozenset[tuple[str, ProvisionNumber]] = frozenset(),
    ) -> None:
        self._law = law
        self._text = document.text
        self._cited = cited
        self._quoted = quoted
        self._whole = _SearchableText(self._text_between(0, len(document.text)))
        self._numbers = {
            (one.work, portion.number) for one in cited for portion in one.citation.portions
        }
        self._articles_with = lru_cache(256)(self._find_articles)

    def find(
        self, cited: ResolvedCitation, timeline: Timeline, governing: Span, days: DateRange
    ) -> OldNumber | None:
        """The rule that is meant, if the cited number is one it no longer had on the days."""
        assert governing.provision
        if (timeline.work, timeline.number) in self._quoted:
            return None  # its words are compared themselves
        now = governing.provision.text
        near = _SearchableText(self._clause_around(cited))
        if self._identifying_words(now, near, timeline, days, _NEAR.letters):
            return None
        own = self._identifying_words(now, self._whole, timeline, days, _NEAR.letters)
        longest_own = max((len(run) for run, _ in own), default=0)
        levels = ((near, _NEAR),) if own else ((near, _NEAR), (self._whole, _ANYWHERE))
        for span in reversed(timeline.spans):
            if span.provision is None or span.window.start >= days.start:
                continue
            text = span.provision.text
            if similarity(text, now) >= _OTHER_RULE:
                continue
            for searched, threshold in levels:
                for shared, numbers in self._identifying_words(
                    text, searched, timeline, days, threshold.letters
                ):
                    if len(shared) < longest_own:
                        continue  # more of the document is about the rule with the number now
                    if found := self._moved(timeline, span, numbers, days, threshold.score):
                        return found
        return None

    def _moved(
        self,
        timeline: Timeline,
        span: Span,
        numbers: Iterable[ProvisionNumber],
        days: DateRange,
        fewest: float,
    ) -> OldNumber | None:
        """The most similar of some articles, unless it is the cited one or cited elsewhere."""
        assert span.provision
        later = {one.number: one for one in self._law.text_on(timeline.work, days.start)}
        scores = {one: similarity(span.provision.text, later[one].text) for one in numbers}
        number = max(scores, key=scores.__getitem__)
        meant = number != timeline.number and scores[number] >= fewest
        if not meant or (timeline.work, number) in self._numbers:
            return None
        return OldNumber(span, number, scores[number])

    def _identifying_words(
        self,
        text: str,
        searched: _SearchableText,
        timeline: Timeline,
        days: DateRange,
        letters: int,
    ) -> list[tuple[str, tuple[ProvisionNumber, ...]]]:
        """The words shared with a text that are in few articles of the law, with those articles."""
        found: list[tuple[str, tuple[ProvisionNumber, ...]]] = []
        for run in searched.shared_with(self._law.folded(text)):
            if len(run) >= letters:
                numbers = self._articles_with(timeline.work, run, days)
                share = len(self._law.text_on(timeline.work, days.start)) // _ONE_IN
                if 0 < len(numbers) <= min(_MOST_ARTICLES, max(share, _FEW)):
                    found.append((run, numbers))
        return found

    def _find_articles(self, work: str, words: str, days: DateRange) -> tuple[ProvisionNumber, ...]:
        return tuple(
            one.number
            for one in self._law.text_on(work, days.start)
            if words in self._law.folded(one.text)
        )

    def _clause_around(self, cited: ResolvedCitation) -> str:
        """The clause that cites, without the citation."""
        text, start, end = self._text, cited.citation.start, cited.citation.end
        before = [
            one.end() for one in _CLAUSE.finditer(text, max(0, start - _LONGEST_CLAUSE), start)
        ]
        after = _CLAUSE.search(text, end, end + _LONGEST_CLAUSE)
        first = before[-1] if before else max(0, start - _LONGEST_CLAUSE)
        return self._text_between(first, after.start() if after else end + _LONGEST_CLAUSE)

    def _text_between(self, start: int, end: int) -> str:
        """A part of the document, with a separator for each citation and formula in it."""
        text, parts = self._text, list[str]()
        first, last = (
            bisect_left(self._cited, at, key=lambda one: one.citation.start) for at in (start, end)
        )
        for one in self._cited[first:last]:
            if one.citation.end <= end:
                parts.append(text[start : one.citation.start])
                start = max(start, one.citation.end)
        return _FORMULA.sub("\0", "\0".join((*parts, text[start:end])))


class _SearchableText:
    """A folded text, in which the words of other texts are looked for."""

    def __init__(self, text: str) -> None:
        self._folded = folded = fold(text).text
        self._grams = frozenset(folded[at : at + _GRAM] for at in range(len(folded) - _GRAM + 1))

    def shared_with(self, folded: str) -> Iterator[str]:
        """The longest runs of another folded text that are in this one."""
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
