"""One door: the command prints what the library returns, and a data folder is never half made."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.cli import main
from inforce.corpus.snapshots import EMPTY_SNAPSHOT
from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.errors import CorpusError, DateError, IdentifierError, UnknownWorkError, UserError
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library, open_library
from inforce.testing import tiny_law, tiny_library
from inforce.wire import as_wire
from sample_corpus import sample_texts

SAME: list[tuple[list[str], Callable[[Library], object]]] = [
    (["at", "刑法", "74"], lambda lib: lib.at("刑法", "74", on="today")),
    (
        ["at", "刑法", "133-1", "--on", "2015-10-20..2015-11-10"],
        lambda lib: lib.at(
            "刑法", "133-1", on=DateRange.inclusive(date(2015, 10, 20), date(2015, 11, 10))
        ),
    ),
    (
        ["at", "Criminal Law", "第一百三十三条之一", "--on", "2009年"],
        lambda lib: lib.at("刑法", "133-1", on="2009"),
    ),
    (["history", "刑事诉讼法", "53"], lambda lib: lib.history("刑事诉讼法", "53")),
    (
        ["diff", "刑法", "74", "--from", "2010-06-01", "--to", "2011-05-01"],
        lambda lib: lib.diff("刑法", "74", earlier=date(2010, 6, 1), later=date(2011, 5, 1)),
    ),
    (["search", "缓刑", "--as-of", "2010"], lambda lib: lib.search("缓刑", as_of="2010")),
    (["search", "缓刑", "-k", "7"], lambda lib: lib.search("缓刑", k=7)),
    (["search", "缓刑", "--any-date"], lambda lib: lib.search("缓刑", when="any")),
    (["ask", "2010年累犯能否适用缓刑？"], lambda lib: lib.ask("2010年累犯能否适用缓刑？")),
    (
        ["ask", "盗窃罪怎么处罚", "--as-of", "2010-05-01", "--trial", "2012-01-01"],
        lambda lib: lib.ask("盗窃罪怎么处罚", as_of=date(2010, 5, 1), trial=date(2012, 1, 1)),
    ),
    (["corpus", "list"], lambda lib: lib.corpus.works()),
    (["corpus", "index"], lambda lib: lib.update_index()),
]


@pytest.mark.parametrize(("arguments", "call"), SAME, ids=[ascii(" ".join(a)) for a, _ in SAME])
def test_a_command_prints_what_the_library_returns(
    sample_home: Path,
    sample_library: Library,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    call: Callable[[Library], object],
) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(sample_home))
    monkeypatch.setenv("INFORCE_TODAY", "2026-11-20")
    with pytest.raises(SystemExit):
        main([*arguments, "--json"])
    assert json.loads(capsys.readouterr().out) == as_wire(call(sample_library))


@pytest.mark.parametrize(("_arguments", "call"), SAME, ids=[ascii(" ".join(a)) for a, _ in SAME])
def test_everything_a_library_returns_has_a_json_form(
    sample_library: Library, _arguments: list[str], call: Callable[[Library], object]
) -> None:
    wire = as_wire(call(sample_library))
    assert json.loads(json.dumps(wire)) == wire


def test_a_value_of_somebody_else_has_no_json_form() -> None:
    with pytest.raises(TypeError, match="no JSON form for complex"):
        as_wire(1j)


def test_a_range_is_written_with_its_first_day_its_end_and_its_last_day() -> None:
    assert as_wire(DateRange(date(2011, 5, 1), date(2015, 11, 1))) == {
        "from": "2011-05-01",
        "until": "2015-11-01",
        "last_day": "2015-10-31",
    }
    assert as_wire(DateRange(date(2011, 5, 1), None)) == {
        "from": "2011-05-01",
        "until": None,
        "last_day": None,
    }


def test_a_first_use_makes_the_starter_corpus_and_says_where(tmp_path: Path) -> None:
    told: list[Path] = []
    for _ in range(2):
        with open_library(tmp_path / "new" / "home", on_first_use=told.append) as library:
            assert library.at("刑法", "74", on="2010").lookup.answer == "found"
    assert told == [tmp_path / "new" / "home" / "corpus.db"]


def test_an_interrupted_first_use_is_completed_by_the_next(tmp_path: Path) -> None:
    Corpus.open(tmp_path / "corpus.db", mode="write").close()  # tables without rows
    with open_library(tmp_path) as library:
        assert library.at("刑法", "74", on="2010").lookup.answer == "found"


def test_a_corpus_file_that_was_emptied_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "corpus.db").touch()
    with pytest.raises(CorpusError, match="has 0 bytes: it was emptied, or is none; restore it"):
        open_library(tmp_path)
    assert (tmp_path / "corpus.db").stat().st_size == 0


def test_changes_to_a_corpus_that_is_gone_are_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "corpus.db-wal").write_bytes(b"committed")
    with pytest.raises(CorpusError, match="but corpus.db-wal with changes to one: restore"):
        open_library(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.db-wal"]


def test_a_corpus_of_ones_own_is_left_without_the_starter_laws(tmp_path: Path) -> None:
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add([tiny_law("试验法", {"1": "甲"}, start=date(2000, 1, 1))])
        assert corpus.snapshot() != EMPTY_SNAPSHOT
    with open_library(tmp_path) as library:
        assert library.corpus.titles() == ("试验法",)
        with pytest.raises(UnknownWorkError):
            library.at("刑法", "74", on="2010")


def test_what_is_added_to_a_corpus_is_found_at_the_next_search(package_copy: Path) -> None:
    with open_library(package_copy) as library:
        found = library.search("无人驾驶航空器", as_of="2024-06-01").hits
        assert "试验法" not in {hit.provision.work for hit in found}
    with Corpus.open(package_copy / "corpus.db", mode="write") as corpus:
        law = tiny_law("试验法", {"1": "无人驾驶航空器应当登记。"}, start=date(2024, 1, 1))
        corpus.add([law])
    with open_library(package_copy) as library:
        [first, *_] = library.search("无人驾驶航空器", as_of="2024-06-01").hits
        assert first.provision.work == "试验法"


def test_a_folder_that_cannot_be_made_is_a_corpus_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CorpusError, match="name one you may write to in INFORCE_HOME"):
        open_library(tmp_path / "file" / "home")


def test_what_cannot_be_read_is_an_error_that_names_it(sample_library: Library) -> None:
    with pytest.raises(DateError, match="'2010-02-30'"):
        sample_library.at("刑法", "74", on="2010-02-30")
    with pytest.raises(IdentifierError, match="'七十x'"):
        sample_library.at("刑法", "七十x", on="2010")
    with pytest.raises(UnknownWorkError, match="'火星法'"):
        sample_library.history("火星法", "1")
    with pytest.raises(UserError, match="leave one of them out"):
        sample_library.search("缓刑", as_of="2010", when="any")


def test_a_part_of_an_article_is_shown_with_the_article_it_is_part_of(
    sample_library: Library,
) -> None:
    whole = sample_library.at("刑法", "133-1", on="2016")
    part = sample_library.at("刑法", "第133条之一第2款", on="20160101")
    assert part.lookup.found == whole.lookup.found
    assert part.caveats[0].startswith("第一百三十三条之一第二款 reads: 机动车所有人、管理人")
    beyond = sample_library.at("刑法", "第74条第3款", on="2010.6.1")
    assert beyond.caveats[0].startswith("there is no 第七十四条第三款")
    assert beyond.lookup.found
    for ask in (sample_library.history, partial(sample_library.diff, earlier="2010", later="2012")):
        assert ask("刑法", "第74条第1款") == ask("刑法", "74")


def test_a_difference_between_days_without_one_wording_each_has_no_pieces(
    sample_library: Library,
) -> None:
    for earlier, later in (("2010", "2016"), ("2014", "2015"), ("1990", "2016")):
        result = sample_library.diff("刑法", "133-1", earlier=earlier, later=later)
        assert (result.pieces, result.changed_share) == ((), 0.0)


def test_the_pieces_of_a_difference_make_up_both_wordings(sample_library: Library) -> None:
    result = sample_library.diff("刑法", "133-1", earlier="2012", later="2016")
    for lookup, gone in ((result.earlier, "inserted"), (result.later, "deleted")):
        [span] = lookup.found
        assert span.provision
        kept = "".join(piece.text for piece in result.pieces if piece.kind != gone)
        assert kept == span.provision.text


PROVISIONS = sorted(
    {(text.version.work, one.number) for text in sample_texts() for one in text.provisions}
)
DAYS = st.dates(date(1979, 1, 1), date(2026, 11, 20))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(provision=st.sampled_from(PROVISIONS), day=DAYS)
def test_what_is_found_was_in_force_on_the_day(
    sample_library: Library, provision: tuple[str, ProvisionNumber], day: date
) -> None:
    work, number = provision
    spans = sample_library.corpus.timeline(work, number).spans
    text = next(span.provision.text for span in spans if span.provision)
    for query in (f"《{work}》{number.chinese}", text[:20]):
        for hit in sample_library.search(query, as_of=day).hits:
            assert hit.provision.window is not None
            assert day in hit.provision.window


@settings(max_examples=60, deadline=None, derandomize=True)
@given(provision=st.sampled_from(PROVISIONS), day=DAYS)
def test_a_named_provision_is_found_first_on_every_day_it_was_in_force(
    sample_library: Library, provision: tuple[str, ProvisionNumber], day: date
) -> None:
    work, number = provision
    looked_up = sample_library.at(work, number.short, on=day).lookup
    hits = sample_library.search(f"《{work}》{number.chinese}", as_of=day).hits
    if looked_up.found:
        found = hits[0].provision
        assert (found.work, found.number) == (work, number)
        assert [found.text] == [s.provision.text for s in looked_up.found if s.provision]
    else:
        assert (work, number) not in {(hit.provision.work, hit.provision.number) for hit in hits}


def test_a_library_sees_laws_added_and_an_index_rebuilt_by_another(tmp_path: Path) -> None:
    law = tiny_law("甲法", {"1": "禁止盗窃骆驼。"}, start=date(2000, 1, 1))
    other = tiny_law("乙法", {"1": "禁止盗窃海豹。"}, start=date(2000, 1, 1))
    with tiny_library(tmp_path, law) as library:
        assert [hit.provision.work for hit in library.search("盗窃骆驼").hits] == ["甲法"]
        with Corpus.open(library.corpus.path, mode="write") as writer:
            writer.add([other])
        assert library.search("盗窃海豹", k=1).hits[0].provision.work == "乙法"
        with Library(Corpus.open(library.corpus.path), tmp_path / "index") as elsewhere:
            elsewhere.update_index(rebuild=True)
        assert library.search("盗窃海豹", k=1).hits[0].provision.work == "乙法"


def test_the_text_of_a_law_on_a_day_is_put_together_of_all_that_is_held(tmp_path: Path) -> None:
    articles = {"1": "甲", "2": "乙", "4": "丁"}
    texts = [
        tiny_law("试验法", articles, start=date(2000, 1, 1), end=date(2020, 1, 1), holes=["3"]),
        tiny_law("试验法", {"3": "丙"}, start=date(2000, 1, 1), end=date(2020, 1, 1), scope=["3"]),
        tiny_law("试验法", {"2": "新"}, start=date(2010, 1, 1), end=date(2020, 1, 1), scope=["2"]),
    ]
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        read = {
            day.year: "".join(one.text for one in library.text_on("试验法", day))
            for day in (date(1999, 12, 31), date(2009, 12, 31), date(2010, 1, 1), date(2020, 1, 1))
        }
    assert read == {1999: "", 2009: "甲乙丙丁", 2010: "甲新丙丁", 2020: ""}
