"""Reading the answer out of what a model wrote, and comparing it as the benchmark does."""

from __future__ import annotations

import re
from typing import Literal

WithoutTag = Literal["whole", "none"]
"""What counts as the answer where a text has no ``<answer>``: all of it, as in evaluation, or
nothing, as in training."""

_OPENS = re.compile(r"<answer>", re.IGNORECASE)
_CLOSES = re.compile(r"</answer>", re.IGNORECASE)
"""One pattern for both would take hours over the reply of a model that repeats itself."""
_BETWEEN_CHARGES = re.compile(r"[;；]")
_CRIME = "罪"


def read_answer(text: str, *, without_tag: WithoutTag = "whole") -> str:
    """What stands between the first ``<answer>`` and its end, trimmed.

    >>> read_answer("<think>…</think><ANSWER> AC </ANSWER><answer>B</answer>"), read_answer(" B ")
    ('AC', 'B')
    >>> read_answer("B", without_tag="none")
    ''
    """
    opens = _OPENS.search(text)
    closes = _CLOSES.search(text, opens.end()) if opens else None
    if opens and closes:
        return text[opens.end() : closes.start()].strip()
    return text.strip() if without_tag == "whole" else ""


def charges(text: str) -> tuple[str, ...]:
    """The charges of an answer, which semicolons of either width part.

    >>> charges("盗窃; 诈骗；")
    ('盗窃', '诈骗')
    """
    return tuple(part.strip() for part in _BETWEEN_CHARGES.split(text) if part.strip())


def same_charges(answer: str, target: str) -> bool:
    """Whether an answer names the charges of the target, as many and in any order.

    An answer may add 罪 to a charge; the target's own words may not be shortened by it.

    >>> same_charges("诈骗罪；盗窃", "盗窃;诈骗"), same_charges("盗窃", "盗窃罪")
    (True, False)
    """
    said, wanted = charges(answer), charges(target)
    return len(said) == len(wanted) and all(
        one in said or f"{one}{_CRIME}" in said for one in wanted
    )
