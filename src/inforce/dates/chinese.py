"""How dates are written in Chinese: 2013年7月, 二〇一五年, 08年6月, 三年前, 同年3月, 26日至28日.

Ages, durations and terms of imprisonment (3年, 六个月, 10年以上) are not dates: a year has four
digits, or two that begin with 0, name a month, or begin a clause (18年小区要修电梯). Nor are the
years in a title (《2000年国际贸易术语解释通则》), of a document number (法释〔2013〕8号,
2015年第60号), of an edition (2010年版), or days of every year (每年2月1日). Months of the lunar
calendar (农历十月) are stepped over: only the year beside them counts.
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
_BEGINNING: Final = "初(?![中级审次步犯]|[一二三](?:学生|生|的?[男女]生|年级))"
"""初中 and 初三学生 are about a school, 初次 is a first time."""
_END: Final = "(?:底(?![薪价商层楼盘线片数细])|末(?![位尾段]))"
"""底薪 and 底价 are sums of money, 末位淘汰 is a way to dismiss."""

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
    "春节": Part(1, 2),
    "过年": Part(1, 2),
    "寒假": Part(1, 2),
    "元旦": Part(1, 1),
    "春": Part(3, 5),
    "五一": Part(5, 5),
    "夏": Part(6, 8),
    "暑假": Part(7, 8),
    "秋": Part(9, 11),
    "国庆": Part(10, 10),
    "冬": Part(12, 14),
}
"""年初 and 年底 are read as the first and the last quarter: people are vaguer than a month. A
winter goes on into the next year."""

_SEASON: Final = r"""
    (?:春节|过年|寒假|元旦|五一|暑假|国庆)(?![前后])
  | [春夏秋冬](?=[天季日，。,、]|的时候|[^\u4e00-\u9fff]|$)[天季日]?
"""

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
    "大前年": Anchor("today", "year", -3),
    "前年": Anchor("today", "year", -2),
    "去年": Anchor("today", "year", -1),
    "今年": Anchor("today", "year"),
    "明年": Anchor("today", "year", 1),
    "同月": Anchor("previous", "month"),
    "当月": Anchor("previous", "month"),
    "次月": Anchor("previous", "month", 1),
    "翌月": Anchor("previous", "month", 1),
    "上个月": Anchor("today", "month", -1),
    "上月": Anchor("today", "month", -1),
    "这个月": Anchor("today", "month"),
    "本月": Anchor("today", "month"),
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
      | {_S} (?P<{prefix}_month_part> 上中旬|中下旬|上旬|中旬|下旬|{_BEGINNING}|{_END} )
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
      | (?<!过)去年 | 大前年 | (?<![以大])前年(?!度) | (?<![说声证表])明年(?![度龄])
      | (?<!至)今年(?! 满 | {_S}[0-9一二三四五六七八九十几]{{1,4}}{_S}[多周]?岁 ) )
    (?! 同月 | 是?{_S}[（(]?{_YEAR}{_S}年 )
"""

# 2010年代 is a decade; in 2019年代书遗嘱 and 2013年代替考试 the character begins a verb.
_DECADE = "(?<=[0〇零]年)代(?![书位理替为持表办码购驾孕写言签付缴扣收管销垫垦])"

_YEAR_DATE = rf"""
    (?: (?: (?<![0-9〇一二三四五六七八九]) | (?<=[一二三四五六七八九])(?=[0-9]) )
        (?P<cn_year>{_YEAR}){_S}
        (?: 年{_NO_DOCUMENT} | (?={_AND}{_YEAR}{_S}年) )
      | (?P<cn_word>{_YEAR_WORD}) )
    (?: {_S}的?{_S}{_month_pattern("cn", _SMALL)}
      | {_S}(?:度|年)?(?P<cn_part>
          {_DECADE}|上半年|下半年|第?[一二三四1234]季度|{_BEGINNING}|{_END}|{_SEASON} )
    )?
"""

# 有期徒刑13年6月 is a term; 我18年买的房 and 房东19年 are dates, 我干了10年 and 10年以上 none.
_SOMEBODY: Final = "我他她板司哥弟姐妹爸妈爷奶东友事院方戚居位"
_CLAUSE_BEGINS = rf"""
    (?: (?<![^\s，。；：！？、（(“"「,;:?!]) | (?<=[在于自从是{_SOMEBODY}]) )"""
_LENGTH_OF_TIME = rf"""
    (?! {_S} (?: 以[上下内后前来] | 之[内后前久] | [内后前来多余间期刑级了没不未过才都就零限里整]
      | 有期 | 徒刑 | 左右 | 工龄 | 产权 | 租期 | 保修 | 质保 | 有效
      | 的(?: 时间|历史|工龄|经验|租|期限|合同|婚姻|感情|产权|使用|有效|保|利|刑|有期 )
      | {_SMALL}{_S}个{_S}月 ) )
"""
# 最高是20年, and 20年还是25年: a limit.
_NO_LIMIT = rf"""
    (?<![限低高长短]是)
    (?! {_S}[1-9][0-9]{_S}年 (?:还是|或者?|和|、) {_S}[1-9][0-9]{_S}年 {_S}(?:[？?。，]|$) )
    (?<! [1-9][0-9]年还是 )
"""
_TWO_FIGURES = "(?:[1-9][0-9]|[一二三四五六七八九][〇一二三四五六七八九])"
# 一二年, 七八年 may be one or two, seven or eight years.
_NOT_ABOUT = "(?!一二|二三|三四|四五|五六|六七|七八|八九)"

_SHORT_YEAR_DATE = rf"""
    (?<![0-9〇一二三四五六七八九十百千万第.每])
    (?: (?P<zero_year>0[0-9]|〇[〇一二三四五六七八九]){_S}年{_NO_DOCUMENT}(?!级)
      | (?<![期刑处役制满了达判近约逾超共计])(?P<short_year>{_TWO_FIGURES}){_S}年
        (?={_S}{_SMALL}{_S}月(?![0-9]))
      | (?P<decade_year>[1-9]0){_S}年(?={_DECADE})
      | {_CLAUSE_BEGINS}{_NOT_ABOUT}{_NO_LIMIT}(?P<lone_short_year>{_TWO_FIGURES}){_S}年
        {_NO_DOCUMENT}{_LENGTH_OF_TIME} )
    (?: {_S}的?{_S}{_month_pattern("short", _SMALL)}
      | {_S}(?:度|年)?(?P<short_part>
          {_DECADE}|上半年|下半年|第?[一二三四1234]季度|{_BEGINNING}|{_END}|{_SEASON} )
    )?
"""

# 届满三十日前 and 开庭3天前 count from an event, not from today.
_AGO = rf"""
    (?<![0-9〇一二三四五六七八九十百千个满庭期诉讼会议审前近过第这那每以后提])
    (?: (?P<ago_half>半){_S}(?P<ago_half_unit>年)
      | (?P<ago>[1-9][0-9]?|两|{_SMALL}){_S}(?P<ago_unit>年|个月|个?星期|周|天) )
    多?{_S}(?:之|以)?前(?![后期夕天年])
"""

_COMPACT = r"""
    (?<![0-9A-Za-z第号字.\-]) (?P<compact_year>(?:19|20)[0-9]{2})
    (?P<compact_month>0[1-9]|1[0-2])(?P<compact_day>0[1-9]|[12][0-9]|3[01])
    (?![0-9A-Za-z号元.])
"""

_MONTH_WORD_DATE = rf"""
    (?P<month_word> (?<![合不相])同月|(?<!相)当月|次月|翌月|上个?月|这个月|(?<![根])本月 )
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
    back_then = match[0] == "当年"
    return WrittenDate(
        *match.span(),
        year=_year(match["cn_year"]),
        month=_small(match["cn_month"]),
        day=_small(match["cn_day"]),
        part=_year_part(match["cn_part"]) or _month_part(match["cn_month_part"]),
        anchor=Anchor("facts", "year") if back_then else _WORDS.get(match["cn_word"] or ""),
    )


def _read_short_year_date(match: re.Match[str]) -> WrittenDate:
    groups = ("zero_year", "short_year", "decade_year", "lone_short_year")
    figures = next(match[group] for group in groups if match[group])
    return WrittenDate(
        *match.span(),
        short_year=_year(figures),
        month=_small(match["short_month"]),
        day=_small(match["short_day"]),
        part=_year_part(match["short_part"]) or _month_part(match["short_month_part"]),
    )


def _read_ago(match: re.Match[str]) -> WrittenDate:
    if match["ago_half"]:
        return WrittenDate(*match.span(), anchor=Anchor.ago(6, "month"))
    count = 2 if match["ago"] == "两" else (_small(match["ago"]) or 0)
    match match["ago_unit"]:
        case "年":
            anchor = Anchor.ago(count, "year")
        case "个月":
            anchor = Anchor.ago(count, "month")
        case "天":
            anchor = Anchor.ago(count, "day")
        case _:
            anchor = Anchor.ago(count, "week")
    return WrittenDate(*match.span(), anchor=anchor)


def _read_compact(match: re.Match[str]) -> WrittenDate:
    year, month, day = (int(match[f"compact_{part}"]) for part in ("year", "month", "day"))
    return WrittenDate(*match.span(), year=year, month=month, day=day)


def _read_month_word_date(match: re.Match[str]) -> WrittenDate:
    return WrittenDate(
        *match.span(),
        day=_small(match["word_day"]),
        part=_month_part(match["word_month_part"]),
        anchor=_WORDS[match["month_word"]],
    )


def _read_day_word_date(match: re.Match[str]) -> WrittenDate:
    return WrittenDate(*match.span(), anchor=_WORDS[match[0]])


def _read_month_date(match: re.Match[str]) -> WrittenDate:
    says_more = match["bare_share"] or match["bare_day"] or match["bare_month_part"]
    return WrittenDate(
        *match.span(),
        month=_small(match["bare_month"]),
        day=_small(match["bare_day"]),
        part=_month_part(match["bare_month_part"]),
        # 五月天 is a band and 怀孕七月 a length of time: a month in characters must say more.
        needs_neighbour=not (says_more or match["bare_month"].isdigit()),
    )


def _read_day_date(match: re.Match[str]) -> WrittenDate:
    return WrittenDate(*match.span(), day=_small(match["lone_day"]), needs_neighbour=True)


def _read_lunar_date(match: re.Match[str]) -> WrittenDate | None:
    year = _year(match["lunar_year"])
    return WrittenDate(*match.span("lunar_year"), year=year) if year else None


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
    if name[0] in "春夏秋冬" and name != "春节":
        name = name[0]
    return _YEAR_PARTS[name.translate(str.maketrans("1234", "一二三四"))]


def _month_part(text: str | None) -> Part | None:
    return _MONTH_PARTS[text] if text else None


FORMS: Final = (
    Form("title", _TITLE, _read_nothing),
    Form("every_year", _EVERY_YEAR, _read_nothing),
    Form("lunar_date", _LUNAR, _read_lunar_date),
    Form("year_date", _YEAR_DATE, _read_year_date),
    Form("short_year_date", _SHORT_YEAR_DATE, _read_short_year_date),
    Form("so_long_ago", _AGO, _read_ago),
    Form("compact_date", _COMPACT, _read_compact),
    Form("month_word_date", _MONTH_WORD_DATE, _read_month_word_date),
    Form("day_word_date", _DAY_WORD_DATE, _read_day_word_date),
    Form("month_date", _MONTH_DATE, _read_month_date),
    Form("day_date", _DAY_DATE, _read_day_date),
)
