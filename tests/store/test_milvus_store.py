"""A store in a Milvus file, and in a server that several processes share: what is its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest
from documents_made import (
    BagEncoder,
    annotate,
    answers,
    document,
    keys,
    keys_found,
    query,
    random_documents,
    schema,
)
from stores_made import HAS_MILVUS, Stores, close_milvus

from inforce.corpus.home import MilvusAddress
from inforce.corpus.store import Corpus
from inforce.errors import MissingExtraError, SearchIndexError
from inforce.library import Library
from inforce.retrieval.index import current_build, index_snapshot, open_index, update_index
from inforce.store import DENSE, Collection, OutdatedIndexError, Store, keyword_weight
from inforce.store.local import LocalStore
from inforce.testing import tiny_law

if not HAS_MILVUS:
    pytest.skip("needs the milvus extra: pip install 'inforce[milvus]'", allow_module_level=True)

from inforce.store.milvus import MilvusStore
from inforce.store.milvus import _writer as writer_module
from inforce.store.milvus._ledger import Ledger, ledger_of
from inforce.store.milvus._tables import Milvus, Table

# The libraries below warn of their own future; that is not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")

processes = multiprocessing.get_context("spawn")

THEFT = document("theft", "盗窃公私财物，数额较大的", None, "caption:盗窃罪")
FRAUD = document("fraud", "诈骗公私财物，数额较大的", None, "caption:诈骗罪")
LEASE = document("lease", "租赁合同的承租人应当支付租金", None)
ALL = (THEFT, FRAUD, LEASE)


@pytest.fixture
def store(stores: Stores) -> Store:
    return stores.new("milvus")


def made(store: Store, *documents: object, name: str = "made") -> Collection:
    with store.replace(name, schema()) as writer:
        writer.add(documents)  # pyright: ignore[reportArgumentType]
    return store.open(name, schema())


@pytest.fixture
def collection(store: Store) -> Collection:
    return made(store)


def test_it_finds_the_same_in_the_same_order_as_a_folder(store: Store, tmp_path: Path) -> None:
    documents = random_documents(600, seed=7)
    milvus, local = made(store, *documents), made(LocalStore(tmp_path), *documents)
    ours, theirs = answers(milvus), answers(local)
    for one, other in zip(ours, theirs, strict=True):
        # Lengths are rounded by one and compared with the first mean by the other.
        close = {name: (set(one.pop(name)), set(other.pop(name))) for name in ("words", "bigrams")}
        assert all(len(left & right) >= 8 for left, right in close.values() if len(right) == 10)
        assert one == other
    for keyword in ("盗窃", "合同", "从未出现"):
        weights = [keyword_weight(made.snapshot(), "words", [keyword]) for made in (milvus, local)]
        assert weights[0] == pytest.approx(weights[1])


@pytest.mark.parametrize("step", ["count", "settle"])
@pytest.mark.parametrize("job", ["add", "delete"])
def test_what_a_writer_left_half_done_is_mended_by_the_next(
    store: Store, job: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = random_documents(40), random_documents(20, seed=1, first=40)
    broken, clean = made(store, *first), made(store, *first, name="clean")
    with monkeypatch.context() as breaking:
        count = Ledger.count

        def count_half(ledger: Ledger, change: dict[int, int]) -> None:
            count(ledger, dict(list(change.items())[::2]))
            raise InterruptedError

        def stop(ledger: Ledger) -> None:
            raise InterruptedError

        breaking.setattr(Ledger, step, {"count": count_half, "settle": stop}[step])
        with pytest.raises(InterruptedError):
            broken.add(second) if job == "add" else broken.delete(["d00003"])
    if step == "settle":  # then it was committed
        clean.add(second) if job == "add" else clean.delete(["d00003"])
    again = store.open("made", schema())
    assert keys(again) == keys(clean)
    annotate(again, "mended")
    annotate(clean, "mended")
    assert keys(again) == keys(clean)
    assert len(again.snapshot()) == len(clean.snapshot())
    assert answers(again) == answers(clean)
    words = ["盗窃", "合同", "遗嘱"]
    frequencies = [one.snapshot().document_frequency("words", words) for one in (again, clean)]
    assert frequencies[0] == frequencies[1]


def test_readers_see_deleted_and_added_documents_in_one_step(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection.add(ALL)
    seen: list[set[str]] = []
    commit = Ledger.commit

    def commit_and_look(ledger: Ledger, state: object) -> None:
        seen.append(keys(collection))
        commit(ledger, state)  # pyright: ignore[reportArgumentType]
        seen.append(keys(collection))

    monkeypatch.setattr(Ledger, "commit", commit_and_look)
    with collection.writing() as writer:
        writer.delete(["theft"])
        writer.add([document("new", "新的")])
        assert keys(collection) == {"theft", "fraud", "lease"}
        writer.commit()
    assert {frozenset(one) for one in seen} == {
        frozenset(("theft", "fraud", "lease")),
        frozenset(("fraud", "lease", "new")),
    }
    assert len(collection.snapshot()) == 3


def test_more_deletions_than_a_commit_can_name_are_made(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "MOST_GONE", 5)
    collection.add(random_documents(30))
    collection.delete(f"d{number:05}" for number in range(20))
    assert len(collection.snapshot()) == len(keys(collection)) == 10
    assert collection.snapshot().document_frequency("exact", [f"law:{n}" for n in range(5)]) == [
        len(collection.snapshot().search("exact", {f"law:{n}": 1.0}, k=30)) for n in range(5)
    ]


def test_the_index_is_there_after_milvus_was_closed(tmp_path: Path) -> None:
    address = MilvusAddress(str(tmp_path / "kept.db"), tmp_path / "files")
    made(MilvusStore(address), *ALL)
    close_milvus(address.uri)
    reopened = MilvusStore(address).open("made", schema())
    assert keys(reopened) == {"theft", "fraud", "lease"}
    assert keys_found(reopened, query("盗窃"))["words"] == ["theft"]
    close_milvus(address.uri)


def test_keys_with_any_characters_are_found_again(collection: Collection) -> None:
    names = ['a"b', "a\\", "a' or 1 == 1", "甲 #3", "a\nb", "%", "[x]"]
    collection.add(document(name, "盗窃") for name in names)
    assert [collection.snapshot().rows_of(name) for name in names] == [[n] for n in range(7)]
    assert collection.add(document(name, "抢劫") for name in names).replaced == 7
    assert collection.delete(names) == tuple(names)


def test_a_row_deleted_since_the_search_is_an_error_not_an_empty_text(
    collection: Collection,
) -> None:
    collection.add(ALL)
    snapshot = collection.snapshot()
    [hit] = snapshot.search("words", "诈骗")
    collection.delete(["fraud"])
    with pytest.raises(SearchIndexError, match="search again"):
        snapshot.payloads([hit.row])


@pytest.mark.parametrize(
    ("number", "kind", "message"),
    [
        (1, OutdatedIndexError, "made by an earlier release: make it anew"),
        (99, SearchIndexError, "format 99, this release reads 2: update inforce"),
    ],
)
def test_another_format_is_never_misread(
    store: Store, number: int, kind: type[SearchIndexError], message: str
) -> None:
    made(store, *ALL)
    assert isinstance(store, MilvusStore)
    table = Table(store.milvus, ledger_of(store.current("made")))
    [state] = table.rows([-1], ["text", "documents", "vector"])
    text = state["text"].replace('"format":2', f'"format":{number}')
    table.write([{**state, "vector": [0.0, 0.0], "text": text}])
    for ask in (lambda: store.describe("made"), lambda: store.open("made", schema())):
        with pytest.raises(kind, match=message):
            ask()


def test_a_server_that_does_not_answer_is_named_without_the_password(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody answers there
        port = taken.getsockname()[1]
        address = MilvusAddress(f"http://me:secret@127.0.0.1:{port}", tmp_path, "hush")
        with pytest.raises(
            SearchIndexError, match=f"'http://127.0.0.1:{port}'.*Is the server"
        ) as error:
            MilvusStore(address)
    assert "secret" not in str(error.value)
    assert "hush" not in str(error.value)


def test_a_file_in_no_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(SearchIndexError, match="folder must exist"):
        MilvusStore(MilvusAddress(str(tmp_path / "nowhere" / "x.db"), tmp_path))


@pytest.mark.parametrize("library", ["pymilvus", "milvus_lite"])
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, library: str, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'inforce\[milvus\]'"):
        MilvusStore(MilvusAddress("./x.db", tmp_path))


# --- a server that processes share ------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Milvus Lite server, a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    command = [
        *(sys.executable, "-m", "milvus_lite", "server", "--data-dir", str(folder / "data")),
        *("--host", "127.0.0.1", "--port", str(port)),
    ]
    with (folder / "log").open("w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        running.kill()
        running.wait()


def answer_in_another_process(address: MilvusAddress, pipe: Connection) -> None:
    """Open once, then answer every question with the keys found, until there are no more."""
    collection = MilvusStore(address).open("made", schema())
    pipe.send(len(collection.snapshot()))
    while text := pipe.recv():
        pipe.send(keys_found(collection, query(text)))


def add_and_die(address: MilvusAddress, pipe: Connection) -> None:
    """Be killed just before the commit."""
    collection = MilvusStore(address).open("made", schema())
    with collection.writing() as writer:
        writer.add(random_documents(30))
        os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def running(
    target: Callable[[MilvusAddress, Connection], None], address: MilvusAddress
) -> Generator[tuple[SpawnProcess, Connection]]:
    near, far = processes.Pipe()
    child = processes.Process(target=target, args=(address, far))
    child.start()
    far.close()
    try:
        yield child, near
    finally:
        child.kill()
        child.join()


def test_processes_share_a_server_and_see_each_commit(server: str, tmp_path: Path) -> None:
    address = MilvusAddress(server, tmp_path)
    collection = made(MilvusStore(address))
    with running(answer_in_another_process, address) as (_, reader):
        assert reader.recv() == 0
        for known in ALL:
            collection.add([known])
            reader.send(known.text)
            assert all(found[0] == known.key for found in reader.recv().values() if found)
        collection.delete(["theft"])
        reader.send("盗窃")
        assert reader.recv()["words"] == []
        made(MilvusStore(address), THEFT)  # anew: the reader follows
        reader.send("盗窃")
        assert reader.recv()["words"] == ["theft"]


def test_a_writer_killed_before_its_commit_leaves_the_last_one(server: str, tmp_path: Path) -> None:
    address = MilvusAddress(server, tmp_path)
    collection = made(MilvusStore(address), *ALL)
    with running(add_and_die, address) as (writer, _):
        writer.join()
        assert writer.exitcode == -signal.SIGKILL
    assert keys(collection) == {"theft", "fraud", "lease"}
    assert set(keys_found(collection, query("盗窃 缓刑"), k=50)[DENSE]) <= keys(collection)
    collection.add(random_documents(5))
    assert len(collection.snapshot()) == len(keys(collection)) == 8


# --- as the index of a corpus -----------------------------------------------------------------

ARTICLES = {str(number): f"第{number}号试验由登记机关登记。" for number in range(1, 11)}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[MilvusAddress]:
    yield MilvusAddress(str(tmp_path / "index.db"), tmp_path / "kept")
    close_milvus(str(tmp_path / "index.db"))


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(tmp_path / "corpus.sqlite", mode="write") as opened:
        opened.add([tiny_law("试验管理条例", ARTICLES, start=date(2000, 1, 1))])
        yield opened


def test_an_index_in_milvus_follows_the_corpus(corpus: Corpus, address: MilvusAddress) -> None:
    assert (index_snapshot(address), current_build(address)) == (None, "")
    assert update_index(corpus, address).action == "built"
    assert update_index(corpus, address).action == "unchanged"
    reader = open_index(address)
    corpus.add([tiny_law("新法", {"1": "违约的应当赔偿。"}, start=date(2010, 1, 1))])
    assert update_index(corpus, address).action == "updated"
    assert len(reader.snapshot()) == 11
    assert len(reader.snapshot().search("words", "违约")) == 1
    assert index_snapshot(address) == corpus.snapshot()


def test_a_rebuilt_index_replaces_the_old_one_with_its_files(
    corpus: Corpus, address: MilvusAddress
) -> None:
    update_index(corpus, address)
    assert update_index(corpus, address, rebuild=True).action == "built"
    assert current_build(address) == "inforce_statutes_0002"
    kept = [path.name for path in (address.folder / "statutes").iterdir() if path.is_dir()]
    assert kept == ["inforce_statutes_0002"]
    assert len(open_index(address).snapshot()) == 10
    tables = Milvus(address.uri).tables()
    assert tables == ["inforce_statutes_0002", "inforce_statutes_0002_ledger"]


def test_an_index_is_opened_from_a_machine_that_did_not_make_it(
    corpus: Corpus, address: MilvusAddress, tmp_path: Path
) -> None:
    update_index(corpus, address)
    elsewhere = MilvusAddress(address.uri, tmp_path / "elsewhere")
    assert len(open_index(elsewhere).snapshot()) == 10


QUESTIONS = (
    "盗窃公私财物数额较大怎么处罚",
    "2010年累犯能否适用缓刑",
    "刑法第二百六十四条",
    "抢劫罪",
    "用人单位违法解除劳动合同应当如何赔偿",
)


def test_a_library_answers_from_milvus_as_from_a_folder(
    sample_library: Library, address: MilvusAddress
) -> None:
    library = Library(sample_library.corpus, address, clock=sample_library.clock)
    for question in QUESTIONS:
        expected = [hit.provision for hit in sample_library.search(question).hits]
        assert [hit.provision for hit in library.search(question).hits] == expected
        assert expected


def machine(folder: Path, uri: str) -> Library:
    """What a server opens: a copy of the corpus, and the index by its address."""
    return Library(Corpus.open(folder / "corpus.db"), MilvusAddress(uri, folder / "milvus"))


def serve(folder: Path, uri: str, pipe: Connection) -> None:
    """What a process of a server does: answer each question with the provisions found."""
    library = machine(folder, uri)
    while question := pipe.recv():
        pipe.send(
            [(hit.provision.work, hit.provision.text) for hit in library.search(question).hits]
        )


@pytest.mark.slow
def test_servers_with_a_copy_of_the_corpus_and_the_address_of_the_index_answer_alike(
    corpus: Corpus, server: str, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        assert corpus.save_copy(folder / "corpus.db") == corpus.snapshot()
    machine(first, server).update_index()
    build = current_build(MilvusAddress(server, first / "milvus"))
    pipes: list[Connection] = []
    with ExitStack() as stack:
        for folder in (first, first, second, second):
            near, far = processes.Pipe()
            child = processes.Process(target=serve, args=(folder, server, far))
            child.start()
            far.close()
            stack.callback(child.join)
            stack.callback(child.kill)
            pipes.append(near)
        for question in ("2010年第3号试验由谁登记", "试验管理条例第五条"):
            for pipe in pipes:
                pipe.send(question)
            answered = [pipe.recv() for pipe in pipes]
            assert answered[0]
            assert answered == [answered[0]] * 4
    assert current_build(MilvusAddress(server, second / "milvus")) == build


def test_encoders_are_told_apart_by_name(store: Store) -> None:
    made(store, THEFT)
    with pytest.raises(SearchIndexError, match=r"'bag'.*'another'.*make it anew"):
        store.open("made", schema(BagEncoder("another")))
