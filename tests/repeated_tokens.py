"""Strings of one repeated token, and whether a parser reads them in linear time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from inforce.errors import InforceError

TOKENS = [
    *(
        " ",
        "\n",
        "\t",
        "\r",
        "\u3000",
        "\r\n",
        " \n",
        "\n ",
        "\u200b",
        "\0",
        "a",
        "a ",
        "a.",
        "A. ",
    ),
    *("*", "**", "* ", "- ", "_", "`", "```\n", "#", "# ", "#\n", ">", "> ", "|", "| - |\n", "=\n"),
    *("---\n", "[", "]", "![", "[a]: b\n", "(", ")", "（", "【", "<", "</", "<p>", "<b>", "<td>x"),
    *(
        "<!--",
        "<a href=",
        "<style",
        "&amp;",
        "&",
        "{",
        '{"a":',
        "[{",
        '"',
        "“",
        "”",
        "'",
        "《",
        "》",
    ),
    *(
        "。",
        "？",
        "！",
        "；",
        "，",
        "：",
        ".",
        "?",
        ". ",
        "…",
        "...",
        "·",
        "第",
        "第一",
        "第一条",
        "条",
        "一",
    ),
    *("一、\n", "第一条 甲。\n", "第一章\n", "Section 1", "section ", "article", "§", "v. ", " v "),
    *(
        "states:",
        "provides that ",
        "规定：",
        "effective ",
        "display:",
        "charset=",
        "title:\n",
        "1",
        "1.",
    ),
    *(
        "2020年1月1日",
        "2020-01-01",
        "施行日期：",
        "\\",
        "\\u",
        "%",
        "%20",
        "/",
        "http://",
        "a@",
        ":",
        "$",
    ),
    *(
        "<tool_call>",
        "<tool_call>{{{",
        "</tool_response>",
        "[INST]",
        "utm_a=b&",
        "No. ",
        "Mr. ",
        "-\n",
    ),
]


def repeated(token: str, size: int) -> str:
    """A token as often as it fits into so many characters."""
    return token * (size // len(token))


def slow_tokens(
    read: Callable[[str], object], *, size: int, tokens: Sequence[str] = TOKENS
) -> dict[str, str]:
    """The tokens whose repetition a parser does not read in linear time, and what it took.

    Linear: a fraction of a second for anything (a second for 200,000 characters), or else less than
    8 times what a quarter of it takes; 16 times would be quadratic. The best of three attempts
    counts, whatever else the machine is doing.
    """
    found: dict[str, str] = {}
    enough = max(0.3, size / 200_000)
    for token in tokens:
        if _seconds(read, repeated(token, size)) <= enough:
            continue
        whole = min(_seconds(read, repeated(token, size)) for _ in range(2))
        quarter = min(_seconds(read, repeated(token, size // 4)) for _ in range(3))
        if whole > max(enough, 8 * quarter):
            found[token] = f"{quarter:.2f} s for a quarter, {whole:.2f} s for the whole"
    return found


def _seconds(read: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    with suppress(InforceError):
        read(text)
    return time.thread_time() - began
