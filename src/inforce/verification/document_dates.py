"""The days by which a citation is checked, read from its sentence, its paragraph, its document.

Only dates of facts and of trials count; births, and days on which laws commenced, are no days to
apply the law on. Where several days of facts come into question the finding is about all of them:
a verdict is given if it is the same for each.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property

from inforce.dates import CaseDate, CaseDates, Clock, DateMention, DateRange, scan_dates
from inforce.dates.roles import FACT_ROLES, OTHER_ROLES
from inforce.documents.document import Block, Document
from inforce.verification.findings import CheckedDays, DaysFrom, TextRange

_FACTS = frozenset((*FACT_ROLES, "setting"))
_TRIALS = frozenset(("trial", "judgment", "decision"))
_STEPS = frozenset(OTHER_ROLES) - _TRIALS - {"law"}
"""Events whose day is taken for that of the facts where no closer one is named."""
_SIGNED = re.compile(r"[\s\d０-９年月日〇○零一二三四五六七八九十元.\-/]{6,24}")
"""A line that is nothing but a date: the one a document is signed with."""
_LAST_BLOCKS = 12
_LONGEST_SENTENCE = 600
"""Characters before and after a citation in which its sentence is looked for."""
_OF_INSTRUMENT = re.compile(
    r"[^，。；！？\n《》]{0,40}?(?:通过|发布|公布|颁布|修订|修正|印发|批准|施行|实施)(?:发布|公布|施行|实施)?的[^，。；\n《》]{0,8}《"
)
"""Follows the day on which an instrument was made (2002年9月6日…通过的《…》)."""
_MADE = re.compile(
    r"((?:19|20)\d\d)年(?:\d{1,2}月(?:\d{1,2}日)?)?起?(?:正式)?(?:通过|颁布|修订|修正|施行|实施|生效)的[原旧]?[《]?$"
)
"""Precedes a law of which a version is named by its day."""
_MADE_BEHIND = re.compile(r"\s?[（(]((?:19|20)\d\d)年?[版本]?[）)]")
"""Follows an article of which a version is named by its year: 第42条第1款（2016年）."""
_IN_BRACKETS = re.compile(r"(?:[条款项法典》]|解释|规定|条例)\s?[（(]$")
_OF_VERSION = re.compile(
    r"(?:第[一二三四]次)?(?:(?:修订|修正)(?!了|合同|协议|章程)|修改(?:之?前|之?后|以[前后]|的[《新]))"
    r"|起?(?:已经?|现已|即|被|正式|同时){0,2}(?:废止|失效|重新编号)"
)
"""Follows the year of a version of a law (2021年修正前的条文) or the day it ended: not of facts."""
_BEFORE_IT = re.compile(r"(?:之前|以前|前(?![后往述期款条]))")
"""Follows a day before which something was so: it is the first day on which it was not."""
_SENTENCE_SERVED = re.compile(r"(?:刑期|羁押|折抵|考验期)[^。\n]{0,80}$")
"""Precedes the days on which a prison sentence begins and ends."""
_SUPPOSED = re.compile(r"(?:若|如果|假如|倘若|假设|假定|如|即使|要是)[^，。；\n]{0,12}$")
"""Precedes a hypothetical day, which counts for its own sentence only."""
_BEFORE_THE_LAW = date(1949, 10, 1)
"""Days before it are history: no law of the People's Republic applies to them."""
_COMMENTARY = re.compile(
    r"(?m)^[\s#*]{0,12}(?:[一二三四五六七八九十]{1,2}、|[（(][一二三四五六七八九十]{1,2}[）)])?\s{0,4}[【\[]?"
    r"(?:法官(?:解读|说法|提醒|点评|释法|后语|寄语)|专家(?:点评|解读)|(?:适用|案例)(?:解析|评析|解读)|评析|典型意义"
    r"|(?:法律|法条|法规|相关)?链接|(?:司法解释)?(?:相关|关联)(?:条文|法条|法律规定|规定)|裁判(?:要旨|要点|规则|摘要))"
    r"[】\]]?[\s*：:]{0,12}$"
)
"""The heading of a commentary on a case: its law is that of the day it was written."""
_HEAD = re.compile(
    r"(?m)^[\s　]{0,12}(?:#{1,6}\s|【[^】\n]{2,20}】[\s*]{0,12}$"
    r"|[（(]?[一二三四五六七八九十]{1,2}[）)、][^，。；\n]{2,20}$)"
)
"""Any heading: a commentary ends with the next one."""
_DECIDED = re.compile(
    r"(?:法院|本院)[^，。；\n]{0,16}?(?:认为|判决|裁定|判令|驳回|支持|改判|维持)|判决如下|裁定如下|宣判|判决生效"
)
"""Words found only in documents that report a court's decision."""
_SENTENCE_END = re.compile(r"[。！？!?；;\n]")
_CASE_NUMBER = re.compile(
    r"[（(〔]((?:19|20)\d\d)[）)〕][一-鿿]{1,4}\d{0,4}[一-鿿]{0,5}?"
    r"(?:(?P<appeal>[终再监抗])|[一-鿿])字?第?\d{1,6}号"
)
"""The number of a case, with the year it was registered in: it was judged then or a year later.
The trial an appeal speaks of may be the first one."""
_JUDGMENT = re.compile(
    r"(?:刑事|民事|行政|国家赔偿|执行|破产)(?:附带民事|附带民事诉讼)?(?:赔偿)?(?:判决书|裁定书|调解书|决定书)"
)


class DocumentDates:
    """The dates of a document, and which of them apply to a place in it.

    Args:
        document: the document.
        clock: what today is.
        facts: the days of the facts, if the user states them; they override the document.
        trial: the day of the trial, if the user states it.
        excluded: ranges whose dates are not the document's own: quotations and names of versions.
        citing: where the citations begin: a day in a sentence that cites is about what it cites.
    """

    def __init__(
        self,
        document: Document,
        *,
        clock: Clock,
        facts: DateRange | None = None,
        trial: DateRange | None = None,
        excluded: Collection[TextRange] = (),
        citing: Sequence[int] = (),
    ) -> None:
        self._document = document
        self._today = clock()
        self._stated, self._stated_trial = facts, trial
        self._excluded = _joined(excluded)
        self._citing = sorted(citing)
        mentions = scan_dates(document.text, clock=clock).mentions
        self._mentions = [
            self._day_before(one)
            for one in mentions
            if one.kind != "clock"
            and not _is_inside(one.start, self._excluded)
            and not self._is_of_version(one)
            and not _OF_INSTRUMENT.match(document.text, one.end)
            and one.range.start >= _BEFORE_THE_LAW
        ]
        self._mentions = [self._up_to_signature(one) for one in self._mentions]

    def _up_to_signature(self, mention: DateMention) -> DateMention:
        """A date that reaches to the day of the signature at most: 2015年以来 ends there."""
        signed, days = self._signed, mention.range
        if signed is None or days.start >= signed.range.start:
            return mention
        past = days.intersection(DateRange(days.start, signed.range.end))
        return replace(mention, range=past) if past else mention

    def _is_of_version(self, mention: DateMention) -> bool:
        """Whether a date names a version of a law, or the time a prison sentence is served."""
        text, start, end = self._document.text, mention.start, mention.end
        if _OF_VERSION.match(text, end):
            return True
        if text[end : end + 1] in ("）", ")") and _IN_BRACKETS.search(
            text, max(0, start - 6), start
        ):
            return True
        served = mention.is_range or text[end : end + 1] in "起止"
        return served and bool(_SENTENCE_SERVED.search(text, max(0, start - 90), start))

    def _day_before(self, mention: DateMention) -> DateMention:
        """The day before, where the document says that something was before a day."""
        if mention.is_range or not _BEFORE_IT.match(self._document.text, mention.end):
            return mention
        return replace(mention, range=DateRange.day(mention.range.start - timedelta(days=1)))

    def year_of_version(self, start: int, end: int) -> str | None:
        """The year in which, the document says, the law cited at a place was made or commenced.

        2010年7月1日施行的《侵权责任法》 names a version, whatever its paragraph is about; so does
        《网络安全法》第42条第1款（2016年）.
        """
        text = self._document.text
        made = _MADE.search(text, max(0, start - 40), start) or _MADE_BEHIND.match(text, end)
        return made[1] if made else None

    def at(
        self, start: int, end: int, *, procedural: bool = False, step: bool = False
    ) -> CheckedDays | None:
        """The days that ``text[start:end]`` is about; ``None`` where the document gives none.

        Args:
            start: where the text begins.
            end: where it ends.
            procedural: whether it is about procedure, which follows the day of the trial.
            step: whether it is about nothing but procedure: with no trial, that is the day on
                which the document is signed.
        """
        if self._stated is not None:
            return CheckedDays((self._stated,), "option", self._stated_trial)
        levels: tuple[tuple[DaysFrom, TextRange], ...] = (
            ("sentence", self._sentence(start, end)),
            ("paragraph", self.paragraph(start)),
            ("document", TextRange(0, len(self._document.text))),
        )
        commentary = self._is_commentary(start)
        if commentary:
            levels = levels[:2]
        judgment = self._is_judgment
        trial = self._trial if judgment else self._stated_trial
        for origin, near in levels:
            mentions = self._mentions_in(near)
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
                found = [one for one in found if not self._is_about_citation(one)] or found
            settings = [one for one in found if one.role == "setting"]
            found = settings or found or [one for one in mentions if one.role in _STEPS]
            if found:
                # A document may report several cases: its trial is that of its own facts.
                whole = origin == "document" or judgment
                days = _checked_days(found, origin, trial or (self._trial if whole else None))
                decided = origin == "document" and days.trial is None and self._is_decided
                return replace(days, decided=decided)
            if procedural and trial is not None and self._stated_trial is None:
                words = tuple(one.text for one in mentions if one.range == trial)
                return CheckedDays((trial,), origin, trial, words)
        if commentary:
            return None
        if step and self._signed is not None and self._trial is not None and not judgment:
            return CheckedDays((self._trial,), "document", self._trial)
        if self._signed is not None:
            return _checked_days([self._signed], "date_of_document", self._trial)
        if self._trial is not None:
            return CheckedDays((self._trial,), "document", self._trial)
        return None

    @cached_property
    def latest_year(self) -> int:
        """The last year that the document can refer to: that of its signature, else this year."""
        return self._signed.range.start.year if self._signed else self._today.year

    def case(self, days: CheckedDays) -> CaseDates:
        """The same days in the form in which the rules on the law in time take them."""
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
        """Whether a place is in a commentary on a case."""
        return self._stated_trial is None and _is_inside(place, self._commentaries)

    @cached_property
    def _commentaries(self) -> Sequence[TextRange]:
        text = self._document.text
        heads = [one.start() for one in _HEAD.finditer(text)]
        found: list[TextRange] = []
        for match in _COMMENTARY.finditer(text):
            following = bisect_right(heads, match.end())
            end = heads[following] if following < len(heads) else len(text)
            found.append(TextRange(match.start(), end))
        return found

    @cached_property
    def _is_decided(self) -> bool:
        return _DECIDED.search(self._document.text) is not None

    def _is_about_citation(self, mention: DateMention) -> bool:
        """Whether the sentence of a date cites law, so that the date is about that law."""
        near = self._sentence(mention.start, mention.end)
        at = bisect_left(self._citing, near.start)
        return at < len(self._citing) and self._citing[at] < near.end

    def _is_supposed(self, mention: DateMention) -> bool:
        text, start = self._document.text, mention.start
        return _SUPPOSED.search(text, max(0, start - 20), start) is not None

    def _mentions_in(self, near: TextRange) -> list[DateMention]:
        """The dates in a range, without the one the document is signed with."""
        first = bisect_right(self._mentions, near.start - 1, key=lambda one: one.start)
        last = bisect_right(self._mentions, near.end - 1, key=lambda one: one.start)
        return [one for one in self._mentions[first:last] if one is not self._signed]

    def _sentence(self, start: int, end: int) -> TextRange:
        """The sentence around a text, which may have stops of its own in a quotation."""
        text, block = self._document.text, self._block(start)
        earliest = max(block.start, start - _LONGEST_SENTENCE)
        latest = max(end, min(block.end, end + _LONGEST_SENTENCE))
        before = list(_SENTENCE_END.finditer(text, earliest, start))
        after = _SENTENCE_END.search(text, end, latest)
        first = before[-1].end() if before else earliest
        return TextRange(first, after.start() if after else latest)

    def paragraph(self, place: int) -> TextRange:
        """The paragraph a place is in."""
        block = self._block(place)
        return TextRange(block.start, block.end)

    def _block(self, place: int) -> Block:
        blocks = self._document.blocks
        at = bisect_right(blocks, place, key=lambda one: one.start) - 1
        return blocks[max(at, 0)] if blocks else Block("paragraph", 0, len(self._document.text))

    @cached_property
    def _signed(self) -> DateMention | None:
        """The date the document is signed with: at its end, alone in its line."""
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
        """The trial: stated by the user, the day of a judgment, or the last one mentioned."""
        if self._stated_trial is not None:
            return self._stated_trial
        if self._signed is not None and self._is_judgment:
            return self._signed.range
        stated = _latest(one for one in self._mentions if one.role in _TRIALS)
        number = _CASE_NUMBER.search(self._document.text[:600])
        if number and self._is_judgment:
            year = int(number[1])
            if stated is None or stated.start.year < year or number["appeal"]:
                start = date(year, 1, 1)
                start = max(start, stated.start) if stated else start
                return DateRange(start, date(max(year, start.year) + 2, 1, 1))
        return stated

    @cached_property
    def _is_judgment(self) -> bool:
        document = self._document
        return bool(_JUDGMENT.search(document.title) or _JUDGMENT.search(document.text[:300]))


def _joined(ranges: Iterable[TextRange]) -> list[TextRange]:
    """The same characters in as few ranges as possible, in order."""
    joined: list[TextRange] = []
    for one in sorted(ranges, key=lambda one: one.start):
        if joined and one.start <= joined[-1].end:
            joined[-1] = TextRange(joined[-1].start, max(joined[-1].end, one.end))
        else:
            joined.append(one)
    return joined


def _is_inside(place: int, ranges: Sequence[TextRange]) -> bool:
    """Whether a place is in one of some ranges, which are in order and do not overlap."""
    at = bisect_right(ranges, place, key=lambda one: one.start) - 1
    return at >= 0 and place < ranges[at].end


def _checked_days(
    mentions: Sequence[DateMention], origin: DaysFrom, trial: DateRange | None
) -> CheckedDays:
    facts = sorted(dict.fromkeys(one.range for one in mentions), key=lambda one: one.start)
    words = tuple(dict.fromkeys(one.text for one in mentions))
    return CheckedDays(tuple(facts), origin, trial, words)


def _latest(mentions: Iterable[DateMention]) -> DateRange | None:
    return max((one.range for one in mentions), key=lambda one: one.start, default=None)
