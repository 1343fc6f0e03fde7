"""Prompts of agents: one file a prompt, in our own words, with named gaps.

The prompts of a method are the files ``prompts/NAME.md`` of its folder.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from importlib.resources import files
from string import Template

from inforce.dates import DateRange
from inforce.tools.context import RunContext
from inforce.tools.statute_text import show_days
from inforce.tools.tool import Language


@cache
def prompt(method: str, name: str) -> Template:
    """Load a prompt of a method's folder; ``$gaps`` are filled by ``substitute``."""
    file = files("inforce.agents").joinpath(method, "prompts", f"{name}.md")
    return Template(file.read_text(encoding="utf-8").strip())


_FACTS: dict[Language, str] = {"zh": "给定的事实发生时间：", "en": "Given days of the facts: "}
_TRIAL: dict[Language, str] = {"zh": "给定的审判日期：", "en": "Given day of the trial: "}
_RULE: dict[Language, str] = {
    "zh": "给定的时间优先于问题中写明的时间；查询时写明这一时间。",
    "en": "What is given wins over dates in the question; name it in your queries.",
}
_DAY = r"\d{4}-\d{2}-\d{2}"
_READ_FACTS = re.compile(
    rf"^(?:{'|'.join(_FACTS.values())})(?P<first>{_DAY})"
    rf"(?:(?: 至 | to )(?P<last>{_DAY})|(?P<open> 起| onwards))?$",
    re.MULTILINE,
)


def given_dates(context: RunContext, language: Language) -> str:
    """The dates a person gave beside the question, as lines of a model's instructions."""
    lines: list[str] = []
    if context.as_of is not None:
        lines.append(f"{_FACTS[language]}{show_days(context.as_of, language)}")
    if context.trial is not None:
        lines.append(f"{_TRIAL[language]}{context.trial}")
    return "\n".join([*lines, _RULE[language]]) if lines else ""


def with_given_dates(instructions: str, context: RunContext, language: Language) -> str:
    """Instructions with the given dates at their end."""
    return "\n\n".join(filter(None, [instructions, given_dates(context, language)]))


def read_given_facts(instructions: str) -> DateRange | None:
    """Read the days of the facts that `given_dates` wrote into a model's instructions."""
    found = _READ_FACTS.search(instructions)
    if found is None:
        return None
    first = date.fromisoformat(found["first"])
    if found["open"]:
        return DateRange(first, None)
    return DateRange.inclusive(first, date.fromisoformat(found["last"] or found["first"]))
