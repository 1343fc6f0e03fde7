"""Which provisions an answer is about: those a question names, else those that answer it.

A search finds wordings; an answer is about provisions, each with its whole timeline. The search is
made twice, under the law of the days asked about and under the law of any time, because a wording
of another time may show where the rule was then. Both give chances that can be compared
(`inforce.retrieval.ranker`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from inforce.answering.sanctions import penalty_articles, sanctioning_law, weighed_by_sanction
from inforce.dates import DateRange, find_dates
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import find_work
from inforce.law.rules import CRIMINAL_LAW
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook
from inforce.retrieval.analysis import QueryAnalysis
from inforce.retrieval.glossary import short_title
from inforce.retrieval.query import usual_rules
from inforce.retrieval.ranker import PRIMARY_RULE
from inforce.retrieval.statutes import (
    Coverage,
    Hit,
    SearchResult,
    StatuteSearch,
    TimeContext,
)

MOST_QUOTED = 3
"""Provisions quoted at most, beside those the question names."""

LEAST_CHANCE = 0.1
"""Chance of answering the question below which a provision is not quoted."""

NEARLY_AS_LIKELY = 0.36
"""Share of the best one's chance below which another is not quoted beside it."""

DOUBTFUL = 0.8
"""Chance that law held answers a question at all below which what a topic at most makes likely is
not quoted: two doubts are one too many."""

BESIDE_A_TOPIC = 0.6
"""Share of the chance of the rule that a topic names below which no other is quoted beside it."""

LEAST_SUPPORT = 0.1
"""Weight share of the question's keywords that must occur in a provision found by words alone."""

_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A provision an answer may be about."""

    timeline: Timeline
    found: Span | None = None
    """The wording that was found; ``None`` where the question names the provision."""
    chance: float = 1.0
    """That it is one of the provisions that answer the question, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The provisions an answer is about, and what was understood of the question."""

    candidates: tuple[Candidate, ...]
    """Those the question names in its order; else the most likely first."""
    most: int | None
    """How many of them are quoted at most; ``None``: all."""
    time: TimeContext
    coverage: Coverage
    analysis: QueryAnalysis
    then: tuple[Hit, ...] = ()
    """What was found of the law of the days asked about, however unlikely."""
    missed: tuple[str, ...] = ()
    """Laws that answer questions of this kind, if none of them is held."""


def select(book: LawBook, question: str, *, facts: DateRange | None = None) -> Selection:
    """The provisions an answer to a question is about.

    Args:
        book: where the law is.
        question: what is asked.
        facts: the days of the facts; they win over dates in the question.

    Raises:
        DateError: if the only date in the question cannot be read.
    """
    statutes = book.statutes
    then = statutes.search(question, as_of=facts, k=_DEPTH, distinct="provision")
    if then.time.origin == "today":
        find_dates(question, clock=book.clock)  # one that cannot be read must not become today
    named, most = book.timelines(then.analysis.provisions), None
    candidates = tuple(map(Candidate, named))
    if not candidates and not then.coverage.not_held:
        ever = statutes.search(then.analysis, k=_DEPTH, when="any", distinct="provision")
        speaking = (hit for hit in (*then.hits, *ever.hits) if _speaks(statutes, then, hit))
        if then.answerable < DOUBTFUL:
            speaking = (hit for hit in speaking if not _by_topic_alone(hit))
        chances = _weighed(then.analysis, speaking)
        candidates, most = _most_likely(book, chances), MOST_QUOTED
    missed = () if named else _missed(book, then.analysis)
    return Selection(candidates, most, then.time, then.coverage, then.analysis, then.hits, missed)


def _missed(book: LawBook, analysis: QueryAnalysis) -> tuple[str, ...]:
    """The laws that topics name for a question, if none of them is held."""
    rules, held = usual_rules(analysis).primary, _short_titles(book.corpus.titles())
    if any(law in held for rule in rules for law in rule.laws):
        return ()
    first = dict.fromkeys(rule.laws[0] for rule in rules)
    return tuple(work.title if (work := find_work(law)) else law for law in first)


@lru_cache(maxsize=4)
def _short_titles(titles: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(short_title, titles))


def _speaks(statutes: StatuteSearch, result: SearchResult, hit: Hit) -> bool:
    """Whether a word of the question, or a synonym, is in what was found.

    Chances are shares of what a corpus holds: in a small one something is always likely.
    """
    provision = hit.provision
    text = " ".join((provision.work, *provision.captions, provision.text))
    by_meaning = {"glossary", "asked", "topics"} & hit.channel_ranks.keys()
    return bool(by_meaning) or statutes.support(result.analysis, text) >= LEAST_SUPPORT


class _Found(NamedTuple):
    hit: Hit
    chance: float


def _weighed(analysis: QueryAnalysis, hits: Iterable[Hit]) -> Iterator[_Found]:
    """Hits with their chances, given the sanction asked about and the offence that is named."""
    law = sanctioning_law(analysis.query)
    found = [_Found(hit, chance_of(hit, law)) for hit in hits]
    best = max((likely.chance for likely in found), default=0.0)
    punished = penalty_articles(analysis.query, analysis.content)
    for hit, chance in found:
        states = hit.provision.work == CRIMINAL_LAW and hit.provision.number in punished
        yield _Found(hit, max(chance, best) if states and law == CRIMINAL_LAW else chance)


def chance_of(hit: Hit, law: str | None) -> float:
    """The chance of a hit, given the law of the sanction asked about.

    What a topic alone gives is no evidence that grows with another.
    """
    chance = weighed_by_sanction(hit.score, hit.provision.work, law)
    return min(chance, hit.score) if _by_topic_alone(hit) else chance


def _by_topic_alone(hit: Hit) -> bool:
    return "topics" in hit.channel_ranks and hit.score <= PRIMARY_RULE


def _most_likely(book: LawBook, found: Iterable[_Found]) -> tuple[Candidate, ...]:
    """The candidates that are likely enough to be quoted, the likeliest first.

    Beside the rule that a topic names, what is only likely is quoted if it is not much less so.
    """
    found = tuple(found)
    ruling = max(
        (likely.chance for likely in found if likely.hit.channel_ranks.get("topics") == 1),
        default=0.0,
    )
    best: dict[tuple[str, ProvisionNumber], _Found] = {}
    for likely in found:
        key = likely.hit.provision.work, likely.hit.provision.number
        named = "topics" in likely.hit.channel_ranks
        least = LEAST_CHANCE if named else max(LEAST_CHANCE, ruling * BESIDE_A_TOPIC)
        if likely.chance >= least and (key not in best or best[key].chance < likely.chance):
            best[key] = likely
    ranked = sorted(best.items(), key=lambda pair: -pair[1].chance)
    return tuple(_candidate(book, *key, likely) for key, likely in ranked)


def _candidate(book: LawBook, work: str, number: ProvisionNumber, likely: _Found) -> Candidate:
    timeline = book.corpus.timeline(work, number)
    window, text = likely.hit.provision.window, likely.hit.provision.text
    in_force = timeline.version_at(window.start).found if window else ()
    found = in_force or [span for span in timeline.spans if span.text == text]
    return Candidate(timeline, found[0] if found else None, likely.chance)
