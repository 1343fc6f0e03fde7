"""How dates are written in Chinese: 2013年7月, 二〇一五年, 2010年上半年, 同年3月, 26日至28日.

Ages, durations and terms of imprisonment (3年, 六个月, 10年以上) are not dates: a year has four
digits. Nor are the years in a title (《2000年国际贸易术语解释通则》), of a document number
(法释〔2013〕8号, 2015年第60号), of an edition (2010年版), or days of every year (每年2月1日).
Months of the lunar calendar (农历十月) are stepped over: only the year beside them counts.
"""

from __future__ import annotations

import re
from typing import Final

from inforce.dates.written import Anchor, Form, Part, WrittenDate

_S: Final = r"\s{0,3}"
_YEAR: Final = "(?:[0-2][0-9]{3}|[一二][〇一二三四五六七八九0Oo]{3})"
_SMALL: Final = "(?:[0-9]{1,2}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_MONTH: Final = "(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_AND: Final = rf"{_S}(?:[、或和及与至到~]|-{{1,2}}){_S}"
_NO_DOCUMENT: Final = rf"(?!{_S}第?{_S}[0-9一二三四五六七八九十百]{{1,5}}{_S}号|版)"
_BEGINNING: Final = "初(?![中级审次步犯])"  # 初中 is a school, 初次 a first time

_YEAR_PARTS: Final = {
    "上半年": Part(1, 6),
    "下半年": Part(7, 12),
    "初": Part(1, 3),
    "底": Part(10, 12),
    "末": Part(10, 12),
    "一季度": Part(1, 3),
    "二季度": Part(4, 6),
    "三季度": Part(7, 9),
    "四季度": Part(10, 12),
    "代": Part(1, 120),
}
"""年初 and 年底 are read as the first and the last quarter: people are vaguer than a month."""

_MONTH_PARTS: Final = {
    "上旬": Part(1, 10),
    "中旬": Part(11, 20),
    "下旬": Part(21, 31),
    "上中旬": Part(1, 20),
    "中下旬": Part(11, 31),
    "初": Part(1, 10),
    "底": Part(21, 31),
    "末": Part(21, 31),
}

_WORDS: Final = {
    "同年": Anchor("previous", "year"),
    "当年": Anchor("previous", "year"),
    "该年": Anchor("previous", "year"),
    "次年": Anchor("previous", "year", 1),
    "翌年": Anchor("previous", "year", 1),
    "前年": Anchor("today", "year", -2),
    "去年": Anchor("today", "year", -1),
    "今年": Anchor("today", "year"),
    "同月": Anchor("previous", "month"),
    "当月": Anchor("previous", "month"),
    "次月": Anchor("previous", "month", 1),
    "翌月": Anchor("previous", "month", 1),
    "上个月": Anchor("today", "month", -1),
    "这个月": Anchor("today", "month"),
    "同日": Anchor("previous", "day"),
    "当日": Anchor("previous", "day"),
    "当天": Anchor("previous", "day"),
    "次日": Anchor("previous", "day", 1),
    "翌日": Anchor("previous", "day", 1),
    "前天": Anchor("today", "day", -2),
    "昨天": Anchor("today", "day", -1),
    "昨日": Anchor("today", "day", -1),
    "今天": Anchor("today", "day"),
    "今日": Anchor("today", "day"),
}


def _month_pattern(prefix: str, number: str) -> str:
    """A month and what follows it: 7月, 7、8月份, 7月25日, 7月中旬; 5、7月25日 is a list item."""
    return rf"""
    (?P<{prefix}_month>{number}){_S}
    (?: 月(?P<{prefix}_share>份)? | (?={_AND}{_MONTH}{_S}月(?!{_S}[0-9])) )
    {_day_pattern(prefix)}"""


def _day_pattern(prefix: str) -> str:
    """What may follow a month: 25日, 3、4日, 中旬."""
    return rf"""
    (?: {_S} (?P<{prefix}_day>{_SMALL}){_S} (?: 日 | 号(?![楼房线机]) | (?={_AND}{_SMALL}{_S}日) )
      | {_S} (?P<{prefix}_month_part> 上中旬|中下旬|上旬|中旬|下旬|{_BEGINNING}|底|末 )
    )?"""


_TITLE = r"《[^《》]{0,100}》"

_SOME_DAY = rf"(?:{_SMALL}(?![0-9]){_S}月?份?)?{_S}(?:{_SMALL}{_S}日)?"

_EVERY_YEAR = rf"每[年月]{_S}的?{_S}{_SOME_DAY} (?: {_S}[至到~-]{_S}(?:次[年月])?{_S}{_SOME_DAY} )?"

_LUNAR = rf"""
    (?:农历|阴历|旧历){_S} (?: (?P<lunar_year>{_YEAR}){_S}年 )?
    {_S}(?: {_SMALL}(?![0-9]){_S}月份? )?
"""

# The characters around a word keep it from being read out of another: 合同年限, 以前年度, 首次年检.
_YEAR_WORD = rf"""
    (?: (?<![合不相])同年(?![级龄代]) | (?<!相)当年(?!龄) | (?<!应)该年 | 翌年
      | (?<![一两二三多每首本此上])次年(?![会终检审度])
      | (?<!过)去年 | (?<![以大])前年(?!度)
      | (?<!至)今年(?! 满 | {_S}[0-9一二三四五六七八九十几]{{1,4}}{_S}[多周]?岁 ) )
    (?! 同月 | 是?{_S}[（(]?{_YEAR}{_S}年 )
"""

_YEAR_DATE = rf"""
    (?: (?<![0-9〇一二三四五六七八九]) (?P<cn_year>{_YEAR}){_S}
        (?: 年{_NO_DOCUMENT} | (?={_AND}{_YEAR}{_S}年) )
      | (?P<cn_word>{_YEAR_WORD}) )
    (?: {_S}的?{_S}{_month_pattern("cn", _SMALL)}
      | {_S}(?:度|年)?(?P<cn_part> 代|上半年|下半年|第?[一二三四1234]季度|{_BEGINNING}|底(?!薪)|末 )
    )?
"""

_MONTH_WORD_DATE = rf"""
    (?P<month_word> (?<![合不相])同月|(?<!相)当月|次月|翌月|上个月|这个月 )
    {_day_pattern("word")}
"""

_DAY_WORD_DATE = r"""
    (?<![合不相])同日 | (?<!相)当[日天] | (?<!首)次日 | 翌日
  | 今[天日](?!是\s?[0-9一二]) | 昨[天日] | (?<!以)前天
"""

# 有期徒刑一年六月, 拘役三月: a term, not June or March.
_MONTH_DATE = rf"""
    (?<![0-9一二三四五六七八九十年个〇又第每满达期刑役制.])(?<!年\s)
    {_month_pattern("bare", _MONTH)}
"""

_DAY_DATE = rf"""
    (?<![0-9一二三四五六七八九十月]) (?P<lone_day>{_SMALL}){_S}
    (?: [日号](?!内|以[内上下]) | (?={_AND}{_SMALL}{_S}日) )
"""


def _read_year_date(match: re.Match[str]) -> WrittenDate:
    start, end = match.span()
    return WrittenDate(
        start=start,
        end=end,
        year=_year(match["cn_year"]),
        month=_small(match["cn_month"]),
        day=_small(match["cn_day"]),
        part=_year_part(match["cn_part"]) or _month_part(match["cn_month_part"]),
        anchor=_WORDS.get(match["cn_word"] or ""),
    )


def _read_month_word_date(match: re.Match[str]) -> WrittenDate:
    start, end = match.span()
    return WrittenDate(
        start=start,
        end=end,
        day=_small(match["word_day"]),
        part=_month_part(match["word_month_part"]),
        anchor=_WORDS[match["month_word"]],
    )


def _read_day_word_date(match: re.Match[str]) -> WrittenDate:
    start, end = match.span()
    return WrittenDate(start=start, end=end, anchor=_WORDS[match[0]])


def _read_month_date(match: re.Match[str]) -> WrittenDate:
    start, end = match.span()
    says_more = match["bare_share"] or match["bare_day"] or match["bare_month_part"]
    return WrittenDate(
        start=start,
        end=end,
        month=_small(match["bare_month"]),
        day=_small(match["bare_day"]),
        part=_month_part(match["bare_month_part"]),
        # 五月天 is a band and 怀孕七月 a length of time: a month in characters must say more.
        needs_neighbour=not (says_more or match["bare_month"].isdigit()),
    )


def _read_day_date(match: re.Match[str]) -> WrittenDate:
    start, end = match.span()
    return WrittenDate(start=start, end=end, day=_small(match["lone_day"]), needs_neighbour=True)


def _read_lunar_date(match: re.Match[str]) -> WrittenDate | None:
    start, end = match.span("lunar_year")
    year = _year(match["lunar_year"])
    return WrittenDate(start=start, end=end, year=year) if year else None


def _read_nothing(match: re.Match[str]) -> None:
    """What was matched is there to be stepped over."""


_DIGITS = {c: d for d, c in enumerate("〇一二三四五六七八九")} | {"O": 0, "o": 0}


def _year(text: str | None) -> int | None:
    if text is None:
        return None
    return int("".join(str(_DIGITS.get(c, c)) for c in text))


def _small(text: str | None) -> int | None:
    """A number below 100: 7, 07, 七, 十, 二十五."""
    if text is None:
        return None
    if text.isdigit() and text.isascii():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (10 * _DIGITS.get(tens, 1) if ten else 0) + _DIGITS.get(ones, 0)


def _year_part(text: str | None) -> Part | None:
    if text is None:
        return None
    name = text.removeprefix("第")
    return _YEAR_PARTS[name.translate(str.maketrans("1234", "一二三四"))]


def _month_part(text: str | None) -> Part | None:
    return _MONTH_PARTS[text] if text else None


FORMS: Final = (
    Form("title", _TITLE, _read_nothing),
    Form("every_year", _EVERY_YEAR, _read_nothing),
    Form("lunar_date", _LUNAR, _read_lunar_date),
    Form("year_date", _YEAR_DATE, _read_year_date),
    Form("month_word_date", _MONTH_WORD_DATE, _read_month_word_date),
    Form("day_word_date", _DAY_WORD_DATE, _read_day_word_date),
    Form("month_date", _MONTH_DATE, _read_month_date),
    Form("day_date", _DAY_DATE, _read_day_date),
)
