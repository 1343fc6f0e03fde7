"""BM25 over whole judgments: every word of a query counts, even of one with thousands of words.

The sources of agents are searched by the rarest words alone, for speed over millions of documents;
the baseline of the papers uses them all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from inforce.evals.lecard.files import Candidate
from inforce.retrieval.tokens import tokenize

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1, B = 1.2, 0.75


class Bm25:
    """An index of judgments by their words.

    >>> cases = [Candidate("1", "盗窃 手机"), Candidate("2", "抢劫 手机"), Candidate("3", "诈骗")]
    >>> Bm25(cases).rank("抢劫手机", k=2)
    ['2', '1']
    """

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        from sklearn.feature_extraction import text

        vectorizer: Any = text.CountVectorizer  # its types lack a custom analyser
        self._ids: list[str] = []
        self._words: Any = vectorizer(analyzer=tokenize, dtype=np.float32)
        self._weights: Any = self._words.fit_transform(self._texts(candidates))
        _weigh(self._weights)
        self._rows = {id: row for row, id in enumerate(self._ids)}

    def _texts(self, candidates: Iterable[Candidate]) -> Iterable[str]:
        """The texts one by one, so that only ids and words stay in memory."""
        for one in candidates:
            self._ids.append(one.id)
            yield one.text

    def rank(self, query: str, *, k: int, among: Collection[str] | None = None) -> list[str]:
        """The ids of the k best judgments, best first, equal ones in the order of the file.

        Judgments that share no word with the query are left out.

        Args:
            query: any text.
            k: how many.
            among: ids of the judgments to rank; all of them where ``None``.
        """
        rows: Sequence[int] = range(len(self._ids))
        if among is not None:
            rows = sorted(self._rows[id] for id in set(among) if id in self._rows)
        words: Any = self._words.transform([query])
        scores: NDArray[np.float32] = np.asarray((self._weights[rows] @ words.T).todense()).ravel()
        best = np.argsort(-scores, kind="stable")[:k]
        return [self._ids[rows[place]] for place in best if scores[place] > 0]


def _weigh(counts: Any) -> None:
    """Turn counts into weights in place: Robertson's weights, with Lucene's measure of rarity.

    In single precision, since all candidates have thirty million words.
    """
    lengths: NDArray[np.float32] = np.asarray(counts.sum(axis=1), np.float32).ravel()
    documents: NDArray[np.int64] = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = np.log1p((len(lengths) - documents + 0.5) / (documents + 0.5)).astype(np.float32)
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    counts.data /= counts.data + np.repeat(norms, np.diff(counts.indptr))
    counts.data *= rarity[counts.indices]
    counts.data *= K1 + 1
