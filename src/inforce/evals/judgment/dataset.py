"""The cases of a run, filtered and split into training, validation and test cases.

Each paper has its own filter for the cases of CAIL2018:

``msr2``
    MSR2, section 4.1, after PLJP: a fixed term of at least a month, one charge, one article.
``ladan``
    LADAN's small set: no 二审 in the fact, one charge, one article, and labels that at least a
    hundred cases of the training and validation sets have. Death, life and no term stay.
``none``
    All cases of the file; a fact that occurs twice still counts once.

An article that a file names twice for one case is one article.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from inforce.errors import InputError
from inforce.evals.benchmark import Setup, read_options
from inforce.retrieval.sources.exclusion import read_exclusions
from inforce.scoring.answers import ChargeNames
from inforce.scoring.cases import Case, read_cases
from inforce.scoring.split import Split, limited, split

FilterName = Literal["msr2", "ladan", "none"]

LEAST = 100
"""Cases a label of LADAN's small set has (CAIL-small)."""

APPEAL = "二审"

Rule = Callable[[Case], bool]


@dataclass(frozen=True, slots=True)
class Filtered:
    """The remaining cases, in order, and the number each rule removed."""

    cases: tuple[Case, ...]
    removed: dict[str, int]
    """By reason, in the order of the rules; a case counts under the first rule that removes it."""


_INCOMPLETE: dict[str, Rule] = {
    "article, charge or term not stated": lambda case: not case.is_complete
}
_SINGLE: dict[str, Rule] = {
    "several charges": lambda case: len(case.charges) > 1,
    "several articles": lambda case: len(case.articles) > 1,
}
_RULES: dict[FilterName, dict[str, Rule]] = {
    "msr2": {
        **_INCOMPLETE,
        "death penalty": lambda case: case.death,
        "life imprisonment": lambda case: case.life,
        "no term": lambda case: case.months == 0,
        **_SINGLE,
    },
    "ladan": {**_INCOMPLETE, "second instance": lambda case: APPEAL in case.fact, **_SINGLE},
    "none": {},
}


def filtered(cases: Sequence[Case], name: FilterName) -> Filtered:
    """Filter cases as a paper does, each fact once; see `without_rare` for LADAN's last rule."""
    seen: set[str] = set()

    def is_repeated(case: Case) -> bool:
        known = case.fingerprint in seen
        seen.add(case.fingerprint)
        return known

    return _apply({"the same fact again": is_repeated, **_RULES[name]}, cases)


def without_rare(cases: Sequence[Case], counted: Sequence[Case], *, least: int = LEAST) -> Filtered:
    """The cases whose article and charge are both frequent enough among the counted cases."""
    articles = Counter(case.article for case in counted)
    charges = Counter(case.charge for case in counted)
    rules: dict[str, Rule] = {
        "a rare article": lambda case: articles[case.article] < least,
        "a rare charge": lambda case: charges[case.charge] < least,
    }
    return _apply(rules, cases)


def _apply(rules: Mapping[str, Rule], cases: Sequence[Case]) -> Filtered:
    reasons = [next((why for why, rule in rules.items() if rule(case)), "") for case in cases]
    counts = Counter(reasons)
    rest = tuple(case for case, reason in zip(cases, reasons, strict=True) if not reason)
    return Filtered(rest, {reason: counts[reason] for reason in rules})


TestSet = Literal["test", "cjo22_test", "all"]

CAIL = "CAIL2018"
CJO = "CJO22"

OPTIONS: Mapping[str, str] = {
    "split": "what is asked: test (the default), cjo22_test, or all for both",
    "filter": "which cases are used: msr2 (the default), ladan, or none",
    "seed": "of the split and of what is trained: a whole number (0)",
    "train_limit": "most cases to learn from (all)",
    "exclude": "a file of facts nothing may be learned from: fingerprints, or lines with a 'fact'",
    "weights": "for transformer: a folder with a pretrained encoder to start from",
    "device": "for textcnn, topjudge and transformer: where to compute (cpu)",
}


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The test set, the filter, and the training of a predictor."""

    split: TestSet = "test"
    filter: FilterName = "msr2"
    seed: Annotated[int, msgspec.Meta(ge=0)] = 0
    train_limit: Annotated[int, msgspec.Meta(ge=1)] | None = None
    exclude: str = ""
    weights: str = ""
    device: str = "cpu"


@dataclass(frozen=True, slots=True)
class Dataset:
    """The cases of a benchmark run."""

    sides: Split
    tests: Mapping[str, tuple[Case, ...]]
    """The test sets of the run, by their names in the papers."""
    removed: Mapping[str, int]
    """Cases left out, by reason."""
    charges: ChargeNames
    read: int = 0
    """Cases in the file."""

    @property
    def evaluated(self) -> tuple[Case, ...]:
        """All cases of the test sets of the run."""
        return tuple(case for cases in self.tests.values() for case in cases)


def options_of(setup: Setup) -> Options:
    """Return the options of a run.

    Raises:
        UserError: if an option has an impossible value; says which there are.
    """
    return read_options(setup, Options, OPTIONS)


def dataset_of(setup: Setup) -> Dataset:
    """Read, filter and split the cases of a run; the results are cached.

    Raises:
        UserError: if an option has an impossible value.
        InputError: if the file cannot be read, or nothing is left to ask.
    """
    return _dataset(setup.data, options_of(setup))


@lru_cache(maxsize=4)
def _dataset(path: Path, options: Options) -> Dataset:
    cases = read_cases(path)
    found = filtered(cases, options.filter)
    excluded = read_exclusions(Path(options.exclude)) if options.exclude else frozenset[str]()
    sides = split(found.cases, seed=options.seed, excluded=excluded)
    removed = dict(found.removed)
    if options.filter == "ladan":
        sides, rare = _without_rare(sides)
        removed |= rare
    if options.train_limit is not None:
        train = limited(sides.train, options.train_limit, seed=options.seed)
        sides = replace(sides, train=train)
    tests = {CJO: sides.cjo22, CAIL: sides.test}
    if options.split != "all":
        wanted = CAIL if options.split == "test" else CJO
        tests = {wanted: tests[wanted]}
    if not any(tests.values()):
        raise InputError(f"no case is left to ask (split {options.split})", path=path)
    tested = frozenset(case.charge for part in tests.values() for case in part if case.charge)
    learned = {case.charge for case in (*sides.train, *sides.valid) if case.charge}
    charges = ChargeNames(known=tested | learned, tested=tested)
    return Dataset(sides, tests, removed, charges, len(cases))


def _without_rare(sides: Split) -> tuple[Split, dict[str, int]]:
    """LADAN's last rule, which counts the training and validation cases."""
    counted = (*sides.train, *sides.valid)
    parts = [
        without_rare(part, counted) for part in (sides.train, sides.valid, sides.test, sides.cjo22)
    ]
    removed = {reason: sum(part.removed[reason] for part in parts) for reason in parts[0].removed}
    return Split(*(part.cases for part in parts), held_back=sides.held_back), removed
