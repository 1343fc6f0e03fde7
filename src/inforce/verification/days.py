"""The days a citation is about: given, or read from its sentence, its paragraph, its document.

Only dates of facts and of trials count; births, and days on which laws commenced, are no days to
apply the law on. Where several days of facts come into question the finding is about all of them:
a verdict stands if it is the same for each.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property

from inforce.dates import CaseDate, CaseDates, Clock, DateMention, DateRange, scan_dates
from inforce.dates.roles import FACT_ROLES, OTHER_ROLES
from inforce.documents.document import Block, Document
from inforce.verification.findings import CheckedDays, DaysFrom

_FACTS = frozenset((*FACT_ROLES, "setting"))
_TRIALS = frozenset(("trial", "judgment", "decision"))
_STEPS = frozenset(OTHER_ROLES) - _TRIALS - {"law"}
"""Events whose day stands for that of the facts where no closer one is named."""
_SIGNED = re.compile(r"[\s\d０-９年月日〇○零一二三四五六七八九十元.\-/]{6,24}")
"""A line that is nothing but a date: the one a document is signed with."""
_LAST_BLOCKS = 12
_LONGEST_SENTENCE = 600
"""Characters before and after a citation in which its sentence begins and ends."""
_OF_INSTRUMENT = re.compile(
    r"[^，。；！？\n《》]{0,40}?(?:通过|发布|公布|颁布|修订|修正|印发|批准|施行|实施)(?:发布|公布|施行|实施)?的[^，。；\n《》]{0,8}《"
)
"""After the day on which an instrument was made (2002年9月6日…通过的《…》)."""
_MADE = re.compile(
    r"((?:19|20)\d\d)年(?:\d{1,2}月(?:\d{1,2}日)?)?起?(?:正式)?(?:通过|颁布|修订|修正|施行|实施|生效)的[原旧]?[《]?$"
)
"""Before a law of which a version is named by its day."""
_MADE_BEHIND = re.compile(r"\s?[（(]((?:19|20)\d\d)年?[版本]?[）)]")
"""Behind an article of which a version is named by its year: 第42条第1款（2016年）."""
_IN_BRACKETS = re.compile(r"(?:[条款项法典》]|解释|规定|条例)\s?[（(]$")
_OF_VERSION = re.compile(
    r"(?:第[一二三四]次)?(?:(?:修订|修正)(?!了|合同|协议|章程)|修改(?:之?前|之?后|以[前后]|的[《新]))"
    r"|起?(?:已经?|现已|即|被|正式|同时){0,2}(?:废止|失效|重新编号)"
)
"""Behind the year of a version of a law (2021年修正前的条文) or the day it ended, on which nothing
has happened."""
_BEFORE_IT = re.compile(r"(?:之前|以前|前(?![后往述期款条]))")
"""Behind a day before which something was: that day is the first one it was not."""
_SENTENCE_SERVED = re.compile(r"(?:刑期|羁押|折抵|考验期)[^。\n]{0,80}$")
"""Before the days on which a sentence begins and ends."""
_SUPPOSED = re.compile(r"(?:若|如果|假如|倘若|假设|假定|如|即使|要是)[^，。；\n]{0,12}$")
"""Before a day that is only supposed: it is that of its own sentence and of nothing else."""
_BEFORE_THE_LAW = date(1949, 10, 1)
"""Days before it are history: no law of the People's Republic applies to them."""
_COMMENTARY = re.compile(
    r"(?m)^[\s#*]{0,12}(?:[一二三四五六七八九十]{1,2}、|[（(][一二三四五六七八九十]{1,2}[）)])?\s{0,4}[【\[]?"
    r"(?:法官(?:解读|说法|提醒|点评|释法|后语|寄语)|专家(?:点评|解读)|(?:适用|案例)(?:解析|评析|解读)|评析|典型意义"
    r"|(?:法律|法条|法规|相关)?链接|(?:司法解释)?(?:相关|关联)(?:条文|法条|法律规定|规定)|裁判(?:要旨|要点|规则|摘要))"
    r"[】\]]?[\s*：:]{0,12}$"
)
"""The head of a part that explains a case to readers: its law is that of the day it was written."""
_HEAD = re.compile(
    r"(?m)^[\s　]{0,12}(?:#{1,6}\s|【[^】\n]{2,20}】[\s*]{0,12}$"
    r"|[（(]?[一二三四五六七八九十]{1,2}[）)、][^，。；\n]{2,20}$)"
)
"""The head of any part, with which a commentary ends."""
_DECIDED = re.compile(
    r"(?:法院|本院)[^，。；\n]{0,16}?(?:认为|判决|裁定|判令|驳回|支持|改判|维持)|判决如下|裁定如下|宣判|判决生效"
)
"""What only a document says that tells of a case a court has decided."""
_IN_SENTENCE = re.compile(r"[。！？!?；;\n]")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters of the document from ``start`` to ``end``."""

    start: int
    end: int


class DocumentDays:
    """Finds the days for each place of a document.

    Args:
        document: the document.
        clock: what today is.
        facts: the days of the facts, if they are given; they win over all the document says.
        trial: the day of the trial, if it is given.
        apart: stretches whose dates are not the document's own: quotations and names of versions.
        citing: where the citations are: a day in a sentence that cites is about what it cites.
    """

    def __init__(
        self,
        document: Document,
        *,
        clock: Clock,
        facts: DateRange | None = None,
        trial: DateRange | None = None,
        apart: Collection[Stretch] = (),
        citing: Sequence[int] = (),
    ) -> None:
        self._document = document
        self._today = clock()
        self._given, self._given_trial = facts, trial
        self._apart = _joined(apart)
        self._citing = sorted(citing)
        mentions = scan_dates(document.text, clock=clock).mentions
        self._mentions = [
            self._until(one)
            for one in mentions
            if one.kind != "clock"
            and not self._is_apart(one.start)
            and not self._is_of_version(one)
            and not _OF_INSTRUMENT.match(document.text, one.end)
            and one.range.start >= _BEFORE_THE_LAW
        ]
        self._mentions = [self._by_signature(one) for one in self._mentions]

    def _by_signature(self, mention: DateMention) -> DateMention:
        """What a document tells had happened by the day it is signed on: 2015年以来 ends there."""
        signed, days = self._signed, mention.range
        if signed is None or days.start >= signed.range.start:
            return mention
        past = days.intersection(DateRange(days.start, signed.range.end))
        return replace(mention, range=past) if past else mention

    def _is_of_version(self, mention: DateMention) -> bool:
        """Whether a date says which version of a law is meant, or when a sentence is served."""
        text, start, end = self._document.text, mention.start, mention.end
        if _OF_VERSION.match(text, end):
            return True
        if text[end : end + 1] in ("）", ")") and _IN_BRACKETS.search(
            text, max(0, start - 6), start
        ):
            return True
        served = mention.is_range or text[end : end + 1] in "起止"
        return served and bool(_SENTENCE_SERVED.search(text, max(0, start - 90), start))

    def _until(self, mention: DateMention) -> DateMention:
        """What was before a day was, if not sooner, on the day before it."""
        if mention.is_range or not _BEFORE_IT.match(self._document.text, mention.end):
            return mention
        return replace(mention, range=DateRange.day(mention.range.start - timedelta(days=1)))

    def year_made(self, start: int, end: int) -> str | None:
        """The year in which the law cited at a place is said to have been made or to commence.

        2010年7月1日施行的《侵权责任法》 names a version, whatever its paragraph is about; so does
        《网络安全法》第42条第1款（2016年）.
        """
        text = self._document.text
        made = _MADE.search(text, max(0, start - 40), start) or _MADE_BEHIND.match(text, end)
        return made[1] if made else None

    def at(
        self, start: int, end: int, *, procedural: bool = False, step: bool = False
    ) -> CheckedDays | None:
        """The days a stretch of the document is about; ``None`` where there are none to be had.

        Args:
            start: where the stretch begins.
            end: where it ends.
            procedural: whether it is about procedure, which follows the day of the trial.
            step: whether it is about nothing but procedure: with no trial, that is the day on
                which the document is signed.
        """
        if self._given is not None:
            return CheckedDays((self._given,), "option", self._given_trial)
        levels: tuple[tuple[DaysFrom, Stretch], ...] = (
            ("sentence", self._sentence(start, end)),
            ("paragraph", self.paragraph(start)),
            ("document", Stretch(0, len(self._document.text))),
        )
        if self._is_commentary(start):
            levels = levels[:2]
        judgment = _is_judgment(self._document)
        trial = self._trial if judgment else self._given_trial
        for origin, near in levels:
            mentions = self._in(near)
            if origin != "sentence":
                mentions = [one for one in mentions if not self._is_supposed(one)]
                if step and not judgment and self._signed is not None:
                    # What a document asks for or decides is a step of the day it is signed on.
                    if origin == "document":
                        break
                    mentions = [one for one in mentions if one.role not in _FACTS]
            trial = trial or _latest(one for one in mentions if one.role in _TRIALS)
            found = [one for one in mentions if one.role in _FACTS]
            if origin == "document":
                found = [one for one in found if not self._is_cited_for(one)] or found
            settings = [one for one in found if one.role == "setting"]
            found = settings or found or [one for one in mentions if one.role in _STEPS]
            if found:
                # A document may tell of several cases: its trial is that of its own facts.
                whole = origin == "document" or judgment
                known = _checked(found, origin, trial or (self._trial if whole else None))
                decided = origin == "document" and known.trial is None and self._is_decided
                return replace(known, decided=decided)
            if procedural and trial is not None and self._given_trial is None:
                words = tuple(one.text for one in mentions if one.range == trial)
                return CheckedDays((trial,), origin, trial, words)
        if self._is_commentary(start):
            return None
        if step and self._signed is not None and self._trial is not None and not judgment:
            return CheckedDays((self._trial,), "document", self._trial)
        if self._signed is not None:
            return _checked([self._signed], "date_of_document", self._trial)
        if self._trial is not None:
            return CheckedDays((self._trial,), "document", self._trial)
        return None

    @cached_property
    def latest_year(self) -> int:
        """The year in or before which everything a document refers to must have been.

        That of its signature; without one, this year.
        """
        return self._signed.range.start.year if self._signed else self._today.year

    def case(self, days: CheckedDays) -> CaseDates:
        """The same days, as the rules on the law in time read them."""
        origin = "option" if days.origin == "option" else "question"
        dates = [CaseDate("fact", one, origin=origin) for one in days.facts]
        if days.trial:
            dates.append(CaseDate("trial", days.trial, origin=origin))
        facts = tuple(sorted(days.facts, key=lambda one: one.start))
        trial = days.trial
        if trial and trial.end is not None and trial.end <= facts[0].start:
            trial = None
        return CaseDates(self._today, tuple(dates), facts, trial, "unknown", origin)

    def _is_commentary(self, place: int) -> bool:
        """Whether a place is in a part that explains a case to readers."""
        if self._given_trial is not None:
            return False
        at = bisect_right(self._commentaries, place, key=lambda one: one.start) - 1
        return at >= 0 and place < self._commentaries[at].end

    @cached_property
    def _commentaries(self) -> Sequence[Stretch]:
        text = self._document.text
        heads = [one.start() for one in _HEAD.finditer(text)]
        found: list[Stretch] = []
        for match in _COMMENTARY.finditer(text):
            following = bisect_right(heads, match.end())
            end = heads[following] if following < len(heads) else len(text)
            found.append(Stretch(match.start(), end))
        return found

    @cached_property
    def _is_decided(self) -> bool:
        return _DECIDED.search(self._document.text) is not None

    def _is_cited_for(self, mention: DateMention) -> bool:
        """Whether the sentence of a date cites law, so that the date is about that law."""
        near = self._sentence(mention.start, mention.end)
        at = bisect_left(self._citing, near.start)
        return at < len(self._citing) and self._citing[at] < near.end

    def _is_supposed(self, mention: DateMention) -> bool:
        text, start = self._document.text, mention.start
        return _SUPPOSED.search(text, max(0, start - 20), start) is not None

    def _in(self, near: Stretch) -> list[DateMention]:
        """The dates in a stretch, without the one the document is signed with."""
        first = bisect_right(self._mentions, near.start - 1, key=lambda one: one.start)
        last = bisect_right(self._mentions, near.end - 1, key=lambda one: one.start)
        return [one for one in self._mentions[first:last] if one is not self._signed]

    def _sentence(self, start: int, end: int) -> Stretch:
        """The sentence around a stretch; a quotation in it may hold stops of its own."""
        text, block = self._document.text, self._block(start)
        earliest = max(block.start, start - _LONGEST_SENTENCE)
        latest = max(end, min(block.end, end + _LONGEST_SENTENCE))
        before = list(_IN_SENTENCE.finditer(text, earliest, start))
        after = _IN_SENTENCE.search(text, end, latest)
        first = before[-1].end() if before else earliest
        return Stretch(first, after.start() if after else latest)

    def paragraph(self, start: int) -> Stretch:
        """The paragraph a place is in."""
        block = self._block(start)
        return Stretch(block.start, block.end)

    def _block(self, start: int) -> Block:
        blocks = self._document.blocks
        at = bisect_right(blocks, start, key=lambda one: one.start) - 1
        return blocks[max(at, 0)] if blocks else Block("paragraph", 0, len(self._document.text))

    def _is_apart(self, place: int) -> bool:
        at = bisect_right(self._apart, place, key=lambda one: one.start) - 1
        return at >= 0 and place < self._apart[at].end

    @cached_property
    def _signed(self) -> DateMention | None:
        """The date the document ends with, alone in its line."""
        body = [one for one in self._document.blocks if one.kind in ("paragraph", "heading")]
        for block in reversed(body[-_LAST_BLOCKS:]):
            words = self._document.block_text(block).rpartition("\n")[2]
            if _SIGNED.fullmatch(words):
                start = block.end - len(words)
                inside = [one for one in self._mentions if start <= one.start < block.end]
                if len(inside) == 1:
                    return inside[0]
        return None

    @cached_property
    def _trial(self) -> DateRange | None:
        """The trial: given, or the last one the document refers to, or the day of a judgment."""
        if self._given_trial is not None:
            return self._given_trial
        if self._signed is not None and _is_judgment(self._document):
            return self._signed.range
        stated = _latest(one for one in self._mentions if one.role in _TRIALS)
        number = _NUMBERED.search(self._document.text[:600])
        if number and _is_judgment(self._document):
            year = int(number[1])
            if stated is None or stated.start.year < year or number["appeal"]:
                start = date(year, 1, 1)
                start = max(start, stated.start) if stated else start
                return DateRange(start, date(max(year, start.year) + 2, 1, 1))
        return stated


def _joined(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same characters in as few stretches as possible, in order."""
    joined: list[Stretch] = []
    for one in sorted(stretches, key=lambda stretch: stretch.start):
        if joined and one.start <= joined[-1].end:
            joined[-1] = Stretch(joined[-1].start, max(joined[-1].end, one.end))
        else:
            joined.append(one)
    return joined


def _checked(
    mentions: Sequence[DateMention], origin: DaysFrom, trial: DateRange | None
) -> CheckedDays:
    facts = tuple(sorted({one.range for one in mentions}, key=lambda one: one.start))
    words = tuple(dict.fromkeys(one.text for one in mentions))
    return CheckedDays(facts, origin, trial, words)


def _latest(mentions: Iterable[DateMention]) -> DateRange | None:
    return max((one.range for one in mentions), key=lambda one: one.start, default=None)


_NUMBERED = re.compile(
    r"[（(〔]((?:19|20)\d\d)[）)〕][一-鿿]{1,4}\d{0,4}[一-鿿]{0,5}?"
    r"(?:(?P<appeal>[终再监抗])|[一-鿿])字?第?\d{1,6}号"
)
"""The number of a case, with the year it was registered in: it was judged then or a year later.
The trial an appeal speaks of may be the first one."""
_JUDGMENT = re.compile(
    r"(?:刑事|民事|行政|国家赔偿|执行|破产)(?:附带民事|附带民事诉讼)?(?:赔偿)?(?:判决书|裁定书|调解书|决定书)"
)


def _is_judgment(document: Document) -> bool:
    return bool(_JUDGMENT.search(document.title) or _JUDGMENT.search(document.text[:300]))
