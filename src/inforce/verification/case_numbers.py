"""Case numbers: their form, their court, their year, and the case where a source has it.

The form since 2016 is that of 法〔2015〕137号: （year）court code, kind of case, number, 号.
Earlier numbers have a word for the court and are checked for their year alone; none of them has a
code with digits.

Codes of courts are 最高法, 京 (a high court), 京01 (intermediate), 京0105 (basic). The first two
digits are those of the division (GB/T 2260); from 71 on they are those of special courts (railways,
maritime, intellectual property, finance) and of counties directly under a province, and new ones
are added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from inforce.documents.document import Document
from inforce.verification.document_dates import DocumentDates
from inforce.verification.findings import Finding, Reason

SINCE = 2016
"""The year from which cases are numbered so."""

SUPREME = "最高法"
PROVINCES = "京津冀晋内辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川黔云藏陕甘青宁新兵军"

_CODE = re.compile(rf"([{PROVINCES}])(?:(\d\d)(\d\d)?)?")
_FIRST_SPECIAL = 71

_INTERMEDIATE: Mapping[str, str] = {
    "京": "1-4", "津": "1-3", "冀": "1-11", "晋": "1-11", "内": "1-9 22 25 29", "辽": "1-14",
    "吉": "1-8 24", "黑": "1-12 27", "沪": "1-3", "苏": "1-13", "浙": "1-11", "皖": "1-8 10-18",
    "闽": "1-9", "赣": "1-11", "鲁": "1-17", "豫": "1-17", "鄂": "1-3 5-13 28", "湘": "1-13 31",
    "粤": "1-9 12-20 51-53", "桂": "1-14", "琼": "1-4", "渝": "1-5", "川": "1 3-11 13-20 32-34",
    "黔": "1-6 22-27", "云": "1 3-9 23-34", "藏": "1-6 21-26", "陕": "1-10", "甘": "1-12 29 30",
    "青": "1 2 21-28", "宁": "1-5", "新": "1-5 21-32 40-43", "兵": "1-14", "军": "1-13",
}  # fmt: skip
"""The first two digits of ordinary courts; where divisions were renumbered (藏, 新, 黔, 青), the
old and the new ones."""

_MADE_ANONYMOUS = re.compile(r"[某X×]")
"""A court whose name was removed from a published document: （2019）某01民终12号."""
_GUIDING = re.compile(r"(?:指导性?案例|检例)\s?第?\s?\d{1,4}\s?号|第\s?\d{1,4}\s?号指导性?案例")
_NUMBER = re.compile(
    r"[（(〔\[](?P<year>(?:19|20)\d\d)[）)〕\]]\s?"
    rf"(?P<court>最高法\d{{0,4}}|[{PROVINCES}](?:\d{{4}}|\d{{2}})?|[一-鿿]{{1,2}}\d{{0,4}}|[一-鿿]{{1,8}}?(?:法|中|高))"
    r"(?P<kind>(?!鉴|司鉴|法鉴)[一-鿿]{1,6}?(?:字第?)?)\s?第?(?P<number>\d{1,7})(?:之[一二三四五六七八九十]+)?号"
)
_KINDS = re.compile(
    r"(?:刑|民|行|知|执|破|赔|司|财|认|清|协|辖|请|委|保|非|商|海|外|减|少|破)"
    r"(?:(?!证)[一-鿿]){0,5}?(?:字第?)?"
)
_APPEAL = "终"
_NUMBERED = re.compile(rf"[{PROVINCES}](?:\d{{4}}|\d{{2}})")
_CERTAIN_KIND = (
    r"知?(?:刑|民|行)[一二三四]?(?:赔|辖|特|附民)?(?:初|终|再|申|监|提|抗|核|更|撤|督|催)(?:字第?)?"
    r"|执(?:异|复|监|恢|保)?(?:字第?)?|破(?:申|终)?"
)
_CERTAIN_NUMBER = re.compile(rf"[^刑民行执破知]{{1,8}}(?:{_CERTAIN_KIND})")
"""Numbers only courts have. Notaries, appraisers and authorities write years and numbers, too."""
_BEFORE_2016 = re.compile(
    r"[一-鿿]{0,6}?(?:刑|民|行|商|知|海|赔|破)[一二三四五六]?(?:附民|重|保|特)?"
    r"(?:初|终|再|申|监|提|抗|赔|破|减|假|撤|重)[一-鿿]?字?第?"
    r"|[一-鿿]{0,6}?(?:执|减|假)[一-鿿]?字?第?"
)
"""With a word for the court: 石民一终字, 刑初字."""

CaseTitle = Callable[[str], str | None]
"""Looks up the title of the case that has a number; ``None``: it is in no source."""


def case_number_findings(
    document: Document, dates: DocumentDates, title_of: CaseTitle | None = None
) -> Iterator[Finding]:
    """Each case number once: impossible ones as wrong, those of known cases as right.

    Without a source of cases, which ``title_of`` looks in, none is known.
    """
    seen: set[str] = set()
    text = document.text
    for match in (*_NUMBER.finditer(text), *_GUIDING.finditer(text)):
        is_guiding = match.re is _GUIDING
        reason = "no_source_of_cases" if is_guiding else _reason(match, dates.latest_year)
        if match[0] in seen or reason is None:
            continue
        seen.add(match[0])
        found = Finding(
            "not_checked", "case_number", match.start(), match.end(), match[0], reason=reason
        )
        if reason != "no_source_of_cases":
            yield replace(found, kind="wrong_case_number")
        elif title_of is None:
            yield found
        elif (title := title_of(match[0])) is not None:
            yield replace(found, kind="right", reason="", names=(title,))
        else:
            yield replace(found, reason="case_not_held")


def _reason(match: re.Match[str], latest: int) -> Reason | None:
    """Why a number is impossible or not checked; ``None`` if it is not a court's."""
    year, court, kind = int(match["year"]), match["court"], match["kind"]
    if _MADE_ANONYMOUS.match(court):
        return "no_source_of_cases" if _KINDS.fullmatch(kind) else None
    known_kind, numbered = _KINDS.fullmatch(kind), _NUMBERED.fullmatch(court)
    if year >= SINCE or (numbered and known_kind):
        sure = numbered or court.startswith(SUPREME) or _CERTAIN_NUMBER.fullmatch(court + kind)
        if not (sure or (is_court_code(court) and known_kind)):
            return None
        wrong = _wrong_form(year, court, kind if known_kind else "")
    elif _BEFORE_2016.fullmatch(court + kind):
        wrong = ""
    else:
        return None
    return "year_after_document" if year > latest else wrong or "no_source_of_cases"


def _wrong_form(year: int, court: str, kind: str) -> Reason:
    """What is impossible in a number of the form since 2016; ``kind`` is empty where unknown."""
    if not is_court_code(court):
        return "unknown_court"
    if not kind:
        return "unknown_case_type"
    if year < SINCE:
        return "code_before_2016"
    return "no_appeals_there" if is_basic(court) and _APPEAL in kind else ""


def is_court_code(code: str) -> bool:
    """Whether a court may have this code; of special and basic courts only the form is known.

    >>> [is_court_code(one) for one in ("最高法", "京", "津03", "沪74", "粤0391")]
    [True, True, True, True, True]
    >>> [is_court_code(one) for one in ("最高法01", "京09", "京0100", "某99", "京010")]
    [False, False, False, False, False]
    """
    if code == SUPREME:
        return True
    found = _CODE.fullmatch(code)
    if not found:
        return False
    province, first, last = found.groups()
    if first is None:
        return True
    known = int(first) >= _FIRST_SPECIAL or int(first) in _numbers(_INTERMEDIATE[province])
    return known and last != "00"


def is_basic(code: str) -> bool:
    """Whether a code is that of a court of first instance, which decides no appeals."""
    return bool((found := _CODE.fullmatch(code)) and found[3])


def _numbers(ranges: str) -> frozenset[int]:
    ends = (one.partition("-")[::2] for one in ranges.split())
    return frozenset(
        number for first, last in ends for number in range(int(first), int(last or first) + 1)
    )
