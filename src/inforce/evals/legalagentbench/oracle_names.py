"""Names in questions and rows: the possible identifiers of look-ups.

In Chinese the beginning of a name is not marked. A question gives several readings of it, longest
first, and the tables decide which of them is a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

Kind = Literal["company", "case", "court", "lawfirm", "address", "credit", "authority", "region"]
"""A kind of identifier: a company's name, a case number, a court's name or code, a law firm's name,
an address, a credit code, an authority's name, or province, city and county."""

_COLUMNS: dict[Kind, str] = {
    "company": """公司名称 关联上市公司全称 关联公司 原告 被告
        限制高消费企业名称 终本公司名称 失信被执行公司名称 行政处罚公司名称""",
    "case": "案号",
    "court": "法院名称 执行法院 法院代字",
    "lawfirm": "律师事务所名称 原告律师事务所 被告律师事务所",
    "address": "地址 企业地址 注册地址 办公地址 法院地址 事务所地址",
    "credit": "统一社会信用代码",
    "authority": "处罚单位",
}
KIND_OF_COLUMN: dict[str, Kind] = {
    column: kind for kind, columns in _COLUMNS.items() for column in columns.split()
}

_REGIONS = (
    ("省份", "城市", "区县"),
    ("法院省份", "法院城市", "法院区县"),
    ("事务所省份", "事务所城市", "事务所区县"),
)

_ENDS: dict[Kind, re.Pattern[str]] = {
    "company": re.compile("公司|厂|中心|银行"),
    "case": re.compile("号"),
    "court": re.compile("法院"),
    "lawfirm": re.compile("事务所"),
    "address": re.compile("[号层室座处楼]"),
    "credit": re.compile(r"(?<=[0-9A-Z]{17})[0-9A-Z]"),
    "authority": re.compile("[局关会队]"),
}

_LONGEST = 40
"""Characters of a reading."""
_PART = re.compile('[，。；：？！,;?!\\s“”"]')
_CODE = re.compile(r"[（(]\d{4}[）)](最高法|[\u4e00-\u9fa5]\d{0,4})")
_SECURITY = re.compile(r"(?<!\d)\d{6}(?!\d)")
_SEVERAL = re.compile("[,，、]")

_MUNICIPALITIES = ("北京市", "上海市", "天津市", "重庆市")
_SHORT_NAMES = """
河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南
陕西 甘肃 青海
"""
_PROVINCES = (
    *(f"{name}省" for name in _SHORT_NAMES.split()),
    "内蒙古自治区",
    "广西壮族自治区",
    "西藏自治区",
    "宁夏回族自治区",
    "新疆维吾尔自治区",
)
_PLACE = re.compile(
    rf"(?P<prov>{'|'.join(_PROVINCES)})?"
    r"(?P<city>[\u4e00-\u9fa5]{2,6}?市|北京|上海|天津|重庆|[\u4e00-\u9fa5]{2})"
    r"(?P<county>[\u4e00-\u9fa5]{1,6}?[区县市旗]|[\u4e00-\u9fa5]{2})"
)

Region = tuple[str, str, str]


def readings(text: str, kind: Kind) -> Iterator[tuple[str, ...]]:
    """For each possible end of a name of a kind: the possible names, longest first."""
    for part in _PART.split(text):
        for end in _ENDS[kind].finditer(part):
            starts = range(max(0, end.end() - _LONGEST), end.end() - 1)
            yield tuple(part[start : end.end()] for start in starts)


def securities(text: str) -> tuple[str, ...]:
    """Codes of listed companies."""
    return tuple(dict.fromkeys(_SECURITY.findall(text)))


def short_names(text: str) -> Iterator[str]:
    """Possible short names of a listed company: two to six characters, longer ones first."""
    for length in range(6, 1, -1):
        for part in _PART.split(text):
            for start in range(len(part) - length + 1):
                yield part[start : start + length]


def court_code(case: str) -> str:
    """The code of the court in a case number; empty if there is none.

    >>> court_code("（2020）湘0406民初1314号")
    '湘0406'
    """
    found = _CODE.search(case)
    return found[1] if found else ""


def regions(text: str) -> tuple[tuple[Region, ...], ...]:
    """For each place in a text: the possible provinces, cities and counties; the surest first."""
    found = [
        match
        for part in _PART.split(text)
        for start in range(len(part))
        if (match := _PLACE.match(part, start))
    ]
    return tuple(tuple(_completed(match)) for match in sorted(found, key=_guesses))


def _guesses(place: re.Match[str]) -> int:
    """How many parts of a place are guessed: its province, its being a city or a county."""
    city = place["city"]
    is_settled = place["prov"] or city in _MUNICIPALITIES or f"{city}市" in _MUNICIPALITIES
    return 4 * (not is_settled) + 2 * (place["county"][-1] not in "区县市旗") + (city[-1] != "市")


def _completed(match: re.Match[str]) -> Iterator[Region]:
    """A place with the parts that a question leaves out: signs such as 市 and the province."""
    prov, city, county = match["prov"], match["city"], match["county"]
    city = city if city.endswith("市") else f"{city}市"
    counties = (county, f"{county}区", f"{county}县") if county[-1] not in "区县市旗" else (county,)
    if city in _MUNICIPALITIES:
        provinces: Sequence[str] = (city,)
    else:
        provinces = (prov,) if prov else _PROVINCES
    for name in counties:
        yield from ((province, city, name) for province in provinces)


def names_in(rows: Iterable[Mapping[str, Any]], kind: Kind) -> list[str]:
    """Names of a kind in rows, each once; a cell may hold several."""
    names: dict[str, None] = {}
    for row in rows:
        for column, cell in row.items():
            if KIND_OF_COLUMN.get(column) == kind and isinstance(cell, str):
                parts = [cell] if kind == "address" else _SEVERAL.split(cell)
                names.update(dict.fromkeys(part.strip() for part in parts))
    return [name for name in names if name not in ("", "-")]


def regions_in(rows: Iterable[Mapping[str, Any]]) -> list[Region]:
    """Provinces, cities and counties in rows, each once."""
    found = {
        (str(row[prov]), str(row[city]), str(row[county])): None
        for row in rows
        for prov, city, county in _REGIONS
        if all(row.get(name) for name in (prov, city, county))
    }
    return list(found)
