"""Titles of laws: which of those held a person means, and the order in which they are listed.

Only a certain match counts; the rest is a suggestion.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence

from inforce.law.registry import KNOWN_WORKS, name_key

_ISSUER = re.compile(
    r"^(?:中华人民共和国|(?:全国人民代表大会常务委员会|全国人民代表大会|国务院"
    r"|(?:最高人民法院|最高人民检察院|公安部|司法部|[、，]|等)+)(?:关于)?)"
)
_EDITION = re.compile(r"\([^()]*(?:试行|暂行|修订|修正|年)[^()]*\)$")
_EDITION_LABEL = re.compile(
    r"(?P<work>.+?(?<!修正案))[（(](?P<edition>[0-9]{4}年?(?:[^（）()]{0,12}(?:修正|修订|版|文本))?)[）)]"
)
_WHOLE_TITLE = re.compile(
    r"(?:法|法典|通则|总则|纪要|条例|规定|办法|解释|决定|规则|细则|意见|通知|批复|标准|公约"
    r"|修正案(?:\([一二三四五六七八九十]+\))?)$"
)
_INTERPRETATION = re.compile(
    r"(?P<about>(?!最高).{2,24}?)的?(?:司法)?(?P<kind>解释|规定)\(?(?P<number>[一二三四五六七]?)\)?"
)
_OF_COURTS = re.compile(
    r"(?:最高人民(?:法院|检察院)[、,]?)+关于(?:(?:审理|适用|办理|在审判中适用|执行)|中华人民共和国)*"
    r"(?P<about>.+?)(?P<kind>解释|规定)(?:\((?P<number>[一二三四五六七])\))?"
)
_SHORTEST_WORD = 2
"""Letters of a word: 贩毒 takes a letter each from 贩卖 and 毒品."""
_FEWEST_CHARACTERS = 3
_RANKS = {known.title: rank for rank, known in enumerate(KNOWN_WORKS)}


def plain_title(name: str) -> str:
    """A title without 《》, spaces or differences of width: what is compared."""
    return re.sub(r"[《》<>〈〉\s]", "", unicodedata.normalize("NFKC", name))


def short_title(title: str) -> str:
    """A title without who issued it and without （试行） and the like: what people say."""
    return _EDITION.sub("", _without_issuer(title))


def split_edition(title: str) -> tuple[str, str]:
    """A title without 《》, and the edition in brackets after it, which is no part of the title.

    Some registers file an older text as a law of its own; its title names the same law. Other
    brackets are part of the title: 民事诉讼法（试行）, 宪法修正案（1988年）.

    >>> split_edition("中华人民共和国宪法（1982年）")
    ('中华人民共和国宪法', '1982年')
    >>> split_edition("刑法(2023修正)")
    ('刑法', '2023修正')
    """
    bare = title.strip().removeprefix("《").removesuffix("》").strip()
    match = _EDITION_LABEL.fullmatch(bare)
    return (match["work"], match["edition"]) if match else (bare, "")


def find_title(name: str, titles: Iterable[str]) -> str | None:
    """The one title that ``name`` can only mean, or ``None``.

    A part of a title is enough where exactly one title contains it, unless the part reads as a
    title of its own: 环境保护法 is not 海洋环境保护法, 食品安全法 is not its 实施条例, and an
    amendment is not the interpretation of its effect in time.
    """
    held = tuple(titles)
    plain = plain_title(name)
    short = plain.removeprefix("中华人民共和国")
    for simplified, wanted in (
        (plain_title, plain),
        (_without_commas, _without_commas(plain)),
        (name_key, name_key(plain)),
        (_without_issuer, short),
        (short_title, short),
    ):
        same = [title for title in held if wanted and simplified(title) == wanted]
        if same:
            return _only(same)
    if interpretation := _interpretation(plain, held):
        return interpretation
    if len(plain) < _FEWEST_CHARACTERS or _WHOLE_TITLE.search(plain):
        return None
    ending = [title for title in held if short_title(title).endswith(plain)]
    return _only(ending) or _only(_containing(plain, held))


def _interpretation(name: str, titles: Iterable[str]) -> str | None:
    """The judicial interpretation meant by a name made of words of its title, in their order.

    合同编通则解释 is 最高人民法院关于适用《中华人民共和国民法典》合同编通则若干问题的解释.
    """
    parts = _INTERPRETATION.fullmatch(name)
    if parts is None:
        return None
    kinds = ("解释", "规定") if parts["kind"] == "解释" else ("规定",)
    found: list[tuple[str, str]] = []
    for title in titles:
        plain = plain_title(title)
        match = _OF_COURTS.fullmatch(plain)
        if match is None:
            if plain.endswith(parts["kind"]) and parts["about"] in plain:
                return None  # a regulation, or a rule of a place, may be meant as well
        elif (
            match["kind"] in kinds
            and (match["number"] or "") == parts["number"]
            and abbreviates(parts["about"], match["about"])
        ):
            found.append((title, match["about"]))
    first = [title for title, about in found if about.startswith(parts["about"])]
    return _only(first) or _only([title for title, _ in found])


def abbreviates(name: str, title: str) -> bool:
    """Whether a name consists of words of a title, or of a crime's name, in their order.

    >>> abbreviates("贩卖毒品", "走私、贩卖、运输、制造毒品")
    True
    >>> abbreviates("贩毒", "走私、贩卖、运输、制造毒品")
    False
    """
    return not name or any(
        (at := title.find(name[:length])) >= 0 and abbreviates(name[length:], title[at + length :])
        for length in range(len(name), _SHORTEST_WORD - 1, -1)
    )


def suggest_titles(name: str, titles: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """Titles a person may have meant: those that contain the name, then those like it."""
    held = sorted(titles, key=lambda title: (len(title), title))
    by_short = {short_title(title): title for title in reversed(held)}
    close = difflib.get_close_matches(short_title(name), by_short, n=most, cutoff=0.5)
    plain = plain_title(name)
    containing = _containing(plain, held) if plain else []
    found = dict.fromkeys([*containing[:most], *(by_short[short] for short in close)])
    return tuple(found)[:most]


def _containing(part: str, titles: Iterable[str]) -> list[str]:
    return [title for title in titles if part in plain_title(title)]


def _without_commas(title: str) -> str:
    """Two courts are named with 、 between them in one source and with a space in another."""
    return plain_title(title).replace("、", "")


def _without_issuer(title: str) -> str:
    return _ISSUER.sub("", plain_title(title))


def _only(titles: Sequence[str]) -> str | None:
    return titles[0] if len(titles) == 1 else None


def importance(work: str) -> tuple[int, str]:
    """A key that sorts laws by what matters: the best-known first, then statutes, then the rest."""
    known = _RANKS.get(work)
    if known is not None:
        return known, work
    local = not work.startswith(("中华人民共和国", "最高人民", "国务院", "全国"))
    return len(_RANKS) + local, work
