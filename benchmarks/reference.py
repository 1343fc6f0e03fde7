"""The pipeline of LegalSearch-R1, section 5.1, as published, which ours is compared with.

Every article of every version is a chunk, even if its wording did not change. It has jieba tokens
and rank_bm25 over all chunks, the date filter on a pandas frame, an article named in the question
as a filter, keywords counted as substrings in every chunk that passes, a flat faiss index searched
ten times as deep as needed, and weighted RRF.

It shares our query analysis (the paper asks a model), our vectors (so that encoders are equal) and
our fusion; its keywords include the names of the laws, as those of the paper's model do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from typing import Any

import numpy as np

from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.law.model import Provision, Version
from inforce.law.numerals import ProvisionNumber
from inforce.retrieval.analysis import QueryAnalysis
from inforce.retrieval.sources.indexed import FusedChannel, weighted_rrf
from inforce.store import Encoder

DEPTH = 50
"""Results of each channel for the fusion, as many as in our search."""

_LAST_DAY = date(2262, 4, 11)
"""The last day of a pandas timestamp, which means "still in force"."""

_REPEATED = 0.1
"""Score of each further occurrence of a keyword, relative to the first."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One article of one dated version."""

    work: str
    number: ProvisionNumber
    wording: str
    text: str
    """The indexed text: law, heading path and number above the wording."""
    valid_from: date | None
    valid_to: date | None
    """The last day in force. Both are ``None`` where either is unknown; such a chunk is found only
    by questions without a date, since in pandas a comparison with a missing value is false."""


class Reference:
    """The published pipeline over a list of chunks."""

    def __init__(self, chunks: Sequence[Chunk], encoder: Encoder) -> None:
        self.chunks = chunks
        self._encoder = encoder
        self._jieba: Any = import_module("jieba")
        self._jieba.setLogLevel("ERROR")
        self._frame: Any = _frame(chunks)
        self._bm25: Any = import_module("rank_bm25").BM25Okapi(
            [self._tokens(chunk.text) for chunk in chunks], k1=1.2, b=0.75, epsilon=0.25
        )
        self._flat: Any = _flat_index(encoder, [chunk.text for chunk in chunks])

    def search(
        self, analysis: QueryAnalysis, *, during: Sequence[DateRange], k: int = 10
    ) -> list[Chunk]:
        """Find the best k chunks for an analysed question; no dates filter nothing."""
        frame = self._in_force(during) if during else self._frame
        if analysis.provisions:
            numbers = [one.number.chinese for one in analysis.provisions]
            frame = frame[frame["number"].isin(numbers)]
        keywords = (*analysis.works, *analysis.keywords)
        rankings: dict[FusedChannel, list[int]] = {
            "keyword": _by_keyword(frame, keywords) if keywords else [],
            "dense": self._by_vector(analysis.query, frame),
            "bm25": self._by_bm25(analysis.query, frame),
        }
        return [self.chunks[fused.row] for fused in weighted_rrf(rankings)[:k]]

    def _tokens(self, text: str) -> list[str]:
        return list(self._jieba.cut(text))

    def _in_force(self, during: Sequence[DateRange]) -> Any:
        """Select the chunks in force at any time between the question's first and last day."""
        first = np.datetime64(min(window.start for window in during))
        last = np.datetime64(max(window.last or _LAST_DAY for window in during))
        frame = self._frame
        return frame[(frame["valid_from"] <= last) & (frame["valid_to"] >= first)]

    def _by_vector(self, query: str, frame: Any) -> list[int]:
        _, nearest = self._flat.search(self._encoder.encode([query], role="query"), 10 * DEPTH)
        passed = nearest[0][np.isin(nearest[0], frame.index)]
        return passed[:DEPTH].tolist()

    def _by_bm25(self, query: str, frame: Any) -> list[int]:
        rows = frame.index.to_numpy()
        scores = self._bm25.get_scores(self._tokens(query))[rows]
        return rows[np.argsort(-scores, kind="stable")[:DEPTH]].tolist()


def read_chunks(corpus: Corpus) -> list[Chunk]:
    """Read every article of every version record of a corpus, in a fixed order."""
    return [
        _chunk(held.version, provision)
        for work in corpus.titles()
        for held in corpus.texts(work)
        for provision in held.provisions
    ]


def _chunk(version: Version, provision: Provision) -> Chunk:
    window = version.validity.window
    return Chunk(
        version.work,
        provision.number,
        provision.text,
        f"{version.work} {provision.path} {provision.number.chinese}\n{provision.text}",
        window.start if window else None,
        window.last or _LAST_DAY if window else None,
    )


def _by_keyword(frame: Any, keywords: Sequence[str]) -> list[int]:
    def score(text: str) -> float:
        counts = [text.count(keyword) for keyword in keywords]
        return sum(1 + _REPEATED * (count - 1) for count in counts if count)

    scores = frame["text"].map(score)
    found = scores[scores > 0].sort_values(ascending=False, kind="stable")
    return found.index[:DEPTH].tolist()


def _frame(chunks: Sequence[Chunk]) -> Any:
    pandas: Any = import_module("pandas")
    return pandas.DataFrame(
        {
            "number": [chunk.number.chinese for chunk in chunks],
            "text": [chunk.text for chunk in chunks],
            "valid_from": pandas.to_datetime([chunk.valid_from for chunk in chunks]),
            "valid_to": pandas.to_datetime([chunk.valid_to for chunk in chunks]),
        }
    )


def _flat_index(encoder: Encoder, texts: Sequence[str]) -> Any:
    faiss: Any = import_module("faiss")
    flat = faiss.IndexFlatIP(encoder.dimension)
    flat.add(encoder.encode(texts, role="passage"))
    return flat
