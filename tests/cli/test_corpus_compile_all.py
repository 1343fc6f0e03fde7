"""``inforce corpus compile`` without a law: every law that instruments held, or in files, amend."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import InProcess

LIGHTS, BUOYS = "中华人民共和国灯塔管理法", "中华人民共和国航标法"
OMNIBUS = "全国人民代表大会常务委员会关于修改《中华人民共和国灯塔管理法》等三部法律的决定"
POINTS = {
    "一": "对《中华人民共和国灯塔管理法》作出修改\n将第三条中的“明亮”修改为“光明”。",
    "二": "对《中华人民共和国航标法》作出修改\n将第一条中的“明亮”修改为“光明”。",
    "三": "对《中华人民共和国浮筒法》作出修改\n删去第一条。",
}


def record(law: str, start: str, articles: dict[str, str], *, status: str = "open") -> str:
    held = [{"no": number, "path": "", "text": text} for number, text in articles.items()]
    fields = {"law": law, "version_label": start, "valid_from": start, "promulgated": start}
    return json.dumps({**fields, "valid_to_status": status, "articles": held}, ensure_ascii=False)


def decision() -> str:
    points = "\n".join(f"{label}、{text}" for label, text in POINTS.items())
    return (
        f"{OMNIBUS}\n（2020年6月1日第十三届全国人民代表大会常务委员会第二十次会议通过）\n"
        f"第十三届全国人民代表大会常务委员会第二十次会议决定：\n{points}\n"
        "本决定自2020年7月1日起施行。\n"
    )


LAWS = [
    record(LIGHTS, "2000-01-01", {"第一条": "甲。", "第三条": "灯塔应当明亮。"}, status="unknown"),
    record(BUOYS, "2000-01-01", {"第一条": "浮标应当明亮。", "第二条": "乙。"}, status="unknown"),
    record(BUOYS, "2020-07-01", {"第一条": "浮标应当光明。", "第二条": "乙。"}),
]


@pytest.fixture
def home(inforce: InProcess, tmp_path: Path) -> Path:
    """A data folder that holds two of the three laws; the end of both old texts is unknown."""
    folder, laws = tmp_path / "home", tmp_path / "laws.jsonl"
    laws.write_text("\n".join(LAWS) + "\n", encoding="utf-8")
    options = ("--no-index", "--no-starter")
    assert inforce("corpus", "add", str(laws), *options, home=folder).status == 0
    return folder


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = tmp_path / "decision.txt"
    path.write_text(decision(), encoding="utf-8")
    return str(path)


def test_an_omnibus_decision_compiles_every_law_it_amends_and_names_those_not_held(
    inforce: InProcess, home: Path, path: str
) -> None:
    ran = inforce("corpus", "compile", "--instruments", path, home=home)
    assert ran.status == 0
    assert f"{LIGHTS}: 2020-07-01" in ran.out
    assert f"{BUOYS}: 2020-07-01" in ran.out
    assert "中华人民共和国浮筒法: not held" in ran.out
    assert ran.out.splitlines()[-1] == "2 laws compiled, 2 versions; 0 laws not compiled"


def test_a_version_is_added_only_where_no_published_text_is_held_from_its_day(
    inforce: InProcess, home: Path, path: str
) -> None:
    ran = inforce("corpus", "compile", "--instruments", path, "--add", home=home)
    assert "1 version added to the corpus\n" in ran.out
    assert "0 versions added to the corpus; 1 held as published" in ran.out
    found = inforce("at", BUOYS, "1", "--on", "2021-01-01", home=home)
    assert "浮标应当光明。" in found.out and "compiled" not in found.out


@pytest.mark.parametrize(
    ("day", "text"),
    [
        ("2000-01-01", "灯塔应当明亮。"),
        ("2020-06-30", "灯塔应当明亮。"),
        ("2020-07-01", "灯塔应当光明。"),
        ("2020-07-02", "灯塔应当光明。"),
        ("2026-01-01", "灯塔应当光明。"),
    ],
)
def test_what_was_not_covered_is_covered_by_a_compiled_version_that_says_so(
    inforce: InProcess, home: Path, path: str, day: str, text: str
) -> None:
    assert inforce("at", LIGHTS, "3", "--on", day, home=home).status == 5
    inforce("corpus", "compile", "--instruments", path, "--add", home=home)
    ran = inforce("at", LIGHTS, "3", "--on", day, home=home)
    assert (ran.status, text in ran.out) == (0, True)
    assert ("compiled by inforce" in ran.out) == (day >= "2020-07-01")


def test_instruments_that_the_corpus_holds_need_no_file(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    held = tmp_path / "decision.jsonl"
    points = {f"{label}、": text for label, text in POINTS.items()}
    held.write_text(record(OMNIBUS, "2020-07-01", points) + "\n", encoding="utf-8")
    assert inforce("corpus", "add", str(held), "--no-index", home=home).status == 0
    found = inforce("corpus", "compile", "--json", home=home).json
    assert [one["law"] for one in found["compiled"]] == [LIGHTS, BUOYS]
    assert found["not_compiled"] == {}


def test_without_instruments_there_is_nothing_to_compile(inforce: InProcess, home: Path) -> None:
    ran = inforce("corpus", "compile", home=home)
    assert (ran.status, ran.out) == (0, "0 laws compiled, 0 versions; 0 laws not compiled\n")


def test_a_law_without_an_older_text_is_named_with_the_reason(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    late = tmp_path / "late.txt"
    late.write_text(decision().replace("2020年", "1999年"), encoding="utf-8")
    ran = inforce("corpus", "compile", "--instruments", str(late), home=home)
    assert f"{LIGHTS}: not compiled: no dated whole text" in ran.out


def test_a_base_day_needs_a_law(inforce: InProcess, home: Path) -> None:
    ran = inforce("corpus", "compile", "--base", "2000-01-01", home=home)
    assert ran.status != 0
    assert "name the law" in ran.err


def test_a_text_kept_under_the_title_of_an_edition_is_a_base(
    inforce: InProcess, home: Path, path: str, tmp_path: Path
) -> None:
    edition = tmp_path / "edition.jsonl"
    text = record(f"{LIGHTS}（1990年）", "1990-01-01", {"第一条": "甲。", "第三条": "灯塔应当暗。"})
    edition.write_text(text + "\n", encoding="utf-8")
    inforce("corpus", "add", str(edition), "--no-index", home=home)
    ran = inforce(
        "corpus", "compile", LIGHTS, "--base", "1995-01-01", "--instruments", path, home=home
    )
    assert "compiled from 1990-01-01" in ran.out
    assert "the words “明亮” do not occur in 第三条" in ran.out
    both = inforce("corpus", "compile", "--instruments", path, "--json", home=home).json
    assert [one["law"] for one in both["compiled"]] == [LIGHTS, BUOYS]
