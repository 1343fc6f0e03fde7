"""What the reading model is told, in our own words (after LegalSearch-R1, figure 8)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

Language = Literal["zh", "en"]


@cache
def system_prompt(language: Language) -> str:
    """The rules of reading and the form of the reply."""
    path = files("inforce.web").joinpath("prompts", f"reading_{language}.md")
    return path.read_text(encoding="utf-8").strip()


USER: dict[Language, str] = {
    "zh": """\
主要问题：{question}
当前子问题：{goal}
已摘录的内容：
{gathered}

网页标题：{title}
以下为第 {number} 页（共 {total} 页），位于标记 {seal} 之间：
[{seal}]
{page}
[/{seal}]""",
    "en": """\
Main question: {question}
Current sub-question: {goal}
Already taken:
{gathered}

Title: {title}
Below is page {number} of {total}, between the marks {seal}:
[{seal}]
{page}
[/{seal}]""",
}

NOTHING: dict[Language, str] = {"zh": "（无）", "en": "(nothing)"}

NOTES: dict[Language, dict[str, str]] = {
    "zh": {
        "dropped": "有 {count} 处被当作条文或引文的内容不见于网页，已略去：{start}",
        "unread": "共 {total} 页，第 {first} 页以后没有阅读",
        "full": "摘录已满，另有 {count} 段未收入",
        "unmatched": "网页上没有与问题相符的内容，以下是网页开头",
        "cut": "最相关的一段超过了摘录长度，以下是它的开头",
        "unasked": "阅读模型无法使用，从第 {first} 页起按规则摘录",
        "formless": "阅读模型没有按格式回答，从第 {first} 页起按规则摘录",
    },
    "en": {
        "dropped": (
            "{count} passage(s) given as statutory text or quotation do not stand on the page "
            "and were left out: {start}"
        ),
        "unread": "pages {first} to {total} of {total} were not read",
        "full": "{count} more passage(s) did not fit",
        "unmatched": "nothing on the page matches what was asked; this is its beginning",
        "cut": "the best passage is longer than what is kept; this is its beginning",
        "unasked": "the reading model could not be asked; taken by rule from page {first}",
        "formless": "the reading model did not keep its form; taken by rule from page {first}",
    },
}
"""What a reader must know of how a page was read."""
