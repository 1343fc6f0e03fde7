"""Reports on runs whose texts attack the reader: no markup, no steering, nothing read outside."""

from __future__ import annotations

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from inforce.cli import main
from inforce.evals.benchmark import Record
from inforce.evals.catalogue import NAMES, open_benchmark
from inforce.evals.report.page import trace_file
from inforce.evals.report.writing import write_report
from inforce.evals.results import result_line
from inforce.evals.table import Row, Table, to_console, to_markdown
from stored_runs import record, results, stored

EVIL = (
    "<script>alert(1)</script><img src=x onerror=alert(2)><svg/onload=alert(3)>"
    "</dd></details>]]>--><!-- \"'><a href='javascript:alert(4)'>x</a>"
    "[x](javascript:alert(5)) ![x](http://evil.test/i.png) | a | `b` {{ 7*7 }} {% raw %} ${x} $x^2$"
    "\n# heading\n\n---\n<iframe src=//evil.test>\x1b[2J\x9b31m\u202e"
)


class Tags(HTMLParser):
    """The elements of a page, the addresses in it and what would run."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.addresses: set[str] = set()
        self.handlers: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        for name, value in attrs:
            if name.startswith("on"):
                self.handlers.add(name)
            if name in ("href", "src", "xlink:href", "action"):
                self.addresses.add(value or "")


def evil_record(id: str, **more: Any) -> Record:
    told: dict[str, Any] = {
        "task": EVIL,
        "group": EVIL,
        "question": EVIL,
        "target": EVIL,
        "answer": EVIL,
    }
    told |= {"note": EVIL, "labels": {EVIL: EVIL}, "calls": {EVIL: 3}, "dated": {EVIL: 1}}
    told |= {"values": {"score": 0.5, EVIL: 1.0}, "facts": {"year": EVIL}, "trace": EVIL}
    return record(id, **{**told, **more})


@pytest.fixture
def evil_runs(tmp_path: Path) -> list[Path]:
    """Two runs of a real benchmark, every text of which is an attack."""
    told = [evil_record(EVIL), evil_record("2", task="other", outcome="failed")]
    agents = ("r1", EVIL)
    return [
        stored(tmp_path / f"run{n}", *told, agent=agent, benchmark="kqa")
        for n, agent in enumerate(agents)
    ]


def test_nothing_of_a_run_is_markup_in_its_page(tmp_path: Path, evil_runs: list[Path]) -> None:
    written = write_report(evil_runs, tmp_path / "report")
    forbidden = {"img", "iframe", "object", "embed", "form", "base"}
    page, items = (
        one.read_text(encoding="utf-8")
        for one in (written.page, written.page.parent / "items" / "kqa-1.html")
    )
    for text, more in ((page, {"script"}), (items, set[str]())):
        tags = Tags()
        tags.feed(text)
        assert not tags.elements & (forbidden | more)
        assert tags.handlers == set()
        assert all(one.startswith(("#", "items/", "../")) for one in tags.addresses)
    assert items.count("<script") == 1  # ours
    assert "alert(1)" in items and "49" not in items.split("</style>")[1].split("alert(5)")[1][:60]


def test_nothing_of_a_run_is_markup_in_markdown(tmp_path: Path, evil_runs: list[Path]) -> None:
    text = write_report(evil_runs, tmp_path / "report").markdown.read_text(encoding="utf-8")
    unescaped = re.sub(r"\\.", "", text)
    for mark in ("<script", "<img", "<svg", "<iframe", "](javascript", "![x", "{{", "{%", "`b"):
        assert mark not in unescaped, mark
    assert "\n# heading" not in text and "\n<" not in text
    assert not set(text) & {"\x1b", "\x9b", "\u202e"}


def test_nothing_in_a_table_steers_the_terminal() -> None:
    table = Table(EVIL, (EVIL, "n"), (Row(EVIL, (EVIL, 1)),), note=EVIL)
    for text in (to_console(table), to_markdown(table)):
        assert not set(text) & {"\x1b", "\x9b", "\u202e"}


def test_a_report_on_a_terminal_shows_attacks_as_text(
    evil_runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*map(str, evil_runs), "--output", str(tmp_path / "report")]
    with pytest.raises(SystemExit) as left:
        main(["report", *arguments])
    assert left.value.code == 0
    out, told = capsys.readouterr()
    assert not set(out + told) & {"\x1b", "\x9b", "\u202e"}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "dated"])
def test_every_benchmark_sums_up_records_it_does_not_know(name: str) -> None:
    """Records of another version, damaged ones, none: missing figures, never a crash.

    The tables of ``dated`` are made of facts that every record of it has.
    """
    benchmark = open_benchmark(name)
    for records in (
        (),
        (record("1", values={}),),
        (record("1", values={"strange": 1.0}, task="strange", group="strange"),),
        (record("1", values={benchmark.primary: None}, outcome="failed"),),
        (record("1", values={benchmark.primary: None}), evil_record("2")),
    ):
        benchmark.tables(records, "ours")
        line = result_line(results(*records, benchmark=name), benchmark)
        assert line[benchmark.primary] in (None, 0.5)
        json.dumps(line, allow_nan=False)


@pytest.mark.parametrize(
    "trace",
    ["../outside.jsonl", "/etc/passwd", "a\0b", "x" * 5_000, "traces", ".", "", "link", "pipe"],
)
def test_a_trace_outside_the_folder_or_none_at_all_is_not_shown(tmp_path: Path, trace: str) -> None:
    folder = tmp_path / "run"
    (folder / "traces").mkdir(parents=True)
    (tmp_path / "outside.jsonl").write_text("secret", encoding="utf-8")
    (folder / "link").symlink_to(tmp_path / "outside.jsonl")
    os.mkfifo(folder / "pipe")
    assert trace_file(folder, record("1", trace=trace)) is None


def test_a_run_without_its_traces_or_with_damaged_ones_is_reported(tmp_path: Path) -> None:
    folder = stored(
        tmp_path / "run",
        record("1", values={"score": 1.0}, trace="traces/gone.jsonl"),
        record("2", values={"score": 0.0}, trace="traces/bad.jsonl"),
        benchmark="kqa",
    )
    (folder / "traces").mkdir()
    (folder / "traces" / "bad.jsonl").write_bytes(b'\xff\n{"event":' + b"[" * 50_000)
    written = write_report([folder], tmp_path / "report")
    items = written.page.parent / "items" / "kqa-1.html"
    assert items.read_text(encoding="utf-8").count("no trace") == 2


def test_a_loop_of_links_is_no_loop(tmp_path: Path) -> None:
    stored(tmp_path / "all" / "run", record("1", values={"score": 1.0}), benchmark="kqa")
    (tmp_path / "all" / "loop").symlink_to(tmp_path / "all")
    written = write_report([tmp_path / "all"], tmp_path / "report")
    assert len(written.benchmarks[0].runs) == 1
