import gzip
import json
from pathlib import Path

import pytest

from inforce.errors import InputError
from inforce.scoring.cases import read_cases
from judged_cases import case, line, many, write


def test_a_case_is_read_with_what_the_court_decided(tmp_path: Path) -> None:
    told = case(id="c1", articles=(264, 67), charges=("盗窃",), months=8, sources=("lexeval",))
    assert read_cases(write(tmp_path / "cases.jsonl", [told])) == (told,)
    assert (told.article, told.charge, told.is_complete) == (264, "盗窃", True)


def test_files_of_cail2018_have_no_id_and_the_fact_gives_one(tmp_path: Path) -> None:
    path = tmp_path / "train.json.gz"
    path.write_bytes(gzip.compress("\n".join(line(one) for one in many(2)).encode()))
    ids = [one.id for one in read_cases(path)]
    assert len(set(ids)) == 2
    assert all(one.startswith("case-") and len(one) == 21 for one in ids)


def test_labels_lose_their_brackets_and_are_held_once(tmp_path: Path) -> None:
    record = json.loads(line(case()))
    record["meta"] |= {"accusation": ["[走私、贩卖]毒品", "盗窃", "盗窃"]}
    record["meta"] |= {"relevant_articles": [234, "347", 234]}
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    (read,) = read_cases(path)
    assert read.charges == ("走私、贩卖毒品", "盗窃")
    assert read.articles == (234, 347)
    assert (read.article, read.charge) == (347, "走私、贩卖毒品")


@pytest.mark.parametrize(
    ("term", "months", "death", "life"),
    [
        ({"imprisonment": 0, "death_penalty": True, "life_imprisonment": False}, 0, True, False),
        ({"imprisonment": -2, "death_penalty": False, "life_imprisonment": True}, 0, False, True),
        ({"imprisonment": 36.0}, 36, False, False),
        ({"death_penalty": False}, None, False, False),
        (None, None, False, False),
    ],
)
def test_death_and_life_are_no_fixed_term(
    tmp_path: Path, term: object, months: int | None, death: bool, life: bool
) -> None:
    record = json.loads(line(case()))
    record["meta"]["term_of_imprisonment"] = term
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    (read,) = read_cases(path)
    assert (read.months, read.death, read.life) == (months, death, life)
    assert read.is_complete == (months is not None)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{", "not a criminal case: Input data was truncated"),
        ("[]", "Expected `object`, got `array`"),
        ('{"meta": {}}', "missing required field `fact`"),
        ('{"fact": " ", "meta": {}}', "'fact' is empty"),
        ('{"fact": "甲"}', "missing required field `meta`"),
        ('{"fact": "甲", "meta": []}', r"Expected `object`, got `array` - at `\$.meta`"),
        ('{"fact": "甲", "meta": {"relevant_articles": 264}}', "relevant_articles"),
        ('{"fact": "甲", "meta": {"relevant_articles": [true]}}', r"relevant_articles\[\.*\d*\]"),
        ('{"fact": "甲", "meta": {"relevant_articles": [1.5]}}', "no whole number"),
        ('{"fact": "甲", "meta": {"relevant_articles": [1e400]}}', "not a criminal case"),
        (
            '{"fact": "甲", "meta": {"accusation": [1]}}',
            r"Expected `str`, got `int` - at `\$.meta.accusation",
        ),
        (
            '{"fact": "甲", "meta": {"term_of_imprisonment": {"death_penalty": 1}}}',
            "death_penalty",
        ),
        (
            '{"fact": "甲", "meta": {"term_of_imprisonment": {"imprisonment": "六"}}}',
            "no whole number",
        ),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, bad: str, reason: str) -> None:
    path = write(tmp_path / "cases.jsonl", many(2), extra=[bad])
    with pytest.raises(InputError, match=reason) as raised:
        read_cases(path)
    assert raised.value.line == 3


def test_a_file_without_a_case_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n", encoding="utf-8")
    with pytest.raises(InputError):
        read_cases(empty)
    with pytest.raises(InputError):
        read_cases(tmp_path / "missing.jsonl")
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(b'{"fact": "\xff"}\n')
    with pytest.raises(InputError, match="utf-8"):
        read_cases(latin)


def test_white_space_makes_no_other_fact() -> None:
    assert case("被告人 甲\n盗窃").fingerprint == case("被告人甲盗窃").fingerprint
