"""How dates are written in English and in figures: May 1, 2011; 2015.10.12; '08; two years ago.

A year on its own is a date only after a word that makes it one (in, since, between …), as the
beginning or end of a range, or set apart at an end of what is asked (举证期限 2014; pension, 2016):
any other four digits may be an amount or a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal, cast

from inforce.dates.written import Anchor, Form, Part, WrittenDate

_MONTHS: Final = (
    *("jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?"),
    *("aug(?:ust)?", "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?"),
)
_MONTH_NUMBERS: Final = {month[:3]: position for position, month in enumerate(_MONTHS, 1)}
_MONTH: Final = rf"(?:{'|'.join(_MONTHS)})(?![a-z])\.?"
_DAY: Final = r"[0-9]{1,2}(?![0-9])(?:st|nd|rd|th)?"
_TO: Final = r"(?:\s{1,3}(?:to|and|through|until|till)\s{1,3}|\s?-\s?)"
_PLAIN_YEAR: Final = "(?:1[5-9]|20)[0-9]{2}"

_WORDS: Final = {
    "today": Anchor("today", "day"),
    "yesterday": Anchor("today", "day", -1),
    "this month": Anchor("today", "month"),
    "last month": Anchor("today", "month", -1),
    "this year": Anchor("today", "year"),
    "last year": Anchor("today", "year", -1),
}

_ISO_DATE = r"""
    (?<![0-9A-Za-z]) (?P<iso_year>[0-2][0-9]{3})
    (?: (?P<sep>[-/.])(?P<iso_month>[0-9]{1,2})(?P=sep)(?P<iso_day>[0-9]{1,2}) (?![0-9]|\.[0-9])
      | -(?P<iso_last_month>0[1-9]|1[0-2]) (?![0-9]|[-./][0-9]) )
"""

_YEAR_DOT_MONTH = r"""
    (?<![0-9A-Za-z.]) (?P<dot_year>(?:19|20)[0-9]{2}) [./] (?P<dot_month>1[0-2]|0?[1-9]) 月?份?
    (?! [0-9./%] | \s?[万亿元千百美人吨米公克平度个倍点块次条] )
"""

_EITHER_WAY = r"(?<![0-9/]) [0-9]{1,2}/[0-9]{1,2}/[12][0-9]{3} (?![0-9/])"

_NAMED_MONTH = rf"""(?i:
    (?<![a-z0-9]) (?: (?P<day_first>{_DAY}) (?:\s{{1,3}}of)? \s{{1,3}} )?
    (?P<named_month>{_MONTH})
    (?: \s{{1,3}} (?P<day_after>{_DAY}) )?
    (?: ,? \s{{1,3}} (?:of\s)? (?P<named_year>[0-2][0-9]{{3}}) (?![0-9]) )?
    (?P<runs_on> (?= {_TO} (?:{_DAY}\s{{1,3}})? {_MONTH} ) )?
)"""

_WORD = r"""(?i:
    (?<![a-z]) (?: today | yesterday | (?:this|last)\s(?:month|year) ) (?![a-z])
)"""

_NUMBERS: Final = (
    *("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_NUMBER_WORDS: Final = {"one": 1, "an": 1} | {word: at for at, word in enumerate(_NUMBERS, 1)}

_AGO = rf"""(?i:
    (?<![a-z0-9]) (?P<english_ago>[0-9]{{1,2}}|{"|".join(_NUMBER_WORDS)}) \s{{1,3}}
    (?P<english_ago_unit>year|month|week|day)s? \s{{1,3}} ago (?![a-z])
)"""

_APOSTROPHE = r"(?<![0-9A-Za-z])['’](?P<apostrophe_year>[0-9]{2})(?![0-9A-Za-z'’])"

_YEAR_AFTER_WORD = rf"""(?i:
    (?<![a-z])
    (?: in | since | during | until | till | before | after | by | from | between | through
      | for (?= \s [0-9]{{4}} (?: [,;?] | \s(?:and|how|what|did|was|were|is)\s ) )
      | year | early | mid | late | throughout | within | around
      | as\sof | as\sat | prior\sto
      | (?: months? | weeks? | days? | half | quarter | part | most | all | much | rest | whole
          | course | second | tax\syear | year ) \s of )
    [\s-]{{1,3}} (?P<lone_year>{_PLAIN_YEAR})
    (?! [0-9%] | [-/.,~][0-9] | s(?![a-z]) | \s(?:years|days|dollars|people|shares)(?![a-z]) )
)"""

_DATED_THINGS: Final = (
    "contract|agreement|lease|loan|will|divorce|marriage|purchase|deal|accident|injury|dismissal"
    "|job|case|trial|sale|wedding|guarantee|mortgage|theft|murder|robbery|fraud|crash|judgment"
)

_YEAR_OF_SOMETHING = rf"""(?i:
    (?<![a-z]) (?:
        (?: my | our | his | her | their | an? | the | this | that ) \s
        (?P<year_of_something>(?:19[5-9]|20[0-4])[0-9])
        (?= \s (?: [a-z]+ \s )? (?: {_DATED_THINGS} ) (?![a-z]) )
      | (?: {_DATED_THINGS} ) \s of \s (?!2000) (?P<something_of_year>(?:19[5-9]|20[0-4])[0-9])
        (?! [0-9%] | [-/.,~][0-9] | \s(?:yuan|rmb|dollars|people|shares)(?![a-z]) )
    )
)"""
"""My 2018 contract, a sale of 2018; my 2000 yuan, a loan of 2000 yuan are no year."""

_SEASONS: Final = {
    "spring": Part(3, 5),
    "summer": Part(6, 8),
    "autumn": Part(9, 11),
    "fall": Part(9, 11),
    "winter": Part(12, 14),
    "beginning": Part(1, 3),
    "start": Part(1, 3),
    "early": Part(1, 3),
    "middle": Part(5, 8),
    "mid": Part(5, 8),
    "end": Part(10, 12),
    "late": Part(10, 12),
}
"""As vague as people are; a winter goes on into the next year."""

_SEASON_OF_YEAR = rf"""(?i:
    (?<![a-z])(?<!days\s)(?<!weeks\s)(?<!month\s)(?<!months\s)(?<!year\s)(?<!years\s)(?<!too\s)
    (?: (?P<season>{"|".join(_SEASONS)}) (?:\s(?:of|in)(?:\sthe\syear)?|\s?-)? )
    \s{{0,3}} (?P<season_year>{_PLAIN_YEAR}) (?! [0-9%] | [-/.,~][0-9] | s(?![a-z]) )
)"""

_SET_APART = r"""
    (?: (?: ^ | ^[（(] ) (?P<first_of_all>(?:19[5-9]|20[0-4])[0-9])
        (?= [）)]?\s?[：，\s]\s?[\u4e00-\u9fff] )
      | (?: (?<=[\u4e00-\u9fff”》）)][\s，,；;（(]) | (?<=[\u4e00-\u9fff][，,；;]\s)
          | (?<=[a-z][,;.?!]\s) | (?<=\s[（(]) ) (?<![款了付赔给价格]\s)
        (?P<last_of_all>(?:19[5-9]|20[0-4])[0-9]) (?= [）)]?[?？。.]?\s*$ ) )
"""

_NO_YEAR_AFTER = "".join(
    rf"(?<!\s{word}\s)"
    for word in (
        *(
            "a",
            "about",
            "and",
            "around",
            "art",
            "article",
            "at",
            "cost",
            "for",
            "is",
            "least",
            "most",
        ),
        *("no", "number", "of", "only", "or", "over", "paid", "pay", "rule", "section", "some"),
        *("than", "the", "to", "under", "was", "with", "worth"),
    )
)
"""Words before an amount or a number: over 2000, article 2011."""

_YEAR_IN_KEYWORDS = rf"""
    (?: (?<=[A-Za-z]\s) | (?<=[A-Za-z][,;]\s) ) {_NO_YEAR_AFTER}
    (?P<year_in_keywords>(?:19[5-9]|20[0-4])[0-9]) (?= \s?[?:;(] | \.?\s*$ )
"""
"""Statutory damages trademark China 2016? An LLC, 2019: what may I inspect?"""

_DECADE = r"(?i: (?<![a-z]) (?P<decade> (?:1[5-9]|20)[0-9]0 )s (?![a-z]) )"

# A national standard (GB 1589-2016) and a docket number (2012-1598) look like ranges of years.
_FIRST_YEAR = rf"""
    (?<![0-9A-Za-z/.-])(?<![A-Z]\s) (?P<first_year>{_PLAIN_YEAR})
    (?= \s?[-~]\s?(?P<year_to_come>{_PLAIN_YEAR})(?![0-9-]) )
"""

_SECOND_YEAR = rf"""
    (?<![0-9A-Za-z]) (?P<second_year>{_PLAIN_YEAR})
    (?! [0-9%] | [-/.,][0-9] | \s?[万余元多名人个] )
"""


def _read_iso_date(match: re.Match[str]) -> WrittenDate:
    return WrittenDate(
        *match.span(),
        year=int(match["iso_year"]),
        month=_number(match["iso_month"] or match["iso_last_month"]),
        day=_number(match["iso_day"]),
    )


def _read_year_dot_month(match: re.Match[str]) -> WrittenDate:
    year, month = int(match["dot_year"]), int(match["dot_month"])
    return WrittenDate(*match.span(), year=year, month=month)


def _read_ago(match: re.Match[str]) -> WrittenDate:
    amount = match["english_ago"].lower()
    count = int(amount) if amount.isdigit() else _NUMBER_WORDS[amount]
    unit = cast(Literal["year", "month", "week", "day"], match["english_ago_unit"].lower())
    return WrittenDate(*match.span(), anchor=Anchor.ago(count, unit))


def _read_apostrophe(match: re.Match[str]) -> WrittenDate:
    return WrittenDate(*match.span(), short_year=int(match["apostrophe_year"]))


def _read_either_way(match: re.Match[str]) -> WrittenDate:
    reason = "the day and the month could be either way round (write 2020-01-25)"
    return WrittenDate(*match.span(), problem=reason)


def _read_named_month(match: re.Match[str]) -> WrittenDate | None:
    year = _number(match["named_year"])
    day = _day(match["day_first"] or match["day_after"])
    if year is None and not _is_date_without_year(match, day):
        return None
    return WrittenDate(
        *match.span(),
        year=year,
        month=_MONTH_NUMBERS[match["named_month"][:3].lower()],
        day=day,
        may_borrow_year=year is None,
    )


def _is_date_without_year(match: re.Match[str], day: int | None) -> bool:
    """Whether May 1, or the June of June to August 2018: "may" and "march" are mostly verbs."""
    if not match["named_month"][0].isupper():
        return False
    return match["runs_on"] is not None if day is None else day <= 31


def _day(text: str | None) -> int | None:
    """The number in 1, 1st, 22nd."""
    return int(text.rstrip("stndrhSTNDRH")) if text else None


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _read_word(match: re.Match[str]) -> WrittenDate:
    return WrittenDate(*match.span(), anchor=_WORDS[re.sub(r"\s", " ", match[0].lower())])


def _read_year_in(*groups: str) -> Callable[[re.Match[str]], WrittenDate]:
    """Return a reader of the year in whichever of these groups matched; its words are the date."""

    def read(match: re.Match[str]) -> WrittenDate:
        group = next(name for name in groups if match[name])
        return WrittenDate(*match.span(group), year=int(match[group]))

    return read


def _read_first_year(match: re.Match[str]) -> WrittenDate | None:
    year = int(match["first_year"])
    is_range = year < int(match["year_to_come"])
    return WrittenDate(*match.span(), year=year) if is_range else None


def _read_second_year(match: re.Match[str]) -> WrittenDate:
    year = int(match["second_year"])
    return WrittenDate(*match.span(), year=year, needs_neighbour=True)


def _read_season(match: re.Match[str]) -> WrittenDate:
    return WrittenDate(
        *match.span(),
        year=int(match["season_year"]),
        part=_SEASONS[match["season"].lower()],
    )


def _read_decade(match: re.Match[str]) -> WrittenDate:
    return WrittenDate(*match.span(), year=int(match["decade"]), part=Part(1, 120))


FORMS: Final = (
    Form("iso_date", _ISO_DATE, _read_iso_date),
    Form("year_dot_month", _YEAR_DOT_MONTH, _read_year_dot_month),
    Form("either_way", _EITHER_WAY, _read_either_way),
    Form("month_by_name", _NAMED_MONTH, _read_named_month),
    Form("word", _WORD, _read_word),
    Form("english_ago_words", _AGO, _read_ago),
    Form("apostrophe", _APOSTROPHE, _read_apostrophe),
    Form("part_of_year", _SEASON_OF_YEAR, _read_season),
    Form("year_after_word", _YEAR_AFTER_WORD, _read_year_in("lone_year")),
    Form(
        "year_before_word",
        _YEAR_OF_SOMETHING,
        _read_year_in("year_of_something", "something_of_year"),
    ),
    Form("set_apart", _SET_APART, _read_year_in("first_of_all", "last_of_all")),
    Form("year_among_keywords", _YEAR_IN_KEYWORDS, _read_year_in("year_in_keywords")),
    Form("by_decade", _DECADE, _read_decade),
    Form("year_before_year", _FIRST_YEAR, _read_first_year),
    Form("year_after_year", _SECOND_YEAR, _read_second_year),
)
