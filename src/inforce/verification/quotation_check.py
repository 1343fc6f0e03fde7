"""The check of quotations: whether the words were the law's on the days, and whose they are.

The words are compared with what the cited provision said on the days, then with what it said at
other times, then with every wording of every law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inforce.law.alignment import similarity
from inforce.law.ids import Portion
from inforce.law.timeline import Span, Timeline
from inforce.retrieval.text_reuse import fold
from inforce.verification.citation_check import always_said, since_amended, undecided
from inforce.verification.findings import Finding, FindingKind, Suggestion
from inforce.verification.law_lookup import Governing, LawLookup, may_reach_back
from inforce.verification.matching import (
    NEARLY,
    Match,
    QuotationContext,
    QuotedWords,
    cited_parts,
    closest_match,
    difference,
    find_matches,
    has_words,
    is_in_force,
    item_numbers,
    portions_of,
    resolve_english_portion,
)
from inforce.verification.quotations import SHORTEST_UNMARKED, fewest_to_attribute
from inforce.verification.substitutions import plain_numbers
from inforce.verification.unmarked import UnmarkedSentences

_NEARLY_ELSEWHERE = 0.9
"""As `NEARLY`, for words of another provision than the cited one, or without a citation."""
_NEARLY_UNMARKED = 0.9
_SHORTEST_FREE = 12
"""Letters of words without a citation that are looked for; shorter ones may be anybody's."""
_SHORTEST_UNMARKED_FREE = 24
_SHORTEST_NEARBY = 14
"""Letters of words that an article cited in their paragraph has."""
_SAME_RULE, _MOVED_RULE = 0.6, 0.8
"""Likeness from which a provision has another's rule: an amended one; one under another number."""
_PREFERENCE: Mapping[FindingKind, int] = {
    "right": 0,
    "amended_since": 0,
    "other_time": 1,
    "renumbered": 1,
    "unsupported_portion": 2,
    "misquoted": 3,
    "not_checked": 4,
    "wrong_source": 5,
    "not_in_force": 6,
    "no_such_provision": 7,
    "no_such_law": 7,
    "wrong_name": 7,
    "wrong_case_number": 7,
}
"""Of several provisions cited for one quotation, the one that fits it best counts."""


class QuotationCheck:
    """Checks the quotations of one document."""

    def __init__(self, law: LawLookup) -> None:
        self._law = law
        self._unmarked = UnmarkedSentences(law)

    def finding(self, context: QuotationContext) -> Finding | None:
        """The finding for a quotation; ``None`` if the words are not the law's."""
        if context.quotation.marked:
            return self._compare(context)
        part = self._unmarked.without_own_words(context)
        found = self._compare(part or context)
        if part is not None and found is not None and found.kind == "wrong_source":
            return None  # a set phrase among somebody's own words
        if found is None or found.kind == "misquoted":
            return self._unmarked.find_substitution(part or context) or found
        return found

    def _compare(self, context: QuotationContext) -> Finding | None:
        quotation, cited = context.quotation, context.cited
        words = QuotedWords.of(context.text, by_item=not quotation.marked)
        base = Finding(
            "right", "quotation", quotation.start, quotation.end, context.text, days=context.days
        )
        if cited is None:
            return self._compare_uncited(words, context, base)
        base = replace(base, work=cited.work)
        if cited.problem or cited.invented:
            return self._compare_with_unknown_law(words, context, base)
        if not cited.citation.portions:
            return self._compare_with_law(words, context, base)
        found = [
            self._compare_with_portion(words, context, base, one) for one in cited.citation.portions
        ]
        return min(found, key=lambda one: _PREFERENCE[one.kind] if one else 9)

    # Words of a cited provision

    def _compare_with_portion(
        self, words: QuotedWords, context: QuotationContext, base: Finding, portion: Portion
    ) -> Finding | None:
        law = self._law
        timeline = law.timeline(base.work, portion.number)
        if context.cited:
            portion = resolve_english_portion(portion, context.cited, timeline, context.days)
        base = replace(base, portion=portion)
        if not context.quotation.marked:
            texts = (one.provision.text for one in timeline.spans if one.provision)
            words = words.without_heading(map(law.folded, texts))
        if context.case is None:
            return self._compare_undated(words, context, base, timeline)
        governing = law.governing(base.work, portion.number, context.case)
        own = [span for span in timeline.spans if has_words(law, words, span)]
        if context.former and own:
            return replace(base, governed=(law.evidence(timeline, own[-1]),))
        governed = tuple(law.evidence(timeline, span) for span in governing.wordings)
        base = replace(base, governed=governed, rule=governing.rule)
        having = [span for span in governing.wordings if has_words(law, words, span)]
        if having and len(having) == len(governing.spans):
            # The words were the provision's: also those of the paragraph or item that is cited?
            found = self._check_cited_part(words, governing.wordings[-1], base)
            return found if found.is_wrong else since_amended(law, timeline, governing, found)
        if having:
            return undecided(base, governing)
        if any(span.state == "uncovered" for span in governing.spans):
            # A wording of unknown days may be the one that is quoted.
            return replace(
                base,
                kind="not_checked",
                reason="not_covered",
                quoted=law.evidence(timeline, own[0]) if own else None,
                details=governing.reasons,
            )
        return self._compare_elsewhere(words, context, base, timeline, governing, own)

    def _check_cited_part(self, words: QuotedWords, span: Span, base: Finding) -> Finding:
        """Whether a wording has the words in the paragraph or item that is cited."""
        portion, provision = base.portion, span.provision
        assert portion is not None
        assert provision is not None
        if portion.paragraph is None and portion.item is None:
            return base
        pieces = list(portions_of(portion.number, provision.text))
        cited = list(cited_parts(pieces, portion))
        if cited and not any(words.is_in(self._law.folded(one)) for one in cited):
            others = [one for one, piece in pieces if words.is_in(self._law.folded(piece))]
            if others or len(words.parts) == 1:
                suggestions: tuple[Suggestion, ...] = ()
                if others and base.days:
                    best = max(others, key=lambda one: (one.item or 0, one.paragraph or 0))
                    suggestions = (self._law.suggestion(base.work, best, base.days.facts[0]),)
                return replace(
                    base,
                    kind="unsupported_portion",
                    reason="other_portion",
                    suggestions=suggestions,
                )
        listed = portion.paragraph is None and portion.item in item_numbers(provision.text)
        if not cited and not listed:
            return replace(base, kind="unsupported_portion", reason="no_such_paragraph")
        return base

    def _compare_elsewhere(
        self,
        words: QuotedWords,
        context: QuotationContext,
        base: Finding,
        timeline: Timeline,
        governing: Governing,
        own: Sequence[Span],
    ) -> Finding | None:
        """Words that are not the governing ones: of another time, another number, or nobody's.

        Those spans of the cited provision that have the words are its ``own``.
        """
        law, days = self._law, base.days
        matches = find_matches(law, words, context)
        exact = [
            one for one in matches if one.exact and not _is_same_provision(one.timeline, timeline)
        ]
        if recited := self._reciting_citation(context, exact):
            return self._found(words, recited, context, base)
        in_force = [one for one in exact if one.in_force]
        same_law = [one for one in exact if one.timeline.work == base.work]
        same_law_then = next((one for one in in_force if one.timeline.work == base.work), None)
        if own:
            base = replace(base, quoted=law.evidence(timeline, own[-1]))
            if days and may_reach_back(base.work, own[0].window.start, days, timeline.number):
                return replace(base, kind="not_checked", reason="cannot_decide")
            assert own[-1].provision
            score = similarity(own[-1].provision.text, same_law_then.text) if same_law_then else 0
            if same_law_then and score >= _SAME_RULE:
                suggestion = self._suggestion(same_law_then, base)
                return replace(base, kind="renumbered", score=score, suggestions=(suggestion,))
            return replace(base, kind="other_time")
        near = closest_match(law, words, timeline, governing.wordings, days)
        close = near is not None and near.likeness >= NEARLY
        if any(one.timeline.number.kind == "whole" for one in same_law):
            return replace(base, kind="not_checked", reason="not_covered")
        within_law = same_law_then or next(iter(same_law), None)
        other = within_law or next(iter(in_force or exact), None)
        fewest = fewest_to_attribute(context.quotation, within_law is not None)
        too_short = len(words.whole) < fewest or (close and len(words.whole) < _SHORTEST_FREE)
        if other is not None and not too_short:
            return self._wrong_source(base, timeline, other)
        if near is not None and close:
            return self._nearly(words, context, base, near)
        past = closest_match(law, words, timeline, timeline.spans, days)
        if past is not None and past.likeness >= NEARLY:
            base = replace(base, quoted=law.evidence(timeline, past.span))
            return self._nearly(words, context, base, past)
        return self._unlike(words, context, base, timeline, matches)

    def _unlike(
        self,
        words: QuotedWords,
        context: QuotationContext,
        base: Finding,
        timeline: Timeline,
        matches: Sequence[Match],
    ) -> Finding | None:
        """Words that are far from all the cited provision ever said."""
        quotation = context.quotation
        near = next((one for one in matches if one.likeness >= _NEARLY_ELSEWHERE), None)
        if near and quotation.marked and not _is_same_provision(near.timeline, timeline):
            found = self._wrong_source(base, timeline, near)
            return replace(found, pieces=difference(words, near.span))
        long = len(words.whole) >= _SHORTEST_FREE
        if not quotation.marked or quotation.attachment != "stated" or not long:
            return None
        return replace(base, kind="misquoted", reason="invented_words")

    def _reciting_citation(
        self, context: QuotationContext, matches: Sequence[Match]
    ) -> Sequence[Match]:
        """The provisions whose own words include the citation and what follows it.

        法释〔2006〕1号 itself says 依照刑法第六十一条的规定，并充分考虑…: no words of 刑法.
        """
        if context.quotation.marked or not context.lead:
            return ()
        lead = plain_numbers(fold(context.lead).text)
        return [one for one in matches if lead in self._law.folded(one.text)]

    def _wrong_source(self, base: Finding, timeline: Timeline, match: Match) -> Finding:
        """Words of another provision; if the cited number once had that rule, it was renumbered."""
        base = replace(
            base,
            quoted=self._law.evidence(match.timeline, match.span),
            suggestions=(self._suggestion(match, base),),
        )
        if match.timeline.work == base.work and match.in_force:
            score = max(
                (
                    similarity(span.provision.text, match.text)
                    for span in timeline.spans
                    if span.provision and not is_in_force(span, base.days)
                ),
                default=0.0,
            )
            if score >= _MOVED_RULE:
                return replace(base, kind="renumbered", score=score)
        return replace(base, kind="wrong_source")

    def _suggestion(self, match: Match, base: Finding) -> Suggestion:
        days = base.days.facts[0] if base.days and match.in_force else match.span.window
        return self._law.suggestion(match.timeline.work, Portion(match.timeline.number), days)

    def _nearly(
        self, words: QuotedWords, context: QuotationContext, base: Finding, near: Match
    ) -> Finding | None:
        """Words with differences: a misquotation, or, without marks, perhaps a summary."""
        quotation = context.quotation
        if not quotation.marked and (
            quotation.attachment != "stated" or near.likeness < _NEARLY_UNMARKED
        ):
            return None
        return _misquoted(words, base, near)

    # Words without a day, a provision or a law

    def _compare_undated(
        self, words: QuotedWords, context: QuotationContext, base: Finding, timeline: Timeline
    ) -> Finding | None:
        """Without a day, only what is wrong on every day is wrong."""
        law = self._law
        spans = [span for span in timeline.spans if span.provision]
        having = [span for span in spans if has_words(law, words, span)]
        if having:
            assert context.cited is not None
            evidence = law.evidence(timeline, having[-1])
            always = always_said(law, timeline)
            if always is None and not (context.former or context.cited.ended_here):
                return replace(base, kind="not_checked", reason="no_date", quoted=evidence)
            return self._check_cited_part(words, having[-1], replace(base, governed=(evidence,)))
        if not spans:
            return replace(base, kind="not_checked", reason="not_covered")
        matches = find_matches(law, words, context)
        exact = [one for one in matches if one.exact]
        if recited := self._reciting_citation(context, exact):
            return self._found(words, recited, context, base)
        if exact:
            return self._wrong_source(base, timeline, exact[0])
        near = closest_match(law, words, timeline, spans, context.days)
        if near is not None and near.likeness >= NEARLY:
            return self._nearly(words, context, base, near)
        return self._unlike(words, context, base, timeline, matches)

    def _compare_with_unknown_law(
        self, words: QuotedWords, context: QuotationContext, base: Finding
    ) -> Finding | None:
        """Words of a law that the corpus does not have, or that does not exist."""
        assert context.cited is not None
        quotation = context.quotation
        exact = [one for one in find_matches(self._law, words, context) if one.exact]
        found = replace(base, kind="not_checked", reason=context.cited.problem or "source_unknown")
        if not exact:
            return found if quotation.marked and quotation.attachment == "stated" else None
        match = next((one for one in exact if one.in_force), exact[0])
        found = replace(found, quoted=self._law.evidence(match.timeline, match.span))
        if not context.cited.invented:
            return found
        suggestions = (self._suggestion(match, base),)
        return replace(found, kind="wrong_source", reason="", suggestions=suggestions)

    def _compare_with_law(
        self, words: QuotedWords, context: QuotationContext, base: Finding
    ) -> Finding | None:
        """Words said to be those of a law, without an article."""
        exact = [one for one in find_matches(self._law, words, context) if one.exact]
        own = [one for one in exact if one.timeline.work == base.work]
        if own:
            return self._found(words, own, context, base)
        stated = context.quotation.attachment == "stated"
        if stated and exact and len(words.whole) >= _SHORTEST_FREE:
            return self._wrong_source(base, exact[0].timeline, exact[0])
        return self._compare_uncited(words, context, base)

    def _compare_uncited(
        self, words: QuotedWords, context: QuotationContext, base: Finding
    ) -> Finding | None:
        """Words without a citation of their own: if a law has them, they are checked too."""
        nearby = self._compare_with_nearby(words, context, base)
        if nearby is not None:
            return nearby
        marked, letters = context.quotation.marked, len(words.whole)
        if letters < (_SHORTEST_FREE if marked else _SHORTEST_UNMARKED_FREE):
            return None
        matches = find_matches(self._law, words, context)
        exact = [one for one in matches if one.exact]
        if exact:
            return self._found(words, exact, context, base)
        near = next((one for one in matches if one.likeness >= _NEARLY_ELSEWHERE), None)
        if near is None or not marked or letters < _SHORTEST_UNMARKED_FREE:
            return None
        governed = near.in_force or (
            context.case is None and always_said(self._law, near.timeline) is not None
        )
        return self._misquoted_from(words, base, near, governed=governed)

    def _compare_with_nearby(
        self, words: QuotedWords, context: QuotationContext, base: Finding
    ) -> Finding | None:
        """Words that an article cited in the same paragraph has, or had.

        Words in quotation marks are also compared with those articles for small differences.
        """
        if len(words.whole) < _SHORTEST_NEARBY or context.case is None:
            return None
        law, days, marked = self._law, context.days, context.quotation.marked
        own: list[Match] = []
        near: list[Match] = []
        for article in context.nearby_articles():
            timeline = law.timeline(article.work, article.number)
            own += [
                Match(timeline, span, is_in_force(span, days), exact=True, likeness=1.0)
                for span in timeline.spans
                if has_words(law, words, span)
            ]
            closest = closest_match(law, words, timeline, timeline.spans, days) if marked else None
            if closest and closest.likeness >= _NEARLY_ELSEWHERE:
                near.append(closest)
        own.sort(key=lambda one: one.rank)
        elsewhere = [one for one in find_matches(law, words, context) if one.exact]
        if not own and near and not elsewhere and len(words.whole) >= SHORTEST_UNMARKED:
            best = min(near, key=lambda one: one.rank)
            return self._misquoted_from(words, base, best, governed=best.in_force)
        if not own or (
            not own[0].in_force and not marked and any(one.in_force for one in elsewhere)
        ):
            return None
        return self._found(words, own, context, base)

    def _misquoted_from(
        self, words: QuotedWords, base: Finding, match: Match, *, governed: bool
    ) -> Finding:
        """Words of a provision that is not cited, with differences."""
        evidence = self._law.evidence(match.timeline, match.span)
        base = replace(
            base,
            work=match.timeline.work,
            portion=Portion(match.timeline.number),
            governed=(evidence,) if governed else (),
            quoted=None if governed else evidence,
        )
        return _misquoted(words, base, match)

    def _found(
        self,
        words: QuotedWords,
        matches: Sequence[Match],
        context: QuotationContext,
        base: Finding,
    ) -> Finding | None:
        """Words that provisions have: right if one of them had them on the days."""
        law = self._law
        match = next((one for one in matches if one.in_force), matches[0])
        timeline = match.timeline
        base = replace(base, work=timeline.work, portion=Portion(timeline.number))
        evidence = law.evidence(timeline, match.span)
        if context.case is None:
            if always_said(law, timeline) is not None:
                return replace(base, governed=(evidence,))
            return replace(base, kind="not_checked", reason="no_date", quoted=evidence)
        governing = law.governing(timeline.work, timeline.number, context.case)
        governed = tuple(law.evidence(timeline, span) for span in governing.wordings)
        base = replace(base, governed=governed, rule=governing.rule)
        having = [span for span in governing.wordings if has_words(law, words, span)]
        if having and len(having) == len(governing.spans):
            return since_amended(law, timeline, governing, base)
        if match.in_force and not having:
            return replace(base, governed=(evidence,))
        base = replace(base, quoted=evidence)
        if having or governing.status == "undecided":
            return undecided(base, governing)
        if governing.status == "uncovered":
            return replace(base, kind="not_checked", reason="not_covered")
        start, days = match.span.window.start, context.days
        if days and may_reach_back(timeline.work, start, days, timeline.number):
            return replace(base, kind="not_checked", reason="cannot_decide")
        if self._is_own_sentence(words, context, timeline):
            return None
        return replace(base, kind="other_time")

    def _is_own_sentence(
        self, words: QuotedWords, context: QuotationContext, timeline: Timeline
    ) -> bool:
        """Whether unmarked words may be somebody's own sentence for a rule that was in force."""
        if context.cited or context.quotation.marked or context.alone:
            return False
        if any(one.work == timeline.work for one in context.nearby):
            return False
        near = (one for one in find_matches(self._law, words, context) if one.likeness >= NEARLY)
        return any(one.in_force for one in near)


def _misquoted(words: QuotedWords, base: Finding, match: Match) -> Finding:
    return replace(
        base, kind="misquoted", score=match.likeness, pieces=difference(words, match.span)
    )


def _is_same_provision(one: Timeline, other: Timeline) -> bool:
    return (one.work, one.number) == (other.work, other.number)
