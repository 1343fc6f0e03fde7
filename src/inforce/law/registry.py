"""The best-known national laws, what is recorded of each, and finding one by any of its names.

The record (when a law was first in force, what ended it, who amended it and when) lets a corpus
answer "not yet in force" or "repealed" for a law of which it holds no text for that day. The tables
`data/statutes.txt` and `data/interpretations.txt` are plain text, so that a lawyer can check them
line by line::

    [civil]                                             the branch of law of what follows
    中华人民共和国收养法 | Adoption Law | 1992-04-01    title, English name, first day ever in force
      = 收养条例; Law on Adoption                       other names; document numbers
      1999-04-01 (1998-11-04) 修正                      an amendment: in force, (promulgated), how
      2009-08-27 关于修改部分法律的决定 {92}               … that changed the words of art. 92 only
      2021-01-01 → 中华人民共和国民法典                 first day no longer in force, successors

One date in an amendment means promulgated and in force the same day. 修正 is a decision amending
the law; 修订 and 制定 are the law itself published anew; 建筑法等八部 is a decision that amends
several laws; anything else is the instrument's own name.

>>> find_work("《刑法》").title
'中华人民共和国刑法'
>>> find_work("PRC Civil Code").commenced
datetime.date(2021, 1, 1)
>>> instrument_of("刑法", start=date(2011, 5, 1))
'刑法修正案（八）'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from datetime import date
from functools import cache
from typing import Literal, cast

from inforce.law.data import table
from inforce.law.numerals import ProvisionNumber

Branch = Literal[
    "criminal",
    "criminal procedure",
    "civil",
    "civil procedure",
    "administrative",
    "administrative procedure",
    "labour",
    "commercial",
    "constitutional",
    "other",
]
"""The branches that applicability rules tell apart."""

STATE = "中华人民共和国"


@dataclass(frozen=True, slots=True)
class Amendment:
    """One change of a law: its first day in force, the instrument, the day it was promulgated."""

    commenced: date
    instrument: str
    promulgated: date
    only: frozenset[ProvisionNumber] | None = None
    """The provisions it changed, where it is certain that it touched no other; else ``None``."""


@dataclass(frozen=True, slots=True)
class KnownWork:
    """What is recorded of a law, without any corpus."""

    title: str
    """The official title; titles identify works."""
    short_names: tuple[str, ...]
    """Other names in Chinese, the usual short title first."""
    english: tuple[str, ...]
    """Its English names without "of the PRC", the usual one first."""
    branch: Branch
    commenced: date | None
    """The first day a law of this title (its trial form 试行 included) was ever in force."""
    _: KW_ONLY
    ended: date | None = None
    """The first day no longer in force; ``None`` if it still is (or this is not recorded)."""
    succeeded_by: tuple[str, ...] = ()
    """Titles of the laws that took its place."""
    amendments: tuple[Amendment, ...] = ()
    """Its later versions, oldest first; before them the original enactment, where it is certain
    that the first of them followed it."""
    document_numbers: tuple[str, ...] = ()
    """Document numbers it was issued under, e.g. ``法释〔2013〕8号``."""


def read_table(text: str) -> tuple[KnownWork, ...]:
    """The works of a table, in its order."""
    works: list[KnownWork] = []
    branch: Branch = "other"
    lines = "\n".join(filter(str.strip, text.splitlines()))
    for head, *details in map(str.splitlines, re.split(r"\n(?! )", lines)):
        if head.startswith("["):
            branch = cast(Branch, head.strip("[]"))
        else:
            works.append(_read_work(head, map(str.strip, details), branch))
    return tuple(works)


def _read_work(head: str, details: Iterable[str], branch: Branch) -> KnownWork:
    title, first_english, commenced = (part.strip() for part in head.split("|"))
    names: list[str] = []
    amendments: list[Amendment] = []
    ended: date | None = None
    successors: tuple[str, ...] = ()
    for line in details:
        if line.startswith("= "):
            names.extend(line[2:].split("; "))
        elif " →" in line:
            day, _, titles = line.partition(" →")
            ended = date.fromisoformat(day)
            successors = tuple(filter(None, titles.strip().split("; ")))
        else:
            amendments.append(_read_amendment(title, line))
    numbers = tuple(name for name in names if "〔" in name)
    english = tuple(name for name in (first_english, *names) if name and name.isascii())
    chinese = tuple(name for name in names if name not in (*numbers, *english))
    return KnownWork(
        title,
        (title.removeprefix(STATE), *chinese),
        english,
        branch,
        date.fromisoformat(commenced) if commenced else None,
        ended=ended,
        succeeded_by=successors,
        amendments=tuple(amendments),
        document_numbers=numbers,
    )


_AMENDMENT = re.compile(r"(\S+) (?:\((\S+)\) )?(.+?)(?: \{([^{}]+)\})?")
_TOGETHER = re.compile(r"(.+)等(.+部)")


def _read_amendment(title: str, line: str) -> Amendment:
    match = _AMENDMENT.fullmatch(line)
    if match is None:
        raise ValueError(f"{title}: not an amendment: {line!r}")
    commenced, promulgated, how = match[1], match[2] or match[1], match[3]
    instrument = _instrument(title, promulgated[:4], how)
    only = None if match[4] is None else frozenset(map(ProvisionNumber.parse, match[4].split(", ")))
    return Amendment(
        date.fromisoformat(commenced), instrument, date.fromisoformat(promulgated), only
    )


def _instrument(title: str, year: str, how: str) -> str:
    match how:
        case "修正":
            return f"关于修改《{title}》的决定"
        case "修订":
            return f"{title}（{year}年修订）"
        case "制定":
            return f"{title}（{year}年）"
        case _:
            return _TOGETHER.sub(rf"关于修改《{STATE}\1》等\2法律的决定", how)


KNOWN_WORKS: tuple[KnownWork, ...] = read_table(table("statutes")) + read_table(
    table("interpretations")
)
"""Every work this library knows by itself, statutes first."""

_DROPPED = re.compile(r"[\s《》〈〉<>()“”\"、]+")
_BRACKETS = str.maketrans("[]【】［］", "〔〕〔〕〔〕")
_ENGLISH_BEFORE = re.compile(r"^(?:the\s+)?(?:(?:prc|p\.r\.c\.|chinese|china['’]s)\s+)?")
_ENGLISH_AFTER = re.compile(
    r"\s+of\s+(?:the\s+)?(?:prc|p\.r\.c\.|china|people['’]s republic of china)$"
)

_BRANCH_WORDS: tuple[tuple[str, Branch], ...] = (
    ("刑事诉讼|刑事案件.{0,6}程序|监狱|减刑|假释", "criminal procedure"),
    ("行政诉讼|行政复议|国家赔偿|行政赔偿", "administrative procedure"),
    ("民事诉讼|仲裁|民事执行|诉讼证据|诉讼程序", "civil procedure"),
    ("刑法|刑事|犯罪|罪名", "criminal"),
    ("劳动|工伤|社会保险|职工|失业保险|工资", "labour"),
    ("(?<!人)民法|合同|婚姻|继承|收养|物权|侵权|人身损害|民事|借贷|著作权|专利|商标", "civil"),
    ("公司|证券|票据|保险|破产|企业|银行|基金|信托|期货|海商|竞争|垄断", "commercial"),
    ("宪法|选举|代表大会(?!常务委员会关于)|立法法|基本法", "constitutional"),
)
"""The first row with a word in the title decides; procedure before substance."""
_COURTS = re.compile(r"^最高人民法院(?:、最高人民检察院)?")
_COURT_KEY = re.compile(r"^(?:最高人民法院|最高人民检察院)+(?=关于)")
_ADMINISTRATIVE = re.compile(r"行政|管理|处罚|许可|税|(?:条例|办法|细则|规章|规定)$")


def find_work(name: str) -> KnownWork | None:
    """The law a reader means by a title, short name, English name or document number.

    《》, 中华人民共和国, "PRC" and differences of width and case do not matter. ``None`` means this
    library does not know the name, not that no such law exists.
    """
    return _by_name().get(name_key(name))


def instrument_of(title: str, *, start: date, promulgated: date | None = None) -> str | None:
    """The law or decision by which the version in force from ``start`` was made.

    ``None`` where it is not recorded, or where the promulgation date given contradicts the record.
    """
    work = find_work(title)
    if work is None:
        return None
    for amendment in work.amendments:
        if amendment.commenced == start and promulgated in (None, amendment.promulgated):
            return amendment.instrument
    return work.title if work.commenced == start else None


def branch_of(title: str) -> Branch:
    """The branch of law a work belongs to: recorded for known works, judged by title for others.

    The judgement goes by the words of the title (诉讼法 before 法, 劳动 before 合同); regulations
    that name no other branch are administrative, and what remains is ``other``.
    """
    work = find_work(title)
    if work is not None:
        return work.branch
    for words, branch in _BRANCH_WORDS:
        if re.search(words, title):
            return branch
    if not _COURTS.match(title) and _ADMINISTRATIVE.search(title):
        return "administrative"
    return "other"


def name_key(name: str) -> str:
    """A name without 中华人民共和国, brackets, and differences of width and case: for comparing."""
    key = unicodedata.normalize("NFKC", name.translate(_BRACKETS)).casefold().strip()
    if key.isascii():
        key = _ENGLISH_AFTER.sub("", _ENGLISH_BEFORE.sub("", " ".join(key.split())))
        return re.sub(r'[()"]', "", key)
    return _DROPPED.sub("", key).replace(STATE, "")


def official_title(text: str) -> str:
    """A title as official prints set it: without spaces, two courts joined by 、.

    >>> official_title("最高人民法院  最高人民检察院关于 抗诉案件的规定")
    '最高人民法院、最高人民检察院关于抗诉案件的规定'
    """
    closed = "".join(text.split()) if not text.isascii() else text.strip()
    return closed.replace("最高人民法院最高人民检察院", "最高人民法院、最高人民检察院")


def title_key(title: str) -> str:
    """A title as other laws cite it: `name_key` without the courts that issued it."""
    return _COURT_KEY.sub("", name_key(title))


@cache
def _by_name() -> dict[str, KnownWork]:
    found: dict[str, KnownWork] = {}
    for work in KNOWN_WORKS:
        without_court = _COURTS.sub("", work.title)
        names = (work.title, without_court, *work.short_names, *work.english)
        for name in (*names, *work.document_numbers):
            found.setdefault(name_key(name), work)
    return found
