"""The answer that needs no model: the provisions that governed, why, and what changed since.

It quotes and explains; it draws no conclusion of its own, and says so. It abstains where nothing
in the corpus speaks to the question, and keeps "not in force then", "not found" and "not covered"
apart.
"""

from __future__ import annotations

from datetime import date

from inforce.answering.answer import Absence, Answer, Quotation
from inforce.answering.selection import Selection, select
from inforce.answering.today import today_of
from inforce.dates import DateRange
from inforce.law.applicability import governing
from inforce.law.registry import Branch, branch_of
from inforce.law.timeline import Timeline
from inforce.lawbook import LawBook


def answer(
    book: LawBook, question: str, *, facts: DateRange | None = None, trial: date | None = None
) -> Answer:
    """Answer a question from the law book.

    A provision that speaks to the question but was not in force then is an absence: that the law of
    today did not apply is part of the answer. So is the silence of the wording that governed, where
    a later one makes its provision the most relevant (刑法 74 on ringleaders before 2011-05-01); of
    less relevant provisions only wordings that speak to the question themselves are quoted.

    Args:
        book: where the law is.
        question: what is asked.
        facts: the days of the facts; they win over dates in the question.
        trial: the day of the trial, for the rules that need it.

    Raises:
        DateError: if the only date in the question cannot be read, or the trial comes before the
            facts.
    """
    selected = select(book, question, facts=facts)
    if selected.time.origin == "today":
        trial = trial or selected.days.start
    quoted: list[Quotation] = []
    absent: list[Absence] = []
    for place, timeline in enumerate(selected.timelines):
        quotation = _quote(book, selected, timeline, trial)
        if quotation is None:
            absent.append(_absence(timeline, selected.days))
        elif selected.most is None or place == 0 or _speaks(selected, quotation):
            quoted.append(quotation)
        if len(quoted) == selected.most:
            break
    return Answer(
        question,
        selected.relevance.analysis,
        selected.time,
        tuple(quoted),
        tuple(absent[: selected.most]),
        selected.coverage,
    )


def _quote(
    book: LawBook, selected: Selection, timeline: Timeline, trial: date | None
) -> Quotation | None:
    """A quotation of the wording that governs, or ``None`` where there is none to quote."""
    branch = branch_of(timeline.work)
    step, assumptions = _procedural_step(branch, selected.days, trial)
    ruled = governing(timeline, branch, facts=selected.days, trial=step)
    chosen = (ruled.span,) if ruled.span else ruled.alternatives
    wordings = tuple(span for span in chosen if span.state == "in_force")
    if not wordings:
        return None
    captions = book.captions(timeline.work, timeline.number, during=selected.days)
    named = selected.relevance.analysis.provisions
    return Quotation(
        timeline.work,
        timeline.number,
        ruled,
        wordings,
        today_of(book, timeline, wordings[-1]),
        tuple(dict.fromkeys(caption.name for caption in captions)),
        named=any(asked.number == timeline.number for asked in named),
        support=selected.relevance.support(timeline),
        assumptions=assumptions,
    )


def _speaks(selected: Selection, quotation: Quotation) -> bool:
    """Whether the wording that governed, not only a later one, speaks to the question."""
    texts = (span.provision.text for span in quotation.wordings if span.provision)
    return selected.relevance.speaks(quotation.work, *quotation.captions, *texts)


def _absence(timeline: Timeline, days: DateRange) -> Absence:
    later = (
        span
        for span in timeline.spans
        if span.state == "in_force" and days.end and span.window.start >= days.end
    )
    return Absence(timeline.versions_in(days), next(later, None))


def _procedural_step(
    branch: Branch, days: DateRange, trial: date | None
) -> tuple[date | None, tuple[str, ...]]:
    """The day of the trial; for procedure without one, the day asked about is taken to be it."""
    if trial is None and branch in ("criminal procedure", "civil procedure"):
        assumed = f"{days.start} is taken as the day of the procedural step (say --trial if not)"
        return days.start, (assumed,)
    return trial, ()
