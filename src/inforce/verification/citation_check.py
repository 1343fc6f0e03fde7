"""The check of citations: whether laws, articles, paragraphs and items were in force then."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from inforce.dates import DateRange
from inforce.law.alignment import similarity
from inforce.law.citation import Citation
from inforce.law.ids import Portion
from inforce.law.model import same_wording
from inforce.law.registry import branch_of, find_work
from inforce.law.rules import PENALTIES_LAW, PROCEDURE
from inforce.law.timeline import Span, Timeline
from inforce.verification.citations import ResolvedCitation
from inforce.verification.document_dates import DocumentDates
from inforce.verification.findings import CheckedDays, Finding, Reason
from inforce.verification.law_lookup import Boundary, Governing, LawLookup, may_reach_back
from inforce.verification.matching import has_portion, resolve_english_portion, text_of_portion
from inforce.verification.old_numbers import OldNumbers

_PORTION = re.compile(
    r"第[0-9０-９〇零一二三四五六七八九十百千]+条|(?<=[、，,和及与])第[一二三四五六七八九十]+[款项]"
)
"""The head of each article, paragraph or item in a row of them."""
_EFFECT_IN_TIME = "时间效力"
"""In the title of rules on which law governs: the rules of the day of the trial apply."""
_OF_YEAR = re.compile(r"((?:19|20)\d\d)年的?")
"""A year before a law, in which no version need begin: 2014年的刑法."""
_SAME_WORDS = 0.8
"""Likeness from which a provision has the words of a paragraph that had another number."""
_SAME_RULE = 0.5
"""From this likeness on, a rule under another number is named as the same rule."""


class CitationCheck:
    """Checks the citations of one document."""

    def __init__(self, law: LawLookup, dates: DocumentDates, old_numbers: OldNumbers) -> None:
        self._law = law
        self._dates = dates
        self._old_numbers = old_numbers

    def findings(self, cited: ResolvedCitation) -> Iterator[Finding]:
        """A finding for each article of a citation, or for the law where it names none."""
        citation = cited.citation
        base = Finding(
            "right", "citation", citation.start, citation.end, citation.text, work=cited.work
        )
        if cited.invented:
            yield replace(base, kind="no_such_law", names=cited.similar_titles)
        elif cited.problem:
            yield from self._check_unresolved(cited, base)
        elif not citation.portions:
            yield from self._check_law(cited, base)
        else:
            for one in _split_by_portion(citation, base):
                yield self._check_portion(cited, one)

    def days_of(self, cited: ResolvedCitation) -> CheckedDays | None:
        """The days a citation is about; those of the version it names where there are no closer."""
        one = cited.citation
        found = self._dates.at(
            one.start,
            one.end,
            procedural=branch_of(cited.work) in PROCEDURE
            or "诉讼法" in cited.work
            or cited.work == PENALTIES_LAW,
            step=branch_of(cited.work) in PROCEDURE or _EFFECT_IN_TIME in cited.work,
        )
        made = self._dates.year_of_version(one.start, one.end) if cited.held else None
        window = self._law.edition(cited.work, made) if made else None
        if window is not None and (found is None or found.origin != "option"):
            return CheckedDays((window.day(window.start),), "version", None, (str(made),))
        loose = found is None or found.origin in ("document", "date_of_document")
        if one.version_hint and loose and cited.held:
            window = self._law.edition(cited.work, one.version_hint)
            if window is not None:
                first = window.day(window.start)
                return CheckedDays((first,), "version", None, (one.version_hint,))
        named = _OF_YEAR.fullmatch(one.version_hint or "")
        if named and (found is None or found.origin not in ("option", "sentence")):
            year = int(named[1])
            days = DateRange(date(year, 1, 1), date(year + 1, 1, 1))
            return CheckedDays((days,), "version", None, (named[0],))
        return found

    def _check_unresolved(self, cited: ResolvedCitation, base: Finding) -> Iterator[Finding]:
        """A law that the corpus does not have: its days in force may be known all the same."""
        days = self.days_of(cited)
        boundary = self._boundary_of_law(cited.work, days) if days and cited.applied else None
        for portion in cited.citation.portions or (None,):
            one = replace(base, portion=portion, days=days)
            if days is not None and boundary is not None:
                yield self._law_not_in_force(cited, one, boundary, days)
            elif portion or cited.applied or cited.problem in ("foreign_law", "treaty"):
                yield replace(
                    one, kind="not_checked", reason=cited.problem, names=cited.similar_titles
                )

    def _boundary_of_law(self, work: str, days: CheckedDays) -> Boundary | None:
        """What keeps a law from being in force on all the days; ``None`` if it may have been."""
        concerned = (*days.facts, days.trial) if days.trial else days.facts
        boundaries = [self._law.boundary_of_law(work, one) for one in concerned]
        return boundaries[0] if all(boundaries) else None

    def _law_not_in_force(
        self, cited: ResolvedCitation, base: Finding, boundary: Boundary, days: CheckedDays
    ) -> Finding:
        """A law that was not in force on the days, unless the citation may still be right."""
        if boundary.kind == "not_yet" and may_reach_back(cited.work, boundary.day, days):
            return replace(base, kind="not_checked", reason="cannot_decide")
        if boundary.kind == "no_longer" and cited.former:
            return replace(base, kind="not_checked", reason=cited.problem or "not_covered")
        return _not_in_force(base, boundary)

    def _check_law(self, cited: ResolvedCitation, base: Finding) -> Iterator[Finding]:
        """A law named without an article: only one that is applied has to be in force."""
        if not cited.applied:
            return
        days = self.days_of(cited)
        if days is None:
            yield replace(base, kind="not_checked", reason="no_date")
            return
        base = replace(base, days=days)
        if boundary := self._boundary_of_law(cited.work, days):
            yield self._law_not_in_force(cited, base, boundary, days)
            return
        spans = self._law.book.editions(cited.work)
        known = find_work(cited.work)
        sure = known is not None and known.commenced is not None
        if sure or all(any(one.overlaps(span.window) for span in spans) for one in days.facts):
            yield base
        else:
            yield replace(base, kind="not_checked", reason="not_covered")

    def _check_portion(self, cited: ResolvedCitation, base: Finding) -> Finding:
        number = _portion(base).number
        timeline = self._law.timeline(cited.work, number)
        days = self.days_of(cited)
        base = replace(base, days=days)
        texts = [span.provision.text for span in timeline.spans if span.provision]
        if not texts and not any(one.claim.provision for one in timeline.set_aside):
            # The law never had this number, or that cannot be known.
            if any(span.state == "absent" and span.version for span in timeline.spans):
                return replace(base, kind="no_such_provision")
            return replace(base, kind="not_checked", reason="not_covered")
        portion = resolve_english_portion(_portion(base), cited, timeline, days)
        base = replace(base, portion=portion)
        never = bool(texts) and not any(has_portion(one, portion) for one in texts)
        if never and (days is None or _is_covered_throughout(timeline)):
            return self._no_such_portion(timeline, base)
        if days is None:
            return self._undated(cited, timeline, base)
        governing = self._law.governing(cited.work, number, self._dates.case(days))
        found = self._check_status(cited, timeline, governing, base)
        if cited.former and found.is_wrong:
            return self._as_former(timeline, base)
        found = self._check_old_number(cited, timeline, governing, found)
        return self._check_named_version(cited, timeline, governing, found)

    def _check_old_number(
        self, cited: ResolvedCitation, timeline: Timeline, governing: Governing, found: Finding
    ) -> Finding:
        """An article that was in force, cited for a rule that had its number before."""
        single = len(governing.wordings) == 1 and governing.status == "in_force"
        if not (found.is_right and single) or cited.former or cited.citation.version_hint:
            return found
        days = _first(found)
        meant = self._old_numbers.find(cited, timeline, governing.wordings[0], days)
        if meant is None:
            return found
        suggestion = self._law.suggestion(timeline.work, Portion(meant.number), days)
        return replace(
            found,
            kind="renumbered",
            score=meant.score,
            suggestions=(suggestion,),
            quoted=self._law.evidence(timeline, meant.span),
            today=None,
            since="",
            instrument="",
        )

    def _undated(self, cited: ResolvedCitation, timeline: Timeline, base: Finding) -> Finding:
        """Without a day, only what the law has said ever since it commenced is right."""
        if cited.former or cited.ended_here:
            return self._as_former(timeline, base)
        always = always_said(self._law, timeline)
        if always is None:
            return replace(base, kind="not_checked", reason="no_date")
        return replace(base, governed=(self._law.evidence(timeline, always),))

    def _no_such_portion(self, timeline: Timeline, base: Finding) -> Finding:
        """A paragraph or item that is not there, with the whole article of the day."""
        found = replace(base, kind="unsupported_portion", reason="no_such_paragraph")
        if base.days is None:
            return found
        whole = self._law.suggestion(timeline.work, Portion(_portion(base).number), _first(base))
        return replace(found, suggestions=(whole,))

    def _as_former(self, timeline: Timeline, base: Finding) -> Finding:
        """A law that is named as a former one, by the last wording that has what is cited."""
        for span in reversed(timeline.spans):
            if _has_portion(span, _portion(base)):
                return replace(base, governed=(self._law.evidence(timeline, span),))
        return replace(base, kind="not_checked", reason="not_covered")

    def _check_status(
        self, cited: ResolvedCitation, timeline: Timeline, governing: Governing, base: Finding
    ) -> Finding:
        """Whether the article was in force on the days."""
        base = replace(base, rule=governing.rule)
        if governing.status == "uncovered":
            return replace(
                base, kind="not_checked", reason="not_covered", details=governing.reasons
            )
        absent_until_trial = (
            governing.status == "undecided"
            and base.days is not None
            and base.days.trial is not None
            and all(span.state == "absent" for span in governing.spans)
        )
        if governing.status == "absent" or absent_until_trial:
            return self._absent(cited, timeline, base)
        if governing.status == "undecided" and len(governing.wordings) < len(governing.spans):
            return undecided(base, governing)
        return self._in_force(timeline, governing, base)

    def _in_force(self, timeline: Timeline, governing: Governing, base: Finding) -> Finding:
        """The article was in force, under every wording that comes into question."""
        law, portion = self._law, _portion(base)
        governed = tuple(law.evidence(timeline, span) for span in governing.wordings)
        base = replace(base, governed=governed)
        having = [span for span in governing.wordings if _has_portion(span, portion)]
        if not having:
            moved = self._moved_with_portion(timeline, governing, base)
            return moved or self._no_such_portion(timeline, base)
        if len(having) < len(governing.wordings):
            return undecided(base, governing)
        return since_amended(law, timeline, governing, base)

    def _moved_with_portion(
        self, timeline: Timeline, governing: Governing, base: Finding
    ) -> Finding | None:
        """The number of a rule with that paragraph at another time: its number on the days."""
        days, portion = _first(base), _portion(base)
        past = [one for one in timeline.spans if one.window.start < days.start]
        later = [one for one in timeline.spans if one.window.start >= days.start]
        for span in (*reversed(past), *later):
            if span.provision is None or not has_portion(span.provision.text, portion):
                continue
            text = span.provision.text
            if any(
                one.provision and similarity(text, one.provision.text) >= _SAME_RULE
                for one in governing.wordings
            ):
                continue
            words = text_of_portion(text, portion)
            moved = self._law.provision_with(timeline.work, words, days.start) if words else None
            if moved is not None and moved.score >= _SAME_WORDS:
                suggestion = self._law.suggestion(moved.work, Portion(moved.number), days)
                return replace(
                    base,
                    kind="renumbered",
                    score=moved.score,
                    suggestions=(suggestion,),
                    quoted=self._law.evidence(timeline, span),
                )
        return None

    def _absent(self, cited: ResolvedCitation, timeline: Timeline, base: Finding) -> Finding:
        """The article was not in force: not yet, no longer, or under another number."""
        days = _first(base)
        boundary = self._law.boundary(timeline, days)
        if boundary is None:
            return replace(base, kind="no_such_provision")
        later = boundary.kind == "not_yet" and base.days is not None
        if (
            later
            and base.days
            and may_reach_back(timeline.work, boundary.day, base.days, timeline.number)
        ):
            return replace(base, kind="not_checked", reason="cannot_decide")
        if later and cited.not_yet and base.end == cited.citation.end:
            return replace(base, reason="not_yet", since=boundary.day.isoformat())
        base = _not_in_force(base, boundary)
        whole_law = self._law.boundary_of_law(timeline.work, days)
        if whole_law is not None:
            instrument = whole_law.instrument or base.instrument
            base = replace(base, instrument=instrument, since=whole_law.day.isoformat())
        if boundary.nearest is None or boundary.nearest.provision is None:
            return base
        known_on = boundary.nearest.window.start
        if boundary.kind == "no_longer":
            known_on = boundary.day - timedelta(days=1)
        moved = self._law.moved(timeline.work, timeline.number, known_on, days.start)
        if moved is None:
            return base
        suggestion = self._law.suggestion(moved.work, Portion(moved.number), days)
        score = None if moved.is_recorded else moved.score
        base = replace(base, suggestions=(suggestion,), score=score)
        same_law = moved.work == timeline.work and moved.score >= _SAME_RULE
        return replace(base, kind="renumbered") if same_law and not whole_law else base

    def _check_named_version(
        self, cited: ResolvedCitation, timeline: Timeline, governing: Governing, found: Finding
    ) -> Finding:
        """A citation that names a version (2011年修正) is wrong if another one governed."""
        hint = cited.citation.version_hint
        if not hint or not found.is_right or not governing.wordings:
            return found
        named = self._law.edition(cited.work, hint)
        if named is None or any(span.window.overlaps(named) for span in governing.wordings):
            return found
        then = timeline.versions_in(named).found
        if not then or governing.status == "undecided":
            return found
        return replace(
            found, kind="other_time", quoted=self._law.evidence(timeline, then[0]), today=None
        )


def _split_by_portion(citation: Citation, base: Finding) -> Sequence[Finding]:
    """The finding for each portion cited, at its own place where the places can be told apart."""
    heads = [match.start() for match in _PORTION.finditer(citation.text)]
    if len(heads) != len(citation.portions) or len(heads) < 2:
        return [replace(base, portion=one) for one in citation.portions]
    edges = [0, *heads[1:], len(citation.text)]
    found: list[Finding] = []
    for portion, (start, end) in zip(citation.portions, pairwise(edges), strict=True):
        text = citation.text[start:end].rstrip("、，,和及与以或至到 ")
        first = citation.start + start
        found.append(replace(base, portion=portion, start=first, end=first + len(text), text=text))
    return found


def since_amended(
    law: LawLookup, timeline: Timeline, governing: Governing, base: Finding
) -> Finding:
    """A right finding, with a note where the law reads differently today."""
    found = timeline.version_at(law.today)
    then = governing.wordings[-1]
    now = found.found[0] if found.found else None
    assert then.provision is not None
    if now is not None and now.provision is not None:
        if same_wording(then.provision.text, now.provision.text):
            return base
        evidence = law.evidence(timeline, now)
        instrument = evidence.instrument
        since = now.window.start.isoformat()
        return replace(
            base, kind="amended_since", today=evidence, since=since, instrument=instrument
        )
    if found.answer == "not_in_force" and then.window.end is not None:
        by = next((one for one in timeline.spans if one.window.start == then.window.end), None)
        instrument = by.version.instrument if by and by.version else ""
        boundary = law.boundary_of_law(timeline.work, found.as_of)
        if boundary is not None:
            instrument = boundary.instrument
        since = then.window.end.isoformat()
        return replace(base, kind="amended_since", since=since, instrument=instrument)
    return base


def always_said(law: LawLookup, timeline: Timeline) -> Span | None:
    """The wording of a provision in force today that never had another; ``None`` if there is none.

    What it says is right on every day since the law commenced.
    """
    spans = [span for span in timeline.spans if span.provision]
    today = timeline.version_at(law.today).found
    if not today or not spans or not _is_covered_throughout(timeline):
        return None
    texts = [span.provision.text for span in spans if span.provision]
    return today[0] if all(same_wording(texts[-1], one) for one in texts) else None


def _is_covered_throughout(timeline: Timeline) -> bool:
    """Whether the corpus covers every day since the provision first was in force."""
    begun = False
    for span in timeline.spans:
        begun = begun or span.provision is not None
        if (begun and span.state == "uncovered") or span.law_since is not None:
            return False
    return begun


def _has_portion(span: Span, portion: Portion) -> bool:
    return span.provision is not None and has_portion(span.provision.text, portion)


def _first(finding: Finding) -> DateRange:
    assert finding.days is not None
    return finding.days.facts[0]


def _portion(finding: Finding) -> Portion:
    assert finding.portion is not None
    return finding.portion


def _not_in_force(base: Finding, boundary: Boundary) -> Finding:
    return replace(
        base,
        kind="not_in_force",
        reason=boundary.kind,
        since=boundary.day.isoformat(),
        instrument=boundary.instrument,
    )


def undecided(base: Finding, governing: Governing) -> Finding:
    """Not checked: the law changed within the days, or no rule decides which version governs."""
    reason: Reason = "changed_within_days" if governing.changed_within else "cannot_decide"
    return replace(base, kind="not_checked", reason=reason, details=governing.reasons)
