"""``inforce concordance``: a whole law on two days as a table, in the terminal, JSON and HTML."""

from __future__ import annotations

from pathlib import Path

from commands import InProcess


def test_the_table_names_what_changed_and_counts_the_rest(inforce: InProcess) -> None:
    ran = inforce("concordance", "刑法", "--from", "2015-10-31", "--to", "2015-11-01")
    assert ran.status == 0
    assert "中华人民共和国刑法: 2015-10-31 and 2015-11-01" in ran.out
    assert "第二百八十条之一" in ran.out and "new" in ran.out
    assert " same, " in ran.out.splitlines()[-1]


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
