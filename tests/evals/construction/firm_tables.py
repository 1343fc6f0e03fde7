"""A small invented world in files of its own: companies, cases, courts, and what they are."""

from __future__ import annotations

import json
from pathlib import Path

from inforce.evals.construction.description import Description, Link, Name
from inforce.evals.construction.paths import (
    Ask,
    Branch,
    Leaf,
    Pick,
    PlanningTree,
    SolutionPath,
    Step,
)
from inforce.evals.construction.solving import Solution
from inforce.evals.construction.tasks import MadeTask
from inforce.evals.construction.wording import write_words
from inforce.evals.construction.worlds import TaskWorld

DESCRIPTION = """\
kinds:
  company: {noun: 公司}
  case: {opening: "编号为{}的案件", noun: 案件}
  court: {noun: 法院}
  court_code: {noun: 法院, part_of: case, pattern: '^([A-Z])-', word: 受理法院}
  region: {noun: 地区}
tables:
  Companies:
    file: companies.csv
    noun: 公司
    measure: 家
    links:
      - {columns: [名称], kind: company, word: ""}
      - {columns: [母公司], kind: company}
    asks: {名称: , 母公司: , 电话: 联系电话}
    amounts: {注册资本: }
  Cases:
    file: cases.jsonl
    noun: 案件
    measure: 件
    links:
      - {columns: [编号], kind: case, word: ""}
      - {columns: [公司], kind: company}
      - {columns: [法院], kind: court}
    asks: {编号: , 法院: }
    amounts: {金额: , 已付: 已付金额}
    dates: {立案日: 立案日期}
    extracts:
      摘要: {word: 摘要中写明的法律, pattern: "《[^》]+》"}
  Courts:
    file: courts.csv
    noun: 法院
    measure: 家
    links:
      - {columns: [名称], kind: court, word: ""}
      - {columns: [代字], kind: court_code, word: ""}
      - {columns: [省, 区], kind: region, word: 所在地区}
    asks: {名称: , 院长: }
tools:
  company: {table: Companies, by: [名称]}
  subsidiaries: {table: Companies, by: [母公司], answer: rows, phrase: "{of}的子公司"}
  case: {table: Cases, by: [编号]}
  cases_of_company: {table: Cases, by: [公司], answer: rows, phrase: "{of}涉及的案件"}
  court: {table: Courts, by: [名称, 代字]}
  courts_of_region:
    {table: Courts, by: [[省, 区]], arguments: [prov, area], answer: rows, phrase: "{of}的法院"}
"""

COMPANIES = """\
名称,母公司,电话,注册资本
甲公司,丙公司,111-1111,100万
乙公司,丙公司,222-2222,200万
丙公司,-,333-3333,1.5亿
丁公司,丁公司,,不详
"""

CASES = (
    ("A-1", "甲公司", "一法院", "300", "100", "2020年01月02日", "依据《合同法》和《公司法》。"),
    ("B-2", "甲公司", "二法院", "500.5", "500.5", "2020年03月01日", "依《合同法》，《合同法》。"),
    ("A-3", "乙公司", "一法院", "700", "0", "2019年05月05日", "无。"),
    ("B-4", "乙公司", "二法院", "700", "800", "2021年05月05日", None),
    ("A-5", "丙公司", "一法院", "-", "1", "2021年05月05日", None),
    ("A-6", "丙公司", "一法院", "9", "1", "2021年06月05日", None),
)

COURTS = """\
名称,代字,省,区,院长
一法院,A,东省,南区,张三
二法院,B,东省,北区,李四
三法院,C,东省,南区,王五
"""


def write_tables(folder: Path) -> Path:
    """The tables and, beside them, their description; the description's path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "companies.csv").write_text(COMPANIES, "utf-8")
    (folder / "courts.csv").write_text(COURTS, "utf-8")
    columns = ("编号", "公司", "法院", "金额", "已付", "立案日", "摘要")
    rows = (dict(zip(columns, case, strict=True)) for case in CASES)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "cases.jsonl").write_text(lines, "utf-8")
    path = folder / "tables.yaml"
    path.write_text(DESCRIPTION, "utf-8")
    return path


def step(
    description: Description, tool: str, kind: str, to: str, *, pick: Pick | None = None
) -> Step:
    """The step of a tool that leads by a column (``to``) to an entity."""
    links = PlanningTree(description).steps(Branch(tool, kind))
    return next(one for one in links if to in one.link.columns and one.pick == pick)


def leaf(tool: str, kind: str, ask: Ask) -> Leaf:
    """A question put to a tool."""
    return Leaf(Branch(tool, kind), ask)


def task(
    world: TaskWorld, path: SolutionPath, start: Name, solution: Solution, *, name: str = "0a"
) -> MadeTask:
    """A task as the workshop makes it."""
    words = write_words(path, solution, world.description)
    return MadeTask(
        name, "1-1-1", path, start, words.question, words.answer, solution.keys, solution.middle
    )


LAST_CASE = Pick("立案日", "latest")
HIGHEST_CASE = Pick("金额", "highest")
COURT_LINK = Link(("法院",), "court", "法院")
