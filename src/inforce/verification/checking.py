"""Whether what is cited was the law on the days concerned: laws, articles, paragraphs and items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import TypedDict

from inforce.dates import DateRange
from inforce.law.citation import Citation
from inforce.law.ids import Portion
from inforce.law.model import same_wording
from inforce.law.reference_days import PROCEDURE
from inforce.law.registry import branch_of
from inforce.law.timeline import Span, Timeline
from inforce.law.transition import PENALTIES_LAW
from inforce.verification.citations import Cited
from inforce.verification.days import DocumentDays
from inforce.verification.findings import CheckedDays, Finding, Reason
from inforce.verification.law import (
    Boundary,
    CheckedLaw,
    Governing,
    day_before,
    likeness,
    may_reach_back,
)
from inforce.verification.old_numbers import OldNumbers
from inforce.verification.places import as_meant
from inforce.verification.words import has_portion, words_of

_PORTION = re.compile(
    r"第[0-9０-９〇零一二三四五六七八九十百千]+条|(?<=[、，,和及与])第[一二三四五六七八九十]+[款项]"
)
"""The head of each article, paragraph or item in a row of them."""
_EFFECT_IN_TIME = "时间效力"
"""In the title of rules on which law governs: they are those of the day on which that is asked."""
_OF_YEAR = re.compile(r"((?:19|20)\d\d)年的?")
"""A year before a law, of which no version need be: 2014年的刑法."""
_SAME_WORDS = 0.8
"""Likeness from which a provision has the words of a paragraph that had another number."""
_SAME_RULE = 0.5
"""From this likeness on, a rule under another number is named as the same rule."""


class CitationCheck:
    """Checks the citations of one document.

    Args:
        law: the law they are checked against.
        days: the days of the document.
        old_numbers: finds articles cited by a number that their rule no longer has.
        said_not_yet: ends of citations of which the document says that they were not in force yet.
    """

    def __init__(
        self,
        law: CheckedLaw,
        days: DocumentDays,
        old_numbers: OldNumbers | None = None,
        said_not_yet: frozenset[int] = frozenset(),
    ) -> None:
        self._law = law
        self._days = days
        self._old_numbers = old_numbers
        self._said_not_yet = said_not_yet

    def findings(self, cited: Cited) -> Iterator[Finding]:
        """What is so of each article of a citation, or of the law where none is named."""
        base = self._base(cited)
        if cited.invented:
            yield replace(base, kind="no_such_law", names=cited.like)
            return
        if cited.problem:
            yield from self._unknown(cited, base)
            return
        if not cited.citation.portions:
            yield from self._law_alone(cited, base)
            return
        for portion, place in zip(
            cited.citation.portions, _places_of_portions(cited.citation), strict=True
        ):
            yield self._portion(cited, replace(base, portion=portion, **place))

    def _base(self, cited: Cited) -> Finding:
        one = cited.citation
        return Finding("right", "citation", one.start, one.end, one.text, work=cited.work)

    def days_of(self, cited: Cited) -> CheckedDays | None:
        """The days a citation is about; those of the version it names where there are no closer."""
        one = cited.citation
        found = self._days.at(
            one.start,
            one.end,
            procedural=_is_procedural(cited.work),
            step=branch_of(cited.work) in PROCEDURE or _EFFECT_IN_TIME in cited.work,
        )
        made = self._days.year_made(one.start, one.end) if cited.held else None
        window = self._law.edition(cited.work, made) if made else None
        if window is not None and (found is None or found.origin != "option"):
            return CheckedDays((window.day(window.start),), "version", None, (str(made),))
        loose = found is None or found.origin in ("document", "date_of_document")
        if one.version_hint and loose and cited.held:
            window = self._law.edition(cited.work, one.version_hint)
            if window is not None:
                first = window.day(window.start)
                return CheckedDays((first,), "version", None, (one.version_hint,))
        then = _OF_YEAR.fullmatch(one.version_hint or "")
        if then and (found is None or found.origin not in ("option", "sentence")):
            return CheckedDays((_year(then[1]),), "version", None, (then[0],))
        return found

    def _unknown(self, cited: Cited, base: Finding) -> Iterator[Finding]:
        """A law of which no text is held: its days of force may be known all the same."""
        days = self.days_of(cited)
        ended = self._law.life(cited.work, days.facts[0]) if days and cited.applied else None
        portions = cited.citation.portions or (None,)
        for portion in portions:
            one = replace(base, portion=portion, days=days)
            if ended is not None and days is not None and self._all_outside(cited.work, days):
                yield self._outside(cited, one, ended, days)
            elif portion or cited.applied or cited.problem in ("foreign_law", "treaty"):
                yield replace(one, kind="not_checked", reason=cited.problem, names=cited.like)

    def _outside(
        self, cited: Cited, base: Finding, boundary: Boundary, days: CheckedDays
    ) -> Finding:
        """A law that was not in force on the days, of which that may all the same be right."""
        if boundary.kind == "not_yet" and may_reach_back(cited.work, boundary.day, days):
            return replace(base, kind="not_checked", reason="cannot_decide")
        if boundary.kind == "no_longer" and cited.former:
            return replace(base, kind="not_checked", reason=cited.problem or "not_covered")
        return _not_in_force(base, boundary)

    def _all_outside(self, work: str, days: CheckedDays) -> bool:
        concerned = (*days.facts, days.trial) if days.trial else days.facts
        return all(self._law.life(work, one) is not None for one in concerned)

    def _law_alone(self, cited: Cited, base: Finding) -> Iterator[Finding]:
        """A law named without an article: only one that is applied has to be in force."""
        if not cited.applied:
            return
        days = self.days_of(cited)
        if days is None:
            yield replace(base, kind="not_checked", reason="no_date")
            return
        base = replace(base, days=days)
        ended = self._law.life(cited.work, days.facts[0])
        if ended is not None and self._all_outside(cited.work, days):
            yield self._outside(cited, base, ended, days)
            return
        spans = self._law.book.editions(cited.work)
        known = self._law.known(cited.work)
        sure = known is not None and known.commenced is not None
        if sure or all(any(one.overlaps(span.window) for span in spans) for one in days.facts):
            yield base
        else:
            yield replace(base, kind="not_checked", reason="not_covered")

    def _portion(self, cited: Cited, base: Finding) -> Finding:
        number = _portion(base).number
        timeline = self._law.timeline(cited.work, number)
        days = self.days_of(cited)
        if not any(span.provision for span in timeline.spans) and not _set_aside(timeline):
            return self._never_held(timeline, replace(base, days=days))
        portion = as_meant(_portion(base), cited, timeline, days)
        base = replace(base, days=days, portion=portion)
        texts = [span.provision.text for span in timeline.spans if span.provision]
        never = bool(texts) and not any(has_portion(one, portion) for one in texts)
        if never and (days is None or _is_known_throughout(timeline)):
            return self._unsupported(timeline, base)
        if days is None:
            return self._undated(cited, timeline, base)
        governing = self._law.governing(cited.work, number, self._days.case(days))
        found = self._judged(timeline, governing, base)
        if cited.former and found.is_wrong:
            return self._as_former(timeline, base)
        found = self._by_old_number(cited, timeline, governing, found)
        return self._against_named_version(cited, timeline, governing, found)

    def _by_old_number(
        self, cited: Cited, timeline: Timeline, governing: Governing, found: Finding
    ) -> Finding:
        """An article that stood then, cited for a rule that had its number before."""
        single = len(governing.wordings) == 1 and governing.standing == "in_force"
        if not (found.is_right and single and self._old_numbers) or cited.former:
            return found
        if cited.citation.version_hint:
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

    def _undated(self, cited: Cited, timeline: Timeline, base: Finding) -> Finding:
        """No day to check by: right is what the law has said ever since it commenced."""
        if cited.former or cited.ended_here:
            return self._as_former(timeline, base)
        always = always_said(self._law, timeline)
        if always is None:
            return replace(base, kind="not_checked", reason="no_date")
        return replace(base, governed=(self._law.evidence(timeline, always),))

    def _unsupported(self, timeline: Timeline, base: Finding) -> Finding:
        """A paragraph or item that is not there, with the whole article as it stood then."""
        found = replace(base, kind="unsupported_portion", reason="no_such_paragraph")
        if base.days is None:
            return found
        whole = self._law.suggestion(timeline.work, Portion(_portion(base).number), _first(base))
        return replace(found, suggestions=(whole,))

    def _as_former(self, timeline: Timeline, base: Finding) -> Finding:
        """A law that is named as a former one, by the last wording that has what is cited."""
        held = (span for span in reversed(timeline.spans) if span.provision)
        had = next((one for one in held if _has_portion(one, _portion(base))), None)
        if had is None:
            return replace(base, kind="not_checked", reason="not_covered")
        return replace(base, governed=(self._law.evidence(timeline, had),))

    def _never_held(self, timeline: Timeline, base: Finding) -> Finding:
        """A number that no version held has: the law never had it, or that cannot be known."""
        if any(span.state == "absent" and span.version for span in timeline.spans):
            return replace(base, kind="no_such_provision")
        return replace(base, kind="not_checked", reason="not_covered")

    def _judged(self, timeline: Timeline, governing: Governing, base: Finding) -> Finding:
        base = replace(base, rule=governing.rule)
        match governing.standing:
            case "uncovered":
                return replace(
                    base, kind="not_checked", reason="not_covered", details=governing.reasons
                )
            case "absent":
                return self._absent(timeline, base)
            case "undecided" if base.days and base.days.trial and _is_absent(governing):
                return self._absent(timeline, base)
            case "undecided" if len(governing.wordings) < len(governing.spans):
                return undecided(base, governing)
            case _:
                return self._in_force(timeline, governing, base)

    def _in_force(self, timeline: Timeline, governing: Governing, base: Finding) -> Finding:
        """The article stood then, under every wording that comes into question."""
        law, portion = self._law, _portion(base)
        governed = tuple(law.evidence(timeline, span) for span in governing.wordings)
        base = replace(base, governed=governed)
        having = [span for span in governing.wordings if _has_portion(span, portion)]
        if not having:
            moved = self._moved_with(timeline, governing, base)
            return moved or self._unsupported(timeline, base)
        if len(having) < len(governing.wordings):
            return undecided(base, governing)
        return since_amended(law, timeline, governing, base)

    def _moved_with(
        self, timeline: Timeline, governing: Governing, base: Finding
    ) -> Finding | None:
        """The number had that paragraph while it was another rule's: where that rule was then."""
        days, portion = _first(base), _portion(base)
        past = [one for one in timeline.spans if one.window.start < days.start]
        later = [one for one in timeline.spans if one.window.start >= days.start]
        for span in (*reversed(past), *later):
            if span.provision is None or not has_portion(span.provision.text, portion):
                continue
            text = span.provision.text
            if any(
                one.provision and likeness(text, one.provision.text) >= _SAME_RULE
                for one in governing.wordings
            ):
                continue
            said = words_of(text, portion)
            moved = self._law.holding(timeline.work, said, days.start) if said else None
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

    def _absent(self, timeline: Timeline, base: Finding) -> Finding:
        """The article did not stand then: not yet, no longer, or under another number."""
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
        if later and base.end in self._said_not_yet:
            return replace(base, reason="not_yet", since=boundary.day.isoformat())
        base = _not_in_force(base, boundary)
        whole_law = self._law.life(timeline.work, days)
        if whole_law is not None:
            instrument = whole_law.instrument or base.instrument
            base = replace(base, instrument=instrument, since=whole_law.day.isoformat())
        if boundary.nearest is None or boundary.nearest.provision is None:
            return base
        known_on = boundary.nearest.window.start
        if boundary.kind == "no_longer":
            known_on = day_before(boundary.day)
        moved = self._law.moved(timeline.work, timeline.number, known_on, days.start)
        if moved is None:
            return base
        suggestion = self._law.suggestion(moved.work, Portion(moved.number), days)
        base = replace(base, suggestions=(suggestion,), score=moved.score)
        same_law = moved.work == timeline.work and moved.score >= _SAME_RULE
        return replace(base, kind="renumbered") if same_law and not whole_law else base

    def _against_named_version(
        self, cited: Cited, timeline: Timeline, governing: Governing, found: Finding
    ) -> Finding:
        """A document that names a version (2011年修正) is wrong if another one governed."""
        hint = cited.citation.version_hint
        if not hint or not found.is_right or not governing.wordings:
            return found
        named = self._law.edition(cited.work, hint)
        if named is None or any(span.window.overlaps(named) for span in governing.wordings):
            return found
        then = timeline.versions_in(named).found
        if not then or governing.standing == "undecided":
            return found
        return replace(
            found, kind="other_time", quoted=self._law.evidence(timeline, then[0]), today=None
        )


class _Stretch(TypedDict):
    start: int
    end: int
    text: str


def _places_of_portions(citation: Citation) -> Sequence[_Stretch]:
    """Where each of the articles cited in a row is; the whole citation where that is not plain."""
    whole = _Stretch(start=citation.start, end=citation.end, text=citation.text)
    heads = [match.start() for match in _PORTION.finditer(citation.text)]
    if len(heads) != len(citation.portions) or len(heads) < 2:
        return [whole] * len(citation.portions)
    edges = [0, *heads[1:], len(citation.text)]
    found: list[_Stretch] = []
    for start, end in pairwise(edges):
        text = citation.text[start:end].rstrip("、，,和及与以或至到 ")
        first = citation.start + start
        found.append(_Stretch(start=first, end=first + len(text), text=text))
    return found


def since_amended(
    law: CheckedLaw, timeline: Timeline, governing: Governing, base: Finding
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
        life = law.life(timeline.work, found.as_of)
        if life is not None:
            instrument = life.instrument
        since = then.window.end.isoformat()
        return replace(base, kind="amended_since", since=since, instrument=instrument)
    return base


def _is_absent(governing: Governing) -> bool:
    """Whether an article stood on no day from the facts to the trial."""
    return all(span.state == "absent" for span in governing.spans)


def always_said(law: CheckedLaw, timeline: Timeline) -> Span | None:
    """The wording of a provision in force today that never had another; ``None`` if there is none.

    What it says is right on every day since the law commenced.
    """
    spans = [span for span in timeline.spans if span.provision]
    today = timeline.version_at(law.today).found
    if not today or not spans or not _is_known_throughout(timeline):
        return None
    texts = [span.provision.text for span in spans if span.provision]
    return today[0] if all(same_wording(texts[-1], one) for one in texts) else None


def _is_known_throughout(timeline: Timeline) -> bool:
    """Whether the provision is held for every day since it first was in force."""
    begun = False
    for span in timeline.spans:
        begun = begun or span.provision is not None
        if (begun and span.state == "uncovered") or span.law_since is not None:
            return False
    return begun


def _year(written: str) -> DateRange:
    return DateRange(date(int(written), 1, 1), date(int(written) + 1, 1, 1))


def _has_portion(span: Span, portion: Portion) -> bool:
    return span.provision is not None and has_portion(span.provision.text, portion)


def _is_procedural(work: str) -> bool:
    procedure = branch_of(work) in PROCEDURE or "诉讼法" in work
    return procedure or work == PENALTIES_LAW


def _first(finding: Finding) -> DateRange:
    assert finding.days is not None
    return finding.days.facts[0]


def _portion(finding: Finding) -> Portion:
    assert finding.portion is not None
    return finding.portion


def _set_aside(timeline: Timeline) -> bool:
    return any(one.claim.provision for one in timeline.set_aside)


def _not_in_force(base: Finding, boundary: Boundary) -> Finding:
    return replace(
        base,
        kind="not_in_force",
        reason=boundary.kind,
        since=boundary.day.isoformat(),
        instrument=boundary.instrument,
    )


def undecided(base: Finding, governing: Governing) -> Finding:
    """The law of the days cannot be said: a change within them, or a rule that does not decide."""
    reason: Reason = "changed_within_days" if governing.changed_within else "cannot_decide"
    return replace(base, kind="not_checked", reason=reason, details=governing.reasons)
