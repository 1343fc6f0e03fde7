"""A trace as people see it: complete, escaped, and honest about what has no support."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import pytest

from inforce.agents.runtime.answer import ResearchAnswer, Sentence
from inforce.agents.runtime.trace import (
    Event,
    Finished,
    Noted,
    Observed,
    PersonAsked,
    PersonReplied,
    Replied,
    Started,
)
from inforce.agents.runtime.trace_view import page, view
from inforce.llm.chat import Usage
from inforce.tools.evidence import Evidence

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
LAW = Evidence(
    "law", "statute", "刑法第七十四条", "累犯不适用缓刑。", date="in force 1997-10-01 to 2011-04-30"
)
PAGE = Evidence("p", "web", HOSTILE, HOSTILE, url="javascript:alert(3)")
COST = Usage(1, 100, 20, Decimal("0.0012"))
ANSWER = ResearchAnswer(
    f"累犯？{HOSTILE}",
    "r1",
    "offline",
    "累犯不适用缓刑。月亮是绿色的。",
    "answered",
    (Sentence("累犯不适用缓刑。", ("law",)), Sentence("月亮是绿色的。")),
    (LAW, PAGE),
    COST,
)
EVENTS: tuple[Event, ...] = (
    Started("r1", "offline", f"累犯？{HOSTILE}", "2026-11-20", {"max_turns": "15"}, NOON, "0.1.0"),
    Replied("k1", "agent", f"<think>{HOSTILE}</think>", COST, "stop", False, 1.5, NOON),
    Observed("k2", "rag_retrieve", {"query": [HOSTILE]}, HOSTILE, "found", (LAW,), (), 0.25, NOON),
    PersonAsked("k3", ("哪一年？", "哪里？"), NOON),
    PersonReplied("k3", ("2010年", ""), NOON),
    Noted("judge", "round 1: insufficient", NOON),
    Finished(ANSWER, 2.0, NOON),
)  # fmt: skip


class Tags(HTMLParser):
    """What a browser would build of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    return tags


def test_every_event_but_the_ends_is_a_step_with_its_cost() -> None:
    shown = view(EVENTS)
    assert [step.kind for step in shown.steps] == ["model", "tool", "question", "reply", "note"]
    assert (shown.usage, shown.seconds, shown.calls) == (COST, 1.75, {"rag_retrieve": 1})
    assert shown.steps[3].text == "2010年\n(no answer)"


@pytest.mark.parametrize("cut", range(len(EVENTS)))
def test_a_trace_cut_anywhere_is_shown_as_far_as_it_goes(cut: int) -> None:
    shown = view(EVENTS[:cut])
    assert shown.answer is None
    assert len(shown.steps) == max(0, cut - 1)
    assert "has not ended" in page(shown)


def test_the_page_runs_nothing_and_links_nowhere_unsafe() -> None:
    tags = parsed(page(view(EVENTS)))
    names = {name for name, _ in tags.seen}
    assert not names & {"script", "img", "iframe", "link", "object"}
    assert not [attrs for name, attrs in tags.seen if name == "a"]
    assert not [key for _, attrs in tags.seen for key in attrs if key.startswith("on")]
    assert HOSTILE in tags.text


def test_the_page_needs_nothing_but_itself() -> None:
    tags = parsed(page(view(EVENTS)))
    assert not [attrs for _, attrs in tags.seen if "src" in attrs]
    policy = [attrs.get("content") for _, attrs in tags.seen if "http-equiv" in attrs]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'"]


def test_web_sources_are_links_that_tell_nobody_where_they_were_clicked() -> None:
    import msgspec

    found = msgspec.structs.replace(EVENTS[-1], answer=_with_url("https://www.court.gov.cn/x"))
    tags = parsed(page(view((*EVENTS[:-1], found))))
    links = [attrs for name, attrs in tags.seen if name == "a"]
    assert [one["href"] for one in links] == ["https://www.court.gov.cn/x"]
    assert "noreferrer" in (links[0]["rel"] or "")


def _with_url(url: str) -> ResearchAnswer:
    from dataclasses import replace

    return replace(ANSWER, evidence=(LAW, replace(PAGE, url=url)))


def test_sentences_without_support_are_marked_and_sources_numbered() -> None:
    text = parsed(page(view(EVENTS))).text
    assert "no support found" in text
    assert "[1]" in text
    assert "in force 1997-10-01 to 2011-04-30" in text
    assert "not checked" in text


def test_the_page_is_written_and_the_terminal_shows_the_same_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from inforce.agents.runtime.trace import encode
    from inforce.cli import main

    trace, html = tmp_path / "t.jsonl", tmp_path / "t.html"
    trace.write_bytes(b"\n".join(map(encode, EVENTS)) + b"\n")
    for arguments in (
        ["trace", "show", str(trace)],
        ["trace", "show", str(trace), "--html", str(html)],
    ):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert left.value.code == 0
    told = capsys.readouterr().out
    for word in (
        "1. agent",
        "2. rag_retrieve",
        "累犯不适用缓刑。 [1]",
        "月亮是绿色的。 (no support found)",
    ):
        assert word in told
    assert html.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_dates_of_a_run_are_calendar_days_and_its_times_aware() -> None:
    assert view(EVENTS).began == NOON
    assert date.fromisoformat(view(EVENTS).today) == date(2026, 11, 20)
