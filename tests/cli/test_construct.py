"""``inforce construct``: tasks are made, reviewed, and written."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import InProcess

from inforce.evals.legalagentbench.tasks import read_tasks

TABLES = """\
kinds: {person: }
tables:
  People:
    file: people.csv
    measure: 人
    links:
      - {columns: [name], kind: person, word: ""}
      - {columns: [boss], kind: person, word: 上司}
    asks: {room: 办公室, desk: 桌号}
tools:
  person: {table: People, by: [name]}
  staff: {table: People, by: [boss], answer: rows, phrase: "{of}的下属"}
"""
PEOPLE = """\
name,boss,room,desk
甲,乙,101室,1号桌
丙,乙,102室,2号桌
乙,丁,201室,3号桌
丁,,301室,4号桌
"""


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    """A folder with one small table and its description."""
    (tmp_path / "people.csv").write_text(PEOPLE, "utf-8")
    (tmp_path / "tables.yaml").write_text(TABLES, "utf-8")
    return tmp_path


def order(staff: Path, *more: str) -> tuple[str, ...]:
    where = ("--world", str(staff), "--tables", str(staff / "tables.yaml"))
    return ("construct", "world", *where, "--output", str(staff / "out"), *more)


def test_tasks_are_made_and_go_into_a_data_set(inforce: InProcess, staff: Path) -> None:
    made = inforce(*order(staff, "--count", "6", "--hops", "1-2", "--json"))
    assert made.status == 0, made
    assert (made.json["n"], made.json["verified_share"]) == (6, 1.0)
    assert set(made.json["hops"]) == {"1", "2"} and made.json["tools_used"] == 2
    done = inforce("construct", "review", str(staff / "out"), "--apply", "--unreviewed", "--json")
    assert (done.status, done.json["open"], done.json["written"]) == (0, 6, 6)
    assert len(read_tasks(staff / "out")) == 6


def test_what_was_made_is_said_in_lines(inforce: InProcess, staff: Path) -> None:
    made = inforce(*order(staff, "--count", "4", "--hops", "1"))
    assert made.out.splitlines()[:2] == ["4 tasks, 2 of 2 tools used", "  1-hop     4"]
    assert made.out.splitlines()[-1] == f"to review: {staff / 'out' / 'review.yaml'}"
    counted = inforce("construct", "review", str(staff / "out"))
    assert counted.out == "0 accepted, 0 rejected, 4 open\n"


def test_a_data_set_waits_for_a_verdict(inforce: InProcess, staff: Path) -> None:
    inforce(*order(staff, "--count", "4", "--hops", "1"))
    refused = inforce("construct", "review", str(staff / "out"), "--apply")
    assert refused.status == 2 and "no task is accepted yet" in refused.err


@pytest.mark.parametrize("hops", ["0", "6", "3-1", "1-6", "two", "1-2-3", ""])
def test_hops_are_one_to_five(inforce: InProcess, staff: Path, hops: str) -> None:
    refused = inforce(*order(staff, "--hops", hops))
    assert refused.status == 2 and "cannot read --hops" in refused.err


def test_a_wrong_description_is_named(inforce: InProcess, staff: Path) -> None:
    (staff / "tables.yaml").write_text("kinds: [", "utf-8")
    refused = inforce(*order(staff, "--json"))
    assert (refused.status, refused.json["error"]) == (6, "bad_input")


def test_a_model_that_does_not_exist_is_refused(inforce: InProcess, staff: Path) -> None:
    refused = inforce(*order(staff, "--model", "nobody"))
    assert refused.status == 8 and "nobody" in refused.err
