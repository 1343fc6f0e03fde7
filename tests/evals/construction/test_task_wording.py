"""Questions and answers in words."""

from __future__ import annotations

import re

import pytest
from firm_tables import HIGHEST_CASE, leaf, step

from inforce.evals.construction.paths import Ask, Leaf, SolutionPath, Step
from inforce.evals.construction.solving import Execution, display_name, solve
from inforce.evals.construction.wording import Words, write_words
from inforce.evals.construction.worlds import TaskWorld


async def words(firm: TaskWorld, start: str, *leaves: Leaf, trunk: tuple[Step, ...] = ()) -> Words:
    path = SolutionPath(trunk, leaves)
    solution = await solve(path, (start,), Execution(firm))
    assert solution is not None
    return write_words(path, solution, firm.description)


@pytest.mark.parametrize(
    ("tool", "start", "ask", "question", "answer"),
    [
        (
            "company",
            "甲公司",
            Ask("cells", ("电话",)),
            "请问，甲公司的联系电话是什么？",
            "甲公司的联系电话是111-1111。",
        ),
        (
            "company",
            "甲公司",
            Ask("cells", ("电话", "注册资本")),
            "请问，甲公司的联系电话是什么，注册资本是多少？（金额写作“人民币…元”，以元为单位，保留两位小数。）",
            "甲公司的联系电话是111-1111，注册资本是人民币1000000.00元。",
        ),
        (
            "case",
            "A-1",
            Ask("difference", ("金额", "已付")),
            "请问，编号为A-1的案件的金额与已付金额相差多少元？（金额写作“人民币…元”，以元为单位，保留两位小数。）",
            "编号为A-1的案件的金额与已付金额相差人民币200.00元。",
        ),
        (
            "case",
            "A-1",
            Ask("extract", ("摘要",)),
            "请问，编号为A-1的案件的摘要中写明的法律都有哪些？",
            "编号为A-1的案件的摘要中写明的法律有《合同法》、《公司法》。",
        ),
        (
            "cases_of_company",
            "甲公司",
            Ask("count"),
            "请问，甲公司涉及的案件一共有多少件？（数量写作“共几件”。）",
            "甲公司涉及的案件共2件。",
        ),
        (
            "cases_of_company",
            "甲公司",
            Ask("sum", ("金额",)),
            "请问，甲公司涉及的案件的金额合计是多少元？（金额写作“人民币…元”，以元为单位，保留两位小数。）",
            "甲公司涉及的案件的金额合计是人民币800.50元。",
        ),
        (
            "cases_of_company",
            "甲公司",
            Ask("mean", ("金额",)),
            "请问，甲公司涉及的案件的金额平均是多少元？（金额写作“人民币…元”，以元为单位，保留两位小数。）",
            "甲公司涉及的案件的金额平均是人民币400.25元。",
        ),
        (
            "cases_of_company",
            "甲公司",
            Ask("first_of", ("法院",), HIGHEST_CASE),
            "请问，甲公司涉及的案件中金额最高的一件的法院是什么？",
            "甲公司涉及的案件中金额最高的一件的法院是二法院。",
        ),
        (
            "subsidiaries",
            "丙公司",
            Ask("list", ("名称",)),
            "请问，丙公司的子公司的名称分别是什么？请全部列出。",
            "丙公司的子公司的名称有甲公司、乙公司。",
        ),
    ],
)
async def test_each_form_has_its_words(
    firm: TaskWorld, tool: str, start: str, ask: Ask, question: str, answer: str
) -> None:
    kind = "case" if tool == "case" else "company"
    assert await words(firm, start, leaf(tool, kind, ask)) == Words(question, answer)


async def test_the_steps_of_a_long_path_are_clauses_with_names(firm: TaskWorld) -> None:
    described = firm.description
    trunk = (
        step(described, "cases_of_company", "company", "法院", pick=HIGHEST_CASE),
        step(described, "court", "court", "省"),
    )
    ask = leaf("courts_of_region", "region", Ask("count"))
    said = await words(firm, "甲公司", ask, trunk=trunk)
    assert said.question == (
        "已知：甲公司涉及的案件中金额最高的一件，其法院下称“甲法院”；"
        "甲法院的所在地区，下称“乙地区”。"
        "请问，乙地区的法院一共有多少家？（数量写作“共几家”。）"
    )
    assert max(part.count("的") for part in re.split("[，；。]", said.question)) <= 3
    assert said.answer.endswith("的法院共1家。") and "乙地区" not in said.answer


async def test_what_two_questions_are_about_is_described_once(firm: TaskWorld) -> None:
    trunk = (step(firm.description, "case", "case", "公司"),)
    leaves = (
        leaf("company", "company", Ask("cells", ("电话",))),
        leaf("cases_of_company", "company", Ask("count")),
    )
    said = await words(firm, "A-1", *leaves, trunk=trunk)
    assert said.question == (
        "已知：编号为A-1的案件的公司，下称“甲公司”。请问，甲公司的联系电话是什么？"
        "另外，甲公司涉及的案件一共有多少件？（数量写作“共几件”。）"
    )
    assert "甲公司的联系电话是111-1111。" in said.answer and said.answer.endswith("案件共2件。")


async def test_a_step_is_named_where_a_question_would_be_a_chain(firm: TaskWorld) -> None:
    trunk = (step(firm.description, "case", "case", "公司"),)
    said = await words(
        firm, "A-1", leaf("company", "company", Ask("cells", ("电话",))), trunk=trunk
    )
    assert said.question == (
        "已知：编号为A-1的案件的公司，下称“甲公司”。请问，甲公司的联系电话是什么？"
    )


async def test_a_short_name_is_simply_repeated(firm: TaskWorld) -> None:
    leaves = (
        leaf("company", "company", Ask("cells", ("电话",))),
        leaf("cases_of_company", "company", Ask("count")),
    )
    said = await words(firm, "甲公司", *leaves)
    assert said.question == (
        "请问，甲公司的联系电话是什么？另外，甲公司涉及的案件一共有多少件？（数量写作“共几件”。）"
    )


def test_a_municipality_is_named_once() -> None:
    assert display_name(("北京市", "北京市", "海淀区")) == "北京市海淀区"
    assert display_name(("江苏省", "苏州市", "相城区")) == "江苏省苏州市相城区"
