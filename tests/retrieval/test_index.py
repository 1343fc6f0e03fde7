"""The index of a corpus: made, brought up to date, and what a crash or a second process does."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest

from inforce.corpus.store import Corpus
from inforce.errors import SearchIndexError, UserError
from inforce.law.model import VersionText
from inforce.retrieval.encoders.static import shipped_encoder
from inforce.retrieval.index import (
    IndexReport,
    current_build,
    index_snapshot,
    open_index,
    update_index,
)
from inforce.retrieval.provisions import FORM, ProvisionText, statute_documents
from inforce.retrieval.tokens import BIGRAMS, WORDS
from inforce.store import Collection, Document, Schema
from inforce.store._preparing import prepared
from inforce.store.local import LocalStore
from inforce.testing import tiny_law, tiny_library

processes = multiprocessing.get_context("spawn")

LAW = "试验管理条例"
ARTICLES = {str(number): f"第{number}号试验由登记机关登记。" for number in range(1, 11)}


def law(title: str = LAW, year: int = 2000, **changed: str) -> VersionText:
    """A law of ten articles; ``changed`` gives another wording to some (``a3="…"``)."""
    wording = {name.removeprefix("a"): text for name, text in changed.items()}
    return tiny_law(title, ARTICLES | wording, start=date(year, 1, 1))


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(tmp_path / "corpus.sqlite", mode="write") as opened:
        opened.add([law()])
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


def works_found(collection: Collection, text: str = "登记机关") -> set[str]:
    snapshot = collection.snapshot()
    rows = [hit.row for hit in snapshot.search("words", text, k=100)]
    return {ProvisionText.of(payload).work for payload in snapshot.payloads(rows)}


def keys(collection: Collection) -> set[str]:
    return set(collection.snapshot().keys())


def wanted(corpus: Corpus) -> set[str]:
    return {document.key for document in statute_documents(corpus)}


def indexed(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "statutes").iterdir() if path.is_dir())


def test_an_index_holds_every_wording_of_the_corpus(corpus: Corpus, folder: Path) -> None:
    assert update_index(corpus, folder) == IndexReport("built", 10, added=10)
    assert keys(open_index(folder)) == wanted(corpus)


def test_the_index_remembers_the_snapshot_it_shows(corpus: Corpus, folder: Path) -> None:
    assert index_snapshot(folder) is None
    update_index(corpus, folder)
    first = corpus.snapshot()
    assert index_snapshot(folder) == first
    corpus.add([law("新法")])
    assert index_snapshot(folder) == first != corpus.snapshot()
    update_index(corpus, folder)
    assert index_snapshot(folder) == corpus.snapshot()


def test_nothing_is_done_where_nothing_changed(corpus: Corpus, folder: Path) -> None:
    update_index(corpus, folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    assert update_index(corpus, folder) == IndexReport("unchanged", 10)
    after = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    assert after == before


def test_an_update_adds_and_deletes_only_what_changed(corpus: Corpus, folder: Path) -> None:
    update_index(corpus, folder)
    reader = open_index(folder)
    # From 2010 article 3 reads differently: its old wording now ends, and a new one begins.
    old = tiny_law(LAW, ARTICLES, start=date(2000, 1, 1), end=date(2010, 1, 1))
    corpus.add([old, law(year=2010, a3="第三号试验免于登记。")])
    report = update_index(corpus, folder)
    assert (report.action, report.documents) == ("updated", len(reader.snapshot()))
    assert keys(open_index(folder)) == keys(reader) == wanted(corpus)
    assert 0 < report.added < report.documents


def test_an_index_updated_step_by_step_finds_what_a_fresh_one_finds(
    corpus: Corpus, folder: Path, tmp_path: Path
) -> None:
    update_index(corpus, folder)
    corpus.add([law("新法", a2="违约的应当赔偿。")])
    update_index(corpus, folder)
    update_index(corpus, tmp_path / "fresh")
    stepwise, fresh = open_index(folder), open_index(tmp_path / "fresh")
    assert keys(stepwise) == keys(fresh)
    for text in ("登记机关", "违约赔偿", "第3号试验"):
        assert works_found(stepwise, text) == works_found(fresh, text)


def test_a_rebuild_starts_afresh(corpus: Corpus, folder: Path) -> None:
    update_index(corpus, folder)
    [before] = indexed(folder)
    assert update_index(corpus, folder, rebuild=True).action == "built"
    [after] = indexed(folder)
    assert before != after


def test_progress_counts_every_document(corpus: Corpus, folder: Path) -> None:
    counted: list[int] = []
    update_index(corpus, folder, progress=counted.append)
    assert sum(counted) == 10


def test_an_empty_corpus_has_an_index_too(tmp_path: Path, folder: Path) -> None:
    with Corpus.open(tmp_path / "empty.sqlite", mode="write") as empty:
        assert update_index(empty, folder) == IndexReport("built", 0)
        assert update_index(empty, folder).action == "unchanged"
        empty.add([law()])
        assert update_index(empty, folder).documents == 10
    assert works_found(open_index(folder)) == {LAW}


def test_without_an_index_the_message_says_how_to_make_one(folder: Path) -> None:
    with pytest.raises(SearchIndexError, match="inforce corpus index"):
        open_index(folder)


def test_another_encoder_is_refused_until_a_rebuild(corpus: Corpus, folder: Path) -> None:
    update_index(corpus, folder)
    url = "http://127.0.0.1:9/v1#model"
    with pytest.raises(SearchIndexError, match="rebuild"):
        update_index(corpus, folder, encoder=url)
    with pytest.raises(UserError, match="unknown encoder"):
        update_index(corpus, folder, encoder="word2vec")


@pytest.mark.parametrize("damage", ["collection.json", "lexicon/meta.json"])
def test_a_damaged_index_is_told_and_a_rebuild_mends_it(
    corpus: Corpus, folder: Path, damage: str
) -> None:
    update_index(corpus, folder)
    [current] = indexed(folder)
    (folder / "statutes" / current / damage).write_text("{")
    with pytest.raises(SearchIndexError, match="inforce corpus index --rebuild"):
        update_index(corpus, folder)
    assert update_index(corpus, folder, rebuild=True).action == "built"
    assert works_found(open_index(folder)) == {LAW}


def test_an_index_whose_folder_is_gone_is_made_again(corpus: Corpus, folder: Path) -> None:
    update_index(corpus, folder)
    [current] = indexed(folder)
    (folder / "statutes" / current).rename(folder.parent / "elsewhere")
    with pytest.raises(SearchIndexError, match="inforce corpus index"):
        open_index(folder)
    assert update_index(corpus, folder).action == "built"


# --- other processes --------------------------------------------------------------------------


def die_before_pointing(path: Path, folder: Path) -> None:
    """Build anew, but be killed when all is built and nothing points to it yet."""

    def fatal(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    pytest.MonkeyPatch().setattr(LocalStore, "_use", fatal)
    with Corpus.open(path) as corpus:
        update_index(corpus, folder, rebuild=True)


def test_a_crash_between_building_and_pointing_leaves_the_old_index(
    corpus: Corpus, folder: Path
) -> None:
    update_index(corpus, folder)
    reader = open_index(folder)
    builder = processes.Process(target=die_before_pointing, args=(corpus.path, folder))
    builder.start()
    builder.join()
    assert builder.exitcode == -signal.SIGKILL
    assert len(indexed(folder)) == 2  # what was built is there, and nobody uses it
    assert update_index(corpus, folder).action == "unchanged"
    assert works_found(reader) == works_found(open_index(folder)) == {LAW}
    assert update_index(corpus, folder, rebuild=True).action == "built"
    assert len(indexed(folder)) == 1


def update_in_another_process(path: Path, folder: Path, pipe: Connection) -> None:
    """Wait for the signal, then bring the index up to date and say what was done."""
    with Corpus.open(path) as corpus:
        pipe.send("ready")
        pipe.recv()
        pipe.send(update_index(corpus, folder))


def test_of_two_processes_one_builds_and_the_other_waits_for_it(
    corpus: Corpus, folder: Path
) -> None:
    pipes = [processes.Pipe() for _ in range(2)]
    children = [
        processes.Process(target=update_in_another_process, args=(corpus.path, folder, far))
        for _, far in pipes
    ]
    for child, (_, far) in zip(children, pipes, strict=True):
        child.start()
        far.close()
    assert [near.recv() for near, _ in pipes] == ["ready", "ready"]
    for near, _ in pipes:
        near.send("go")
    reports: list[IndexReport] = [near.recv() for near, _ in pipes]
    for child in children:
        child.join()
    assert sorted(report.action for report in reports) == ["built", "unchanged"]
    assert works_found(open_index(folder)) == {LAW}


def test_a_payload_reads_back_as_the_provision_it_was(corpus: Corpus) -> None:
    corpus.add([tiny_law("旧办法", {"三、": "无日期的\n规定"}, status="unknown")])
    texts = [ProvisionText.of(document.payload) for document in statute_documents(corpus)]
    assert [text.payload() for text in texts] == [
        document.payload for document in statute_documents(corpus)
    ]
    undated = next(text for text in texts if text.work == "旧办法")
    assert (undated.window, undated.date_status, undated.number.short) == (
        None,
        "unknown",
        "point_3",
    )


def test_an_index_whose_documents_had_another_form_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = tiny_law("甲法", {"1": "禁止盗窃。"}, start=date(2000, 1, 1))
    with tiny_library(tmp_path, law) as library:
        assert library.update_index().action == "built"
        assert library.update_index().action == "unchanged"
        monkeypatch.setattr("inforce.retrieval.index.FORM", FORM + 1)
        assert library.update_index().action == "built"
        assert library.update_index().action == "unchanged"


def test_an_index_of_the_first_release_is_made_anew_and_cleared_away(
    corpus: Corpus, folder: Path
) -> None:
    """It was kept in the folder itself, with a manifest of format 1."""
    (folder / "0003" / "lexicon").mkdir(parents=True)
    (folder / "CURRENT").write_text("0003")
    (folder / "turns.sqlite").touch()
    (folder / "0003" / "manifest.json").write_text('{"format": 1, "rows": 10, "segments": []}')
    (folder / "mine").mkdir()
    with pytest.raises(SearchIndexError, match="inforce corpus index"):
        open_index(folder)
    assert (index_snapshot(folder), current_build(folder)) == (None, "")
    assert update_index(corpus, folder) == IndexReport("built", 10, added=10)
    assert works_found(open_index(folder)) == {LAW}
    assert sorted(path.name for path in folder.iterdir()) == ["mine", "statutes"]


def test_an_index_of_an_earlier_format_is_made_anew(corpus: Corpus, folder: Path) -> None:
    update_index(corpus, folder)
    form = folder / "statutes" / "0001" / "collection.json"
    form.write_text(form.read_text().replace('"format":2', '"format":1'))
    assert update_index(corpus, folder).action == "built"
    assert works_found(open_index(folder)) == {LAW}


def test_an_index_of_which_most_was_deleted_is_made_anew(
    corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inforce.retrieval.index.MANY_DELETED", 5)
    update_index(corpus, folder)
    actions: list[str] = []
    for turn in range(4):
        changed = {f"a{n}": f"第{n}号试验由第{turn}机关登记。" for n in range(1, 11)}
        corpus.add([law(year=2000 + turn, **changed)])
        actions.append(update_index(corpus, folder).action)
        assert keys(open_index(folder)) == wanted(corpus)
    assert "updated" in actions
    assert open_index(folder).snapshot().rows <= 2 * len(wanted(corpus)) + 5


def test_vectors_made_of_the_terms_of_the_channels_are_those_of_the_texts() -> None:
    texts = [
        "",
        "盗窃公私财物，数额较大的",
        "ＰＲＣ 借款 100元 #12 C#",
        "x",
        "，。",
        "\0第一条 试验",
    ]
    documents = [Document(str(place), "", text) for place, text in enumerate(texts)]
    encoder = shipped_encoder()
    schema = Schema((WORDS, BIGRAMS), encoder)
    [batch] = prepared(documents, schema)
    made = schema.document_vectors(documents, encoder.dimension, terms=batch.terms)
    assert made is not None
    assert np.array_equal(made, encoder.encode(texts, role="passage"))
    assert made[1].any() and not made[0].any()
