"""A search follows its corpus: opened once, brought up to date beside, and never believed alone."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.corpus.store import Corpus
from inforce.errors import SearchIndexError
from inforce.library import Library, open_library
from inforce.retrieval import statutes, text_reuse, updating
from inforce.retrieval.index import index_damage, open_index
from inforce.retrieval.provisions import statute_documents
from inforce.retrieval.text_reuse import WordingIndex
from inforce.testing import tiny_law

CAMELS = tiny_law(
    "骆驼登记法", {"1": "骆驼应当登记。", "2": "骆驼不得上路。"}, start=date(2000, 1, 1)
)
GOATS = tiny_law("山羊登记法", {"1": "山羊应当登记。"}, start=date(2000, 1, 1))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add([CAMELS])
    return tmp_path


@pytest.fixture
def library(home: Path) -> Iterator[Library]:
    with open_library(home) as opened:
        opened.update_index()
        yield opened


def add(library: Library) -> None:
    with Corpus.open(library.corpus.path, mode="write") as corpus:
        corpus.add([GOATS])


def works(library: Library, question: str = "山羊应当登记") -> set[str]:
    return {hit.provision.work for hit in library.search(question).hits}


class _Slow:
    """An index that is made when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go_on, self.made = threading.Event(), threading.Event(), 0
        self._update = updating.update_index
        monkeypatch.setattr(updating, "update_index", self)

    def __call__(self, *given: object, **options: object) -> object:
        self.made += 1
        self.begun.set()
        assert self.go_on.wait(timeout=20)
        return self._update(*given, **options)  # pyright: ignore[reportArgumentType]


def test_while_an_index_is_made_others_go_on_with_the_one_before_and_are_told(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert works(library) == {"骆驼登记法"}
    before = library.corpus.snapshot()
    slow = _Slow(monkeypatch)
    add(library)
    with ThreadPoolExecutor(1) as first:
        found = first.submit(works, library)
        assert slow.begun.wait(timeout=20)
        meanwhile = library.search("山羊应当登记")
        slow.go_on.set()
        assert found.result() == {"山羊登记法", "骆驼登记法"}
    assert {hit.provision.work for hit in meanwhile.hits} == {"骆驼登记法"}
    assert (meanwhile.coverage.snapshot, meanwhile.coverage.is_current) == (before, False)
    after = library.search("山羊应当登记").coverage
    assert (after.snapshot, after.is_current) == (library.corpus.snapshot(), True)
    assert slow.made == 1


def test_a_server_lets_no_question_wait_for_the_index_of_a_changed_corpus(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_library(home, following="beside") as library:
        assert works(library) == {"骆驼登记法"}
        slow = _Slow(monkeypatch)
        add(library)
        assert works(library) == works(library) == {"骆驼登记法"}
        making = [one for one in threading.enumerate() if one.name == updating.BACKGROUND_THREAD]
        slow.go_on.set()
        for thread in making:
            thread.join(timeout=20)
        assert works(library) == {"山羊登记法", "骆驼登记法"}
        assert slow.made == 1


def test_closing_while_an_index_is_made_beside_is_no_error(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with open_library(home, following="beside") as library:
        works(library)
        slow = _Slow(monkeypatch)
        add(library)
        works(library)
        making = [one for one in threading.enumerate() if one.name == updating.BACKGROUND_THREAD]
    slow.go_on.set()
    for thread in making:
        thread.join(timeout=20)
    assert making and not caplog.records


def test_an_index_that_cannot_be_made_beside_is_not_tried_again_at_every_question(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        made.append(1)
        raise SearchIndexError("no space")

    made: list[int] = []
    with open_library(home, following="beside") as library:
        works(library)
        monkeypatch.setattr(updating, "update_index", fail)
        add(library)
        for _ in range(5):
            assert works(library) == {"骆驼登记法"}
            for one in threading.enumerate():
                if one.name == updating.BACKGROUND_THREAD:
                    one.join(timeout=20)
    assert len(made) == 1


def test_cold_threads_open_one_index(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []

    def counted(*given: object) -> object:
        opened.append(given)
        return open_index(*given)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(statutes, "open_index", counted)
    with open_library(home) as library, ThreadPoolExecutor(16) as pool:
        assert set(map(len, pool.map(works, [library] * 64))) == {1}
    assert len(opened) == 1


# -- the index is not believed ---------------------------------------------------------------------


def tamper(library: Library, *, text: str) -> None:
    """Put another payload in the place of that of the first article, and change nothing else."""
    path = library.corpus.path.parent / "index"
    changed = next(
        one for one in statute_documents(library.corpus) if "骆驼应当登记" in one.payload
    )
    payload = json.dumps({**json.loads(changed.payload), "text": text}, ensure_ascii=False)
    with open_index(path).writing() as writer:
        writer.add([replace(changed, payload=payload)])
        writer.commit()


def test_a_wording_that_only_the_index_has_is_never_shown(library: Library) -> None:
    tamper(library, text="骆驼不应当登记。")
    with pytest.raises(SearchIndexError, match="otherwise than the corpus: it is damaged; rebuild"):
        library.search("骆驼应当登记")
    [damage] = library.index_damage()
    assert damage.startswith("the search index says otherwise than the corpus of 1 wordings")
    library.update_index(rebuild=True)
    assert library.search("骆驼应当登记").hits[0].provision.text == "骆驼应当登记。"
    assert library.index_damage() == ()


def test_the_doctor_misses_what_an_index_lacks_and_what_it_has_too_much(library: Library) -> None:
    path = library.corpus.path.parent / "index"
    first, *_ = statute_documents(library.corpus)
    with open_index(path).writing() as writer:
        writer.delete([first.key])
        writer.add([replace(first, key="other")])
        writer.commit()
    lacks, more = index_damage(library.corpus, path)
    assert "lacks 1 wordings" in lacks
    assert "has what the corpus does not: 1 wordings (other)" in more


def test_an_index_of_an_earlier_corpus_shows_no_wording_that_was_corrected_since(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the index is made anew, what it has no longer is as the corpus has it is left out."""
    works(library)
    slow = _Slow(monkeypatch)
    with Corpus.open(library.corpus.path, mode="write") as corpus:
        corpus.add(
            [
                tiny_law(
                    "骆驼登记法",
                    {"1": "骆驼必须登记。", "2": "骆驼不得上路。"},
                    start=date(2000, 1, 1),
                )
            ]
        )
    with ThreadPoolExecutor(1) as first:
        found = first.submit(works, library, "骆驼登记")
        assert slow.begun.wait(timeout=20)
        shown = [hit.provision.text for hit in library.search("骆驼登记").hits]
        slow.go_on.set()
        found.result()
    assert shown == ["骆驼不得上路。"]


def test_searches_do_not_wait_while_fingerprints_of_a_changed_corpus_are_made(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, opened = threading.Event(), threading.Event(), text_reuse.open_wordings

    def slowly(*given: Any, **options: Any) -> WordingIndex:
        begun.set()
        assert go_on.wait(timeout=60)
        return opened(*given, **options)

    monkeypatch.setattr(text_reuse, "open_wordings", slowly)
    with ThreadPoolExecutor(2) as threads:
        verified = threads.submit(library.verify, "依照《骆驼登记法》第二条：“骆驼不得上路。”")
        assert begun.wait(timeout=60)
        try:
            assert threads.submit(works, library, "骆驼").result(timeout=60) == {"骆驼登记法"}
        finally:
            go_on.set()
        assert verified.result(timeout=60).held.laws == 1
