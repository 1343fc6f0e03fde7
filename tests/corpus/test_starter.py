"""The starter corpus: what it holds, that its timelines are sound, that its wording is checked."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import zlib
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from inforce.corpus import starter
from inforce.corpus.loaders import load
from inforce.corpus.loaders.checks import without_foreign_text
from inforce.corpus.starter import COVERAGE_NOTE, starter_texts
from inforce.corpus.store import Corpus
from inforce.law.model import Provision, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Lookup

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(starter.__file__).parent
CRIMINAL = "中华人民共和国刑法"
CRIMINAL_PROCEDURE = "中华人民共和国刑事诉讼法"
CIVIL_PROCEDURE = "中华人民共和国民事诉讼法"
SUCCESSION = "中华人民共和国继承法"
MARRIAGE = "中华人民共和国婚姻法"
CIVIL_CODE = "中华人民共和国民法典"
LABOUR_CONTRACT = "中华人民共和国劳动合同法"
THEFT = "最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释"

Record = dict[str, Any]


@cache
def held() -> tuple[VersionText, ...]:
    return tuple(starter_texts())


@pytest.fixture(scope="module", autouse=True)
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    path = tmp_path_factory.mktemp("starter") / "corpus.db"
    with Corpus.open(path, mode="write") as opened:
        opened.add(held())
        yield opened


def at(corpus: Corpus, work: str, number: str, day: date) -> Lookup:
    return corpus.timeline(work, ProvisionNumber.parse(number)).version_at(day)


def text_at(corpus: Corpus, work: str, number: str, day: date) -> str:
    (span,) = at(corpus, work, number, day).found
    assert span.provision is not None
    return span.provision.text


# What it holds


def test_the_note_a_user_reads_counts_what_is_held() -> None:
    numbers = {(text.version.work, one.number) for text in held() for one in text.provisions}
    works = {text.version.work for text in held()}
    counted = f"{len(works)} laws and interpretations, {len(numbers):,} provisions"
    assert counted in COVERAGE_NOTE


def test_the_note_a_user_reads_says_what_the_copies_lack() -> None:
    lacking = [text.version for text in held() if text.version.holes]
    articles = sum(len(version.holes) for version in lacking)
    assert len({version.work for version in lacking}) == 11
    assert f"the texts of eleven laws lack {articles} articles" in COVERAGE_NOTE


def test_the_note_a_user_reads_names_the_one_text_that_is_a_fragment() -> None:
    (fragment,) = [text for text in held() if text.version.scope is not None]
    assert (fragment.version.work, fragment.version.label) == ("中华人民共和国婚姻法", "1980")
    assert len(fragment.provisions) == 2
    assert "only two articles are held of the Marriage Law of 1980" in COVERAGE_NOTE


def test_the_note_a_user_reads_counts_the_laws_that_the_civil_code_replaced() -> None:
    repealed = {
        *("婚姻法", "继承法", "收养法", "担保法", "合同法", "物权法", "侵权责任法"),
        *("民法通则", "民法总则"),
    }
    works = {text.version.work.removeprefix("中华人民共和国") for text in held()}
    assert repealed - works == {"民法总则"}
    assert "eight of the nine laws it replaced" in COVERAGE_NOTE


def test_it_is_small_enough_to_come_with_the_package() -> None:
    packed = sum(len(zlib.compress(path.read_bytes())) for path in FOLDER.glob("*.json"))
    assert packed < 3 * 2**20


@pytest.mark.parametrize(
    ("work", "numbers"),
    [
        (
            CRIMINAL,
            "12 17 17-1 49 50 67 68 72 74 81 133-1 201 217 234 236 237 253-1 263 264 266 274 280 "
            "286-1 287-1 287-2 293 303 341 347 382 383 385 386 390 393",
        ),
        (CRIMINAL_PROCEDURE, "46 53 55"),
        (SUCCESSION, "17 18 19 20 21 22"),
        (CIVIL_CODE, "1134 1135 1136 1137 1138 1139 1140 1141 1142"),
        (CIVIL_CODE, "1062 1063 1064 1065 1079 153 509 584 585"),
        (MARRIAGE, "17 18 19 32"),
        ("中华人民共和国合同法", "52 60 113 114"),
        (LABOUR_CONTRACT, "14 46 47 57 58 59 60 61 62 63 64 65 66 67 82"),
        ("最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定", "1 2 3"),
        (THEFT, "1"),
    ],
)
def test_the_much_consulted_articles_are_there(corpus: Corpus, work: str, numbers: str) -> None:
    timelines = [corpus.timeline(work, ProvisionNumber.parse(one)) for one in numbers.split()]
    assert all(any(span.state == "in_force" for span in one.spans) for one in timelines)


def test_every_version_names_its_instrument_and_the_day_it_was_promulgated() -> None:
    for text in held():
        version = text.version
        assert version.instrument
        assert version.promulgated and version.validity.start
        assert version.promulgated <= version.validity.start
        assert version.validity.status in ("exact", "open")


def test_statutory_text_has_full_width_punctuation_and_whole_lines() -> None:
    for text in held():
        for provision in text.provisions:
            assert re.search(r"[,:;()\u200b]", provision.text) is None, provision
            assert all(provision.text.split("\n")), provision


# Its timelines


def test_no_timeline_overlaps_contradicts_itself_or_leaves_a_silent_gap(corpus: Corpus) -> None:
    for work in corpus.titles():
        for timeline in corpus.timelines(work):
            assert timeline.set_aside == ()
            assert timeline.spans[0].window.start == date.min
            assert timeline.spans[-1].window.end is None
            assert all(one.window.end == two.window.start for one, two in pairwise(timeline.spans))


RINGLEADERS = "对于累犯和犯罪集团的首要分子，不适用缓刑。"
RECIDIVISTS = "对于累犯，不适用缓刑。"


@pytest.mark.parametrize(
    ("day", "text"),
    [
        (date(1997, 10, 1), RECIDIVISTS),
        (date(2010, 6, 30), RECIDIVISTS),
        (date(2011, 4, 29), RECIDIVISTS),
        (date(2011, 4, 30), RECIDIVISTS),
        (date(2011, 5, 1), RINGLEADERS),
        (date(2011, 5, 2), RINGLEADERS),
        (date(2024, 3, 1), RINGLEADERS),
    ],
)
def test_amendment_viii_excludes_ringleaders_from_probation_from_2011_05_01(
    corpus: Corpus, day: date, text: str
) -> None:
    assert text_at(corpus, CRIMINAL, "74", day) == text


def test_the_change_of_article_74_is_credited_to_amendment_viii(corpus: Corpus) -> None:
    (span,) = at(corpus, CRIMINAL, "74", date(2012, 1, 1)).found
    assert span.version is not None
    assert span.version.instrument == "刑法修正案（八）"


@pytest.mark.parametrize(
    ("work", "number", "day", "answer"),
    [
        (CRIMINAL, "264", date(1997, 9, 30), "not_covered"),
        (CRIMINAL, "264", date(1997, 10, 1), "found"),
        (CRIMINAL, "133-1", date(2011, 4, 30), "not_in_force"),
        (CRIMINAL, "133-1", date(2011, 5, 1), "found"),
        (CRIMINAL, "236-1", date(2021, 2, 28), "not_in_force"),
        (CRIMINAL, "236-1", date(2021, 3, 1), "found"),
        (SUCCESSION, "20", date(1985, 9, 30), "not_in_force"),
        (SUCCESSION, "20", date(2002, 7, 1), "found"),
        (SUCCESSION, "20", date(2020, 12, 31), "found"),
        (SUCCESSION, "20", date(2021, 1, 1), "not_in_force"),
        (CIVIL_CODE, "1142", date(2020, 12, 31), "not_in_force"),
        (CIVIL_CODE, "1142", date(2021, 1, 1), "found"),
        (MARRIAGE, "13", date(2001, 4, 27), "found"),
        (MARRIAGE, "32", date(2001, 4, 27), "not_covered"),
        (MARRIAGE, "32", date(2001, 4, 28), "found"),
        ("中华人民共和国民法通则", "135", date(1986, 12, 31), "not_in_force"),
        ("中华人民共和国民法通则", "135", date(1987, 1, 1), "found"),
        ("中华人民共和国民法通则", "7", date(2009, 8, 26), "not_covered"),
        ("中华人民共和国民法通则", "7", date(2009, 8, 27), "found"),
        ("中华人民共和国治安管理处罚法", "43", date(2006, 2, 28), "not_in_force"),
        ("中华人民共和国治安管理处罚法", "43", date(2006, 3, 1), "found"),
        ("中华人民共和国治安管理处罚法", "60", date(2012, 12, 31), "not_covered"),
        ("中华人民共和国治安管理处罚法", "60", date(2013, 1, 1), "found"),
        ("中华人民共和国公司法", "36", date(2005, 12, 31), "not_covered"),
        ("中华人民共和国公司法", "36", date(2006, 1, 1), "found"),
        ("中华人民共和国公司法", "26", date(2014, 2, 28), "not_covered"),
        ("中华人民共和国公司法", "26", date(2014, 3, 1), "found"),
        (CRIMINAL_PROCEDURE, "236", date(2012, 12, 31), "not_in_force"),
        (CRIMINAL_PROCEDURE, "236", date(2013, 1, 1), "found"),
        (THEFT, "1", date(2013, 4, 3), "not_in_force"),
        (THEFT, "1", date(2013, 4, 4), "found"),
    ],
)
def test_first_and_last_days(
    corpus: Corpus, work: str, number: str, day: date, answer: str
) -> None:
    assert at(corpus, work, number, day).answer == answer


@pytest.mark.parametrize(
    ("work", "number", "changes"),
    [
        (CRIMINAL, "50", "1997-10-01 2011-05-01 2015-11-01"),
        (CRIMINAL, "72", "1997-10-01 2011-05-01"),
        (CRIMINAL, "191", "1997-10-01 2001-12-29 2006-06-29 2021-03-01"),
        (CRIMINAL, "201", "1997-10-01 2009-02-28"),
        (CRIMINAL, "237", "1997-10-01 2015-11-01 2021-03-01"),
        (CRIMINAL, "390", "1997-10-01 2015-11-01 2024-03-01"),
        (CRIMINAL, "393", "1997-10-01 2015-11-01 2024-03-01"),
        (CRIMINAL, "347", "1997-10-01"),
        (CIVIL_PROCEDURE, "58", "1991-04-09 2013-01-01 2022-01-01"),
        (LABOUR_CONTRACT, "14", "2008-01-01"),
        (LABOUR_CONTRACT, "57", "2008-01-01 2013-07-01"),
    ],
)
def test_a_text_changes_on_the_days_it_was_amended_and_no_others(
    corpus: Corpus, work: str, number: str, changes: str
) -> None:
    timeline = corpus.timeline(work, ProvisionNumber.parse(number))
    spans = [span for span in timeline.spans if span.state == "in_force"]
    assert [span.window.start.isoformat() for span in spans] == changes.split()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("20", "不得滥用公司法人独立地位和股东有限责任损害公司债权人的利益"),
        ("34", "股东要求查阅公司会计账簿的，应当向公司提出书面请求，说明目的"),
        ("36", "公司成立后，股东不得抽逃出资。"),
        ("72", "其他股东自接到书面通知之日起满三十日未答复的，视为同意转让"),
        ("100", "本法第三十八条第一款关于有限责任公司股东会职权的规定"),
        ("152", "董事、高级管理人员有本法第一百五十条规定的情形的"),
        ("183", "公司经营管理发生严重困难，继续存续会使股东利益受到重大损失"),
        ("219", "本法自2006年1月1日起施行。"),
    ],
)
def test_what_the_act_of_2013_left_alone_reads_so_under_its_number_of_2005(
    corpus: Corpus, number: str, words: str
) -> None:
    assert words in text_at(corpus, "中华人民共和国公司法", number, date(2010, 6, 15))


@pytest.mark.parametrize(
    ("work", "older", "newer"),
    [
        (CRIMINAL_PROCEDURE, ("53", date(2013, 1, 1)), ("55", date(2018, 10, 26))),
        (CRIMINAL_PROCEDURE, ("54", date(2013, 1, 1)), ("56", date(2018, 10, 26))),
        (CRIMINAL_PROCEDURE, ("65", date(2013, 1, 1)), ("67", date(2018, 10, 26))),
        (CRIMINAL_PROCEDURE, ("226", date(2013, 1, 1)), ("237", date(2018, 10, 26))),
        (CIVIL_PROCEDURE, ("55", date(2017, 7, 1)), ("58", date(2022, 1, 1))),
        (CIVIL_PROCEDURE, ("200", date(2013, 1, 1)), ("207", date(2022, 1, 1))),
        (CIVIL_PROCEDURE, ("207", date(2022, 1, 1)), ("211", date(2024, 1, 1))),
    ],
)
def test_an_article_that_only_moved_reads_the_same_under_both_numbers(
    corpus: Corpus, work: str, older: tuple[str, date], newer: tuple[str, date]
) -> None:
    assert text_at(corpus, work, *older) == text_at(corpus, work, *newer)


def test_article_20_of_the_succession_law_has_all_three_paragraphs(corpus: Corpus) -> None:
    assert text_at(corpus, SUCCESSION, "20", date(2002, 1, 1)).split("\n") == [
        "遗嘱人可以撤销、变更自己所立的遗嘱。",
        "立有数份遗嘱，内容相抵触的，以最后的遗嘱为准。",
        "自书、代书、录音、口头遗嘱，不得撤销、变更公证遗嘱。",
    ]


# Against the research data


@cache
def _copies(statutes: Path) -> dict[tuple[str, str, str], Record]:
    """The copies in the data, by title, the note that says where a version is from, and day."""
    found: dict[tuple[str, str, str], Record] = {}
    for name in ("versions.jsonl.gz", "laws_current.jsonl.gz"):
        with gzip.open(statutes / name, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                where = (record["source_path"], record["source_commit"][:12])
                note = f"copied from {record['source_repo']}: {' · '.join(filter(None, where))}"
                found.setdefault((record["law"], note, record["promulgated"]), record)
    return found


def _files() -> Iterator[Record]:
    for path in sorted(Path(starter.__file__).parent.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["format"] == "inforce-timeline/1":
            yield document


def _texts(document: Record) -> Iterator[tuple[str, Record, str | None]]:
    """Article, version and text, for every version the file speaks of."""
    for provision in document["provisions"]:
        changes = {one["since"]: one["text"] for one in provision["texts"]}
        text, spoken = None, False
        for version in document["versions"]:
            spoken = spoken or version["label"] in changes
            text = changes.get(version["label"], text)
            if spoken:
                yield provision["no"], version, text


def _copied(copy: Record, number: str) -> str | None:
    wanted = ProvisionNumber.parse(number)
    texts = [Provision(wanted, one["text"]) for one in copy["articles"] if one["no"] == number]
    return next((one.text for one in without_foreign_text(texts)), None)


def _explanations(document: Record, number: str, label: str) -> Iterable[Record]:
    return [one for one in document["differences"] if label in one["where"].get(number, ())]


@pytest.mark.data
def test_every_text_equals_the_data_character_by_character_or_is_explained(
    shared_data: Path,
) -> None:
    copies, compared = _copies(shared_data / "statutes"), 0
    for document in _files():
        for number, version, ours in _texts(document):
            where = f"{document['law']} {number} {version['label']}"
            explained = _explanations(document, number, version["label"])
            if "note" not in version:
                assert [one["data"] for one in explained] == [None], where
                continue
            if version["note"].startswith("the text of"):  # no copy: it comes from the next text
                continue
            copy = copies[document["law"], version["note"], version["promulgated"]]
            theirs = _copied(copy, number)
            for one in explained:
                assert theirs and one["data"] in theirs, f"{where}: {one['why']} no longer applies"
                theirs = theirs.replace(one["data"], one["ours"])
            assert ours == theirs, where
            compared += 1
    assert compared > 12_000


@pytest.mark.data
def test_first_and_last_days_are_those_that_the_whole_data_shows(
    shared_data: Path, tmp_path: Path
) -> None:
    """Of every text: by the histories of all texts, their last articles, decisions and repeals."""
    titles = {text.version.work for text in held()}
    names = ("versions.jsonl.gz", "laws_current.jsonl.gz")
    paths = [shared_data / "statutes" / name for name in names]
    loaded = (text for path in paths for text in load(path, on_problem=lambda _: None))
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add(text for text in loaded if text.version.work in titles)
        for text in held():
            ours = text.version
            windows = {one.validity.window for one in corpus.versions(ours.work)}
            if text.version.note.startswith("copied"):
                assert ours.validity.window in windows, (ours.work, ours.label, windows)


def test_no_heading_and_no_note_of_deletion_is_quoted_as_law() -> None:
    for text in held():
        assert list(without_foreign_text(text.provisions)) == list(text.provisions), (
            text.version.label
        )


def test_an_article_that_was_deleted_is_not_in_force(corpus: Corpus) -> None:
    days = (date(2015, 10, 31), date(2015, 11, 1), date(2024, 3, 1))
    answers = [at(corpus, CRIMINAL, "199", day).answer for day in days]
    assert answers == ["found", "not_in_force", "not_in_force"]


def test_every_explanation_concerns_a_text_that_is_there() -> None:
    for document in _files():
        spoken = {(number, version["label"]) for number, version, _ in _texts(document)}
        for one in document["differences"]:
            for number, labels in one["where"].items():
                assert {(number, label) for label in labels} <= spoken


@pytest.mark.data
def test_the_recipe_reproduces_the_files_exactly(shared_data: Path) -> None:
    command = [sys.executable, "recipes/starter.py", "--check", "--data", str(shared_data)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "changed: nothing\n"), ran.stderr
