"""The learned ranking of candidates, and how sure it is of each.

Candidates are ordered by a weighted sum of their features (`inforce.retrieval.features`), and the
best of them once more with the features of their texts. The weights are in `data/ranker.tsv`, a
plain file that `recipes/finding.sh` writes. From the sums a logistic function makes the chance that
a candidate is one of the provisions that answer the question, comparable between questions: the
chance that law that is held answers the question at all, times the chance that, if so, it is this
candidate.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inforce.errors import InputError
from inforce.retrieval.candidates import Candidates, CandidateSearch
from inforce.retrieval.features import FEATURES, OF_CHANNELS, Rows
from inforce.retrieval.query import SearchQuery
from inforce.retrieval.text_features import has_word_for_word
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
"""Features of the chance of a candidate, if law in the corpus answers the question."""

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
"""Features of the chance that law in the corpus answers the question at all."""

PRIMARY_RULE = 0.3
"""The least chance of a rule that a topic names, if the channels find it likely enough
(`RAISED_AT_MOST`; measured: `design/search.md`)."""

SECONDARY_RULE = 0.1
"""The same of a rule whose topic fits the question less: too little to be quoted beside a primary
one."""

RAISED_AT_MOST = 6.0
"""How many times the chance that the channels give a rule a topic may make of it. A topic knows
words, not the question: of rules that the channels find unlikely, 1 in 10 answers what a topic
matched (measured on 900 questions: `design/search.md`)."""

VERBATIM = 0.9
"""The chance at least of a provision that has the last sentence of the question word for word."""

Column = NDArray[np.float32]


_PLACES = {name: place for place, name in enumerate(FEATURES)}

PARTS: Mapping[str, Sequence[str]] = {
    "channels": OF_CHANNELS,  # the first round, over all candidates
    "all": FEATURES,  # the second, over those whose texts are read
    "chance": OF_CHANCE,
    "question": OF_QUESTION,
}
"""The parts of the weights, and the features of each."""


@dataclass(frozen=True)
class Ranked:
    """Candidates in their order."""

    rows: Rows
    chances: Column
    """0 to 1, falling."""
    columns: Matrix
    """The features `OF_CHANNELS` of each."""
    answerable: float
    """The chance that law that is held answers the question at all, 0 to 1."""
    primary_rules: Collection[int] = ()
    """See `Candidates`, as for the secondary ones."""
    secondary_rules: Collection[int] = ()
    verbatim: Collection[int] = ()
    """The rows that have the last sentence of the question word for word."""


class Ranker:
    """Weights of features by part (see `PARTS`) and name; without a weight one does not count."""

    def __init__(self, weights: Mapping[str, Mapping[str, float]]) -> None:
        self.weights = weights
        self._channels, self._all, self._chance, self._question = (
            np.asarray([weights.get(part, {}).get(name, 0.0) for name in names], dtype=np.float32)
            for part, names in PARTS.items()
        )

    def shortlist(self, rows: Rows, columns: Matrix) -> Rows:
        """Return the places of all candidates, the best by the features of the channels first."""
        return np.lexsort((rows, -(columns @ self._channels)))

    def sums(self, features: Matrix) -> Column:
        """Return the weighted sums of features of channels and texts."""
        return features @ self._all

    def chances(self, features: Matrix) -> Column:
        """Return the chance of each candidate whose text was read, if law that is held answers."""
        return _logistic(chance_features(features, self.sums(features)) @ self._chance)

    def answerable(
        self, query: SearchQuery, features: Matrix, familiar: tuple[float, float]
    ) -> float:
        """Return the chance that law that is held answers a question at all."""
        values = question_features(query, features, self.sums(features), familiar)
        return float(_logistic(values @ self._question))

    def rank(self, search: CandidateSearch, candidates: Candidates) -> Ranked:
        """Order all candidates, the best first."""
        rows, columns = candidates.rows, candidates.columns
        order = self.shortlist(rows, columns)
        if not len(order):
            return Ranked(rows, np.zeros(0, np.float32), columns, 0.0)
        best, others = order[:SHORTLIST], order[SHORTLIST:]
        features = search.with_texts(candidates, best)
        verbatim = has_word_for_word(features[:, len(OF_CHANNELS) :])
        verbatim &= not candidates.query.is_translated  # words of a glossary are no quotation
        again = np.lexsort((rows[best], -self.sums(features), *_verbatim_keys(features, verbatim)))
        answerable = self.answerable(candidates.query, features, candidates.familiar)
        chances = answerable * self.chances(features)
        if verbatim.any():
            answerable = max(answerable, VERBATIM)
            chances = np.where(verbatim, np.maximum(chances, VERBATIM), chances)
        chances = np.minimum.accumulate(chances[again])
        order = np.concatenate([best[again], others])
        rest = chances[-1] / (2 + np.arange(len(others), dtype=np.float32))
        chances = np.concatenate([chances, rest]).astype(np.float32)
        if candidates.primary_rules or candidates.secondary_rules:
            answerable = max(answerable, PRIMARY_RULE)
            for named, chance in (
                (candidates.primary_rules, PRIMARY_RULE),
                (candidates.secondary_rules, SECONDARY_RULE),
            ):
                is_named = np.isin(rows[order], list(named))
                chances = np.where(is_named, raised(chances, chance), chances)
            by_chance = np.argsort(-chances, kind="stable")
            order, chances = order[by_chance], chances[by_chance]
        return Ranked(
            rows[order],
            chances,
            columns[order],
            answerable,
            candidates.primary_rules,
            candidates.secondary_rules,
            frozenset(rows[best][verbatim].tolist()),
        )


def raised(chances: Column, by_topic: float) -> Column:
    """Return the chances of rules that a topic names, at most `RAISED_AT_MOST` times their own."""
    return np.maximum(chances, np.minimum(by_topic, RAISED_AT_MOST * chances))


def _verbatim_keys(features: Matrix, verbatim: NDArray[np.bool_]) -> tuple[NDArray[Any], ...]:
    """Return keys for `numpy.lexsort`, whose last key counts first.

    Word-for-word copies come first, the fuller one before others, local law after national law.
    """
    exactly = np.where(verbatim, features[:, _PLACES["runs_asked"]].round(3), 0)
    return verbatim & (features[:, _PLACES["kind_local"]] > 0), -exactly, ~verbatim


def chance_features(features: Matrix, sums: Column) -> Matrix:
    """Return the columns `OF_CHANCE` of the candidates of one question."""
    shares = np.exp(sums - sums.max())
    computed = {
        BIAS: np.ones(len(sums)),
        "log_share": np.log(shares / shares.sum() + 1e-6),
        "gap": sums - sums.max(),
    }
    table = np.empty((len(sums), len(OF_CHANCE)), dtype=np.float32)
    for place, name in enumerate(OF_CHANCE):
        found = computed.get(name)
        table[:, place] = _feature(features, name) if found is None else found
    return table


def question_features(
    query: SearchQuery, features: Matrix, sums: Column, familiar: tuple[float, float]
) -> Column:
    """Return the columns `OF_QUESTION` of a question."""
    computed: dict[str, float] = {
        BIAS: 1.0,
        "has_statutory": features[:, _PLACES["has_statutory"]].max(),
        "best_sum": sums.max(),
        "familiar_words": familiar[0],
        "familiar_pairs": familiar[1],
        "foreign": query.is_foreign,
    }
    values = [
        computed[name] if name in computed else _feature(features, name) for name in OF_QUESTION
    ]
    return np.asarray(values, dtype=np.float32)


def _feature(features: Matrix, name: str) -> Column:
    """Return a column by its name; for ``best_NAME`` the highest value of that column."""
    best = name.removeprefix("best_")
    column = features[:, _PLACES[best]]
    return column if best == name else column.max()


def _logistic(value: Column) -> Column:
    return (1 / (1 + np.exp(-value))).astype(np.float32)


def ranker_lines(ranker: Ranker) -> list[str]:
    """Return the lines of the file: part, feature, weight; tabs between."""
    return [
        f"{part}\t{name}\t{weight:.6g}"
        for part, weights in ranker.weights.items()
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
    weights: dict[str, dict[str, float]] = {part: {} for part in PARTS}
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        try:
            part, name, weight = line.split("\t")
            if name not in PARTS[part]:
                raise InputError(f"there is no feature {name!r}", path=path, line=number)
            weights[part][name] = float(weight)
        except (ValueError, KeyError) as error:
            raise InputError(
                "part, feature and weight are needed, with tabs between", path=path, line=number
            ) from error
    return Ranker(weights)


@cache
def shipped_ranker() -> Ranker:
    """Return the weights of this release."""
    with resources.as_file(resources.files("inforce.retrieval.data") / "ranker.tsv") as path:
        return read_ranker(path)
