"""Revisions of a rule that are significant enough for a question (LegalSearch-R1, figure 13).

The two sides of a revision are one rule before and after a day. Where a law was renumbered,
articles are paired by their wording (`inforce.law.lineage`): two unrelated texts under one number
are no revision. A rule that only moved is a revision of its own kind: its number changed, not its
text.

The guideline requires one of two things: the text differs by more than 20 % in character count, or
the meaning changes. The first is taken literally (``length``) and as the share of characters that
differ (``wording``), since a text can be rewritten without growing. The second is decided by rules
(another number, term, modal verb or condition) and, if they find nothing, by a model if there is
one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

from inforce.dates import DateRange
from inforce.law.alignment import similarity
from inforce.law.concordance import concordance
from inforce.law.diff import diff
from inforce.law.lineage import is_renumbered
from inforce.law.model import Caption, Provision, same_wording
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span, Timeline
from inforce.scoring.dating import is_well_dated, wording_of

if TYPE_CHECKING:
    from inforce.llm.models import Complete


Reason = Literal["length", "wording", "number", "modal", "condition", "meaning"]
"""``length``: over 20 % more or fewer characters. ``wording``: over 20 % of the characters differ.
``number``: another amount, term or age. ``modal``: may, must or must not. ``condition``: a
qualification was added or removed. ``meaning``: a model says so; it is asked if nothing else
holds."""

LEAST_CHANGE = 0.2

_NUMBER = re.compile(
    r"[〇零一二两三四五六七八九十百千万亿\d.]+(?:分之[一二三四五六七八九十百]+|个?[年月日天周元倍岁人次%％])"
)
"""An amount with its unit; references to articles (第七十四条第二款) are no amounts."""
_MODAL = re.compile(r"应当|必须|可以|不得|禁止|有权|无权|不予|免除|推定")
_CONDITION = re.compile(
    r"但是|但|除外|以外|如果|除非|未经|明知|故意|过失|情节|数额|后果|造成|致使|为目的|或者其他|条件"
)


Change = Literal["amended", "threshold", "renamed", "moved"]
"""``threshold``: amounts, terms or ages differ, and hardly any other word. ``renamed``: the crime
of the article got another name (罪名) with the change. ``moved``: the same text under another
number. ``amended``: any other change of the text."""

CHANGES: tuple[Change, ...] = ("amended", "threshold", "renamed", "moved")

LEAST_SHARED = 0.4
"""Least share of common character pairs, and of unchanged characters, in wordings of one rule."""

_LITTLE = 0.05
"""Share of the text around its amounts that may differ if an article changed its amounts."""

_COMMENCEMENT = re.compile(r"自[^，。；]{4,16}(?:日起)?(?:施行|实施|执行)")
"""The clause of a law on its own first day; its change is no amendment of a rule."""

_NAMED_WITHIN = timedelta(days=365)
"""The courts fix the new name of a crime some months after the change of its article."""


@dataclass(frozen=True, slots=True)
class Side:
    """A rule on one side of a day: its number and its wording."""

    timeline: Timeline
    """Of its number."""
    span: Span

    @property
    def text(self) -> str:
        """The wording."""
        return wording_of(self.span)


@dataclass(frozen=True, slots=True)
class Revision:
    """A day on which a rule changed, both sides well dated."""

    before: Side
    after: Side
    change: Change
    changed: float
    """The share of its characters that differ; 0 for a rule that only moved."""
    reasons: tuple[Reason, ...]

    @property
    def first_day(self) -> date:
        """The first day of the new wording or number."""
        return self.after.span.window.start

    @property
    def law(self) -> str:
        """Title of the law."""
        return self.after.timeline.work

    @property
    def keeps_number(self) -> bool:
        """True if the rule has the same number on both sides."""
        return self.before.timeline.number == self.after.timeline.number


def revisions(
    timelines: Iterable[Timeline],
    *,
    until: date,
    changes_meaning: ChangesMeaning | None = None,
    names: Sequence[Caption] = (),
) -> Iterator[Revision]:
    """The significant revisions of a law that took effect by a day, in order of time and number.

    Args:
        timelines: of the articles of one law.
        until: the last day on which a revision may take effect.
        changes_meaning: decides on revisions that the rules find insignificant.
        names: of crimes, with the days on which they were official.
    """
    law = _Law(sorted(timelines, key=lambda one: one.number))
    for day in law.days(until):
        for before, after in law.pairs(day):
            old, new = before.text, after.text
            if same_wording(old, new):
                if before.timeline.number != after.timeline.number:
                    yield Revision(before, after, "moved", 0.0, ())
                continue
            changed = wording_change(old, new)
            if changed > 1 - LEAST_SHARED or _COMMENCEMENT.search(new):
                continue
            reasons = significance(old, new)
            if not reasons and changes_meaning and changes_meaning(old, new):
                reasons = ("meaning",)
            if reasons:
                yield Revision(before, after, _change(before, after, names), changed, reasons)


@dataclass(frozen=True, slots=True)
class _Law:
    """The articles of one law, by number."""

    timelines: Sequence[Timeline]

    def days(self, until: date) -> list[date]:
        """The days on which a well-dated wording began and another ended."""
        windows = [
            span.window
            for timeline in self.timelines
            for span in timeline.spans
            if is_well_dated(timeline, span)
        ]
        begun, ended = {one.start for one in windows}, {one.end for one in windows}
        return sorted(day for day in begun & ended if day and day <= until)

    def pairs(self, day: date) -> list[tuple[Side, Side]]:
        """Each rule as it was the day before and as it is on a day, if it changed then."""
        before, after = self._sides(day - timedelta(1)), self._sides(day)
        old, new = _provisions(before), _provisions(after)
        if is_renumbered(old, new):
            rows = concordance(old, new).rows
            numbers = [
                (row.old.number, row.new.number)
                for row in rows
                if row.old and row.new and row.kind in ("moved", "changed", "moved and changed")
            ]
        else:
            numbers = [(one.number, one.number) for one in old if one.number in after]
        pairs = [(before[one], after[other]) for one, other in numbers]
        return [(one, other) for one, other in pairs if _adjoin(one, other, day)]

    def _sides(self, day: date) -> dict[ProvisionNumber, Side]:
        on = DateRange.day(day)
        found = ((one, one.versions_in(on).found) for one in self.timelines)
        return {one.number: Side(one, spans[0]) for one, spans in found if spans}


def _provisions(sides: Mapping[ProvisionNumber, Side]) -> list[Provision]:
    return [one.span.provision for one in sides.values() if one.span.provision]


def _adjoin(before: Side, after: Side, day: date) -> bool:
    """True if one wording of a rule ended and the other began on a day beyond dispute."""
    is_dated = all(is_well_dated(one.timeline, one.span) for one in (before, after))
    meet = before.span.window.end == day == after.span.window.start
    return is_dated and meet and similarity(before.text, after.text) >= LEAST_SHARED


def _change(before: Side, after: Side, names: Sequence[Caption]) -> Change:
    """The kind of change of the text of a rule."""
    day = after.span.window.start
    old = _names(before, day - timedelta(1), names)
    last = after.span.window.last or date.max
    new = _names(after, min(day + _NAMED_WITHIN, last), names)
    if old and new and old != new:
        return "renamed"
    amounts = [_counted(_NUMBER, one.text) for one in (before, after)]
    rest = [_NUMBER.sub("", _characters(one.text)) for one in (before, after)]
    is_threshold = amounts[0] != amounts[1] and wording_change(*rest) <= _LITTLE
    return "threshold" if is_threshold else "amended"


def _names(side: Side, day: date, names: Sequence[Caption]) -> frozenset[str]:
    number, on = side.timeline.number, DateRange.day(day)
    return frozenset(one.name for one in names if one.number == number and one.window.overlaps(on))


def significance(old: str, new: str) -> tuple[Reason, ...]:
    """Why a revision is significant; empty where it is not.

    >>> significance("处三年以下有期徒刑。", "处五年以下有期徒刑。")
    ('number',)
    >>> significance("对于累犯，不适用缓刑。", "对于累犯不适用缓刑。")
    ()
    """
    if same_wording(old, new):
        return ()
    changed = (piece.text for piece in diff(old, new) if piece.kind != "equal")
    found: dict[Reason, bool] = {
        "length": length_change(old, new) > LEAST_CHANGE,
        "wording": wording_change(old, new) > LEAST_CHANGE,
        "number": _counted(_NUMBER, old) != _counted(_NUMBER, new),
        "modal": _counted(_MODAL, old) != _counted(_MODAL, new),
        "condition": any(_CONDITION.search(text) for text in changed),
    }
    return tuple(reason for reason, holds in found.items() if holds)


def length_change(old: str, new: str) -> float:
    """The difference in characters, as a share of the earlier text.

    >>> length_change("一二三四五", "一二三四五 六")
    0.2
    """
    before, after = len(_characters(old)), len(_characters(new))
    return abs(after - before) / before if before else float(after > 0)


def wording_change(old: str, new: str) -> float:
    """The least share of characters to change, insert or delete, of those of the longer text.

    >>> wording_change("一二三四五", "一二三四六")
    0.2
    """
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_distance(_characters(old), _characters(new))


def _characters(text: str) -> str:
    return "".join(text.split())


def _counted(pattern: re.Pattern[str], text: str) -> Counter[str]:
    """The matches of a pattern, without order: a moved sentence has the same meaning."""
    return Counter(pattern.findall(_characters(text)))


ChangesMeaning = Callable[[str, str], bool | None]
"""True if a change from the first to the second text changes the meaning; ``None``: unknown."""

_QUESTION = """\
下面是同一条文修改前后的两个文本。请判断修改是否改变了条文的法律含义或者适用范围，例如增减适用条件、\
调整处罚幅度、改变推定或者举证责任；只改文字、标点、机关名称或者条文序号的不算。
只回答“是”或者“否”。

修改前：
{old}

修改后：
{new}
"""
_VERDICT = re.compile(r"[“\"'\s]*(是|否)[”\"'。.\s]*")


def model_reads_meaning(complete: Complete) -> ChangesMeaning:
    """Ask a model; a reply other than yes or no counts as unknown.

    >>> model_reads_meaning(lambda prompt: "是。")("处三年以下有期徒刑", "处三年以上有期徒刑")
    True
    """

    def changes_meaning(old: str, new: str) -> bool | None:
        verdict = _VERDICT.fullmatch(complete(_QUESTION.format(old=old, new=new)))
        return None if verdict is None else verdict[1] == "是"

    return changes_meaning
