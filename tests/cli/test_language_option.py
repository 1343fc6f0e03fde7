"""Output in the language of the person: labels, reasons and errors; JSON stays what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from commands import InProcess
from rich.cells import cell_len

from inforce.cli.commands import app

AT = ("at", "刑法", "74", "--on", "2010-06-01")


@pytest.mark.parametrize("options", [("--lang", "zh"), ("--lang=zh",)])
@pytest.mark.parametrize("first", [True, False])
def test_an_option_anywhere_chooses_the_language(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], *, first: bool
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "en")
    ran = inforce(*options, *AT) if first else inforce(*AT, *options)
    assert ran.status == 0
    assert "所问日期：2010-06-01" in ran.out
    assert "对于累犯，不适用缓刑。" in ran.out


def test_a_chinese_system_is_answered_in_chinese(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INFORCE_LANG")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    ran = inforce("ask", "2010年，累犯能否适用缓刑？")
    assert "理由：适用行为时的法律" in ran.out
    assert "刑法第12条" in ran.out
    for english in ("why:", "today:", "in force", "The law", "searched"):
        assert english not in ran.out
    refused = inforce("at", "刑法", "74", "--on", "2010-02-30")
    assert (refused.status, "读作日期" in refused.err) == (2, True)


def test_findings_of_a_document_are_in_the_language_of_the_person(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "brief.txt"
    path.write_text("2010年6月1日，依照《刑法》第七十四条处罚。", encoding="utf-8")
    monkeypatch.setenv("INFORCE_LANG", "zh")
    assert "对照本库收录的" in inforce("verify", str(path)).out
    assert "laws held, as of" in inforce("verify", "--lang", "en", str(path)).out


def test_verify_with_a_language_says_all_in_it(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "en")
    path = tmp_path / "brief.txt"
    path.write_text("2010年6月1日，依照《刑法》第七十四条处罚。", encoding="utf-8")
    ran = inforce("verify", "--lang", "zh", str(path), home=tmp_path / "home")
    assert ran.status == 0
    assert "已用起始语料建立" in ran.err  # the notice of a first use, too
    assert "inforce corpus add" in ran.err
    assert "starter corpus" not in ran.err
    refused = inforce("verify", str(tmp_path / "none"), "--lang=zh")
    assert refused.status == 6
    assert "No such file" not in refused.err


def test_a_file_that_cannot_be_read_is_refused_in_chinese(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    path = tmp_path / "brief.pdf"
    path.write_bytes(b"%PDF-1.4\nnothing")
    ran = inforce("verify", str(path))
    assert ran.status == 6
    assert "PDF 已损坏" in ran.err


def test_json_is_the_same_in_every_language(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "en")
    english = inforce(*AT, "--json").out
    monkeypatch.setenv("INFORCE_LANG", "zh")
    assert inforce(*AT, "--json").out == english


def test_a_language_there_is_not_is_refused(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "en")
    ran = inforce(*AT, "--lang", "fr")
    assert ran.status == 2


def commands(group: Any, *path: str) -> Iterator[tuple[str, ...]]:
    yield path
    for name, below in getattr(group, "commands", {}).items():
        yield from commands(below, *path, name)


COMMANDS = list(commands(typer.main.get_command(app())))
SENTENCE = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}")


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_is_in_the_language_of_the_person(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch, path: tuple[str, ...]
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    monkeypatch.setenv("COLUMNS", "80")
    ran = inforce(*path, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"用法：{' '.join(['inforce', *path])}")
    assert "显示本说明并退出" in ran.out
    lines = ran.out.splitlines()
    assert [line for line in lines[1:] if SENTENCE.search(line.replace("inforce", ""))] == []
    assert max(map(cell_len, lines[1:])) <= 80
    monkeypatch.setenv("INFORCE_LANG", "en")
    assert inforce(*path, "--help").out.startswith("Usage: ")


def test_what_help_shows_of_an_option_is_what_english_help_shows(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = re.compile(r"^  (-\S+)", re.MULTILINE)
    for path in COMMANDS:
        found: list[list[str]] = []
        for language in ("en", "zh"):
            monkeypatch.setenv("INFORCE_LANG", language)
            found.append(names.findall(inforce(*path, "--help").out))
        assert found[0] == found[1], path
        assert "--help" in found[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("at --foo", "没有选项 --foo（可能是：--on）（请看：inforce at --help）"),
        ("at", "缺少参数 'law'（请看：inforce at --help）"),
        ("nix", "没有命令 'nix'（请看：inforce --help）"),
        ("corpus nix", "没有命令 'nix'（请看：inforce corpus --help）"),
        ("diff 刑法 74", "缺少选项 '--from'（请看：inforce diff --help）"),
        (
            "search x -k 0",
            "'-k' 的值无效：0 不在范围 1<=x<=100 之内（请看：inforce search --help）",
        ),
        ("search x -k x", "'-k' 的值无效：'x' 不是允许范围内的整数（请看：inforce search --help）"),
        ("at 刑法 74 75", "多余的参数（75）（请看：inforce at --help）"),
    ],
)
def test_a_command_line_that_cannot_be_read_is_refused_in_chinese(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch, line: str, said: str
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    ran = inforce(*line.split())
    assert (ran.status, ran.err.strip()) == (2, f"inforce: {said}")


def test_chinese_citations_stand_in_title_marks(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    name = "《中华人民共和国刑法》第七十四条"
    days = ("--from", "2010-06-01", "--to", "2011-05-01")
    for command in (AT, ("history", "刑法", "74"), ("diff", "刑法", "74", *days)):
        assert inforce(*command).out.startswith(name)
    assert f"\n{name}\n" in inforce("ask", "2010年，累犯能否适用缓刑？").out


def test_what_was_read_otherwise_than_asked_is_said_in_chinese(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    said = inforce("ask", "2010年，累犯能否适用缓刑？", "--as-of", "2012").out
    assert "注意：问题所说的日期是 2010-01-01 至 2010-12-31；已按所给日期 2012-01-01" in said


def test_what_an_agent_did_and_why_it_stopped_is_said_in_chinese(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    trace = str(tmp_path / "trace.jsonl")
    limited = ("--agent", "r1", "--max-calls", "1", "--trace", trace)
    said = inforce("ask", "2010年，累犯能否适用缓刑？", *limited).out
    assert said.startswith("达到预算上限: 1 次模型调用 的预算已用尽")
    steps = inforce("trace", "show", trace).out
    assert "1. 智能体" in steps
    assert "2. 计划" in steps


@pytest.mark.parametrize("group", ["corpus", "sources", "trace", "construct"])
def test_a_group_without_a_command_is_refused_in_chinese(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch, group: str
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    refused = inforce(group)
    assert refused.status == 2
    assert refused.err == f"inforce: 缺少命令（请看：inforce {group} --help）\n"


def test_the_command_to_try_is_one_that_there_is(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    assert "请看：inforce corpus list --help" in inforce("corpus", "list", "多余").err


def test_defaults_and_bounds_of_an_option_are_explained_in_chinese(
    inforce: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    page = inforce("search", "--help").out
    assert "default" not in page
    assert "［默认：5］  [1<=x<=100]" in page
    assert "\n选项：\n" in page
