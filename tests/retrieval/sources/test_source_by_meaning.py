"""A source searched by words and by meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from judgments_made import made, opened, random_judgments

from inforce.dates import DateRange
from inforce.errors import SearchIndexError, UserError
from inforce.retrieval.encoders import DEFAULT, open_encoder
from inforce.retrieval.sources.indexed import IndexedSource, build_source
from inforce.retrieval.sources.source import SourceDocument
from inforce.store import Encoder, Matrix, Role
from inforce.store.local import LocalStore


class Meanings:
    """Knows two things: fruit, and everything else."""

    name = "meanings"
    dimension = 2

    def encode(self, texts: Sequence[str], *, role: Role) -> Matrix:
        fruit = [any(word in text for word in ("苹果", "香蕉", "水果")) for text in texts]
        return np.asarray([(1, 0) if one else (0, 1) for one in fruit], dtype=np.float32)


def book(number: int | str, text: str, valid: DateRange | None = None) -> SourceDocument:
    return SourceDocument(f"b-{number}", "书", text, valid=valid)


def build(folder: Path, documents: Iterable[SourceDocument], encoder: Encoder | None = None) -> int:
    return build_source(
        LocalStore(folder), "book", documents, encoder=encoder or open_encoder(DEFAULT), threads=0
    ).documents


def source_in(folder: Path, encoder: Encoder | None = None) -> IndexedSource:
    return IndexedSource(LocalStore(folder), "book", encoder=encoder)


def ids(source: IndexedSource, query: str, k: int = 3) -> list[str]:
    return [hit.document.id for hit in source.search(query, k=k)]


BOOKS = [book(1, "苹果买卖合同"), book(2, "香蕉"), book(3, "合同的解除"), book(4, "侵权责任")]


@pytest.fixture
def books(tmp_path: Path) -> IndexedSource:
    build(tmp_path, BOOKS, Meanings())
    return source_in(tmp_path, Meanings())


def test_meaning_finds_what_shares_no_word(books: IndexedSource) -> None:
    assert set(ids(books, "水果", k=2)) == {"b-1", "b-2"}


def test_what_both_channels_find_comes_first(books: IndexedSource) -> None:
    hits = books.search("苹果 水果")
    assert hits[0].document == BOOKS[0]
    assert hits[0].score > hits[1].score
    assert hits[0].source == books.name == "book"


def test_with_no_encoder_one_is_fitted_on_the_documents(tmp_path: Path) -> None:
    documents = [book(n, one.text) for n, one in enumerate(random_judgments(200))]
    build(tmp_path, documents)
    source = source_in(tmp_path)
    assert len(source) == 200
    assert source.search("盗窃 累犯", k=5) == source_in(tmp_path).search("盗窃 累犯", k=5)
    assert "盗窃" in source.search("盗窃 累犯")[0].document.text


def test_a_book_without_days_is_never_left_out_for_them(tmp_path: Path) -> None:
    old = DateRange(date(1999, 1, 1), date(2000, 1, 1))
    build(tmp_path, [book(1, "合同", old), book(2, "合同")], Meanings())
    source = source_in(tmp_path, Meanings())
    found = source.search("合同", during=DateRange(date(2015, 1, 1), date(2016, 1, 1)))
    assert [hit.document.id for hit in found] == ["b-2"]


def test_documents_are_added_replaced_and_deleted_under_an_open_reader(
    books: IndexedSource, tmp_path: Path
) -> None:
    writer = source_in(tmp_path, Meanings())
    written = writer.add([book(4, "苹果园"), book(5, "票据"), book(5, "票据背书")])
    assert written.replaced == 2  # one of them by the next
    assert len(books) == 5
    assert [hit.document.text for hit in books.search("票据", k=1)] == ["票据背书"]
    gone = writer.delete(["b-1", "b-9"])
    assert (gone.deleted, gone.unknown) == (("b-1",), ("b-9",))
    assert "b-1" not in ids(books, "苹果", k=10)


def test_replacing_a_book_of_passages_leaves_none_of_the_old_ones(tmp_path: Path) -> None:
    def passages(count: int) -> list[SourceDocument]:
        return [book(f"1#{one}", f"合同 {one}") for one in range(1, count + 1)]

    build(tmp_path, passages(5), Meanings())
    source = source_in(tmp_path, Meanings())
    assert source.add(passages(2)).replaced == 1
    assert sorted(ids(source, "合同", k=9)) == ["b-1#1", "b-1#2"]
    assert source.delete(["b-1"]).deleted == ("b-1",)
    assert len(source) == 0


def test_a_reader_opened_before_a_rebuild_reads_the_new_one(tmp_path: Path) -> None:
    build(tmp_path, BOOKS)
    reader = source_in(tmp_path)
    assert len(reader) == 4
    build(tmp_path, BOOKS[:2])
    assert len(reader) == 2
    assert set(ids(reader, "合同", k=9)) <= {"b-1", "b-2"}


def test_a_build_that_stopped_serves_nothing_and_is_made_anew(tmp_path: Path) -> None:
    def failing() -> Iterator[SourceDocument]:
        yield BOOKS[0]
        raise OSError("the disk went away")

    with pytest.raises(OSError, match="went away"):
        build(tmp_path, failing(), Meanings())
    with pytest.raises(SearchIndexError, match="no index 'book'"):
        source_in(tmp_path)
    build(tmp_path, BOOKS, Meanings())
    assert len(source_in(tmp_path, Meanings())) == 4


def test_another_encoder_is_refused(tmp_path: Path) -> None:
    build(tmp_path, BOOKS)
    with pytest.raises(SearchIndexError, match=r"'static:.*'meanings'.*make it anew"):
        source_in(tmp_path, Meanings())


def test_a_source_without_vectors_needs_no_encoder(tmp_path: Path) -> None:
    made(tmp_path, random_judgments(3))
    source = IndexedSource(LocalStore(tmp_path), "precedent", encoder=Meanings())
    assert len(source) == len(opened(tmp_path)) == 3
    with pytest.raises(UserError, match="a whole number of results"):
        source.search("合同", k=0)
