"""Agents by rule for the recitation of articles (LAR), which ask no model.

LegalSearch-R1, section 4.1: a question names a law, an article and a time; the answer is the full
text of the version in force then. The agent ``reciter`` reads the question by rules and quotes the
corpus. The agent ``today`` overlooks the date, as assistants do, and shows how high measures of
leakage get.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.dates import DateRange, hull
from inforce.evals.baselines import FunctionAgent
from inforce.law.model import same_wording
from inforce.law.timeline import Span
from inforce.library import Library
from inforce.retrieval.analysis import Analyser, RuleAnalyser

RECITER = "reciter"
TODAYS_LAW = "today"
RULE_AGENTS = (RECITER, TODAYS_LAW)

WHOSE_NUMBER = "是第几条？规定全文："
"""The end of a question for the number of a rule; the text of the rule follows."""


def rule_analyser(library: Library) -> Analyser:
    """An analyser of questions by rules, with the titles of a library and its clock."""
    return RuleAnalyser(titles=library.corpus.titles(), clock=library.clock)


@dataclass(frozen=True, slots=True)
class Recitation:
    """The wording of an article, and a day on which it was in force."""

    law: str
    article: str
    day: date
    text: str


def recitation(
    library: Library, question: str, *, analyse: Analyser | None = None
) -> Recitation | None:
    """The wording of the article a question names, as it was at the time the question names.

    If the law changed within that time, the wording in force on most of its days is returned, and
    of equals the later. ``None`` if the question names no article of a law in the corpus, or the
    law had no such article then.
    """
    analysis = (analyse or rule_analyser(library))(question)
    days = hull(analysis.time_info or (DateRange.day(library.clock()),))

    def length(span: Span) -> tuple[int, int]:
        shared = span.window.intersection(days)
        end = (shared.end or date.max) if shared else date.min
        return (end - shared.start).days if shared else 0, span.window.start.toordinal()

    for timeline in library.timelines(analysis.provisions):
        best = max(timeline.versions_in(days).found, key=length, default=None)
        if best is None or best.provision is None:
            return None
        day = max(days.start, best.window.start)
        return Recitation(timeline.work, timeline.number.chinese, day, best.provision.text)
    return None


def find_number(
    library: Library, question: str, *, analyse: Analyser, on: date | None = None
) -> str:
    """The number of the article whose whole text a question quotes; empty if it asks for none.

    Args:
        library: the laws.
        question: names a law and a time, and quotes the article after `WHOSE_NUMBER`.
        analyse: reads the question.
        on: the day to look at; by default the time the question names.
    """
    words, _, text = question.partition(WHOSE_NUMBER)
    if not text:
        return ""
    analysis = analyse(words)
    days = DateRange.day(on or library.clock())
    if on is None and analysis.time_info:
        days = hull(analysis.time_info)
    works = [one.work for one in analyse(f"{words}第一条").provisions if one.work]
    for timeline in library.corpus.timelines(works[0]) if works else ():
        found = timeline.versions_in(days).found if timeline.number.kind == "article" else ()
        if any(one.provision and same_wording(one.provision.text, text) for one in found):
            return timeline.number.chinese
    return ""


def rule_agent(name: str, library: Library) -> FunctionAgent:
    """The agent called `RECITER` or `TODAYS_LAW`; both look the article up with ``law_at``."""
    analyse = rule_analyser(library)

    async def reciter(run: Run) -> Draft:
        if text := find_number(library, run.question, analyse=analyse):
            return Draft(text)
        found = recitation(library, run.question, analyse=analyse)
        if found is None:
            return Draft("", "abstained", "no such text at that time")
        # An answer is checked against the findings of its run: a wording that cites other laws too.
        arguments = {"law": found.law, "article": found.article, "date": found.day.isoformat()}
        await run.call("law_at", arguments)
        return Draft(found.text)

    async def todays_law(run: Run) -> Draft:
        if text := find_number(library, run.question, analyse=analyse, on=library.clock()):
            return Draft(text)
        for provision in analyse(run.question).provisions:
            if provision.work:
                number = provision.number.chinese
                arguments = {"law": provision.work, "article": number, "date": "today"}
                if found := (await run.call("law_at", arguments)).evidence:
                    return Draft(found[0].text)
        return Draft("", "abstained", "the law has no such article today")

    return FunctionAgent(name, {RECITER: reciter, TODAYS_LAW: todays_law}[name])
