"""Excludes from training whatever shares its wording with the texts of evaluations.

Evaluations are the 13 tasks of LegalSearch-R1, the questions of L-MARS, the practice exam, and
judgments that any evaluation uses (CJO22, LexEval, LawBench, the test side of
`inforce.scoring.split`).
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
"""Characters in a row that two texts do not share by chance."""

_ENOUGH = 5
_SHARE = 0.2

_OPEN_COLLECTIONS = frozenset({"cail2018_data_train", "cail2018_data_test"})
"""Judgments of CAIL2018 (MIT) that are in no other collection."""

_UNSAID = re.compile(r"\s+|[，。、；：！？,.;:!?×*“”\"'（）()某XＸx]")


class EvaluatedTexts:
    """The runs of characters in texts of evaluations."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._runs: set[str] = set()
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Add a text."""
        self._runs |= _runs(text)

    def covers(self, text: str) -> bool:
        """Tell whether a text shares more than a fifth of its wording with texts of evaluations."""
        runs = _runs(text)
        shared = len(runs & self._runs)
        return shared > max(_ENOUGH, _SHARE * len(runs)) or (0 < len(runs) == shared)


def read_evaluated(data: Path) -> EvaluatedTexts:
    """Read the items of evaluations from the folder of the research data.

    Raises:
        InputError: if a file of items is missing: nothing may be trained without them.
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
        items = json.loads((data / "lmars/legalsearchqa.json").read_text())
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"the items of an evaluation cannot be read: {error}", path=data
        ) from error
    return EvaluatedTexts([*texts, *(one["question"] for one in items)])


def training_cases(path: Path, evaluated: EvaluatedTexts) -> list[Case]:
    """Return the cases that may be trained on.

    These are cases of CAIL2018 alone, on the training or validation side, that share their wording
    with no item of an evaluation and no case of another collection.
    """
    cases = [case for case in read_cases(path) if case.articles]
    is_open = [_OPEN_COLLECTIONS.issuperset(case.sources) for case in cases]
    barred = EvaluatedTexts(
        case.fact for case, alone in zip(cases, is_open, strict=True) if not alone
    )
    return [
        case
        for case, alone in zip(cases, is_open, strict=True)
        if alone
        and side_of(case.fingerprint) != "test"
        and not evaluated.covers(case.fact)
        and not barred.covers(case.fact)
    ]


def _runs(text: str) -> set[str]:
    said = _UNSAID.sub("", text)
    if len(said) <= _RUN:
        return {said} if said else set()
    return {said[at : at + _RUN] for at in range(len(said) - _RUN + 1)}
