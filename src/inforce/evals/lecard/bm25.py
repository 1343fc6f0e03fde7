"""BM25 over whole judgments: every word of a query counts, also of one thousands of words long.

The sources agents search ask with the rarest words alone, for speed over millions of documents;
what papers compare with asks them all.
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
    """Judgments by their words.

    >>> cases = [Candidate("1", "盗窃 手机"), Candidate("2", "抢劫 手机"), Candidate("3", "诈骗")]
    >>> Bm25(cases).rank("抢劫手机", k=2)
    ['2', '1']
    """

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        from sklearn.feature_extraction import text

        vectorizer: Any = text.CountVectorizer  # its types know no analyser of one's own
        self._ids: list[str] = []
        self._words: Any = vectorizer(analyzer=tokenize, dtype=np.float32)
        self._weights: Any = self._words.fit_transform(self._texts(candidates))
        _weigh(self._weights)
        self._rows = {id: row for row, id in enumerate(self._ids)}

    def _texts(self, candidates: Iterable[Candidate]) -> Iterable[str]:
        """The texts one by one; what stays of them is their ids and their words."""
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
        asked: Any = self._words.transform([query])
        scores: NDArray[np.float32] = np.asarray((self._weights[rows] @ asked.T).todense()).ravel()
        best = np.argsort(-scores, kind="stable")[:k]
        return [self._ids[rows[place]] for place in best if scores[place] > 0]


def _weigh(counts: Any) -> None:
    """Turn occurrences into what they are worth: Robertson's weights, rarity as Lucene has it.

    In place and in single precision: all candidates have thirty million words.
    """
    lengths: NDArray[np.float32] = np.asarray(counts.sum(axis=1), np.float32).ravel()
    having: NDArray[np.int64] = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = np.log1p((len(lengths) - having + 0.5) / (having + 0.5)).astype(np.float32)
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    counts.data /= counts.data + np.repeat(norms, np.diff(counts.indptr))
    counts.data *= rarity[counts.indices]
    counts.data *= K1 + 1
