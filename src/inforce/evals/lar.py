"""Legal article recitation (LAR) by rules: say what an article said at a date, word for word.

LegalSearch-R1, section 4.1: the question names a law, an article and a time; the answer is the
full text of the version in force then. The reciter needs no model: it reads the question by rules
and quotes the corpus. The other agent by rules overlooks the date, as assistants do: it shows
leakage where leakage must be high.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.dates import DateRange, hull
from inforce.evals.conditions import RuleAgent
from inforce.law.model import same_wording
from inforce.law.timeline import Span
from inforce.library import Library
from inforce.retrieval.analysis import Analyser, RuleAnalyser

RECITER = "reciter"
TODAYS_LAW = "today"

WHOSE_NUMBER = "是第几条？规定全文："
"""How a question that asks for the number of a rule ends, before the text of the rule."""


def analyser(library: Library) -> Analyser:
    """Reads questions by rules, with the titles of a library and its today."""
    return RuleAnalyser(titles=library.corpus.titles(), clock=library.clock)


@dataclass(frozen=True, slots=True)
class Recitation:
    """A wording that is recited, and a day on which it was in force."""

    law: str
    article: str
    day: date
    text: str


def recitation(library: Library, question: str, *, analyse: Analyser) -> Recitation | None:
    """The wording of the article a question asks for, as it was at the time the question names.

    Of a time in which the law changed, the wording in force for most of its days; of equals the
    later. None where the question names no article of a law held, or the law had none then.
    """
    analysis = analyse(question)
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


def recite(library: Library, question: str, *, analyse: Analyser | None = None) -> str:
    """The text of `recitation`; empty where there is none."""
    found = recitation(library, question, analyse=analyse or analyser(library))
    return found.text if found else ""


def numbered(library: Library, question: str, *, analyse: Analyser, on: date | None = None) -> str:
    """The number under which a law has the text a question quotes; empty where it asks for none.

    Args:
        library: the laws.
        question: names a law and a time, and quotes a whole article after `WHOSE_NUMBER`.
        analyse: reads the question.
        on: the day that is looked at; else the one the question names.
    """
    asked, _, text = question.partition(WHOSE_NUMBER)
    if not text:
        return ""
    analysis = analyse(asked)
    days = DateRange.day(on or library.clock())
    if on is None and analysis.time_info:
        days = hull(analysis.time_info)
    works = [one.work for one in analyse(f"{asked}第一条").provisions if one.work]
    for timeline in library.corpus.timelines(works[0]) if works else ():
        found = timeline.versions_in(days).found if timeline.number.kind == "article" else ()
        if any(one.provision and same_wording(one.provision.text, text) for one in found):
            return timeline.number.chinese
    return ""


def rule_agent(name: str, library: Library) -> RuleAgent:
    """The agent called `RECITER` or `TODAYS_LAW`; both look the article up with ``law_at``."""
    analyse = analyser(library)

    async def reciter(run: Run) -> Draft:
        if text := numbered(library, run.question, analyse=analyse):
            return Draft(text)
        found = recitation(library, run.question, analyse=analyse)
        if found is None:
            return Draft("", "abstained", "no such text at that time")
        # An answer is held against what its run found: a wording that cites other laws, too.
        named = {"law": found.law, "article": found.article, "date": found.day.isoformat()}
        await run.call("law_at", named)
        return Draft(found.text)

    async def todays_law(run: Run) -> Draft:
        if text := numbered(library, run.question, analyse=analyse, on=library.clock()):
            return Draft(text)
        for asked in analyse(run.question).provisions:
            named = {"law": asked.work, "article": asked.number.chinese, "date": "today"}
            found = (await run.call("law_at", named)).evidence if asked.work else ()
            if found:
                return Draft(found[0].text)
        return Draft("", "abstained", "the law has no such article today")

    return RuleAgent(name, {RECITER: reciter, TODAYS_LAW: todays_law}[name])
