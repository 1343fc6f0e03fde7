"""Provisions as statute tools answer with them, and why there is none.

The four answers of `inforce.law.timeline.Lookup` reach the model as such: ``found``, ``not in force
then``, ``not found`` and ``not covered`` are four different sentences, and none of them is an
empty result.

Where the question of a run names dates, each wording is shown with a note on whether it applies to
the case, and the wording that does is shown where the search found another. The decision is that of
the extractive answer (`inforce.answering.governing_law`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from inforce.answering.governing_law import governing_law
from inforce.dates import CaseDates, DateRange, read_case_dates
from inforce.errors import DateError
from inforce.language.messages import messages
from inforce.law import rules
from inforce.law.applicability import Applicability
from inforce.law.caveats import days_of
from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.amounts import CaseFacts, read_facts
from inforce.law.timeline import Lookup, Span, Timeline
from inforce.lawbook import LawBook, provision_id
from inforce.retrieval.provisions import ProvisionText
from inforce.retrieval.sources.source import SourceHit
from inforce.retrieval.sources.statutes import provision_document
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.statute_text import Wording, show_days
from inforce.tools.tool import Language, ToolStatus

_STATES: dict[Language, dict[ToolStatus, str]] = {
    "zh": {
        "found": "有",
        "not_in_force": "当时无效：这一条当时没有施行或已经失效",
        "not_found": "没有：本库收录的这部法律各版本都没有这一条",
        "not_covered": "本库未收录：不能据此判断当时有没有这一条",
        "invalid": "未能检索",
    },
    "en": {
        "found": "found",
        "not_in_force": "not in force then",
        "not_found": "not found: no version held of this law has such an article",
        "not_covered": "not covered: this library cannot know whether there was one",
        "invalid": "nothing was looked up",
    },
}

_AFTER: dict[Language, dict[str, str]] = {
    "zh": {
        "now": "截至 {today} 未修改",
        "known": "就截至 {as_of} 所知未修改，其后至 {today} 的情况本库不知",
        "held": "，更早的文本未收录",
        "amended": "自 {day} 起已修改{by}",
        "absent": "自 {day} 起不再有效",
        "uncovered": "{day} 之后的情况本库未收录",
        "presumed": "（起止日期系推定）",
    },
    "en": {
        "now": "unchanged as of {today}",
        "known": "unchanged as far as known on {as_of}; what came until {today} is not known here",
        "held": ", earlier texts are not held",
        "amended": "amended from {day}{by}",
        "absent": "no longer in force from {day}",
        "uncovered": "what follows {day} is not covered here",
        "presumed": " (dates presumed)",
    },
}

_APPLIES: dict[Language, dict[str, str]] = {
    "zh": {
        "governs": "本案适用这一文本（{source}）",
        "untried": "本案适用这一文本（{source}），未给出审判日期，没有比较此后处刑较轻的新法",
        "other": "本案不适用这一文本，应适用 {days} 的文本（{source}）",
        "none": "本案不适用这一条（{source}）",
        "open": "本案适用哪一文本不能确定（{source}）；需查明：{establish}",
        "why": "：{reasons}",
        "facts": "哪一日期起决定作用",
    },
    "en": {
        "governs": "this wording governs the case ({source})",
        "untried": "this wording governs the case ({source}); without a day of trial no more "
        "lenient later law was looked for",
        "other": "this wording does not govern the case; the one in force {days} does ({source})",
        "none": "this provision does not govern the case ({source})",
        "open": "which wording governs the case is open ({source}); to establish: {establish}",
        "why": ": {reasons}",
        "facts": "which date counts",
    },
}


@dataclass(frozen=True, slots=True)
class ShownWording:
    """A wording as a tool shows it, with its days in force."""

    wording: Wording
    days: str
    """The days in force, with how certain they are."""

    @property
    def evidence(self) -> Evidence:
        """The wording as evidence."""
        wording = self.wording
        return Evidence(
            wording.id,
            "statute",
            f"{wording.law} {wording.article}",
            wording.text,
            date=f"in force {self.days}",
            status="; ".join(filter(None, (wording.afterwards, wording.applies))),
            origin="statutes",
        )


def shown_wordings(
    timeline: Timeline,
    spans: Iterable[Span],
    *,
    today: date,
    language: Language,
    decision: Applicability | None = None,
) -> list[ShownWording]:
    """Spans in force as tools show them, and those that apply to the case where others do."""
    found = list(spans)
    applicable = decision.wordings if found and decision else ()
    shown: list[ShownWording] = []
    for span in dict.fromkeys((*found, *applicable)):
        assert span.provision is not None
        version = span.version
        label = " · ".join(filter(None, (version.label, version.instrument))) if version else ""
        wording = Wording(
            timeline.work,
            timeline.number.chinese,
            span.window,
            span.provision.text,
            provision_id(timeline, span),
            version.source.name if version else "",
            label,
            _afterwards(timeline, span, today, language),
            applicability_note(decision, span, language) if decision else "",
        )
        days = days_of(span.window, span.begins, None, span.date_status)
        shown.append(ShownWording(wording, days))
    return shown


def absence(lookup: Lookup, language: Language) -> str:
    """Why there is nothing to quote, and what a model may do about it."""
    is_chinese = language == "zh"
    words = _STATES[language][lookup.answer]
    lines = [f"{words}（{lookup.answer}）" if is_chinese else f"{words} ({lookup.answer})"]
    if lookup.reason:
        lines.append(f"原因：{lookup.reason}" if is_chinese else f"because {lookup.reason}")
    for claim in lookup.candidates:
        name = f"{claim.version.label} · {claim.version.source.name}"
        lines.append(
            f"本库另有日期不明的文本，不能引用为当时的法律：{name}"
            if is_chinese
            else f"a text whose dates are not known is held; it may not be quoted: {name}"
        )
    return "\n".join(lines)


def heading(lookup: Lookup, language: Language) -> str:
    """The law, article and days of a look-up."""
    days = show_days(lookup.as_of, language)
    return f"《{lookup.work}》{lookup.number.chinese} · {days}"


def _afterwards(timeline: Timeline, span: Span, today: date, language: Language) -> str:
    """Later changes of a wording, in a sentence."""
    words = _AFTER[language]
    doubt = words["presumed"] if span.date_status == "presumed" else ""
    if span.begins == "held":
        doubt += words["held"]
    day = span.window.end
    if day is None and span.as_of is not None and span.as_of < today:
        return words["known"].format(as_of=span.as_of, today=today) + doubt
    if day is None or day > today:
        return words["now"].format(today=today) + doubt
    following = next((one for one in timeline.spans if one.window.start == day), None)
    if following is None or following.state == "uncovered":
        return words["uncovered"].format(day=day) + doubt
    if following.state == "absent":
        return words["absent"].format(day=day) + doubt
    by = (following.version.instrument if following.version else "") or ""
    if by:
        by = f"（{by}）" if language == "zh" else f" ({by})"
    return words["amended"].format(day=day, by=by) + doubt


def applicable_wording(
    book: LawBook, timeline: Timeline, context: RunContext
) -> Applicability | None:
    """Decide which wording applies to the case of a run's question; ``None`` without any date."""
    dates, facts = _case(context.question, context.today, context.as_of, context.trial)
    if dates is None or dates.origin == "today":
        return None
    return governing_law(book, timeline, dates, facts)


@lru_cache(maxsize=64)
def _case(
    question: str, today: date, as_of: DateRange | None, trial: date | None
) -> tuple[CaseDates | None, CaseFacts]:
    """The dates and the facts of a question; no dates where those given contradict each other."""
    trial_day = DateRange.day(trial) if trial else None
    try:
        dates = read_case_dates(question, clock=lambda: today, as_of=as_of, trial=trial_day)
    except DateError:
        dates = None
    return dates, read_facts(question)


def applicability_note(decision: Applicability, span: Span, language: Language) -> str:
    """Say whether a wording applies to the case, and by which rule, in one line."""
    texts, translated = _APPLIES[language], messages(language)
    source = translated.sentence(decision.rule.source)
    join = translated.text("; ").join
    reasons = join(map(translated.sentence, (*decision.reasons, *decision.steps)))
    why = texts["why"].format(reasons=reasons) if reasons else ""
    if decision.verdict == "cannot_decide":
        establish = join(map(translated.sentence, decision.establish)) or texts["facts"]
        return texts["open"].format(source=source, establish=establish) + why
    if decision.span is None or decision.span.state != "in_force":
        return texts["none"].format(source=source) + why
    if decision.span.window == span.window:
        untried = rules.CRIMINAL_LIGHTER in decision.caveats
        return texts["untried" if untried else "governs"].format(source=source) + why
    days = show_days(decision.span.window, language)
    return texts["other"].format(days=days, source=source)


def says_not_applicable(note: str) -> bool:
    """Whether `applicability_note` said that another wording applies, or none of the provision."""
    return any(
        note.startswith(texts[name].partition("{")[0].rstrip("（( "))
        for texts in _APPLIES.values()
        for name in ("other", "none")
    )


def judged_hits(
    book: LawBook, hits: Iterable[SourceHit], context: RunContext, language: Language
) -> Iterator[SourceHit]:
    """Statutes a source found, with their notes, and the wordings that apply instead."""
    for hit in hits:
        work, number = hit.document.details["work"], hit.document.details["number"]
        timeline = book.corpus.timeline(work, ProvisionNumber.parse(number))
        decision = applicable_wording(book, timeline, context)
        if decision is None or hit.document.valid is None:
            yield hit
            continue
        found = timeline.version_at(hit.document.valid.start).found
        for span in dict.fromkeys((*found, *decision.wordings)):
            assert span.provision is not None
            version, document = span.version, hit.document
            wording = ProvisionText(
                timeline.work,
                timeline.number,
                span.provision.text,
                path=document.section,
                window=span.window,
                date_status=span.date_status,
                label=version.label if version else "",
                instrument=(version.instrument if version else "") or "",
            )
            shown = provision_document(wording, today=context.today)
            details = dict(shown.details)
            if known_as := document.details.get("known as"):
                details["known as"] = known_as
            details["applies"] = applicability_note(decision, span, language)
            yield replace(hit, document=replace(shown, details=details))
