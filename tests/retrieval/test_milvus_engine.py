"""The engine in a Milvus file: what it must share with the embedded one, and what is its own."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import pytest
from engine_documents import BagEncoder, answers, document, keys_found, query, random_documents

from inforce.corpus.home import MilvusAddress
from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.errors import MissingExtraError, SearchIndexError
from inforce.library import Library
from inforce.retrieval.encoders import Encoder
from inforce.retrieval.engines import Document, Engine, TimeFilter
from inforce.retrieval.engines.local import LocalEngine
from inforce.retrieval.engines.milvus import FIRST_LOOK, MilvusEngine
from inforce.retrieval.engines.milvus_ledger import Ledger
from inforce.retrieval.engines.milvus_tables import Milvus
from inforce.retrieval.index import current_build, index_snapshot, open_index, update_index
from inforce.retrieval.places import IndexEngine
from inforce.testing import tiny_law

REASON = "needs the milvus extra: pip install 'inforce[milvus]'"
pytest.importorskip("pymilvus", reason=REASON)
pytest.importorskip("milvus_lite", reason=REASON)

# The libraries below warn of their own future; that is not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")

THEFT = document("theft", "盗窃公私财物，数额较大的", None, "caption:盗窃罪")
FRAUD = document("fraud", "诈骗公私财物，数额较大的", None, "caption:诈骗罪")
LEASE = document("lease", "租赁合同的承租人应当支付租金", None)
ALL = (THEFT, FRAUD, LEASE)


class Create(Protocol):
    def __call__(self, encoder: Encoder | None = None) -> IndexEngine: ...


@dataclass
class Shelf:
    """One Milvus file for all tests, as it takes a second to open; each has its own collection."""

    uri: str
    made: int = 0

    def create(self, encoder: Encoder | None = None) -> MilvusEngine:
        self.made += 1
        name = f"test_{self.made}"
        return MilvusEngine.create(self.uri, encoder or BagEncoder(), collection=name)

    def again(self, engine: MilvusEngine) -> MilvusEngine:
        return MilvusEngine(self.uri, encoder=BagEncoder(), collection=engine.collection)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return Shelf(str(tmp_path_factory.mktemp("milvus") / "shelf.db"))


@pytest.fixture(params=["local", "milvus"])
def create(request: pytest.FixtureRequest, shelf: Shelf, tmp_path: Path) -> Create:
    """Make an empty engine of either kind."""
    if request.param == "milvus":
        return shelf.create
    return lambda encoder=None: LocalEngine.create(tmp_path / "index", encoder or BagEncoder())


# --- what both engines promise ----------------------------------------------------------------


def test_it_is_an_engine(create: Create) -> None:
    assert isinstance(create(), Engine)


def test_what_was_added_is_found_in_every_channel(create: Create) -> None:
    engine = create()
    assert engine.add(ALL) == len(engine) == 3
    assert engine.keys() == {"theft", "fraud", "lease"}
    found = keys_found(engine, query("盗窃", "caption:盗窃罪"))
    assert [keys[0] for keys in found.values()] == ["theft"] * 3


def test_an_exact_name_outweighs_words(create: Create) -> None:
    engine = create()
    engine.add(ALL)
    asked = query("公私财物 数额较大 盗窃", "caption:诈骗罪")
    assert keys_found(engine, asked)["keyword"] == ["fraud", "theft"]


@pytest.mark.parametrize("text", ["", "，。！", "从未出现的词语xyzzy"])
def test_a_question_without_a_known_term_finds_nothing(create: Create, text: str) -> None:
    engine = create()
    assert set(map(tuple, keys_found(engine, query("盗窃")).values())) == {()}
    engine.add(ALL)
    found = keys_found(engine, query(text))
    assert found["keyword"] == found["bm25"] == []


def test_adding_again_changes_nothing(create: Create) -> None:
    engine = create()
    assert engine.add([THEFT, FRAUD, THEFT]) == 2
    weight = engine.weigh("盗窃")
    assert engine.add([THEFT, FRAUD]) == 0
    assert (len(engine), engine.weigh("盗窃")) == (2, weight)


def test_what_was_deleted_is_found_in_no_channel_and_may_come_back(create: Create) -> None:
    engine = create()
    engine.add(ALL)
    assert engine.delete(["theft", "never known"]) == 1
    assert engine.delete(["theft"]) == 0
    assert engine.keys() == {"fraud", "lease"}
    found = keys_found(engine, query("盗窃 公私财物", "caption:盗窃罪"))
    assert all("theft" not in keys for keys in found.values())
    assert engine.add([THEFT]) == 1
    assert all("theft" in keys for keys in keys_found(engine, query("盗窃")).values())


def test_a_failing_stream_of_documents_adds_nothing(create: Create) -> None:
    def stream() -> Iterator[Document]:
        yield from random_documents(2_001)
        raise InterruptedError("the corpus went away")

    engine = create()
    with pytest.raises(InterruptedError):
        engine.add(stream())
    assert (len(engine), engine.keys()) == (0, frozenset())
    assert all(not keys for keys in keys_found(engine, query("盗窃 缓刑")).values())
    assert engine.add(ALL) == 3
    assert engine.keys() == {"theft", "fraud", "lease"}


def test_progress_tells_every_document_once(create: Create) -> None:
    told: list[int] = []
    create().add(random_documents(2_100), progress=told.append)
    assert told == [2_000, 100]


@pytest.mark.parametrize("payload", ["", '{"text": "盗窃\\n\\u0000", "x": "𠮷"}', "𠮷法" * 40_000])
def test_payloads_come_back_untouched(create: Create, payload: str) -> None:
    engine = create()
    engine.add([document("b", "抢劫", payload=payload)])
    [hit] = engine.search("bm25", query("抢劫"))
    assert engine.payload(hit.row) == payload


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        (date(2011, 4, 30), ["old"]),
        (date(2011, 5, 1), ["new"]),
        (date(2013, 1, 1), ["new"]),
        (date(2015, 10, 31), ["new"]),
        (date(2015, 11, 1), ["now"]),
    ],
)
def test_each_channel_finds_the_wording_in_force(
    create: Create, on: date, expected: list[str]
) -> None:
    engine = create()
    engine.add(
        [
            document("old", "盗窃", DateRange(date(1997, 10, 1), date(2011, 5, 1))),
            document("new", "盗窃", DateRange(date(2011, 5, 1), date(2015, 11, 1))),
            document("now", "盗窃", DateRange(date(2015, 11, 1), None)),
            document("undated", "盗窃", None),
        ]
    )
    found = keys_found(engine, query("盗窃"), during=(DateRange.day(on),))
    assert list(found.values()) == [expected] * 3


def test_several_ranges_and_the_ends_of_the_calendar_count(create: Create) -> None:
    years = [DateRange(date(year, 1, 1), date(year + 1, 1, 1)) for year in (2000, 2001, 2002)]
    engine = create()
    engine.add([document(f"{valid.start.year}", "盗窃", valid) for valid in years])
    engine.add([document("ever", "盗窃", DateRange(date.min, None)), document("never", "盗窃")])
    for during, expected in (
        ((DateRange.day(date(2000, 6, 1)), years[2]), {"2000", "2002", "ever"}),
        ((DateRange.day(date.min),), {"ever"}),
        ((DateRange.day(date.max),), {"ever"}),
        ((), {"2000", "2001", "2002", "ever", "never"}),
    ):
        found = keys_found(engine, query("盗窃"), during=during)
        assert [set(keys) for keys in found.values()] == [expected] * 3


def test_what_stands_behind_many_others_is_found(create: Create) -> None:
    engine = create()
    old, new = (DateRange(date(year, 1, 1), date(year + 9, 1, 1)) for year in (2000, 2009))
    engine.add(document(f"old{n}", "盗窃 盗窃 缓刑", old) for n in range(300))
    engine.add(document(f"new{n}", "盗窃 合同 违约 赔偿 租赁 工资 保险", new) for n in range(3))
    found = keys_found(engine, query("盗窃 缓刑"), during=(DateRange.day(date(2010, 1, 1)),))
    assert found["keyword"] == found["bm25"] == ["new0", "new1", "new2"]


def test_a_keyword_counts_only_where_all_its_words_stand(create: Create) -> None:
    engine = create()
    halves = [document(f"half{n:03}", ("醉酒 的人", "驾驶 小船")[n % 2]) for n in range(200)]
    engine.add([*halves, document("whole", "醉酒 的人 驾驶 机动车")])
    asked = replace(query("醉酒 小船"), keywords=("醉酒驾驶",))
    assert keys_found(engine, asked)["keyword"] == ["whole"]


def test_a_note_is_kept(create: Create) -> None:
    engine = create()
    assert engine.note == ""
    engine.annotate("snapshot 1")
    engine.add(ALL)
    assert engine.note == "snapshot 1"


def test_both_engines_find_the_same_in_the_same_order(shelf: Shelf, tmp_path: Path) -> None:
    local, milvus = LocalEngine.create(tmp_path / "index", BagEncoder()), shelf.create()
    for engine in (local, milvus):
        engine.add(random_documents(600, seed=7))
    assert answers(milvus) == answers(local)
    for keyword in ("盗窃", "合同违约", "从未出现"):
        assert milvus.weigh(keyword) == pytest.approx(local.weigh(keyword))


# --- what is the Milvus engine's own ----------------------------------------------------------


def test_another_open_engine_sees_what_is_committed(shelf: Shelf) -> None:
    engine = shelf.create()
    reader = shelf.again(engine)
    engine.add([THEFT])
    assert keys_found(reader, query("盗窃"))["bm25"] == ["theft"]
    weight = reader.weigh("盗窃")
    assert reader.add([THEFT, FRAUD]) == 1
    assert keys_found(engine, query("诈骗"))["bm25"] == ["fraud"]
    assert engine.weigh("盗窃") > weight
    engine.delete(["theft"])
    assert all("theft" not in keys for keys in keys_found(reader, query("盗窃")).values())


def test_equal_scores_go_to_the_lower_row_however_many_are_equal(shelf: Shelf) -> None:
    engine = shelf.create()
    engine.add(document(f"d{n:03}", "盗窃 缓刑", None) for n in range(3 * FIRST_LOOK))
    found = keys_found(engine, query("盗窃"), k=3)
    assert list(found.values()) == [["d000", "d001", "d002"]] * 3


@pytest.mark.parametrize("job", ["add", "delete"])
def test_what_a_writer_left_half_done_is_mended_by_the_next(
    shelf: Shelf, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, clean = shelf.create(), shelf.create()
    first, second = random_documents(40), random_documents(20, seed=1, first=40)
    for one in (engine, clean):
        one.add(first)
    with monkeypatch.context() as broken:
        broken.setattr(Ledger, "settle", _pull_the_plug)
        broken.setattr(Ledger, "count", _count_and_pull_the_plug(Ledger.count))
        with pytest.raises(InterruptedError):
            engine.add(second) if job == "add" else engine.delete(["d00003"])
    if job == "delete":
        clean.delete(["d00003"])  # Milvus removes at once: the next writer only counts anew
    left = shelf.again(engine)
    left.annotate("mended")
    assert left.keys() == clean.keys()
    assert len(left) == len(clean)
    assert answers(left) == answers(clean)
    assert left.weigh("盗窃") == clean.weigh("盗窃")


def _pull_the_plug(ledger: Ledger) -> None:
    raise InterruptedError(ledger)


def _count_and_pull_the_plug(count: object) -> object:
    assert callable(count)

    def broken(ledger: Ledger, change: dict[int, int]) -> None:
        count(ledger, dict(list(change.items())[::2]))
        _pull_the_plug(ledger)

    return broken


def test_the_index_is_there_after_milvus_was_closed(tmp_path: Path) -> None:
    uri = str(tmp_path / "kept.db")
    MilvusEngine.create(uri, BagEncoder()).add(ALL)
    _close(uri)
    reopened = MilvusEngine(uri, encoder=BagEncoder())
    assert reopened.keys() == {"theft", "fraud", "lease"}
    assert keys_found(reopened, query("盗窃"))["keyword"] == ["theft"]
    _close(uri)


def _close(uri: str) -> None:
    server: Any = import_module("milvus_lite.server_manager")
    Milvus(uri).client.close()
    server.server_manager_instance.release_server(uri)


def test_an_index_refuses_an_encoder_that_did_not_fill_it(shelf: Shelf) -> None:
    engine = shelf.create()
    with pytest.raises(SearchIndexError, match=r"'bag'.*'another'.*index --rebuild"):
        MilvusEngine(shelf.uri, encoder=BagEncoder("another"), collection=engine.collection)
    swapped = MilvusEngine(shelf.uri, encoder=BagEncoder("bag", 8), collection=engine.collection)
    with pytest.raises(SearchIndexError, match=r"8 numbers.*index --rebuild"):
        swapped.search("dense", query("盗窃"))


def test_no_index_says_how_to_make_one(shelf: Shelf) -> None:
    with pytest.raises(SearchIndexError, match="inforce corpus index"):
        MilvusEngine(shelf.uri, encoder=BagEncoder(), collection="nothing")


def test_a_row_deleted_since_the_search_is_an_error_not_an_empty_text(shelf: Shelf) -> None:
    engine = shelf.create()
    engine.add(ALL)
    [hit] = engine.search("bm25", query("诈骗"))
    engine.delete(["fraud"])
    with pytest.raises(SearchIndexError, match="search again"):
        engine.payload(hit.row)


def test_a_server_that_does_not_answer_is_named_without_the_password() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody answers there
        port = taken.getsockname()[1]
        with pytest.raises(
            SearchIndexError, match=f"'http://127.0.0.1:{port}'.*Is the server"
        ) as e:
            MilvusEngine(f"http://me:secret@127.0.0.1:{port}", encoder=BagEncoder(), token="hush")
    assert "secret" not in str(e.value)
    assert "hush" not in str(e.value)


def test_a_file_in_no_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(SearchIndexError, match="folder must exist"):
        MilvusEngine(str(tmp_path / "nowhere" / "x.db"), encoder=BagEncoder())


@pytest.mark.parametrize("library", ["pymilvus", "milvus_lite"])
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'inforce\[milvus\]'"):
        MilvusEngine("./x.db", encoder=BagEncoder())


# --- as the index of a corpus -----------------------------------------------------------------

ARTICLES = {str(number): f"第{number}号试验由登记机关登记。" for number in range(1, 11)}
THEN: TimeFilter = (DateRange.day(date(2005, 1, 1)),)


@pytest.fixture
def address(tmp_path: Path) -> MilvusAddress:
    return MilvusAddress(str(tmp_path / "index.db"), tmp_path / "kept")


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
    assert len(reader) == 11
    assert keys_of(reader, "违约", THEN) == 0 < keys_of(reader, "违约", ())
    assert index_snapshot(address) == corpus.snapshot()


def keys_of(engine: Engine, text: str, during: TimeFilter) -> int:
    return len(engine.search("bm25", query(text), during=during))


def test_a_rebuilt_index_replaces_the_old_one_with_its_model(
    corpus: Corpus, address: MilvusAddress
) -> None:
    update_index(corpus, address)
    old = open_index(address)
    assert update_index(corpus, address, rebuild=True).action == "built"
    assert current_build(address) == "inforce_statutes_0002"
    kept = [path.name for path in address.folder.iterdir() if path.is_dir()]
    assert kept == ["inforce_statutes_0002"]
    assert len(open_index(address)) == 10
    milvus = Milvus(address.uri)
    assert milvus.tables() == ["inforce_statutes_0002", "inforce_statutes_0002_ledger"]
    with pytest.raises(SearchIndexError, match="inforce_statutes_0001"):
        old.search("bm25", query("登记"))


def test_a_model_left_on_another_machine_is_asked_for(
    corpus: Corpus, address: MilvusAddress, tmp_path: Path
) -> None:
    update_index(corpus, address)
    elsewhere = MilvusAddress(address.uri, tmp_path / "elsewhere")
    with pytest.raises(SearchIndexError, match="copy its LSA model"):
        open_index(elsewhere)


QUESTIONS = (
    "盗窃公私财物数额较大怎么处罚",
    "2010年累犯能否适用缓刑",
    "刑法第二百六十四条",
    "抢劫罪",
    "用人单位违法解除劳动合同应当如何赔偿",
)


def test_a_library_answers_from_milvus_as_from_a_folder(
    starter_library: Library, address: MilvusAddress
) -> None:
    library = Library(starter_library.corpus, address, clock=starter_library.clock)
    for question in QUESTIONS:
        expected = [hit.provision for hit in starter_library.search(question).hits]
        assert [hit.provision for hit in library.search(question).hits] == expected
        assert expected
