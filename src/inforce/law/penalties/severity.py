"""Whether a later wording punishes an act more lightly than an earlier one (从旧兼从轻).

刑法 art. 12 with 法释〔1997〕12号: of several tiers those count that fit the facts; the maximum of
the main penalty decides, then the minimum. Where the facts choose a tier in both wordings
(`inforce.law.penalties.tier_selection`) these two are compared. Where they do not, the tiers of
equal gravity are: if every one of them leads the same way, the facts cannot matter. A wording that
covers more conduct than before (widened) is never lighter for that; one that covers less (narrowed)
may be.

>>> old, new = "犯罪的，处五年以下有期徒刑。", "犯罪的，处三年以下有期徒刑。"
>>> compare_severity(old, new).result
'lighter'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise, product

from inforce.law.diff import diff
from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.amounts import CaseFacts, find_money
from inforce.law.penalties.elements import Change, Reviewed, bare, change_of, reviewed_changes
from inforce.law.penalties.mitigation import added_mitigation, bar_to_prosecution, protection
from inforce.law.penalties.ranges import Comparison, PenaltyRange, compare_ranges
from inforce.law.penalties.tier_selection import TierSelection, choose_offence, select_tiers
from inforce.law.penalties.tiers import GRADES, Offence, Tier, read_offences


@dataclass(frozen=True, slots=True)
class Severity:
    """Whether the later wording is lighter, heavier or the same, and why."""

    result: Comparison
    reason: str
    steps: tuple[str, ...] = ()
    """How the facts chose the tiers: amounts, thresholds, sources, and what was assumed."""
    establish: tuple[str, ...] = ()
    """What would have to be known where it cannot be decided."""
    by_interpretation: bool = False
    """Whether it is not the statute but the thresholds of interpretations that differ."""


@dataclass(frozen=True, slots=True)
class ActAndTrial:
    """The article that is compared, and the days it is compared for."""

    number: ProvisionNumber
    act: date
    """The day whose interpretations give the thresholds of the earlier wording."""
    trial: date
    changes: tuple[date, ...] = ()
    """The first days of the wordings after that of the act, up to that of the trial."""


def compare_severity(
    old: str,
    new: str,
    *,
    facts: CaseFacts | None = None,
    between: ActAndTrial | None = None,
) -> Severity:
    """Whether the later wording of a provision punishes more lightly, seen from the earlier one.

    Args:
        old: the wording in force at the act.
        new: the wording in force at the trial.
        facts: what is known of the case; with ``between`` it chooses the tiers.
        between: the article of 刑法 and the days, for thresholds and reviewed amendments.
    """
    if facts and (bar := bar_to_prosecution(old, new, facts)):
        return Severity("lighter", f"by the later wording nobody is prosecuted then: {bar}")
    if facts and (protecting := protection(old, new, facts)):
        return Severity("lighter", f"the later wording protects the accused: {protecting}")
    before, after = read_offences(old), read_offences(new)
    same_words = bare(old) == bare(new)
    reviewed = (
        reviewed_changes(between.number.short, between.changes, case=facts.text if facts else "")
        if between
        else None
    )
    wordings = _Wordings(before, after, facts or CaseFacts(), between, reviewed)
    by_facts = wordings.compare_by_facts(same_words) if before and after and facts else None
    is_reviewed = reviewed is not None and reviewed.result is not None and not same_words
    decides = by_facts and by_facts.result in ("lighter", "heavier")
    if by_facts and not (same_words and by_facts.result == "same") and (decides or not is_reviewed):
        return _with_mitigation(by_facts, old, new, wordings.facts)
    if same_words:
        return Severity("same", "the wording is the same")
    if reviewed and reviewed.result:
        return Severity(reviewed.result, "by a reading of the amendment for every act of before")
    if not before and not after:
        return _compare_bars(old, new)
    if before and after:
        return _with_mitigation(wordings.compare_by_grade(), old, new, wordings.facts)
    if _AGGRAVATES.match(old) and _DELETED.match(new.strip()):
        return Severity(
            "lighter", "the provision only made the penalty of others heavier; it is gone"
        )
    return Severity(
        "cannot decide",
        "only one of the wordings states a penalty",
        establish=("which provision punished the act at the other time",),
    )


_LEAST_LIKENESS = 0.3
"""Of two wordings of one offence: see `_likeness`."""
_AGGRAVATES = re.compile("犯本(?:节|章)[^，。]{2,60}规定之罪")
_DELETED = re.compile(r"[（(]?删去[）)]?$|$")


def _with_mitigation(found: Severity, old: str, new: str, facts: CaseFacts) -> Severity:
    """The result, corrected where the later wording favours the accused on these facts."""
    added = added_mitigation(old, new, facts)
    if not added.sentences or found.result not in ("heavier", "same"):
        return found
    statement = "; ".join(added.sentences)
    if added.fulfilled and found.result == "same":
        reason = f"{found.reason}; and the later wording also says: {'; '.join(added.fulfilled)}"
        return replace(found, result="lighter", reason=reason)
    if added.may_apply:
        return replace(
            found,
            result="cannot decide",
            reason=f"{found.reason}; but the later wording also says: {statement}",
            establish=("whether the rule in favour of the accused in the later wording applies",),
        )
    return replace(found, steps=(*found.steps, f"the later wording also says: {statement}"))


@dataclass(frozen=True, slots=True)
class _Wordings:
    """The offences of two wordings, and what is known of the case."""

    before: Sequence[Offence]
    after: Sequence[Offence]
    facts: CaseFacts
    between: ActAndTrial | None
    reviewed: Reviewed | None

    def compare_by_facts(self, same_words: bool) -> Severity | None:
        """The tiers the facts choose, compared; ``None`` where the facts choose none."""
        old, new = choose_offence(self.before, self.facts), choose_offence(self.after, self.facts)
        if old is None or new is None or self.between is None:
            return None
        article = self.between.number.main
        at_act = select_tiers(old, self.facts, article=article, day=self.between.act)
        at_trial = select_tiers(new, self.facts, article=article, day=self.between.trial)
        if not (at_act.facts_decide or at_trial.facts_decide):
            return None
        if len(old.tiers) == len(new.tiers) == 1:
            return None
        found = _compare_selections(at_act, at_trial, self.facts)
        if same_words:
            return replace(found, by_interpretation=True)
        change = self._change(old, new)
        if change in ("same", "widened") or found.result == "cannot decide":
            return found
        if change == "narrowed" and found.result == "lighter":
            return found
        reason = f"the elements of the crime changed too; {found.reason}"
        establish = ("whether the act fulfils the elements of both wordings",)
        return replace(found, result="cannot decide", reason=reason, establish=establish)

    def compare_by_grade(self) -> Severity:
        """Every tier beside the one of equal gravity, for each offence of the earlier wording."""
        if any(_names_amounts(offence) for offence in (*self.before, *self.after)):
            return Severity(
                "cannot decide",
                "the tiers turn on amounts the statute names, and the facts state none",
                establish=("the amount",),
            )
        pairs = self._paired()
        if pairs is None:
            return Severity(
                "cannot decide",
                "the later wording knows no offence like one of the earlier wording",
                establish=("which provision punishes the act at the trial",),
            )
        found = [self._compare_offence(old, new) for old, new in pairs]
        each = "; ".join(dict.fromkeys(severity.reason for severity in found))
        if agreed := _agreed([severity.result for severity in found], each):
            establish = dict.fromkeys(point for severity in found for point in severity.establish)
            return replace(agreed, establish=tuple(establish))
        which = "which offence of the article, and which of its tiers, the facts are"
        return Severity("cannot decide", each, establish=(which,))

    def _paired(self) -> list[tuple[Offence, Offence]] | None:
        """Each offence of the earlier wording with its like of the later one; people before units.

        ``None`` where one has none.
        """
        people = [offence for offence in self.before if not offence.unit] or list(self.before)
        if self.facts.text and len(people) > 1:
            chosen = choose_offence(people, self.facts)
            people = [chosen] if chosen else people
        pairs: list[tuple[Offence, Offence]] = []
        for old in people:
            alike = [offence for offence in self.after if offence.unit == old.unit]
            best = max(alike, key=lambda new: _likeness(old, new), default=None)
            if best is None or _likeness(old, best) < _LEAST_LIKENESS:
                return None
            pairs.append((old, best))
        return pairs

    def _compare_offence(self, old: Offence, new: Offence) -> Severity:
        """One offence in two wordings: the tiers of every gravity, and what the elements cover."""
        present = {tier.grade for tier in (*old.tiers, *new.tiers)}
        pairs = {(old.tier(grade), new.tier(grade)): None for grade in GRADES if grade in present}
        pairs |= _moved(old, new, widened=bool(self.reviewed))
        tiers = [_TierPair.of(earlier, later) for earlier, later in pairs]
        found = _agreed([tier.result for tier in tiers], _each(tiers))
        if found is None:
            reason = "the tier that fits the facts decides (法释〔1997〕12号 art. 2): "
            which = ("which tier the facts fall under (amount, circumstances, consequences)",)
            found = Severity("cannot decide", reason + _each(tiers), establish=which)
        return _with_elements(found, self._change(old, new))

    def _change(self, old: Offence, new: Offence) -> Change:
        return self.reviewed.elements if self.reviewed else change_of(old.elements, new.elements)


@dataclass(frozen=True, slots=True)
class _TierPair:
    """A tier of the earlier wording beside the one of the later wording for the same facts."""

    old: PenaltyRange
    new: PenaltyRange
    result: Comparison

    @classmethod
    def of(cls, old: Tier, new: Tier) -> _TierPair:
        return cls(old.range, new.range, compare_ranges(old.range, new.range))


def _each(tiers: Iterable[_TierPair]) -> str:
    return "; ".join(
        dict.fromkeys(f"{tier.old.text} → {tier.new.text}: {tier.result}" for tier in tiers)
    )


def _agreed(results: Sequence[Comparison], each: str) -> Severity | None:
    """The result of all tiers or offences where they agree, or heavier where none is lighter."""
    if len(set(results)) == 1:
        return Severity(results[0], each)
    if set(results) == {"heavier", "same"}:
        return Severity("heavier", f"lighter in no tier: {each}")
    return None


def _compare_selections(
    at_act: TierSelection, at_trial: TierSelection, facts: CaseFacts
) -> Severity:
    """The tiers the facts may fall under at the act beside those at the trial.

    Where the same figures choose them at both times, whichever tier it is at one time it is at the
    other; else every tier of one is held against every tier of the other.
    """
    alike = at_act.reasons == at_trial.reasons and len(at_act.tiers) == len(at_trial.tiers)
    pairs = zip(at_act.tiers, at_trial.tiers, strict=True) if alike else None
    tiers = [
        _TierPair.of(earlier, later)
        for earlier, later in pairs or product(at_act.tiers, at_trial.tiers)
    ]
    steps = (
        *(f"at the act: {reason}" for reason in at_act.reasons),
        *(f"at the trial: {reason}" for reason in at_trial.reasons),
        *dict.fromkeys((*at_act.assumed, *at_trial.assumed)),
    )
    if at_act.below != at_trial.below or (at_act.below and not alike):
        return replace(_perhaps_no_crime(at_act, at_trial, tiers), steps=steps)
    found = _agreed([tier.result for tier in tiers], _each(tiers))
    if found is None or found.result == "cannot decide":
        reason = f"the tier that fits the facts decides (法释〔1997〕12号 art. 2): {_each(tiers)}"
        establish = _to_establish(at_act, at_trial, facts)
        found = Severity("cannot decide", reason, establish=establish)
    return replace(found, steps=steps)


def _perhaps_no_crime(
    at_act: TierSelection, at_trial: TierSelection, tiers: Sequence[_TierPair]
) -> Severity:
    """Facts that may not amount to the crime under one of the laws: then that one is lighter."""
    reason = "the amount may be too little for a crime"
    if at_trial.below and not at_act.below and all(t.result in ("same", "lighter") for t in tiers):
        statement = f"{reason} at the trial; if it is a crime there, the tiers are: {_each(tiers)}"
        return Severity("lighter", statement)
    if at_act.below and not at_trial.below and all(t.result in ("same", "heavier") for t in tiers):
        statement = f"{reason} at the act; if it was a crime then, the tiers are: {_each(tiers)}"
        return Severity("heavier", statement)
    when = "at the act" if at_act.below else "at the trial"
    establish = ("whether the act was a crime at the time, by the figure of the province",)
    return Severity("cannot decide", f"{reason} {when}: {_each(tiers)}", establish=establish)


def _to_establish(
    at_act: TierSelection, at_trial: TierSelection, facts: CaseFacts
) -> tuple[str, ...]:
    if not (at_act.facts_decide and at_trial.facts_decide):
        when = "act" if at_trial.facts_decide else "trial"
        return (f"the tier under the law at the {when}: no threshold for it is known",)
    if facts.several_sums:
        return ("the sum that counts: several are stated and no total",)
    if facts.money is None and not facts.drugs:
        return ("the amount, or how grave the circumstances are",)
    return ("which tier the facts fall under: the province's figure, or further circumstances",)


def _names_amounts(offence: Offence) -> bool:
    """Whether the statute itself names the amounts of the tiers (刑法 art. 383 of 1997)."""
    return len(offence.tiers) > 1 and bool(
        find_money("".join(tier.condition for tier in offence.tiers if tier.condition))
    )


def _likeness(old: Offence, new: Offence) -> float:
    """The share of the shorter one's character pairs that the other has too, 0 to 1.

    Elements that only name the offence (对犯行贿罪的) are like any.
    """
    left, right = (set(pairwise(bare(offence.elements))) for offence in (old, new))
    shorter = min(len(left), len(right))
    return len(left & right) / shorter if shorter > 2 else 1.0


def _moved(old: Offence, new: Offence, *, widened: bool) -> dict[tuple[Tier, Tier], None]:
    """Tiers to compare because a tier's own condition covers more, or less, than before.

    Of an amendment that was reviewed and only widened, conditions too cover more.
    """
    moved: dict[tuple[Tier, Tier], None] = {}
    for tier in old.tiers[1:]:
        like = new.tier(tier.grade)
        conditions = ["".join((side.condition, *side.items)) for side in (tier, like)]
        if like.grade != tier.grade or not _BY_WORDS.search("".join(conditions)):
            continue
        change = change_of(*conditions)
        if change in ("widened", "changed"):
            moved[old.tiers[0], like] = None
        if change == "narrowed" or (change == "changed" and not widened):
            moved[tier, new.tiers[0]] = None
    return moved


_BY_WORDS = re.compile("损失|危害|后果|伤|死|下列|所列|杀害|逃逸")
"""Conditions that say what happened; 数额巨大 and 情节严重 are filled by the courts."""


def _with_elements(penalty: Severity, change: Change) -> Severity:
    """The result of the penalties, as far as the change of the elements allows it."""
    match change, penalty.result:
        case "same", _:
            return penalty
        case "widened", "heavier" | "same":
            return replace(penalty, reason=f"the later wording covers more; {penalty.reason}")
        case "narrowed", "lighter":
            return replace(penalty, reason=f"the later wording covers less; {penalty.reason}")
        case "widened", _:
            establish = "that the act was a crime under the wording of its time"
        case "narrowed", _:
            establish = "whether the act is still a crime under the later wording"
        case _:
            establish = "whether the act fulfils the elements of both wordings"
    reason = f"the elements of the crime changed too ({change}); {penalty.reason}"
    return Severity("cannot decide", reason, establish=(establish, *penalty.establish))


_BARS_LENIENCY = re.compile("不适用缓刑|不得假释|不得减刑")
_SENTENCE = re.compile(r"[^。；\n]+")
_LENGTHENS_A_LIST = re.compile("^(?:和|、|或者|以及|及)")


def _compare_bars(old: str, new: str) -> Severity:
    """Wordings without a penalty range: decided only if a bar to leniency was made wider.

    That is a sentence that rules out 缓刑, 假释 or 减刑 and now names further cases.
    """
    before, after = _SENTENCE.findall(old), _SENTENCE.findall(new)
    dropped = [sentence for sentence in before if sentence not in after]
    added = [sentence for sentence in after if sentence not in before]
    if len(dropped) == len(added) == 1 and _widens_a_bar(dropped[0], added[0]):
        return Severity("heavier", f"a measure of leniency is ruled out in more cases: {added[0]}")
    return Severity(
        "cannot decide",
        "the provision states no penalty range that could be compared",
        establish=("whether the change favours the accused in this case",),
    )


def _widens_a_bar(old: str, new: str) -> bool:
    if not (_BARS_LENIENCY.search(old) and _BARS_LENIENCY.search(new)):
        return False
    changes = [piece for piece in diff(old, new) if piece.kind != "equal"]
    return all(
        piece.kind == "inserted" and _LENGTHENS_A_LIST.match(piece.text) for piece in changes
    )
