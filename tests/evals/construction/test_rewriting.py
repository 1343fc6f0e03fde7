"""Rewritten questions: what is taken, what is refused, and that nothing is written twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from firm_tables import HIGHEST_CASE, leaf, step, task

from inforce.errors import InputError, ModelError
from inforce.evals.construction.paths import Ask, SolutionPath
from inforce.evals.construction.rewriting import OPENINGS, Rewriter
from inforce.evals.construction.solving import Execution, solve
from inforce.evals.construction.tasks import MadeTask
from inforce.evals.construction.worlds import TaskWorld
from inforce.llm.chat import GREEDY, Message, Reply, Sampling

GOOD = "客户想了解甲公司涉及的案件，请查明其中金额最大的一件由哪家法院审理，并告知院长姓名。"


class Scripted:
    """Says what is prepared, in order; then it cannot be reached."""

    name = "scripted"

    def __init__(self, *texts: str) -> None:
        self.left = list(texts)
        self.prompts: list[str] = []

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        self.prompts.append(messages[-1].content)
        if not self.left:
            raise ModelError("the model cannot be reached")
        return Reply(self.left.pop(0))


@pytest.fixture
async def head_of_court(firm: TaskWorld) -> MadeTask:
    to_court = step(firm.description, "cases_of_company", "company", "法院", pick=HIGHEST_CASE)
    path = SolutionPath((to_court,), (leaf("court", "court", Ask("cells", ("院长",))),))
    solution = await solve(path, ("甲公司",), Execution(firm))
    assert solution is not None
    return task(firm, path, ("甲公司",), solution)


@pytest.fixture
async def amount(firm: TaskWorld) -> MadeTask:
    path = SolutionPath((), (leaf("case", "case", Ask("cells", ("金额",))),))
    solution = await solve(path, ("A-3",), Execution(firm))
    assert solution is not None
    return task(firm, path, ("A-3",), solution, name="0b")


def rewriter(firm: TaskWorld, path: Path, model: Scripted | None = None) -> Rewriter:
    return Rewriter(path, firm.description, ["甲公司", "乙公司", "一法院", "二法院"], model)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (GOOD, ""),
        (GOOD.replace("甲公司", "客户"), "does not name 甲公司"),
        (GOOD + "再详细说明一下。" * 80, "is too long"),
        (GOOD + "是李四吗？", "gives 李四 away"),
        (GOOD + "是二法院吗？", "gives 二法院 away"),
        (GOOD + "立案在2020年。", "brings in 2020"),
        (GOOD + "乙公司也有案件。", "brings in 乙公司"),
        (GOOD.replace("金额最大的", ""), "loses 最高"),
        (GOOD.replace("，并告知院长姓名", ""), "loses 院长"),
    ],
)
def test_a_rewriting_keeps_the_question_and_adds_nothing(
    firm: TaskWorld, tmp_path: Path, head_of_court: MadeTask, text: str, refusal: str
) -> None:
    assert rewriter(firm, tmp_path / "kept").refusal(head_of_court, text) == refusal


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("编号A-3的案件金额是多少？", ""),
        ("编号A-3的案件标的是多少？", "loses 金额"),
    ],
)
def test_a_rewriting_of_an_amount_asks_for_the_amount(
    firm: TaskWorld, tmp_path: Path, amount: MadeTask, text: str, refusal: str
) -> None:
    assert rewriter(firm, tmp_path / "kept").refusal(amount, text) == refusal


async def test_how_an_amount_is_written_is_said_after_whatever_a_model_writes(
    firm: TaskWorld, tmp_path: Path, amount: MadeTask
) -> None:
    """Keys are recognised by it: 人民币500000.00元 is no end of 人民币1500000.00元."""
    model = Scripted("编号A-3的案件金额是多少？")
    done = await rewriter(firm, tmp_path / "kept", model).rewrite([amount])
    hint = "（金额写作“人民币…元”，以元为单位，保留两位小数。）"
    assert done[0].question == f"编号A-3的案件金额是多少？{hint}"
    assert amount.question.endswith(hint) and amount.key[0].startswith("人民币")


async def test_what_a_model_writes_is_asked_instead(
    firm: TaskWorld, tmp_path: Path, head_of_court: MadeTask
) -> None:
    model = Scripted("甲公司的院长是谁？", f"\n{GOOD}\n")
    done = await rewriter(firm, tmp_path / "kept", model).rewrite([head_of_court])
    assert (done[0].question, done[0].origin) == (GOOD, "model")
    assert done[0].refusals == ("loses 最高",)
    assert head_of_court.question in model.prompts[0] and "甲公司" in model.prompts[0]


async def test_a_model_that_cannot_do_it_leaves_the_plain_question(
    firm: TaskWorld, tmp_path: Path, head_of_court: MadeTask
) -> None:
    model = Scripted("谁？", "是谁？")
    done = await rewriter(firm, tmp_path / "kept", model).rewrite([head_of_court])
    assert done[0].origin == "plain" and len(done[0].refusals) == 2
    assert done[0].question == OPENINGS[0x0A % len(OPENINGS)] + head_of_court.question


async def test_without_a_model_the_plain_question_has_an_opening(
    firm: TaskWorld, tmp_path: Path, head_of_court: MadeTask
) -> None:
    done = await rewriter(firm, tmp_path / "kept").rewrite([head_of_court])
    assert done[0].question.endswith(head_of_court.question) and done[0].origin == "plain"
    assert not (tmp_path / "kept").exists()


async def test_a_run_that_broke_off_goes_on_where_it_was(
    firm: TaskWorld, tmp_path: Path, head_of_court: MadeTask, amount: MadeTask
) -> None:
    kept = tmp_path / "kept"
    with pytest.raises(ModelError):
        await rewriter(firm, kept, Scripted(GOOD)).rewrite([head_of_court, amount])
    with kept.open("ab") as file:
        file.write(b'{"name": "0b", "pla')
    later = Scripted("编号A-3的案件金额是多少元，请保留两位小数。")
    done = await rewriter(firm, kept, later).rewrite([head_of_court, amount])
    assert [one.origin for one in done] == ["model", "model"] and len(later.prompts) == 1
    again = Scripted()
    assert await rewriter(firm, kept, again).rewrite([head_of_court, amount]) == done
    assert again.prompts == []


def test_a_damaged_file_of_rewritings_is_named(firm: TaskWorld, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("{}\n", "utf-8")
    with pytest.raises(InputError, match=r"kept:1"):
        rewriter(firm, kept)
