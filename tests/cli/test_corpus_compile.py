"""``inforce corpus compile``: what was applied, refused and compared, and versions to ask about."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from commands import InProcess

LAW = "中华人民共和国灯塔管理法"
ARTICLES = {
    "第一条": "灯塔由管理人看守，管理人应当守夜。",
    "第二条": "违反第三条规定的，处以罚款。",
    "第三条": "灯塔应当明亮。",
}
DECISION = """\
全国人民代表大会常务委员会关于修改《中华人民共和国灯塔管理法》的决定
（2020年6月1日第十三届全国人民代表大会常务委员会第二十次会议通过）
第十三届全国人民代表大会常务委员会第二十次会议决定对《中华人民共和国灯塔管理法》作如下修改：
{points}
本决定自2020年7月1日起施行。
《中华人民共和国灯塔管理法》根据本决定作相应修改并对条文顺序作相应调整，重新公布。
"""
POINTS = "一、将第三条中的“明亮”修改为“光明”。\n二、增加一条，作为第二条：“灯塔归国家所有。”"


def record(label: str, articles: dict[str, str], start: str, end: str | None = None) -> str:
    return json.dumps(
        {
            "law": LAW,
            "version_label": label,
            "valid_from": start,
            "valid_to": end,
            "valid_to_status": "exact" if end else "open",
            "promulgated": start,
            "articles": [
                {"no": number, "path": "", "text": text} for number, text in articles.items()
            ],
        },
        ensure_ascii=False,
    )


@pytest.fixture
def home(inforce: InProcess, tmp_path: Path) -> Path:
    """A data folder that holds the law as it was first made."""
    folder = tmp_path / "home"
    laws = tmp_path / "laws.jsonl"
    laws.write_text(record("2000", ARTICLES, "2000-01-01") + "\n", encoding="utf-8")
    assert inforce("corpus", "add", str(laws), "--no-starter", home=folder).status == 0
    return folder


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "decision.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_was_applied_and_what_became_of_every_article_is_printed(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    path = written(tmp_path, DECISION.format(points=POINTS))
    ran = inforce("corpus", "compile", LAW, "--instruments", path, home=home)
    assert ran.status == 0
    assert f"{LAW}: 1 version compiled from 2000" in ran.out
    assert "2020-07-01 全国人民代表大会常务委员会关于修改" in ran.out
    assert "2 applied" in ran.out
    assert "1 amended: 4" in ran.out and "1 inserted: 2" in ran.out
    assert "stale reference: 第三条 says 第三条: 第三条, now 第四条" in ran.out


def test_nothing_is_stored_unless_asked(inforce: InProcess, home: Path, tmp_path: Path) -> None:
    path = written(tmp_path, DECISION.format(points=POINTS))
    inforce("corpus", "compile", LAW, "--instruments", path, home=home)
    ran = inforce("at", LAW, "4", "--on", "2021-01-01", home=home)
    assert ran.status != 0


@pytest.mark.parametrize(
    ("day", "number", "text"),
    [
        ("2020-06-30", "3", "灯塔应当明亮。"),
        ("2020-07-01", "4", "灯塔应当光明。"),
        ("2020-07-02", "2", "灯塔归国家所有。"),
        ("2026-01-01", "3", "违反第三条规定的，处以罚款。"),
        ("2000-01-01", "2", "违反第三条规定的，处以罚款。"),
    ],
)
def test_a_version_that_was_added_is_found_on_its_days(
    inforce: InProcess, home: Path, tmp_path: Path, day: str, number: str, text: str
) -> None:
    path = written(tmp_path, DECISION.format(points=POINTS))
    added = inforce("corpus", "compile", LAW, "--instruments", path, "--add", home=home)
    assert "1 version added to the corpus" in added.out
    ran = inforce("at", LAW, number, "--on", day, home=home)
    assert ran.status == 0
    assert text in ran.out


def test_compiling_again_starts_from_the_same_text_and_adds_nothing(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    path = written(tmp_path, DECISION.format(points=POINTS))
    command = ("corpus", "compile", LAW, "--instruments", path, "--add", "--json")
    first, second = inforce(*command, home=home).json, inforce(*command, home=home).json
    assert (first["added"], second["added"]) == (1, 0)
    assert first["compilation"]["base"] == second["compilation"]["base"]


def test_what_is_refused_is_said_with_the_reason_and_the_status(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    path = written(
        tmp_path,
        DECISION.format(points="一、将第一条中的“管理人”修改为“看守人”。"),
    )
    ran = inforce("corpus", "compile", LAW, "--instruments", path, "--add", home=home)
    assert ran.status != 0
    assert "occur 2 times in 第一条" in ran.out
    at = inforce("at", LAW, "1", "--on", "2021-01-01", "--json", home=home)
    assert at.status != 0  # the article is not covered from that day on
    held = inforce("at", LAW, "3", "--on", "2021-01-01", home=home)
    assert held.status == 0 and "灯塔应当明亮。" in held.out


def test_no_other_copy_answers_for_an_article_whose_new_wording_is_not_certain(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_text(record("2000 copy", ARTICLES, "2000-01-01") + "\n", encoding="utf-8")
    inforce("corpus", "add", str(copy), home=home)
    path = written(tmp_path, DECISION.format(points="一、将第一条中的“管理人”修改为“看守人”。"))
    inforce("corpus", "compile", LAW, "--instruments", path, "--add", home=home)
    for day, status in (("2020-06-30", 0), ("2020-07-01", 5), ("2026-01-01", 5)):
        assert inforce("at", LAW, "1", "--on", day, home=home).status == status, day


def test_a_version_that_differs_from_a_held_text_is_not_added(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    articles = {**ARTICLES, "第三条": "灯塔应当很亮。"}
    other.write_text(record("2020", articles, "2020-07-01") + "\n", encoding="utf-8")
    inforce("corpus", "add", str(other), home=home)
    points = "一、将第三条中的“明亮”修改为“光明”。"
    path = written(tmp_path, DECISION.format(points=points))
    ran = inforce("corpus", "compile", LAW, "--instruments", path, "--add", home=home)
    assert ran.status != 0
    assert "3: words · NOT EXPLAINED" in ran.out
    assert "0 versions added" in ran.out and "not added: 2020-07-01 differs" in ran.out


def test_an_instrument_that_is_not_about_the_law_is_named(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    path = written(tmp_path, DECISION.format(points=POINTS))
    foreign = tmp_path / "foreign.txt"
    foreign.write_text(
        DECISION.format(points="一、删去第一条。").replace("灯塔管理法", "航标法"), encoding="utf-8"
    )
    ran = inforce(
        *("corpus", "compile", LAW, "--instruments", path, "--instruments", str(foreign)),
        home=home,
    )
    assert (
        "not applied: 全国人民代表大会常务委员会关于修改《中华人民共和国航标法》的决定" in ran.out
    )
    alone = inforce("corpus", "compile", LAW, "--instruments", str(foreign), home=home)
    assert alone.status != 0
    assert "the files given do not amend" in alone.err


def test_the_day_of_publication_can_be_given_where_the_file_does_not_say(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    text = DECISION.format(points=POINTS).replace("自2020年7月1日起施行", "自公布之日起施行")
    text = text.replace("全国人民代表大会常务委员会", "国务院").replace("通过）", "审议）")
    path = written(tmp_path, text)
    without = inforce("corpus", "compile", LAW, "--instruments", path, home=home)
    assert without.status != 0
    assert "the day of publication is not stated" in without.out
    given = inforce(
        *("corpus", "compile", LAW, "--instruments", path, "--published", "2020-06-09"), home=home
    )
    assert given.status == 0
    assert "2020-06-09 国务院关于修改" in given.out


def test_until_and_base_limit_what_is_compiled(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    path = written(tmp_path, DECISION.format(points=POINTS))
    early = inforce(
        *("corpus", "compile", LAW, "--instruments", path, "--until", "2020-06-30"), home=home
    )
    assert "0 versions compiled" in early.out
    late = inforce(
        *("corpus", "compile", LAW, "--instruments", path, "--base", "1999-01-01"), home=home
    )
    assert late.status != 0
    assert "no dated whole text" in late.err


def test_json_has_every_clause_and_every_change(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    path = written(tmp_path, DECISION.format(points=POINTS))
    found = inforce("corpus", "compile", LAW, "--instruments", path, "--json", home=home).json
    [version] = found["compilation"]["versions"]
    assert [one["status"] for one in version["outcomes"]] == ["applied", "applied"]
    assert [one["instruction"] for one in version["outcomes"]] == ["一", "二"]
    changes: dict[Any, str] = {
        ((one["old"] or {}).get("short"), (one["new"] or {}).get("short")): one["kind"]
        for one in version["changes"]
    }
    assert changes == {
        ("1", "1"): "unchanged",
        (None, "2"): "inserted",
        ("2", "3"): "renumbered",
        ("3", "4"): "amended",
    }
    assert version["text"]["version"]["note"].startswith("how: compiled")


def test_a_refusal_is_said_in_chinese_with_its_reason(
    inforce: InProcess, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    points = (
        "一、将第三条中的“昏暗”修改为“光明”。\n二、将第九条修改为：“甲。”\n"
        "三、将第二条第三款删去。\n四、第一条、第三条合并，作为第一条。"
    )
    path = written(tmp_path, DECISION.format(points=points))
    ran = inforce("corpus", "compile", LAW, "--instruments", path, home=home)
    assert ran.status == 6
    for reason in ("第三条中，文字“昏暗”没有出现", "该法没有第九条", "第二条没有"):
        assert reason in ran.out
    english = re.sub(r"\b(?:JSON|inforce|jsonl|laws|decision|txt)\b", "", ran.out)
    assert not re.findall(r"[a-z]{3,}", english)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            DECISION.format(points=POINTS).replace("灯塔管理法", "航标管理法"),
            f"the files given do not amend {LAW}, but 中华人民共和国航标管理法",
        ),
        ("一、请各单位参加。\n二、会议自2020年7月1日起举行。", f"order no change of {LAW}"),
    ],
)
def test_a_file_for_another_law_is_said_to_be_that(
    inforce: InProcess, home: Path, tmp_path: Path, text: str, said: str
) -> None:
    file = written(tmp_path, text)
    ran = inforce("corpus", "compile", "灯塔管理法", "--instruments", file, home=home)
    assert ran.status == 2
    assert said in ran.err
