"""The four agents of L-MARS played by rules: no model, the same result every time.

The judge applies the paper's checklist (appendix A) as far as words can show it, and says "not
checked" where they cannot. The summary quotes; it draws no conclusion.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from inforce.agents.runtime.prompts import given_dates
from inforce.agents.runtime.support import sentences
from inforce.retrieval.tokens import tokenize
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.web_search import MAX_QUERY
from inforce.web.excerpts import tokens_of
from inforce.web.search.provider import why_blocked
from inforce.web.site_authority import Authority, authority_of

SearchSource = Literal["web_search", "case_law", "offline_rag"]

CheckName = Literal["support", "source_quality", "date", "jurisdiction", "contradiction"]


class Understanding(TypedDict):
    """The parts of a question; empty where it does not say."""

    issue: str
    entities: list[str]
    jurisdiction: str
    time_window: str


class Intent(TypedDict):
    """A search to make, and its source."""

    source: SearchSource
    query: str


class Check(TypedDict):
    """One point of the judge's checklist."""

    check: CheckName
    result: Literal["pass", "fail", "not_checked"]
    why: str


class Verdict(TypedDict):
    """Whether the evidence is sufficient, point by point, and what to search for if it is not."""

    reasoning: str
    checks: list[Check]
    sufficient: bool
    refinements: list[str]


@dataclass(frozen=True, slots=True)
class Case:
    """The question with everything known about it."""

    run: RunContext
    understanding: Understanding | None = None
    said: tuple[tuple[str, str], ...] = ()
    """Questions put to the person, each with the reply."""
    sources: tuple[SearchSource, ...] = ()
    """The sources this run can search."""

    @property
    def question(self) -> str:
        """The question of the run."""
        return self.run.question

    @property
    def context(self) -> str:
        """Everything known, in words for a model."""
        parts = [f"Today is {self.run.today.isoformat()}."]
        parts += filter(None, [given_dates(self.run, "en")])
        if self.understanding:
            known = {name: value for name, value in self.understanding.items() if value}
            parts.append(f"Understood: {known}")
        parts += [f"Asked: {question}\nThe person said: {reply}" for question, reply in self.said]
        return "\n".join(parts)


LEAST_OVERLAP = 0.3
"""Share of a question's words a source must contain to be relevant, in the first round."""

LENIENCY = 0.05
"""Subtracted from `LEAST_OVERLAP` in each further round; at least half of it remains."""

QUOTED_SOURCES = 5
"""Sources quoted in an answer, at most."""

_RANK: dict[Authority, int] = {
    "primary": 0,
    "official": 1,
    "reputable": 2,
    "other": 3,
    "user_generated": 4,
}
_JURISDICTIONS: dict[str, tuple[str, ...]] = {
    "California": ("california", "加州", "加利福尼亚"),
    "New York": ("new york", "纽约"),
    "Texas": ("texas", "德州", "得克萨斯"),
    "Florida": ("florida", "佛罗里达"),
    "Illinois": ("illinois", "伊利诺伊"),
    "European Union": ("european union", "gdpr", "欧盟"),
    "United States": ("federal", "u.s.", "united states", "us law", "美国", "联邦"),
    "China": ("china", "chinese", "中国", "中华人民共和国"),
}
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_QUANTITY = re.compile(
    r"(?P<figure>\d[\d,.]*)\s*-?\s*(?P<unit>days?|months?|years?|weeks?|hours?|percent|%|日|天|个月|年)",
    re.IGNORECASE,
)
_DOCTRINE = "legal rule statute doctrine"
_OFFICIAL = "official text"


def usable(evidence: Evidence) -> bool:
    """Whether evidence has any content: blocked and empty pages have none."""
    if evidence.kind != "web":
        return bool(evidence.text.strip())
    return not why_blocked(evidence.text)


def authority(evidence: Evidence) -> Authority:
    """The weight of a source: law and decisions are primary wherever they were found."""
    if evidence.kind in ("statute", "interpretation", "guideline", "precedent", "case_law"):
        return "primary"
    return authority_of(evidence.url or evidence.title)


class RuleRoles:
    """Query, search, judge and summary agents, by rule."""

    async def understand(self, case: Case) -> Understanding:
        """Query agent: jurisdiction and years the question names; the question as the issue."""
        return Understanding(
            issue=case.question,
            entities=[],
            jurisdiction=_jurisdiction(case.question),
            time_window=", ".join(dict.fromkeys(_YEAR.findall(case.question))),
        )

    async def follow_ups(self, case: Case) -> list[str]:
        """Query agent: ask for the place and the date, where the question names none."""
        known = case.understanding or await self.understand(case)
        questions: list[str] = []
        if not known["jurisdiction"]:
            questions.append("Which country or state is this about?")
        if not known["time_window"] and not case.run.as_of:
            questions.append("When did the facts happen?")
        return questions

    async def intents(self, case: Case, verdicts: Sequence[Verdict]) -> list[Intent]:
        """Query agent: search for the question in the first round, then as the judge suggests."""
        wanted = [case.question] if not verdicts else verdicts[-1]["refinements"]
        replies = " ".join(reply for _, reply in case.said)
        given_years = map(str, sorted(_years(case)) if case.run.as_of else ())
        unnamed = (year for year in given_years if year not in case.question)
        known = " ".join(filter(None, [replies, *unnamed]))
        queries = [f"{query} {known}".strip()[:MAX_QUERY] for query in wanted]
        return [Intent(source=source, query=query) for query in queries for source in case.sources]

    def worth_reading(self, found: Sequence[Evidence]) -> list[Evidence]:
        """Search agent: usable results in the order to open them, the most authoritative first."""
        return sorted(filter(usable, found), key=lambda one: _RANK[authority(one)])

    async def judge(self, case: Case, evidence: Sequence[Evidence], number: int) -> Verdict:
        """Judge agent: the checklist of appendix A, in round ``number`` (from 1)."""
        relevant = _relevant(case, evidence, number)
        checks = [
            _check(
                "support",
                passed=bool(relevant),
                why=f"{len(relevant)} sources speak to the question",
            ),
            _quality(relevant, number),
            _date(case, relevant, number),
            _place(case, relevant),
            _contradiction(relevant),
        ]
        failed = [one for one in checks if one["result"] == "fail"]
        return Verdict(
            reasoning=_reasoning(relevant, failed),
            checks=checks,
            sufficient=not failed,
            refinements=_refinements(case, failed),
        )

    async def summarise(self, case: Case, evidence: Sequence[Evidence]) -> str:
        """Summary agent: the sentence of each source nearest to the question, with its number."""
        question = tokens_of(case.question)
        best = [(number, one, _best(question, one)) for number, one in enumerate(evidence, start=1)]
        best = [row for row in best if _likeness(question, row[2])]
        best.sort(key=lambda row: (-_likeness(question, row[2]), _RANK[authority(row[1])]))
        lines = [f"{sentence} [{number}]" for number, _, sentence in best]
        return "\n".join(dict.fromkeys(lines[:QUOTED_SOURCES]))


def _best(question: Counter[str], one: Evidence) -> str:
    """The sentence most like the question, on one line; of equal ones the first."""
    found = [part for part in sentences(one.text) if not part.startswith("#")]  # headings
    best = max(found, key=lambda sentence: _likeness(question, sentence), default="")
    return " ".join(best.split())


def _likeness(question: Counter[str], sentence: str) -> float:
    """F2 of the tokens: to meet the question matters more than to be short."""
    said = tokens_of(sentence)
    common = (question & said).total()
    return 5 * common / (4 * question.total() + said.total()) if common else 0.0


def _relevant(case: Case, evidence: Sequence[Evidence], number: int) -> list[Evidence]:
    """The sources relevant to the question: fewer words are enough in later rounds."""
    question = frozenset(tokenize(case.question))
    least = max(LEAST_OVERLAP - LENIENCY * (number - 1), LEAST_OVERLAP / 2)
    shares = (len(question.intersection(tokenize(one.text))) for one in evidence)
    size = max(1, len(question))
    return [one for one, share in zip(evidence, shares, strict=True) if share / size >= least]


def _check(check: CheckName, *, passed: bool, why: str) -> Check:
    return Check(check=check, result="pass" if passed else "fail", why=why)


def _quality(relevant: Sequence[Evidence], number: int) -> Check:
    """An official source in the first round; then at least one that is no forum or blog.

    The person's own papers are what they are: no search finds a weightier copy of them.
    """
    if any(one.kind == "document" for one in relevant):
        return _check("source_quality", passed=True, why="the person's own documents")
    classes: list[Authority] = [authority(one) for one in relevant]
    accepted = 1 if number == 1 else 3
    best = min((_RANK[one] for one in classes), default=9)
    counted = Counter(sorted(classes, key=lambda name: _RANK[name]))
    why = ", ".join(f"{number} {name}" for name, number in counted.items())
    return _check("source_quality", passed=best <= accepted, why=why or "no source")


def _date(case: Case, relevant: Sequence[Evidence], number: int) -> Check:
    """A source of or about a year of the facts; after the first round, a later one is enough."""
    years = _years(case)
    if not years or not relevant:
        return Check(check="date", result="not_checked", why="the question names no year")
    named = {int(year) for one in relevant for year in _YEAR.findall(f"{one.date} {one.text}")}
    if not named:
        return Check(check="date", result="not_checked", why="no source is dated")
    passed = bool(years & named) or (number > 1 and max(named) >= min(years))
    why = f"asked about {sorted(years)}, sources name up to {max(named)}"
    return _check("date", passed=passed, why=why)


def _years(case: Case) -> set[int]:
    """The years of the facts, where they are given; else those anybody names."""
    if case.run.as_of is not None:
        days = case.run.as_of
        return {days.start.year, (days.last or days.start).year}
    window = (case.understanding or {}).get("time_window", "")
    said = " ".join((case.question, window, *(reply for _, reply in case.said)))
    return {int(year) for year in _YEAR.findall(said)}


def _place(case: Case, relevant: Sequence[Evidence]) -> Check:
    place = (case.understanding or {}).get("jurisdiction", "") or _jurisdiction(
        " ".join((case.question, *(reply for _, reply in case.said)))
    )
    marks = _JURISDICTIONS.get(place, (place.lower(),) if place else ())
    if not marks or not relevant:
        return Check(check="jurisdiction", result="not_checked", why="no place is named")
    texts = [f"{one.title} {one.url} {one.text}".lower() for one in relevant]
    named = sum(any(mark in text for mark in marks) for text in texts)
    found = named or (place == "United States" and any(".gov" in text for text in texts))
    return _check("jurisdiction", passed=bool(found), why=f"{named} sources speak of {place}")


def _contradiction(relevant: Sequence[Evidence]) -> Check:
    """Rules see one kind of conflict: official sources with different figures for one unit.

    What the figures are about is not read, so a difference is reported, not judged.
    """
    official = [one for one in relevant if _RANK[authority(one)] <= 1]
    figures: dict[str, set[str]] = {}
    for one in official:
        for found in _QUANTITY.finditer(one.text):
            figures.setdefault(found["unit"].lower().rstrip("s"), set()).add(found["figure"])
    several = {unit: sorted(seen) for unit, seen in sorted(figures.items()) if len(seen) > 1}
    why = f"figures to compare: {several}" if several else "no rule compares statements"
    return Check(check="contradiction", result="not_checked", why=why)


def _reasoning(relevant: Sequence[Evidence], failed: Sequence[Check]) -> str:
    if not relevant:
        return "nothing found speaks to the question"
    if failed:
        return "; ".join(f"{one['check']}: {one['why']}" for one in failed)
    return "an acceptable source speaks to the question"


def _refinements(case: Case, failed: Iterable[Check]) -> list[str]:
    """Searches that aim at what failed, ready to be typed into a search engine."""
    place = _jurisdiction(case.question)
    years = " ".join(map(str, sorted(_years(case))))
    aims: dict[CheckName, str] = {
        "support": f"{case.question} {_DOCTRINE}",
        "source_quality": f"{case.question} {_OFFICIAL} site:.gov",
        "date": f"{case.question} {years} in effect",
        "jurisdiction": f"{place} {case.question}",
    }
    wanted = [aims[one["check"]] for one in failed if one["check"] in aims]
    return list(dict.fromkeys(wanted))[:2]


def _jurisdiction(text: str) -> str:
    """The first place of our list that a text names."""
    lowered = text.lower()
    return next(
        (
            place
            for place, marks in _JURISDICTIONS.items()
            if any(mark in lowered for mark in marks)
        ),
        "",
    )
