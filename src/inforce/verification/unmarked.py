"""Sentences without quotation marks: where the law's words are in them, and whether they differ.

A sentence may be the law's but for a term that makes another rule of it (可以 for 应当): then it
is misquoted. Or it has the law's words between somebody's own (本院认为，…，故应予支持): then those
are compared. Everything else may be a summary, of which nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from rapidfuzz import fuzz

from inforce.law.ids import Portion
from inforce.retrieval.text_reuse import Folded, fold
from inforce.verification.citation_check import always_said
from inforce.verification.findings import Finding
from inforce.verification.law_lookup import LawLookup
from inforce.verification.matching import (
    Match,
    QuotationContext,
    QuotedWords,
    difference,
    matches_of_wording,
)
from inforce.verification.substitutions import Alignment, align, plain_numbers

_FEWEST_BESIDE, _FEWEST_ALONE = 14, 28
"""Letters that an unmarked sentence shares with a wording of which it substitutes a term: of a law
cited in the same paragraph, or of any law where none is cited."""
_FEWEST_CITED, _FEWEST_WITHIN = 14, 20
"""Letters of a wording between somebody's own words: behind a citation, or anywhere."""
_MOST_SUBSTITUTIONS = 3
_MOST_COMPARED = 8
_CACHED = 256
_STOPS = "，,；;。：:！？!?（(）)\n、”」 "
_FULL_STOPS = "。；;！？!?\n"
_OF_A_RULE = re.compile(r"[之的等](?:相关)?(?:规定|情形)")
"""Follows the law's words, set off from them without a stop: 依照…第二百六十四条，盗窃…之规定."""
_GOES_ON = 50.0
"""Likeness from which the words next to the shared ones are the wording's, changed."""


class UnmarkedSentences:
    """Compares sentences without quotation marks with the wordings they may be taken from."""

    def __init__(self, law: LawLookup) -> None:
        self._law = law
        self._align = lru_cache(_CACHED)(align)

    def find_substitution(self, context: QuotationContext) -> Finding | None:
        """A sentence that is a wording's, except that it has 可以 for 应当, or 五年 for 三年."""
        nearby, written = context.nearby, context.text
        if any(one.problem not in ("", "law_not_named") or one.invented for one in nearby):
            return None  # it may be the words of a law that the corpus does not have
        sentence = fold(written)
        stops = _stops(sentence, written)
        alignments = self._alignments(sentence, stops, context)
        best = max(alignments.values(), key=lambda one: one.quality, default=Alignment())
        if not 1 <= len(best.substitutions) <= _MOST_SUBSTITUTIONS:
            return None
        closest = [one for one, its in alignments.items() if its.quality == best.quality]
        match = self._provision_with(closest, context)
        if match is None or best.equal < (_FEWEST_BESIDE if nearby else _FEWEST_ALONE):
            return None
        length = len(sentence.text)
        whole = {best.start, best.end} <= stops | {0, length}
        ends = best.end == length or written[sentence.origins[best.end - 1] + 1] in _FULL_STOPS
        if context.cited is None and not (whole and ends):
            return None  # part of somebody's own sentence
        start, end = sentence.span(best.start, best.end)
        evidence = self._law.evidence(match.timeline, match.span)
        governed = match.in_force or (
            context.days is None and always_said(self._law, match.timeline) is not None
        )
        first = context.quotation.start
        return Finding(
            "misquoted",
            "quotation",
            first + start,
            first + end,
            written[start:end],
            work=match.timeline.work,
            portion=Portion(match.timeline.number),
            days=context.days,
            governed=(evidence,) if governed else (),
            quoted=None if governed else evidence,
            score=best.equal / best.length,
            pieces=difference(QuotedWords.of(written[start:end]), match.span),
        )

    def without_own_words(self, context: QuotationContext) -> QuotationContext | None:
        """The part of a sentence that a wording has, if the rest is somebody's own words."""
        written = context.text
        sentence = fold(written)
        alignments = self._alignments(sentence, _stops(sentence, written), context)
        best = max(alignments.values(), key=lambda one: one.quality, default=Alignment())
        fewest = _FEWEST_CITED if context.cited else _FEWEST_WITHIN
        if best.substitutions or not fewest <= best.length < len(sentence.text):
            return None
        for wording, its in alignments.items():
            if its.length == best.length and _is_set_off(sentence, written, its, wording):
                start, end = sentence.span(its.start, its.end)
                first = context.quotation.start
                part = replace(context.quotation, start=first + start, end=first + end)
                return replace(context, quotation=part, text=written[start:end])
        return None

    def _alignments(
        self, sentence: Folded, stops: frozenset[int], context: QuotationContext
    ) -> Mapping[str, Alignment]:
        """The sentence aligned with each wording it may be taken from, by the folded wording.

        Those are the wordings of the articles cited nearby, and the most similar ones of any law.
        """
        law = self._law
        texts = {law.text(one) for one in context.candidates[:_MOST_COMPARED]}
        for place in context.nearby_articles():
            spans = law.timeline(place.work, place.number).spans
            texts.update(span.provision.text for span in spans if span.provision)
        wordings = sorted({law.folded(one) for one in texts})
        return {one: self._align(sentence.text, one, stops) for one in wordings}

    def _provision_with(self, wordings: Sequence[str], context: QuotationContext) -> Match | None:
        """The provision that has one of the wordings; of a law cited nearby if any is."""
        law = self._law
        ids = [one for one in context.candidates if law.folded(law.text(one)) in wordings]
        places = [one for found in law.places_of(ids).values() for one in found]
        works = {one.work for one in context.nearby}
        found = [
            match
            for place in (*places, *context.nearby_articles())
            if not works or place.work in works
            for wording in wordings
            for match in matches_of_wording(law, place, wording, context.days)
        ]
        return min(found, key=lambda one: one.rank, default=None)


def _stops(sentence: Folded, written: str) -> frozenset[int]:
    """Where in a folded sentence there was a stop."""
    gaps = np.flatnonzero(np.diff(sentence.origins) > 1)
    return frozenset(int(at) + 1 for at in gaps if written[sentence.origins[at] + 1] in _STOPS)


def _is_set_off(sentence: Folded, written: str, its: Alignment, wording: str) -> bool:
    """Whether stops set the aligned part off from words that are not the wording's.

    The sentence is folded and ``written`` as the document has it; the wording is folded.
    """
    first, last = sentence.span(its.start, its.end)
    starts = first == 0 or its.start == 0 or written[first - 1] in _STOPS
    ends = (
        its.end == len(sentence.text)
        or written[last] in _STOPS
        or _OF_A_RULE.match(written, last) is not None
    )
    if not (starts and ends):
        return False
    core = plain_numbers(sentence.text[its.start : its.end])
    at = wording.find(core)
    if at < 0:
        return False
    before = plain_numbers(sentence.text[: its.start])
    after = plain_numbers(sentence.text[its.end :])
    wording_before = wording[:at][-len(before) :]
    wording_after = wording[at + len(core) :][: len(after)]
    return not (after and fuzz.ratio(after, wording_after) >= _GOES_ON) and not (
        before and fuzz.ratio(before, wording_before) >= _GOES_ON
    )
