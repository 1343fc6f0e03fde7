"""Words without quotation marks: where in a sentence the law's words are, and whether they are.

A sentence may be the law's but for a term that makes another rule of it (可以 for 应当): then it
is misquoted. Or it has the law's words between somebody's own (本院认为，…，故应予支持): then those
are compared. Everything else may be a summary, of which nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from rapidfuzz import fuzz

from inforce.law.ids import Portion
from inforce.retrieval.wordings import Folded, fold
from inforce.verification.checking import always_said
from inforce.verification.findings import Finding
from inforce.verification.law import CheckedLaw
from inforce.verification.places import Context, Place, spans_at
from inforce.verification.quotations import Quoted
from inforce.verification.terms import Shared, plain_numbers, shared_words
from inforce.verification.words import Words, difference

_FEWEST_BESIDE, _FEWEST_ALONE = 14, 28
"""Letters that an unmarked sentence shares with a wording of which it exchanges a term: of a law
cited in the same paragraph, or of any law where none is cited."""
_FEWEST_CITED, _FEWEST_WITHIN = 14, 20
"""Letters of the law's between somebody's own words: behind a citation, or anywhere."""
_MOST_EXCHANGED = 3
_MOST_COMPARED = 8
_COMPARISONS = 256
_STOPS = "，,；;。：:！？!?（(）)\n、”」 "
_FULL = "。；;！？!?\n"
_OF_A_RULE = re.compile(r"[之的等](?:相关)?(?:规定|情形)")
"""Behind the law's words, set off from them without a stop: 依照…第二百六十四条，盗窃…之规定."""
_GOES_ON = 50.0
"""Likeness from which words beside shared ones are those the wording goes on with, changed."""


class UnmarkedWords:
    """Looks at words without quotation marks; see the module."""

    def __init__(self, law: CheckedLaw) -> None:
        self._law = law
        self._shared = lru_cache(_COMPARISONS)(shared_words)

    def exchanged(self, quoted: Quoted, written: str, context: Context) -> Finding | None:
        """A sentence that is a wording's, save that 可以 is written for 应当, or 五年 for 三年."""
        cited = context.beside
        if any(one.problem not in ("", "law_not_named") or one.invented for one in cited):
            return None  # it may be the words of what is not held
        said = fold(written)
        stops = _stops(said, written)
        found = {one: self._shared(said.text, one, stops) for one in self._wordings(context)}
        shared = max(found.values(), key=_most, default=Shared())
        if not 1 <= len(shared.exchanged) <= _MOST_EXCHANGED:
            return None
        closest = [one for one, its in found.items() if _most(its) == _most(shared)]
        place = self._provision_of(closest, context)
        if place is None or shared.equal < (_FEWEST_BESIDE if cited else _FEWEST_ALONE):
            return None
        whole = {shared.start, shared.end} <= stops | {0, len(said.text)}
        sentence = (
            shared.end == len(said.text) or written[said.origins[shared.end - 1] + 1] in _FULL
        )
        if context.cited is None and not (whole and sentence):
            return None  # part of somebody's own sentence
        start, end = said.span(shared.start, shared.end)
        evidence = self._law.evidence(place.timeline, place.span)
        then = place.then or (
            context.days is None and always_said(self._law, place.timeline) is not None
        )
        return Finding(
            "misquoted",
            "quotation",
            quoted.start + start,
            quoted.start + end,
            written[start:end],
            work=place.timeline.work,
            portion=Portion(place.timeline.number),
            days=context.days,
            governed=(evidence,) if then else (),
            quoted=None if then else evidence,
            score=shared.equal / shared.length,
            pieces=difference(Words.of(written[start:end]), place.span),
        )

    def without_own_words(self, quoted: Quoted, written: str, context: Context) -> Quoted | None:
        """The part of a sentence that a wording has, if the rest is somebody's own words."""
        said = fold(written)
        stops = _stops(said, written)
        found = {one: self._shared(said.text, one, stops) for one in self._wordings(context)}
        most = max(found.values(), key=_most, default=Shared())
        fewest = _FEWEST_CITED if context.cited else _FEWEST_WITHIN
        if most.exchanged or not fewest <= most.length < len(said.text):
            return None
        longest = [one for one, its in found.items() if its.length == most.length]
        best = next(
            (found[one] for one in longest if _is_apart(said, written, found[one], one)), None
        )
        if best is None:
            return None
        start, end = said.span(best.start, best.end)
        return replace(quoted, start=quoted.start + start, end=quoted.start + end)

    def _wordings(self, context: Context) -> Sequence[str]:
        """What a sentence is compared with, folded: what is cited beside it, and the like."""
        law = self._law
        found = {law.text(one) for one in context.candidates[:_MOST_COMPARED]}
        for place in context.articles_beside():
            spans = law.timeline(place.work, place.number).spans
            found.update(span.provision.text for span in spans if span.provision)
        return sorted({law.folded(one) for one in found})

    def _provision_of(self, wordings: Sequence[str], context: Context) -> Place | None:
        """The provision that reads so; of a law cited in the paragraph if any is."""
        law = self._law
        ids = [one for one in context.candidates if law.folded(law.text(one)) in wordings]
        places = [one for found in law.places_of(ids).values() for one in found]
        works = {one.work for one in context.beside}
        found = [
            one
            for place in (*places, *context.articles_beside())
            if not works or place.work in works
            for wording in wordings
            for one in spans_at(law, place, wording, context.days)
        ]
        return min(found, key=lambda one: one.order, default=None)


def _stops(said: Folded, written: str) -> frozenset[int]:
    """Where in a folded sentence there was a stop."""
    gaps = np.flatnonzero(np.diff(said.origins) > 1)
    return frozenset(int(at) + 1 for at in gaps if written[said.origins[at] + 1] in _STOPS)


def _most(shared: Shared) -> tuple[int, int]:
    return shared.length, -len(shared.exchanged)


def _is_apart(said: Folded, written: str, shared: Shared, wording: str) -> bool:
    """Whether what is beside shared words is set off from them, and not what the wording has there.

    Args:
        said: the sentence, folded.
        written: the sentence.
        shared: what the wording has of it, word for word.
        wording: the wording, folded.
    """
    first, last = said.span(shared.start, shared.end)
    starts = first == 0 or shared.start == 0 or written[first - 1] in _STOPS
    ends = (
        shared.end == len(said.text)
        or written[last] in _STOPS
        or _OF_A_RULE.match(written, last) is not None
    )
    if not (starts and ends):
        return False
    core = plain_numbers(said.text[shared.start : shared.end])
    at = wording.find(core)
    if at < 0:
        return False
    before, after = (
        plain_numbers(one) for one in (said.text[: shared.start], said.text[shared.end :])
    )
    goes_on, went_before = wording[at + len(core) :][: len(after)], wording[:at][-len(before) :]
    return not (after and fuzz.ratio(after, goes_on) >= _GOES_ON) and not (
        before and fuzz.ratio(before, went_before) >= _GOES_ON
    )
