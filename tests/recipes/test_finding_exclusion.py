"""Nothing that an evaluation asks is learned from, compared by wording."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from search_training.exclusion import EvaluatedTexts, read_evaluated
from search_training.questions import FILES


def test_no_question_learned_from_is_an_item_of_an_evaluation(shared_data: Path) -> None:
    evaluated = read_evaluated(shared_data)
    for name in FILES.values():
        lines = (
            gzip.decompress((shared_data / "questions" / name).read_bytes()).decode().splitlines()
        )
        questions = [str(json.loads(line)["question"]) for line in lines]
        assert questions
        assert not [one for one in questions if evaluated.covers(one)]


def test_a_text_is_known_by_a_run_of_its_wording() -> None:
    evaluated = EvaluatedTexts(
        ["用人单位未与劳动者订立书面劳动合同，应当支付二倍工资吗？请说明理由"]
    )
    assert evaluated.covers("用人单位未与劳动者订立书面劳动合同应当支付二倍工资吗请说明理由")
    assert not evaluated.covers("房东不退押金怎么办，合同里没有写清楚，押金一共是三个月的房租")
