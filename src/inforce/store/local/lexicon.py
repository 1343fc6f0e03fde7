"""The inverted index of a build (tantivy): terms of the channels, exact terms, names, days, rows.

Terms are cut by us and indexed without positions. The state of the collection is one more document
of the lexicon, so that whatever tantivy commits, in one rename of its list of files, is one commit
of the collection.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import msgspec
import numpy as np
import tantivy
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.store.days import ordinals
from inforce.store.local.records import State
from inforce.store.protocol import (
    EXACT,
    Document,
    Keywords,
    Query,
    Schema,
    Undated,
    inverse_frequency,
    rarest_terms,
)

_TIE_BREAK = 0.01
"""How much BM25 counts between documents with the same terms and keywords."""

_SAME_SCORE = 4
"""Decimals of a score that count: beyond, sums of the same numbers in another order differ."""

_STATE = "state"

Rows = NDArray[np.int64]
Scores = NDArray[np.float64]


def tantivy_schema(channels: Iterable[str]) -> tantivy.Schema:
    """The fields of a lexicon."""
    builder = tantivy.SchemaBuilder()
    for channel in channels:
        builder.add_text_field(_field(channel), tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("exact", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("name", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("kind", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("state", stored=True)
    builder.add_unsigned_field("row", indexed=True, fast=True)
    builder.add_unsigned_field("first", indexed=True, fast=True)
    builder.add_unsigned_field("end", indexed=True, fast=True)
    return builder.build()


def entry(
    row: int, document: Document, days: tuple[int, int], terms: Mapping[str, str]
) -> tantivy.Document:
    """A document as tantivy takes it; ``terms`` are those of each channel, by spaces."""
    made = tantivy.Document()
    for channel, text in terms.items():
        if text:
            made.add_text(_field(channel), text)
    made.add_text("name", document.key)
    if document.parent:
        made.add_text("name", document.parent)
    for term in document.exact:
        made.add_text("exact", term)
    made.add_unsigned("row", row)
    made.add_unsigned("first", days[0])
    made.add_unsigned("end", days[1])
    return made


def commit(writer: tantivy.IndexWriter, state: State) -> None:
    """Make all that was written durable, together with the state it leads to."""
    made = tantivy.Document()
    made.add_text("kind", _STATE)
    made.add_bytes("state", msgspec.json.encode(state))
    writer.delete_documents_by_term("kind", _STATE)
    writer.add_document(made)
    writer.commit()


def committed_state(searcher: tantivy.Searcher, schema: tantivy.Schema) -> State | None:
    """The state of the last commit; ``None`` before the first.

    Raises:
        ValueError: if it cannot be read.
    """
    asked = tantivy.Query.term_query(schema, "kind", _STATE, "basic")
    hits = searcher.search(asked, 1, count=False).hits
    if not hits:
        return None
    written = bytes(cast("list[bytes]", searcher.doc(hits[0][1])["state"])[0])
    return msgspec.json.decode(written, type=State)


@contextmanager
def one_kind_of_damage() -> Generator[None]:
    """Tantivy answers damaged files with a panic, which is no `Exception`: here a ValueError."""
    try:
        yield
    except (msgspec.MsgspecError, IndexError, FileNotFoundError) as error:
        raise ValueError(str(error)) from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise ValueError(str(error)) from error
        raise


class Lexicon:
    """The lexicon of a build.

    Args:
        folder: where it is; in memory without one.
        schema: of the collection.

    Raises:
        ValueError: if it is damaged, or of other channels.
    """

    def __init__(self, folder: Path | None, schema: Schema) -> None:
        self._folder = folder
        self._fields = tantivy_schema(one.name for one in schema.channels)
        self._schema = schema
        self._index = self._opened()

    @property
    def stamp(self) -> tuple[int, int]:
        """Changes with every commit; always the same for a lexicon in memory."""
        if self._folder is None:
            return (0, 0)
        status = (self._folder / "meta.json").stat()
        return status.st_ino, status.st_mtime_ns

    def writer(self, heap: int) -> tantivy.IndexWriter:
        """The one writer, with so many bytes for documents not written out yet.

        Raises:
            ValueError: if it is damaged, or there is another writer ("LockBusy").
        """
        # An index knows the files that there were when it was opened, and only those are cleared
        # away: one that was killed may have left others, whose names this one will use again.
        index = self._index if self._folder is None else self._opened()
        with one_kind_of_damage():
            writer = index.writer(heap, num_threads=1)
            writer.garbage_collect_files()
            return writer

    def view(self) -> LexiconView | None:
        """The last commit; ``None`` before the first.

        Raises:
            ValueError: if it is damaged.
        """
        with one_kind_of_damage():
            self._index.reload()
            searcher = self._index.searcher()
            state = committed_state(searcher, self._fields)
            return LexiconView(searcher, self._fields, self._schema, state) if state else None

    def _opened(self) -> tantivy.Index:
        with one_kind_of_damage():
            path = str(self._folder) if self._folder else None
            index = tantivy.Index(self._fields, path=path)
            index.config_reader("manual")  # we look ourselves, before each search
            return index


class LexiconView:
    """The lexicon as of a commit: builds queries and asks them."""

    def __init__(
        self,
        searcher: tantivy.Searcher,
        fields: tantivy.Schema,
        schema: Schema,
        state: State,
    ) -> None:
        self.state = state
        self.documents = searcher.num_docs - 1  # the state is one
        self._searcher = searcher
        self._fields = fields
        self._schema = schema
        self._frequencies: dict[tuple[str, str], int] = {}

    def frequency(self, channel: str, term: str) -> int:
        """How many documents have a term."""
        found = self._frequencies.get((channel, term))
        if found is None:
            found = self._searcher.doc_freq(_field(channel), term)
            self._frequencies[channel, term] = found
        return found

    def top(self, query: tantivy.Query, limit: int) -> tuple[Rows, Scores]:
        """The best rows with their scores, best first, equal ones in order of addition."""
        hits = self._searcher.search(query, limit, count=False).hits
        addresses = [address for _, address in hits]
        rows = np.asarray(self._searcher.fast_field_values("row", addresses), dtype=np.int64)
        scores = np.asarray([cast(float, score) for score, _ in hits], dtype=np.float64)
        scores = np.round(scores, _SAME_SCORE)
        order = np.lexsort((rows, -scores))
        return rows[order], scores[order]

    def rows_named(self, name: str) -> list[int]:
        """The rows of a key, or of the passages of a parent, in order."""
        count = self._searcher.doc_freq("name", name)
        if not count:
            return []
        asked = self._term("name", name)
        return sorted(self.top(asked, count)[0].tolist())

    # --- queries ----------------------------------------------------------------------------------

    def query(self, channel: str, asked: Query) -> tantivy.Query | None:
        """A question to a channel as tantivy takes it; ``None`` if no document can match."""
        if channel == EXACT:
            if not isinstance(asked, Mapping):
                raise TypeError("the channel 'exact' is asked for exact terms with weights")
            found = [self._constant(self._term(EXACT, t), w) for t, w in asked.items()]
            return _any_of(found) if found else None
        if isinstance(asked, Keywords):
            return self._keywords(channel, asked)
        if isinstance(asked, np.ndarray):
            raise TypeError(f"the lexical channel {channel!r} is asked for words, not a vector")
        return self._bm25(channel, self._weighted(channel, asked))

    def within(self, during: Sequence[DateRange], undated: Undated) -> tantivy.Query:
        """Documents that answer for a day of one of the ranges."""
        return _any_of([self._overlapping(*ordinals(wanted), undated) for wanted in during])

    def among(self, rows: Sequence[int]) -> tantivy.Query:
        """Documents of these rows."""
        return tantivy.Query.term_set_query(self._fields, "row", list(rows))

    def _weighted(self, channel: str, asked: str | Mapping[str, float]) -> Mapping[str, float]:
        if isinstance(asked, str):
            return dict.fromkeys(self._schema.channel(channel).analyse(asked), 1.0)
        return asked

    def _bm25(self, channel: str, weighted: Mapping[str, float]) -> tantivy.Query | None:
        terms = rarest_terms(
            {term: self.frequency(channel, term) for term in weighted},
            self.documents,
            max_share=self._schema.channel(channel).max_share,
        )
        found = [_boosted(self._term(_field(channel), term), weighted[term]) for term in terms]
        return _any_of(found) if found else None

    def _keywords(self, channel: str, asked: Keywords) -> tantivy.Query | None:
        analyse = self._schema.channel(channel).analyse
        clauses = [self._constant(self._term(EXACT, t), w) for t, w in asked.exact.items()]
        for keyword in asked.keywords:
            if terms := list(dict.fromkeys(analyse(keyword))):
                all_terms = _all_of([self._term(_field(channel), term) for term in terms])
                clauses.append(self._constant(all_terms, self._keyword_weight(channel, terms)))
        if not clauses:
            return None
        ranked = self._bm25(channel, self._weighted(channel, asked.text))
        if ranked is None:
            return _any_of(clauses)
        return tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, _any_of(clauses)),
                (tantivy.Occur.Should, tantivy.Query.boost_query(ranked, _TIE_BREAK)),
            ]
        )

    def _keyword_weight(self, channel: str, terms: Sequence[str]) -> float:
        found = [self.frequency(channel, term) for term in terms]
        return max(inverse_frequency(one, self.documents) for one in found)

    def _overlapping(self, first: int, end: int, undated: Undated) -> tantivy.Query:
        earliest = 1 if undated == "excluded" else 0
        if not self.state.longer and (undated == "excluded" or not self.state.undated):
            # Then each is of one day, and one comparison tells.
            return _free(self._between("first", max(first, earliest), end - 1))
        return _both(
            _free(self._between("first", earliest or None, end - 1)),
            _free(self._between("end", first + 1, None)),
        )

    def _between(self, field: str, lowest: int | None, highest: int | None) -> tantivy.Query:
        return tantivy.Query.range_query(
            self._fields,
            field,
            tantivy.FieldType.Unsigned,
            lower_bound=lowest,
            upper_bound=highest,
        )

    def _term(self, field: str, value: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._fields, field, value, "freq")

    def _constant(self, query: tantivy.Query, weight: float) -> tantivy.Query:
        return tantivy.Query.const_score_query(query, weight)


def dated(query: tantivy.Query, days: tantivy.Query) -> tantivy.Query:
    """The documents of a query that another one, which does not score, finds as well."""
    return _both(query, _free(days))


def _field(channel: str) -> str:
    return channel if channel == EXACT else f"terms_{channel}"


def _boosted(query: tantivy.Query, weight: float) -> tantivy.Query:
    return query if math.isclose(weight, 1.0) else tantivy.Query.boost_query(query, weight)


def _any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])


def _all_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in queries])


def _both(first: tantivy.Query, second: tantivy.Query) -> tantivy.Query:
    return _all_of([first, second])


def _free(query: tantivy.Query) -> tantivy.Query:
    return tantivy.Query.const_score_query(query, 0.0)
