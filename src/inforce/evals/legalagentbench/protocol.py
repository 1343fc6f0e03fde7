"""The protocol of LegalAgentBench: the words of its environment, and the tools of a task.

Models act on the remarks of the environment, and runs are compared by them. So they are here word
for word as in the recorded runs.
"""

from __future__ import annotations

from typing import Literal

from inforce.agents.legalagentbench.environment import Environment
from inforce.evals.benchmark import Item
from inforce.evals.legalagentbench.tasks import WRITING
from inforce.tools.legalagentbench.texts import NO_DATA, NO_SUCH_COLUMN, WRONG_PARAMETERS
from inforce.tools.toolbox import Toolbox

Retrievers = Literal["always", "writing"]
"""``always``: every task has the three retrievers, as ReAct had. ``writing``: only the writing
tasks have them, as in the published runs of the planning agents."""

RETRIEVERS = ("legal_article_retriever", "legal_knowledge_retriever", "legal_case_retriever")

ALWAYS = ("CompanyInfo", "AddrInfo")
"""Tables that any question may need: names of companies, and the regions of addresses."""

FORMAT_COMPLAINT = "行动格式非法"
"""The beginning of the environment's answer to an unreadable action."""

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


def tools_of(tools: Toolbox, item: Item, retrievers: Retrievers) -> Toolbox:
    """The tools of one task."""
    if retrievers == "always" or item.task == WRITING:
        return tools
    return tools.only([name for name in tools.names if name not in RETRIEVERS])
