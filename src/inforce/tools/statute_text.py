"""The text form of wordings in the answers of statute tools, written and read back.

A wording is shown with its law and article, the days it was in force, its text verbatim, where it
comes from, and what became of it. The form is fixed, so that a program that sees only the
conversation (a policy without a model, a reward, a reader of traces) gets the same values again:
`read_wordings` undoes `show_wording`, in either language.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from inforce.dates import ALWAYS, DateRange
from inforce.documents.untrusted import as_data
from inforce.errors import DateError
from inforce.tools.tool import Language


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording of a provision, as a tool shows it."""

    law: str
    """Official title."""
    article: str
    """As the statute prints it: 第七十四条."""
    window: DateRange
    """The days it was in force."""
    text: str
    """Verbatim."""
    id: str
    """The identifier of the provision in the version that began this wording."""
    source: str = ""
    """The publisher of the copy."""
    version: str = ""
    """The label of the version, and the instrument that made it."""
    afterwards: str = ""
    """What became of it, in a sentence."""
    applies: str = ""
    """Whether it applies to the case of the question; empty where that is not shown."""


@dataclass(frozen=True, slots=True)
class _Labels:
    in_force: str
    until: str
    onwards: str
    version: str
    text: str
    source: str
    afterwards: str
    applies: str
    always: str


_LABELS: dict[Language, _Labels] = {
    "zh": _Labels(
        "有效期：", " 至 ", " 起", "版本：", "原文：", "出处：", "此后：", "适用：", "全部时间"
    ),
    "en": _Labels(
        "In force: ",
        " to ",
        " onwards",
        "Version: ",
        "Text:",
        "Source: ",
        "Since: ",
        "Applies: ",
        "ever",
    ),
}

_HEAD = re.compile(r"^\[(?P<place>\d+)\] 《(?P<law>[^\n]+)》(?P<article>\S+)$", re.MULTILINE)
_HEAD_BRACKET = re.compile(r"^\[(?=\d+\] 《)", re.MULTILINE)
"""No line of a provision's own may look like the head of another one."""

_DAY = r"\d{4}-\d{2}-\d{2}"


def show_wording(wording: Wording, place: int, language: Language) -> str:
    """Show a wording as text, numbered for citation."""
    labels = _LABELS[language]
    version = [f"{labels.version}{_in_line(wording.version)}"] if wording.version else []
    source = _in_line(" · ".join(filter(None, (wording.source, wording.id))))
    applies = [f"{labels.applies}{_in_line(wording.applies)}"] if wording.applies else []
    lines = [
        f"[{place}] 《{_in_line(wording.law)}》{wording.article}",
        f"{labels.in_force}{show_days(wording.window, language)}",
        *version,
        labels.text,
        _HEAD_BRACKET.sub("［", as_data(wording.text)),
        f"{labels.source}{source}",
        f"{labels.afterwards}{_in_line(wording.afterwards)}",
        *applies,
    ]
    return "\n".join(lines)


def _in_line(text: str) -> str:
    return " ".join(as_data(text).split())


def show_days(days: DateRange, language: Language) -> str:
    """Days as a reader counts them, first and last included: ``2010-01-01 至 2011-04-30``."""
    labels = _LABELS[language]
    if days == ALWAYS:
        return labels.always
    if days.last is None:
        return f"{days.start}{labels.onwards}"
    if days.is_single_day:
        return f"{days.start}"
    return f"{days.start}{labels.until}{days.last}"


def read_wordings(text: str) -> tuple[Wording, ...]:
    """Read the wordings in a tool's text, in order; other text is passed over."""
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads), len(text)][1:]
    read = (_read(head, text[head.end() : end]) for head, end in zip(heads, ends, strict=False))
    return tuple(one for one in read if one is not None)


def _read(head: re.Match[str], body: str) -> Wording | None:
    for labels in _LABELS.values():
        match = _pattern(labels).match(body)
        if match is None:
            continue
        source, _, identifier = match["source"].rpartition(" · ")
        window = _window(match)
        if window is None:
            return None
        return Wording(
            head["law"],
            head["article"],
            window,
            match["text"],
            identifier,
            source,
            match["version"] or "",
            match["afterwards"].strip(),
            (match["applies"] or "").strip(),
        )
    return None


def _window(match: re.Match[str]) -> DateRange | None:
    """The days of a block; ``None`` where the calendar has no such days."""
    with suppress(ValueError, DateError):
        first = date.fromisoformat(match["first"])
        if match["open"]:
            return DateRange(first, None)
        return DateRange.inclusive(first, date.fromisoformat(match["last"] or match["first"]))
    return None


def _pattern(labels: _Labels) -> re.Pattern[str]:
    return re.compile(
        rf"\n{re.escape(labels.in_force)}(?P<first>{_DAY})"
        rf"(?:{re.escape(labels.until)}(?P<last>{_DAY})|(?P<open>{re.escape(labels.onwards)}))?"
        rf"(?:\n{re.escape(labels.version)}(?P<version>[^\n]*))?"
        rf"\n{re.escape(labels.text)}\n(?P<text>.*)"
        rf"\n{re.escape(labels.source)}(?P<source>[^\n]*)"
        rf"\n{re.escape(labels.afterwards)}(?P<afterwards>[^\n]*)"
        rf"(?:\n{re.escape(labels.applies)}(?P<applies>[^\n]*))?",
        re.DOTALL,
    )
