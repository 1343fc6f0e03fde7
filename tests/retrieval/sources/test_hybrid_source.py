"""A source searched by words and by meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from judgments_made import made, random_judgments

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.retrieval.encoders import Role
from inforce.retrieval.encoders.lsa import Matrix
from inforce.retrieval.sources import hybrid
from inforce.retrieval.sources.bm25 import Bm25Source
from inforce.retrieval.sources.hybrid import HybridSource, build_hybrid
from inforce.retrieval.sources.source import SourceDocument


class Meanings:
    """Knows two things: fruit, and everything else."""

    name = "meanings"
    dimension = 2

    def encode(self, texts: Sequence[str], *, role: Role) -> Matrix:
        fruit = [any(word in text for word in ("苹果", "香蕉", "水果")) for text in texts]
        return np.asarray([(1, 0) if one else (0, 1) for one in fruit], dtype=np.float32)


def book(number: int | str, text: str, valid: DateRange | None = None) -> SourceDocument:
    return SourceDocument(f"b-{number}", "书", text, valid=valid)


def ids(source: HybridSource, query: str, k: int = 3) -> list[str]:
    return [hit.document.id for hit in source.search(query, k=k)]


BOOKS = [book(1, "苹果买卖合同"), book(2, "香蕉"), book(3, "合同的解除"), book(4, "侵权责任")]


@pytest.fixture
def books(tmp_path: Path) -> HybridSource:
    build_hybrid(tmp_path / "book", "book", BOOKS, encoder=Meanings())
    return HybridSource(tmp_path / "book", encoder=Meanings())


def test_meaning_finds_what_shares_no_word(books: HybridSource) -> None:
    assert set(ids(books, "水果", k=2)) == {"b-1", "b-2"}


def test_what_both_channels_find_comes_first(books: HybridSource) -> None:
    hits = books.search("苹果 水果")
    assert hits[0].document == BOOKS[0]
    assert hits[0].score > hits[1].score
    assert hits[0].source == books.name == "book"


def test_with_no_encoder_one_is_fitted_on_the_documents(tmp_path: Path) -> None:
    documents = [book(n, one.text) for n, one in enumerate(random_judgments(200))]
    build_hybrid(tmp_path / "book", "book", documents)
    source = HybridSource(tmp_path / "book")
    assert len(source) == 200
    assert source.search("盗窃 累犯", k=5) == HybridSource(tmp_path / "book").search(
        "盗窃 累犯", k=5
    )
    assert "盗窃" in source.search("盗窃 累犯")[0].document.text


def test_a_book_without_days_is_never_left_out_for_them(tmp_path: Path) -> None:
    old = DateRange(date(1999, 1, 1), date(2000, 1, 1))
    build_hybrid(
        tmp_path / "b", "book", [book(1, "合同", old), book(2, "合同")], encoder=Meanings()
    )
    source = HybridSource(tmp_path / "b", encoder=Meanings())
    found = source.search("合同", during=DateRange(date(2015, 1, 1), date(2016, 1, 1)))
    assert [hit.document.id for hit in found] == ["b-2"]


def test_documents_are_added_replaced_and_deleted_under_an_open_reader(
    books: HybridSource, tmp_path: Path
) -> None:
    writer = HybridSource(tmp_path / "book", encoder=Meanings())
    written = writer.add([book(4, "苹果园"), book(5, "票据"), book(5, "票据背书")])
    assert written.replaced == 1
    assert len(books) == 5
    assert [hit.document.text for hit in books.search("票据", k=1)] == ["票据背书"]
    gone = writer.delete(["b-1", "b-9"])
    assert (gone.deleted, gone.unknown) == (("b-1",), ("b-9",))
    assert "b-1" not in ids(books, "苹果", k=10)


def test_replacing_a_book_of_passages_leaves_none_of_the_old_ones(tmp_path: Path) -> None:
    def passages(count: int) -> list[SourceDocument]:
        return [book(f"1#{one}", f"合同 {one}") for one in range(1, count + 1)]

    build_hybrid(tmp_path / "b", "book", passages(5), encoder=Meanings())
    source = HybridSource(tmp_path / "b", encoder=Meanings())
    assert source.add(passages(2)).replaced == 1
    assert sorted(ids(source, "合同", k=9)) == ["b-1#1", "b-1#2"]
    assert source.delete(["b-1"]).deleted == ("b-1",)
    assert len(source) == 0


def test_passages_of_one_book_stay_together_however_many_are_written_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hybrid, "CHUNK", 2)
    parts = [book(f"{n}#{part}", f"合同 {n} {part}") for n in range(3) for part in range(1, 6)]
    built = build_hybrid(tmp_path / "b", "book", [*parts, book("0", "合同")], encoder=Meanings())
    assert built.documents == 11  # the last replaces the passages of the first


def test_a_reader_opened_before_a_rebuild_reads_the_new_one(tmp_path: Path) -> None:
    build_hybrid(tmp_path / "book", "book", BOOKS)
    reader = HybridSource(tmp_path / "book")
    assert len(reader) == 4
    build_hybrid(tmp_path / "book", "book", BOOKS[:2])
    assert len(reader) == 2
    assert set(ids(reader, "合同", k=9)) <= {"b-1", "b-2"}


def test_a_build_that_stopped_serves_nothing_and_is_made_anew(tmp_path: Path) -> None:
    def failing() -> Iterator[SourceDocument]:
        yield BOOKS[0]
        raise OSError("the disk went away")

    with pytest.raises(OSError, match="went away"):
        build_hybrid(tmp_path / "book", "book", failing(), encoder=Meanings())
    with pytest.raises(SearchIndexError, match="no hybrid source"):
        HybridSource(tmp_path / "book")
    build_hybrid(tmp_path / "book", "book", BOOKS, encoder=Meanings())
    assert len(HybridSource(tmp_path / "book", encoder=Meanings())) == 4


def test_another_encoder_is_refused(tmp_path: Path) -> None:
    build_hybrid(tmp_path / "book", "book", BOOKS)
    with pytest.raises(SearchIndexError, match="inforce sources add book FILE"):
        HybridSource(tmp_path / "book", encoder=Meanings())


def test_one_kind_of_source_is_not_opened_as_the_other(tmp_path: Path) -> None:
    made(tmp_path / "precedent", random_judgments(3))
    with pytest.raises(SearchIndexError, match="no hybrid source"):
        HybridSource(tmp_path / "precedent")
    build_hybrid(tmp_path / "book", "book", BOOKS, encoder=Meanings())
    with pytest.raises(SearchIndexError, match="no BM25 source"):
        Bm25Source(tmp_path / "book")
    with pytest.raises(ValueError, match="one document at least"):
        HybridSource(tmp_path / "book", encoder=Meanings()).search("合同", k=0)
