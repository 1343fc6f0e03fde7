"""``inforce verify``: files, folders and standard input; what is printed and what it exits with."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import docx
import pytest
from commands import InProcess

from document_files import pdf

WRONG = "2010年6月1日，依照《刑法》第七十四条规定：“对于累犯和犯罪集团的首要分子，不适用缓刑。”"
RIGHT = "2016年5月1日，他醉酒驾驶，依照刑法第一百三十三条之一处罚。"
UNDATED = "依照刑法第七十四条处罚。"


def test_a_long_pdf_is_seen_to_be_read_page_by_page_and_then_checked(
    tmp_path: Path, inforce: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, int, int]] = []

    @contextmanager
    def stages_bar() -> Generator[Callable[[str, int, int], None]]:
        yield lambda stage, done, total: seen.append((stage, done, total))

    monkeypatch.setattr("inforce.cli.verify.stages_bar", stages_bar)
    path = tmp_path / "brief.pdf"
    path.write_bytes(pdf(["One."], ["Two."], ["Three."]))
    inforce("verify", str(path))
    *read, checked = seen
    assert read == [("pages read", 1, 3), ("pages read", 2, 3), ("pages read", 3, 3)]
    assert checked[0] == "characters checked" and checked[1] == checked[2]


@pytest.mark.parametrize(
    ("text", "status"), [(RIGHT, 0), (WRONG, 1), (UNDATED, 5), (f"{WRONG}{UNDATED}", 1), ("", 5)]
)
def test_the_exit_status_says_whether_all_is_right(
    inforce: InProcess, tmp_path: Path, text: str, status: int
) -> None:
    path = tmp_path / "brief.txt"
    path.write_text(text, encoding="utf-8")
    assert inforce("verify", str(path)).status == status


def test_what_is_wrong_is_printed_with_what_the_law_said(
    inforce: InProcess, tmp_path: Path
) -> None:
    path = tmp_path / "brief.md"
    path.write_text(f"# 代理意见\n\n{WRONG}\n\n{RIGHT}\n", encoding="utf-8")
    said = inforce("verify", str(path)).out
    assert "line 3 law of another time" in said
    assert "the text as of 2010-06-01 reads: 对于累犯，不适用缓刑。" in said
    assert "from its sentence" in said
    assert "line 5" not in said and "line 5" in inforce("verify", "--all", str(path)).out
    assert "laws held, as of 2026-11-20" in said
    assert "不是当时的法律" in inforce("verify", "--lang", "zh", str(path)).out


def test_json_has_every_finding_with_its_place_and_its_evidence(
    inforce: InProcess, tmp_path: Path
) -> None:
    path = tmp_path / "brief.md"
    path.write_text(WRONG, encoding="utf-8")
    ran = inforce("verify", str(path), "--json")
    assert ran.json["outcome"] == "wrong"
    [document] = ran.json["documents"]
    [_, finding] = document["findings"]
    assert WRONG[finding["start"] : finding["end"]] == finding["text"]
    assert finding["kind"] == "other_time" and finding["locations"][0]["line"] == 1
    assert finding["governed"][0]["id"].endswith("~art_74")
    assert finding["portion"] == {"id": "art_74", "text": "第七十四条"}
    assert document["held"]["laws"] == 11 and "text" not in document


def test_a_given_date_and_trial_are_used(inforce: InProcess, tmp_path: Path) -> None:
    path = tmp_path / "brief.txt"
    path.write_text(UNDATED, encoding="utf-8")
    assert inforce("verify", str(path), "--on", "2012-05").status == 0
    assert inforce("verify", str(path), "--on", "2012-05-01", "--trial", "2011-01-01").status == 2
    assert inforce("verify", str(path), "--on", "nonsense").status == 2


def test_a_folder_is_one_table_and_its_worst_file_decides(
    inforce: InProcess, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "b.md").write_text(WRONG, encoding="utf-8")
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    ran = inforce("verify", str(tmp_path))
    assert ran.status == 1
    assert [line.split(":")[0].rpartition("/")[2] for line in ran.out.splitlines()[:3]] == [
        "a.txt",
        "b.md",
        "broken.docx",
    ]
    (tmp_path / "b.md").unlink()
    assert inforce("verify", str(tmp_path)).status == 5  # one file was not read
    assert inforce("verify", str(tmp_path), "--html", str(tmp_path / "x.html")).status == 2


def test_a_scan_is_not_checked_never_all_right(inforce: InProcess, tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(pdf([], []))
    ran = inforce("verify", str(path))
    assert ran.status == 5 and "no text in it" in ran.out


def test_a_file_that_is_none_says_so(inforce: InProcess, tmp_path: Path) -> None:
    path = tmp_path / "broken.docx"
    path.write_bytes(b"PK\x03\x04 nothing")
    ran = inforce("verify", str(path))
    assert ran.status == 6 and "broken.docx" in ran.err
    assert inforce("verify", str(tmp_path / "absent.txt")).status == 6
    empty = tmp_path / "empty"
    empty.mkdir()
    assert inforce("verify", str(empty)).status == 2


def test_standard_input_is_a_document(inforce: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(WRONG.encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    ran = inforce("verify", "-")
    assert ran.status == 1 and "standard input" in ran.out


def test_page_comments_and_markdown_are_written(inforce: InProcess, tmp_path: Path) -> None:
    path = tmp_path / "brief.docx"
    document = docx.Document()
    document.add_paragraph(WRONG)
    document.save(str(path))
    page, word = tmp_path / "out.html", tmp_path / "out.docx"
    ran = inforce("verify", str(path), "--html", str(page), "--docx", str(word), "--markdown")
    assert ran.status == 1 and ran.out.startswith("# ")
    assert "law of another time" in page.read_text(encoding="utf-8")
    assert len(list(docx.Document(str(word)).comments)) == 3
    text = tmp_path / "brief.txt"
    text.write_text(WRONG, encoding="utf-8")
    assert inforce("verify", str(text), "--docx", str(word)).status == 6


def test_errors_are_one_json_document(inforce: InProcess, tmp_path: Path) -> None:
    ran = inforce("verify", str(tmp_path / "absent.txt"), "--json")
    assert json.loads(ran.out)["error"] == "bad_input"


def test_an_agents_answer_can_be_verified(inforce: InProcess) -> None:
    ask = ["ask", "2010年6月，累犯能否适用缓刑？", "--agent", "r1", "--verify"]
    ran = inforce(*ask, "--json")
    assert ran.status == 0
    verified = ran.json["verified"]
    assert verified["outcome"] != "wrong" and verified["counts"]
    assert "answer" in ran.json
    assert "laws held" in inforce(*ask, "--language", "en").out
    assert inforce("ask", "2010年6月，累犯能否适用缓刑？", "--verify").status == 2


def test_the_answers_of_a_run_are_measured(inforce: InProcess, tmp_path: Path) -> None:
    info: dict[str, Any] = {
        "benchmark": "lar",
        "agent": "direct",
        "model": "m",
        "judge": "",
        "data": "",
        "options": {},
        "started": "2026-11-20T00:00:00Z",
        "seconds": 1.0,
        "version": "0",
    }
    answers = ["刑法第七十四条规定：“对于累犯，不适用缓刑。”", WRONG.partition("，")[2], ""]
    records: list[dict[str, Any]] = [
        {
            "id": str(at),
            "task": "lar",
            "group": "",
            "question": "2010年6月，累犯能否适用缓刑？",
            "target": "",
            "answer": answer,
            "outcome": "answered",
            "values": {},
        }
        for at, answer in enumerate(answers)
    ]
    (tmp_path / "results.json").write_text(json.dumps(info), encoding="utf-8")
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)
    (tmp_path / "records.jsonl").write_text(lines, encoding="utf-8")
    [run] = inforce("verify", str(tmp_path), "--json").json["runs"]
    assert run["share_right"] == 0.75 and run["found"]["answers"] == 2
    assert "75.0% right of 4 checked in 2 answers" in inforce("verify", str(tmp_path)).out
