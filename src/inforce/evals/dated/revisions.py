"""Which revisions of a provision are worth a question (LegalSearch-R1, figure 13).

The guideline wants one of two things: the text differs by more than 20 % in character count, or the
meaning changes. The first is taken literally (``length``) and as the share of characters that
differ (``wording``), since a text can be rewritten without growing. The second is decided by rules
(another number, term, modal verb or condition), and where they find nothing, by a model if one is
given.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Literal

from inforce.evals.dated.meaning import ChangesMeaning
from inforce.law.diff import diff
from inforce.law.model import same_wording
from inforce.law.timeline import Span, Timeline
from inforce.scoring.dating import is_well_dated, wording_of

Reason = Literal["length", "wording", "number", "modal", "condition", "meaning"]
"""``length``: over 20 % more or fewer characters. ``wording``: over 20 % of the characters differ.
``number``: another amount, term or age. ``modal``: may, must or must not. ``condition``: a
qualification came or went. ``meaning``: a model says so; it is asked where nothing else holds."""

LEAST_CHANGE = 0.2

_NUMBER = re.compile(
    r"[〇零一二两三四五六七八九十百千万亿\d.]+(?:分之[一二三四五六七八九十百]+|个?[年月日天周元倍岁人次%％])"
)
"""An amount with its unit; references to articles (第七十四条第二款) are no amounts."""
_MODAL = re.compile(r"应当|必须|可以|不得|禁止|有权|无权|不予|免除|推定")
_CONDITION = re.compile(
    r"但是|但|除外|以外|如果|除非|未经|明知|故意|过失|情节|数额|后果|造成|致使|为目的|或者其他|条件"
)


@dataclass(frozen=True, slots=True)
class Revision:
    """A day on which a provision changed, both sides well dated."""

    timeline: Timeline
    before: Span
    after: Span
    reasons: tuple[Reason, ...]

    @property
    def first_day(self) -> date:
        """The first day of the new wording."""
        return self.after.window.start


def revisions(
    timeline: Timeline, *, until: date, changes_meaning: ChangesMeaning | None = None
) -> Iterator[Revision]:
    """The significant revisions of a provision that took effect by a day, in order of time.

    Args:
        timeline: of the provision.
        until: the last day on which a revision may take effect.
        changes_meaning: asked about a revision the rules find insignificant.
    """
    spans = [span for span in timeline.spans if is_well_dated(timeline, span)]
    for before, after in pairwise(spans):
        adjoin = before.window.end == after.window.start
        if adjoin and after.window.start <= until:
            reasons = _reasons(wording_of(before), wording_of(after), changes_meaning)
            if reasons:
                yield Revision(timeline, before, after, reasons)


def _reasons(old: str, new: str, changes_meaning: ChangesMeaning | None) -> tuple[Reason, ...]:
    found = significance(old, new)
    if found or changes_meaning is None or same_wording(old, new):
        return found
    return ("meaning",) if changes_meaning(old, new) else ()


def significance(old: str, new: str) -> tuple[Reason, ...]:
    """Why a revision is significant; empty where it is not.

    >>> significance("处三年以下有期徒刑。", "处五年以下有期徒刑。")
    ('number',)
    >>> significance("对于累犯，不适用缓刑。", "对于累犯不适用缓刑。")
    ()
    """
    if same_wording(old, new):
        return ()
    found: dict[Reason, bool] = {
        "length": length_change(old, new) > LEAST_CHANGE,
        "wording": wording_change(old, new) > LEAST_CHANGE,
        "number": _counted(_NUMBER, old) != _counted(_NUMBER, new),
        "modal": _counted(_MODAL, old) != _counted(_MODAL, new),
        "condition": _conditions_changed(old, new),
    }
    return tuple(reason for reason, holds in found.items() if holds)


def length_change(old: str, new: str) -> float:
    """How many more or fewer characters there are, as a share of the earlier text.

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
    """What a pattern finds, without order: a sentence that moved says the same."""
    return Counter(pattern.findall(_characters(text)))


def _conditions_changed(old: str, new: str) -> bool:
    changed = (piece.text for piece in diff(old, new) if piece.kind != "equal")
    return any(_CONDITION.search(text) for text in changed)
