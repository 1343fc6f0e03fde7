"""Which cases papers keep, and how many each of their rules removes.

``msr2``
    MSR2, section 4.1, after PLJP: a fixed term of at least a month, one charge, one article.
``ladan``
    LADAN's small set: no 二审 in the fact, one charge, one article, and labels that at least a
    hundred cases of the training and validation sets have. Death, life and no term stay.
``none``
    Whatever the file holds; a fact that comes twice is still kept once.

An article that a file names twice for one case is one article.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from inforce.scoring.cases import Case

FilterName = Literal["msr2", "ladan", "none"]

FILTERS: tuple[FilterName, ...] = get_args(FilterName)

LEAST = 100
"""Cases a label of LADAN's small set has (CAIL-small)."""

APPEAL = "二审"


@dataclass(frozen=True, slots=True)
class Rule:
    """A reason for which a case is left out."""

    reason: str
    applies: Callable[[Case], bool]


@dataclass(frozen=True, slots=True)
class Filtered:
    """What is left, in order, and how many cases each rule removed."""

    cases: tuple[Case, ...]
    removed: dict[str, int]
    """By reason, in the order of the rules; a case counts under the first that removes it."""


_INCOMPLETE = Rule("article, charge or term not stated", lambda case: not case.is_complete)
_SINGLE = (
    Rule("several charges", lambda case: len(case.charges) > 1),
    Rule("several articles", lambda case: len(case.articles) > 1),
)
_RULES: dict[FilterName, tuple[Rule, ...]] = {
    "msr2": (
        _INCOMPLETE,
        Rule("death penalty", lambda case: case.death),
        Rule("life imprisonment", lambda case: case.life),
        Rule("no term", lambda case: case.months == 0),
        *_SINGLE,
    ),
    "ladan": (_INCOMPLETE, Rule("second instance", lambda case: APPEAL in case.fact), *_SINGLE),
    "none": (),
}


def filtered(cases: Sequence[Case], name: FilterName) -> Filtered:
    """The cases a paper keeps, each fact once; see `without_rare` for LADAN's last rule."""
    return _apply((_Repeated().rule, *_RULES[name]), cases)


def without_rare(cases: Sequence[Case], counted: Sequence[Case], *, least: int = LEAST) -> Filtered:
    """The cases whose article and charge are each had by enough of the cases counted."""
    articles = Counter(case.article for case in counted)
    charges = Counter(case.charge for case in counted)
    rules = (
        Rule("a rare article", lambda case: articles[case.article] < least),
        Rule("a rare charge", lambda case: charges[case.charge] < least),
    )
    return _apply(rules, cases)


class _Repeated:
    """Knows the facts it has been shown."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    @property
    def rule(self) -> Rule:
        return Rule("the same fact again", self._is_known)

    def _is_known(self, case: Case) -> bool:
        known = case.fingerprint in self._seen
        self._seen.add(case.fingerprint)
        return known


def _apply(rules: Sequence[Rule], cases: Sequence[Case]) -> Filtered:
    reasons = [_reason(case, rules) for case in cases]
    counts = Counter(reasons)
    kept = tuple(case for case, reason in zip(cases, reasons, strict=True) if not reason)
    return Filtered(kept, {rule.reason: counts[rule.reason] for rule in rules})


def _reason(case: Case, rules: Sequence[Rule]) -> str:
    return next((rule.reason for rule in rules if rule.applies(case)), "")
