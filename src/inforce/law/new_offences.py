"""Crimes that amendments created for conduct that other articles punished before.

Whether the new article reaches earlier acts is then a question of lenity between two articles
(刑法 art. 12). One offence a line: the new article, its first day, the articles the conduct fell
under, and the source that says so. Conduct that was no crime before is not listed: for that the
law of the act simply has no rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache

from inforce.law.numerals import ProvisionNumber

_TABLE = """
133-2 | 2021-03-01 | 114 | 公通字〔2019〕1号 part 一
291-2 | 2021-03-01 | 114 | 法发〔2019〕25号 art. 5
293-1 | 2021-03-01 | 293 | 法释〔2013〕18号 art. 1
142-1 | 2021-03-01 | 141 | 药品管理法 (2015) art. 48
219-1 | 2021-03-01 | 219 | 刑法 (1997) art. 219: whoever discloses or lets others use the secret
336-1 | 2021-03-01 | 336 | Nanshan District Court, Shenzhen, 2019-12-30 (edited embryos)
224-1 | 2009-02-28 | 225 | 法释〔2001〕11号
"""


@dataclass(frozen=True, slots=True)
class NewOffence:
    """A crime that was created, and what punished the same conduct before."""

    number: ProvisionNumber
    since: date
    former: tuple[ProvisionNumber, ...]
    source: str


def new_offence(number: ProvisionNumber) -> NewOffence | None:
    """What is recorded of an article of 刑法 that punishes conduct others punished before."""
    return _by_number().get(number)


@cache
def _by_number() -> dict[ProvisionNumber, NewOffence]:
    found: dict[ProvisionNumber, NewOffence] = {}
    for line in _TABLE.strip().splitlines():
        number, since, former, source = (cell.strip() for cell in line.split("|"))
        numbers = tuple(ProvisionNumber.parse(one) for one in former.split(","))
        one = NewOffence(ProvisionNumber.parse(number), date.fromisoformat(since), numbers, source)
        found[one.number] = one
    return found
