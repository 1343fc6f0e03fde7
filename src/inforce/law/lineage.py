"""The same provision under other numbers: followed through the versions of a law.

>>> text = "对一切案件的判处都要重证据，重调查研究，不轻信口供。"
>>> old = [Provision(ProvisionNumber.article(46), text)]
>>> new = [Provision(ProvisionNumber.article(53), text)]
>>> [number.short for number in lineage_of(ProvisionNumber.article(46), [old, new]).numbers]
['46', '53']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from inforce.law.alignment import (
    MOVED,
    SHORTEST_PART,
    THRESHOLD,
    Link,
    Order,
    PairIndex,
    align,
    bare_wording,
    link_of,
    similarity,
)
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber

_ALIKE = 0.5
"""From this share of common character pairs on, the same number is the same provision."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """One provision followed through several versions or laws."""

    links: tuple[Link, ...]
    """One for each step that could be made, in the order of the versions."""
    score: float
    """The product of the scores: 1.0 if the wording never changed."""
    complete: bool
    """Whether it could be followed to the last version."""

    @property
    def numbers(self) -> tuple[ProvisionNumber, ...]:
        """The provision's number in each version reached."""
        return (*(link.old for link in self.links[:1]), *(link.new for link in self.links))


def lineage_of(
    number: ProvisionNumber,
    versions: Sequence[Sequence[Provision]],
    *,
    order: Order = "kept",
    threshold: float = THRESHOLD,
) -> Lineage:
    """Follow one provision of the first version through all the others.

    Where it was split, the best-scoring part is followed; ``align`` shows the others. Give the
    versions in reverse to go back in time.
    """
    links: list[Link] = []
    for earlier, later in pairwise(versions):
        candidates = [
            link
            for link in align(earlier, later, order=order, threshold=threshold)
            if link.old == number
        ]
        if not candidates:
            return Lineage(tuple(links), _product(links), complete=False)
        links.append(max(candidates, key=_strength))
        number = links[-1].new
    return Lineage(tuple(links), _product(links), complete=True)


def is_renumbered(old: Sequence[Provision], new: Sequence[Provision]) -> bool:
    """Whether articles of one law got other numbers between two of its texts.

    Judged by the articles that read the same in both. Where there is none, both texts must have the
    same numbers for the answer to be no.
    """
    return LineageTracer((old, new)).is_renumbered(0, 1)


def counterparts(
    number: ProvisionNumber, old: Sequence[Provision], new: Sequence[Provision]
) -> tuple[Link, ...]:
    """The provisions of another text of the same law that carry the rule of a number.

    In a law that was not renumbered the number is the rule, whatever it has come to say. In one
    that was, the rule is sought between the articles before and after it that read the same in both
    texts, then in the whole law. Give the texts in reverse to go back in time. The best link comes
    first, then the other parts of a rule that was split.
    """
    return LineageTracer((old, new)).counterparts(number, 0, 1)


class LineageTracer:
    """Follows provisions through the texts of one law; two texts are compared at most once.

    Args:
        texts: in the order of time; the methods name a text by its position.
    """

    def __init__(self, texts: Sequence[Sequence[Provision]]) -> None:
        self._texts = texts
        self._positions = [
            {provision.number: at for at, provision in enumerate(text)} for text in texts
        ]
        self._anchors: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._between: dict[tuple[int, int, int], tuple[Link, ...]] = {}
        self._indexes: dict[int, PairIndex] = {}

    def follow(self, number: ProvisionNumber, order: Sequence[int]) -> Lineage:
        """Follow a provision of the first text named through the others.

        It is followed under its own number while the wording stays alike; only where it does not
        is the next text searched (`counterparts`). Agrees with `lineage_of` where provisions are
        not easily confused, and costs little over the fifteen versions of 刑法.
        """
        links: list[Link] = []
        for earlier, later in pairwise(order):
            link = self._next(number, earlier, later)
            if link is None or link.score < THRESHOLD:
                return Lineage(tuple(links), _product(links), complete=False)
            links.append(link)
            number = link.new
        return Lineage(tuple(links), _product(links), complete=True)

    def has(self, number: ProvisionNumber, at: int) -> bool:
        """Whether a text has a provision of this number."""
        return number in self._positions[at]

    def is_renumbered(self, old: int, new: int) -> bool:
        """Whether articles got other numbers between two texts: see `is_renumbered`."""
        before, after = self._texts[old], self._texts[new]
        if not (anchors := self._anchors_of(old, new)):
            return [provision.number for provision in before] != [
                provision.number for provision in after
            ]
        return any(before[at].number != after[to].number for at, to in anchors)

    def counterparts(self, number: ProvisionNumber, old: int, new: int) -> tuple[Link, ...]:
        """The provisions of the later text that carry the rule of a number: see `counterparts`."""
        at = self._positions[old].get(number)
        if at is None:
            return ()
        before, after = self._texts[old], self._texts[new]
        if not self.is_renumbered(old, new):
            same = self._positions[new].get(number)
            if same is None:
                return ()
            score = similarity(before[at].text, after[same].text)
            return (link_of(before[at], after[same], score),)
        links = self._between_anchors(number, old, new)
        if not links:
            if new not in self._indexes:
                self._indexes[new] = PairIndex(after)
            moved = self._indexes[new].align([before[at]], order="free", threshold=MOVED)
            links = [link for link in moved if link.kind != "split"]
        return tuple(sorted(links, key=_strength, reverse=True))

    def _between_anchors(self, number: ProvisionNumber, old: int, new: int) -> list[Link]:
        """The links of one article, sought between the nearest articles that read the same."""
        before, after = self._texts[old], self._texts[new]
        at, anchors = self._positions[old][number], self._anchors_of(old, new)
        exact = next((to for here, to in anchors if here == at), None)
        if exact is not None:
            return [link_of(before[at], after[exact], 1.0)]
        left = max((pair for pair in anchors if pair[0] < at), default=(-1, -1))
        right = min((pair for pair in anchors if pair[0] > at), default=(len(before), len(after)))
        key = old, new, left[0]
        if key not in self._between:
            self._between[key] = align(
                before[left[0] + 1 : right[0]], after[left[1] + 1 : right[1]]
            )
        return [link for link in self._between[key] if link.old == number]

    def _next(self, number: ProvisionNumber, earlier: int, later: int) -> Link | None:
        at, same = self._positions[earlier].get(number), self._positions[later].get(number)
        if at is not None and same is not None:
            old, new = self._texts[earlier][at], self._texts[later][same]
            score = similarity(old.text, new.text)
            if score >= _ALIKE:
                return link_of(old, new, score)
        return next(iter(self.counterparts(number, earlier, later)), None)

    def _anchors_of(self, old: int, new: int) -> list[tuple[int, int]]:
        """Positions of the articles that read the same in both texts, each wording but once."""
        if (old, new) not in self._anchors:
            before, after = (_unique_wordings(self._texts[at]) for at in (old, new))
            pairs = ((at, after[words]) for words, at in before.items() if words in after)
            self._anchors[old, new] = sorted(pairs)
        return self._anchors[old, new]


def _unique_wordings(text: Iterable[Provision]) -> dict[str, int]:
    """Wordings of some length that occur once in a text, with their positions."""
    positions: dict[str, list[int]] = {}
    for at, provision in enumerate(text):
        positions.setdefault(bare_wording(provision.text), []).append(at)
    return {
        words: found[0]
        for words, found in positions.items()
        if len(found) == 1 and len(words) > SHORTEST_PART
    }


def _strength(link: Link) -> tuple[bool, float]:
    return link.kind not in ("split", "merged"), link.score


def _product(links: Iterable[Link]) -> float:
    return prod(link.score for link in links)
