"""The look-ups answer as the server did, and say what the data at hand cannot answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from inforce.errors import InputError, UserError
from inforce.tools.legalagentbench import TABLE_TOOLS, World, legalagentbench_tools
from inforce.tools.legalagentbench.table_tools import table_answer
from inforce.tools.legalagentbench.texts import NO_DATA, NO_SUCH_COLUMN, WRONG_PARAMETERS
from legalagentbench_world import CASE, Ask, lines, write_world

COMPANY = "甲（北京）股份有限公司"
LIST = "get_legal_document_company_list"


def test_there_are_the_thirty_seven_tools_of_the_paper(small_world: World) -> None:
    names = [tool.spec.name for tool in legalagentbench_tools(small_world)]
    assert len(names) == len(set(names)) == 37
    assert len(TABLE_TOOLS) == 28


@pytest.mark.parametrize(
    "identifier", [COMPANY, "甲股份", "600000", "甲(北京)股份有限公司", 600000]
)
async def test_a_listed_company_is_found_by_name_short_name_or_code(
    ask: Ask, identifier: str
) -> None:
    found = await ask("get_company_info", identifier, columns=["公司代码", "关联证券", "邮政编码"])
    assert found.text == "{'公司代码': '600000', '关联证券': nan, '邮政编码': 100000}"
    assert found.status == "found"
    assert [one.id for one in found.evidence] == ["legalagentbench:CompanyInfo-0"]


async def test_a_cell_nobody_has_seen_is_unknown_and_what_is_known_stands_on_the_last_line(
    ask: Ask,
) -> None:
    found = await ask("get_company_info", COMPANY, columns=["公司简称", "董秘"])
    assert found.status == "unknown"
    assert "董秘" in found.text and "None" not in found.text
    assert table_answer(found.text) == "{'公司简称': '甲股份'}"


async def test_no_data_is_said_only_where_the_server_said_it(ask: Ask) -> None:
    nothing = await ask("get_company_info", "无此公司")
    assert (nothing.text, nothing.status) == (NO_DATA, "not_found")
    never_asked = await ask("get_company_info", "从未问过的公司")
    assert never_asked.status == "unknown"
    assert never_asked.text != NO_DATA and "从未问过的公司" in never_asked.text


async def test_a_complete_result_comes_in_the_servers_order(ask: Ask) -> None:
    found = await ask(LIST, COMPANY, columns=["案号"])
    assert found.text == f"[{{'案号': '{CASE}'}}, {{'案号': '（2021）京0101民初2号'}}]"
    assert found.status == "found"


async def test_a_list_of_which_only_some_rows_were_seen_is_not_passed_off_as_complete(
    ask: Ask,
) -> None:
    found = await ask(LIST, "丙公司", columns=["案号"])
    assert found.status == "unknown"
    assert table_answer(found.text) == "[{'案号': '（2021）京0101民初3号'}]"
    by_firm = await ask("get_legal_document_law_list", "丁律师事务所", columns=["案号"])
    assert by_firm.data == found.data


async def test_where_several_rows_fit_the_cells_they_share_are_the_answer(ask: Ask) -> None:
    shared = await ask("get_legal_document", CASE, columns=["涉案金额（元）"])
    assert (shared.text, shared.status) == ("{'涉案金额（元）': 5.0}", "found")
    other = await ask("get_legal_document", CASE, columns=["关联公司"])
    assert other.status == "unknown" and "乙公司" in other.text


async def test_a_name_is_returned_bare(ask: Ask) -> None:
    found = await ask("get_company_register_name", "91110000000000000X")
    assert (found.text, found.status) == (COMPANY, "found")


async def test_a_region_is_found_by_its_three_names_and_missing_one_is_an_error(ask: Ask) -> None:
    place = {"prov": "甲省", "city": "乙市", "county": "丙区"}
    found = await ask("get_court_info_list", **place, columns=["法院名称"])
    assert found.text == "[{'法院名称': '一法院'}]"
    empty = await ask("get_court_info_list", **{**place, "county": ""})
    assert empty.text == NO_DATA
    missing = await ask("get_court_info_list", prov="甲省", city="乙市")
    assert (missing.text, missing.status) == (WRONG_PARAMETERS, "invalid")


async def test_a_column_the_table_does_not_have_is_an_error_in_the_servers_words(ask: Ask) -> None:
    found = await ask("get_company_info", COMPANY, columns=["注册资本"])
    assert (found.text, found.status) == (NO_SUCH_COLUMN, "invalid")


@pytest.mark.parametrize(
    ("identifier", "columns"),
    [(["a", "b"], []), (None, []), (True, []), ("a\0", []), ("\ud800", []), ("甲股份", "公司代码")],
)
async def test_a_call_the_server_could_not_read_is_an_error_in_its_words(
    ask: Ask, identifier: object, columns: object
) -> None:
    found = await ask("get_company_info", identifier, columns=columns)
    assert (found.text, found.status) == (WRONG_PARAMETERS, "invalid")


@pytest.mark.parametrize("tool", ["get_company_info", "get_company_register_name", LIST])
async def test_an_empty_identifier_has_no_data_as_the_server_said_of_every_one(
    ask: Ask, tool: str
) -> None:
    found = await ask(tool, "")
    assert (found.text, found.status) == (NO_DATA, "not_found")


async def test_an_identifier_is_data_and_no_part_of_the_query(ask: Ask) -> None:
    found = await ask("get_company_info", "' OR '1'='1", columns=["公司名称"])
    assert found.status == "unknown" and COMPANY not in found.text


async def test_another_source_fills_gaps_and_is_named(ask: Ask) -> None:
    filled = await ask("get_court_code", "一法院", columns=["法院代字", "级别"])
    assert filled.text == "{'法院代字': '京0101', '级别': 1}"
    assert "S" in filled.evidence[0].origin and "法院代字" in filled.evidence[0].origin
    added = await ask("get_court_code", "京0102", columns=["法院名称"])
    assert (added.data, added.evidence[0].origin) == ({"法院名称": "二法院"}, "S")


def test_descriptions_are_in_both_languages(small_world: World) -> None:
    for zh, en in zip(
        legalagentbench_tools(small_world),
        legalagentbench_tools(small_world, language="en"),
        strict=True,
    ):
        assert zh.spec.name == en.spec.name
        assert not zh.spec.description.isascii()
        assert en.spec.description.isascii()


def test_a_world_with_a_missing_or_damaged_file_names_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="CompanyInfo.jsonl: cannot be read"):
        World.load(tmp_path / "none")
    folder = write_world(tmp_path / "world")
    (folder / "frames.jsonl").write_text('{"tool": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match="frames"):
        World.load(folder)
    lines(folder / "frames.jsonl", [])
    lines(folder / "tables" / "AddrInfo.jsonl", [{"_id": "a", "row": {"邮编": 1}}])
    with pytest.raises(InputError, match="AddrInfo has no column 邮编"):
        World.load(folder)


def test_a_url_that_names_no_database_is_an_error_of_the_user(small_folder: Path) -> None:
    for url in ("nonsense", "nosuch://u:hidden@127.0.0.1/x"):
        with pytest.raises(UserError, match="this URL names no database") as caught:
            World.load(small_folder, url)
        assert "hidden" not in str(caught.value)
    with pytest.raises(UserError, match="cannot be used"):
        World.load(small_folder, "sqlite:////nowhere/at/all/world.db")


def test_a_password_in_a_url_is_not_repeated(small_folder: Path) -> None:
    url = "postgresql+psycopg://someone:hidden-word@127.0.0.1:1/none"
    with pytest.raises(UserError) as caught:
        World.load(small_folder, url)
    assert "hidden-word" not in str(caught.value)


async def test_a_file_that_holds_this_world_is_not_filled_again(tmp_path: Path) -> None:
    folder, url = write_world(tmp_path / "world"), f"sqlite:///{tmp_path / 'world.db'}"
    World.load(folder, url).close()
    written = (tmp_path / "world.db").read_bytes()
    World.load(folder, url).close()
    assert (tmp_path / "world.db").read_bytes() == written
    lines(folder / "negatives.jsonl", [])
    World.load(folder, url).close()
    assert (tmp_path / "world.db").read_bytes() != written
