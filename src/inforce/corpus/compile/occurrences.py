"""Occurrences of words in a part of a law, and those that a clause means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inforce.corpus.compile.clauses import Target
from inforce.corpus.compile.lawtree import Article, Node, Refusal
from inforce.corpus.compile.locating import Part
from inforce.corpus.compile.quotations import joined
from inforce.corpus.compile.wording import Span, find_words, same_words


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where words were found."""

    node: Node
    span: Span

    def touches(self, other: Occurrence) -> bool:
        """Whether another one begins where it ends."""
        return self.node is other.node and self.span.end == other.span.start

    def precedes(self, other: Occurrence) -> bool:
        """Whether another one comes after it in the same part."""
        return self.node is other.node and self.span.end <= other.span.start


def occurrences(part: Part, words: str) -> list[Occurrence]:
    """Every place in a located part where its nodes' own words of the old text have ``words``."""
    return _occurrences(part, lambda node: node.find_old(words))


def occurrences_now(part: Part, words: str) -> list[Occurrence]:
    """The same in the text as the instrument has changed it so far."""
    return _occurrences(part, lambda node: find_words(words, node.text))


def _occurrences(part: Part, find: Callable[[Node], list[Span]]) -> list[Occurrence]:
    nodes = [part.node] if part.level in ("lead", "sentence") else part.node.within()
    within = part.span
    return [
        Occurrence(node, span)
        for node in nodes
        for span in find(node)
        if within is None or (within.start <= span.start and span.end <= within.end)
    ]


def described(count: int) -> str:
    """How often words occur, for a message."""
    return "do not occur" if count == 0 else f"occur {count} times"


def meant(
    found: Part, old: str, new: str, target: Target, *, plural: bool
) -> list[Occurrence] | None:
    """The occurrences of words that a target means; ``None`` if they run over several parts.

    Raises:
        Refusal: if they do not occur exactly once, unless it says that several are meant, or which.
    """
    article = found.article
    occurring = occurrences(found, old)
    if not occurring and target.place in ("after", "before"):
        occurring = occurrences_now(found, old)  # new words may stand beside new ones
    if target.anchor:
        occurring = _beside(found, occurring, target)
    if target.nth or target.times:
        return _counted(article, occurring, old, target)
    if len(occurring) == 1 or (occurring and plural):
        return occurring
    is_new = not occurring and not target.anchor and bool(occurrences_now(found, old))
    across = not occurring and not target.anchor and len(find_words(old, found.node.full())) == 1
    if across and not is_new:
        return None
    if not occurring and same_words(old, new):
        raise Refusal("the old and the new words are the same", article)
    shown = (old if len(old) <= 30 else f"{old[:30]}…").replace("\n", " ")
    if is_new:
        reason = f"the words “{shown}” are not in the old text of {article.name}, only in the new"
        raise Refusal(reason, article)
    raise Refusal(f"the words “{shown}” {described(len(occurring))} in {article.name}", article)


def _counted(
    article: Article, occurring: list[Occurrence], words: str, target: Target
) -> list[Occurrence]:
    """The second of several occurrences, or all of so many."""
    count = described(len(occurring))
    if target.times and len(occurring) != target.times:
        reason = f"the words “{words}” {count} in {article.name}, not {target.times}"
        raise Refusal(reason, article)
    if not target.nth:
        return occurring
    if not 1 <= abs(target.nth) <= len(occurring):
        raise Refusal(f"the words “{words}” {count} in {article.name}: not {target.nth}", article)
    return [occurring[target.nth - 1 if target.nth > 0 else target.nth]]


def _beside(found: Part, occurring: Sequence[Occurrence], target: Target) -> list[Occurrence]:
    """Those of some occurrences that stand beside other words.

    Where several do, only those right beside them are meant.
    """
    anchor = [joined(group) for group in target.anchor]
    if target.side == "between" and len(anchor) != 2:
        raise Refusal("it is not said between which words")
    after = occurrences(found, anchor[0].text) if target.side != "before" else None
    before = occurrences(found, anchor[-1].text) if target.side != "after" else None
    for beside, words in ((after, anchor[0]), (before, anchor[-1])):
        if beside is not None and not beside:
            raise Refusal(
                f"the words “{words.text}” {described(0)} in {found.article.name}", found.article
            )
    touching = [
        occurrence
        for occurrence in occurring
        if (after is None or any(other.touches(occurrence) for other in after))
        and (before is None or any(occurrence.touches(other) for other in before))
    ]
    if touching or len(occurring) != 1:
        return touching
    [only] = occurring
    follows = after is None or any(other.precedes(only) for other in after)
    precedes = before is None or any(only.precedes(other) for other in before)
    return [only] if follows and precedes else []
