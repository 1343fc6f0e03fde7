"""The three collections of documents: rankings the benchmark's retrievers gave, and a search here.

Where a query was recorded, its ranking is the retriever's own (dense, by an embedding model that is
not public). Any other query is answered by BM25 over the documents at hand, and says so: the
collections hold only what recorded runs were shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from inforce.retrieval.tokens import tokenize
from inforce.tools.legalagentbench.files import DocumentLine, RankingLine, read_lines

if TYPE_CHECKING:
    import tantivy

CollectionName = Literal["knowledge", "article", "case"]

CORPORA_FOLDER = "corpora"
RANKINGS = "retrieval_runs.jsonl"

_TERMS = "terms"
_PLACE = "place"
_WRITER_BYTES = 15_000_000
"""The least a writer of tantivy takes."""

Ranker = Literal["recorded", "computed"]


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """A document, and the ranker that found it."""

    document: DocumentLine
    ranker: Ranker

    @property
    def text(self) -> str:
        """Its text as the benchmark's server gave it."""
        return self.document.raw or self.document.text


class Collection:
    """Documents of one kind, with recorded rankings by query: ids, best first."""

    def __init__(
        self, documents: Sequence[DocumentLine], rankings: Mapping[str, Sequence[str]]
    ) -> None:
        self._documents = tuple(documents)
        self._by_id = {document.id: document for document in documents}
        self._rankings = dict(rankings)

    @classmethod
    def read_all(cls, folder: Path) -> dict[CollectionName, Collection]:
        """The collections of a world.

        Raises:
            InputError: if a file is missing or is not what it should be.
        """
        corpora = folder / CORPORA_FOLDER
        runs = read_lines(corpora / RANKINGS, RankingLine)
        return {
            name: cls(read_lines(corpora / f"{name}.jsonl", DocumentLine), _rankings(name, runs))
            for name in get_args(CollectionName)
        }

    def __len__(self) -> int:
        return len(self._documents)

    def best(self, query: str, k: int) -> tuple[RankedDocument, ...]:
        """Up to k documents, best first: the recorded ranking, then what a search here adds."""
        ids = self._rankings.get(query.strip(), ())
        recorded = [self._by_id[one] for one in ids if one in self._by_id][:k]
        ranked = [RankedDocument(document, "recorded") for document in recorded]
        if len(ranked) < k:
            others = (one for one in self._search(query, k) if one not in recorded)
            ranked += [RankedDocument(document, "computed") for document in others]
        return tuple(ranked[:k])

    def _search(self, query: str, limit: int) -> list[DocumentLine]:
        import tantivy

        if not self._documents:
            return []
        index = self._index
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(index.schema, _TERMS, term))
            for term in dict.fromkeys(tokenize(query))
        ]
        if not terms:
            return []
        searcher = index.searcher()
        hits = searcher.search(tantivy.Query.boolean_query(terms), limit=len(self._documents)).hits
        ranked = [(-score, searcher.doc(address)[_PLACE][0]) for score, address in hits]
        return [self._documents[place] for _, place in sorted(ranked)[:limit]]

    @cached_property
    def _index(self) -> tantivy.Index:
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_text_field(_TERMS, tokenizer_name="whitespace", index_option="freq")
        builder.add_unsigned_field(_PLACE, stored=True)
        index = tantivy.Index(builder.build())
        writer = index.writer(heap_size=_WRITER_BYTES, num_threads=1)
        for place, document in enumerate(self._documents):
            entry = tantivy.Document()
            entry.add_text(_TERMS, " ".join(tokenize(f"{document.title}\n{document.text}")))
            entry.add_unsigned(_PLACE, place)
            writer.add_document(entry)
        writer.commit()
        index.reload()
        return index


def _rankings(name: CollectionName, runs: Sequence[RankingLine]) -> dict[str, tuple[str, ...]]:
    tool = f"legal_{name}_retriever"
    return {
        run.query_or_plan.strip(): run.results
        for run in runs
        if run.is_exact_query and run.tool == tool
    }
