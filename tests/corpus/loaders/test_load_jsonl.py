"""JSONL: dates, evidence, holes; and every kind of bad line, beside good ones that still load."""

from __future__ import annotations

import gzip
import random
import time
from datetime import date
from pathlib import Path

import pytest
from law_files import Loaded, article, jsonl, record, texts_of

from inforce.corpus.loaders import load, sniff
from inforce.documents import files, limits
from inforce.errors import InputError
from inforce.law.model import DateEvidence, DateStatus
from inforce.law.numerals import ProvisionNumber


def loaded(folder: Path, data: bytes) -> Loaded:
    path = folder / "laws.jsonl"
    path.write_bytes(data)
    return Loaded(path, format="jsonl")


def test_the_last_day_in_the_file_is_inclusive_and_the_end_is_the_day_after(tmp_path: Path) -> None:
    version = loaded(tmp_path, jsonl(record())).texts[0].version
    assert version.validity.start == date(2011, 5, 1)
    assert version.validity.end == date(2015, 11, 1)
    assert version.promulgated == date(2011, 2, 25)


def test_paragraphs_and_paths_are_kept_word_for_word(tmp_path: Path) -> None:
    text = loaded(tmp_path, jsonl(record())).texts[0]
    assert texts_of(text) == {"第一条": "甲。", "第二条": "乙。\n丙。"}
    assert {provision.path for provision in text.provisions} == {"第一章 总则"}


@pytest.mark.parametrize(
    ("title", "work", "label"),
    [
        ("中华人民共和国宪法（1982年）", "中华人民共和国宪法", "1982年"),
        ("中华人民共和国宪法（2018年修正文本）", "中华人民共和国宪法", "2018年修正文本"),
        ("中华人民共和国宪法修正案（1988年）", "中华人民共和国宪法修正案（1988年）", "2011-02-25"),
        ("中华人民共和国民事诉讼法（试行）", "中华人民共和国民事诉讼法（试行）", "2011-02-25"),
    ],
)
def test_a_register_s_edition_of_a_law_is_a_version_of_it_and_no_other_law(
    title: str, work: str, label: str, tmp_path: Path
) -> None:
    line = record(law=title, version_label="")
    version = loaded(tmp_path, jsonl(line)).texts[0].version
    assert (version.work, version.label) == (work, label)


@pytest.mark.parametrize(
    ("written", "last", "status", "note"),
    [
        ("exact", "2015-10-31", "exact", ""),
        ("open", None, "open", ""),
        ("presumed (no history)", "2015-10-31", "presumed", "no history"),
        ("unknown; superseded by …", None, "unknown", "superseded by …"),
        (None, "2015-10-31", "exact", ""),
        (None, None, "unknown", ""),
    ],
)
def test_the_status_of_the_end_and_its_remark(
    tmp_path: Path, written: str | None, last: str | None, status: DateStatus, note: str
) -> None:
    data = jsonl(record(valid_to=last, valid_to_status=written))
    version = loaded(tmp_path, data).texts[0].version
    assert (version.validity.status, version.note) == (status, note)


@pytest.mark.parametrize(
    ("source", "evidence"),
    [
        ("statute / amending decision (known)", "instrument"),
        ("LawRefBook db.sqlite3 (flk)", "register"),
        ("flk via Ansvar", "register"),
        ("own clause: from publication (= file date)", "clause"),
        ("header order", "header"),
        (None, "unstated"),
        ("hearsay", "unstated"),
    ],
)
def test_the_source_of_the_date_is_graded(
    tmp_path: Path, source: str | None, evidence: DateEvidence
) -> None:
    data = jsonl(record(valid_from_source=source))
    assert loaded(tmp_path, data).texts[0].version.validity.evidence == evidence


def test_missing_articles_are_holes_and_so_are_empty_ones(tmp_path: Path) -> None:
    articles = [article("第一条"), article("第二条", " \u200b"), article("第四条")]
    data = jsonl(record(missing_articles=["第三条"], articles=articles))
    text = loaded(tmp_path, data).texts[0]
    assert text.version.holes == {ProvisionNumber.article(2), ProvisionNumber.article(3)}
    assert list(texts_of(text)) == ["第一条", "第四条"]


def test_a_decision_has_a_preamble_and_points(tmp_path: Path) -> None:
    articles = [article("序"), article("一、"), article("二、")]
    text = loaded(tmp_path, jsonl(record(articles=articles))).texts[0]
    assert [provision.number.kind for provision in text.provisions] == [
        "preamble",
        "point",
        "point",
    ]


def test_where_it_comes_from_is_kept(tmp_path: Path) -> None:
    data = jsonl(record(source_repo="a/b", source_path="c.md", source_commit="d", how="retyped"))
    version = loaded(tmp_path, data).texts[0].version
    source = version.source
    assert (source.name, source.path, source.revision) == ("a/b", "c.md", "d")
    assert version.note == "retyped"


def test_a_known_law_names_the_instrument_that_made_the_version(tmp_path: Path) -> None:
    version = loaded(tmp_path, jsonl(record("中华人民共和国刑法"))).texts[0].version
    assert version.instrument == "刑法修正案（八）"


BAD_LINES = [
    ("not json", "not JSON: Expecting value"),
    ('{"law": "乙法"', "not JSON"),
    ('["乙法"]', "expected a JSON object, not a list"),
    (
        record("乙法", valid_from="2011-02-30"),
        "valid_from: cannot read '2011-02-30' as a date: 2011-02 has 28",
    ),
    (record("乙法", promulgated="then"), "promulgated: cannot read 'then' as a date"),
    (record("乙法", valid_to="2011-04-30"), "a version cannot end (2011-05-01) before it begins"),
    (record("乙法", valid_to_status="open"), "an end of 2015-11-01 does not go with the status"),
    (record("乙法", valid_to_status="maybe"), "valid_to_status 'maybe' is none of exact, open"),
    (record("乙法", articles=[]), "乙法: no provision with a text: an empty list of articles"),
    (record("乙法", articles="none"), "'articles' must be a list, not a text"),
    (record("乙法", articles=["第一条"]), "item 1 of 'articles' must be an object, not a text"),
    (record("乙法", articles=[article("第一条"), article("第一条")]), "第一条 comes twice"),
    (
        record("乙法", articles=[article("第二条"), article("第一条")]),
        "第一条 is out of order: it comes after 第二条",
    ),
    (record("乙法", articles=[article("第一一十条")]), "article '第一一十条': cannot read"),
    (record("乙法", n_articles=3), "n_articles says 3, but there are 2 articles"),
    (record("乙法", missing_articles=["第二条"]), "第二条 is listed as missing, yet it is there"),
    (record("乙法", missing_articles=[2]), "'missing_articles' must hold texts only"),
    (record("", articles=[article("第一条")]), "no 'law'"),
    (record("乙法", version_label=2011), "'version_label' must be a text, not a number"),
    ('{"law": "\\ud800"}', "JSON that cannot be stored"),
    ('{"law": "\\u0000"}', "JSON that cannot be stored: a NUL character"),
    ("[" * 100_000, "JSON that cannot be stored"),
    ('{"law": ' + "9" * 5000 + "}", "JSON that cannot be stored"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD_LINES)
def test_a_bad_line_is_reported_with_its_number_and_the_others_load(
    tmp_path: Path, bad: dict[str, object] | str, reason: str
) -> None:
    result = loaded(tmp_path, jsonl(record("甲法"), "", bad, record("丙法")))
    assert result.laws == ["甲法", "丙法"]
    assert [line for line, _ in result.reasons] == [3]
    assert reason in result.reasons[0][1]
    assert str(result.problems[0]).startswith(f"{tmp_path / 'laws.jsonl'}:3: ")


def test_a_line_in_another_encoding_is_reported(tmp_path: Path) -> None:
    data = jsonl(record("甲法")) + jsonl(record("乙法")).decode().encode("gb18030")
    result = loaded(tmp_path, data)
    assert result.laws == ["甲法"]
    assert "not UTF-8" in result.reasons[0][1]


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    assert loaded(tmp_path, b"\xef\xbb\xbf" + jsonl(record())).laws == ["示例法"]


@pytest.mark.parametrize("data", [b"", b"\n\n", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_reported(tmp_path: Path, data: bytes) -> None:
    assert loaded(tmp_path, data).reasons == [(None, "an empty file")]


def test_gzip_is_known_by_its_bytes_and_not_by_its_name(tmp_path: Path) -> None:
    assert loaded(tmp_path, gzip.compress(jsonl(record()))).laws == ["示例法"]


def test_a_truncated_gzip_gives_what_came_before_and_says_where_it_ends(tmp_path: Path) -> None:
    noise = random.Random(7)  # does not compress: the cut is surely in the middle of the lines
    lines = [record(f"{n}法", note=noise.randbytes(400).hex()) for n in range(200)]
    packed = gzip.compress(jsonl(*lines))
    result = loaded(tmp_path, packed[: len(packed) // 2])
    assert 0 < len(result.laws) < 200
    assert [line for line, _ in result.reasons] == [len(result.laws) + 1]
    assert "cut short or damaged" in result.reasons[0][1]


def test_a_gzip_with_a_flipped_byte_is_reported(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(jsonl(record())))
    packed[-5] ^= 0xFF
    assert "cut short or damaged" in loaded(tmp_path, bytes(packed)).reasons[0][1]


def test_a_line_too_long_is_skipped_and_the_next_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 2_000)
    result = loaded(tmp_path, jsonl(record("甲法", note="长" * 5_000), record("乙法")))
    assert result.laws == ["乙法"]
    assert [line for line, _ in result.reasons] == [1]


@pytest.mark.parametrize("filling", [b" ", b" \n"], ids=["one long line", "many lines"])
def test_a_decompression_bomb_stops_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, filling: bytes
) -> None:
    monkeypatch.setattr(limits, "EXPANSION_FLOOR", 2**20)
    monkeypatch.setattr(files, "MAX_LINE", 2**19)
    bomb = jsonl(record("甲法")) + filling * (8 * 2**20) + b"\n" + jsonl(record("乙法"))
    result = loaded(tmp_path, gzip.compress(bomb))
    assert result.laws == ["甲法"]
    assert "expands to more than 200 times its size" in result.reasons[-1][1]


def test_the_first_law_comes_before_the_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "laws.jsonl"
    path.write_bytes(jsonl(record("甲法"), "broken"))
    problems: list[InputError] = []
    stream = load(path, on_problem=problems.append)
    assert next(stream).version.work == "甲法"
    assert problems == []
    assert list(stream) == []
    assert len(problems) == 1


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "versions", "articles"),
    [
        ("versions.jsonl.gz", 836, 59_981),  # 59,988 less seven notes that 刑法 199 was deleted
        ("laws_current.jsonl.gz", 1_121, 38_984),
        ("laws_local.jsonl.gz", 1_871, 80_715),
    ],
)
def test_the_real_statutes_load_completely_and_quickly(
    shared_data: Path, name: str, versions: int, articles: int
) -> None:
    path = shared_data / "statutes" / name
    problems: list[InputError] = []
    started = time.process_time()
    held = [len(text.provisions) for text in load(path, on_problem=problems.append)]
    elapsed = time.process_time() - started
    assert sniff(path) == "jsonl"
    assert (len(held), sum(held), problems) == (versions, articles, [])
    assert elapsed < 10
