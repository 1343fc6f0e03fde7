"""The split of cases into training, validation and test, 8 : 1 : 1, by their facts.

The side of a case follows from the fingerprint of its fact and the seed alone. So copies of a fact,
also those that differ in white space, are on one side, and a case stays on its side whatever else
is in the file. The proportions hold on average, not exactly.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from inforce.scoring.cases import Case

Side = Literal["train", "valid", "test"]

CJO22 = "cjo22_test"
"""A collection that is a separate test set (Wu et al., 2023)."""

EVALUATIONS = frozenset({CJO22, "legalsearch_r1", "lexeval"})
"""Collections that are used for evaluation: nothing is learned from them."""

_PARTS = 10


@dataclass(frozen=True, slots=True)
class Split:
    """The sides, each in the order of the file."""

    train: tuple[Case, ...]
    valid: tuple[Case, ...]
    test: tuple[Case, ...]
    cjo22: tuple[Case, ...] = ()
    held_back: int = 0
    """Cases that may not be learned from and are in no test set."""


def side_of(fingerprint: str, *, seed: int = 0) -> Side:
    """The side of a fact.

    >>> side_of("0" * 32) == side_of("0" * 32)
    True
    """
    place = draw(fingerprint, seed=seed) % _PARTS
    return "train" if place < _PARTS - 2 else "valid" if place == _PARTS - 2 else "test"


def draw(fingerprint: str, *, seed: int) -> int:
    """A number drawn for a fact: the same for the same seed, evenly distributed."""
    lot = hashlib.sha256(f"{seed} {fingerprint}".encode()).digest()
    return int.from_bytes(lot[:8], "big")


def split(
    cases: Sequence[Case], *, seed: int = 0, excluded: Collection[str] = frozenset()
) -> Split:
    """Split cases.

    Args:
        cases: in any order.
        seed: another seed gives another split.
        excluded: fingerprints of facts nothing may be learned from
            (`inforce.retrieval.sources.exclusion.read_exclusions`).
    """
    forbidden = _fingerprints(cases, EVALUATIONS) | set(excluded)
    cjo22 = _fingerprints(cases, {CJO22})
    found: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        fact = case.fingerprint
        side = "cjo22" if fact in cjo22 else side_of(fact, seed=seed)
        is_forbidden = side in ("train", "valid") and fact in forbidden
        found["held back" if is_forbidden else side].append(case)
    return Split(
        tuple(found["train"]),
        tuple(found["valid"]),
        tuple(found["test"]),
        tuple(found["cjo22"]),
        len(found["held back"]),
    )


def _fingerprints(cases: Sequence[Case], collections: Collection[str]) -> set[str]:
    """The facts of the cases in these collections."""
    return {one.fingerprint for one in cases if not set(collections).isdisjoint(one.sources)}


def limited(train: Sequence[Case], most: int, *, seed: int = 0) -> tuple[Case, ...]:
    """At most so many cases, drawn evenly; a larger limit includes the cases of a smaller one."""
    drawn = sorted(train, key=lambda case: draw(case.fingerprint, seed=seed))[:most]
    chosen = {case.fingerprint for case in drawn}
    return tuple(case for case in train if case.fingerprint in chosen)
