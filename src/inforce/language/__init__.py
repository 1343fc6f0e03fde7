"""The two languages of this library: which one a person reads, citations, where sentences end."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from inforce.errors import UserError

Language = Literal["zh", "en"]
"""Of prompts, tools, reports and answers."""

LANGUAGE_VARIABLE: Final = "INFORCE_LANG"
"""Chooses the language of a person: ``zh`` or ``en``."""

_LOCALES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def chosen_language(given: str = "") -> Language:
    """The language a person reads: as given, else by ``INFORCE_LANG``, else that of their system.

    Raises:
        UserError: if another language is named.
    """
    named = given or os.environ.get(LANGUAGE_VARIABLE, "")
    if named:
        if named == "zh" or named.startswith(("zh_", "zh-")):
            return "zh"
        if named == "en" or named.startswith(("en_", "en-")):
            return "en"
        raise UserError(f"there is no language {named!r}: use zh or en")
    locale = next((value for name in _LOCALES if (value := os.environ.get(name))), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def cited(work: str, provisions: str, language: Language) -> str:
    """A citation: in Chinese the title in title marks, and single ones for a title within it.

    Args:
        work: its title; empty where none is named.
        provisions: as they are printed; empty for the work.
        language: of the text it stands in.

    >>> cited("中华人民共和国刑法", "第七十四条", "zh")
    '《中华人民共和国刑法》第七十四条'
    >>> cited("关于适用《中华人民共和国公司法》若干问题的规定", "第一条", "zh")
    '《关于适用〈中华人民共和国公司法〉若干问题的规定》第一条'
    >>> cited("中华人民共和国刑法", "第七十四条", "en")
    '中华人民共和国刑法 第七十四条'
    """
    if language == "en" or not work:
        return f"{work} {provisions}".strip()
    return f"《{work.replace('《', '〈').replace('》', '〉')}》{provisions}"


_END = re.compile(
    r"[。！？!?；;]+[”’」』）)\"']*"
    r"|\n+"
    r"|(?<=[\w)\]\"”][.])[”’)\"']*\s+(?=[A-Z“\"(\[§])"
)
_ABBREVIATED = (
    "al arts art cf ch cir cl co corp dr ed etc fed id inc jr ltd mr mrs ms no nos para paras pp "
    "prof reg rev sched sec secs sr st stat supp v vs"
)
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_WORD_BEFORE_STOP = re.compile(r"(\w{1,12})\.[”’)\"']*\s+\Z")


class Sentence(NamedTuple):
    """The offsets of a sentence: its first character, and the first after it."""

    start: int
    end: int


def sentences(text: str, *, longest: int | None = None) -> Iterator[Sentence]:
    """The sentences of a text in order, blanks around them left out; line breaks end them too.

    Args:
        text: Chinese or English.
        longest: characters; a longer sentence is cut into pieces of that length.

    >>> text = "甲说：“不。”乙走了。 See Sec. 5. It applies."
    >>> [text[one.start : one.end] for one in sentences(text)]
    ['甲说：“不。”', '乙走了。', 'See Sec. 5.', 'It applies.']
    """
    start = 0
    for stop in (*_stops(text), len(text)):
        piece = text[start:stop]
        first = start + len(piece) - len(piece.lstrip())
        last = start + len(piece.rstrip())
        start = stop
        for cut in range(first, last, longest or max(1, last - first)):
            yield Sentence(cut, min(cut + longest, last) if longest else last)


def _stops(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        if match[0][-1].isspace() and "\n" not in match[0] and _is_abbreviated(text, match.end()):
            continue
        yield match.end()


def _is_abbreviated(text: str, end: int) -> bool:
    """Whether the full stop before this place belongs to ``No.``, ``Art.`` or an initial."""
    found = _WORD_BEFORE_STOP.search(text, max(0, end - 24), end)
    if found is None:
        return False
    word = found[1]
    return word.lower() in _ABBREVIATIONS or (len(word) == 1 and word.isupper())
