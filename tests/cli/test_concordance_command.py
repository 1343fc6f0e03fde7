"""``inforce concordance``: a whole law on two days as a table, in the terminal, JSON and HTML."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import InProcess


def test_the_table_names_what_changed_and_counts_the_rest(inforce: InProcess) -> None:
    ran = inforce("concordance", "刑法", "--from", "2015-10-31", "--to", "2015-11-01")
    assert ran.status == 0
    assert "中华人民共和国刑法: 2015-10-31 and 2015-11-01" in ran.out
    assert "第二百八十条之一" in ran.out and "new" in ran.out
    assert " same, " in ran.out.splitlines()[-1]


def test_articles_that_moved_together_are_one_line_unless_all_are_wanted(
    inforce: InProcess, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    laws = tmp_path / "laws.jsonl"
    words = ["灯塔由管理人看守。", "管理人应当守夜，不得饮酒。", "灯塔每年检修一次，由船长验收。"]
    old: dict[str, str] = dict(zip(("第一条", "第二条", "第三条"), words, strict=True))
    new: dict[str, str] = {"第一条": "为了航行安全，制定本法。"}
    new |= dict(zip(("第二条", "第三条", "第四条"), words, strict=True))
    lines = [_record("2000-01-01", "2009-12-31", old), _record("2010-01-01", None, new)]
    laws.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert inforce("corpus", "add", str(laws), "--no-index", "--no-starter", home=home).status == 0
    days = ("--from", "2009-12-31", "--to", "2010-01-01")
    ran = inforce("concordance", "灯塔管理法", *days, home=home)
    [moved] = [line for line in ran.out.splitlines() if "moved  " in line]
    assert " ".join(moved.split()) == "第一条 – 第三条 → 第二条 – 第四条 moved 3 articles"
    ran = inforce("concordance", "灯塔管理法", *days, "--all", home=home)
    assert sum(line.endswith(" moved") for line in ran.out.splitlines()) == 3


def _record(start: str, end: str | None, articles: dict[str, str]) -> str:
    record = {
        "law": "中华人民共和国灯塔管理法",
        "version_label": start,
        "valid_from": start,
        "valid_to": end,
        "valid_to_status": "exact" if end else "open",
        "articles": [{"no": number, "path": "", "text": text} for number, text in articles.items()],
    }
    return json.dumps(record, ensure_ascii=False)


def test_nothing_changes_where_no_text_begins(inforce: InProcess) -> None:
    ran = inforce("concordance", "刑法", "--from", "2016-01-01", "--to", "2016-02-01", "--json")
    assert ran.status == 0
    assert {row["kind"] for row in ran.json["table"]["rows"]} == {"same"}


def test_json_has_both_texts_and_every_row(inforce: InProcess) -> None:
    ran = inforce("concordance", "刑法", "--from", "2015-10-31", "--to", "2015-11-01", "--json")
    rows = ran.json["table"]["rows"]
    kinds = {row["kind"] for row in rows}
    assert {"same", "changed", "new"} <= kinds
    assert ran.json["earlier"]["day"] == "2015-10-31"
    [added] = [row for row in rows if row["new"] and row["new"]["number"]["short"] == "280-1"]
    assert (added["old"], added["kind"], added["score"]) == (None, "new", 0.0)


def test_html_strikes_out_what_is_deleted_and_underlines_what_is_inserted(
    inforce: InProcess, tmp_path: Path
) -> None:
    path = tmp_path / "table.html"
    ran = inforce(
        *("concordance", "刑法", "--from", "2015-10-31", "--to", "2015-11-01"),
        *("--html", str(path)),
    )
    assert ran.status == 0
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<del>" in page and "<ins>" in page
    assert "<td>new</td>" in page


def test_the_days_must_follow_one_another(inforce: InProcess) -> None:
    ran = inforce("concordance", "刑法", "--from", "2016-01-01", "--to", "2016-01-01")
    assert ran.status != 0
    assert "is not after" in ran.err


def test_a_law_that_is_not_held_is_an_error(inforce: InProcess) -> None:
    ran = inforce("concordance", "没有的法", "--from", "2015-01-01", "--to", "2016-01-01")
    assert ran.status != 0
    assert "没有的法" in ran.err


def test_a_day_before_the_first_text_is_not_covered_and_says_so(inforce: InProcess) -> None:
    ran = inforce("concordance", "刑法", "--from", "1970-01-01", "--to", "2015-11-01")
    assert "1970-01-01: no article in force is held" in ran.out
    assert ran.status != 0


def test_a_whole_law_is_compared_by_diff_where_no_article_is_named(inforce: InProcess) -> None:
    days = ("--from", "2015-10-31", "--to", "2015-11-01")
    assert inforce("diff", "刑法", *days).out == inforce("concordance", "刑法", *days).out
    assert "table" in inforce("diff", "刑法", *days, "--json").json


def test_a_day_beyond_what_is_known_and_ahead_is_said_in_every_form(
    inforce: InProcess, tmp_path: Path
) -> None:
    sentences = [
        "in force as far as known on 2026-07-17: what came later is not known here",
        "2050-01-01 lies ahead: today is 2026-11-20",
    ]
    page = tmp_path / "table.html"
    asked = ("concordance", "刑法", "--from", "2015-10-31", "--to", "2050-01-01")
    shown = inforce(*asked).out
    document = inforce(*asked, "--html", str(page), "--json").json
    assert document["caveats"] == sentences
    for sentence in sentences:
        assert f"note: {sentence}" in shown
        assert sentence in page.read_text(encoding="utf-8")


def test_of_days_that_are_known_nothing_is_noted(inforce: InProcess) -> None:
    asked = ("concordance", "刑法", "--from", "2015-10-31", "--to", "2015-11-01")
    assert inforce(*asked, "--json").json["caveats"] == []


def test_the_table_speaks_the_language_of_the_person(
    inforce: InProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    page = tmp_path / "table.html"
    asked = ("concordance", "刑法", "--from", "2015-10-31", "--to", "2015-11-01")
    shown = inforce(*asked, "--html", str(page)).out
    assert "修改" in shown and "changed" not in shown
    assert '<html lang="zh">' in page.read_text(encoding="utf-8")
