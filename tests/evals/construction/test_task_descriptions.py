"""Descriptions of worlds: LegalAgentBench's agrees with its tools, mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from firm_tables import DESCRIPTION

from inforce.errors import InputError
from inforce.evals.construction.description import (
    legalagentbench_description,
    plain_cell,
    read_description,
)
from inforce.evals.construction.worlds import own_world
from inforce.tools.legalagentbench.catalogue import SCHEMAS, TABLE_TOOLS


def test_the_given_description_has_the_28_tools_as_the_catalogue_has_them() -> None:
    described = legalagentbench_description().tools
    assert list(described) == [tool.name for tool in TABLE_TOOLS]
    for tool in TABLE_TOOLS:
        ours = described[tool.name]
        keys = (tool.keys,) if tool.by_region else tuple((key,) for key in tool.keys)
        answer = "rows" if tool.answer == "rows" else "row"
        assert (ours.table, ours.by, ours.answer, ours.cell) == (
            tool.table,
            keys,
            answer,
            tool.cell,
        )


def test_the_given_description_speaks_of_columns_the_tables_have() -> None:
    tables = legalagentbench_description().tables
    assert set(tables) == set(SCHEMAS)
    for table in tables.values():
        assert set(table.columns) <= set(SCHEMAS[table.name].columns), table.name


def test_names_that_are_part_of_others_become_links_of_the_same_column(tables: Path) -> None:
    links = read_description(tables).tables["Cases"].links
    derived = [link for link in links if link.kind == "court_code"]
    assert [(link.columns, link.word) for link in derived] == [(("编号",), "受理法院")]
    assert derived[0].name_in({"编号": "A-1"}) == ("A",)
    assert derived[0].name_in({"编号": "a-1"}) is None


@pytest.mark.parametrize(
    ("cell", "text"), [(None, ""), (" - ", ""), ("nan", ""), (0, "0"), (" 甲 ", "甲"), (1.5, "1.5")]
)
def test_what_a_table_writes_for_nothing_is_nothing(cell: object, text: str) -> None:
    assert plain_cell(cell) == text


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("kind: region", "kind: place", "'Courts' links to 'place', which is no kind"),
        ("by: [编号]", "by: [公司名]", "looks up by 公司名, which is no link"),
        ("{table: Companies, by: [名称]}", "{table: Firms, by: [名称]}", "which is no table"),
        ('phrase: "{of}涉及的案件"', 'phrase: "案件"', "must have {of}"),
        ("arguments: [prov, area]", "arguments: [prov]", "needs an argument for each"),
        ("part_of: case,", "part_of: file,", "is part of 'file', which is no kind"),
        ("'^([A-Z])-'", "'^[A-Z]-'", "a pattern with one group"),
        ('"编号为{}的案件"', '"案件"', "must have {} once"),
        (
            'phrase: "{of}的子公司"',
            'phrase: "{of}涉及的案件"',
            "'subsidiaries' and 'cases_of_company' are both asked for …涉及的案件",
        ),
        (
            "  case: {table: Cases, by: [编号]}",
            "  case: {table: Cases, by: [编号]}\n  copy: {table: Cases, by: [编号]}",
            "'case' and 'copy' are both asked for …的",
        ),
        ("answer: rows", "answer: all", "no description of tables: Invalid enum value 'all'"),
        ("noun: 法院, part_of", "word_of: x, part_of", "unknown field `word_of`"),
    ],
)
def test_a_mistake_in_a_description_is_named(tables: Path, old: str, new: str, reason: str) -> None:
    assert old in DESCRIPTION
    tables.write_text(DESCRIPTION.replace(old, new), "utf-8")
    with pytest.raises(InputError) as refused:
        read_description(tables)
    assert reason in str(refused.value) and refused.value.path == str(tables)


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("companies.csv", "名称,母公司\n甲,乙\n", "companies.csv: has no column 注册资本"),
        ("courts.csv", "名称,省\n一法院\n", "courts.csv:2: a row has not as many cells"),
        ("cases.jsonl", '{"编号": 1}\n[]\n', "cases.jsonl:2: "),
    ],
)
def test_a_mistake_in_a_table_is_named(tables: Path, file: str, text: str, reason: str) -> None:
    (tables.parent / file).write_text(text, "utf-8")
    with pytest.raises(InputError, match=reason):
        own_world(tables.parent, read_description(tables))


def test_a_missing_table_is_named(tables: Path) -> None:
    (tables.parent / "cases.jsonl").unlink()
    with pytest.raises(InputError, match=r"cases.jsonl: cannot be read"):
        own_world(tables.parent, read_description(tables))
