"""What a person reads, in Chinese: every message is translated, and what fills it stays itself."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from inforce.dates import ALWAYS, DateRange
from inforce.errors import UserError
from inforce.language import chosen_language
from inforce.language.messages import messages

ROOT = Path(__file__).resolve().parents[2]


def test_what_is_compiled_is_what_is_translated() -> None:
    place = ROOT / "src/inforce/language/locale/zh/LC_MESSAGES/inforce.po"
    with place.open("rb") as file:
        catalogue = read_po(file, locale="zh")
    said = messages("zh")
    for message in catalogue:
        if isinstance(message.id, str) and message.id and message.string:
            assert said.text(message.id, message.context or "") == message.string


@pytest.mark.slow
def test_every_message_is_translated_and_the_catalogue_is_that_of_the_code() -> None:
    line = [sys.executable, "recipes/messages.py", "--check"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_every_special_rule_says_is_said_in_chinese() -> None:
    table = (ROOT / "src/inforce/law/data/special_rules.txt").read_text(encoding="utf-8")
    sentences = [line.strip() for line in table.splitlines() if line.startswith("    ")]
    assert len(sentences) > 50
    assert [one for one in sentences if messages("zh").text(one) == one] == []


@pytest.mark.parametrize(
    ("sentence", "chinese"),
    [
        (
            "why: In general. (民法典时间效力规定 (法释〔2020〕15号) art. 1 para. 2)",
            "理由：In general.（民法典时间效力规定（法释〔2020〕15号）第1条第2款）",
        ),
        ("the law first came into force on 1980-01-01", "该法自 1980-01-01 起施行"),
        ("as inforce starter corpus states", "依 inforce 随附语料 所载"),
        ("the law at trial, seen from the law of the act: the wording is the same", None),
        ("刑法 art. 12; 法释〔1997〕12号 arts. 1-2", "刑法第12条；法释〔1997〕12号第1-2条"),
        (
            "中华人民共和国刑法（1997修订）has no such provision",
            "中华人民共和国刑法（1997修订）没有该条",
        ),
        ("no such sentence is known", "no such sentence is known"),
        ("the original text on 1979-07-01 is not held", "本库没有 1979-07-01 的原文本"),
        (
            "the text as amended by 《甲》 of 2001-01-01 is not held",
            "本库没有经《甲》（2001-01-01）修正的文本",
        ),
        ("", ""),
    ],
)
def test_a_composed_sentence_is_translated_by_its_form(sentence: str, chinese: str | None) -> None:
    said = messages("zh").sentence(sentence)
    if chinese is None:
        assert said.isascii() is False
        assert "the" not in said
    else:
        assert said == chinese
    assert messages("en").sentence(sentence) == sentence


SEPARATORS = [
    *(", ", ": ", "; ", " (", ") ", "'", " to ", " and ", ", to at least ", " to at least "),
    *("repealed by ", "adding to ", " characters; at most ", "why: ", " art. ", " · ", "{}"),
]


@pytest.mark.parametrize("separator", SEPARATORS)
def test_what_somebody_else_wrote_holds_no_translation_up(separator: str) -> None:
    began = time.process_time()
    for length in (600, 3_999, 200_000):
        text = separator * (length // len(separator)) + "x"
        assert messages("zh").sentence(text)
    assert time.process_time() - began < 5  # before, 600 characters took 25 s


def test_braces_in_what_fills_a_sentence_stay_what_they_are() -> None:
    error = "cannot read '{0}{x}' as a date: the calendar ends here"
    assert messages("zh").sentence(error) == "无法将 '{0}{x}' 读作日期：日历到此为止"


@pytest.mark.parametrize(
    ("days", "chinese"),
    [
        (DateRange.day(date(2011, 5, 1)), "2011-05-01"),
        (DateRange(date(2011, 5, 1), None), "2011-05-01 起"),
        (DateRange(date.min, date(2011, 5, 1)), "至 2011-04-30"),
        (DateRange(date(2010, 1, 1), date(2011, 1, 1)), "2010-01-01 至 2010-12-31"),
        (ALWAYS, "一直"),
    ],
)
def test_days_are_said_in_both_languages(days: DateRange, chinese: str) -> None:
    assert messages("zh").days(days) == chinese
    assert messages("en").days(days) == str(days)


@pytest.mark.parametrize(
    ("variables", "given", "language"),
    [
        ({}, "", "en"),
        ({"LANG": "zh_CN.UTF-8"}, "", "zh"),
        ({"LANG": "C.UTF-8"}, "", "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "", "en"),
        ({"LANG": "zh_CN.UTF-8", "INFORCE_LANG": "en"}, "", "en"),
        ({"INFORCE_LANG": "zh"}, "", "zh"),
        ({"INFORCE_LANG": "zh-Hans"}, "en", "en"),
    ],
)
def test_the_language_is_as_given_else_that_of_the_variable_else_of_the_system(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], given: str, language: str
) -> None:
    for name in ("INFORCE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert chosen_language(given) == language


def test_a_language_that_is_none_is_refused() -> None:
    with pytest.raises(UserError, match="use zh or en"):
        chosen_language("fr")
