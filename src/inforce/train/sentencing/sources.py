"""What the sources say, told briefly: a small model reads terms and ranges, not judgments.

The sources are the real ones, searched as they are for a person; only their answers are shortened.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from inforce.errors import InputError
from inforce.evals.judgment.cases import Case
from inforce.law.penalties import PenaltyRange, find_ranges
from inforce.library import Library
from inforce.retrieval.sources.indexed import IndexedSource, build_source
from inforce.retrieval.sources.loading import load_documents
from inforce.retrieval.sources.source import Source, SourceDocument, SourceName
from inforce.retrieval.sources.statutes import StatuteSource
from inforce.store.local import LocalStore
from inforce.tools.evidence import Evidence
from inforce.tools.tool import ToolResult

NOTHING = "无结果"

MOST_RANGES = 4
_LONGEST = {"管制": 24, "拘役": 6}
_LONGEST_TERM = 15 * 12
"""Months of 管制, 拘役 and 有期徒刑 for one crime at most (刑法 arts. 38, 42 and 45)."""


_N = "[一二三四五六七八九十]+"
_WITHIN = re.compile(rf"在([^，。；]*?{_N}年[^，。；]*?有期徒刑[^，。；]*?)的?幅度内")
_FROM_TO = re.compile(rf"({_N}年)(?:至|到)({_N}年)有期徒刑")


def told(result: ToolResult) -> str:
    """What a search found, in a line or two."""
    return brief(result.evidence) if result.status == "found" else NOTHING


def brief(found: Sequence[Evidence]) -> str:
    """The terms of precedents, or else the first provision or guideline that states ranges."""
    terms = [one.title for one in found if one.kind == "precedent"]
    if terms:
        return "、".join(terms)
    ranges = (_ranges(one.text) for one in found)
    return next((text for text in ranges if text), NOTHING)


def open_sources(
    library: Library, known: Sequence[Case], guidelines: Path | None, folder: Path
) -> Mapping[SourceName, Source]:
    """The statutes, the cases as precedents, and guidelines if there are any.

    Args:
        library: the statutes.
        known: cases that may be shown with their terms.
        guidelines: a file of documents, such as ``inforce sources add guideline`` takes.
        folder: where indexes are kept.

    Raises:
        InputError: naming the guideline that cannot be read.
    """
    sources: dict[SourceName, Source] = {
        "statute": StatuteSource(lambda: library.statutes, clock=library.clock),
        "precedent": _source(folder, "precedent", [_precedent(case) for case in known]),
    }
    if guidelines:
        read = list(load_documents(guidelines, on_problem=_stop))
        sources["guideline"] = _source(folder, "guideline", read)
    return sources


def _source(folder: Path, name: SourceName, documents: Sequence[SourceDocument]) -> IndexedSource:
    """A source made of these documents, or as it was made before."""
    digest = hashlib.sha256("\0".join(map(repr, documents)).encode()).hexdigest()
    store, collection = LocalStore(folder), f"{name}-{digest[:16]}"
    if not store.current(collection):
        build_source(store, name, documents, collection=collection, threads=0)
    return IndexedSource(store, name, collection=collection)


def _precedent(case: Case) -> SourceDocument:
    """A case by its term: the title is all that is shown of it."""
    crimes = " ".join(f"{charge}罪" for charge in case.charges)
    return SourceDocument(case.id, f"{case.months}个月", f"{crimes}\n{case.fact}")


def _ranges(text: str) -> str:
    """The ranges of imprisonment a text states, in months.

    A range begins with 0 where it allows less than imprisonment (管制, 拘役, a fine) or more only
    (life, death), and ends with 180 where it allows more.

    >>> _ranges("处三年以下有期徒刑、拘役或者管制；情节严重的，处三年以上十年以下有期徒刑。")
    '0-36、36-120'
    >>> _ranges("在二年以下有期徒刑、拘役幅度内确定量刑起点；逃逸的，在三年至五年有期徒刑幅度内")
    '0-24、36-60'
    """
    return "、".join(_months(_as_statutes_say(text)))


def _as_statutes_say(text: str) -> str:
    """Ranges in the words of guidelines (在三年至五年有期徒刑幅度内) in those of statutes."""
    return _WITHIN.sub(r"处\1，", _FROM_TO.sub(r"\1以上\2以下有期徒刑", text))


def _months(text: str) -> Iterator[str]:
    for one in find_ranges(text)[:MOST_RANGES]:
        yield f"{one.lowest.months}-{_highest(one)}"


def _highest(one: PenaltyRange) -> int:
    return one.highest.months or _LONGEST.get(str(one.highest), _LONGEST_TERM)


def _stop(problem: InputError) -> None:
    raise problem
