"""``finish``: the tool by which an agent says that it is done, and what the answer is."""

from __future__ import annotations

from inforce.tools.context import RunContext
from inforce.tools.legalagentbench.wording import WRONG_PARAMETERS
from inforce.tools.tool import Arguments, Language, Reach, ToolResult, ToolSpec

_SAID: dict[Language, tuple[str, str]] = {
    "zh": ("汇总已有信息，给出最终答案", "字符串：最终答案"),
    "en": ("sum up what was found and give the final answer", "string: the final answer"),
}


class Finish:
    """Hands the answer back; looks nothing up."""

    reach: Reach = "local"

    def __init__(self, *, language: Language = "zh") -> None:
        self._language: Language = language

    @property
    def spec(self) -> ToolSpec:
        """One argument: the answer."""
        said, answer = _SAID[self._language]
        return ToolSpec("finish", said, {"answer": {"description": answer}}, required=())

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """The answer as it was given; an empty one is none."""
        answer = arguments.get("answer")
        if not isinstance(answer, str) or not answer.strip():
            return ToolResult(WRONG_PARAMETERS, "invalid")
        return ToolResult(answer)
