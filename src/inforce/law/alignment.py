"""Alignment of two texts of a law: which provision of one is which of the other, by wording.

Nothing here is asserted without a score. Two provisions are compared by the pairs of neighbouring
characters they share (Dice's coefficient): 1 is the same wording, two unrelated articles of one
Chinese statute are around 0.1. Within a law the alignment keeps the order of the articles, as
renumbering does; between laws every provision seeks its best counterpart freely.

>>> text = "对一切案件的判处都要重证据，重调查研究，不轻信口供。"
>>> old = [Provision(ProvisionNumber.article(46), text)]
>>> new = [Provision(ProvisionNumber.article(53), text)]
>>> [(link.old.short, link.new.short, link.score, link.kind) for link in align(old, new)]
[('46', '53', 1.0, 'renumbered')]
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from operator import add, attrgetter
from typing import Literal

from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber

Order = Literal["kept", "free"]
"""``kept``: one law, renumbered, articles stay in sequence. ``free``: another law, any sequence."""

LinkKind = Literal["identical", "renumbered", "amended", "split", "merged"]
"""How the later provision is related to the earlier one.

``identical``: same number and wording. ``renumbered``: same wording, another number. ``amended``:
the wording differs (the number may too). ``split``: the later provision took over a part of an
earlier one that goes on elsewhere. ``merged``: the earlier provision became part of a later one
that goes back to another.
"""

THRESHOLD = 0.4
"""Below this share of common character pairs two provisions are not called the same.

Checked on real statutes. Within 刑法, whose numbers never changed, every link of 1997 to today is
to the same number; in 刑事诉讼法 and 民事诉讼法 all that kept its wording is found again. Between
laws (seven predecessors of 民法典) about five links in six are right from 0.4 to 0.5, where set
phrases weigh most, and errors are rare above. A reader sees the score.
"""

CONTAINMENT = 0.85
"""A part that was split off or merged must have this share of its character pairs in the whole."""

_SAME_NUMBER = 0.2
"""What an unchanged number adds when provisions of one law are weighed; never in a score."""

MOVED = 0.6
"""The least score of a provision that left the sequence of its own law: set phrases reach 0.5."""

SHORTEST_PART = 10
"""Character pairs in common; shorter texts are contained in anything."""

_NOT_WORDING = re.compile(r"[\s，。、；：！？（）《》〈〉“”‘’,.;:()\"'—…·-]+")


@dataclass(frozen=True, slots=True)
class Link:
    """A later provision and the earlier one it seems to continue, with how sure that is."""

    old: ProvisionNumber
    new: ProvisionNumber
    score: float
    """0 to 1: the share of character pairs in common (for a part: of its pairs in the whole)."""
    kind: LinkKind


def similarity(old: str, new: str) -> float:
    """The share of neighbouring-character pairs two texts have in common, 0 to 1 (Dice).

    Spaces and punctuation do not count. Two texts of the same wording score exactly 1.
    """
    if old == new:
        return 1.0
    left, right = _pairs(old), _pairs(new)
    if not left or not right:
        return float(bare_wording(old) == bare_wording(new))
    common = sum(min(left[pair], right[pair]) for pair in left.keys() & right.keys())
    return 2 * common / (left.total() + right.total())


def align(
    old: Sequence[Provision],
    new: Sequence[Provision],
    *,
    order: Order = "kept",
    threshold: float = THRESHOLD,
) -> tuple[Link, ...]:
    """Link the provisions of an earlier text to those of a later one, in the earlier one's order.

    Args:
        old: the earlier version, or the repealed law.
        new: the later version, or the law that replaced it.
        order: ``kept`` within one law (the sequence of articles is preserved, and an unchanged
            number counts; what was moved is found afterwards); ``free`` between laws (each must be
            the other's best counterpart).
        threshold: the least score of a link, 0 to 1.

    Provisions that have no counterpart do not occur in the result.
    """
    pairs = {pair for provision in old for pair in _pairs(provision.text)}
    return PairIndex(new, pairs).align(old, order=order, threshold=threshold)


class PairIndex:
    """An index of the provisions of a text by their character pairs.

    The cost of a comparison follows what two texts have in common.

    Args:
        provisions: the text.
        pairs: the only character pairs that count, those of what it will be compared with; all,
            where there are none.
    """

    def __init__(self, provisions: Sequence[Provision], pairs: Set[str] = frozenset()) -> None:
        self._provisions = provisions
        self._places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        """Which provisions have a pair, and how often."""
        self._sizes: list[int] = []
        for position, counts in enumerate(_pairs(provision.text) for provision in provisions):
            self._sizes.append(counts.total())
            for pair in counts.keys() & pairs if pairs else counts:
                self._places[pair].append((position, counts[pair]))

    def align(
        self, old: Sequence[Provision], *, order: Order = "kept", threshold: float = THRESHOLD
    ) -> tuple[Link, ...]:
        """Link the provisions of an earlier text to those of this one: see `align`."""
        new, shared = self._provisions, self._shared_with(old)
        if order == "kept":
            main = _in_sequence(_weighed(shared, old, new, threshold))
            olds, news = {pair.old for pair in main}, {pair.new for pair in main}
            main += _mutual_best(
                pair
                for pair in shared
                if pair.old not in olds
                and pair.new not in news
                and pair.score >= max(threshold, MOVED)
            )
        else:
            main = _mutual_best(pair for pair in shared if pair.score >= threshold)
        links = [link_of(old[pair.old], new[pair.new], pair.score) for pair in main]
        for part in _parts(shared, main):
            earlier, later = old[part.old].number, new[part.new].number
            links.append(Link(earlier, later, part.score, part.kind))
        return tuple(sorted(links, key=attrgetter("old", "new")))

    def _shared_with(self, old: Sequence[Provision]) -> list[_Pair]:
        """What each provision of an earlier text has in common with each of this one."""
        found: list[_Pair] = []
        for position, provision in enumerate(old):
            counts = _pairs(provision.text)
            common: defaultdict[int, int] = defaultdict(int)
            for pair, count in counts.items():
                for other, times in self._places.get(pair, ()):
                    common[other] += min(count, times)
            size = counts.total()
            found += (
                _Pair(position, other, pairs, size, self._sizes[other])
                for other, pairs in sorted(common.items())
            )
        return found


def _weighed(
    shared: Iterable[_Pair], old: Sequence[Provision], new: Sequence[Provision], threshold: float
) -> list[tuple[_Pair, float]]:
    """The pairs that may continue one another within a law, and how much each counts."""
    weighed: list[tuple[_Pair, float]] = []
    for pair in shared:
        same_number = old[pair.old].number == new[pair.new].number
        weight = pair.score + (_SAME_NUMBER if same_number else 0.0)
        if weight >= threshold:
            weighed.append((pair, weight))
    return weighed


@dataclass(frozen=True, slots=True)
class _Pair:
    """Positions of two provisions, with the number of character pairs of each and in common."""

    old: int
    new: int
    common: int
    old_size: int
    new_size: int

    @property
    def score(self) -> float:
        return 2 * self.common / (self.old_size + self.new_size)


@dataclass(frozen=True, slots=True, repr=False)
class _Chain:
    """A run of pairs that rises in both texts, stored as its last pair and the run before it."""

    last: _Pair
    total: float
    before: _Chain | None

    def unrolled(self) -> list[_Pair]:
        pairs: list[_Pair] = []
        chain: _Chain | None = self
        while chain:
            pairs.append(chain.last)
            chain = chain.before
        return pairs[::-1]


def _in_sequence(weighed: Iterable[tuple[_Pair, float]]) -> list[_Pair]:
    """The heaviest run of pairs that rises in both texts.

    Keeps the best run for each last position in the later text. A run that ends later and weighs no
    more than another is dropped, so the best one to go on from is always the next to the left.
    """
    chains: list[_Chain] = []
    for pair, weight in sorted(weighed, key=lambda item: (item[0].old, -item[0].new)):
        start = bisect_left(chains, pair.new, key=lambda chain: chain.last.new)
        before = chains[start - 1] if start else None
        chain = _Chain(pair, weight + (before.total if before else 0.0), before)
        end = start
        while end < len(chains) and chains[end].total <= chain.total:
            end += 1
        taken = end == start < len(chains) and chains[start].last.new == pair.new
        if not taken:
            chains[start:end] = [chain]
    return chains[-1].unrolled() if chains else []


def _mutual_best(pairs: Iterable[_Pair]) -> list[_Pair]:
    """Pairs in which each is the other's best; among equals, the first."""
    by_old: dict[int, _Pair] = {}
    by_new: dict[int, _Pair] = {}
    for pair in sorted(pairs, key=lambda pair: (-pair.score, pair.old, pair.new)):
        by_old.setdefault(pair.old, pair)
        by_new.setdefault(pair.new, pair)
    return [pair for pair in by_old.values() if by_new[pair.new] is pair]


def link_of(old: Provision, new: Provision, score: float) -> Link:
    """The link of two provisions that are not parts of others."""
    kind: LinkKind = "amended"
    if bare_wording(old.text) == bare_wording(new.text):
        kind = "identical" if old.number == new.number else "renumbered"
    return Link(old.number, new.number, score, kind)


@lru_cache(maxsize=8192)
def bare_wording(text: str) -> str:
    """A text without spaces and punctuation."""
    return _NOT_WORDING.sub("", text)


@lru_cache(maxsize=512)  # neighbours are compared again
def _pairs(text: str) -> Counter[str]:
    bare = bare_wording(text)
    return Counter(map(add, bare, bare[1:]))


@dataclass(frozen=True, slots=True)
class _Part:
    old: int
    new: int
    score: float
    kind: LinkKind


def _parts(shared: Iterable[_Pair], main: Sequence[_Pair]) -> list[_Part]:
    """Provisions without a counterpart that are within a longer one: split off, or merged."""
    olds, news = {pair.old for pair in main}, {pair.new for pair in main}
    best: dict[tuple[LinkKind, int], _Part] = {}
    for pair in shared:
        if pair.common < SHORTEST_PART:
            continue
        split = _Part(pair.old, pair.new, pair.common / pair.new_size, "split")
        merged = _Part(pair.old, pair.new, pair.common / pair.old_size, "merged")
        if pair.new not in news:
            _keep_better(best, ("split", pair.new), split)
        if pair.old not in olds:
            _keep_better(best, ("merged", pair.old), merged)
    return list({(part.old, part.new): part for part in best.values()}.values())


def _keep_better(
    best: dict[tuple[LinkKind, int], _Part], key: tuple[LinkKind, int], part: _Part
) -> None:
    if part.score >= CONTAINMENT and (key not in best or part.score > best[key].score):
        best[key] = part
