"""What has become of a rule of the past: unchanged, amended, moved, replaced or gone.

A provision may live on under another number of its law, or in the law that succeeded it. Neither is
stated anywhere a program could read, so both are computed from the texts, and carry a score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from inforce.law.diff import Piece, diff
from inforce.law.lineage import align, similarity
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import find_work
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook

_SAME_RULE = 0.5
"""Below this similarity the same number is taken to hold another rule: the law was renumbered."""

Since = Literal["unchanged", "amended", "moved", "replaced", "repealed", "not_covered"]
"""``moved``: under another number of the same law; ``replaced``: by a provision of another law."""


@dataclass(frozen=True, slots=True)
class Today:
    """What the law says now where it once said what is quoted."""

    since: Since
    work: str = ""
    number: ProvisionNumber | None = None
    span: Span | None = None
    score: float = 1.0
    """How alike the texts are, 0 to 1: ``moved`` and ``replaced`` are computed, not stated."""
    pieces: tuple[Piece, ...] = ()
    """The words that changed; empty where nothing did, or where the rule was split."""
    numbers: tuple[ProvisionNumber, ...] = ()
    """All provisions that carry the rule now, where it was split."""


def today_of(book: LawBook, timeline: Timeline, quoted: Span) -> Today:
    """What the law says now where it once said what ``quoted`` says.

    ``quoted`` is a span in force of ``timeline``.
    """
    now = timeline.version_at(book.clock())
    assert quoted.provision is not None
    current = now.found[0] if now.found else None
    if current and current.provision:
        if current.provision.text == quoted.provision.text:
            return Today("unchanged", timeline.work, timeline.number, current)
        score = similarity(quoted.provision.text, current.provision.text)
        if score >= _SAME_RULE:
            same = _Counterpart(current, score, (timeline.number,))
            return _compared("amended", timeline.work, quoted.provision, same)
    for work in (timeline.work, *_successors(timeline.work)):
        found = _counterpart(book, work, quoted.provision)
        if found:
            here = "amended" if found.numbers == (timeline.number,) else "moved"
            since: Since = here if work == timeline.work else "replaced"
            return _compared(since, work, quoted.provision, found)
    if current:
        return Today("amended", timeline.work, timeline.number, current, score=0.0)
    return Today("not_covered" if now.answer == "not_covered" else "repealed")


def _compared(since: Since, work: str, old: Provision, found: _Counterpart) -> Today:
    """What is new in the counterpart; a rule that was split is named by its parts, not compared."""
    new = found.span.provision
    assert new is not None
    pieces = () if len(found.numbers) > 1 else diff(old.text, new.text)
    return Today(since, work, new.number, found.span, found.score, pieces, numbers=found.numbers)


@dataclass(frozen=True, slots=True)
class _Counterpart:
    span: Span
    score: float
    numbers: tuple[ProvisionNumber, ...]
    """Every provision that took over a part of the old one, in order."""


def _counterpart(book: LawBook, work: str, old: Provision) -> _Counterpart | None:
    """The provisions of a law in force today whose text is most like an earlier one's."""
    if work not in book.corpus.titles():
        return None
    today = book.clock()
    edition = next((span for span in book.editions(work) if today in span.window), None)
    if edition is None or edition.version is None:
        return None
    links = align([old], book.corpus.provisions(edition.version), order="free")
    if not links:
        return None
    best = max(links, key=lambda link: (link.kind != "split", link.score))
    found = book.corpus.timeline(work, best.new).version_at(today).found
    numbers = tuple(sorted(link.new for link in links))
    return _Counterpart(found[0], best.score, numbers) if found else None


def _successors(work: str) -> tuple[str, ...]:
    known = find_work(work)
    return known.succeeded_by if known else ()
