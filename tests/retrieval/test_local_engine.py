"""The embedded engine on real files: adding, deleting, seeing what others committed."""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from engine_documents import (
    BagEncoder,
    answers,
    document,
    keys_found,
    query,
    random_documents,
)

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.retrieval.encoders.lsa import fit_lsa
from inforce.retrieval.engines import Document, Engine, segments
from inforce.retrieval.engines.local import LocalEngine

processes = multiprocessing.get_context("spawn")

THEFT = document("theft", "盗窃公私财物，数额较大的", None, "caption:盗窃罪")
FRAUD = document("fraud", "诈骗公私财物，数额较大的", None, "caption:诈骗罪")
LEASE = document("lease", "租赁合同的承租人应当支付租金", None)
ALL = (THEFT, FRAUD, LEASE)


@pytest.fixture
def engine(tmp_path: Path) -> LocalEngine:
    return LocalEngine.create(tmp_path / "index", BagEncoder())


def other(engine: LocalEngine) -> LocalEngine:
    return LocalEngine(engine.folder, encoder=BagEncoder())


def test_the_local_engine_is_an_engine(engine: LocalEngine) -> None:
    assert isinstance(engine, Engine)


def test_what_was_added_is_found_in_every_channel(engine: LocalEngine) -> None:
    assert engine.add(ALL) == 3
    assert len(engine) == 3
    assert engine.keys() == {"theft", "fraud", "lease"}
    found = keys_found(engine, query("盗窃", "caption:盗窃罪"))
    assert {channel: keys[0] for channel, keys in found.items()} == {
        "keyword": "theft",
        "dense": "theft",
        "bm25": "theft",
    }


def test_an_exact_name_outweighs_words(engine: LocalEngine) -> None:
    engine.add(ALL)
    asked = query("公私财物 数额较大 盗窃", "caption:诈骗罪")
    assert keys_found(engine, asked)["keyword"][0] == "fraud"


def test_an_empty_index_finds_nothing(engine: LocalEngine) -> None:
    assert keys_found(engine, query("盗窃")) == {"keyword": [], "dense": [], "bm25": []}
    assert len(engine) == 0


@pytest.mark.parametrize("text", ["", "，。！", "从未出现的词语xyzzy"])
def test_a_question_without_a_known_term_finds_nothing_by_words(
    engine: LocalEngine, text: str
) -> None:
    engine.add(ALL)
    found = keys_found(engine, query(text))
    assert found["keyword"] == found["bm25"] == []


def test_adding_again_changes_nothing(engine: LocalEngine) -> None:
    engine.add(ALL)
    before = segments.read_manifest(engine.folder)
    assert engine.add(ALL) == 0
    assert segments.read_manifest(engine.folder) == before


def test_a_key_given_twice_in_one_call_is_stored_once(engine: LocalEngine) -> None:
    assert engine.add([THEFT, FRAUD, THEFT]) == 2
    engine.delete(["theft"])
    found = keys_found(engine, query("盗窃 公私财物"))
    assert all("theft" not in keys for keys in found.values())


def test_what_was_deleted_is_found_in_no_channel_and_may_come_back(engine: LocalEngine) -> None:
    engine.add(ALL)
    assert engine.delete(["theft", "never known"]) == 1
    assert engine.delete(["theft"]) == 0
    assert engine.keys() == {"fraud", "lease"}
    found = keys_found(engine, query("盗窃 公私财物", "caption:盗窃罪"))
    assert all("theft" not in keys for keys in found.values())
    assert engine.add([THEFT]) == 1
    assert all("theft" in keys for keys in keys_found(engine, query("盗窃")).values())


def test_a_failing_stream_of_documents_adds_nothing(engine: LocalEngine) -> None:
    def stream() -> Iterator[Document]:
        yield THEFT
        raise InterruptedError("the corpus went away")

    with pytest.raises(InterruptedError):
        engine.add(stream())
    assert engine.keys() == frozenset()
    assert engine.add(ALL) == 3


def test_progress_tells_every_document_once(engine: LocalEngine) -> None:
    told: list[int] = []
    engine.add(random_documents(2_100), progress=told.append)
    assert told == [2_000, 100]


def test_a_note_is_kept_and_seen_by_others(engine: LocalEngine) -> None:
    reader = other(engine)
    engine.annotate("snapshot 1")
    assert reader.note == engine.note == "snapshot 1"
    engine.add(ALL)
    assert reader.note == "snapshot 1"


def test_another_open_engine_sees_what_is_committed(engine: LocalEngine) -> None:
    reader = other(engine)
    engine.add([THEFT])
    assert keys_found(reader, query("盗窃"))["bm25"] == ["theft"]
    engine.add([FRAUD])
    assert keys_found(reader, query("诈骗"))["bm25"] == ["fraud"]
    engine.delete(["theft"])
    assert all("theft" not in keys for keys in keys_found(reader, query("盗窃")).values())


def test_two_writers_may_take_turns(engine: LocalEngine) -> None:
    second = other(engine)
    engine.add([THEFT])
    assert second.add([THEFT, FRAUD]) == 1
    assert engine.add(ALL) == 1
    assert second.delete(["lease"]) == 1
    assert engine.keys() == second.keys() == {"theft", "fraud"}
    assert answers(engine) == answers(second)


def test_every_commit_is_seen_however_quickly_they_follow(engine: LocalEngine) -> None:
    reader = other(engine)
    for number in range(20):
        engine.annotate(f"{number}")
        assert engine.note == reader.note == f"{number}"


# --- other processes --------------------------------------------------------------------------


def ask_in_another_process(folder: Path, pipe: Connection) -> None:
    """Open once, then answer every question with the keys found, until told to stop."""
    engine = LocalEngine(folder, encoder=BagEncoder())
    pipe.send(len(engine))
    while text := pipe.recv():
        pipe.send(keys_found(engine, query(text)))


def write_in_another_process(folder: Path, pipe: Connection) -> None:
    """Begin to add, and stay in the middle until told to go on."""

    def documents() -> Iterator[Document]:
        yield THEFT
        pipe.send("writing")
        pipe.recv()

    LocalEngine(folder, encoder=BagEncoder()).add(documents())
    pipe.send("written")


@contextmanager
def running(target: Callable[[Path, Connection], None], folder: Path) -> Generator[Connection]:
    near, far = processes.Pipe()
    child = processes.Process(target=target, args=(folder, far))
    child.start()
    far.close()
    try:
        yield near
    finally:
        child.kill()
        child.join()
        child.close()
        near.close()


def test_another_process_sees_what_is_committed_without_a_restart(engine: LocalEngine) -> None:
    with running(ask_in_another_process, engine.folder) as reader:
        assert reader.recv() == 0
        for known in ALL:
            engine.add([known])
            reader.send(known.text)
            assert all(keys[0] == known.key for keys in reader.recv().values() if keys)
        engine.delete(["theft"])
        reader.send("盗窃")
        assert reader.recv()["bm25"] == []


def test_there_is_one_writer_and_it_does_not_block_readers(engine: LocalEngine) -> None:
    engine.add([FRAUD])
    with running(write_in_another_process, engine.folder) as writer:
        assert writer.recv() == "writing"
        with pytest.raises(SearchIndexError, match="another process is writing"):
            engine.add([LEASE])
        with pytest.raises(SearchIndexError, match="another process is writing"):
            engine.delete(["fraud"])
        assert engine.keys() == {"fraud"}
        assert keys_found(engine, query("诈骗"))["bm25"] == ["fraud"]
        writer.send("go on")
        assert writer.recv() == "written"
    assert engine.keys() == {"fraud", "theft"}
    assert engine.add([LEASE]) == 1


# --- segments ---------------------------------------------------------------------------------


@pytest.fixture
def merge_above_six(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "MERGE_ABOVE", 6)


@pytest.mark.usefixtures("merge_above_six")
def test_many_small_adds_are_merged_and_answer_like_one(tmp_path: Path) -> None:
    documents = random_documents(60)
    at_once = LocalEngine.create(tmp_path / "once", BagEncoder())
    at_once.add(documents)
    piecemeal = LocalEngine.create(tmp_path / "piecemeal", BagEncoder())
    reader = other(piecemeal)
    for start in range(0, 60, 6):
        piecemeal.add(documents[start : start + 6])
        assert len(reader) == start + 6
    manifest = segments.read_manifest(piecemeal.folder)
    assert manifest and len(manifest.segments) <= 6
    on_disk = sorted(path.name for path in (piecemeal.folder / "segments").iterdir())
    assert on_disk == sorted(manifest.segments)
    assert answers(piecemeal) == answers(reader) == answers(at_once)


@pytest.mark.usefixtures("merge_above_six")
def test_rows_survive_a_merge(tmp_path: Path) -> None:
    engine = LocalEngine.create(tmp_path / "index", BagEncoder())
    engine.add(random_documents(5))
    hits = engine.search("bm25", query("盗窃 合同 遗嘱"), k=3)
    before = [engine.payload(hit.row) for hit in hits]
    for number in range(7):
        engine.add(random_documents(1, seed=number, first=100 + number))
    assert [engine.payload(hit.row) for hit in hits] == before


# --- damage -----------------------------------------------------------------------------------

REBUILD = "inforce corpus index --rebuild"
KEPT = ("valid.npy", "vectors.npy", "offsets.npy", "payload.npy")


def assert_refused_as_damaged(folder: Path) -> None:
    """Whatever is asked of the index, the answer is that it is damaged and how to mend it."""
    with pytest.raises(SearchIndexError, match=REBUILD):
        keys_found(LocalEngine(folder, encoder=BagEncoder()), query("盗窃"))


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of two documents that count and one deleted."""
    engine = LocalEngine.create(tmp_path_factory.mktemp("original") / "index", BagEncoder())
    engine.add(ALL)
    engine.delete(["lease"])
    return engine.folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    return shutil.copytree(original, tmp_path / "index")


@pytest.fixture
def filled(folder: Path) -> LocalEngine:
    return LocalEngine(folder, encoder=BagEncoder())


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"segments": 3}', '{"segments": [], "encoder": "bag"}', "\udc80"],
)
def test_a_damaged_manifest_says_how_to_rebuild(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_bytes(text.encode(errors="surrogateescape"))
    assert_refused_as_damaged(folder)


def test_an_index_of_another_format_says_how_to_rebuild(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 99'))
    with pytest.raises(SearchIndexError, match=f"format 99.*{REBUILD}"):
        LocalEngine(folder, encoder=BagEncoder())


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("how", ["missing", "empty", "cut", "garbage"])
def test_a_damaged_segment_says_how_to_rebuild(folder: Path, name: str, how: str) -> None:
    [segment] = (folder / "segments").iterdir()
    spoil(segment / name, how)
    assert_refused_as_damaged(folder)


@pytest.mark.parametrize("how", ["missing", "empty", "cut", "garbage"])
def test_a_damaged_list_of_deleted_rows_says_how_to_rebuild(folder: Path, how: str) -> None:
    [path] = folder.glob("deleted-*.npy")
    spoil(path, how)
    assert_refused_as_damaged(folder)


@pytest.mark.parametrize("how", ["missing", "empty", "cut", "garbage"])
@pytest.mark.parametrize("pattern", ["meta.json", "*.idx", "*.term", "*.fast"])
def test_a_damaged_lexicon_says_how_to_rebuild(folder: Path, pattern: str, how: str) -> None:
    for path in (folder / "lexicon").glob(pattern):
        spoil(path, how)
    assert_refused_as_damaged(folder)


def test_rows_that_do_not_add_up_say_how_to_rebuild(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"rows": 3', '"rows": 30'))
    assert_refused_as_damaged(folder)


def spoil(path: Path, how: str) -> None:
    """Put a spoilt file in the place of a sound one."""
    whole = path.read_bytes()
    path.unlink()  # a new file: what others have mapped stays whole
    spoilt = {"empty": b"", "cut": whole[: len(whole) // 2], "garbage": b"\xff" * 300}
    if how != "missing":
        path.write_bytes(spoilt[how])


def test_no_index_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(SearchIndexError, match="inforce corpus index"):
        LocalEngine(tmp_path / "nowhere", encoder=BagEncoder())


def test_an_index_removed_under_a_reader_is_an_error_not_an_empty_answer(
    filled: LocalEngine,
) -> None:
    (filled.folder / "manifest.json").unlink()
    with pytest.raises(SearchIndexError, match="open it again"):
        filled.search("bm25", query("盗窃"))


# --- encoders ---------------------------------------------------------------------------------


def test_an_index_refuses_an_encoder_that_did_not_fill_it(filled: LocalEngine) -> None:
    with pytest.raises(SearchIndexError, match=f"'bag'.*'another'.*{REBUILD}"):
        LocalEngine(filled.folder, encoder=BagEncoder("another"))
    with pytest.raises(SearchIndexError, match=f"'bag'.*{REBUILD}"):
        LocalEngine(filled.folder)


def test_vectors_of_another_length_are_refused_though_the_name_is_the_same(
    filled: LocalEngine,
) -> None:
    swapped = LocalEngine(filled.folder, encoder=BagEncoder("bag", 8))
    with pytest.raises(SearchIndexError, match=f"8 numbers.*{REBUILD}"):
        swapped.search("dense", query("盗窃"))
    with pytest.raises(SearchIndexError, match="8 numbers"):
        swapped.add([document("new", "新的")])
    assert filled.keys() == {"theft", "fraud"}


def test_an_index_brings_its_own_lsa_encoder(tmp_path: Path) -> None:
    documents = random_documents(50)
    fitted = fit_lsa([one.text for one in documents])
    made = LocalEngine.create(tmp_path / "index", fitted)
    made.add(documents)
    opened = LocalEngine(tmp_path / "index")
    assert opened.encoder_name == fitted.name
    assert answers(opened) == answers(made)


def test_payloads_come_back_untouched(engine: LocalEngine) -> None:
    payload = '{"text": "盗窃\\n\\u0000", "x": "𠮷"}'
    engine.add([document("a", "盗窃", payload=""), document("b", "抢劫", payload=payload)])
    [hit] = engine.search("bm25", query("抢劫"))
    assert engine.payload(hit.row) == payload


def test_a_document_without_days_answers_no_dated_question(engine: LocalEngine) -> None:
    engine.add([THEFT, document("dated", "盗窃", DateRange(date(2000, 1, 1), None))])
    always = (DateRange(date.min, None),)
    assert all(
        keys == ["dated"] for keys in keys_found(engine, query("盗窃"), during=always).values()
    )
    assert all(len(keys) == 2 for keys in keys_found(engine, query("盗窃")).values())
