"""A reply that breaks R1's protocol is scored as the paper's evaluation scores it, and counted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date

import pytest

from inforce.agents.r1.agent import R1, TEXTS
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.trace import Event
from inforce.evals.benchmark import Attempt, Item, ItemScore
from inforce.evals.legalsearch.scoring import score
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.scoring.tasks import Task
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

PLAN = "<think>甲</think><plan>查缓刑</plan>"
SEARCH = '<think>甲</think><tool_call>{"name": "law", "arguments": {"query": "缓刑"}}</tool_call>'
ANSWER = "<think>甲</think><answer>B</answer>"

MALFORMED = [
    ("a letter alone", "B", "B", 1),
    ("a letter and a line break", "B\n", "B", 1),
    ("words around a letter", "我认为选B。", "我认为选B。", 0),
    ("an answer without a plan and without a search", "<answer>B</answer>", "B", 1),
    ("thought and answer without a plan and without a search", ANSWER, "B", 1),
    ("plan and answer in one reply, without a search", PLAN + ANSWER, "B", 1),
    ("a tag in capitals, with spaces inside", "<ANSWER> B </ANSWER>", "B", 1),
    ("a tag that is not closed", "<answer>B", "<answer>B", 0),
    ("a tag that is not opened", "B</answer>", "B</answer>", 0),
    ("two answers: the first counts", "<answer>B</answer><answer>C</answer>", "B", 1),
    ("letters in another order or with commas", "<answer>B,</answer>", "B,", 0),
    ("an empty answer", "<answer></answer>", "", 0),
    ("nothing at all", "", "", 0),
    ("a plan again and again", PLAN, PLAN, 0),
    ("a call that is no JSON", "<tool_call>{law</tool_call>", "<tool_call>{law</tool_call>", 0),
]


class Says:
    """A model that gives prepared replies, the last one for ever."""

    name = "says"

    def __init__(self, *replies: str) -> None:
        self.replies = replies

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        place = sum(one.role == "assistant" for one in messages)
        return Reply(self.replies[min(place, len(self.replies) - 1)])


class Law:
    spec = ToolSpec("law", "looks up", {"query": {"type": "string"}}, required=("query",))

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        text = "累犯不适用缓刑。"
        return ToolResult(text, "found", (Evidence("law/1", "statute", "刑法", text),))


def scored(*replies: str, task: Task = "lbk", target: str = "B") -> tuple[ItemScore, str]:
    async def run() -> tuple[ItemScore, str]:
        events: list[Event] = []
        tools = Toolbox([Law()])
        researcher = Researcher(R1(), Says(*replies), tools, lambda: date(2026, 1, 1))
        answer = await researcher.research("问", listener=events.append)
        item = Item("q", task, "问", target)
        return await score(item, Attempt(answer, tuple(events)), None), answer.outcome

    return asyncio.run(run())


@pytest.mark.parametrize(("form", "reply", "read", "right"), MALFORMED)
def test_a_malformed_reply_is_read_and_scored_as_the_paper_does(
    form: str, reply: str, read: str, right: int
) -> None:
    found, outcome = scored(reply)
    assert outcome == "invalid", form
    assert (found.answer, found.values["score"]) == (read, right)


@pytest.mark.parametrize(("form", "reply", "read", "right"), MALFORMED)
def test_the_same_run_can_be_read_by_the_rule_that_asks_for_the_format(
    form: str, reply: str, read: str, right: int
) -> None:
    found, _ = scored(reply)
    values = found.values
    assert (values["format_rate"], values["score_in_format"], values["reward"]) == (0, 0, 0), form
    assert found.note.startswith("format: missing: ")


def test_a_run_that_keeps_the_format_scores_the_same_by_both_rules() -> None:
    found, outcome = scored(PLAN, SEARCH, ANSWER)
    assert outcome == "answered"
    assert found.values == dict.fromkeys(("score", "reward", "format_rate", "score_in_format"), 1.0)


@pytest.mark.parametrize(
    "replies",
    [("乱",), (PLAN, "乱"), (PLAN, SEARCH), (PLAN, SEARCH, "乱"), ("",), (PLAN, SEARCH, "")],
)
def test_no_sentence_of_ours_is_scored(replies: tuple[str, ...]) -> None:
    """A recited article would earn ROUGE by the words of whoever apologises for the model."""
    for target in (TEXTS["zh"]["nothing_yet"], TEXTS["zh"]["unfinished"]):
        found, outcome = scored(*replies, task="lar", target=target)
        assert outcome in ("invalid", "turn_limit")
        assert found.answer == replies[-1]
        assert (found.values["score"] or 0) < 0.2


def test_an_answer_that_was_sent_back_counts_where_the_model_says_nothing_better() -> None:
    found, outcome = scored("<answer>B</answer>", "乱")
    assert (outcome, found.answer, found.values["score"]) == ("invalid", "B", 1)


def test_an_answer_after_correction_replaces_the_one_before() -> None:
    found, _ = scored("<answer>C</answer>", PLAN, SEARCH, ANSWER)
    assert (found.answer, found.values["score"]) == ("B", 1)
