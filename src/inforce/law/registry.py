"""The best-known national laws, and finding one by any of its names.

What is recorded of a work (when it was first in force, what ended it, who amended it and when) lets
a corpus say "not yet in force" or "repealed" of a law of which it holds no text for that day. The
tables are `data/statutes.txt` and `data/interpretations.txt`.

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
from collections.abc import Iterator
from datetime import date
from functools import cache

from inforce.law.data import table
from inforce.law.known_works import STATE, Amendment, Branch, KnownWork, read_table

__all__ = [
    "KNOWN_WORKS",
    "Amendment",
    "Branch",
    "KnownWork",
    "branch_of",
    "find_work",
    "instrument_of",
    "name_key",
    "official_title",
    "title_key",
]

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
    """What remains of a name when width, case, brackets and 中华人民共和国 are set aside."""
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
    """A title as other laws call it: `name_key` without the courts that issued it."""
    return _COURT_KEY.sub("", name_key(title))


@cache
def _by_name() -> dict[str, KnownWork]:
    found: dict[str, KnownWork] = {}
    for work in KNOWN_WORKS:
        for name in _names(work):
            found.setdefault(name_key(name), work)
    return found


def _names(work: KnownWork) -> Iterator[str]:
    yield work.title
    yield _COURTS.sub("", work.title)
    yield from work.short_names
    yield from work.english
    yield from work.document_numbers
