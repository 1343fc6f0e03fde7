"""Which number every part of the amended law has.

An instrument names what it changes by the old numbers and says some of the new ones. What it says
is fixed; all other parts keep their order and fill the numbers that are left. If that cannot be
done, or would turn round parts of which nobody said that they move, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import TypeVar

from inforce.corpus.compile.lawtree import Article, Heading, LawTree, Node, Refusal, relabelled
from inforce.law.numerals import NumberKind, ProvisionNumber

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Settled:
    """An article of the resulting text, and its number."""

    number: ProvisionNumber
    article: Article


@dataclass(slots=True)
class Settlement:
    """The resulting text, and what a reader should know about how it came to be."""

    articles: list[Settled] = field(default_factory=list[Settled])
    notes: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    """Why the parts of some articles have no certain order; those articles are left out."""


def settle(tree: LawTree, *, reorders: bool) -> Settlement:
    """Give every part its number.

    Args:
        tree: the law after all clauses of an instrument were applied.
        reorders: whether the instrument says that the numbering is adjusted.

    Raises:
        Refusal: if the numbers said do not fit together.
    """
    result = Settlement()
    _settle_headings(tree, reorders=reorders)
    _join_split_parts(tree, reorders=reorders)
    result.articles = _settle_articles(tree, result.notes, reorders=reorders)
    by_number = {settled.number: settled.article for settled in result.articles}
    for article in tree.articles:
        if article.joins is None:
            continue
        number, paragraph = article.joins
        into = by_number.get(number)
        if into is None:
            raise Refusal(f"there is no {number.chinese} for {article.name} to become part of")
        _require_certain(tree, into, number, article)
        for offset, node in enumerate(article.body.live):
            node.new = paragraph + offset
        _join(into, article)
        if article.number is not None:
            into.absorbed = (*into.absorbed, article.number)
    for settled in result.articles:
        try:
            _settle_parts(settled.article, result.notes)
        except Refusal as refusal:
            settled.article.doubts.append(refusal.reason)
            result.refused.append(refusal.reason)
    _place_headings(result, [heading for heading in tree.headings if heading.inserted])
    return result


def _require_certain(
    tree: LawTree, into: Article, number: ProvisionNumber, article: Article
) -> None:
    """The article that gets a number must be the one meant by it, not the one that had it."""
    if into.number == number or into.new == number:
        return
    at = tree.articles.index(article)
    if into not in tree.articles[max(at - 1, 0) : at + 2]:
        raise Refusal(
            f"{article.name} becomes part of {number.chinese}, and it is not certain whether "
            f"{into.name} is meant, which gets that number, or the article that had it"
        )


def _join_split_parts(tree: LawTree, *, reorders: bool) -> None:
    """第六条第二款改为第七条第二款: a part of the article that has the number, or a new article.

    An article that only gets another number because of what was inserted before it keeps its
    paragraphs, though an instruction names their new numbers one by one.
    """
    waiting = [article for article in tree.live if article.split_from is not None or article.loose]
    for part in waiting:
        part.deleted = True
    for part in waiting:
        number, source = part.new, part.split_from
        assert number is not None
        given = sorted(node.new or 0 for node in part.body.live)
        whole = not part.loose and given == list(range(1, len(given) + 1))
        try:
            found = _settle_articles(tree, [], reorders=reorders)
        except Refusal:
            found = []
        into = next((settled.article for settled in found if settled.number == number), None)
        if into is not None and (into is source or not whole):
            _join(into, part)
        elif whole and len(given) > 1:
            part.deleted = False
        else:
            reason = f"it is not certain of which article a part becomes {number.chinese}"
            raise Refusal(reason, *([source] if source else []))


def _join(into: Article, part: Article) -> None:
    """Make the paragraphs of one article those of another, with what is doubtful of them."""
    for node in part.body.live:
        node.separator, node.old = "\n", None
    into.body.children.extend(part.body.live)
    into.add_changes(*part.changes)
    into.doubts.extend(part.doubts)
    if not (into.held and part.held):
        into.doubts.append("its other paragraphs are not held")


def arranged(
    parts: Sequence[Part],
    *,
    said: Callable[[Part], int | None],
    is_old: Callable[[Part], bool],
    name: Callable[[Part], str],
    has_moved: Callable[[Part], bool] = lambda _: False,
) -> list[Part]:
    """Parts in their new order: those with a number said have it, the others fill what is left.

    A part whose number was not said must not change places with another, unless that other one was
    moved: the numbers said turn it round with a third. Otherwise an instruction is missing, and the
    numbers that are left would go to the wrong parts.

    Raises:
        Refusal: if two have the same number, a number is beyond the last, or a part would change
            places with one whose number was not said.
    """
    slots: list[Part | None] = [None] * len(parts)
    for part in parts:
        number = said(part)
        if number is None:
            continue
        if not 1 <= number <= len(parts):
            raise Refusal(f"{name(part)} cannot be number {number} of {len(parts)}")
        taken = slots[number - 1]
        if taken is not None:
            raise Refusal(f"{name(taken)} and {name(part)} both get number {number}")
        slots[number - 1] = part
    rest = iter([part for part in parts if said(part) is None])
    order = [part if part is not None else next(rest) for part in slots]
    place = {id(part): index for index, part in enumerate(order)}
    old = [part for part in parts if is_old(part)]
    fixed = [part for part in old if said(part) is not None]
    turned = (pair for pair in combinations(fixed, 2) if place[id(pair[0])] > place[id(pair[1])])
    moved = {id(part) for pair in turned for part in pair}
    moved |= {id(part) for part in old if has_moved(part)}
    settled = [part for part in old if id(part) not in moved]
    for before, after in pairwise(settled):
        if place[id(before)] > place[id(after)]:
            raise Refusal(
                f"the numbers said do not fit: {name(after)} would come before {name(before)}"
            )
    return order


# Articles --------------------------------------------------------------------------------------


def _settle_articles(tree: LawTree, notes: list[str], *, reorders: bool) -> list[Settled]:
    found: list[Settled] = []
    articles: list[Article] = []
    for article in tree.live:
        if article.number is not None and article.number.kind in ("preamble", "whole"):
            found.append(Settled(article.number, article))
        else:
            articles.append(article)
    if reorders or _change_places(articles):
        found += _renumbered(tree, articles, notes, reorders=reorders)
    else:
        found += [Settled(number, article) for article in articles if (number := article.intended)]
        _require_neighbours(articles)
        gone = [article.name for article in tree.articles if article.deleted and article.number]
        if gone:
            notes.append(f"{'、'.join(gone)}: deleted; no other article gets another number")
    found.sort(key=lambda settled: settled.number)
    _check_neighbours(found)
    return found


def _require_neighbours(articles: Sequence[Article]) -> None:
    """A new article that gives others no other number follows the last, or fills a gap.

    Raises:
        Refusal: if numbers between are those of no article: others are missing.
    """
    mains = {number.main for article in articles if (number := article.intended)}
    added = [
        article.new for article in articles if article.number is None and article.new is not None
    ]
    for number in added:
        if not number.branch and number.main - 1 not in {0, *mains}:
            raise Refusal(f"{number.chinese} would follow an article that is not there")


def _change_places(articles: Sequence[Article]) -> bool:
    """Whether articles without a number, or with another one, make others move."""
    numbers = [article.intended for article in articles]
    return (
        None in numbers
        or len(set(numbers)) < len(numbers)
        or any(
            article.number is not None
            and article.new is not None
            and article.new.main != article.number.main
            and not article.new.branch
            for article in articles
        )
    )


def _renumbered(
    tree: LawTree, articles: Sequence[Article], notes: list[str], *, reorders: bool
) -> list[Settled]:
    """Articles numbered through; 之 articles stay with the article they follow."""
    mains: list[Article] = []
    branches: list[tuple[Article, ProvisionNumber]] = []
    for article in articles:
        number = article.intended
        if number is not None and number.branch:
            branches.append((article, number))
        else:
            mains.append(article)
    kinds: list[NumberKind] = [article.number.kind for article in mains if article.number]
    kind: NumberKind = kinds[0] if kinds else "article"
    parts: list[Article] = [*mains]
    if not reorders:
        parts = _with_vacancies(tree, parts, notes)
    order = arranged(
        parts,
        said=lambda article: article.new.main if article.new else None,
        is_old=lambda article: article.number is not None,
        name=lambda article: article.name,
        has_moved=lambda article: article.moved,
    )
    found = [
        Settled(ProvisionNumber(kind, index), article)
        for index, article in enumerate(order, 1)
        if article in mains
    ]
    main_of = {
        settled.article.number.main: settled.number.main
        for settled in found
        if settled.article.number
    }
    for article, number in branches:
        main = number.main if article.new else main_of.get(number.main, number.main)
        found.append(Settled(ProvisionNumber.article(main, number.branch), article))
    if len({settled.number for settled in found}) < len(found):
        raise Refusal("two articles get the same number")
    return found


def _with_vacancies(tree: LawTree, articles: Sequence[Article], notes: list[str]) -> list[Article]:
    """The articles, and a place for each number that the text skips (repealed long ago)."""
    numbers = {
        article.number.main
        for article in tree.articles
        if article.number and not article.number.branch
    }
    missing = [main for main in range(1, max(numbers, default=0)) if main not in numbers]
    if not missing:
        return list(articles)
    notes.append(f"numbers the text does not have stay free: {', '.join(map(str, missing))}")
    found: list[Article] = []
    for article in articles:
        while missing and article.number is not None and missing[0] < article.number.main:
            vacant = ProvisionNumber.article(missing.pop(0))
            found.append(Article(vacant, Node(""), held=False))
        found.append(article)
    return found


def _check_neighbours(found: Sequence[Settled]) -> None:
    """在A后增加一条，作为第N条: the number must be the one after A."""
    place = {id(other.article): index for index, other in enumerate(found)}
    for settled in found:
        article = settled.article
        if article.pinned is None or article.number is not None:
            continue
        beside = place.get(id(article.pinned))
        if beside is None:
            continue
        here = place[id(article)]
        expected = here + 1 if article.pinned_before else here - 1
        between = found[min(beside, here) + 1 : max(beside, here)]
        if beside != expected and any(other.article.number is not None for other in between):
            raise Refusal(f"{settled.number.chinese} does not stand beside {article.pinned.name}")


# Paragraphs and items --------------------------------------------------------------------------


def _settle_parts(article: Article, notes: list[str]) -> None:
    if article.sole is not None and article.body.live != [article.sole]:
        raise Refusal(
            f"it is not said what becomes of the other paragraphs of {article.name}", article
        )
    for node in article.body.within():
        if node.needs_wording:
            raise Refusal(f"it is not said how {article.name} reads now", article)
        if node.label and node.old is None and not node.text.strip() and not node.live:
            raise Refusal(f"an item of {article.name} has no wording", article)
    _settle_children(article.body, article)
    for paragraph in article.body.children:
        items = [item for item in paragraph.children if item.label]
        if any(item.deleted or item.new or item.old is None for item in items):
            _settle_items(paragraph, article, notes)
        for item in items:
            _settle_children(item, article)
    if article.held and not article.text.strip():
        raise Refusal(f"nothing is left of {article.name}, and it was not deleted", article)
    for paragraph in article.body.children:
        if article.held and not paragraph.full().strip():
            raise Refusal(f"a paragraph of {article.name} has no wording", article)


def _settle_children(parent: Node, article: Article) -> None:
    live = parent.live
    if not any(child.new for child in live) or any(
        child.label.startswith(("（", "(")) for child in live
    ):
        parent.children = live
        if live and parent.text == "" and parent.label == "":
            live[0].separator = ""
            for child in live[1:]:
                child.separator = child.separator or "\n"
        return
    parent.children = _arranged_nodes(live, article)
    for index, child in enumerate(parent.children):
        child.separator = "" if index == 0 and not parent.text and not parent.label else "\n"


def _arranged_nodes(nodes: Sequence[Node], article: Article) -> list[Node]:
    return arranged(
        nodes,
        said=lambda node: node.new,
        is_old=lambda node: node.old is not None,
        name=lambda node: f"part {node.old or 'added'} of {article.name}",
    )


def _settle_items(paragraph: Node, article: Article, notes: list[str]) -> None:
    items = [item for item in paragraph.live if item.label]
    others = [item for item in paragraph.live if not item.label]
    before = [item for item in paragraph.children if item.label and item.old is not None]
    ended = _last_stop(before[-1]) if before and not before[-1].fresh else "。"
    order = _arranged_nodes(items, article)
    separators = [item.separator for item in order if item.old is not None]
    for index, item in enumerate(order, 1):
        item.label = relabelled(item.label, index)
        item.separator = separators[0] if separators else "\n"
    paragraph.children = [*order, *others]
    _settle_stops(order, ended, article, notes)


def _last_stop(node: Node) -> str:
    last = node if node.deleted else node.last
    return last.text.rstrip()[-1:]


def _settle_stops(items: Sequence[Node], ended: str, article: Article, notes: list[str]) -> None:
    """A list goes on with semicolons and ends as it ended before, whatever its last item."""
    stops = [_last_stop(item) for item in items]
    if len(items) > 1 and "；" not in stops[:-1] and set(stops) <= {"。", "；"}:
        return  # a list whose items are sentences
    for index, item in enumerate(items):
        last = item.last
        text = last.text.rstrip()
        wanted = "；" if index < len(items) - 1 else (ended if ended in "。；" else "。")
        if text.endswith(wanted):
            continue
        if text[-1:] in ("。", "；"):
            last.text = text[:-1] + wanted
            notes.append(f"{article.name}: item {item.label} now ends with {wanted}")
        elif text[-1:] not in ("，", "：", "、"):
            last.text = text + wanted


# Headings --------------------------------------------------------------------------------------


def _settle_headings(tree: LawTree, *, reorders: bool) -> None:
    groups: dict[tuple[int, str], list[Heading]] = {}
    for heading in tree.headings:
        if heading.number or heading.new:
            groups.setdefault((id(heading.above), heading.unit), []).append(heading)
    for group in groups.values():
        changed = any(heading.inserted or heading.new for heading in group)
        if not changed and not (reorders and any(heading.deleted for heading in group)):
            continue
        live = [heading for heading in group if not heading.deleted]
        old = [heading.number for heading in live if not heading.inserted]
        if min(old, default=1) != 1 and not reorders:
            continue
        order = arranged(
            live,
            said=lambda part: part.new,
            is_old=lambda part: not part.inserted,
            name=lambda part: part.printed,
        )
        for number, heading in enumerate(order, 1):
            heading.new = number


def _place_headings(result: Settlement, inserted: Sequence[Heading]) -> None:
    """Articles for which no chapter was named are in that of the article before them.

    So does one that was moved into the middle of a chapter. A new chapter that was named without
    its articles has the new ones between the chapters beside it.
    """
    used = {id(settled.article.heading) for settled in result.articles}
    empty = [
        heading
        for heading in inserted
        if id(heading) not in used and not any(other.above is heading for other in inserted)
    ]
    previous: Heading | None = None
    for index, settled in enumerate(result.articles):
        article = settled.article
        while article.heading is not None and article.heading.deleted:
            article.heading = article.heading.above
        rest = (other.article for other in result.articles[index + 1 :])
        following = next((other.heading for other in rest if other.number), None)
        if article.moved and following is previous:
            article.heading = previous
        if article.heading is None and article.number is None:
            between = [heading for heading in empty if _is_between(heading, previous, following)]
            article.heading = between[0] if len(between) == 1 else previous
            if article.heading and previous and following not in (previous, None, *between):
                result.notes.append(
                    f"{settled.number.chinese}: no chapter is named; it stands under "
                    f"{article.heading.printed}"
                )
        previous = article.heading
    used = {id(settled.article.heading) for settled in result.articles}
    result.notes.extend(
        f"{heading.printed}: it is not said which articles it has"
        for heading in empty
        if id(heading) not in used
    )


def _is_between(heading: Heading, before: Heading | None, after: Heading | None) -> bool:
    """Whether a new chapter comes between the chapters of the articles before and after."""
    number = heading.new or 0
    lower = before is None or (
        before.above is heading.above and (before.new or before.number) <= number
    )
    upper = after is None or (after.above is heading.above and number < (after.new or after.number))
    return lower and upper
