"""A store in a folder: other processes, damage, older and newer formats."""

from __future__ import annotations

import gc
import multiprocessing
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from documents_made import (
    BagEncoder,
    answers,
    document,
    keys,
    keys_found,
    query,
    random_documents,
    schema,
)

from inforce.errors import SearchIndexError
from inforce.store import Collection, Document, OutdatedIndexError
from inforce.store.local import LocalStore
from unprivileged import unprivileged

processes = multiprocessing.get_context("spawn")

REMEDY = "rebuild it with: inforce corpus index --rebuild"

THEFT = document("theft", "盗窃公私财物，数额较大的", None, "caption:盗窃罪")
FRAUD = document("fraud", "诈骗公私财物，数额较大的", None, "caption:诈骗罪")
LEASE = document("lease", "租赁合同的承租人应当支付租金", None)
ALL = (THEFT, FRAUD, LEASE)


def opened(root: Path) -> Collection:
    return LocalStore(root, remedy=REMEDY).open("made", schema())


def made(root: Path, *documents: Document) -> Collection:
    with LocalStore(root, remedy=REMEDY).replace("made", schema()) as writer:
        writer.add(documents)
    return opened(root)


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    return made(tmp_path)


# --- other processes --------------------------------------------------------------------------


def ask_in_another_process(root: Path, pipe: Connection) -> None:
    """Open once, then answer every question with the keys found, until there are no more."""
    collection = opened(root)
    pipe.send(len(collection.snapshot()))
    while text := pipe.recv():
        pipe.send(keys_found(collection, query(text)))


def write_in_another_process(root: Path, pipe: Connection) -> None:
    """Begin to add, and stay in the middle until sent on."""

    def documents() -> Iterator[Document]:
        yield THEFT
        pipe.send("writing")
        pipe.recv()

    opened(root).add(documents())
    pipe.send("written")


@contextmanager
def running(target: Callable[[Path, Connection], None], root: Path) -> Generator[Connection]:
    near, far = processes.Pipe()
    child = processes.Process(target=target, args=(root, far))
    child.start()
    far.close()
    try:
        yield near
    finally:
        child.kill()
        child.join()
        child.close()
        near.close()


def test_another_process_sees_what_is_committed_without_a_restart(
    collection: Collection, tmp_path: Path
) -> None:
    with running(ask_in_another_process, tmp_path) as reader:
        assert reader.recv() == 0
        for known in ALL:
            collection.add([known])
            reader.send(known.text)
            found = reader.recv()
            assert all(keys[0] == known.key for keys in found.values() if keys)
        collection.delete(["theft"])
        reader.send("盗窃")
        assert reader.recv()["words"] == []
        made(tmp_path, THEFT)  # anew
        reader.send("盗窃")
        assert reader.recv()["words"] == ["theft"]


def test_there_is_one_writer_and_it_does_not_block_readers(
    collection: Collection, tmp_path: Path
) -> None:
    collection.add([FRAUD])
    with running(write_in_another_process, tmp_path) as writer:
        assert writer.recv() == "writing"
        holder = r"process \d+ on .* \(since 20\d\d-.*\) is writing .*; try again"
        for write in (lambda: collection.add([LEASE]), lambda: collection.delete(["fraud"])):
            with pytest.raises(SearchIndexError, match=holder):
                write()
        with pytest.raises(SearchIndexError, match="is writing"):
            made(tmp_path)
        with pytest.raises(SearchIndexError, match="is writing"):
            LocalStore(tmp_path).remove("made")
        assert keys(collection) == {"fraud"}
        assert keys_found(collection, query("诈骗"))["words"] == ["fraud"]
        writer.send("go on")
        assert writer.recv() == "written"
    assert keys(collection) == {"fraud", "theft"}
    assert collection.add([LEASE]).added == 1


def test_a_writer_may_wait_for_another(collection: Collection) -> None:
    holding, release = threading.Event(), threading.Event()

    def hold() -> None:
        with collection.writing():
            holding.set()
            release.wait(10)

    other = threading.Thread(target=hold)
    other.start()
    holding.wait(10)
    with pytest.raises(SearchIndexError, match="is writing"):
        collection.add([THEFT])
    threading.Timer(0.2, release.set).start()
    with collection.writing(wait=10) as writer:
        assert writer.add([THEFT]).added == 1
        writer.commit()
    other.join()


def test_a_deletion_is_left_out_of_every_later_state(collection: Collection) -> None:
    """Also where nothing was asked of the vectors before."""
    collection.add(random_documents(30))
    collection.delete([f"d{number:05}" for number in range(0, 30, 2)])
    collection.add(random_documents(5, seed=1, first=30))
    found = keys_found(collection, query("盗窃 合同 遗嘱 缓刑"), k=100)
    odd = {f"d{number:05}" for number in (*range(1, 30, 2), *range(30, 35))}
    assert set(found["dense"]) <= odd == keys(collection)


def test_a_commit_that_was_replaced_is_let_go_without_collecting_cycles(tmp_path: Path) -> None:
    collection = made(tmp_path, *ALL)
    keys_found(collection, query("盗窃"))
    before = weakref.ref(collection.snapshot())
    gc.disable()
    try:
        collection.delete(["lease"])
        keys_found(collection, query("盗窃"))
        assert before() is None
    finally:
        gc.enable()


def test_many_small_commits_answer_like_one(tmp_path: Path) -> None:
    documents = random_documents(60)
    at_once, piecemeal = made(tmp_path / "once", *documents), made(tmp_path / "piecemeal")
    reader = opened(tmp_path / "piecemeal")
    for start in range(0, 60, 6):
        piecemeal.add(documents[start : start + 6])
        assert len(reader.snapshot()) == start + 6
    assert answers(piecemeal) == answers(reader) == answers(at_once)


# --- damage -----------------------------------------------------------------------------------

FILES = ("payload.bin", "rows.bin", "vectors.bin", "deleted.bin")
HOW = ("missing", "empty", "cut", "garbage")


def assert_refused_as_damaged(root: Path) -> None:
    """Whatever is asked of the index, the answer is that it is damaged and how to mend it."""
    with pytest.raises(SearchIndexError, match=f"damaged.*{REMEDY}"):
        keys_found(opened(root), query("盗窃 公私财物", "caption:诈骗罪"))


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a collection of two documents, and one deleted."""
    root = tmp_path_factory.mktemp("original")
    made(root, *ALL).delete(["lease"])
    return root


@pytest.fixture
def build(original: Path, tmp_path: Path) -> Path:
    """The folder of the build in a copy of it, to be spoilt."""
    return shutil.copytree(original, tmp_path / "copy") / "made" / "0001"


def root_of(build: Path) -> Path:
    return build.parents[1]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"format": 2}', '{"format": "x"}', "\udc80"]
)
def test_a_damaged_form_names_the_remedy(build: Path, text: str) -> None:
    (build / "collection.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(SearchIndexError, match=f"damaged.*{REMEDY}"):
        opened(root_of(build))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("how", HOW)
def test_a_damaged_file_names_the_remedy(build: Path, name: str, how: str) -> None:
    if how == "garbage" and name == "vectors.bin":
        pytest.skip("any bytes are vectors")
    spoil(build / name, how)
    assert_refused_as_damaged(root_of(build))


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("pattern", ["meta.json", "state-*.json", "*.idx", "*.term", "*.fast"])
def test_a_damaged_lexicon_names_the_remedy(build: Path, pattern: str, how: str) -> None:
    for path in (build / "lexicon").glob(pattern):
        spoil(path, how)
    assert_refused_as_damaged(root_of(build))


def spoil(path: Path, how: str) -> None:
    """Put a spoilt file in the place of a sound one."""
    whole = path.read_bytes()
    path.unlink()  # a new file: what others have mapped stays whole
    spoilt = {"empty": b"", "cut": whole[: len(whole) // 2], "garbage": b"\xff" * 300}
    if how != "missing":
        path.write_bytes(spoilt[how])


def test_a_writer_refuses_records_that_were_cut_short(build: Path) -> None:
    collection = opened(root_of(build))
    (build / "rows.bin").write_bytes(b"")
    with pytest.raises(SearchIndexError, match="rows.bin has 0 bytes where 48 were committed"):
        collection.add([LEASE])


def test_a_damaged_build_is_not_continued(tmp_path: Path) -> None:
    store = LocalStore(tmp_path)
    with (
        pytest.raises(InterruptedError),
        store.replace("made", schema(), fingerprint="a") as writer,
    ):
        writer.add(ALL)
        writer.commit()
        raise InterruptedError
    (tmp_path / "made" / "0001" / "lexicon" / "meta.json").write_text("{")
    with store.replace("made", schema(), fingerprint="a") as writer:
        assert writer.rows == 0
        writer.add([THEFT])
    assert keys(store.open("made", schema())) == {"theft"}


@pytest.mark.parametrize(
    ("number", "kind", "message"),
    [
        (1, OutdatedIndexError, f"made by an earlier release: {REMEDY}"),
        (99, SearchIndexError, f"format 99, this release reads 2: update inforce, or {REMEDY}"),
    ],
)
def test_another_format_is_never_misread(
    build: Path, number: int, kind: type[SearchIndexError], message: str
) -> None:
    path = build / "collection.json"
    path.write_text(path.read_text().replace('"format":2', f'"format":{number}'))
    with pytest.raises(kind, match=message):
        opened(root_of(build))
    with pytest.raises(kind, match=message):
        LocalStore(root_of(build), remedy=REMEDY).describe("made")


def test_a_collection_removed_under_a_reader_is_an_error_not_an_empty_answer(build: Path) -> None:
    reader = opened(root_of(build))
    shutil.rmtree(build.parent)
    with pytest.raises(SearchIndexError, match="no index 'made'"):
        reader.snapshot()


def test_folders_that_are_no_builds_are_left_alone(build: Path) -> None:
    (build.parent / "mine").mkdir()
    (build.parent / "0007.txt").touch()
    made(root_of(build), LEASE)
    assert sorted(path.name for path in build.parent.iterdir()) == [
        "0002",
        "0007.txt",
        "CURRENT",
        "mine",
        "writer.json",
        "writer.lock",
    ]


def test_encoders_are_told_apart_by_name(tmp_path: Path) -> None:
    made(tmp_path, THEFT)
    with pytest.raises(SearchIndexError, match=f"'bag'.*'another'.*{REMEDY}"):
        LocalStore(tmp_path, remedy=REMEDY).open("made", schema(BagEncoder("another")))


# --- what killed writers leave, full disks, folders nobody may write to ---------------------------


def builds(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "made").iterdir() if path.is_dir())


def killed_while_making_it_anew(root: Path, *, fingerprint: str = "") -> None:
    """What a process that was killed in the middle of a build leaves."""
    build = root / "made" / "0001"
    shutil.copytree(build, root / "made" / "0002")
    form = root / "made" / "0002" / "collection.json"
    form.write_text(form.read_text().replace('"fingerprint":""', f'"fingerprint":"{fingerprint}"'))


def test_what_a_killed_build_left_is_removed_by_the_next_writer(tmp_path: Path) -> None:
    collection = made(tmp_path, THEFT)
    killed_while_making_it_anew(tmp_path)
    assert builds(tmp_path) == ["0001", "0002"]
    collection.add([FRAUD])
    assert builds(tmp_path) == ["0001"]
    assert keys(opened(tmp_path)) == {"theft", "fraud"}


def test_a_build_that_can_be_continued_is_left_for_its_next_writer(tmp_path: Path) -> None:
    collection = made(tmp_path, THEFT)
    killed_while_making_it_anew(tmp_path, fingerprint="input")
    collection.add([FRAUD])
    assert builds(tmp_path) == ["0001", "0002"]


@pytest.mark.parametrize("content", [b"", b"../..", b"\xff\xfe", b"0001\x00", None])
def test_a_damaged_current_is_one_clear_error_until_the_index_is_made_anew(
    tmp_path: Path, content: bytes | None
) -> None:
    reader = made(tmp_path, THEFT)
    current = tmp_path / "made" / "CURRENT"
    current.unlink()
    if content is None:
        current.mkdir()
    else:
        current.write_bytes(content)
    for look in (reader.snapshot, lambda: LocalStore(tmp_path, remedy=REMEDY).describe("made")):
        with pytest.raises(SearchIndexError, match=f"damaged.*{REMEDY}"):
            look()
    if content is not None:
        assert keys(made(tmp_path, FRAUD)) == {"fraud"}
        assert builds(tmp_path) == ["0001"]


_ADD = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from documents_made import random_documents, schema
from inforce.store.local import LocalStore

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
most = int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
store = LocalStore(Path(sys.argv[1]), remedy="make it anew")
if sys.argv[4] == "add":
    store.open("made", schema()).add(random_documents(2_000))
else:
    with store.replace("made", schema()) as writer:
        writer.add(random_documents(2_000))
"""


@pytest.mark.parametrize("kilobytes", [3, 40])
@pytest.mark.parametrize("how", ["add", "replace"])
def test_a_disk_that_takes_no_more_is_said_to_be_full_and_the_index_stays_as_it_was(
    tmp_path: Path, kilobytes: int, how: str
) -> None:
    pytest.importorskip("resource")
    made(tmp_path, THEFT)
    given = [str(tmp_path), str(Path(__file__).parent), str(kilobytes * 1024), how]
    command = [sys.executable, "-c", _ADD, *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "SearchIndexError: the" in done.stderr
    assert "the disk is full" in done.stderr
    assert "the index is as it was" in done.stderr
    assert keys(opened(tmp_path)) == {"theft"}
    opened(tmp_path).add([FRAUD])  # nothing is locked
    assert builds(tmp_path) == ["0001"]


_READ = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from documents_made import keys_found, query, schema, document
from inforce.store.local import LocalStore

store = LocalStore(Path(sys.argv[1]), remedy="make it anew")
collection = store.open("made", schema())
print(keys_found(collection, query("盗窃"))["words"][0], store.describe("made").documents)
try:
    collection.add([document("more", "更多", None)])
except Exception as error:
    print(type(error).__name__)
"""


def test_an_index_in_a_read_only_folder_is_read_and_adding_to_it_says_why_not(
    tmp_path: Path,
) -> None:
    made(tmp_path, *ALL)
    everything = [tmp_path, *tmp_path.rglob("*")]
    for path in everything:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = sorted(tmp_path.rglob("*"))
    try:
        command = [sys.executable, "-c", _READ, str(tmp_path), str(Path(__file__).parent)]
        done = subprocess.run(unprivileged(*command), capture_output=True, text=True, check=False)
    finally:
        for path in everything:
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert done.stdout.split() == ["theft", "3", "ReadOnlyIndexError"], done.stderr
    assert sorted(tmp_path.rglob("*")) == before
