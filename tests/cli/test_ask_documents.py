"""``inforce ask --agent lmars --documents FOLDER``: a lawyer with a folder of files."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import InProcess

pytest.importorskip("langgraph", reason="L-MARS is part of the extra 'agents'")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "matter"
    made.mkdir()
    (made / "memo.md").write_text(
        "# 备忘\n承租人退租后，出租人应当在三十日内退还押金。\n", encoding="utf-8"
    )
    return made


def test_an_answer_quotes_the_file_and_names_it(inforce: InProcess, folder: Path) -> None:
    ran = inforce("ask", "押金多少日内退还？", "--agent", "lmars", "--documents", str(folder))
    assert ran.status == 0
    assert "三十日内退还押金。 [1]" in ran.out
    assert "[1] 备忘" in ran.out


def test_files_that_could_not_be_read_are_told_beside_the_answer(
    inforce: InProcess, folder: Path
) -> None:
    (folder / "bad.docx").write_bytes(b"no archive")
    ran = inforce("ask", "押金多少日内退还？", "--agent", "lmars", "--documents", str(folder))
    assert ran.status == 0
    assert "not read: bad.docx" in ran.err


def test_nothing_found_is_not_said_of_files_that_could_not_be_read(
    inforce: InProcess, folder: Path
) -> None:
    (folder / "bad.docx").write_bytes(b"no archive")
    ran = inforce("ask", "仲裁费上限？", "--agent", "lmars", "--documents", str(folder), "--json")
    assert (ran.status, ran.json["outcome"]) == (4, "abstained")
    assert "bad.docx" in ran.json["note"]


def test_an_agent_with_nothing_to_work_with_says_what_to_name(inforce: InProcess) -> None:
    ran = inforce("ask", "押金多少日内退还？", "--agent", "lmars")
    assert ran.status == 2
    assert "--documents FOLDER" in ran.err


def test_words_for_a_tool_that_does_not_exist_are_a_mistake(
    inforce: InProcess, tmp_path: Path
) -> None:
    words = tmp_path / "tools.yaml"
    words.write_text("tools:\n  - {name: law_att, description: x, parameters: {}}\n")
    ran = inforce("ask", "2010年累犯能否适用缓刑？", "--agent", "r1", "--tools", str(words))
    assert ran.status == 2
    assert "law_att" in ran.err
    assert "law_at, history" in ran.err


def test_a_route_cannot_be_asked_of_a_model_that_is_not_there(inforce: InProcess) -> None:
    ran = inforce("ask", "被告人甲盗窃", "--agent", "msr2", "--routing", "agent")
    assert ran.status == 2
    assert "--routing gate" in ran.err
