"""Chunks with validity dates: nested, in an array, one a line; grouped into versions."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

import pytest
from law_files import texts_of

from inforce.corpus.loaders.law_chunks import parse_law_chunks
from inforce.errors import InputError
from inforce.law.model import Source, Validity, VersionText


def parsed(data: object) -> tuple[list[VersionText], list[InputError]]:
    """What the loader gives for this JSON (text, or values to be written as JSON)."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, indent=1)
    problems: list[InputError] = []
    source = Source("chunks")
    texts = parse_law_chunks(
        text.encode(), path="c.json", source=source, on_problem=problems.append
    )
    return list(texts), problems


def chunk(number: str = "第一条", text: str = "甲。", **changes: object) -> dict[str, object]:
    fields: dict[str, object] = {
        "valid_from": "2011.05.01",
        "valid_to": "2015.10.30",
        "path": f"示例法(2011修正) > 第一编 总则 > 未分章部分 > 未分节部分 > {number}",
        "article_no": number,
        "title": None,
        "text": f"{number} {text}",
    }
    return fields | changes


NESTED: dict[str, object] = {
    "title": "示例法(2011修正)",
    "valid_from": "2021.01.01",
    "valid_to": "2099.12.31",
    "parts": [
        {
            "name": "第一编 总则",
            "chapters": [
                {
                    "name": "第一章 基本规定",
                    "sections": [
                        {
                            "name": "未分节部分",
                            "articles": [
                                {
                                    "index": "第一条",
                                    "title": None,
                                    "text": "第一条 甲。 乙： （一）丙；",
                                },
                                {"index": "第二条", "title": "盗窃罪", "text": "第二条 丁。"},
                            ],
                        }
                    ],
                }
            ],
        }
    ],
}


def test_the_nested_form_gives_one_version_with_paths_and_paragraphs() -> None:
    [text], problems = parsed(NESTED)
    assert problems == []
    assert (text.version.work, text.version.label) == ("示例法", "2011修正")
    assert text.version.validity == Validity(date(2021, 1, 1), None, "open")
    assert texts_of(text) == {"第一条": "甲。\n乙：\n（一）丙；", "第二条": "丁。"}
    assert {provision.path for provision in text.provisions} == {"第一编 总则 / 第一章 基本规定"}
    assert [(caption.number.short, caption.name) for caption in text.captions] == [("2", "盗窃罪")]


def one_a_line(chunks: list[dict[str, object]]) -> str:
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in chunks)


@pytest.mark.parametrize("written", [json.dumps, one_a_line])
def test_flat_chunks_are_grouped_by_law_and_dates(
    written: Callable[[list[dict[str, object]]], str],
) -> None:
    later: dict[str, object] = {"valid_from": "2015.10.31", "valid_to": None}
    data = [chunk(), chunk("第二条"), chunk() | later, chunk("第二条", "乙。") | later]
    texts, problems = parsed(written(data))
    assert problems == []
    assert [text.version.validity for text in texts] == [
        Validity(date(2011, 5, 1), date(2015, 10, 31), "exact"),
        Validity(date(2015, 10, 31), None, "open"),
    ]
    assert [len(text.provisions) for text in texts] == [2, 2]
    assert texts[0].provisions[0].path == "第一编 总则"


@pytest.mark.parametrize(
    "names",
    [
        ("law", "version", "chapter", "article", "content", "t_from", "t_to"),
        ("law_name", "version_name", "path", "article_no", "text", "effective_date", "expiry_date"),
        ("law_title", "version_label", "path", "no", "text", "start_date", "end_date"),
    ],
)
def test_fields_go_by_several_names(names: tuple[str, ...]) -> None:
    values = ("示例法", "2011修正", "第一章 总则", "第一条", "甲。", "2011-05-01", "2015-10-31")
    [text], problems = parsed([dict(zip(names, values, strict=True))])
    assert problems == []
    assert text.version.label == "2011修正"
    assert text.version.validity.end == date(2015, 11, 1)
    assert text.provisions[0].path == "第一章 总则"
    assert texts_of(text) == {"第一条": "甲。"}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (chunk("第一条"), "第一条 comes twice"),
        (chunk("第零零条x"), "cannot read"),
        (chunk("第二条", text="x") | {"text": 5}, "'content' must be a text, not a number"),
    ],
)
def test_a_bad_chunk_spoils_its_version_and_no_other(bad: dict[str, object], reason: str) -> None:
    other = chunk(path="乙法 > 第一条")
    texts, problems = parsed([chunk("第一条"), bad, other])
    assert [text.version.work for text in texts] == ["乙法"]
    assert len(problems) == 1
    assert reason in problems[0].reason


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        ([chunk(), chunk(path="", law="")], None, "a chunk that names no law"),
        ([chunk(), "chunk"], None, "item 2 of 'chunks' must be an object"),
        ([chunk(), chunk(valid_from="2011.02.30")], None, "valid_from: cannot read '2011.02.30'"),
        ('[{"law": "甲法"},\n{"law": ]', 2, "not JSON"),
        ('{"law": "甲法"}\n{"law"', 2, "not JSON"),
        ("[" * 100_000, None, "JSON that cannot be stored"),
    ],
)
def test_where_the_law_of_a_chunk_cannot_be_told_nothing_of_the_file_is_used(
    data: object, line: int | None, reason: str
) -> None:
    texts, problems = parsed(data)
    assert texts == []
    assert [problem.line for problem in problems] == [line]
    assert reason in problems[0].reason
