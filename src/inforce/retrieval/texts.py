"""Features of the texts of candidates: how far a provision speaks in the words of a question."""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from inforce.retrieval.query import SearchQuery
from inforce.retrieval.tokens import bigrams
from inforce.store import Snapshot

OF_TEXT = (
    "clause",  # the clause best covered by the question: share of its pairs
    "second_clause",
    "asked_clause",  # the clause that covers most of the last sentence of the question
    "asked_text",  # how much of the last sentence the provision covers
    "runs_text",  # share of its runs of four characters that are in the question
    "runs_asked",  # share of those of the last sentence that are in it
    "runs",  # ln(1 + runs in common) / 3
)


class _Payload(msgspec.Struct):
    text: str


class ProvisionPairs(NamedTuple):
    """A text as its features need it."""

    clauses: tuple[frozenset[str], ...]
    pairs: frozenset[str]
    runs: frozenset[str]


class ProvisionTexts:
    """The texts of provisions, the last ones remembered."""

    _REMEMBERED = 8_192

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: OrderedDict[int, ProvisionPairs] = OrderedDict()
        self._decode = msgspec.json.Decoder(_Payload).decode

    def __getitem__(self, row: int) -> ProvisionPairs:
        if row in self._known:
            self._known.move_to_end(row)
            return self._known[row]
        [payload] = self._snapshot.payloads([row])
        text = self._decode(payload).text
        parts = (frozenset(bigrams(part)) for part in _CLAUSE_END.split(text))
        clauses = tuple(part for part in parts if len(part) >= _CLAUSE_PAIRS)
        found = ProvisionPairs(clauses, frozenset().union(*clauses), _runs(text))
        self._known[row] = found
        if len(self._known) > self._REMEMBERED:
            self._known.popitem(last=False)
        return found


_CLAUSE_END = re.compile(r"[，；。：:;,\n（）()]|(?<=[一二三四五六七八九十])、")
_CLAUSE_PAIRS = 3
_RUN = 4
_CHINESE = re.compile(r"[\u4e00-\u9fff0-9]+")


@dataclass(frozen=True)
class QuestionText:
    """A question as the features of texts need it."""

    pairs: frozenset[str]
    last: Mapping[str, float]
    """The pairs of the last sentence with their weights."""
    total: float
    runs: frozenset[str]
    last_runs: frozenset[str]

    @classmethod
    def of(cls, query: SearchQuery, weigh: Callable[[str, str], float]) -> QuestionText:
        """Of a question; ``weigh`` gives the inverse frequency of a pair in a channel."""
        last = {pair: weigh(pair, "bigrams") for pair in bigrams(query.last_sentence)}
        return cls(
            frozenset(query.pairs),
            last,
            sum(last.values()) or 1.0,
            _runs(query.content),
            _runs(query.last_sentence),
        )

    def features(self, provision: ProvisionPairs) -> tuple[float, ...]:
        """The columns `OF_TEXT`."""
        covered, asked = [0.0, 0.0], 0.0
        for clause in provision.clauses:
            if shared := clause & self.pairs:
                covered.append(len(shared) / (len(clause) + 2))
                asked = max(asked, sum(self.last.get(pair, 0.0) for pair in shared))
        covered.sort(reverse=True)
        said = sum(weight for pair, weight in self.last.items() if pair in provision.pairs)
        runs = len(self.runs & provision.runs)
        return (
            covered[0],
            covered[1],
            asked / self.total,
            said / self.total,
            runs / (len(provision.runs) + 10),
            len(self.last_runs & provision.runs) / (len(self.last_runs) + 1),
            math.log1p(runs) / 3,
        )


def _runs(text: str) -> frozenset[str]:
    """Runs of four characters."""
    return frozenset(
        part[at : at + _RUN]
        for part in _CHINESE.findall(text)
        for at in range(len(part) - _RUN + 1)
    )
