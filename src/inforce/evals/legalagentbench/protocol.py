"""How LegalAgentBench is run: its agents, its environment's words, and who has the retrievers.

The environment's remarks are part of what a model acts on, and runs are compared by them; they are
therefore given here word for word as the recorded runs have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inforce.agents.legalagentbench.environment import Environment
from inforce.errors import ModelError
from inforce.evals.legalagentbench.tasks import Task
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.tools.legalagentbench.wording import NO_DATA, NO_SUCH_COLUMN, WRONG_PARAMETERS
from inforce.tools.toolbox import Toolbox

AgentName = Literal["react", "plan-solve", "plan-execute", "oracle"]

Retrievers = Literal["always", "writing"]
"""``always``: every task has the three retrievers, as ReAct had. ``writing``: only the writing
tasks have them, as in the published runs of the planning agents."""

RETRIEVERS = ("legal_knowledge_retriever", "legal_article_retriever", "legal_case_retriever")

ALWAYS = ("CompanyInfo", "AddrInfo")
"""Tables every question may need: names of companies, and the regions of addresses."""

FORMAT_COMPLAINT = "行动格式非法"
"""How the environment's answer to an unreadable action begins."""

HARNESS = Environment(
    "legalagentbench",
    illegal_action=(
        f"{FORMAT_COMPLAINT}, 行动一次只能调用一次工具, 行动必须按照以下json格式输出, "
        '可以被Python json.loads函数解析: ```json{"action": $TOOL_NAME,"action_input": $INPUT}```, '
        "请你反思并尝试纠正."
    ),
    reading="benchmark",
    hints={
        NO_DATA: (
            "原因可能是: 一, 调用的工具不合适, 尝试使用其他工具; 二, 调用工具时传入的参数"
            "可能存在非法值, 例如identifier的值非法(与工具的输入要求不符), 或者columns列表中"
            "包含了要查询的表格中未出现的字段.请你反思并尝试纠正."
        ),
        NO_SUCH_COLUMN: (
            "原因可能是: 调用工具时传入的columns列表中包含了要查询的表格中未出现的字段."
            "请你反思并尝试纠正."
        ),
    },
    unknown_tool=WRONG_PARAMETERS,
    extra_arguments="ignored",
    bare_inputs={
        **dict.fromkeys(RETRIEVERS, str),
        **dict.fromkeys(("get_sum", "get_multiplication", "get_rank"), list),
    },
    answers="as_is",
)


@dataclass(frozen=True, slots=True)
class NoModel:
    """Stands where a model would for an agent that asks none."""

    name: str = "offline"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """There is none.

        Raises:
            ModelError: always.
        """
        raise ModelError("this agent has no model to ask; name one with --model")


def usual_retrievers(name: AgentName) -> Retrievers:
    """Who has the retrievers in the published runs."""
    return "writing" if name in ("plan-solve", "plan-execute") else "always"


def tools_of(tools: Toolbox, task: Task, retrievers: Retrievers) -> Toolbox:
    """The tools of one task."""
    if retrievers == "always" or task.group == "writing":
        return tools
    return tools.only([name for name in tools.names if name not in RETRIEVERS])
