"""Case numbers: their form, their court and their year. Whether such a case exists is not checked.

The form since 2016 is that of 法〔2015〕137号: （year）court code, kind of case, number, 号.
Earlier numbers have a word for the court and are checked for their year alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from inforce.documents.document import Document
from inforce.verification.days import DocumentDays
from inforce.verification.findings import Finding

_GUIDING = re.compile(r"(?:指导性?案例|检例)第?\s?(\d{1,4})\s?号|指导案例\s?(\d{1,4})\s?号")
_PROVINCES = "京津冀晋内辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川黔云藏陕甘青宁新"
_COURT = re.compile(rf"(?:最高法|[{_PROVINCES}兵军])(?:\d{{2}}|\d{{4}})?")
_NUMBER = re.compile(
    r"[（(〔\[](?P<year>(?:19|20)\d\d)[）)〕\]]\s?"
    rf"(?P<court>最高法|[{_PROVINCES}兵军](?:\d{{4}}|\d{{2}})?|[一-鿿]{{1,2}}\d{{0,4}}|[一-鿿]{{1,8}}?(?:法|中|高))"
    r"(?P<kind>(?!鉴|司鉴)[一-鿿]{1,6}?(?:字第?)?)\s?第?(?P<number>\d{1,7})(?:之[一二三四五六七八九十]+)?号"
)
_SINCE = 2016
_KINDS = re.compile(
    r"(?:刑|民|行|知|执|破|赔|司|财|认|清|协|辖|请|委|保|非|商|海|外|减|少|破)"
    r"[一-鿿]{0,5}?(?:字)?"
)


def case_number_findings(document: Document, days: DocumentDays) -> Iterator[Finding]:
    """Each case number once: impossible ones as wrong, all others as not checked."""
    seen: set[str] = set()
    text = document.text
    latest = days.latest_year
    for match in _NUMBER.finditer(text):
        if match[0] in seen:
            continue
        seen.add(match[0])
        base = Finding("not_checked", "case_number", match.start(), match.end(), match[0])
        year = int(match["year"])
        if year > latest:
            yield replace(base, kind="wrong_case_number", reason="year_after_document")
        elif year >= _SINCE and not _COURT.fullmatch(match["court"]):
            yield replace(base, kind="wrong_case_number", reason="unknown_court")
        elif year >= _SINCE and not _KINDS.fullmatch(match["kind"]):
            yield replace(base, kind="wrong_case_number", reason="unknown_case_type")
        else:
            yield replace(base, reason="no_source_of_cases")
    for match in _GUIDING.finditer(text):
        if match[0] not in seen:
            seen.add(match[0])
            yield Finding(
                "not_checked",
                "case_number",
                match.start(),
                match.end(),
                match[0],
                reason="no_source_of_cases",
            )
