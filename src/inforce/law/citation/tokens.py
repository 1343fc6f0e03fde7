"""Tokens of citations: titles, document numbers, 第…条, 款, 项, 本法, 前款.

One pass over the text yields `Token` values; `inforce.law.citation` puts them together. The pass is
linear: every repetition is bounded, and titles are matched through one prefix tree.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby
from os.path import commonprefix
from typing import Literal, cast

from inforce.law.registry import KNOWN_WORKS, STATE, find_work, name_key

TokenKind = Literal[
    "alias",
    "quoted",
    "document",
    "this_law",
    "that_law",
    "this_article",
    "that_article",
    "this_paragraph",
    "that_paragraph",
    "previous",
    "name",
    "english_name",
    "article",
    "paragraph",
    "item",
    "english_article",
    "english_paragraph",
    "english_item",
]


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a citation, and its offsets."""

    kind: TokenKind
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Scanner:
    """Finds tokens, and the work a title means, for one set of known titles."""

    pattern: re.Pattern[str]
    titles: dict[str, str]
    """Titles beyond the registry, by `name_key`."""

    def tokens(self, text: str) -> list[Token]:
        """Every token of a text, in order, without overlap."""
        return [
            Token(cast(TokenKind, match.lastgroup), match.start(), match.end(), match[0])
            for match in self.pattern.finditer(text)
        ]

    def work(self, name: str) -> str | None:
        """The official title of a name; ``None`` if neither titles nor registry have it."""
        if title := self.titles.get(name_key(name)):
            return title
        known = find_work(name)
        return known.title if known else None


def scanner(titles: Collection[str] = ()) -> Scanner:
    """The scanner that knows the registry and these titles; compiled once for each set."""
    return _compiled(frozenset(titles))


_MAX_LIST = 30
"""More articles than this in one list are not a citation anybody wrote."""

NUMERAL = r"[0-9０-９〇零一二两三四五六七八九十百千]{1,12}+"
_BETWEEN = r"\s?(?:以及|[、，,和及与或至到\-－—–~～])\s?"
_ORDINAL = rf"[（(]?\s?{NUMERAL}(?:之{NUMERAL})?\s?[）)]?"
_ORDINALS = rf"{_ORDINAL}(?:(?:{_BETWEEN}第?|(?=[（(])){_ORDINAL}){{0,{_MAX_LIST}}}+"
_ORDINAL_SIGN = r"(?:第\s?|(?<=[条款项][、，,和及与至到])|(?<=[法典》])(?=\d))"
"""第 is dropped within a list (第六十一条、六十二条) and by people who type (刑法133条)."""
_NOT_A_BRANCH = r"(?![般切些个种方起])"
_NOT_A_LAW = r"(?:(?<!法)|(?![律人院庭官学定]|规(?!定)|制[度建]))"
"""刑法 is a law, but 公司法人, 劳动法律 and 公司法定代表人 do not name one."""
_DERIVED = r"(?!实施(?:条例|细则|办法|规定)|(?:的?司法)?解释|修正案|草案)"
_FOREIGN = "".join(f"(?<!{place})" for place in ("德国", "日本", "美国", "法国", "英国", "台湾"))

_YEAR_IN_BRACKETS = r"[〔\[【（(［]\s?(?:19|20)\d\d\s?[〕\]】）)］]"
_ISSUERS = (
    "法释|法发|法办发?|法研|法复|法函|法明传|高检发释字|高检发[研办诉侦]?字?|高检研发|高检会"
    "|公通字|司发通?|国发|国办发|国函|人社部[发函]|劳社部[发函]|劳部发|财税|税总发|银发|证监发"
)
_ENGLISH_NUM = r"(?!(?:19|20)\d\d\b)\d{1,4}(?:-\d{1,4})?(?:\s?\(\d{1,2}\))?"
_ENGLISH_BETWEEN = (
    r"\s{0,2}(?:,\s?(?:and\s|or\s)?|and\s|or\s|&|to\s|through\s|[–—])\s{0,2}"
    r"(?:art(?:icles?|s?\.?)\s)?"
)

_PATTERNS: dict[TokenKind, str] = {
    "alias": r"[（(]以下(?:统一)?简?称为?[“\"「《]?[^“”\"「」《》（）()\n]{1,24}[”\"」》]?[）)]",
    "quoted": r"《[^《》\n]{0,80}(?:《[^《》\n]{1,80}》[^《》\n]{0,80}){0,2}》",
    "document": rf"(?:{_ISSUERS})\s?{_YEAR_IN_BRACKETS}\s?第?\d{{1,5}}号",
    "this_law": r"(?<![日基根])本(?:条例|规定|办法|解释|决定|细则|规则|法(?![律人院庭官学定]))",
    "that_law": (
        r"(?:(?<!合)同|该)(?:条例|司法解释|解释|法(?![律人院庭官学定]|规(?!定))"
        rf"|(?:规定|办法|决定|细则|规则)(?=第{NUMERAL}条))"
    ),
    "this_article": r"(?<![基根])本条(?![例件款约])",
    "that_article": r"(?:(?<!合)同|该)条(?![例件款约])",
    "this_paragraph": r"(?<![基根成资])本款(?![项])",
    "that_paragraph": r"(?:(?<!合)同|该)款(?=中?第|[（(]"
    rf"{NUMERAL}[）)]项)",
    "previous": r"(?<![目以之当提])前[二两三四]?[条款](?![例件约项])",
}
_UNITS: dict[TokenKind, str] = {
    "article": rf"{_ORDINAL_SIGN}{_ORDINALS}\s?条(?:\s?之\s?{NUMERAL}{_NOT_A_BRANCH})?",
    "paragraph": rf"(?:第\s?|(?<=条)){_ORDINALS}\s?款",
    "item": rf"(?:第\s?{_ORDINALS}|[（(]{NUMERAL}[）)])\s?项",
    "english_article": (
        r"(?i:\bart(?:icles?|s?\b\.?)\s{0,2}|§{1,2}\s?)"
        rf"{_ENGLISH_NUM}(?:(?i:{_ENGLISH_BETWEEN}){_ENGLISH_NUM}){{0,{_MAX_LIST}}}"
    ),
    "english_paragraph": r"(?i:\bpara(?:graph|\.)?\s?)\(?\d{1,2}\)?",
    "english_item": r"(?i:\b(?:item|sub-?paragraph)\s?)\(?\d{1,2}\)?",
}


_NARROW = str.maketrans("（）", "()")
_WITHOUT = str.maketrans("", "", "（）()")
_DOCUMENT_BRACKETS = str.maketrans("[【（(［]】）)］", "〔〔〔〔〔〕〕〕〕〕")


def document_number(text: str) -> str:
    """A document number in its official spelling: ``法释(2013)第8号`` is ``法释〔2013〕8号``."""
    return "".join(text.translate(_DOCUMENT_BRACKETS).replace("〕第", "〕").split())


_BEGINNINGS = r"（(《本同该前第§\s0-9０-９〇零一二两三四五六七八九十百千法高公司国人劳财税银证"
"""How a word of a citation begins, Chinese titles and Latin letters aside. Within a list it is a
numeral, or a space before it."""
_LATIN = "A-Za-z\u017f\u212a"
"""Letters, with the two others that count as s and k where case does not matter."""


@lru_cache(maxsize=8)
def _compiled(titles: frozenset[str]) -> Scanner:
    """Compile the pattern; it is tried only at characters that can begin a word of a citation."""
    ordered = sorted(titles)
    chinese = chinese_names(ordered)
    beginnings = re.escape("".join(sorted({name[0] for name in chinese})))
    pattern = re.compile(f"(?=[{_BEGINNINGS}{_LATIN}{beginnings}])(?:{word_pattern(chinese)})")
    return Scanner(pattern, {name_key(title): title for title in ordered})


def chinese_names(titles: Iterable[str]) -> tuple[str, ...]:
    """The Chinese names of the registry and these titles, in all spellings of running text."""
    known = chain.from_iterable((work.title, *work.short_names) for work in KNOWN_WORKS)
    names = _spellings(chain(known, (title for title in titles if len(title) >= 4)))
    return tuple({name for name in names if len(name) >= 2})


def word_pattern(chinese: Collection[str]) -> str:
    """A pattern for a word of a citation, as a group named after its kind.

    Args:
        chinese: the Chinese names of laws.
    """
    english = chain.from_iterable(work.english for work in KNOWN_WORKS)
    patterns: dict[TokenKind, str] = {
        **_PATTERNS,
        "name": f"{_FOREIGN}{_any_of(chinese)}{_NOT_A_LAW}{_DERIVED}",
        "english_name": (
            rf"(?i:\b(?:(?:PRC|Chinese|China's)\s)?{_any_of(_spellings(english))}(?!\w)"
            r"(?:\sof\s(?:the\s)?(?:PRC|China|People['’]s\sRepublic\sof\sChina)\b)?)"
        ),
        **_UNITS,
    }
    return "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in patterns.items())


def _spellings(names: Iterable[str]) -> Iterator[str]:
    """The ways a title is written in running text: without the state, brackets of either width."""
    for name in names:
        for spelling in (name, name.removeprefix(STATE)):
            yield spelling
            if re.search("[（(]", spelling):
                yield spelling.translate(_NARROW)
                yield spelling.translate(_WITHOUT)


def _any_of(names: Iterable[str]) -> str:
    """A pattern for any of the names, longest first, that tries each first letter once."""
    return _branches(sorted({name for name in names if len(name) >= 2}))


def _branches(names: Sequence[str]) -> str:
    """The prefix tree of sorted names as a pattern; an empty name makes the rest optional."""
    branches: list[str] = []
    for _, group in groupby(filter(None, names), key=lambda name: name[0]):
        sharing = list(group)
        shared = commonprefix(sharing)
        tails = [name[len(shared) :] for name in sharing]
        branches.append(re.escape(shared) + (_branches(tails) if any(tails) else ""))
    pattern = f"(?:{'|'.join(branches)})"
    return pattern if all(names) else f"{pattern}?"
