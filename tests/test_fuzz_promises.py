"""Damaged inputs for the readers whose own tests do not feed them so many.

Dates: `tests/dates/test_dates_fuzz.py`; citations: `tests/law/test_citation.py`; the loaders of
other people's formats: `tests/corpus/loaders/test_fuzz_loaders.py`.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest

from fuzzing import INPUTS
from inforce.corpus.timeline_json import parse_captions, parse_timeline
from inforce.documents.json_records import JsonFile
from inforce.errors import UserError
from inforce.evals.legalsearch.items import read_items
from inforce.law import ids
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library

SECONDS_EACH = 1.0

TIMELINE = json.dumps(
    {
        "format": "inforce-timeline/1",
        "law": "示例法",
        "source": {"name": "示例", "path": "a.json", "revision": "1", "licence": "official"},
        "versions": [
            {"label": "1997", "valid_from": "1997-10-01", "valid_to": "2011-04-30"},
            {"label": "2011", "valid_from": "2011-05-01", "valid_to": None},
        ],
        "provisions": [
            {"no": "第七十四条", "path": "第一编", "texts": [{"since": "1997", "text": "甲。"}]},
            {"no": "第一百三十三条之一", "texts": [{"since": "2011", "text": None}]},
        ],
        "captions": [
            {"no": "第七十四条", "name": "某罪", "valid_from": "1997-12-16", "valid_to": None}
        ],
    },
    ensure_ascii=False,
)
CAPTIONS = json.dumps(
    {
        "format": "inforce-captions/1",
        "law": "示例法",
        "captions": [
            {"no": "第七十四条", "name": "某罪", "valid_from": "1997-12-16", "authority": "法释"}
        ],
    },
    ensure_ascii=False,
)
ITEM = json.dumps(
    {"id": "1", "type": "lar", "question": "2010年刑法第七十四条？", "answer": "甲。"}
)
TOKENS = [
    *(
        "null",
        "-1",
        "1e999",
        "NaN",
        "true",
        '"',
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\\ud800",
        "\\u0000",
    ),
    *(
        "第零条",
        "第九千九百九十九条之九",
        "2020-02-30",
        "9999-12-31",
        "0000",
        "９",
        "\0",
        "[" * 3000,
    ),
]


def mutations(seeds: Sequence[str], *, count: int) -> Iterator[str]:
    """Damaged copies of the seeds; the same ones every time."""
    chance = random.Random(20110501)
    for _ in range(count):
        letters = list(chance.choice(seeds))
        for _ in range(chance.choice((1, 1, 2, 4, 16))):
            at = chance.randrange(len(letters) + 1)
            match chance.randrange(5):
                case 0:
                    letters[at : at + 1] = chr(chance.randrange(32, 0xD7FF))
                case 1:
                    del letters[at : at + chance.choice((1, 3, 20))]
                case 2:
                    letters[at:at] = letters[at : at + 10] * chance.choice((1, 3))
                case _:
                    letters[at:at] = chance.choice(TOKENS)
        yield "".join(letters)


def slowest_of(read: Callable[[str], object], inputs: Iterator[str]) -> float:
    """Feed every input; the most processor seconds one of them took: others may be busy here."""
    slowest = 0.0
    for text in inputs:
        started = time.process_time()
        with suppress(UserError):
            read(text)
        slowest = max(slowest, time.process_time() - started)
    return slowest


def read_timeline(text: str) -> None:
    parse_timeline(JsonFile("fuzz.json", text))


def read_captions(text: str) -> None:
    parse_captions(JsonFile("fuzz.json", text))


NUMBERS = ["第一百三十三条之一", "133-1", "第七十四条第二款第三项", "一、", "art. 74", "whole"]
IDENTIFIERS = ["/akn/cn/act/1997/%E5%88%91%E6%B3%95/zho@2011-05-01/!main~art_133-1"]


@pytest.mark.fuzz
@pytest.mark.parametrize(
    ("read", "seeds"),
    [
        (read_timeline, [TIMELINE]),
        (read_captions, [CAPTIONS]),
        (ProvisionNumber.parse, NUMBERS),
        (ids.parse, IDENTIFIERS),
    ],
    ids=["timeline", "captions", "numbers", "identifiers"],
)
def test_damaged_input_is_read_or_refused(
    read: Callable[[str], object], seeds: Sequence[str]
) -> None:
    assert slowest_of(read, mutations(seeds, count=INPUTS)) < SECONDS_EACH


@pytest.mark.fuzz
def test_a_damaged_benchmark_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"

    def read(text: str) -> None:
        path.write_text(text, encoding="utf-8")
        read_items(path, today=date(2026, 11, 20))

    assert slowest_of(read, mutations([ITEM], count=INPUTS)) < SECONDS_EACH


QUESTIONS = [
    "2010年，犯罪集团的首要分子能否适用缓刑？",
    "《刑法》第七十四条、第133条之一第二款在2011年5月1日至8月怎么规定？",
    "What did Article 74 of the Criminal Law say in June 2010?",
]


def test_a_damaged_question_is_answered_or_refused(sample_library: Library) -> None:
    assert slowest_of(sample_library.ask, mutations(QUESTIONS, count=60)) < SECONDS_EACH
