"""A light gate: a linear softmax over a query's features says which source it is for.

The "MoE-style dispatcher" of MSR2, section 3.3: a query becomes a vector, one linear layer turns it
into a distribution over sources, and the top one (or top k) is asked. The vector counts the words
of the query and its short character sequences, hashed into `DIMENSION` columns, so that there is no
vocabulary to keep; training is a logistic regression (scikit-learn), use needs numpy only.

The built-in gate is trained on queries made from the patterns of `.gate_examples`. Of 84 queries
written by hand before those patterns were, and never trained on, it names the source of 77 (0.92)
and has it among its first two for 83 (0.99). Queries of another kind may fare worse; `train_gate`
makes a gate from your own, `accuracy` measures it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from inforce.errors import InputError, UserError
from inforce.files import make_folder, write_file
from inforce.retrieval.sources.source import SOURCE_NAMES, SourceName
from inforce.retrieval.tokens import tokenize

FORM = 1
"""Raised whenever the features change: a gate saved before is then refused."""

DIMENSION = 1 << 13
SEQUENCES = (2, 3)
"""Lengths of the character sequences counted."""

_PENALTY = 10.0
_SPACE = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+")
_LONGEST = 2_000
"""Characters of a query that are read."""


@dataclass(frozen=True, slots=True)
class LabelledQuery:
    """A query and the source it is for."""

    query: str
    source: SourceName


class LightGate:
    """A trained gate.

    Args:
        sources: the source of each row of the weights.
        weights: a row of `DIMENSION` numbers for each source.
        bias: a number for each source.
    """

    def __init__(
        self,
        sources: Sequence[SourceName],
        weights: NDArray[np.float32],
        bias: NDArray[np.float32],
    ) -> None:
        self.sources = tuple(sources)
        self._weights = weights
        self._bias = bias

    def scores(self, query: str) -> dict[SourceName, float]:
        """Return the chance of each source; none for a query without features."""
        features = _features(query)
        if not features:
            return {}
        columns = np.fromiter(features.keys(), dtype=np.int64, count=len(features))
        values = np.fromiter(features.values(), dtype=np.float32, count=len(features))
        logits = self._weights[:, columns] @ values + self._bias
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        return {name: float(share) for name, share in zip(self.sources, shares, strict=True)}

    def best(self, query: str) -> SourceName | None:
        """Return the most likely source; ``None`` for a query without features."""
        scores = self.scores(query)
        return max(scores, key=lambda name: scores[name]) if scores else None

    def save(self, folder: Path) -> None:
        """Write the gate as two plain arrays and a description."""
        make_folder(folder)
        np.save(folder / "weights.npy", self._weights)
        np.save(folder / "bias.npy", self._bias)
        about = {"form": FORM, "dimension": DIMENSION, "sources": self.sources}
        write_file(folder / "gate.json", json.dumps(about))

    @classmethod
    def load(cls, folder: Path) -> LightGate:
        """Read a saved gate.

        Raises:
            InputError: if it is missing, damaged, or of another form.
        """
        try:
            about: dict[str, Any] = json.loads((folder / "gate.json").read_text(encoding="utf-8"))
            weights = np.load(folder / "weights.npy", allow_pickle=False)
            bias = np.load(folder / "bias.npy", allow_pickle=False)
            form, names = (about["form"], about["dimension"]), tuple(about["sources"])
        except (OSError, ValueError, EOFError, KeyError, TypeError) as error:
            raise InputError(f"no readable gate ({error}); train it anew", path=folder) from error
        if form != (FORM, DIMENSION):
            raise InputError("a gate of another version: train it anew", path=folder)
        fits = weights.shape == (len(names), DIMENSION) and bias.shape == (len(names),)
        if not fits or not set(names) <= set(SOURCE_NAMES):
            raise InputError("weights that do not fit the sources: train it anew", path=folder)
        return cls(names, weights.astype(np.float32), bias.astype(np.float32))


def train_gate(examples: Iterable[LabelledQuery]) -> LightGate:
    """Train a gate; the same examples give the same gate.

    Raises:
        UserError: if there are not at least two sources among the examples.
    """
    examples = list(examples)
    present: set[SourceName] = {one.source for one in examples}
    names: list[SourceName] = [name for name in SOURCE_NAMES if name in present]
    if len(names) < 2:
        raise UserError("a gate needs example queries for at least two sources")
    linear: Any = import_module("sklearn.linear_model")
    threads: Any = import_module("threadpoolctl")  # threads only get in each other's way here
    model = linear.LogisticRegression(C=_PENALTY, max_iter=1_000)
    with threads.threadpool_limits(1):
        model.fit(
            _matrix([one.query for one in examples]), [names.index(one.source) for one in examples]
        )
    weights, bias = np.asarray(model.coef_), np.asarray(model.intercept_)
    if len(names) == 2:  # scikit-learn keeps one row where one is enough
        weights, bias = np.vstack([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    return LightGate(names, weights.astype(np.float32), bias.astype(np.float32))


def accuracy(gate: LightGate, examples: Sequence[LabelledQuery], *, top: int = 1) -> float:
    """Return the share of queries whose source is among the gate's ``top`` choices."""
    if not examples:
        raise UserError("no queries to measure the gate on")
    right = 0
    for one in examples:
        scores = gate.scores(one.query)
        right += one.source in sorted(scores, key=lambda name: (-scores[name], name))[:top]
    return right / len(examples)


@cache
def built_in_gate() -> LightGate:
    """Return the gate trained on the built-in examples; takes two seconds, once a process."""
    from inforce.retrieval.sources.gate_examples import examples

    return train_gate(examples())


def _matrix(queries: Sequence[str]) -> Any:
    sparse: Any = import_module("scipy.sparse")
    rows = [_features(query) for query in queries]
    columns = [column for row in rows for column in row]
    values = [value for row in rows for value in row.values()]
    ends = np.cumsum([0, *(len(row) for row in rows)])
    return sparse.csr_matrix((values, columns, ends), shape=(len(rows), DIMENSION))


def _features(query: str) -> dict[int, float]:
    """Hashed words and character sequences: 1 + ln(count), to unit length."""
    plain = _SPACE.sub(" ", unicodedata.normalize("NFKC", query[:_LONGEST]).casefold()).strip()
    plain = _DIGITS.sub("0", plain)
    counts = Counter(f"w {word}" for word in tokenize(plain))
    if not counts:
        return {}
    for length in SEQUENCES:
        counts.update(plain[at : at + length] for at in range(len(plain) - length + 1))
    weights: dict[int, float] = {}
    for name, count in sorted(counts.items()):
        column = crc32(name.encode()) % DIMENSION
        weights[column] = weights.get(column, 0.0) + 1.0 + float(np.log(count))
    length = float(np.sqrt(sum(value * value for value in weights.values())))
    return {column: value / length for column, value in weights.items()}
