"""Case numbers: their form, their court, their year, and the case where a source holds it.

The form since 2016 is that of 法〔2015〕137号: （year）court code, kind of case, number, 号.
Earlier numbers have a word for the court and are checked for their year alone; none of them has a
code with digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from inforce.documents.document import Document
from inforce.verification.court_codes import PROVINCES, SINCE, SUPREME, is_basic, is_court_code
from inforce.verification.days import DocumentDays
from inforce.verification.findings import Finding, Reason

_MADE_ANONYMOUS = re.compile(r"[某X×]")
"""A court whose name was taken out of a document that was made public: （2019）某01民终12号."""
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
_OF_A_COURT = re.compile(rf"[^刑民行执破知]{{1,8}}(?:{_CERTAIN_KIND})")
"""What only courts number so. Notaries, appraisers and authorities write years and numbers, too."""
_FORMER = re.compile(
    r"[一-鿿]{0,6}?(?:刑|民|行|商|知|海|赔|破)[一二三四五六]?(?:附民|重|保|特)?"
    r"(?:初|终|再|申|监|提|抗|赔|破|减|假|撤|重)[一-鿿]?字?第?"
    r"|[一-鿿]{0,6}?(?:执|减|假)[一-鿿]?字?第?"
)
"""Before 2016, with a word for the court: 石民一终字, 刑初字."""


CaseTitle = Callable[[str], str | None]
"""The title of the case held that has a number."""


def case_number_findings(
    document: Document, days: DocumentDays, title_of: CaseTitle | None = None
) -> Iterator[Finding]:
    """Each case number once: impossible ones as wrong, those of cases held as right.

    Args:
        document: the document.
        days: its days.
        title_of: looks a number up; ``None`` where no source of cases is held.
    """
    seen: set[str] = set()
    text = document.text
    latest = days.latest_year
    for match in _NUMBER.finditer(text):
        reason = _reason(match, latest)
        if match[0] in seen or reason is None:
            continue
        seen.add(match[0])
        base = Finding("not_checked", "case_number", match.start(), match.end(), match[0])
        if reason == "no_source_of_cases":
            yield _looked_up(base, title_of)
        else:
            yield replace(base, kind="wrong_case_number", reason=reason)
    for match in _GUIDING.finditer(text):
        if match[0] not in seen:
            seen.add(match[0])
            base = Finding("not_checked", "case_number", match.start(), match.end(), match[0])
            yield _looked_up(base, title_of)


def _looked_up(base: Finding, title_of: CaseTitle | None) -> Finding:
    if title_of is None:
        return replace(base, reason="no_source_of_cases")
    title = title_of(base.text)
    if title is None:
        return replace(base, reason="case_not_held")
    return replace(base, kind="right", names=(title,))


def _reason(match: re.Match[str], latest: int) -> Reason | None:
    """Why a number is impossible or not checked; ``None`` if it is no court's."""
    year, court, kind = int(match["year"]), match["court"], match["kind"]
    if _MADE_ANONYMOUS.match(court):
        return "no_source_of_cases" if _KINDS.fullmatch(kind) else None
    known_kind, numbered = _KINDS.fullmatch(kind), _NUMBERED.fullmatch(court)
    if year >= SINCE or (numbered and known_kind):
        sure = numbered or court.startswith(SUPREME) or _OF_A_COURT.fullmatch(court + kind)
        if not (sure or (is_court_code(court) and known_kind)):
            return None
        wrong = _wrong_form(year, court, kind if known_kind else "")
    elif _FORMER.fullmatch(court + kind):
        wrong = ""
    else:
        return None
    return "year_after_document" if year > latest else wrong or "no_source_of_cases"


def _wrong_form(year: int, court: str, kind: str) -> Reason:
    """What of a number in the form since 2016 cannot be; ``kind`` is empty where it is none."""
    if not is_court_code(court):
        return "unknown_court"
    if not kind:
        return "unknown_case_type"
    if year < SINCE:
        return "code_before_2016"
    return "no_appeals_there" if is_basic(court) and _APPEAL in kind else ""
