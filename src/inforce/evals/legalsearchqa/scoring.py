"""How an answer is scored: its letter, how uncertain it sounds, and how a judge rates it."""

from __future__ import annotations

from dataclasses import asdict

from inforce.evals.benchmark import Attempt, Item, Scored, ScoreItem, Setup
from inforce.evals.legalsearchqa.options import Options, read_options
from inforce.evals.legalsearchqa.quality import VALUES, Verdict, borne_by, judge
from inforce.evals.legalsearchqa.uscore import PAPER, Parts, band, expected_in, parts_of
from inforce.llm.chat import ChatModel
from inforce.scoring.answers import PARSE_ERROR, choice_letter

MEASURES = (
    *("accuracy", "parse_error", "u_score", "u_score_paper"),
    *("hedging", "temporal_vagueness", "citations", "jurisdiction", "decisiveness"),
    "quality",
)
"""Every measure, the one that counts first. ``u_score`` weighs as the released code does."""


def scorer(setup: Setup) -> ScoreItem:
    """Scores answers under the options of a run.

    Raises:
        UserError: if an option is none.
    """
    options = read_options(setup.options)

    async def score(item: Item, attempt: Attempt, model: ChatModel | None) -> Scored:
        verdict = await judge(item, attempt, model, votes=options.votes) if model else None
        return scored(item, attempt, options, verdict)

    return score


def scored(item: Item, attempt: Attempt, options: Options, verdict: Verdict | None) -> Scored:
    """The score of an answer; without a verdict its quality is not known."""
    letter = choice_letter(attempt.text)
    parts = _parts(item, attempt, options)
    quality = verdict.quality if verdict else None
    values = {
        "accuracy": float(letter == item.target),
        "parse_error": float(letter == PARSE_ERROR),
        "u_score": parts.weighed(),
        "u_score_paper": parts.weighed(PAPER),
        **asdict(parts),
        "quality": VALUES[quality] if quality else None,
    }
    labels = {"certainty": band(parts.weighed())} | ({"quality": quality} if quality else {})
    return Scored(values, letter, labels, verdict.why if verdict else "")


def _parts(item: Item, attempt: Attempt, options: Options) -> Parts:
    found = [one.url or one.title for one in borne_by(attempt)]
    return parts_of(
        attempt.text,
        sources=found if options.sources == "found" else (),
        expected=expected_in(item.facts["stem"]) if options.jurisdiction == "question" else None,
    )
