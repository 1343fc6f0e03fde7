"""Nothing public does unbounded work for one number or one long text."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.errors import DateError, IdentifierError, UnknownWorkError, UserError
from inforce.library import Library
from inforce.retrieval.index import open_index
from inforce.retrieval.local_documents.documents import LocalDocuments
from inforce.retrieval.request_limits import LONGEST_QUESTION, MOST_RESULTS
from inforce.retrieval.sources.statutes import StatuteSource
from inforce.testing import tiny_law, tiny_library

ARTICLES = {str(number): f"第{number}号骆驼应当登记。" for number in range(1, 60)}
NO_COUNT = [0, -1, MOST_RESULTS + 1, 10**10, 1.5, float("nan"), True, "5", None]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("camels")
    with tiny_library(folder, tiny_law("骆驼登记法", ARTICLES, start=date(2000, 1, 1))) as opened:
        yield opened


@pytest.mark.parametrize("k", NO_COUNT, ids=str)
def test_a_number_of_results_that_cannot_be_is_refused(library: Library, k: Any) -> None:
    asked: list[Callable[[], object]] = [
        lambda: library.search("骆驼登记", k=k),
        lambda: library.statutes.search("骆驼登记", k=k),
        lambda: StatuteSource(lambda: library.statutes).search("骆驼登记", k=k),
    ]
    for ask in asked:
        with pytest.raises(UserError, match="ask for a whole number of results, 1 to 1,000"):
            ask()


@pytest.mark.parametrize("k", NO_COUNT, ids=str)
def test_local_documents_refuse_it_too(tmp_path: Path, k: Any) -> None:
    (tmp_path / "notes.txt").write_text("骆驼登记的情况。", encoding="utf-8")
    with pytest.raises(UserError, match="ask for a whole number of results, 1 to 1,000"):
        LocalDocuments(tmp_path, index=tmp_path.parent / "index").search("骆驼", k=k)


def test_as_many_results_as_may_be_asked_for_are_all_there_are(library: Library) -> None:
    found = library.search("骆驼登记", k=MOST_RESULTS).hits
    assert {hit.provision.number.short for hit in found} == set(ARTICLES)


def test_a_store_sets_no_room_aside_for_more_documents_than_it_has(library: Library) -> None:
    library.search("骆驼登记")  # makes the index, whichever test runs first
    snapshot = open_index(library.corpus.path.parent / "index").snapshot()
    assert len(snapshot.search("words", "骆驼", k=10**12)) == len(ARTICLES)
    for k in (0, -1):
        with pytest.raises(ValueError, match="ask for one document at least"):
            snapshot.search("words", "骆驼", k=k)


LONG = 5_000_000


ASKED: list[tuple[Callable[[Library, str], object], type[UserError]]] = [
    (lambda book, text: book.search(text), UserError),
    (lambda book, text: book.ask(text), UserError),
    (lambda book, text: book.understood(text), UserError),
    (lambda book, text: book.statutes.search(text), UserError),
    (lambda book, text: book.search("骆驼", as_of=text), DateError),
    (lambda book, text: book.at("骆驼登记法", "1", on=text), DateError),
    (lambda book, text: book.at(text, "1", on="2010"), UnknownWorkError),
    (lambda book, text: book.at("骆驼登记法", text, on="2010"), IdentifierError),
]


@pytest.mark.parametrize(("ask", "error"), ASKED)
@pytest.mark.parametrize("text", ["1", "骆驼", "第一条", "二〇一〇年", "(", "《"])
def test_what_is_too_long_is_refused_at_once_and_not_repeated(
    library: Library, ask: Callable[[Library, str], object], error: type[UserError], text: str
) -> None:
    library.search("骆驼")
    began = time.process_time()
    with pytest.raises(error) as raised:
        ask(library, text * (LONG // len(text)))
    assert time.process_time() - began < 1.0
    assert len(str(raised.value)) < 1_000


def test_a_question_may_be_as_long_as_it_may_be(library: Library) -> None:
    question = ("骆驼应当登记吗？" * LONGEST_QUESTION)[:LONGEST_QUESTION]
    assert library.search(question).hits
    with pytest.raises(UserError, match="the question has 10,001 characters, at most 10,000 are"):
        library.search(question + "？")
