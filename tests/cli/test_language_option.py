"""Output in the language of the person: labels, reasons and errors; JSON stays what it is."""

from __future__ import annotations

import pytest
from commands import InProcess

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
