"""Invented law: random names, numbers and days, and a search that finds all of them.

It cannot be memorised, so that a model that learns from it learns to copy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from inforce.law.numerals import ProvisionNumber
from inforce.tools.context import RunContext
from inforce.tools.tool import Arguments, ToolResult, ToolSpec
from small_models.dated_articles import article_name, citation

REAL = 0.3
"""Share of the names that are those of real laws, with random numbers and days."""

RARE = 0.2
"""Share of a name's characters that are drawn from all common ones."""

FIRST, LAST = date(1980, 1, 1), date(2026, 12, 31)

_COMMON_SIGNS = tuple(
    bytes((row, column)).decode("gb2312")
    for row in range(0xB0, 0xD7)
    for column in range(0xA1, 0xFF)
)
"""The 3,666 characters of GB 2312's first level that fill whole rows."""

_ENDINGS = ("法", "法", "法", "条例", "规定", "办法", "决定")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ARTICLE = re.compile(r"《[^》\n]+》第\d+条(?:之\d+)?")


@dataclass(frozen=True, slots=True)
class MadeUpLaw:
    """Names, articles and days, drawn at random."""

    laws: Sequence[str]
    """Real names: some are used, the others are mostly composed of their characters."""
    signs: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "signs", sorted(set("".join(self.laws))))

    def article(self, chance: Random) -> str:
        """Draw an article, as questions name it."""
        law = chance.choice(self.laws) if chance.random() < REAL else self.name(chance)
        number = chance.randint(1, 10 ** chance.randint(1, 3))
        branch = chance.randint(1, 9) if chance.random() < 0.1 else 0
        return article_name(law, ProvisionNumber.article(number, branch))

    def name(self, chance: Random) -> str:
        """Draw a name no law has, of a length as laws have them.

        >>> one = MadeUpLaw(("公司法",)).name(Random(0))
        >>> one == MadeUpLaw(("公司法",)).name(Random(0)) != MadeUpLaw(("公司法",)).name(Random(1))
        True
        """
        length = chance.randint(1, 10) if chance.random() < 0.75 else chance.randint(10, 38)
        signs = (
            chance.choice(_COMMON_SIGNS if chance.random() < RARE else self.signs)
            for _ in range(length)
        )
        return "".join(signs) + chance.choice(_ENDINGS)


def day(chance: Random, first: date = FIRST, last: date = LAST) -> date:
    """Draw a day between two, both included."""
    return first + timedelta(chance.randint(0, (last - first).days))


@dataclass(frozen=True, slots=True)
class MadeUpSearch:
    """A search that finds every article in a query, in force since an earlier day.

    Sometimes another article is shown below it, as in a real search.
    """

    spec: ToolSpec
    """That of the search it replaces."""
    law: MadeUpLaw

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Return a version of the first article in the query; the same for the same query."""
        query = str(arguments["query"])
        chance = Random(query)
        named = _DAY.search(query)
        found = _ARTICLE.search(query)
        article = found[0] if found else self.law.article(chance)
        since = day(chance, last=date.fromisoformat(named[0]) if named else LAST)
        lines = [citation(article, since)]
        if chance.random() < 0.15:
            lines.append(citation(self.law.article(chance), day(chance)))
        return ToolResult("\n".join(lines))
