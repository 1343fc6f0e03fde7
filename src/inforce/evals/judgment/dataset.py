"""What is learned from and what is asked: the cases of a file, filtered and split as asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar, cast, get_args

from inforce.errors import InputError, UserError
from inforce.evals.benchmark import Setup
from inforce.evals.judgment.filters import FILTERS, FilterName, filtered, without_rare
from inforce.retrieval.sources.exclusion import read_exclusions
from inforce.scoring.answers import ChargeNames
from inforce.scoring.cases import Case, read_cases
from inforce.scoring.split import Split, limited, split

TestSet = Literal["test", "cjo22_test", "all"]

CAIL = "CAIL2018"
CJO = "CJO22"

OPTIONS: Mapping[str, str] = {
    "split": "what is asked: test (the default), cjo22_test, or all for both",
    "filter": "which cases are kept: msr2 (the default), ladan, or none",
    "seed": "of the split and of what is trained: a whole number (0)",
    "train_limit": "most cases to learn from (all)",
    "exclude": "a file of facts nothing may be learned from: fingerprints, or lines with a 'fact'",
    "weights": "for transformer: a folder with a pretrained encoder to start from",
    "device": "for textcnn, topjudge and transformer: where to compute (cpu)",
}

_Choice = TypeVar("_Choice", bound=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What of a file is wanted."""

    path: Path
    asked: TestSet = "test"
    filter: FilterName = "msr2"
    seed: int = 0
    train_limit: int | None = None
    exclude: Path | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """The cases of a benchmark run."""

    sides: Split
    tests: Mapping[str, tuple[Case, ...]]
    """The test sets that are asked, by their names in the papers."""
    removed: Mapping[str, int]
    """Cases left out, by reason."""
    charges: ChargeNames

    @property
    def asked(self) -> tuple[Case, ...]:
        """Every case that is asked."""
        return tuple(case for cases in self.tests.values() for case in cases)


def chosen(setup: Setup) -> Choice:
    """What the options of a run ask for.

    Raises:
        UserError: if an option is not one of its values; says which there are.
    """
    given = {name: value for name, value in setup.options.items() if value}
    limit, exclude = given.get("train_limit"), given.get("exclude")
    return Choice(
        path=setup.data,
        asked=_one_of("split", given.get("split", "test"), get_args(TestSet)),
        filter=_one_of("filter", given.get("filter", "msr2"), FILTERS),
        seed=_whole("seed", given.get("seed", "0")),
        train_limit=_whole("train_limit", limit) if limit else None,
        exclude=Path(exclude) if exclude else None,
    )


@lru_cache(maxsize=4)
def dataset(choice: Choice) -> Dataset:
    """Read, filter and split the cases of a file.

    Raises:
        InputError: if the file cannot be read, or nothing is left to ask or to learn from.
    """
    kept = filtered(read_cases(choice.path), choice.filter)
    excluded = read_exclusions(choice.exclude) if choice.exclude else frozenset[str]()
    sides = split(kept.cases, seed=choice.seed, excluded=excluded)
    removed = dict(kept.removed)
    if choice.filter == "ladan":
        sides, rare = _without_rare(sides)
        removed |= rare
    if choice.train_limit is not None:
        sides = sides.with_train(limited(sides.train, choice.train_limit, seed=choice.seed))
    tests = _tests(sides, choice.asked)
    if not any(tests.values()):
        raise InputError(f"no case is left to ask (split {choice.asked})", path=choice.path)
    return Dataset(sides, tests, removed, _charges(sides, tests))


def _tests(sides: Split, asked: TestSet) -> dict[str, tuple[Case, ...]]:
    tests = {CJO: sides.cjo22, CAIL: sides.test}
    wanted = {"test": (CAIL,), "cjo22_test": (CJO,), "all": (CJO, CAIL)}[asked]
    return {name: cases for name, cases in tests.items() if name in wanted}


def _without_rare(sides: Split) -> tuple[Split, dict[str, int]]:
    """LADAN's last rule, its cases counted in training and validation."""
    counted = (*sides.train, *sides.valid)
    parts = [
        without_rare(part, counted) for part in (sides.train, sides.valid, sides.test, sides.cjo22)
    ]
    removed = {reason: sum(part.removed[reason] for part in parts) for reason in parts[0].removed}
    return Split(*(part.cases for part in parts), held_back=sides.held_back), removed


def _charges(sides: Split, tests: Mapping[str, tuple[Case, ...]]) -> ChargeNames:
    asked = frozenset(case.charge for cases in tests.values() for case in cases if case.charge)
    learned = (case.charge for case in (*sides.train, *sides.valid) if case.charge)
    return ChargeNames(asked | frozenset(learned), asked)


def _one_of(option: str, value: str, values: tuple[_Choice, ...]) -> _Choice:
    if value not in values:
        raise UserError(f"{option} is one of {', '.join(values)}, not {value!r}")
    return cast("_Choice", value)


def _whole(option: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal()):
        raise UserError(f"{option} is a whole number, not {value!r}")
    return int(value)
