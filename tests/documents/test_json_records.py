"""JSON is read field by field or value by value; each complaint names file, line and field."""

from __future__ import annotations

import gzip
import json
from datetime import date
from pathlib import Path

import msgspec
import pytest

from inforce.documents.json_records import JsonFile, calendar_day, json_lines, parse_object
from inforce.errors import DateError, InputError


class Line(msgspec.Struct):
    """A line of the tests."""

    id: int
    text: str = ""


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_lines_are_values_with_their_numbers(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "lines.jsonl"
    data = mark + '{"id": 1}\n\n{"id": 2, "text": "甲\u2028乙", "more": 0}\n'.encode()
    for content in (data, gzip.compress(data)):
        path.write_bytes(content)
        found = list(json_lines(path, Line, what="a line"))
        assert [(one.number, one.value.id, one.value.text) for one in found] == [
            (1, 1, ""),
            (3, 2, "甲\u2028乙"),
        ]


@pytest.mark.parametrize(
    "bad", ["x", "[]", '{"id": "1"}', '{"text": ""}', "[" * 100_000, '{"id": 1, "text": "\\ud800"}']
)
def test_a_line_that_is_something_else_is_named(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(f'{{"id": 1}}\n{bad}\n', encoding="utf-8")
    with pytest.raises(InputError, match="not a line of mine") as caught:
        list(json_lines(path, Line, what="a line of mine"))
    assert (caught.value.path, caught.value.line) == (str(path), 2)


def test_a_field_may_go_by_several_names_and_has_its_type() -> None:
    record = parse_object(
        '{"a": null, "b": "甲", "n": 1, "day": "2021年1月2日", "list": [{"x": "y"}], '
        '"of": {"k": "v"}}',
        path="f",
        line=7,
    )
    assert (record.text("a", "b"), record.text("none"), record.day("day")) == (
        "甲",
        "",
        date(2021, 1, 2),
    )
    assert [one.text("x") for one in record.objects("list")] == ["y"]
    assert record.object("of").required_text("k") == "v"
    assert record.texts("none") == ()
    for ask in (
        lambda: record.text("n"),
        lambda: record.required_text("none"),
        lambda: record.required_day("none"),
        lambda: record.day("b"),
        lambda: record.objects("b"),
        lambda: record.texts("list"),
        lambda: record.object("list"),
    ):
        with pytest.raises(InputError) as caught:
            ask()
        assert caught.value.line == 7


def test_the_line_of_a_field_is_looked_up_where_it_is_written_once() -> None:
    written = json.dumps({"a": "x", "list": [{"b": 1}, {"b": 2}, {"b": 2}]}, indent=1)
    record = JsonFile("f.json", written).parse()
    first, second, _ = record.objects("list")
    assert record.problem("no", field="a").line == 2
    assert str(first.problem("no", field="b")) == "f.json:5: the file, item 1 of 'list': no"
    assert second.problem("no", field="b").line is None
    assert second.problem("no", field="b", nth=2).line == 11


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2021-01-01", date(2021, 1, 1)),
        ("2021.1.1", date(2021, 1, 1)),
        ("2021/1/1", date(2021, 1, 1)),
        ("2021年1月1日", date(2021, 1, 1)),
        ("2021-01", None),
        ("2021", None),
        ("2021-02-29", None),
        ("then", None),
    ],
)
def test_only_a_whole_day_that_a_calendar_has_is_a_day(text: str, day: date | None) -> None:
    if day:
        assert calendar_day(text) == day
    else:
        with pytest.raises(DateError):
            calendar_day(text)
