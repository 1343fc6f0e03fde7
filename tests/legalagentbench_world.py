"""A small invented world in the form of LegalAgentBench's, and a way to ask its tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from inforce.tools.context import RunContext
from inforce.tools.legalagentbench import TABLES, World, legalagentbench_tools
from inforce.tools.tool import ToolResult
from inforce.tools.toolbox import Toolbox

Ask = Callable[..., Any]

COMPANY = {"公司名称": "甲（北京）股份有限公司", "公司简称": "甲股份", "公司代码": "600000"}
CASE = "（2020）京0101民初1号"


def lines(path: Path, values: Sequence[Mapping[str, Any]]) -> None:
    """Write a JSON Lines file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
    path.write_text(text, encoding="utf-8")


def rows(table: str, *cells: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows with ids."""
    return [{"_id": f"{table}-{n}", "row": row, "_missing": []} for n, row in enumerate(cells)]


def write_world(folder: Path) -> Path:
    """The invented world: one company, its cases, two courts."""
    for table in TABLES:
        lines(folder / "tables" / f"{table.name}.jsonl", [])
    tables = {
        "CompanyInfo": rows("CompanyInfo", {**COMPANY, "关联证券": None, "邮政编码": 100000}),
        "CompanyRegister": rows(
            "CompanyRegister",
            {"公司名称": "甲（北京）股份有限公司", "统一社会信用代码": "91110000000000000X"},
        ),
        "LegalDoc": rows(
            "LegalDoc",
            {"案号": "（2021）京0101民初2号", "关联公司": "甲（北京）股份有限公司"},
            {"案号": CASE, "关联公司": "甲（北京）股份有限公司", "涉案金额（元）": 5.0},
            {"案号": CASE, "关联公司": "乙公司", "涉案金额（元）": 5.0},
            {
                "案号": "（2021）京0101民初3号",
                "关联公司": "丙公司",
                "原告律师事务所": "丁律师事务所",
            },
        ),
        "CourtInfo": rows(
            "CourtInfo",
            {"法院名称": "一法院", "法院省份": "甲省", "法院城市": "乙市", "法院区县": "丙区"},
        ),
        "CourtCode": rows("CourtCode", {"法院名称": "一法院", "级别": 1}),
        "CourtCode_supplement": [
            {
                "row": {"法院名称": name, "法院代字": code, "区划代码": " -", "级别": 1},
                "_source": "S",
            }
            for name, code in (("一法院", "京0101"), ("二法院", "京0102"))
        ],
    }
    for name, values in tables.items():
        lines(folder / "tables" / f"{name}.jsonl", values)
    frame = {
        "tool": "get_legal_document_company_list",
        "identifier": "甲（北京）股份有限公司",
        "row_ids": ["LegalDoc-1", "LegalDoc-0"],
    }
    region = {"tool": "get_court_info_list", "identifier": ["甲省", "乙市", "丙区"]}
    lines(folder / "frames.jsonl", [frame, {**region, "row_ids": ["CourtInfo-0"]}])
    nothing = {"tool": "get_company_info", "identifier": "无此公司"}
    lines(folder / "negatives.jsonl", [nothing, {**region, "identifier": ["甲省", "乙市", ""]}])
    _write_corpora(folder / "corpora")
    return folder


def _write_corpora(folder: Path) -> None:
    documents = [
        {
            "id": "article-0",
            "title": "民法典第一条",
            "text": "民法典第一条：借款合同",
            "raw": "借款\\n",
        },
        {"id": "article-1", "title": "刑法第一条", "text": "刑法第一条：惩罚犯罪", "raw": ""},
        {"id": "article-2", "title": "票据法第一条", "text": "票据法第一条：票据行为", "raw": ""},
    ]
    lines(folder / "article.jsonl", documents)
    lines(folder / "knowledge.jsonl", [])
    lines(folder / "case.jsonl", [])
    run = {"tool": "legal_article_retriever", "query_or_plan": "票据", "is_exact_query": True}
    lines(folder / "retrieval_runs.jsonl", [{**run, "results": ["article-1", "article-0"]}])


def asker(world: World) -> Ask:
    """A function that calls the tools of a world."""
    toolbox = Toolbox(legalagentbench_tools(world))

    async def call(tool: str, identifier: Any = None, **more: Any) -> ToolResult:
        arguments = more if identifier is None else {"identifier": identifier, **more}
        return await toolbox.call(tool, arguments, RunContext("", date(2024, 12, 5)))

    return call
