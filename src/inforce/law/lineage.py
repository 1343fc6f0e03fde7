"""The same provision under other numbers: renumbering within a law, succession between laws.

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
from itertools import pairwise
from math import prod
from operator import add, attrgetter
from typing import Literal

from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber

Order = Literal["kept", "free"]
"""``kept``: one law, renumbered, articles stay in sequence. ``free``: another law, any sequence."""

LinkKind = Literal["identical", "renumbered", "amended", "split", "merged"]
"""How the later provision stands to the earlier one.

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

_MOVED = 0.6
"""The least score of a provision that left the sequence of its own law: set phrases reach 0.5."""

_ALIKE = 0.5
"""From this share of common character pairs on, the same number is the same provision."""

_SHORTEST_PART = 10
"""Character pairs in common; shorter texts are contained in anything."""

_Index = defaultdict[str, list[tuple[int, int]]]
"""Character pair -> which provisions have it, and how often."""

_NOT_WORDING = re.compile(r"[\s，。、；：！？（）《》〈〉“”‘’,.;:()\"'—…·-]+")


@dataclass(frozen=True, slots=True)
class Link:
    """A later provision and the earlier one it seems to continue, with how sure that is."""

    old: ProvisionNumber
    new: ProvisionNumber
    score: float
    """0 to 1: the share of character pairs in common (for a part: of its pairs in the whole)."""
    kind: LinkKind


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


def similarity(old: str, new: str) -> float:
    """The share of neighbouring-character pairs two texts have in common, 0 to 1 (Dice).

    Spaces and punctuation do not count. Two texts of the same wording score exactly 1.
    """
    if old == new:
        return 1.0
    left, right = _pairs(old), _pairs(new)
    if not left or not right:
        return float(_wording(old) == _wording(new))
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
    shared = _Wordings(new, {pair for one in old for pair in _pairs(one.text)}).shared_with(old)
    return _aligned(shared, old, new, order=order, threshold=threshold)


def _aligned(
    shared: Sequence[_Pair],
    old: Sequence[Provision],
    new: Sequence[Provision],
    *,
    order: Order = "kept",
    threshold: float = THRESHOLD,
) -> tuple[Link, ...]:
    if order == "kept":
        main = _in_sequence(_weighed(shared, old, new, threshold))
        moved = (pair for pair in _untaken(shared, main) if pair.score >= max(threshold, _MOVED))
        main += _mutual_best(moved)
    else:
        main = _mutual_best(pair for pair in shared if pair.score >= threshold)
    links = [_link(old[pair.old], new[pair.new], pair.score) for pair in main]
    for part in _parts(shared, main):
        earlier, later = old[part.old].number, new[part.new].number
        links.append(Link(earlier, later, part.score, part.kind))
    return tuple(sorted(links, key=attrgetter("old", "new")))


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


def follow(
    number: ProvisionNumber,
    versions: Sequence[Sequence[Provision]],
    *,
    threshold: float = THRESHOLD,
) -> Lineage:
    """Follow one provision quickly: under its own number while the wording stays alike.

    Only where it does not is the next version searched (`counterparts`). Agrees with `lineage_of`
    where provisions are not easily confused, and costs little over the fifteen versions of 刑法.
    Who follows several provisions through the same versions uses `Texts`.
    """
    return Texts(versions).follow(number, range(len(versions)), threshold=threshold)


def is_renumbered(old: Sequence[Provision], new: Sequence[Provision]) -> bool:
    """Whether articles of one law got other numbers between two of its texts.

    Judged by the articles that read the same in both. Where there is none, both texts must have the
    same numbers for the answer to be no.
    """
    return Texts((old, new)).is_renumbered(0, 1)


def counterparts(
    number: ProvisionNumber, old: Sequence[Provision], new: Sequence[Provision]
) -> tuple[Link, ...]:
    """Where another text of the same law has the rule that one text has under a number.

    In a law that was not renumbered the number is the rule, whatever it has come to say. In one
    that was, the rule is sought between the articles before and after it that read the same in both
    texts, then in the whole law. Give the texts in reverse to go back in time. The best link comes
    first, then the other parts of a rule that was split.
    """
    return Texts((old, new)).counterparts(number, 0, 1)


class Texts:
    """Texts of one law in which provisions are followed; two texts are compared at most once.

    Args:
        texts: in the order of time; a text is named by its place in them.
    """

    def __init__(self, texts: Sequence[Sequence[Provision]]) -> None:
        self._texts = texts
        self._places = [{one.number: at for at, one in enumerate(text)} for text in texts]
        self._compared: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._parts: dict[tuple[int, int, int], tuple[Link, ...]] = {}
        self._indexed: dict[int, _Wordings] = {}

    def follow(
        self, number: ProvisionNumber, order: Sequence[int], *, threshold: float = THRESHOLD
    ) -> Lineage:
        """Follow a provision of the first text named through the others: see `follow`."""
        links: list[Link] = []
        for earlier, later in pairwise(order):
            link = self._next(number, earlier, later)
            if link is None or link.score < threshold:
                return Lineage(tuple(links), _product(links), complete=False)
            links.append(link)
            number = link.new
        return Lineage(tuple(links), _product(links), complete=True)

    def has(self, number: ProvisionNumber, at: int) -> bool:
        """Whether a text has a provision of this number."""
        return number in self._places[at]

    def is_renumbered(self, old: int, new: int) -> bool:
        """Whether articles got other numbers between two texts: see `is_renumbered`."""
        before, after = self._texts[old], self._texts[new]
        if not (anchors := self._anchors(old, new)):
            return [one.number for one in before] != [one.number for one in after]
        return any(before[at].number != after[to].number for at, to in anchors)

    def counterparts(self, number: ProvisionNumber, old: int, new: int) -> tuple[Link, ...]:
        """Where the later text has the rule of a number of the earlier: see `counterparts`."""
        at = self._places[old].get(number)
        if at is None:
            return ()
        before, after = self._texts[old], self._texts[new]
        if not self.is_renumbered(old, new):
            same = self._places[new].get(number)
            if same is None:
                return ()
            score = similarity(before[at].text, after[same].text)
            return (_link(before[at], after[same], score),)
        links = self._between(number, old, new)
        if not links:
            one = [before[at]]
            shared = self._wordings(new).shared_with(one)
            moved = _aligned(shared, one, after, order="free", threshold=_MOVED)
            links = [link for link in moved if link.kind != "split"]
        return tuple(sorted(links, key=_strength, reverse=True))

    def _between(self, number: ProvisionNumber, old: int, new: int) -> list[Link]:
        """The links of one article, sought between the nearest articles that read the same."""
        before, after = self._texts[old], self._texts[new]
        at, anchors = self._places[old][number], self._anchors(old, new)
        exact = next((to for here, to in anchors if here == at), None)
        if exact is not None:
            return [_link(before[at], after[exact], 1.0)]
        left = max((pair for pair in anchors if pair[0] < at), default=(-1, -1))
        right = min((pair for pair in anchors if pair[0] > at), default=(len(before), len(after)))
        found = self._parts.get((old, new, left[0]))
        if found is None:
            found = align(before[left[0] + 1 : right[0]], after[left[1] + 1 : right[1]])
            self._parts[old, new, left[0]] = found
        return [link for link in found if link.old == number]

    def _next(self, number: ProvisionNumber, earlier: int, later: int) -> Link | None:
        at, same = self._places[earlier].get(number), self._places[later].get(number)
        if at is not None and same is not None:
            old, new = self._texts[earlier][at], self._texts[later][same]
            score = similarity(old.text, new.text)
            if score >= _ALIKE:
                return _link(old, new, score)
        return next(iter(self.counterparts(number, earlier, later)), None)

    def _wordings(self, at: int) -> _Wordings:
        if at not in self._indexed:
            self._indexed[at] = _Wordings(self._texts[at])
        return self._indexed[at]

    def _anchors(self, old: int, new: int) -> list[tuple[int, int]]:
        if (old, new) not in self._compared:
            self._compared[old, new] = _anchors(self._texts[old], self._texts[new])
        return self._compared[old, new]


def _anchors(old: Sequence[Provision], new: Sequence[Provision]) -> list[tuple[int, int]]:
    """Positions of the articles that read the same in both texts, each wording but once."""
    before, after = (
        dict(_once(map(_wording, (one.text for one in texts)))) for texts in (old, new)
    )
    return sorted((at, after[wording]) for wording, at in before.items() if wording in after)


def _once(wordings: Iterable[str]) -> list[tuple[str, int]]:
    """Wordings of some length that occur once, with their positions."""
    places: dict[str, list[int]] = {}
    for at, wording in enumerate(wordings):
        places.setdefault(wording, []).append(at)
    return [
        (wording, found[0])
        for wording, found in places.items()
        if len(found) == 1 and len(wording) > _SHORTEST_PART
    ]


def _strength(link: Link) -> tuple[bool, float]:
    return link.kind not in ("split", "merged"), link.score


def _product(links: Iterable[Link]) -> float:
    return prod(link.score for link in links)


@lru_cache(maxsize=8192)
def _wording(text: str) -> str:
    return _NOT_WORDING.sub("", text)


@lru_cache(maxsize=512)  # neighbours are compared again
def _pairs(text: str) -> Counter[str]:
    wording = _wording(text)
    return Counter(map(add, wording, wording[1:]))


@dataclass(frozen=True, slots=True)
class _Pair:
    """Positions of two provisions and how many character pairs they have, and have in common."""

    old: int
    new: int
    common: int
    old_size: int
    new_size: int

    @property
    def score(self) -> float:
        return 2 * self.common / (self.old_size + self.new_size)


class _Wordings:
    """The provisions of a text by their character pairs: the cost follows what is shared."""

    def __init__(self, provisions: Sequence[Provision], pairs: Set[str] = frozenset()) -> None:
        """Only some pairs count, where they are given: those of what it will be compared with."""
        self._index: _Index = defaultdict(list)
        self._sizes: list[int] = []
        for position, counts in enumerate(_pairs(one.text) for one in provisions):
            self._sizes.append(counts.total())
            for pair in counts.keys() & pairs if pairs else counts:
                self._index[pair].append((position, counts[pair]))

    def shared_with(self, old: Sequence[Provision]) -> list[_Pair]:
        """What the provisions of an earlier text, all with all, have in common with them."""
        found: list[_Pair] = []
        for position, one in enumerate(old):
            counts = _pairs(one.text)
            size = counts.total()
            for other, common in sorted(_overlaps(counts, self._index).items()):
                found.append(_Pair(position, other, common, size, self._sizes[other]))
        return found


def _overlaps(counts: Counter[str], index: _Index) -> dict[int, int]:
    common: defaultdict[int, int] = defaultdict(int)
    for pair, count in counts.items():
        for position, other in index.get(pair, ()):
            common[position] += min(count, other)
    return common


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


def _in_sequence(weighed: Iterable[tuple[_Pair, float]]) -> list[_Pair]:
    """The run of pairs, rising in both texts, that weighs most.

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


def _untaken(pairs: Iterable[_Pair], taken: Sequence[_Pair]) -> list[_Pair]:
    olds, news = {pair.old for pair in taken}, {pair.new for pair in taken}
    return [pair for pair in pairs if pair.old not in olds and pair.new not in news]


def _mutual_best(pairs: Iterable[_Pair]) -> list[_Pair]:
    """Pairs in which each is the other's best; among equals, the first."""
    by_old: dict[int, _Pair] = {}
    by_new: dict[int, _Pair] = {}
    for pair in sorted(pairs, key=lambda pair: (-pair.score, pair.old, pair.new)):
        by_old.setdefault(pair.old, pair)
        by_new.setdefault(pair.new, pair)
    return [pair for pair in by_old.values() if by_new[pair.new] is pair]


def _link(old: Provision, new: Provision, score: float) -> Link:
    kind: LinkKind = "amended"
    if _wording(old.text) == _wording(new.text):
        kind = "identical" if old.number == new.number else "renumbered"
    return Link(old.number, new.number, score, kind)


@dataclass(frozen=True, slots=True)
class _Part:
    old: int
    new: int
    score: float
    kind: LinkKind


def _parts(shared: Iterable[_Pair], main: Sequence[_Pair]) -> list[_Part]:
    """What was split off or merged: texts without a counterpart that are within a longer one."""
    olds, news = {pair.old for pair in main}, {pair.new for pair in main}
    best: dict[tuple[LinkKind, int], _Part] = {}
    for pair in shared:
        if pair.common < _SHORTEST_PART:
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
