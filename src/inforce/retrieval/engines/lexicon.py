"""The inverted index: BM25 over our tokens, and exact names and keywords (tantivy underneath).

Dates are not part of the ordinary query: the best `FIRST_LOOK` rows are fetched and checked
against a numpy mask, and only if too few survive is the dated query asked. Same answer, two to
three times cheaper.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import tantivy

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.retrieval.engines import Document, EngineQuery, Scored
from inforce.retrieval.engines.validity import FOREVER
from inforce.retrieval.fusion import Channel
from inforce.retrieval.tokens import tokenize

FIRST_LOOK = 200
MAX_QUERY_TERMS = 48
"""A question of a thousand words is asked with its rarest terms: the rest only cost time."""

_WRITER_HEAP = 64_000_000
_TIE_BREAK = 0.01
"""How much BM25 counts between rows that match the same keywords."""

Keep = Callable[[int], bool]
"""Whether a row is alive and allowed by the date filter."""


class Lexicon:
    """The inverted index of a folder: one writer at a time, any number of readers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._schema = _schema()
        self._idf: dict[str, float] = {}
        with self._naming_damage():
            if not tantivy.Index.exists(str(folder)):
                raise ValueError("its list of files, meta.json, is missing")
            self._index = tantivy.Index(self._schema, path=str(folder))
            self._searcher = self._index.searcher()

    @classmethod
    def create(cls, folder: Path) -> Lexicon:
        """Make an empty lexicon, or open the one there."""
        folder.mkdir(parents=True, exist_ok=True)
        tantivy.Index(_schema(), path=str(folder))
        return cls(folder)

    def reload(self) -> None:
        """See what was committed since."""
        with self._naming_damage():
            self._index.reload()
            self._searcher = self._index.searcher()
        self._idf.clear()

    @contextmanager
    def writing(self) -> Generator[LexiconWriter]:
        """Hold the one writer of this folder; nothing is visible before `LexiconWriter.commit`.

        Raises:
            SearchIndexError: if another process is writing.
        """
        try:
            writer = self._index.writer(_WRITER_HEAP)
        except ValueError as error:
            if "LockBusy" not in str(error):
                raise _damaged(self._folder, error) from error
            raise SearchIndexError(
                f"another process is writing the index in {self._folder.parent}; try again when "
                f"it is done ({error})"
            ) from error
        try:
            yield LexiconWriter(writer, self._schema)
        finally:
            writer.wait_merging_threads()

    def search(
        self,
        channel: Channel,
        query: EngineQuery,
        *,
        keep: Keep,
        during: Sequence[DateRange],
        k: int,
    ) -> list[Scored]:
        """The best k kept rows of the keyword or BM25 channel; ties go to the lower row."""
        asked = self._keyword_query(query) if channel == "keyword" else self._bm25_query(query.text)
        if asked is None:
            return []
        with self._naming_damage():
            return self._best(asked, keep, during, k)

    def _best(
        self, asked: tantivy.Query, keep: Keep, during: Sequence[DateRange], k: int
    ) -> list[Scored]:
        query, limit = asked, max(FIRST_LOOK, k)
        while True:
            hits = self._top(query, limit)
            kept = [hit for hit in hits if keep(hit.row)]
            if len(kept) >= k or len(hits) < limit:
                return kept[:k]
            if query is asked and during:
                query = self._dated(asked, during)
            else:
                limit *= 8  # rows that a crash left behind stand in the way: look past them

    def weigh(self, keyword: str) -> float:
        """The weight of the rarest part of a keyword; ln(1 + 2N) for one no document has."""
        weights = [self._inverse_frequency(term) for term in tokenize(keyword)]
        return max(weights) if all(weights) and weights else math.log1p(2 * self._searcher.num_docs)

    @contextmanager
    def _naming_damage(self) -> Generator[None]:
        """Tantivy answers damaged files with a ValueError or a panic, which is no `Exception`."""
        try:
            yield
        except BaseException as error:
            if isinstance(error, ValueError) or type(error).__name__ == "PanicException":
                raise _damaged(self._folder, error) from error
            raise

    def _top(self, query: tantivy.Query, limit: int) -> list[Scored]:
        searcher = self._searcher  # one view throughout: another thread may reload meanwhile
        hits = searcher.search(query, limit, count=False).hits
        addresses = [address for _, address in hits]
        rows = cast("list[int]", searcher.fast_field_values("row", addresses))
        scores = [cast(float, score) for score, _ in hits]
        scored = [Scored(row, score) for row, score in zip(rows, scores, strict=True)]
        return sorted(scored, key=lambda hit: (-hit.score, hit.row))

    def _bm25_query(self, text: str) -> tantivy.Query | None:
        terms = self._rarest(dict.fromkeys(tokenize(text)))
        return self._any([self._term("body", term) for term in terms]) if terms else None

    def _keyword_query(self, query: EngineQuery) -> tantivy.Query | None:
        """Every exact name and keyword found adds its weight; BM25 decides among equals."""
        clauses = [self._exact(name, weight) for name, weight in query.locators]
        clauses += [
            tantivy.Query.const_score_query(self._all_of(terms), self._weight(terms))
            for keyword in query.keywords
            if (terms := tokenize(keyword))
        ]
        if not clauses:
            return None
        ranked = self._bm25_query(query.text)
        if ranked is None:
            return self._any(clauses)
        tie_break = tantivy.Query.boost_query(ranked, _TIE_BREAK)
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, self._any(clauses)), (tantivy.Occur.Should, tie_break)]
        )

    def _exact(self, name: str, weight: float) -> tantivy.Query:
        return tantivy.Query.const_score_query(self._term("locator", name), weight)

    def _term(self, field: str, value: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, value, "freq")

    def _any(self, queries: Sequence[tantivy.Query]) -> tantivy.Query:
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])

    def _all_of(self, terms: Sequence[str]) -> tantivy.Query:
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, self._term("body", term)) for term in dict.fromkeys(terms)]
        )

    def _weight(self, terms: Sequence[str]) -> float:
        """A keyword weighs what its rarest part tells: its inverse document frequency."""
        return max(self._inverse_frequency(term) for term in terms)

    def _rarest(self, terms: Iterable[str]) -> list[str]:
        weights = {term: self._inverse_frequency(term) for term in terms}
        known = [term for term, weight in weights.items() if weight > 0]
        return sorted(known, key=lambda term: (-weights[term], term))[:MAX_QUERY_TERMS]

    def _inverse_frequency(self, term: str) -> float:
        """ln(1 + N / df), zero for a term no document has."""
        weight = self._idf.get(term)
        if weight is None:
            found = self._searcher.doc_freq("body", term)
            weight = math.log1p(self._searcher.num_docs / found) if found else 0.0
            self._idf[term] = weight
        return weight

    def _dated(self, query: tantivy.Query, during: Sequence[DateRange]) -> tantivy.Query:
        if not during:
            return query
        windows = self._any([self._overlaps(wanted) for wanted in during])
        dated = tantivy.Query.const_score_query(windows, 0.0)
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, query), (tantivy.Occur.Must, dated)]
        )

    def _overlaps(self, wanted: DateRange) -> tantivy.Query:
        end = wanted.end.toordinal() if wanted.end else FOREVER
        began = tantivy.Query.range_query(
            self._schema,
            "start",
            tantivy.FieldType.Unsigned,
            upper_bound=end,
            include_upper=False,
        )
        not_over = tantivy.Query.range_query(
            self._schema,
            "end",
            tantivy.FieldType.Unsigned,
            lower_bound=wanted.start.toordinal(),
            include_lower=False,
        )
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, began), (tantivy.Occur.Must, not_over)]
        )


class LexiconWriter:
    """The one writer of a lexicon."""

    def __init__(self, writer: tantivy.IndexWriter, schema: tantivy.Schema) -> None:
        self._writer = writer
        self._schema = schema

    def forget_from(self, row: int) -> None:
        """Drop rows from ``row`` on: what a writer that crashed left behind."""
        rows = tantivy.Query.range_query(
            self._schema, "row", tantivy.FieldType.Unsigned, lower_bound=row
        )
        self._writer.delete_documents_by_query(rows)

    def forget(self, keys: Iterable[str]) -> None:
        """Drop documents by key."""
        for key in keys:
            self._writer.delete_documents_by_term("key", key)

    def add(self, row: int, document: Document, tokens: Sequence[str]) -> None:
        """Add a row with its tokens."""
        self._writer.add_document(_entry(row, document, tokens))

    def commit(self) -> None:
        """Make everything since the last commit durable."""
        self._writer.commit()


def _damaged(folder: Path, error: BaseException) -> SearchIndexError:
    return SearchIndexError(
        f"the lexicon in {folder} is damaged ({error}); "
        "rebuild it with: inforce corpus index --rebuild"
    )


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("locator", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("row", indexed=True, fast=True)
    builder.add_unsigned_field("start", indexed=True, fast=True)
    builder.add_unsigned_field("end", indexed=True, fast=True)
    return builder.build()


def _entry(row: int, document: Document, tokens: Sequence[str]) -> tantivy.Document:
    entry = tantivy.Document()
    entry.add_text("body", " ".join(tokens))
    entry.add_text("key", document.key)
    for locator in document.locators:
        entry.add_text("locator", locator)
    entry.add_unsigned("row", row)
    valid = document.valid
    entry.add_unsigned("start", valid.start.toordinal() if valid else FOREVER)
    entry.add_unsigned("end", _end(valid))
    return entry


def _end(valid: DateRange | None) -> int:
    if valid is None:
        return 0
    return valid.end.toordinal() if valid.end else FOREVER
