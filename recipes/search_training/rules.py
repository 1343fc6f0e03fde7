"""The same rule at other times: a question about one of its wordings is about the others, too.

Questions are answered by the law of one day. Before a renumbering the same rule had another number,
and before a codification it was in another law; `inforce.law.lineage` finds it by its wording.
Rules are identified by the fingerprints of their wordings, so that a search needs no lineage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from inforce.corpus.store import Corpus
from inforce.law.alignment import Order, align
from inforce.law.model import Provision
from inforce.law.registry import KNOWN_WORKS, find_work
from inforce.retrieval.known_questions import fingerprint

LEAST = 0.5
"""Lowest score of a link between two wordings of the same rule."""

_FARTHEST = 6
"""Most links from one wording to another."""


class Rules:
    """The wordings of rules over time."""

    def __init__(self, links: Iterable[tuple[str, str]] = ()) -> None:
        self._near: dict[str, set[str]] = defaultdict(set)
        for old, new in links:
            self._near[old].add(new)
            self._near[new].add(old)

    def wordings(self, known: Iterable[str]) -> frozenset[str]:
        """Return the fingerprints of all wordings of a rule, from some of them."""
        found = set(known)
        last = set(found)
        for _ in range(_FARTHEST):
            last = {near for one in last for near in self._near.get(one, ())} - found
            found |= last
        return frozenset(found)


def rules_of(corpus: Corpus, works: Iterable[str]) -> Rules:
    """Find the rules of certain laws in all their versions, and in earlier and later laws."""
    wanted = set(works)
    for known in KNOWN_WORKS:
        if known.title in wanted or wanted.intersection(known.succeeded_by):
            wanted.update((known.title, *known.succeeded_by))
    held = wanted.intersection(corpus.titles())
    editions = {work: _editions(corpus, work) for work in sorted(held)}
    return Rules(
        link
        for work, texts in editions.items()
        for links in (_within(texts), _to_successors(work, editions))
        for link in links
    )


def _editions(corpus: Corpus, work: str) -> list[Sequence[Provision]]:
    versions = sorted(
        (version for version in corpus.versions(work) if version.scope is None),
        key=lambda version: (str(version.validity.start), version.key),
    )
    different = {version.text_hash: version for version in versions}
    return [corpus.provisions(version) for version in different.values()]


def _within(texts: Sequence[Sequence[Provision]]) -> list[tuple[str, str]]:
    return [link for old, new in pairwise(texts) for link in _links(old, new, "kept")]


def _to_successors(
    work: str, editions: Mapping[str, Sequence[Sequence[Provision]]]
) -> list[tuple[str, str]]:
    known = find_work(work)
    later = known.succeeded_by if known else ()
    return [
        link
        for other in later
        if editions.get(work) and editions.get(other)
        for link in _links(editions[work][-1], editions[other][0], "free")
    ]


def _links(
    old: Sequence[Provision], new: Sequence[Provision], order: Order
) -> list[tuple[str, str]]:
    before = {one.number: fingerprint(one.text) for one in old}
    after = {one.number: fingerprint(one.text) for one in new}
    return [
        (before[link.old], after[link.new])
        for link in align(old, new, order=order, threshold=LEAST)
        if link.score >= LEAST
    ]
