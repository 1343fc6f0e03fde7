"""Whether words that are quoted were the law's on the days concerned, and whose words they are.

Compared are letters and digits: blanks, punctuation and the width of characters change no law.
What the cited provision said then is looked at first, then what it said at other times, then every
wording of every law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inforce.law.ids import Portion
from inforce.law.timeline import Span, Timeline
from inforce.retrieval.wordings import fold
from inforce.verification.checking import always_said, since_amended, undecided
from inforce.verification.days import DocumentDays
from inforce.verification.findings import Finding, Suggestion
from inforce.verification.law import CheckedLaw, Governing, likeness, may_reach_back
from inforce.verification.places import (
    NEARLY,
    PREFERENCE,
    Context,
    Near,
    Place,
    as_meant,
    has_words,
    is_same_provision,
    nearest,
    places_with,
    within,
)
from inforce.verification.quotations import SHORTEST_UNMARKED, Quoted, fewest_to_trace
from inforce.verification.terms import plain_numbers
from inforce.verification.unmarked import UnmarkedWords
from inforce.verification.words import (
    Words,
    cited_parts,
    difference,
    item_numbers,
    portions_of,
    without_heading,
)

_NEARLY_ELSEWHERE = 0.9
"""The same for words beside which no citation stands, or that are not said to be the law's."""
_NEARLY_UNMARKED = 0.9
_SHORTEST_FREE = 12
"""Letters of words without a citation that are looked for; below, they may be anybody's."""
_SHORTEST_BESIDE = 14
"""The same, of words without marks that an article cited in their paragraph has."""
_SAME_RULE, _MOVED_RULE = 0.6, 0.8
"""Likeness from which a provision has another's rule: an amended one; one under another number."""


class QuotationCheck:
    """Checks the quotations of one document."""

    def __init__(self, law: CheckedLaw, days: DocumentDays) -> None:
        self._law = law
        self._days = days
        self._unmarked = UnmarkedWords(law)

    def finding(self, quoted: Quoted, written: str, context: Context) -> Finding | None:
        """What is so of a quotation; ``None`` if the words are none of the law's."""
        if quoted.marked:
            return self._compared(quoted, written, context)
        part = self._unmarked.without_own_words(quoted, written, context)
        if part is not None:
            first, last = part.start - quoted.start, part.end - quoted.start
            quoted, written = part, written[first:last]
        found = self._compared(quoted, written, context)
        if part is not None and found is not None and found.kind == "wrong_source":
            return None  # a set phrase among somebody's own words
        if found is None or found.kind == "misquoted":
            return self._unmarked.exchanged(quoted, written, context) or found
        return found

    def _compared(self, quoted: Quoted, written: str, context: Context) -> Finding | None:
        words = Words.of(written, by_item=not quoted.marked)
        base = Finding("right", "quotation", quoted.start, quoted.end, written, days=context.days)
        cited = context.cited
        if cited is None:
            return self._free(words, quoted, context, base)
        base = replace(base, work=cited.work)
        if cited.problem or cited.invented:
            return self._of_unknown_law(words, quoted, context, base)
        portions = cited.citation.portions
        if not portions:
            return self._of_law(words, quoted, context, base)
        found = [self._of_portion(words, quoted, context, base, one) for one in portions]
        return min(found, key=lambda one: PREFERENCE[one.kind] if one else 9)

    # Of a provision that is cited

    def _of_portion(
        self, words: Words, quoted: Quoted, context: Context, base: Finding, portion: Portion
    ) -> Finding | None:
        law, work = self._law, base.work
        timeline = law.timeline(work, portion.number)
        if context.cited:
            portion = as_meant(portion, context.cited, timeline, context.days)
        base = replace(base, portion=portion)
        if not quoted.marked:
            texts = (one.provision.text for one in timeline.spans if one.provision)
            words = without_heading(words, map(law.folded, texts))
        if context.case is None:
            return self._undated(words, quoted, context, base, timeline)
        governing = law.governing(work, portion.number, context.case)
        governed = tuple(law.evidence(timeline, span) for span in governing.wordings)
        ever = [span for span in timeline.spans if has_words(self._law, words, span)]
        if context.former and ever:
            return replace(base, governed=(law.evidence(timeline, ever[-1]),))
        base = replace(base, governed=governed, rule=governing.rule)
        having = [span for span in governing.wordings if has_words(self._law, words, span)]
        if having and len(having) == len(governing.spans):
            return self._in_portion(words, timeline, governing, base)
        if having:
            return undecided(base, governing)
        held = self._unsettled(words, timeline, governing, base)
        return held or self._elsewhere(words, quoted, context, base, timeline, governing)

    def _in_portion(
        self, words: Words, timeline: Timeline, governing: Governing, base: Finding
    ) -> Finding:
        """The words were the provision's: also those of the paragraph or item that is cited?"""
        found = self._of_cited_part(words, governing.wordings[-1], base)
        return found if found.is_wrong else since_amended(self._law, timeline, governing, found)

    def _of_cited_part(self, words: Words, span: Span, base: Finding) -> Finding:
        """Whether a wording has the words in the paragraph or item that is cited."""
        assert base.portion is not None
        text = span.provision
        assert text is not None
        portion = base.portion
        if portion.paragraph is not None or portion.item is not None:
            pieces = list(portions_of(portion.number, text.text))
            cited = list(cited_parts(pieces, portion))
            if cited and not any(words.is_in(self._law.folded(one)) for one in cited):
                others = [one for one, piece in pieces if words.is_in(self._law.folded(piece))]
                if others or len(words.parts) == 1:
                    best = max(
                        others, key=lambda one: (one.item or 0, one.paragraph or 0), default=None
                    )
                    suggested = (
                        (self._law.suggestion(base.work, best, base.days.facts[0]),)
                        if best and base.days
                        else ()
                    )
                    return replace(
                        base,
                        kind="unsupported_portion",
                        reason="other_portion",
                        suggestions=suggested,
                    )
            listed = portion.paragraph is None and portion.item in item_numbers(text.text)
            if not cited and not listed:
                return replace(base, kind="unsupported_portion", reason="no_such_paragraph")
        return base

    def _unsettled(
        self, words: Words, timeline: Timeline, governing: Governing, base: Finding
    ) -> Finding | None:
        """Where what governed is not held, a wording of unknown days may be what is quoted."""
        if all(span.state != "uncovered" for span in governing.spans):
            return None
        spans = [
            span for span in timeline.spans if span.provision and has_words(self._law, words, span)
        ]
        quoted = self._law.evidence(timeline, spans[0]) if spans else None
        return replace(
            base,
            kind="not_checked",
            reason="not_covered",
            quoted=quoted,
            details=governing.reasons,
        )

    def _elsewhere(
        self,
        words: Words,
        quoted: Quoted,
        context: Context,
        base: Finding,
        timeline: Timeline,
        governing: Governing,
    ) -> Finding | None:
        """The words are not the governing ones: of another time, another number, or nobody's."""
        places = places_with(self._law, words, context)
        exact = [
            one for one in places if one.exact and not is_same_provision(one.timeline, timeline)
        ]
        recited = self._reciting(context, quoted, exact)
        if recited:
            return self._found(words, quoted, recited, context, base)
        then = [one for one in exact if one.then]
        own = [
            span for span in timeline.spans if span.provision and has_words(self._law, words, span)
        ]
        same_law_then = next((one for one in then if one.timeline.work == base.work), None)
        if own:
            evidence = self._law.evidence(timeline, own[-1])
            base = replace(base, quoted=evidence)
            days = base.days
            if days and may_reach_back(base.work, own[0].window.start, days, timeline.number):
                return replace(base, kind="not_checked", reason="cannot_decide")
            if same_law_then and self._is_same_rule(own[-1], same_law_then.span):
                return self._renumbered(base, same_law_then, own[-1])
            return replace(base, kind="other_time")
        near = nearest(self._law, words, governing.wordings)
        close = near is not None and near.likeness >= NEARLY
        if any(
            one.timeline.number.kind == "whole" for one in exact if one.timeline.work == base.work
        ):
            return replace(base, kind="not_checked", reason="not_covered")
        same_law = same_law_then or next(
            (one for one in exact if one.timeline.work == base.work), None
        )
        other = same_law or (then or exact or [None])[0]
        if other is not None and len(words.whole) < fewest_to_trace(quoted, same_law is not None):
            other = None  # too short to tell whose words they are
        if other is not None and not (close and near and len(words.whole) < _SHORTEST_FREE):
            return self._wrong_source(base, timeline, other)
        if near is not None and close:
            return self._nearly(words, quoted, base, near)
        past = nearest(self._law, words, [one for one in timeline.spans if one.provision])
        if past is not None and past.likeness >= NEARLY:
            base = replace(base, quoted=self._law.evidence(timeline, past.span))
            return self._nearly(words, quoted, base, past)
        return self._unlike(words, quoted, base, timeline, places)

    def _unlike(
        self,
        words: Words,
        quoted: Quoted,
        base: Finding,
        timeline: Timeline,
        places: Sequence[Place],
    ) -> Finding | None:
        """The words are far from all the cited provision ever said."""
        near = next((one for one in places if one.likeness >= _NEARLY_ELSEWHERE), None)
        if near is not None and quoted.marked and not is_same_provision(near.timeline, timeline):
            found = self._wrong_source(base, timeline, near)
            return replace(found, pieces=difference(words, near.span))
        long = len(words.whole) >= _SHORTEST_FREE
        if not quoted.marked or quoted.attachment != "stated" or not long:
            return None
        return replace(base, kind="misquoted", reason="invented_words")

    def _reciting(
        self, context: Context, quoted: Quoted, places: Sequence[Place]
    ) -> Sequence[Place]:
        """The provisions whose own words the citation is, with what follows it.

        法释〔2006〕1号 itself says 依照刑法第六十一条的规定，并充分考虑…: no words of 刑法.
        """
        if quoted.marked or not context.lead:
            return ()
        lead = plain_numbers(fold(context.lead).text)
        return [
            one
            for one in places
            if one.span.provision and lead in self._law.folded(one.span.provision.text)
        ]

    def _is_same_rule(self, one: Span, other: Span) -> bool:
        assert one.provision and other.provision
        return likeness(one.provision.text, other.provision.text) >= _SAME_RULE

    def _renumbered(self, base: Finding, place: Place, other: Span) -> Finding:
        assert other.provision and place.span.provision
        score = likeness(other.provision.text, place.span.provision.text)
        return replace(base, kind="renumbered", score=score, suggestions=(self._cite(place, base),))

    def _wrong_source(self, base: Finding, timeline: Timeline, place: Place) -> Finding:
        """The words are another provision's; if the cited number once held that rule, it moved."""
        base = replace(
            base,
            quoted=self._law.evidence(place.timeline, place.span),
            suggestions=(self._cite(place, base),),
        )
        assert place.span.provision
        if place.timeline.work == base.work and place.then:
            text = place.span.provision.text
            before = [
                likeness(span.provision.text, text)
                for span in timeline.spans
                if span.provision and not within(span, base.days)
            ]
            if before and max(before) >= _MOVED_RULE:
                return replace(base, kind="renumbered", score=max(before))
        return replace(base, kind="wrong_source")

    def _cite(self, place: Place, base: Finding) -> Suggestion:
        days = base.days.facts[0] if base.days and place.then else place.span.window
        return self._law.suggestion(place.timeline.work, Portion(place.timeline.number), days)

    def _misquoted(self, words: Words, base: Finding, span: Span, score: float) -> Finding:
        return replace(base, kind="misquoted", score=score, pieces=difference(words, span))

    def _nearly(self, words: Words, quoted: Quoted, base: Finding, near: Near) -> Finding | None:
        """Words with differences: a misquotation, or, without marks, perhaps a summary."""
        if not quoted.marked and (
            quoted.attachment != "stated" or near.likeness < _NEARLY_UNMARKED
        ):
            return None
        return self._misquoted(words, base, near.span, near.likeness)

    # Without a day, a provision, a law

    def _undated(
        self, words: Words, quoted: Quoted, context: Context, base: Finding, timeline: Timeline
    ) -> Finding | None:
        """No day to check by: only what is wrong on every day is wrong."""
        spans = [span for span in timeline.spans if span.provision]
        having = [span for span in spans if has_words(self._law, words, span)]
        if having:
            assert context.cited is not None
            evidence = self._law.evidence(timeline, having[-1])
            always = always_said(self._law, timeline)
            if always is None and not (context.former or context.cited.ended_here):
                return replace(base, kind="not_checked", reason="no_date", quoted=evidence)
            return self._of_cited_part(words, having[-1], replace(base, governed=(evidence,)))
        if not spans:
            return replace(base, kind="not_checked", reason="not_covered")
        places = places_with(self._law, words, context)
        recited = self._reciting(context, quoted, [one for one in places if one.exact])
        if recited:
            return self._found(words, quoted, recited, context, base)
        exact = next((one for one in places if one.exact), None)
        near = nearest(self._law, words, spans)
        if exact is not None:
            return self._wrong_source(base, timeline, exact)
        if near is not None and near.likeness >= NEARLY:
            return self._nearly(words, quoted, base, near)
        return self._unlike(words, quoted, base, timeline, places)

    def _of_unknown_law(
        self, words: Words, quoted: Quoted, context: Context, base: Finding
    ) -> Finding | None:
        """Words of a law that is not held, or that does not exist: whose are they, if anybody's?"""
        assert context.cited is not None
        places = [one for one in places_with(self._law, words, context) if one.exact]
        if not quoted.marked and not places:
            return None
        found = replace(base, kind="not_checked", reason=context.cited.problem or "source_unknown")
        if not places:
            return found if quoted.attachment == "stated" else None
        place = next((one for one in places if one.then), places[0])
        found = replace(found, quoted=self._law.evidence(place.timeline, place.span))
        if not context.cited.invented:
            return found
        return replace(
            found, kind="wrong_source", reason="", suggestions=(self._cite(place, base),)
        )

    def _of_law(
        self, words: Words, quoted: Quoted, context: Context, base: Finding
    ) -> Finding | None:
        """Words said to be those of a law, without an article."""
        places = [one for one in places_with(self._law, words, context) if one.exact]
        own = [one for one in places if one.timeline.work == base.work]
        if own:
            return self._found(words, quoted, own, context, base)
        if quoted.attachment == "stated" and places and len(words.whole) >= _SHORTEST_FREE:
            return self._wrong_source(base, places[0].timeline, places[0])
        return self._free(words, quoted, context, base)

    def _free(
        self, words: Words, quoted: Quoted, context: Context, base: Finding
    ) -> Finding | None:
        """Words without a citation beside them: if a law has them, they are checked too."""
        beside = self._beside(words, quoted, context, base)
        if beside is not None:
            return beside
        if len(words.whole) < _SHORTEST_FREE or (not quoted.marked and len(words.whole) < 24):
            return None
        places = places_with(self._law, words, context)
        exact = [one for one in places if one.exact]
        if exact:
            return self._found(words, quoted, exact, context, base)
        near = next((one for one in places if one.likeness >= _NEARLY_ELSEWHERE), None)
        if near is None or not quoted.marked or len(words.whole) < 24:
            return None
        base = replace(base, work=near.timeline.work, portion=Portion(near.timeline.number))
        evidence = self._law.evidence(near.timeline, near.span)
        then = near.then or (
            context.case is None and always_said(self._law, near.timeline) is not None
        )
        base = replace(base, governed=(evidence,)) if then else replace(base, quoted=evidence)
        return self._misquoted(words, base, near.span, near.likeness)

    def _beside(
        self, words: Words, quoted: Quoted, context: Context, base: Finding
    ) -> Finding | None:
        """Words that an article cited in the same paragraph has, or had.

        Of words in quotation marks it is told, too, if they are an article's with differences.
        """
        if len(words.whole) < _SHORTEST_BESIDE or context.case is None:
            return None
        own: list[Place] = []
        near: list[Place] = []
        for cited in context.articles_beside():
            timeline = self._law.timeline(cited.work, cited.number)
            own += [
                Place(timeline, span, within(span, context.days), True, 1.0)
                for span in timeline.spans
                if has_words(self._law, words, span)
            ]
            closest = nearest(self._law, words, timeline.spans) if quoted.marked else None
            if closest and closest.likeness >= _NEARLY_ELSEWHERE:
                then = within(closest.span, context.days)
                near.append(Place(timeline, closest.span, then, False, closest.likeness))
        own.sort(key=lambda one: one.order)
        elsewhere = [one for one in places_with(self._law, words, context) if one.exact]
        if not own and near and not elsewhere and len(words.whole) >= SHORTEST_UNMARKED:
            return self._misquoted_beside(words, min(near, key=lambda one: one.order), base)
        if not own or (
            not own[0].then and not quoted.marked and any(one.then for one in elsewhere)
        ):
            return None
        return self._found(words, quoted, own, context, base)

    def _misquoted_beside(self, words: Words, near: Place, base: Finding) -> Finding:
        portion = Portion(near.timeline.number)
        evidence = self._law.evidence(near.timeline, near.span)
        base = replace(base, work=near.timeline.work, portion=portion)
        shown = replace(base, governed=(evidence,)) if near.then else replace(base, quoted=evidence)
        return self._misquoted(words, shown, near.span, near.likeness)

    def _found(
        self,
        words: Words,
        quoted: Quoted,
        places: Sequence[Place],
        context: Context,
        base: Finding,
    ) -> Finding | None:
        """Words that provisions have: right if one of them had them on the days."""
        place = next((one for one in places if one.then), places[0])
        base = replace(base, work=place.timeline.work, portion=Portion(place.timeline.number))
        evidence = self._law.evidence(place.timeline, place.span)
        timeline = place.timeline
        if context.case is None:
            if always_said(self._law, timeline) is not None:
                return replace(base, governed=(evidence,))
            return replace(base, kind="not_checked", reason="no_date", quoted=evidence)
        governing = self._law.governing(timeline.work, timeline.number, context.case)
        governed = tuple(self._law.evidence(timeline, span) for span in governing.wordings)
        base = replace(base, governed=governed, rule=governing.rule)
        having = [span for span in governing.wordings if has_words(self._law, words, span)]
        if having and len(having) == len(governing.spans):
            return since_amended(self._law, timeline, governing, base)
        if place.then and not having:
            return replace(base, governed=(evidence,))
        base = replace(base, quoted=evidence)
        if having or governing.standing == "undecided":
            return undecided(base, governing)
        if governing.standing == "uncovered":
            return replace(base, kind="not_checked", reason="not_covered")
        start, days = place.span.window.start, context.days
        if days and may_reach_back(timeline.work, start, days, timeline.number):
            return replace(base, kind="not_checked", reason="cannot_decide")
        cited = {one.work for one in context.beside} | {base.work for _ in (context.cited,) if _}
        own_words = not quoted.marked and not context.alone and timeline.work not in cited
        near = (one for one in places_with(self._law, words, context) if one.likeness >= NEARLY)
        if own_words and any(one.then for one in near):
            return None  # a sentence of somebody's own for a rule that was in force
        return replace(base, kind="other_time")
