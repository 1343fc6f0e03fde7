"""Which number every part of the amended law has.

An instrument names what it changes by the old numbers and says some of the new ones. What it says
is fixed; all other parts keep their order and fill the numbers that are left. If that cannot be
done, or would turn round parts of which nobody said that they move, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
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
    by_number = {one.number: one.article for one in result.articles}
    for article in tree.articles:
        if article.joins is None:
            continue
        number, paragraph = article.joins
        into = by_number.get(number)
        if into is None:
            raise Refusal(f"there is no {number.chinese} for {article.name} to become part of")
        _require_certain(tree, into, number, article)
        _absorb(into, paragraph, article)
    for one in result.articles:
        try:
            _settle_parts(one.article, result.notes)
        except Refusal as refusal:
            one.article.doubts.append(refusal.reason)
            result.refused.append(refusal.reason)
    _place_headings(result, [one for one in tree.headings if one.inserted])
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
    waiting = [one for one in tree.live if one.split_from is not None or one.loose]
    for one in waiting:
        one.deleted = True
    for one in waiting:
        assert one.new is not None
        given = sorted(node.new or 0 for node in one.body.live)
        whole = not one.loose and given == list(range(1, len(given) + 1))
        into = _article_numbered(tree, one.new, reorders=reorders)
        if into is not None and (into is one.split_from or not whole):
            _join(into, one)
        elif whole and len(given) > 1:
            one.deleted = False
        else:
            source = one.split_from
            raise Refusal(
                f"it is not certain of which article a part becomes {one.new.chinese}",
                *([source] if source else []),
            )


def _article_numbered(tree: LawTree, number: ProvisionNumber, *, reorders: bool) -> Article | None:
    """The article that has a number once all have theirs."""
    try:
        found = _settle_articles(tree, [], reorders=reorders)
    except Refusal:
        return None
    return next((one.article for one in found if one.number == number), None)


def _join(into: Article, part: Article) -> None:
    for node in part.body.live:
        node.separator, node.old = "\n", None
    into.body.children.extend(part.body.live)
    into.add_changes(*part.changes)
    into.doubts.extend(part.doubts)
    if not into.held:
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
    _require_order(parts, order, said, is_old, name, has_moved)
    return order


def _require_order(
    parts: Sequence[Part],
    order: Sequence[Part],
    said: Callable[[Part], int | None],
    is_old: Callable[[Part], bool],
    name: Callable[[Part], str],
    has_moved: Callable[[Part], bool],
) -> None:
    """A part whose number was not said must not change places with another.

    Unless that other one was moved: the numbers said turn it round with a third. Otherwise an
    instruction is missing, and the numbers that are left would go to the wrong parts.
    """
    place = {id(part): index for index, part in enumerate(order)}
    old = [part for part in parts if is_old(part)]
    fixed = [part for part in old if said(part) is not None]
    moved = {id(one) for pair in _turned(fixed, place) for one in pair}
    moved |= {id(one) for one in old if has_moved(one)}
    settled = [part for part in old if id(part) not in moved]
    for before, after in pairwise(settled):
        if place[id(before)] > place[id(after)]:
            raise Refusal(
                f"the numbers said do not fit: {name(after)} would come before {name(before)}"
            )


def _turned(parts: Sequence[Part], place: dict[int, int]) -> list[tuple[Part, Part]]:
    """Pairs of parts whose order the numbers said turn round."""
    found: list[tuple[Part, Part]] = []
    for index, one in enumerate(parts):
        for other in parts[index + 1 :]:
            if place[id(one)] > place[id(other)]:
                found.append((one, other))
    return found


# Articles --------------------------------------------------------------------------------------


def _settle_articles(tree: LawTree, notes: list[str], *, reorders: bool) -> list[Settled]:
    live = tree.live
    whole = [one for one in live if one.number and one.number.kind in ("preamble", "whole")]
    rest = [one for one in live if one not in whole]
    found = [Settled(one.number, one) for one in whole if one.number is not None]
    if reorders or _collide(rest) or _moved(rest):
        found += _renumbered(tree, rest, notes, reorders=reorders)
    else:
        found += [Settled(number, one) for one in rest if (number := one.new or one.number)]
        _require_neighbours(rest)
        gone = [one.name for one in tree.articles if one.deleted and one.number]
        if gone:
            notes.append(f"{'、'.join(gone)}: deleted; no other article gets another number")
    found.sort(key=lambda one: one.number)
    _check_neighbours(found)
    return found


def _require_neighbours(articles: Sequence[Article]) -> None:
    """A new article that gives others no other number follows the last, or fills a gap.

    Raises:
        Refusal: if numbers between are those of no article: others are missing.
    """
    mains = {number.main for one in articles if (number := one.new or one.number)}
    added = [one.new for one in articles if one.number is None and one.new is not None]
    for number in added:
        if not number.branch and number.main - 1 not in {0, *mains}:
            raise Refusal(f"{number.chinese} would follow an article that is not there")


def _collide(articles: Sequence[Article]) -> bool:
    numbers = [one.new or one.number for one in articles]
    return None in numbers or len(set(numbers)) < len(numbers)


def _moved(articles: Sequence[Article]) -> bool:
    return any(
        one.number is not None
        and one.new is not None
        and one.new.main != one.number.main
        and not one.new.branch
        for one in articles
    )


def _renumbered(
    tree: LawTree, articles: Sequence[Article], notes: list[str], *, reorders: bool
) -> list[Settled]:
    """Articles numbered through; 之 articles stay with the article they follow."""
    mains = [one for one in articles if not _branch(one)]
    branches = [one for one in articles if _branch(one)]
    kinds: list[NumberKind] = [one.number.kind for one in mains if one.number]
    kind: NumberKind = kinds[0] if kinds else "article"
    parts: list[Article] = [*mains]
    if not reorders:
        parts = _with_vacancies(tree, parts, notes)
    order = arranged(
        parts,
        said=lambda one: one.new.main if one.new else None,
        is_old=lambda one: one.number is not None,
        name=lambda one: one.name,
        has_moved=lambda one: one.moved,
    )
    numbered = {id(one): index for index, one in enumerate(order, 1)}
    held = [one for one in order if one in mains]
    found = [Settled(ProvisionNumber(kind, numbered[id(one)]), one) for one in held]
    main_of = {one.number.main: numbered[id(one)] for one in mains if one.number}
    for one in branches:
        number = one.new or one.number
        assert number is not None
        main = number.main if one.new else main_of.get(number.main, number.main)
        found.append(Settled(ProvisionNumber.article(main, number.branch), one))
    if len({one.number for one in found}) < len(found):
        raise Refusal("two articles get the same number")
    return found


def _branch(article: Article) -> int:
    number = article.new or article.number
    return number.branch if number else 0


def _with_vacancies(tree: LawTree, articles: Sequence[Article], notes: list[str]) -> list[Article]:
    """The articles, and a place for each number that the text skips (repealed long ago)."""
    numbers = {one.number.main for one in tree.articles if one.number and not one.number.branch}
    missing = [main for main in range(1, max(numbers, default=0)) if main not in numbers]
    if not missing:
        return list(articles)
    notes.append(f"numbers the text does not have stay free: {', '.join(map(str, missing))}")
    found: list[Article] = []
    for one in articles:
        while missing and one.number is not None and missing[0] < one.number.main:
            vacant = ProvisionNumber.article(missing.pop(0))
            found.append(Article(vacant, Node(""), held=False))
        found.append(one)
    return found


def _check_neighbours(found: Sequence[Settled]) -> None:
    """在A后增加一条，作为第N条: the number must be the one after A."""
    place = {id(one.article): index for index, one in enumerate(found)}
    for one in found:
        article = one.article
        if article.pinned is None or article.number is not None:
            continue
        beside = place.get(id(article.pinned))
        if beside is None:
            continue
        here = place[id(article)]
        expected = here + 1 if article.pinned_before else here - 1
        between = found[min(beside, here) + 1 : max(beside, here)]
        if beside != expected and not all(each.article.number is None for each in between):
            raise Refusal(f"{one.number.chinese} does not stand beside {article.pinned.name}")


def _absorb(into: Article, paragraph: int, article: Article) -> None:
    nodes = article.body.live
    for offset, node in enumerate(nodes):
        node.separator, node.old, node.new = "\n", None, paragraph + offset
    into.body.children.extend(nodes)
    if article.number is not None:
        into.absorbed = (*into.absorbed, article.number)


# Paragraphs and items --------------------------------------------------------------------------


def _settle_parts(article: Article, notes: list[str]) -> None:
    if article.sole is not None and article.body.live != [article.sole]:
        raise Refusal(
            f"it is not said what becomes of the other paragraphs of {article.name}", article
        )
    for node in article.body.within():
        if node.needs_wording:
            raise Refusal(f"it is not said how the merged parts of {article.name} read", article)
        if node.label and node.old is None and not node.text.strip() and not node.live:
            raise Refusal(f"an item of {article.name} has no wording", article)
    _settle_children(article.body, article)
    for paragraph in article.body.children:
        items = [one for one in paragraph.children if one.label]
        if any(one.deleted or one.new or one.old is None for one in items):
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
    if not any(one.new for one in live) or any(one.label.startswith(("（", "(")) for one in live):
        parent.children = live
        if live and parent.text == "" and parent.label == "":
            live[0].separator = ""
            for one in live[1:]:
                one.separator = one.separator or "\n"
        return
    parent.children = arranged(
        live,
        said=lambda one: one.new,
        is_old=lambda one: one.old is not None,
        name=lambda one: _part_name(one, article),
    )
    for index, one in enumerate(parent.children):
        one.separator = "" if index == 0 and not parent.text and not parent.label else "\n"


def _part_name(node: Node, article: Article) -> str:
    return f"part {node.old or 'added'} of {article.name}"


def _settle_items(paragraph: Node, article: Article, notes: list[str]) -> None:
    items = [one for one in paragraph.live if one.label]
    others = [one for one in paragraph.live if not one.label]
    before = [one for one in paragraph.children if one.label and one.old is not None]
    ended = _last_stop(before[-1]) if before and not before[-1].fresh else "。"
    order = arranged(
        items,
        said=lambda one: one.new,
        is_old=lambda one: one.old is not None,
        name=lambda one: _part_name(one, article),
    )
    separators = [one.separator for one in order if one.old is not None]
    for index, one in enumerate(order, 1):
        one.label = relabelled(one.label, index)
        one.separator = separators[0] if separators else "\n"
    paragraph.children = [*order, *others]
    _settle_stops(order, ended, article, notes)


def _last_stop(node: Node) -> str:
    *_, last = node.within() if not node.deleted else [node]
    return last.text.rstrip()[-1:]


def _settle_stops(items: Sequence[Node], ended: str, article: Article, notes: list[str]) -> None:
    """A list goes on with semicolons and ends as it ended before, whatever its last item."""
    stops = [_last_stop(one) for one in items]
    if len(items) > 1 and "；" not in stops[:-1] and set(stops) <= {"。", "；"}:
        return  # a list whose items are sentences
    for index, one in enumerate(items):
        *_, last = one.within()
        text = last.text.rstrip()
        wanted = "；" if index < len(items) - 1 else (ended if ended in "。；" else "。")
        if text.endswith(wanted):
            continue
        if text[-1:] in ("。", "；"):
            last.text = text[:-1] + wanted
            notes.append(f"{article.name}: item {one.label} now ends with {wanted}")
        elif text[-1:] not in ("，", "：", "、"):
            last.text = text + wanted


# Headings --------------------------------------------------------------------------------------


def _settle_headings(tree: LawTree, *, reorders: bool) -> None:
    groups: dict[tuple[int, str], list[Heading]] = {}
    for one in tree.headings:
        if one.number or one.new:
            groups.setdefault((id(one.above), one.unit), []).append(one)
    for group in groups.values():
        changed = any(one.inserted or one.new for one in group)
        if not changed and not (reorders and any(one.deleted for one in group)):
            continue
        live = [one for one in group if not one.deleted]
        if min((one.number for one in live if not one.inserted), default=1) != 1 and not reorders:
            continue
        order = arranged(
            live,
            said=lambda one: one.new,
            is_old=lambda one: not one.inserted,
            name=lambda one: one.printed,
        )
        for number, one in enumerate(order, 1):
            one.new = number


def _place_headings(result: Settlement, inserted: Sequence[Heading]) -> None:
    """Articles for which no chapter was named are in that of the article before them.

    So does one that was moved into the middle of a chapter. A new chapter that was named without
    its articles has the new ones between the chapters beside it.
    """
    used = {id(one.article.heading) for one in result.articles}
    empty = [one for one in inserted if id(one) not in used and not _has_below(one, inserted)]
    previous: Heading | None = None
    for index, one in enumerate(result.articles):
        article = one.article
        while article.heading is not None and article.heading.deleted:
            article.heading = article.heading.above
        rest = (each.article for each in result.articles[index + 1 :])
        following = next((each.heading for each in rest if each.number), None)
        if article.moved and following is previous:
            article.heading = previous
        if article.heading is None and article.number is None:
            between = [each for each in empty if _is_between(each, previous, following)]
            article.heading = between[0] if len(between) == 1 else previous
            if article.heading and previous and following not in (previous, None, *between):
                result.notes.append(
                    f"{one.number.chinese}: no chapter is named; it stands under "
                    f"{article.heading.printed}"
                )
        previous = article.heading
    used = {id(one.article.heading) for one in result.articles}
    result.notes.extend(
        f"{one.printed}: it is not said which articles it has"
        for one in empty
        if id(one) not in used
    )


def _has_below(heading: Heading, headings: Sequence[Heading]) -> bool:
    return any(one.above is heading for one in headings)


def _is_between(heading: Heading, before: Heading | None, after: Heading | None) -> bool:
    """Whether a new chapter comes between the chapters of the articles before and after."""
    number = heading.new or 0
    lower = before is None or (
        before.above is heading.above and (before.new or before.number) <= number
    )
    upper = after is None or (after.above is heading.above and number < (after.new or after.number))
    return lower and upper
