"""Texts that evaluations ask: nothing that shares its wording with them is learnt from.

The 13 tasks of LegalSearch-R1, the questions of L-MARS, the practice exam, and judgments that any
evaluation uses (CJO22, LexEval, LawBench, the test side of `inforce.scoring.split`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from inforce.errors import InputError
from inforce.scoring.cases import Case, read_cases
from inforce.scoring.split import side_of

_RUN = 20
"""Characters in a row that two texts share by more than chance."""

_ENOUGH = 5
_SHARE = 0.2

_OPEN_COLLECTIONS = frozenset({"cail2018_data_train", "cail2018_data_test"})
"""Judgments of CAIL2018 (MIT) that no other collection took over."""

_UNSAID = re.compile(r"\s+|[，。、；：！？,.;:!?×*“”\"'（）()某XＸx]")


class ExaminedTexts:
    """Knows the runs of characters of texts that evaluations ask."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._runs: set[str] = set()
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Examined as well."""
        self._runs |= _runs(text)

    def covers(self, text: str) -> bool:
        """Whether a text is one of these, or shares more than a fifth of its wording with them."""
        runs = _runs(text)
        shared = len(runs & self._runs)
        return shared > max(_ENOUGH, _SHARE * len(runs)) or (0 < len(runs) == shared)


def read_examined(data: Path) -> ExaminedTexts:
    """The items of evaluations in the folder of the research data.

    Raises:
        InputError: if a file of items is missing: nothing may be learnt without them.
    """
    try:
        texts = [
            record["question"]
            for name in (
                "legalsearch_r1/legalsearch_evaluation.jsonl",
                "legalsearch_r1/legalsearch_ood_evaluation.jsonl",
                "practice/exam.jsonl",
            )
            for record in map(json.loads, (data / name).read_text().splitlines())
        ]
        evaluated = json.loads((data / "lmars/legalsearchqa.json").read_text())
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"the items of an evaluation cannot be read: {error}", path=data
        ) from error
    return ExaminedTexts([*texts, *(one["question"] for one in evaluated)])


def judgments(path: Path, examined: ExaminedTexts) -> tuple[list[Case], list[Case]]:
    """Cases to learn from, and those that may be asked: no fact is among both.

    A case is learnt from if it is of CAIL2018 alone, on the side of training or validation, and
    shares its wording with no item of an evaluation and no case of another collection.
    """
    cases = [case for case in read_cases(path) if case.articles]
    others = [case for case in cases if not _OPEN_COLLECTIONS.issuperset(case.sources)]
    barred = ExaminedTexts(case.fact for case in others)
    learnt: list[Case] = []
    evaluated: list[Case] = []
    for case in cases:
        is_open = _OPEN_COLLECTIONS.issuperset(case.sources)
        if not is_open or side_of(case.fingerprint) == "test":
            evaluated.append(case)
        elif not examined.covers(case.fact) and not barred.covers(case.fact):
            learnt.append(case)
    return learnt, evaluated


def _runs(text: str) -> set[str]:
    said = _UNSAID.sub("", text)
    if len(said) <= _RUN:
        return {said} if said else set()
    return {said[at : at + _RUN] for at in range(len(said) - _RUN + 1)}
