"""The timeline JSON format: what it says, and what is said of a file that gets it wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.corpus.timeline_json import parse_captions, parse_timeline
from inforce.documents.json_records import JsonFile
from inforce.errors import InputError
from inforce.law.model import VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Claim
from inforce.law.timeline_builder import TimelineBuilder

Document = dict[str, Any]
ARTICLE_1, ARTICLE_2 = ProvisionNumber.article(1), ProvisionNumber.article(2)


def document() -> Document:
    """A law of two articles: the second was amended and then repealed."""
    return {
        "format": "inforce-timeline/1",
        "law": "甲法",
        "category": "法律",
        "source": {"name": "公报", "path": "甲法.json", "revision": "1"},
        "versions": [
            {
                "label": "2000",
                "valid_from": "2000-01-01",
                "valid_to": "2009-12-31",
                "promulgated": "1999-10-01",
                "instrument": "甲法",
            },
            {"label": "2010", "valid_from": "2010-01-01", "valid_to": "2014-12-31"},
            {"label": "2015", "valid_from": "2015-01-01", "valid_to": None},
        ],
        "provisions": [
            {"no": "第一条", "path": "总则", "texts": [{"since": "2010", "text": "为了甲。"}]},
            {
                "no": "第二条",
                "path": "总则",
                "texts": [
                    {"since": "2000", "text": "旧文。"},
                    {"since": "2010", "text": "新文。", "path": "分则"},
                    {"since": "2015", "text": None},
                ],
            },
        ],
        "captions": [
            {
                "no": "第二条",
                "name": "乙罪",
                "valid_from": "2000-03-01",
                "valid_to": "2009-12-31",
                "authority": "某释1号",
            }
        ],
    }


def written(value: Document) -> JsonFile:
    return JsonFile("甲法.json", json.dumps(value, ensure_ascii=False, indent=1))


def parsed() -> tuple[VersionText, ...]:
    return parse_timeline(written(document()))


def test_every_version_comes_back_with_its_dates_and_its_instrument() -> None:
    first, _, last = (text.version for text in parsed())
    assert (first.validity.start, first.validity.end) == (date(2000, 1, 1), date(2010, 1, 1))
    assert (first.validity.status, first.validity.evidence) == ("exact", "instrument")
    assert (first.instrument, first.promulgated) == ("甲法", date(1999, 10, 1))
    assert (last.validity.end, last.validity.status) == (None, "open")
    assert (last.source.name, last.source.path, last.category) == ("公报", "甲法.json", "法律")


def test_a_text_holds_until_the_next_and_null_means_the_law_had_none() -> None:
    texts = [{p.number: p.text for p in text.provisions} for text in parsed()]
    assert texts == [
        {ARTICLE_2: "旧文。"},
        {ARTICLE_1: "为了甲。", ARTICLE_2: "新文。"},
        {ARTICLE_1: "为了甲。"},
    ]


def test_before_its_first_text_nothing_is_said_of_a_provision() -> None:
    scopes = [text.version.scope for text in parsed()]
    assert scopes == [frozenset({ARTICLE_2}), *[frozenset({ARTICLE_1, ARTICLE_2})] * 2]


def test_headings_are_those_of_the_provision_unless_the_text_has_its_own() -> None:
    assert [[p.path for p in text.provisions] for text in parsed()] == [
        ["总则"],
        ["总则", "分则"],
        ["总则"],
    ]


def test_captions_go_with_the_versions_in_whose_time_they_were_in_use() -> None:
    assert [[one.name for one in text.captions] for text in parsed()] == [["乙罪"], [], []]


@pytest.mark.parametrize(
    ("day", "answer"),
    [
        (date(1999, 12, 31), "not_covered"),
        (date(2000, 1, 1), "found"),
        (date(2014, 12, 31), "found"),
        (date(2015, 1, 1), "not_in_force"),
    ],
)
def test_the_days_around_each_change(day: date, answer: str) -> None:
    claims = [
        Claim(text.version, next((p for p in text.provisions if p.number == ARTICLE_2), None))
        for text in parsed()
        if text.version.speaks_of(ARTICLE_2)
    ]
    assert TimelineBuilder("甲法").build(ARTICLE_2, claims).version_at(day).answer == answer


def _set(*keys: str | int, value: object) -> Callable[[Document], None]:
    def change(target: Any) -> None:
        for key in keys[:-1]:
            target = target[key]
        target[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "says", "line_says"),
    [
        (_set("format", value="inforce-timeline/9"), "'inforce-timeline/9'", "timeline/9"),
        (_set("law", value=""), "'law' is missing", "law"),
        (_set("law", value=7), "must be a text", "law"),
        (_set("law", value="\ud800"), "cannot be stored", None),
        (_set("source", value=None), "'source' is missing", "source"),
        (_set("versions", value=[]), "at least one version", "versions"),
        (_set("versions", value={}), "must be a list", "versions"),
        (_set("versions", 1, value=3), "item 2 of 'versions' must be an object", None),
        (_set("versions", 1, "label", value="2000"), "occurs twice", "2000"),
        (
            _set("versions", 1, "valid_from", value="2010-02-30"),
            "2010-02 has 28 days",
            "2010-02-30",
        ),
        (_set("versions", 1, "valid_from", value="2010年"), "as a date", "2010年"),
        (_set("versions", 1, "valid_from", value=None), "'valid_from' is missing", None),
        (_set("versions", 1, "valid_from", value="2009-12-31"), "before '2000' has ended", "from"),
        (_set("versions", 1, "valid_to", value="2009-01-01"), "cannot end", "2009-01-01"),
        (_set("versions", 1, "valid_to", value=None), "before '2010' has ended", "from"),
        (_set("versions", 1, "valid_to_status", value="maybe"), "'maybe' is none of", "maybe"),
        (_set("versions", 1, "valid_to_status", value="open"), "does not go with", "2014-12-31"),
        (_set("provisions", 0, "no", value="第二条"), "第二条 occurs twice", "第二条"),
        (_set("provisions", 0, "no", value="第三条"), "第二条 comes after 第三条", None),
        (_set("provisions", 0, "no", value="条"), "not an article number", "条"),
        (_set("provisions", 0, "texts", value=[]), "has no text", "texts"),
        (_set("provisions", 0, "texts", 0, "since", value="2099"), "labelled '2099'", "2099"),
        (_set("provisions", 0, "texts", 0, value={"since": "2010"}), "'text' is missing", None),
        (_set("provisions", 0, "texts", 0, "text", value=" "), "'text' is missing or", '" "'),
        (_set("provisions", 1, "texts", 2, "since", value="2010"), "does not come after", None),
        (_set("captions", 0, "valid_to", value="2000-02-01"), "ends before", "2000-02-01"),
        (_set("captions", 0, "authority", value=None), "'authority' is missing", "authority"),
    ],
)
def test_what_is_wrong_is_named_with_its_file_and_line(
    change: Callable[[Document], None], says: str, line_says: str | None
) -> None:
    wrong = document()
    change(wrong)
    file = written(wrong)
    with pytest.raises(InputError) as caught:
        parse_timeline(file)
    error = caught.value
    assert error.path == "甲法.json"
    assert says in error.reason
    if line_says is not None:
        assert error.line is not None
        assert line_says in file.text.splitlines()[error.line - 1]


@pytest.mark.parametrize(
    ("content", "says", "line"),
    [
        (b"", "an empty file", None),
        (b'{"format":\n oops}', "not JSON", 2),
        (b"[]", "expected a JSON object", None),
        (b'{"law": "\xff"}', "is not utf-8", 1),
        (b"{\n\n\xe7", "is not utf-8", 3),
        (b"[" * 100_000, "cannot be stored", None),
    ],
)
def test_a_file_that_is_no_json_object_is_refused(
    tmp_path: Path, content: bytes, says: str, line: int | None
) -> None:
    path = tmp_path / "law.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says) as caught:
        parse_timeline(JsonFile.read(path))
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        parse_timeline(JsonFile.read(tmp_path / "absent.json"))


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "law.json"
    path.write_text(written(document()).text, encoding="utf-8-sig")
    assert len(parse_timeline(JsonFile.read(path))) == 3


def test_captions_may_stand_in_a_file_of_their_own() -> None:
    value = {"format": "inforce-captions/1", "law": "甲法", "captions": document()["captions"]}
    found = parse_captions(written(value))
    assert found.work == "甲法"
    assert [(one.name, one.window.last) for one in found.captions] == [("乙罪", date(2009, 12, 31))]


def test_two_thousand_damaged_files_are_read_or_refused_but_never_crash() -> None:
    chance, text = random.Random(20110501), written(document()).text
    pieces = [
        '"',
        "{",
        "}",
        "[",
        "]",
        ",",
        "null",
        "-1",
        "9" * 30,
        "\\ud800",
        "第",
        "2010-13-01",
        "",
    ]
    refused = 0
    for _ in range(2000):
        start = chance.randrange(len(text))
        end = start + chance.choice([0, 1, 5, 60])
        damaged = text[:start] + chance.choice(pieces) + text[end:]
        try:
            parse_timeline(JsonFile("甲法.json", damaged))
        except InputError:
            refused += 1
    assert 0 < refused < 2000
