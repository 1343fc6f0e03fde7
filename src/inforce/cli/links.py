"""The printed form of what belongs to a provision: interpretations, amounts, what cites it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inforce.cli.output import cited, console, counted
from inforce.law.registry import find_work

if TYPE_CHECKING:
    from inforce.corpus.links import CitedBy, Cites, Links
    from inforce.law.model import Caption
    from inforce.law.penalties.thresholds import Threshold
    from inforce.retrieval.sources.lookups import CitingDocument

MOST_WORKS = 4
"""Works that are named before the rest is counted; ``--json`` names all."""
MOST_NUMBERS = 6
MOST_DOCUMENTS = 10
MOST_NAMED = 2
"""Interpretations that are named with a provision that is one of several."""


def show_links(links: Links) -> None:
    """Print what interprets a provision, what cites it and what it cites."""
    out = console()
    if not links.known:
        out.print("what cites it is not known yet: inforce corpus index", style="dim")
    show_amounts(links)
    for line in _by_work(links.interpretations):
        out.print(_joined("interpreted by", line), style="dim")
    for line in _by_work(links.cited_by):
        out.print(_joined("cited by", line), style="dim")
    if links.cites:
        shown = [_cited(one) for one in links.cites[:MOST_NUMBERS]]
        more = len(links.cites) - MOST_NUMBERS
        out.print(_joined("refers to", *shown, f"and {more} more" if more > 0 else ""), style="dim")


def show_amounts(links: Links | None) -> None:
    """Print the amounts that interpretations give for the words of a provision."""
    for line in _amounts(links.amounts) if links else ():
        console().print(line, style="dim")


def show_interpretations(links: Links | None, *, indent: str = "") -> None:
    """Print which works interpret a provision that is quoted, those that cite it most first."""
    citing = Counter(one.work for one in links.interpretations) if links else Counter[str]()
    works = [work for work, _ in citing.most_common()]
    if works:
        more = len(works) - MOST_NAMED
        shown = "、".join(works[:MOST_NAMED])
        line = _joined("interpreted by", shown, f"and {more} more" if more > 0 else "")
        console().print(f"{indent}{line}", style="dim")


def show_names(captions: Sequence[Caption]) -> None:
    """Print the judicial rules that fixed the names of a crime."""
    for authority in dict.fromkeys(one.authority for one in captions):
        if rule := find_work(authority):
            console().print(_joined("name fixed by", authority, rule.title), style="dim")


def show_documents(documents: Sequence[CitingDocument]) -> None:
    """Print the precedents and guidelines that cite a provision."""
    out = console()
    if not documents:
        out.print("no precedent or guideline that is held cites it", style="dim")
    for one in documents[:MOST_DOCUMENTS]:
        portions = "、".join(portion.chinese for portion in one.portions)
        day = one.date.isoformat() if one.date else "undated"
        doubt = "" if one.checked else "by its number only"
        out.print(_joined(one.source, day, one.title, portions, doubt), style="dim")
    if (more := len(documents) - MOST_DOCUMENTS) > 0:
        out.print(f"{more} documents more (--json names all)", style="dim")


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _by_work(cited_by: Sequence[CitedBy]) -> Iterator[str]:
    """A line for each work with its numbers, and one that counts the works left out."""
    works: dict[str, dict[str, None]] = {}
    for one in cited_by:
        works.setdefault(one.work, {})[one.number.chinese] = None
    for work in list(works)[:MOST_WORKS]:
        numbers = list(works[work])
        shown, more = "、".join(numbers[:MOST_NUMBERS]), len(numbers) - MOST_NUMBERS
        yield _joined(cited(work, shown), f"and {more} more" if more > 0 else "")
    if (more := len(works) - MOST_WORKS) > 0:
        yield f"{counted(more, 'work')} more (--json names all)"


def _cited(one: Cites) -> str:
    name = cited(one.title, one.portion.chinese if one.portion else "")
    if one.now:
        return f"{name} （{one.now.chinese}）"
    return name if one.held else f"{name} (not held)"


def _amounts(amounts: Sequence[Threshold]) -> Iterator[str]:
    """The amounts of each interpretation on one line."""
    sources: dict[tuple[str, str, str], list[Threshold]] = {}
    for one in amounts:
        sources.setdefault((one.offence, one.when, one.source), []).append(one)
    for (offence, when, source), rows in sources.items():
        facts = f"{offence}（{when.replace('|', '、')}）" if when else offence
        yield _joined("amounts known", facts, *map(_figure, rows), source, str(rows[0].window))


def _figure(one: Threshold) -> str:
    low, high = f"{one.low:f}", f"{one.high:f}"
    span = low if low == high else f"{low}-{high}"
    return f"{one.word} {span}元".strip()
