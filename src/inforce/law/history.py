"""The history lines above a text: a register of the acts that made and amended the law.

An official text prints under its title who passed it when, and every decision that amended it up to
that text::

    1993年10月31日第八届全国人民代表大会常务委员会第四次会议通过
    根据2009年8月27日第十一届全国人民代表大会常务委员会第十次会议《关于修改部分法律的决定》第一次修正

`read_history` turns such lines into `Act` values, one for each thing done on a day; `enactments`
puts together the acts that made one text (passed, approved, promulgated, in force).

>>> [str(act) for act in read_history(["2015年8月29日通过", "2015年11月1日起施行"])]
['2015-08-29 passed', '2015-11-01 in force']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, NamedTuple

from inforce.dates import LegalDate
from inforce.errors import DateError
from inforce.law.model import Act, ActKind

EnactmentKind = Literal["original", "amended", "revised"]
"""A new law; a decision that changed parts of one; the whole law published anew (修订)."""

_NUMERAL = "[0-9〇○零一二三四五六七八九十]"
DAY = rf"{_NUMERAL}{{4}}\s?年\s?{_NUMERAL}{{1,3}}\s?月\s?{_NUMERAL}{{1,3}}\s?日"
"""A whole calendar day as statutes write it, in either kind of numerals."""

_DAY = re.compile(DAY)
_WIDTH = str.maketrans("０１２３４５６７８９○", "0123456789〇")

_CHANGED = re.compile("修订|修正|修改")
_KINDS: tuple[tuple[re.Pattern[str], ActKind], ...] = (
    (re.compile("通过"), "passed"),
    (re.compile("批准"), "approved"),
    (re.compile("公布|发布|颁布|公告|令第"), "promulgated"),
    (re.compile("施行|实施|实行|执行|生效"), "in force"),
    (re.compile("废止|失效"), "repealed"),
)
_AMENDING = re.compile(r"修改|修正|修订|补充|决定\Z|决议\Z")
_ON_THAT_DAY = re.compile("之日")
_AROUND = " \t\n\u3000，、,（()）"
_BEFORE_DAY = ("根据", "自", "于", "经")
_STAGES: dict[ActKind, int] = {
    "other": 1,
    "passed": 1,
    "amended": 1,
    "revised": 1,
    "approved": 2,
    "promulgated": 3,
    "in force": 4,
}
_JOINTLY = timedelta(days=200)
"""Two bodies that make one instrument (the court and the procuratorate) meet on different days."""


@dataclass(frozen=True, slots=True)
class Enactment:
    """The acts that made one text of a law, together."""

    kind: EnactmentKind
    passed: date
    """The day it was passed, by the last of the bodies that had to: it was not in force before."""
    promulgated: date | None = None
    commenced: date | None = None
    """The first day in force, where the history itself says so."""
    body: str = ""
    decision: str = ""
    """The decision that amended the law; empty for a law published whole."""
    steps: frozenset[date] = frozenset()
    """The days of all its acts but its commencement."""

    @property
    def days(self) -> frozenset[date]:
        """The days by which it is identified: passed, approved, promulgated."""
        return self.steps | {day for day in (self.passed, self.promulgated) if day is not None}


def read_history(lines: Iterable[str]) -> tuple[Act, ...]:
    """The acts named in the dated lines above a text, in their order.

    A date inside the title of a decision is no act; neither is one that no calendar has.
    """
    text = "、".join(line.strip() for line in lines).translate(_WIDTH)
    found = list(_days_outside_titles(text))
    starts = [*(match.start() for _, match in found), len(text)]
    return tuple(
        act
        for (day, match), end in zip(found, starts[1:], strict=True)
        for act in _acts(day, text[match.end() : end])
    )


def _days_outside_titles(text: str) -> Iterator[tuple[date, re.Match[str]]]:
    titles = find_titles(text)
    for match in _DAY.finditer(text):
        within = any(title.start < match.start() < title.end for title in titles)
        if not within and (day := calendar_day(match[0])) is not None:
            yield day, match


class Title(NamedTuple):
    """A title in a text, and its offsets with the signs 《》 around it."""

    start: int
    end: int
    text: str
    is_closed: bool = True
    """Whether it is closed; else the text was cut off inside it."""


_SIGN = re.compile("(?P<opening>[《<〈«](?!-))|[》>〉»]")


def find_titles(text: str, sign: re.Pattern[str] = _SIGN) -> list[Title]:
    """The titles in a text; one within another is a part of it.

    Args:
        text: the text.
        sign: matches the signs around titles; its group ``opening`` is there for opening ones.
    """
    titles: list[Title] = []
    depth = start = 0
    for match in sign.finditer(text):
        if match["opening"]:
            start = start if depth else match.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                titles.append(Title(start, match.end(), text[start + 1 : match.start()]))
    if depth:
        titles.append(Title(start, len(text), text[start + 1 :], is_closed=False))
    return titles


def calendar_day(text: str) -> date | None:
    """The day written ``1997年10月1日`` or ``一九九七年十月一日``, if a calendar has it."""
    try:
        written = LegalDate.parse("".join(text.split()))
    except DateError:
        return None
    return written.range.start if written.range.is_single_day else None


def _acts(day: date, words: str) -> Iterator[Act]:
    """What happened on a day, from the words between its date and the next."""
    said, decision = _without_titles(words)
    body = _body(said)
    kinds: list[ActKind] = [kind for pattern, kind in _KINDS if pattern.search(said)]
    if "in force" in kinds and _ON_THAT_DAY.search(said) and "promulgated" not in kinds:
        kinds.remove("in force")
    if _CHANGED.search(said) or (decision and _AMENDING.search(decision) and "passed" in kinds):
        whole = "修订" in said and not _AMENDING.search(decision)
        changed: ActKind = "revised" if whole else "amended"
        kinds = [changed, *(kind for kind in kinds if kind != "passed")]
        kinds.sort(key=lambda kind: kind != "approved")
    unsaid: list[ActKind] = ["other"]
    for kind in kinds or unsaid:
        yield Act(day, kind, body, decision if kind in ("amended", "revised", "repealed") else "")


def _without_titles(words: str) -> tuple[str, str]:
    """The words with each 《title》 reduced to 《》, and the titles themselves."""
    titles = find_titles(words)
    ends = [0, *(title.end for title in titles)]
    starts = [*(title.start for title in titles), len(words)]
    said = "《》".join(words[end:start] for end, start in zip(ends, starts, strict=True))
    return said, "》、《".join(" ".join(title.text.split()) for title in titles)


def _body(said: str) -> str:
    first = min(
        (found.start() for pattern, _ in _KINDS if (found := pattern.search(said))),
        default=len(said),
    )
    named = re.split("《》|修订|修正|修改|第.{1,3}次(?=修)", said[:first])[0]
    named = named.strip(_AROUND)
    for word in _BEFORE_DAY:  # it belongs to the date that follows
        named = named.removesuffix(word).rstrip(_AROUND)
    return "".join(named.split())


def enactments(acts: Iterable[Act]) -> tuple[Enactment, ...]:
    """The texts these acts made, oldest first: what was passed, approved and promulgated as one."""
    made: list[_Draft] = []
    for act in acts:
        if act.kind == "repealed":
            continue
        if not made or made[-1].is_done_before(act):
            made.append(_Draft([act], first=not made))
        else:
            made[-1].acts.append(act)
    return tuple(draft.enactment() for draft in made if draft.acts[0].kind != "in force")


@dataclass(slots=True)
class _Draft:
    acts: list[Act]
    first: bool

    def is_done_before(self, act: Act) -> bool:
        """Whether an act belongs to the next text: the steps of one text only go forward."""
        last = self.acts[-1]
        if act.day == last.day or act.kind == "in force":
            return False
        if all(act.kind == "other" for act in self.acts):
            return abs(act.day - last.day) > _JOINTLY
        if all(act.kind == "approved" for act in self.acts) and act.day < last.day:
            return last.day - act.day > _JOINTLY  # 25日批准，15日…会议《关于修改…的决定》修正
        if act.day < self.acts[0].day:
            return True
        stage = max(_STAGES[act.kind] for act in self.acts)
        if _STAGES[act.kind] > stage and act.kind not in ("amended", "revised"):
            return act.day - last.day > 3 * _JOINTLY
        jointly = ("审判委员会" in last.body) and ("检察委员会" in act.body)
        return not (jointly and act.day - last.day <= _JOINTLY)

    def enactment(self) -> Enactment:
        kinds = {act.kind for act in self.acts}
        kind: EnactmentKind = "original" if self.first else "amended"
        if "revised" in kinds:
            kind = "revised"
        elif "amended" in kinds:
            kind = "amended"
        decided = [act.day for act in self.acts if _STAGES[act.kind] <= _STAGES["approved"]]
        passed = max(decided, default=self.acts[0].day)
        promulgated = [act.day for act in self.acts if act.kind == "promulgated"]
        commenced = [act.day for act in self.acts if act.kind == "in force" and act.day >= passed]
        return Enactment(
            kind,
            passed,
            promulgated[-1] if promulgated else None,
            commenced[-1] if commenced else None,
            body=self.acts[0].body,
            decision=next((act.decision for act in self.acts if act.decision), ""),
            steps=frozenset(act.day for act in self.acts if act.kind != "in force"),
        )
