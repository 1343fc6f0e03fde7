"""The learned ranking of candidates, and how sure it is of each.

A weighted sum of the features that `inforce.retrieval.candidates` documents: first of those of the
channels, over all candidates; then, for the best of these, of those of their texts as well. The
weights are in `data/ranker.tsv`, a plain file that `recipes/finding.sh` writes. From the sums a
logistic function makes the chance that a candidate is one of the provisions that answer the
question, comparable between questions: the chance that law that is held answers the question at
all, times the chance that, if so, it is this candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inforce.errors import InputError
from inforce.retrieval.candidates import FEATURES, OF_CHANNELS, Candidates, CandidateSearch
from inforce.retrieval.query import SearchQuery
from inforce.retrieval.texts import has_word_for_word
from inforce.store import Matrix

SHORTLIST = 48
"""Candidates whose texts are read."""

ABSTAIN = 0.35
"""A question that law held answers with less than this chance (`Ranked.answerable`) is about
something else (`benchmarks/finding.py` measures both kinds of error)."""

BIAS = "(bias)"

OF_CHANCE = (
    BIAS,
    "log_share",  # ln of the share of a softmax over the sums
    "gap",  # the sum less that of the best candidate
    "dense",
    "words_ideal",
    "pairs_ideal",
    "pointed",
    "asked_text",
    "runs_text",
    "runs_asked",
    "best_dense",  # the highest of all candidates
    "best_words_ideal",
    "best_pairs_ideal",
    "best_asked_text",
    "best_runs",
    "best_pointed",
    "question_size",
    "translated",
)
"""What the chance of a candidate is computed from, if law that is held answers the question."""

OF_QUESTION = (
    BIAS,
    "has_statutory",  # the question has lay words
    "best_pointed_law",
    "best_pointed",
    "best_dense",
    "best_sum",
    "familiar_words",  # the share of its words that questions on three laws or more had
    "familiar_pairs",
    "foreign",  # asks about the law of another country
)
"""What the chance that law that is held answers the question at all is computed from."""

RULING = 0.3
"""The chance that a topic gives a rule, if the channels find it likely enough
(`RAISED_AT_MOST`; measured: `design/search.md`)."""

RAISED_AT_MOST = 6.0
"""How many times the chance that the channels give a rule a topic may make of it. A topic knows
words, not the question: of rules that the channels find unlikely, 1 in 10 answers what a topic
matched (measured on 900 questions: `design/search.md`)."""

RULING_ELSE = 0.1
"""The same of a topic that says less of the question: too little to be quoted beside the other."""

VERBATIM = 0.9
"""The chance at least of a provision that has the last sentence of the question word for word."""

Column = NDArray[np.float32]


@dataclass(frozen=True)
class Ranked:
    """Candidates in their order."""

    rows: NDArray[np.int64]
    chances: Column
    """0 to 1, falling."""
    columns: Matrix
    """The features `OF_CHANNELS` of each."""
    answerable: float
    """The chance that law that is held answers the question at all, 0 to 1."""
    ruling: frozenset[int] = frozenset()
    """The rows of rules that a topic names."""
    ruling_else: frozenset[int] = frozenset()
    """The rows of rules that topics name which say less of the question."""
    verbatim: frozenset[int] = frozenset()
    """The rows that have the last sentence of the question word for word."""


class Ranker:
    """Weights of features, by their names; a feature without a weight does not count.

    Args:
        of_channels: for the first round, over all candidates.
        of_all: for the second, over those whose texts are read.
        of_chance: of the columns `OF_CHANCE`.
        of_question: of the columns `OF_QUESTION`.
    """

    def __init__(
        self,
        of_channels: Mapping[str, float],
        of_all: Mapping[str, float],
        of_chance: Mapping[str, float],
        of_question: Mapping[str, float],
    ) -> None:
        self.parts = {
            "channels": of_channels,
            "all": of_all,
            "chance": of_chance,
            "question": of_question,
        }
        self._first = _vector(of_channels, OF_CHANNELS)
        self._all = _vector(of_all, FEATURES)
        self._chance = _vector(of_chance, OF_CHANCE)
        self._question = _vector(of_question, OF_QUESTION)

    def shortlist(self, candidates: Candidates) -> NDArray[np.int64]:
        """The places of all candidates, the best by the features of the channels first."""
        return np.lexsort((candidates.rows, -(candidates.columns @ self._first)))

    def sums(self, features: Matrix) -> Column:
        """The weighted sums of features of channels and texts."""
        return features @ self._all

    def chances(self, features: Matrix) -> Column:
        """The chance of each candidate that its texts were read of, if law that is held answers."""
        return _logistic(chance_features(features, self.sums(features)) @ self._chance)

    def answerable(
        self, query: SearchQuery, features: Matrix, familiar: tuple[float, float]
    ) -> float:
        """The chance that law that is held answers a question at all."""
        values = question_features(query, features, self.sums(features), familiar)
        return float(_logistic(values @ self._question))

    def rank(self, search: CandidateSearch, query: SearchQuery, candidates: Candidates) -> Ranked:
        """All candidates, the best first."""
        order = self.shortlist(candidates)
        if not len(order):
            return Ranked(candidates.rows, np.zeros(0, np.float32), candidates.columns, 0.0)
        best, others = order[:SHORTLIST], order[SHORTLIST:]
        read = Candidates(candidates.rows[best], candidates.columns[best])
        features = search.with_texts(query, read)
        verbatim = has_word_for_word(features[:, len(OF_CHANNELS) :])
        again = np.lexsort((read.rows, -self.sums(features), *_verbatim_keys(features, verbatim)))
        answerable = self.answerable(query, features, candidates.familiar)
        chances = answerable * self.chances(features)
        if verbatim.any():
            answerable = max(answerable, VERBATIM)
            chances = np.where(verbatim, np.maximum(chances, VERBATIM), chances)
        chances = np.minimum.accumulate(chances[again])
        order = np.concatenate([best[again], others])
        rest = chances[-1] / (2 + np.arange(len(others), dtype=np.float32))
        chances = np.concatenate([chances, rest]).astype(np.float32)
        if candidates.ruling or candidates.ruling_else:
            answerable = max(answerable, RULING)
            least = (
                (candidates.ruling, RULING),
                (candidates.ruling_else, RULING_ELSE),
            )
            for rows, chance in least:
                named = np.isin(candidates.rows[order], list(rows))
                chances = np.where(named, raised(chances, chance), chances)
            again = np.argsort(-chances, kind="stable")
            order, chances = order[again], chances[again]
        return Ranked(
            candidates.rows[order],
            chances,
            candidates.columns[order],
            answerable,
            candidates.ruling,
            candidates.ruling_else,
            frozenset(read.rows[verbatim].tolist()),
        )


def raised(chances: Column, by_topic: float) -> Column:
    """What chances are where a topic gives a rule one: at most `RAISED_AT_MOST` times their own."""
    return np.maximum(chances, np.minimum(by_topic, RAISED_AT_MOST * chances))


def _verbatim_keys(features: Matrix, verbatim: NDArray[np.bool_]) -> tuple[NDArray[Any], ...]:
    """Keys for `numpy.lexsort`, whose last key counts first.

    What is word for word leads, the fuller copy before others; local law comes after its like.
    """
    exactly = np.where(verbatim, features[:, FEATURES.index("runs_asked")].round(3), 0)
    return verbatim & (features[:, FEATURES.index("kind_local")] > 0), -exactly, ~verbatim


def chance_features(features: Matrix, sums: Column) -> Matrix:
    """The columns `OF_CHANCE` of the candidates of one question."""
    place = {name: at for at, name in enumerate(FEATURES)}
    shares = np.exp(sums - sums.max())
    own = (
        "dense",
        "words_ideal",
        "pairs_ideal",
        "pointed",
        "asked_text",
        "runs_text",
        "runs_asked",
    )
    best = ("dense", "words_ideal", "pairs_ideal", "asked_text", "runs", "pointed")
    columns = [
        np.ones(len(sums)),
        np.log(shares / shares.sum() + 1e-6),
        sums - sums.max(),
        *(features[:, place[name]] for name in own),
        *(np.full(len(sums), features[:, place[name]].max()) for name in best),
        features[:, place["question_size"]],
        features[:, place["translated"]],
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def question_features(
    query: SearchQuery, features: Matrix, sums: Column, familiar: tuple[float, float]
) -> Column:
    """The columns `OF_QUESTION` of a question."""
    place = {name: at for at, name in enumerate(FEATURES)}
    best = ("has_statutory", "pointed_law", "pointed", "dense")
    values = (1.0, *(float(features[:, place[name]].max()) for name in best))
    return np.asarray((*values, float(sums.max()), *familiar, query.is_foreign), dtype=np.float32)


def _logistic(value: Column) -> Column:
    return (1 / (1 + np.exp(-value))).astype(np.float32)


def ranker_lines(ranker: Ranker) -> list[str]:
    """The lines of the file: part, feature, weight; tabs between."""
    return [
        f"{part}\t{name}\t{weight:.6g}"
        for part, weights in ranker.parts.items()
        for name, weight in weights.items()
    ]


def read_ranker(path: Path) -> Ranker:
    """Read a file of the form `ranker_lines` writes.

    Raises:
        InputError: if a line has not that form, or names a feature that there is not.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    known: dict[str, Sequence[str]] = {
        "channels": OF_CHANNELS,
        "all": FEATURES,
        "chance": OF_CHANCE,
        "question": OF_QUESTION,
    }
    weights: dict[str, dict[str, float]] = {part: {} for part in known}
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        try:
            part, name, weight = line.split("\t")
            if name not in known[part]:
                raise InputError(f"there is no feature {name!r}", path=path, line=number)
            weights[part][name] = float(weight)
        except (ValueError, KeyError) as error:
            raise InputError(
                "part, feature and weight are needed, with tabs between", path=path, line=number
            ) from error
    return Ranker(weights["channels"], weights["all"], weights["chance"], weights["question"])


@cache
def shipped_ranker() -> Ranker:
    """The weights of this release."""
    with resources.as_file(resources.files("inforce.retrieval.data") / "ranker.tsv") as path:
        return read_ranker(path)


def _vector(weights: Mapping[str, float], names: Iterable[str]) -> Column:
    return np.asarray([weights.get(name, 0.0) for name in names], dtype=np.float32)
