"""Options of the two benchmarks; as they stand, they are those of the published evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec

from inforce.errors import UserError

_Positive = Annotated[int, msgspec.Meta(ge=1)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How questions are searched, answered and judged."""

    queries: Literal["", "agent", "question"] = ""
    """What is searched for: what the agent asks, or the question itself. Empty: the question where
    searches are recorded, which hold nothing else, and what the agent asks on the live web."""
    answer_tokens: _Positive = 10
    """Length of an answer without reasoning, when a model is asked directly."""
    reasoning_tokens: _Positive = 1_024
    """Length of one with reasoning."""
    sources: Literal["text", "found"] = "text"
    """What the U-Score takes for citations: addresses in the answer's text, as published, or what
    was found and bears the answer."""
    jurisdiction: Literal["none", "question"] = "none"
    """Whether the U-Score expects the jurisdiction the question names."""
    votes: _Positive = 3
    """Ratings of the judge an answer gets; an odd number."""


OPTIONS: Final[Mapping[str, str]] = {
    "queries": "agent or question: what is searched for (recorded searches: question)",
    "answer_tokens": "tokens of an answer without reasoning when a model is asked directly (10)",
    "reasoning_tokens": "tokens of one with reasoning (1024)",
    "sources": "text or found: what the U-Score takes for citations (text)",
    "jurisdiction": "none or question: whether the U-Score expects the question's place (none)",
    "votes": "ratings of the judge an answer gets, an odd number (3)",
}


def read_options(given: Mapping[str, str]) -> Options:
    """Options as a person gives them.

    Raises:
        UserError: if there is no such option, or its value is none.
    """
    try:
        options = msgspec.convert(dict(given), Options, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(
            f"option of the benchmark: {error}; there are {', '.join(OPTIONS)}"
        ) from error
    if options.votes % 2 == 0:
        raise UserError(f"votes={options.votes}: use an odd number, so that they can decide")
    return options
