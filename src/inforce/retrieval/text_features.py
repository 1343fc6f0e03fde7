"""Features of the texts of candidates: how far a provision speaks in the words of a question.

All texts are compared at once, as arrays of numbers: one for each pair of neighbouring characters,
one for each run of four.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from inforce.retrieval.query import SearchQuery
from inforce.retrieval.tokens import bigrams
from inforce.store import Matrix, Snapshot

OF_TEXT = (
    "clause",  # the clause best covered by the question: share of its pairs
    "second_clause",
    "asked_clause",  # the clause that covers most of the last sentence of the question
    "asked_text",  # how much of the last sentence the provision covers
    "runs_text",  # share of its runs of four characters that are in the question
    "runs_asked",  # share of those of the last sentence that are in it
    "runs",  # ln(1 + runs in common) / 3
)

_WORD_FOR_WORD, _FEWEST_RUNS = 0.9, 10
"""The share of the last sentence's runs of four characters that a provision which has it word for
word must have, and how many at least."""

_Numbers = NDArray[np.uint64]
_Places = NDArray[np.int64]
_Weights = NDArray[np.float64]


def has_word_for_word(features: Matrix) -> NDArray[np.bool_]:
    """Return which texts have the last sentence of the question word for word, by `OF_TEXT`."""
    runs, runs_asked = (features[:, OF_TEXT.index(name)] for name in ("runs", "runs_asked"))
    return (runs >= math.log1p(_FEWEST_RUNS) / 3) & (runs_asked >= _WORD_FOR_WORD)


class _Payload(msgspec.Struct):
    text: str


class ProvisionTexts:
    """The texts of provisions, cached until they are many."""

    _CACHED = 32_768

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[int, str] = {}
        self._decode = msgspec.json.Decoder(_Payload).decode

    def of(self, rows: Sequence[int]) -> list[str]:
        """Return the texts of rows, in their order."""
        known = self._known
        missing = [row for row in rows if row not in known]
        if len(known) + len(missing) > self._CACHED:
            self._known = known = {}
            missing = rows
        payloads = self._snapshot.payloads(missing)
        known.update(
            (row, self._decode(one).text) for row, one in zip(missing, payloads, strict=True)
        )
        return [known[row] for row in rows]


@dataclass(frozen=True)
class QuestionText:
    """A question as numbers, to be compared with texts."""

    pairs: _Numbers
    """The pairs of the question, sorted."""
    weights: _Weights
    """The weight of each pair in the last sentence; 0 where it is not in it."""
    runs: _Numbers
    """Sorted."""
    last_runs: _Numbers

    @classmethod
    def of(
        cls, query: SearchQuery, weigh: Callable[[Sequence[str], str], Sequence[float]]
    ) -> QuestionText:
        """Prepare a question; ``weigh`` gives the inverse frequencies of pairs in a channel."""
        in_last = list(dict.fromkeys(bigrams(query.last_sentence)))
        last = dict(zip(in_last, weigh(in_last, "bigrams"), strict=True))
        pairs = sorted({*query.pairs, *last})
        last_runs = _compared([query.last_sentence]).runs
        return cls(
            np.asarray([ord(one) << 16 | ord(other) for one, other in pairs], dtype=np.uint64),
            np.asarray([last.get(pair, 0.0) for pair in pairs], dtype=np.float64),
            np.union1d(_compared([query.content]).runs, last_runs),
            last_runs,
        )

    def features(self, texts: Sequence[str]) -> Matrix:
        """Return the columns `OF_TEXT` of texts: ``(len(texts), len(OF_TEXT))``."""
        found = np.zeros((len(texts), len(OF_TEXT)), dtype=np.float32)
        for start in range(0, len(texts), _TOGETHER):
            compared = _compared(texts[start : start + _TOGETHER])
            columns = (*self._of_clauses(compared), *self._of_runs(compared))
            found[start : start + _TOGETHER] = np.stack(columns, axis=1)
        return found

    def _of_clauses(self, texts: _Compared) -> tuple[_Weights, ...]:
        clause, pair = np.divmod(texts.pairs, _OF_ONE_CLAUSE)
        clause = clause.astype(np.int64)
        sizes = np.bincount(clause, minlength=len(texts.clauses))
        place, is_said = _places(pair, self.pairs)
        is_said &= sizes[clause] >= _CLAUSE_PAIRS
        clause, place = clause[is_said], place[is_said]
        covered = np.bincount(clause, minlength=len(sizes)) / (sizes + 2)
        of_question = np.bincount(clause, self.weights[place], minlength=len(sizes))

        first = np.searchsorted(texts.clauses, np.arange(texts.number))
        last = np.append(first[1:], len(sizes)) - 1
        best_first = covered[np.lexsort((-covered, texts.clauses))]
        second = np.where(last > first, best_first[np.minimum(first + 1, last)], 0.0)

        said = np.unique(texts.clauses[clause] * len(self.pairs) + place)
        text, place = np.divmod(said, max(1, len(self.pairs)))
        by_text = np.bincount(text, self.weights[place], minlength=texts.number)
        total = float(self.weights.sum()) or 1.0
        return (
            best_first[first],
            second,
            np.maximum.reduceat(of_question, first) / total,
            by_text / total,
        )

    def _of_runs(self, texts: _Compared) -> tuple[_Weights, ...]:
        text, run = np.divmod(texts.runs, _OF_ONE_TEXT)
        text = text.astype(np.int64)

        def count(among: NDArray[np.bool_] | slice) -> NDArray[Any]:
            return np.bincount(text[among], minlength=texts.number)

        common = count(_places(run, self.runs)[1])
        in_last = count(_places(run, self.last_runs)[1])
        return (
            common / (count(slice(None)) + 10),
            in_last / (len(self.last_runs) + 1),
            np.log1p(common) / 3,
        )


_CLAUSE_PAIRS = 3
"""Different pairs that a clause has at least."""

_TOGETHER = 64
"""Texts compared at once: their number and a run of four characters fit into 64 bits."""

_CHINESE, _DIGIT, _END, _NUMERAL, _LISTING = 1, 2, 4, 8, 16
"""Kinds of characters; a listing 、 ends a clause after a numeral: 一、……."""

_FIRST, _LAST = 0x4E00, 0x9FFF
_DIGITS = _LAST - _FIRST + 1
_SIGNS = _DIGITS + 10
"""Chinese characters and digits: those that runs are made of."""
_OF_ONE_TEXT = np.uint64(_SIGNS**4)
_CHARACTERS = np.uint64(0x10000)
_OF_ONE_CLAUSE = _CHARACTERS * _CHARACTERS


def _kinds() -> NDArray[np.uint8]:
    kinds = np.zeros(0x10000, dtype=np.uint8)
    kinds[_FIRST : _LAST + 1] = _CHINESE
    for kind, characters in (
        (_DIGIT, "0123456789"),
        (_END, "，；。：:;,\n（）()"),
        (_NUMERAL, "一二三四五六七八九十"),
        (_LISTING, "、"),
    ):
        kinds[[ord(one) for one in characters]] |= kind
    return kinds


_KINDS = _kinds()


class _Compared(NamedTuple):
    """Texts as numbers."""

    number: int
    clauses: _Places
    """The text of each clause, in order."""
    pairs: _Numbers
    """Different pairs of characters, plus the number of their clause times `_OF_ONE_CLAUSE`."""
    runs: _Numbers
    """Different runs of four, plus the number of their text times `_OF_ONE_TEXT`; sorted."""


def _compared(texts: Sequence[str]) -> _Compared:
    codes = np.frombuffer("\n".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _KINDS[np.minimum(codes, 0xFFFF)]
    text_of = np.repeat(np.arange(len(texts)), [len(text) + 1 for text in texts])

    is_end = (kinds & _END) > 0
    is_end[1:] |= ((kinds[1:] & _LISTING) > 0) & ((kinds[:-1] & _NUMERAL) > 0)
    clauses = text_of[np.concatenate([[0], np.flatnonzero(is_end) + 1])]
    clause_of = np.cumsum(is_end, dtype=np.uint64)

    is_chinese, is_sign = (kinds & _CHINESE) > 0, (kinds & (_CHINESE | _DIGIT)) > 0
    codes = codes.astype(np.uint64)
    at = np.flatnonzero(is_chinese[:-1] & is_chinese[1:])
    pairs = (clause_of[at] * _CHARACTERS + codes[at]) * _CHARACTERS + codes[at + 1]

    signs = np.where(is_chinese, codes - _FIRST, codes + (_DIGITS - ord("0")))
    at = np.flatnonzero(is_sign[:-3] & is_sign[1:-2] & is_sign[2:-1] & is_sign[3:])
    runs = text_of[at].astype(np.uint64)
    for further in range(4):
        runs = runs * _SIGNS + signs[at + further]
    return _Compared(len(texts), clauses, _distinct(pairs), _distinct(runs))


def _distinct(numbers: _Numbers) -> _Numbers:
    """Return each number once, sorted; ten times as fast as `numpy.unique`, which hashes them."""
    found = np.sort(numbers)
    return found[np.append(True, found[1:] != found[:-1])[: len(found)]]


def _places(numbers: _Numbers, among: _Numbers) -> tuple[_Places, NDArray[np.bool_]]:
    """Return the place of each number among sorted ones, and whether it is there."""
    if not len(among):
        return np.zeros(len(numbers), dtype=np.int64), np.zeros(len(numbers), dtype=np.bool_)
    places = np.minimum(np.searchsorted(among, numbers), len(among) - 1)
    return places, among[places] == numbers
