"""How good an answer is: known items found first, and the share of relevant articles found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Protocol, TypeVar

from questions import Judged, KnownItem
from rich.console import Console
from rich.progress import track

from inforce.dates import DateRange
from inforce.law.numerals import ProvisionNumber
from inforce.scoring.overlap import rouge_l, without_headings

T = TypeVar("T")

K = 10
SAME_TEXT = 0.9
"""ROUGE-L from which a text counts as the one asked for; other versions of it score less."""


@dataclass(frozen=True, slots=True)
class Found:
    """A provision a search returned."""

    work: str
    number: ProvisionNumber
    text: str


class Search(Protocol):
    """Either pipeline: the best ``K`` provisions for a query, under a date if one is given."""

    def __call__(self, query: str, as_of: DateRange | None) -> Sequence[Found]:
        """What was found, best first."""
        ...


def is_hit(found: Sequence[Found], item: KnownItem) -> bool:
    """Whether the first result is the provision asked for, in the wording of the time."""
    if not found or (found[0].work, found[0].number) != (item.work, item.number):
        return False
    return rouge_l(found[0].text, without_headings(item.text)) >= SAME_TEXT


def hit_rate(search: Search, items: Sequence[KnownItem]) -> float:
    """Share of known items found first."""
    return fmean(is_hit(search(one.query, one.as_of), one) for one in watched(items, "items"))


def recall(search: Search, judged: Sequence[Judged]) -> float:
    """Mean share of the relevant articles that are among the first ``K`` results."""
    queries = watched(judged, "queries")
    return fmean(_share(search(one.query, one.as_of), one) for one in queries)


def watched(asked: Sequence[T], what: str) -> Iterable[T]:
    """The same, with a progress bar where a person looks on."""
    console = Console(stderr=True)
    return track(asked, what, console=console, disable=not console.is_terminal, transient=True)


def _share(found: Sequence[Found], judged: Judged) -> float:
    articles = {(one.work, one.number) for one in found}
    return len(judged.relevant & articles) / len(judged.relevant)
