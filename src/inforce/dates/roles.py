"""The event a date in a text belongs to, recognised by the words around it.

The day of the trial is no day of the facts, and a will made in 2015 is not the death of 2020: the
rules on the law in time ask for one or the other. What surrounds dates of one role only decides
first; else a word of ``events.txt`` does: one that leads up to the date (签订于2015年), the first
behind it in its clause (2021年4月8日开庭; 公安2002年立了案), the first of the clause that follows a
date set off by a comma, or the last before it. English names the event first.

>>> role_of("一审2021年2月审理", 2, 9)
'trial'
>>> role_of("盗窃发生于2010年6月，同年9月判决", 5, 12)
'fact'
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from typing import Final, Literal, cast

DateRole = Literal[
    "fact",
    "result",
    "contract",
    "due",
    "known",
    "marriage",
    "divorce",
    "will",
    "death",
    "birth",
    "investigation",
    "claim",
    "filing",
    "trial",
    "judgment",
    "execution",
    "decision",
    "announcement",
    "law",
    "setting",
    "now",
    "term",
]
"""``fact``: an act or event of the case, and whatever has no narrower role. ``result``: harm that
came after the act. ``due``: a debt fell due. ``known``: somebody learned of something.
``investigation``: caught, detained, a criminal case opened. ``claim``: somebody asserted a right,
in court or not. ``filing``: a suit, charge or petition. ``execution``: a sentence is served,
commuted or ended. ``decision``: an administrative one. ``announcement``: something was made public.
``law``: a law commenced or was changed. ``setting``: the time to answer for
(在2015年的时间背景下). ``now``: when it is asked (到现在2026年了). ``term``: a day ahead of a case
that has begun, agreed upon (认缴到2049年). The last two are no days of the facts."""

FACT_ROLES: Final[tuple[DateRole, ...]] = (
    *("fact", "result", "contract", "due", "marriage", "divorce", "will", "death"),
)
"""Events that are facts of a case, as against the steps of its procedure."""

OTHER_ROLES: Final[tuple[DateRole, ...]] = (
    *("investigation", "known", "announcement", "claim"),
    *("filing", "decision", "trial", "judgment", "execution", "law"),
)
"""Events whose day stands for that of the facts only where no earlier kind is given."""

_NOT_IT: Final = re.compile(
    "(?:到|至|等|如果|假如|要是|若|是否|能否|可否|没|未|不|想|要|准备|以便|为了)$"
)
"""Before a word: what has not happened on the date (住到去世, 没签合同)."""

_MATTER: Final = re.compile(
    "[为就因对][^，。；为就因对]{2,10}?(?=诉至|起诉|提起|申请|请求|主张|打官司|向[^，。；]{0,8}法院"
    "|被判|判处|获刑|判刑)"
)
"""What a suit or sentence is about: 为遗嘱效力起诉 is no will, 因抢劫被判 no robbery."""


_ROLE_LINE: Final = re.compile(r"^\[([a-z]+)\]$", re.MULTILINE)


@cache
def _event_words() -> re.Pattern[str]:
    """The words of ``events.txt`` in one pattern, a group a role."""
    text = resources.files("inforce.dates").joinpath("events.txt").read_text(encoding="utf-8")
    _, *blocks = _ROLE_LINE.split(text)
    groups = (
        f"(?P<{role}>{'|'.join(map(_pattern, filter(None, lines.splitlines())))})"
        for role, lines in zip(blocks[::2], blocks[1::2], strict=True)
    )
    return re.compile("|".join(groups))


def _pattern(line: str) -> str:
    if line.startswith("-"):
        return f"(?i:(?<![a-z])(?:{line[1:]}))"
    return line.replace("~", "[^，。；]{0,8}")


@cache
def _leads_up() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{_event_words().pattern})"
        r"(?:日期|日|时间|之日|时[（(]|那天|的)?(?:\s(?:in|at|near)\s[A-Z][a-z]+)?\s?"
        r"(?:为|是|在|于|:|：|on|in|is|was|until)?\s*$"
    )


_OF_ITS_TIME: Final = (
    "(?:那时候?|当时|那会儿?|时|那年|那一版|版|修订|修正)?的(?:老|旧|新)?"
    "(?:法律?(?!院|官|庭|定)|规定|条文|标准|政策|刑法|民法|(?:司法)?解释|办法|条例|说法)|那?一?版"
)
_FIXED: Final[tuple[tuple[DateRole, str, str], ...]] = (
    ("setting", "", "的?(?:法律|时间|时代|历史)?背景下|为(?:时间|法律)?背景"),
    ("setting", r"(?:(?i:as of|as at)|截至|假设(?:现在|今天)是|现在是)\s*", ""),
    ("now", r"(?:到|都|直到)了?(?:现在|如今|今天|眼下)(?:已经|都|是)?\s*", ""),
    (
        "birth",
        "",
        r"\s?(?:出生|落地(?=[,，。])|生下|生(?:人|的)?(?=[)）,，。;；、])|的娃|生的?娃)",
    ),
    ("birth", "(?:出生于|[Bb]orn (?:on|in) )", ""),
    (
        "judgment",
        "(?:判决|裁定|裁决|调解书)[^，。；：？！、（]*",
        "(?:就|已经?|正式)?(?:生效|发生法律效力)",
    ),
    (
        "due",
        "(?:约定|约好|承诺|说好|[定应须]于|应在|最迟|期限(?:为|至|到))[^，。；]{0,8}",
        "(?:之?前|以前|内|止)?(?:一次性|全部|全额|连本带息)?"
        "(?:归还|偿还|还清|还款|支付|付清|付款|交付|交货|还[，。；])",
    ),
    ("now", "(?:如今(?:是|都)?|都到?|现在(?:都|已经)?(?:是|到)?)", "了|，|$"),
    ("now", "", "了?都(?:过去|快|过半)?|了都"),
    ("now", "", "[^，。；0-9]{0,6}(?:问|咨询)(?:我们?|律师)?[：:]"),
    (
        "term",
        "(?:能用|可用|有效期?|订|签|约定|租期?|期限|写|定|认缴|说好|承包期?|合同|保护期?)[^，。；]{0,2}[到至]"
        r"|(?:runs|binds (?:me|us|him|her)|valid|lasts?|expires?) (?:till|until|in|on)\s"
        r"(?:[A-Z][a-z]+ )?",
        "",
    ),
    ("due", "(?:说好|约好|约定|答应|承诺|许诺|保证)(?:在|于|最迟|好)?", ""),
    ("setting", "(?:根据|依据|依照|基于)", _OF_ITS_TIME),
    ("law", "", _OF_ITS_TIME),
    (
        "law",
        r"(?:law|rules?|code|statute)s? (?:as (?:it|they) (?:stood|was|were) |of |in )(?:in )?",
        "",
    ),
)
"""What surrounds a date of one role only: what stands before it and behind it, the first that fits
(截至2015年, 2026年了, 判决2011年10月生效)."""
_ATTACHED: Final = re.compile(
    r"(?:[于为是:：日]|时[（(]|(?:发生|出现|成立|签订)在|时间|on|in|is|was)\s*$"
)
_CLAUSE_END: Final = re.compile(
    r"[，。；：？！、,;?!\n（(]|\.(?:\s|$)|(?:^|\s)(?:and|but|when|while|after|because|under)\s"
    r"|[0-9〇一二三四五六七八九]{2,4}\s?[年./-]|[同次当翌]年|[同次]月|[次同当]日"
)
"""A clause ends at its stop, or where the next date begins."""
_HOUR: Final = re.compile(
    r"(?:份|间|前后|左右|许|起(?![诉草火争])|以?[前后]|之[前后]|底|初|凌晨|早上|上午|中午|下午|晚上?|[0-9]{1,2}[时点]"
    r"(?:[0-9]{1,2}分|半)?许?|\s)*"
)
_LOOK_AFTER: Final = 24
_LOOK_BEFORE: Final = 20
"""Characters looked at on either side: a word further away belongs to something else. In English,
whose words are longer, twice as many."""


def role_of(text: str, start: int, end: int) -> DateRole:
    """The event that the date at these offsets of a text belongs to."""
    before = text[max(0, start - 2 * _LOOK_BEFORE) : start]
    if not before.isascii():
        before = before[-_LOOK_BEFORE:]
    return _role(before, text[end : end + _LOOK_AFTER + _LOOK_BEFORE])


@cache
def _fixed() -> tuple[tuple[DateRole, re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (role, re.compile(f"(?:{ahead})$" if ahead else ""), re.compile(behind))
        for role, ahead, behind in _FIXED
    )


@lru_cache(maxsize=4096)
def _role(before: str, after: str) -> DateRole:
    for role, ahead, behind in _fixed():
        if ahead.search(before) and behind.match(after):
            return role
    clause = _CLAUSE_END.split(before)[-1]
    leading = _leading_up(before)
    if leading and leading != "fact":
        return leading
    around, named = _around(clause, after), _last_in(clause)
    # English names the event first: He sued in March 2019.
    first, second = (named, around) if clause.strip() and clause.isascii() else (around, named)
    return first or second or leading or "fact"


def _leading_up(before: str) -> DateRole | None:
    match = _leads_up().search(before) if _ATTACHED.search(before) else None
    return _role_named(match) if match else None


def _role_named(match: re.Match[str]) -> DateRole:
    return cast(DateRole, match.lastgroup)


def _around(before: str, after: str) -> DateRole | None:
    """The first role named in the clause of a date, behind it: 公安2002年立了案, an investigation.

    The words before the date belong to the clause; where nothing stands behind it, the next clause
    counts.
    """
    skipped = _HOUR.match(after)
    rest = after[skipped.end() if skipped else 0 :]
    if rest[:1] in ("，", ","):
        rest, before = rest[1:], ""
    clause = _CLAUSE_END.split(rest, maxsplit=1)[0][:_LOOK_AFTER]
    clause = before + _MATTER.sub("", clause)
    for match in _event_words().finditer(clause):
        role = _role_named(match)
        stated = clause[: match.start()]
        if match.end() <= len(before) or (_NOT_IT.search(stated) and not _is_planned(role, stated)):
            continue
        return role
    return None


def _is_planned(role: DateRole, before: str) -> bool:
    """Whether a suit is meant to be brought on the date: 2021年9月想告他."""
    return role == "filing" and before.endswith(("想", "要", "准备", "再"))


def _last_in(clause: str) -> DateRole | None:
    found: list[DateRole] = [_role_named(match) for match in _event_words().finditer(clause)]
    return found[-1] if found else None
