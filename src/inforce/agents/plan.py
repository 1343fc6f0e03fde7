"""A model's plan, step by step: read from whatever numbering the model chose."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_STEPS = 10
"""Steps of a plan that are carried out (LegalAgentBench, section 4.1: T = 10)."""

_DIGITS = "一二三四五六七八九十"
_NUMBER = rf"(?:\d{{1,2}}|[{_DIGITS}]{{1,3}})"
_LABEL = re.compile(
    rf"(?:第\s*{_NUMBER}\s*步|步骤\s*{_NUMBER}|[Ss]tep\s*\d{{1,2}})\s*[:：.．、)）]?\s*"
)
_LIST_ITEM = re.compile(r"^\s*(?:\d{1,2}\s*[.．、)）]|[-*•])\s*", re.MULTILINE)
_END = re.compile(r"计划(?:到此)?(?:结束|完毕)|[Ee]nd of [Pp]lan")
_EMPHASIS = re.compile(r"[*#`]+")


def read_plan(text: str) -> tuple[str, ...]:
    r"""The steps of a plan, in order, `MOST_STEPS` at most; empty where there is none.

    >>> read_plan("计划：\n步骤1：查案件。\n步骤2：回答问题。\n计划结束")
    ('查案件。', '回答问题。')
    """
    plan = _END.split(text, maxsplit=1)[0]
    plan = _EMPHASIS.sub("", plan)
    for mark in (_LABEL, _LIST_ITEM):
        steps = [part.strip() for part in mark.split(plan)[1:]]
        if any(steps):
            return tuple(step for step in steps if step)[:MOST_STEPS]
    return ()


def written_plan(steps: Sequence[str]) -> str:
    """A plan as text, numbered from 1."""
    return "\n".join(f"步骤{number}：{step}" for number, step in enumerate(steps, start=1))
