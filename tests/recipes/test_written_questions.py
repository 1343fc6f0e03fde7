"""The questions written for rules: how they are read, and that no evaluation asks them."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from inforce.dates import DateRange
from inforce.errors import InputError
from inforce.law.numerals import ProvisionNumber
from inforce.retrieval.provisions import ProvisionText
from search_training.exclusion import read_evaluated
from search_training.questions import TABLES, questions_on, read_written

EXAMS = sorted((Path(__file__).parents[2] / "benchmarks").glob("practice*.jsonl"))


def provision(work: str, text: str) -> ProvisionText:
    window = DateRange(date(2008, 1, 1), None)
    return ProvisionText(work, ProvisionNumber.article(1), text, window=window)


def test_a_question_is_answered_by_the_rules_above_it(tmp_path: Path) -> None:
    path = tmp_path / "labour.tsv"
    path.write_text(
        "# …\n劳动合同法:二倍的工资;劳动法:工资\n\t没签合同能多要钱吗\n\tNo contract yet?\n"
    )
    found = list(read_written(path))
    assert [text for text, _ in found] == ["没签合同能多要钱吗", "No contract yet?"]
    assert [rule.words for rule in found[0][1]] == ["二倍的工资", "工资"]


@pytest.mark.parametrize("text", ["\t谁来回答\n", "没有冒号\n\t谁来回答\n"])
def test_a_question_without_a_rule_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "labour.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match="labour"):
        list(read_written(path))


def test_a_rule_is_known_by_its_words_in_all_its_wordings(tmp_path: Path) -> None:
    path = tmp_path / "labour.tsv"
    path.write_text("劳动合同法:二倍的工资\n\t没签合同\n刑法:盗窃公私财物\n\t偷东西\n")
    law = "中华人民共和国劳动合同法"
    held = [
        provision(law, "应当支付二倍的工资。"),
        provision(law, "应当每月支付\n二倍的工资。"),
        provision(law, "试用期不得超过六个月。"),
    ]
    [question] = questions_on(held, read_written(path))
    assert question.text == "没签合同"
    assert len(question.relevant) == 2


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_every_table_of_this_release_reads(table: Path) -> None:
    found = [text for text, _ in read_written(table)]
    assert len(found) > 100
    assert len(found) == len(set(found))


def test_no_question_written_is_one_that_an_evaluation_asks(shared_data: Path) -> None:
    evaluated = read_evaluated(shared_data)
    for exam in EXAMS:
        for line in exam.read_text().splitlines():
            evaluated.add(json.loads(line)["question"])
    asked = [text for table in TABLES for text, _ in read_written(table) if evaluated.covers(text)]
    assert asked == []
