"""Words of a part replaced, deleted, or put beside others: those that are meant, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inforce.corpus.compile.editing import restate_article, restate_siblings, with_stop
from inforce.corpus.compile.lawtree import Article, Node, item_label
from inforce.corpus.compile.locating import (
    Located,
    Occurrence,
    Refusal,
    described,
    occurrences,
)
from inforce.corpus.compile.quotations import Quotation
from inforce.corpus.compile.wording import (
    find_words,
    same_words,
    without_stops,
    without_words,
)


@dataclass(frozen=True, slots=True)
class Which:
    """Which occurrences of words are meant, where they occur several times."""

    plural: bool = False
    """All of them."""
    nth: int = 0
    """Only this one, from the end if negative."""
    times: int = 0
    """All of them, and there are so many."""
    anchor: tuple[Quotation, ...] = ()
    """The one beside these words, or between the two."""
    side: str = ""


def replace_words(found: Located, old: Quotation, new: Quotation, which: Which) -> int:
    """Put words in the place of others; how often.

    Raises:
        Refusal: if they do not occur exactly once, unless the instruction refers to several times.
    """
    old_text, new_text = _without_labels(found, old, new)
    places = _places(found, old_text, new_text, which)
    if places is None:
        _rewrite(found, old_text, new_text)
        return 1
    for place in reversed(places):
        text = place.node.text
        place.node.text = text[: place.span.start] + new_text + text[place.span.end :]
    return len(places)


def replace_everywhere(node: Node, old: str, new: str) -> int:
    """Put words in the place of others wherever a node's own words have them; how often."""
    spans = find_words(old, node.text)
    for span in reversed(spans):
        node.text = node.text[: span.start] + new + node.text[span.end :]
    return len(spans)


def _without_labels(found: Located, old: Quotation, new: Quotation) -> tuple[str, str]:
    """Quoted words without the number of the item they are, where both begin with it."""
    if found.level != "item":
        return old.text, new.text
    before, old_rest = item_label(old.text)
    after, new_rest = item_label(new.text)
    return (old_rest, new_rest) if before is not None and before == after else (old.text, new.text)


def _places(found: Located, old: str, new: str, which: Which) -> list[Occurrence] | None:
    """Where the words are to be replaced; ``None`` where they run over several parts."""
    article = found.article
    assert article is not None
    places = occurrences(found, old)
    if which.anchor:
        places = _beside(found, places, which)
    if which.nth or which.times:
        return _counted(article, places, old, which)
    if len(places) == 1 or (places and which.plural):
        return places
    if not places and not which.anchor and len(find_words(old, _whole_text(found))) == 1:
        return None
    if not places and same_words(old, new):
        raise Refusal("the old and the new words are the same", article)
    shown = old if len(old) <= 30 else f"{old[:30]}…"
    raise Refusal(f"the words “{shown}” {described(len(places))} in {article.name}", article)


def _counted(
    article: Article, places: list[Occurrence], words: str, which: Which
) -> list[Occurrence]:
    """The second of several occurrences, or all of so many."""
    if which.times and len(places) != which.times:
        reason = (
            f"the words “{words}” {described(len(places))} in {article.name}, not {which.times}"
        )
        raise Refusal(reason, article)
    if not which.nth:
        return places
    if not 1 <= abs(which.nth) <= len(places):
        count = described(len(places))
        raise Refusal(f"the words “{words}” {count} in {article.name}: not {which.nth}", article)
    return [places[which.nth - 1 if which.nth > 0 else which.nth]]


def _beside(found: Located, places: Sequence[Occurrence], which: Which) -> list[Occurrence]:
    """Those of some occurrences that stand beside other words.

    Where several do, only those right beside them are meant.
    """
    article = found.article
    assert article is not None
    after = (
        list[Occurrence]() if which.side == "before" else occurrences(found, which.anchor[0].text)
    )
    before = [] if which.side == "after" else occurrences(found, which.anchor[-1].text)
    for these, words in ((after, which.anchor[0]), (before, which.anchor[-1])):
        if these is after and which.side == "before" or these is before and which.side == "after":
            continue
        if not these:
            raise Refusal(f"the words “{words.text}” {described(0)} in {article.name}", article)
    starts = {(id(one.node), one.span.end) for one in after}
    ends = {(id(one.node), one.span.start) for one in before}
    touching = [
        one
        for one in places
        if (which.side == "before" or (id(one.node), one.span.start) in starts)
        and (which.side == "after" or (id(one.node), one.span.end) in ends)
    ]
    return touching if touching or len(places) != 1 else _in_order(places[0], after, before, which)


def _in_order(
    one: Occurrence, after: Sequence[Occurrence], before: Sequence[Occurrence], which: Which
) -> list[Occurrence]:
    """The only occurrence, if it stands on the side of the other words that is said."""
    follows = any(o.node is one.node and o.span.end <= one.span.start for o in after)
    precedes = any(o.node is one.node and one.span.end <= o.span.start for o in before)
    fits = (which.side == "before" or follows) and (which.side == "after" or precedes)
    return [one] if fits else []


def _whole_text(found: Located) -> str:
    assert found.node is not None
    return found.node.full()


def _rewrite(found: Located, old: str, new: str) -> None:
    """Replace words that run over several paragraphs or items of an article."""
    article, node = found.article, found.node
    assert article is not None and node is not None
    text = article.text if found.level == "article" else node.full()
    [span] = find_words(old, text)
    changed = text[: span.start] + with_stop(new, text[span.start : span.end]) + text[span.end :]
    if found.level == "article":
        restate_article(article, changed.split("\n"))
        return
    restate_siblings([found], Quotation(tuple(changed.split("\n"))))


def delete_words(found: Located, words: Quotation, which: Which) -> int:
    """Delete words, and the mark that then separates nothing; how often."""
    places = _places(found, words.text, "", which)
    article = found.article
    assert article is not None
    if places is None:
        raise Refusal("the words to delete run over several paragraphs or items", article)
    for place in reversed(places):
        left = without_words(place.node.text, place.span)
        if without_stops(left) or place.node.children:
            place.node.text = left
        else:  # all its words are deleted: so is the paragraph or the item
            place.node.deleted = True
    return len(places)


def insert_beside(
    found: Located, words: Quotation, new: Quotation, which: Which, *, after: bool
) -> list[Node]:
    """Put words after or before others; the nodes whose words they are now among."""
    article = found.article
    assert article is not None
    places = _places(found, words.text, words.text + new.text, which)
    if places is None:
        raise Refusal("the words run over several paragraphs or items", article)
    for place in reversed(places):
        text = place.node.text
        at = place.span.end if after else place.span.start
        place.node.text = text[:at] + new.text + text[at:]
    return [place.node for place in places]


def insert_between(found: Located, first: Quotation, second: Quotation, new: Quotation) -> None:
    """Put words between two others that are side by side.

    Raises:
        Refusal: if they do not, or do so more than once.
    """
    article = found.article
    assert article is not None
    starts = {(id(one.node), one.span.start) for one in occurrences(found, second.text)}
    places = [o for o in occurrences(found, first.text) if (id(o.node), o.span.end) in starts]
    if len(places) != 1:
        shown = f"“{first.text}” followed by “{second.text}”"
        raise Refusal(f"the words {shown} {described(len(places))} in {article.name}", article)
    node, end = places[0].node, places[0].span.end
    node.text = node.text[:end] + new.text + node.text[end:]
