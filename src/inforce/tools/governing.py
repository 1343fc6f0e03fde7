"""What the dates of a run's question make of the wordings its tools find.

A tool that shows a provision says beside each wording whether it governs the case the question
tells, and shows the wording that does where the search found another. The decision is that of the
extractive answer (`inforce.answering.applicable`). Questions without dates are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache

from inforce.answering.applicable import applicability
from inforce.dates import CaseDates, DateRange, read_case_dates
from inforce.errors import DateError
from inforce.language.messages import messages
from inforce.law import transition
from inforce.law.applicability import Applicability
from inforce.law.fitting import CaseFacts, read_facts
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook
from inforce.retrieval.documents import ProvisionText
from inforce.retrieval.sources.source import SourceHit
from inforce.retrieval.sources.statutes import provision_document
from inforce.tools.context import RunContext
from inforce.tools.statute_text import show_days
from inforce.tools.tool import Language

_SAID: dict[Language, dict[str, str]] = {
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


def ruled(book: LawBook | None, timeline: Timeline, context: RunContext) -> Applicability | None:
    """Which wording governs the case of a run's question; ``None`` where it names no date.

    ``None`` too without a book: then nothing is to be decided.
    """
    if book is None:
        return None
    dates, about = _case(context.question, context.today, context.as_of, context.trial)
    if dates is None or dates.origin == "today":
        return None
    return applicability(book, timeline, dates, about)


def applies(decision: Applicability, span: Span, language: Language) -> str:
    """Whether a wording governs, and by which rule, in one line."""
    words, source = _SAID[language], messages(language).sentence(decision.rule.source)
    if decision.verdict == "cannot_decide":
        establish = _listed(decision.establish, language) or words["facts"]
        return words["open"].format(source=source, establish=establish) + _why(decision, language)
    if decision.span is None or decision.span.state != "in_force":
        return words["none"].format(source=source) + _why(decision, language)
    if decision.span.window == span.window:
        untried = transition.CRIMINAL_LIGHTER in decision.caveats
        governs = words["untried" if untried else "governs"].format(source=source)
        return governs + _why(decision, language)
    days = show_days(decision.span.window, language)
    return words["other"].format(days=days, source=source)


def judged_hits(
    book: LawBook, hits: Iterable[SourceHit], context: RunContext, language: Language
) -> Iterator[SourceHit]:
    """Statutes found, each with what was decided of it, and the wordings that govern instead."""
    for hit in hits:
        work, number = hit.document.details["work"], hit.document.details["number"]
        timeline = book.corpus.timeline(work, ProvisionNumber.parse(number))
        decision = ruled(book, timeline, context)
        if decision is None or hit.document.valid is None:
            yield hit
            continue
        found = timeline.version_at(hit.document.valid.start).found
        for span in dict.fromkeys((*found, *decision.wordings)):
            said = applies(decision, span, language)
            yield _with_wording(hit, timeline, span, said, context.today)


def _with_wording(
    hit: SourceHit, timeline: Timeline, span: Span, said: str, today: date
) -> SourceHit:
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
    shown = provision_document(wording, today=today)
    known = {"known as": document.details.get("known as", ""), "applies": said}
    details = {**shown.details, **{name: value for name, value in known.items() if value}}
    return replace(hit, document=replace(shown, details=details))


def does_not_govern(said: str) -> bool:
    """Whether `applies` said of a wording that another governs, or none of its provision."""
    return any(
        said.startswith(words[name].partition("{")[0].rstrip("（( "))
        for words in _SAID.values()
        for name in ("other", "none")
    )


def _why(decision: Applicability, language: Language) -> str:
    reasons = _listed(_reasons(decision), language)
    return _SAID[language]["why"].format(reasons=reasons) if reasons else ""


def _listed(sentences: Iterable[str], language: Language) -> str:
    said = messages(language)
    return said.text("; ").join(map(said.sentence, sentences))


def _reasons(decision: Applicability) -> Iterator[str]:
    yield from decision.reasons
    yield from decision.steps


@lru_cache(maxsize=64)
def _case(
    question: str, today: date, as_of: DateRange | None, trial: date | None
) -> tuple[CaseDates | None, CaseFacts]:
    """The dates and the facts of a question; no dates where those given contradict each other."""
    judged = DateRange.day(trial) if trial else None
    try:
        dates = read_case_dates(question, clock=lambda: today, as_of=as_of, trial=judged)
    except DateError:
        dates = None
    return dates, read_facts(question)
