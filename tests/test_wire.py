"""Every public result as JSON: the same fields for the command line, the tool server and HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from inforce.corpus import doctor
from inforce.dates import ALWAYS, DateRange, LegalDate, find_dates
from inforce.errors import DateError, InforceError, InputError, UnknownWorkError
from inforce.evals.benchmark import Item
from inforce.law.citation import find_citations
from inforce.law.model import Caption
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library
from inforce.testing import fixed_clock, tiny_law, tiny_library
from inforce.wire import as_wire

LAW = "试验管理条例"
CHANGE = date(2011, 5, 1)
NAMED = Caption(ProvisionNumber.article(2), "试验罪", ALWAYS, "法释〔1997〕9号")

OLD = tiny_law(
    LAW,
    {"1": "为了规范试验，制定本条例。", "2": "对于累犯，不适用缓刑。"},
    start=date(1997, 10, 1),
    end=CHANGE,
    promulgated=date(1997, 3, 14),
    captions=[NAMED],
)
NEW = tiny_law(
    LAW,
    {"1": "为了规范试验，制定本条例。", "2": "对于累犯和首要分子，不适用缓刑。", "3": "新的规定。"},
    start=CHANGE,
    instrument="修正案",
)
UNDATED = tiny_law(LAW, {"2": "另一种文字。"}, status="unknown", scope=["2"])


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with tiny_library(tmp_path_factory.mktemp("laws"), OLD, NEW, UNDATED) as opened:
        yield opened


def item(question: str) -> Item:
    return Item("1", "lar", question, "答", facts={"plain_question": question})


Question = Callable[[Library], object]

QUESTIONS: dict[str, Question] = {
    "at": lambda library: library.at(LAW, "2", on="2010-06-01"),
    "at, not in force": lambda library: library.at(LAW, "3", on="2010-06-01"),
    "at, not covered": lambda library: library.at(LAW, "2", on="1990"),
    "history": lambda library: library.history(LAW, "2"),
    "diff": lambda library: library.diff(LAW, "2", earlier="2010", later="2012"),
    "search": lambda library: library.search("2011年累犯试验罪缓刑"),
    "ask": lambda library: library.ask("2010年累犯能否适用缓刑？"),
    "ask, abstaining": lambda library: library.ask("《不存在的法》第三条"),
    "index": lambda library: library.update_index(),
    "editions": lambda library: library.editions(LAW),
    "add": lambda library: library.corpus.add([OLD]),
    "list": lambda library: library.corpus.works(),
    "stats": lambda library: library.corpus.stats(),
    "captions": lambda library: library.corpus.captions("试验管理条例"),
    "versions": lambda library: library.corpus.versions(LAW),
    "timelines": lambda library: list(library.corpus.timelines(LAW)),
    "doctor": lambda library: doctor.examine(library.corpus),
    "dates": lambda _: find_dates("2010年5月", clock=fixed_clock("2020-01-25")),
    "citations": lambda _: find_citations("《刑法》第七十四条第一款第（二）项"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_result_has_a_json_form(library: Library, name: str) -> None:
    wire = as_wire(QUESTIONS[name](library))
    assert json.loads(json.dumps(wire, ensure_ascii=False, allow_nan=False)) == wire


def fields(value: object) -> dict[str, Any]:
    wire = as_wire(value)
    assert isinstance(wire, dict)
    return wire


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (
            DateRange(date(2011, 5, 1), date(2015, 11, 1)),
            {"from": "2011-05-01", "until": "2015-11-01", "last_day": "2015-10-31"},
        ),
        (
            DateRange.day(date(2020, 2, 29)),
            {"from": "2020-02-29", "until": "2020-03-01", "last_day": "2020-02-29"},
        ),
        (
            DateRange(date(2021, 1, 1), None),
            {"from": "2021-01-01", "until": None, "last_day": None},
        ),
        (ALWAYS, {"from": "0001-01-01", "until": None, "last_day": None}),
    ],
)
def test_a_range_has_its_first_day_its_end_and_its_last_day(
    window: DateRange, expected: dict[str, str | None]
) -> None:
    assert as_wire(window) == expected


@pytest.mark.parametrize("text", ["74", "133-1", "三、", "全文", "序"])
def test_a_number_comes_back_from_either_of_its_forms(text: str) -> None:
    number = ProvisionNumber.parse(text)
    wire = fields(number)
    assert ProvisionNumber.parse(wire["short"]) == ProvisionNumber.parse(wire["text"]) == number


@pytest.mark.parametrize("value", [None, True, 3, 0.5, "法", [], {}])
def test_json_values_are_themselves(value: object) -> None:
    assert as_wire(value) == value


def test_containers_become_lists_and_objects() -> None:
    value = MappingProxyType({"keyword": (1, date(2011, 5, 1)), 3: [None]})
    assert as_wire(value) == {"keyword": [1, "2011-05-01"], "3": [None]}


def test_a_legal_date_is_written_as_precisely_as_it_is_known() -> None:
    assert as_wire(LegalDate(2010, 5)) == "2010-05"


@pytest.mark.parametrize("value", [object(), b"bytes", 3j, Path("x")])
def test_what_is_no_value_of_this_library_has_no_json_form(value: object) -> None:
    with pytest.raises(TypeError, match=type(value).__name__):
        as_wire(value)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (DateError("二月三十日", "no such day"), "bad_date"),
        (UnknownWorkError("不存在的法"), "unknown_work"),
        (InputError("truncated", path="x.gz", line=3), "bad_input"),
    ],
)
def test_an_error_is_its_kind_and_its_message(error: InforceError, kind: str) -> None:
    assert as_wire(error) == {"error": kind, "message": str(error)}


def test_a_lookup_keeps_the_four_answers_apart(library: Library) -> None:
    answers = {
        fields(library.at(LAW, number, on=on))["lookup"]["answer"]
        for number, on in (("2", "2010"), ("3", "2010-06-01"), ("2", "1990"), ("99", "2010-06-01"))
    }
    assert answers == {"found", "not_in_force", "not_covered", "not_found"}


def test_a_span_names_its_instrument_and_sources(library: Library) -> None:
    [span] = fields(library.at(LAW, "2", on="2012-01-01"))["lookup"]["spans"]
    assert (span["instrument"], span["label"], span["window"]["from"]) == (
        "修正案",
        "2011",
        "2011-05-01",
    )
    assert span["provision"]["text"] == "对于累犯和首要分子，不适用缓刑。"
    assert [source["name"] for source in span["sources"]] == ["tiny laws"]
