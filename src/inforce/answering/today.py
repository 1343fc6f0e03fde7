"""What a rule of the past has become: unchanged, amended, moved, replaced or repealed.

In a law that was never renumbered (刑法 since 1997) the number is the rule, whatever it says today.
In one that was, and in a law that succeeded another, the counterpart is computed from the texts
and carries a score: no law states it anywhere a program could read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from inforce.law.alignment import Link, align
from inforce.law.diff import Piece, diff
from inforce.law.former_law import recorded_successors
from inforce.law.lineage import counterparts, is_renumbered
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import find_work
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook

Since = Literal[
    "unchanged", "amended", "moved", "replaced", "repealed", "no_counterpart", "not_covered"
]
"""``moved``: under another number of the same law; ``replaced``: by a provision of another law;
``no_counterpart``: the law is in force, and no provision of it was found that carries the rule."""

BY_TEXT = "matched by text ({score}), not stated by the law"
BY_CONCORDANCE = "by a table of counterparts, not stated by the law"

_DELETED = re.compile(r"^[（(]?(?:本条|此条)?(?:已被)?(?:删去|删除)[）)]?。?$")
"""What a consolidated text prints in the place of a deleted article."""


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
    is_recorded: bool = False
    """Whether a reviewed table says so, and not the likeness of texts."""

    @property
    def basis(self) -> str:
        """How its number is known; ``{score}`` stands for the likeness."""
        return BY_CONCORDANCE if self.is_recorded else BY_TEXT


def today_of(book: LawBook, timeline: Timeline, quoted: Span) -> Today:
    """What the law says now where it once said what ``quoted`` says.

    ``quoted`` is a span in force of ``timeline``.
    """
    old, now = quoted.provision, timeline.version_at(book.clock())
    assert old is not None
    current = now.found[0] if now.found else None
    if current and current.provision and current.provision.text == old.text:
        return Today("unchanged", timeline.work, timeline.number, current)
    edition = book.text_on(timeline.work, book.clock())
    if edition:
        return _in_the_same_law(book, timeline, quoted, edition)
    known = find_work(timeline.work)
    for work in known.succeeded_by if known else ():
        text = book.text_on(work, book.clock())
        recorded = recorded_successors(timeline.work, old, text)
        links = recorded or align([old], text, order="free")
        if links:
            found = _continued(book, "replaced", work, old, links)
            return replace(found, is_recorded=bool(recorded))
    if current:
        return Today("amended", timeline.work, timeline.number, current, score=0.0)
    return Today("not_covered" if now.answer == "not_covered" else "repealed")


def _in_the_same_law(
    book: LawBook, timeline: Timeline, quoted: Span, edition: Sequence[Provision]
) -> Today:
    """The rule in today's text of its own law."""
    assert quoted.provision is not None
    before = book.corpus.provisions(quoted.version) if quoted.version else [quoted.provision]
    links = counterparts(timeline.number, before, edition)
    if links:
        moved = any(link.new != timeline.number for link in links)
        since: Since = "moved" if moved else "amended"
        return _continued(book, since, timeline.work, quoted.provision, links)
    return Today("no_counterpart" if is_renumbered(before, edition) else "repealed")


def _continued(
    book: LawBook, since: Since, work: str, old: Provision, links: Sequence[Link]
) -> Today:
    """The counterpart with what changed; a rule that was split is named by its parts instead."""
    best = max(links, key=lambda link: (link.kind != "split", link.score))
    found = book.corpus.timeline(work, best.new).version_at(book.clock()).found
    new = found[0].provision if found else None
    if new is None or _DELETED.match(new.text.strip()):
        return Today("repealed")
    numbers = tuple(sorted(link.new for link in links))
    pieces = () if len(numbers) > 1 else diff(old.text, new.text)
    return Today(since, work, new.number, found[0], best.score, pieces, numbers=numbers)
