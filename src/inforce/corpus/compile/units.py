"""Inserting articles, headings, paragraphs, items and sentences (增加一条, 增加二款, 增加一节).

What was said of them is collected in a `Pending`.
"""

from __future__ import annotations

from collections.abc import Sequence

from inforce.corpus.compile import editing, phrases
from inforce.corpus.compile.clauses import Level
from inforce.corpus.compile.lawtree import (
    Article,
    Heading,
    LawTree,
    Node,
    heading_from,
    is_heading,
    parsed_lines,
    without_number,
)
from inforce.corpus.compile.locating import Context, Located, Refusal, sentences
from inforce.corpus.compile.pending import Pending, expanded
from inforce.corpus.compile.quotations import Quotation
from inforce.law.numerals import ProvisionNumber


def insert(tree: LawTree, context: Context, pending: Pending) -> list[Located]:
    """Insert what was announced.

    Raises:
        Refusal: if its wording is missing, or does not fit the numbers given.
    """
    if pending.level == "heading":
        return _insert_heading(tree, context, pending)
    if pending.content is None:
        anchor = pending.anchor.article if pending.anchor else None
        raise Refusal("its wording is not given", *([anchor] if anchor else []))
    match pending.level:
        case "article":
            return _insert_articles(tree, context, pending)
        case "paragraph":
            return _insert_paragraphs(tree, pending)
        case "item" | "subitem":
            return _insert_items(pending)
        case "sentence":
            return _insert_sentence(pending)
        case _:
            raise Refusal(f"no {pending.unit} can be added here")


# Articles and headings ---------------------------------------------------------------------------


def _insert_articles(tree: LawTree, context: Context, pending: Pending) -> list[Located]:
    content = pending.content
    assert content is not None
    numbers = _article_numbers(pending)
    lines = list(content.paragraphs)
    heading = _heading_for(tree, context, pending, lines)
    sections = _sections(lines, heading)
    under = [one for one, text in sections for line in text if number_of(line)]
    lines = [line for _, text in sections for line in text]
    texts = _texts_of_articles(lines, pending.count, numbers)
    tree.headings.extend(one for one, _ in sections if one is not None and one is not heading)
    anchor = pending.anchor.article if pending.anchor else None
    articles: list[Article] = []
    for index, (number, text) in enumerate(texts):
        heading = under[index] if index < len(under) else heading
        article = Article(None, Node(""), heading, new=number, held=True)
        editing.restate_article(article, text, stop=content.stop)
        for node in article.body.children:
            node.old = None if node.old is None else node.old
        if anchor is not None:
            article.pinned = articles[-1] if articles else anchor
            article.pinned_before = pending.place == "before" and index == 0
            article.heading = heading or anchor.heading
        articles.append(article)
    _put(tree, articles, anchor, before=pending.place == "before")
    return [Located("article", one, one.body) for one in articles]


def _put(tree: LawTree, new: Sequence[Article], anchor: Article | None, *, before: bool) -> None:
    if anchor is None:
        tree.articles.extend(new)
        return
    at = tree.articles.index(anchor) + (0 if before else 1)
    while not before and at < len(tree.articles) and tree.articles[at].pinned is not None:
        at += 1
    tree.articles[at:at] = new


def _article_numbers(pending: Pending) -> list[ProvisionNumber]:
    steps = [step for one in pending.numbers for step in expanded(one)]
    if any(step.level != "article" for step in steps):
        raise Refusal(f"{pending.count} articles get numbers of another kind")
    numbers = [ProvisionNumber.article(step.number, step.branch) for step in steps]
    if numbers and len(numbers) != pending.count:
        raise Refusal(f"{pending.count} articles are added, but {len(numbers)} numbers given")
    return numbers


def _texts_of_articles(
    lines: list[str], count: int, numbers: Sequence[ProvisionNumber]
) -> list[tuple[ProvisionNumber | None, list[str]]]:
    """The wording of each new article, by the numbers printed in it or one a paragraph."""
    printed = editing.numbered_parts(lines)
    if printed:
        if len(printed) != count:
            raise Refusal(f"{count} articles are added, but the wording of {len(printed)} is given")
        if numbers and [number for number, _ in printed] != list(numbers):
            raise Refusal("the new articles are printed under other numbers than they are given")
        return [(number, text) for number, text in printed]
    if count == 1:
        return [(numbers[0] if numbers else None, lines)]
    if len(lines) != count:
        raise Refusal(f"{count} articles are added, but it is not said where each begins")
    found = numbers or [None] * count
    return [(number, [line]) for number, line in zip(found, lines, strict=True)]


def _heading_for(
    tree: LawTree, context: Context, pending: Pending, lines: list[str]
) -> Heading | None:
    """The heading new articles belong to: printed above them, or the one they are added to."""
    if lines and is_heading(lines[0]):
        printed = heading_from(lines.pop(0))
        near = context.heading
        if near is not None and near.inserted and near.unit == printed.unit:
            if near.name and near.name != printed.name:
                raise Refusal(f"the heading is “{near.name}” and “{printed.name}”")
            near.name = near.name or printed.name
            return near
        printed.inserted, printed.new = True, printed.number
        printed.above = near
        tree.headings.append(printed)
        return printed
    if pending.anchor is not None and pending.anchor.heading is not None:
        return pending.anchor.heading
    if pending.anchor is None and context.heading is not None and context.heading.inserted:
        return context.heading
    return None


def _sections(
    lines: Sequence[str], start: Heading | None
) -> list[tuple[Heading | None, list[str]]]:
    """New wording cut at the headings printed in it; each with the heading it is under."""
    found: list[tuple[Heading | None, list[str]]] = [(start, [])]
    for line in lines:
        if not is_heading(line):
            found[-1][1].append(line)
            continue
        printed = heading_from(line)
        printed.inserted, printed.new = True, printed.number
        above = found[-1][0]
        while above is not None and _rank(above.unit) >= _rank(printed.unit):
            above = above.above
        printed.above = above
        found.append((printed, []))
    return found


def _insert_heading(tree: LawTree, context: Context, pending: Pending) -> list[Located]:
    """增加一节，作为第七节“监察委员会”: a heading, and what of its articles is printed with it."""
    steps = [step for one in pending.numbers for step in expanded(one)]
    lines = list(pending.content.paragraphs) if pending.content else []
    named = heading_from(lines[0]) if lines else None
    number = steps[0].number if steps else (named.number if named else 0)
    if named is not None and named.number and steps and named.number != steps[0].number:
        raise Refusal(f"the new heading is printed as “{lines[0]}”")
    above = _above(tree, context, pending)
    heading = Heading(
        named.name if named else "",
        unit=pending.unit,
        new=number or None,
        above=above,
        inserted=True,
    )
    tree.headings.append(heading)
    context.heading = heading
    located = [Located("heading", heading=heading)]
    for under, text in _sections(lines[1:], heading):
        if under is not None and under is not heading:
            tree.headings.append(under)
        parts = editing.numbered_parts(text)
        if text and not parts:
            raise Refusal("the wording under the new heading has no article numbers")
        for given, paragraphs in parts:
            article = Article(None, Node(""), under, new=given)
            editing.restate_article(article, paragraphs)
            tree.articles.append(article)
            located.append(Located("article", article, article.body))
    if len(located) == 1 and pending.anchor and pending.place == "before":
        _begin_with(tree, heading, pending.anchor)
    return located


def _begin_with(tree: LawTree, heading: Heading, first: Located) -> None:
    """在第八条前增加一章: the rest of the chapter it was in is the new one."""
    article = first.article
    if article is None:
        return
    before = article.heading
    for one in tree.articles[tree.articles.index(article) :]:
        if one.heading is before and one.number is not None:
            one.heading = heading


def _above(tree: LawTree, context: Context, pending: Pending) -> Heading | None:
    """The heading a new one is under: named with its number (第五编第一章), or referred to."""
    named = pending.numbers[0].inner[:-1] if pending.numbers else ()
    if named and named[-1].level == "heading":
        step = named[-1]
        for one in tree.headings:
            if one.unit == step.name and step.number in (one.new, one.number):
                return one
        raise Refusal(f"the law has no {step}", elsewhere=True)
    above = pending.anchor.heading if pending.anchor else context.heading
    while above is not None and _rank(above.unit) >= _rank(pending.unit):
        above = above.above
    return above


def _rank(unit: str) -> int:
    return ("编", "分编", "章", "节").index(unit) if unit in ("编", "分编", "章", "节") else 4


# Paragraphs, items, sentences ---------------------------------------------------------------------


def _article_said(pending: Pending) -> ProvisionNumber | None:
    """The article in 作为第四条第二款, which is a number of the new text."""
    found = {step for one in pending.numbers for step in one.inner[:-1] if step.level == "article"}
    if len(found) > 1:
        raise Refusal("paragraphs for several articles are added together")
    return next((ProvisionNumber.article(one.number, one.branch) for one in found), None)


def _home(tree: LawTree, pending: Pending) -> Located:
    """The article that new paragraphs are added to, which may only be known by its new number."""
    anchor, said = pending.anchor, _article_said(pending)
    article = anchor.article if anchor is not None else None
    if article is not None and said not in (None, article.number, article.new):
        if pending.is_placed and article.new is None:
            article.new = said  # 第三条增加一款，作为第四条第二款
        elif pending.is_placed:
            raise Refusal(f"{article.name} gets two numbers", article)
        else:
            article = None
    if article is not None and anchor is not None:
        return anchor
    if said is None:
        raise Refusal("it is not said which article it is added to")
    loose = Article(None, Node(""), new=said, loose=True)
    tree.articles.append(loose)
    return Located("article", loose, loose.body)


def _insert_paragraphs(tree: LawTree, pending: Pending) -> list[Located]:
    content, anchor = pending.content, _home(tree, pending)
    assert content is not None and anchor.article is not None
    article = anchor.article
    _require(article)
    editing.require_no_heading(content.paragraphs, article)
    nodes = parsed_lines(content.paragraphs)
    numbers = _small_numbers(pending, "paragraph")
    if len(nodes) != pending.count:
        raise Refusal(f"{pending.count} paragraphs are added, but {len(nodes)} are given", article)
    for node in nodes:
        *_, last = node.within()
        last.text = editing.with_stop(last.text, "。")
    beside = anchor.node if anchor.level == "paragraph" and pending.place else None
    _place_nodes(article.body, nodes, numbers, beside, before=pending.place == "before")
    return [Located("paragraph", article, one, article.body) for one in nodes]


def _insert_items(pending: Pending) -> list[Located]:
    content, anchor = pending.content, pending.anchor
    assert content is not None and anchor is not None and anchor.article is not None
    article = anchor.article
    _require(article)
    beside = anchor.node if anchor.level == pending.level and pending.place else None
    parent = anchor.parent if anchor.level == pending.level else _list_in(anchor)
    assert parent is not None
    nodes = editing.item_nodes(content.paragraphs, pending.count)
    if len(nodes) != pending.count:
        raise Refusal(f"{pending.count} items are added, but {len(nodes)} are given", article)
    numbers = _small_numbers(pending, pending.level)
    if (said := _article_said(pending)) not in (None, article.number, article.new):
        raise Refusal(f"it is not certain whether {article.name} or {said} is meant", article)
    siblings = [one for one in parent.live if one.label]
    for node in nodes:
        node.separator = siblings[-1].separator if siblings else "\n"
        if siblings and node.label == "（）":
            node.label = siblings[-1].label
    _place_nodes(parent, nodes, numbers, beside, before=pending.place == "before")
    return [Located(pending.level, article, one, parent) for one in nodes]


def _list_in(anchor: Located) -> Node:
    """The paragraph whose list an item is added to."""
    article, node = anchor.article, anchor.node
    assert article is not None and node is not None
    if anchor.level != "article":
        return node
    lists = [one for one in node.live if any(child.label for child in one.live)]
    if len(lists) == 1:
        return lists[0]
    if not lists and len(node.live) == 1:
        return node.live[0]
    raise Refusal(f"it is not said which paragraph of {article.name} has the items", article)


def _place_nodes(
    parent: Node,
    nodes: Sequence[Node],
    numbers: Sequence[int],
    beside: Node | None,
    *,
    before: bool,
) -> None:
    for node, number in zip(nodes, numbers, strict=False):
        node.new = number
    if beside is not None:
        at = parent.children.index(beside) + (0 if before else 1)
        for node in nodes:
            node.pinned = beside
        parent.children[at:at] = nodes
        return
    parent.children.extend(nodes)


def _small_numbers(pending: Pending, level: Level) -> list[int]:
    steps = [step for one in pending.numbers for step in expanded(one)]
    article = pending.anchor.article if pending.anchor else None
    known = [article] if article else []
    if any(step.level != level for step in steps):
        raise Refusal("the numbers given are of another kind", *known)
    if steps and len(steps) != pending.count:
        raise Refusal(f"{pending.count} are added, but {len(steps)} numbers given", *known)
    return [step.number for step in steps]


def _insert_sentence(pending: Pending) -> list[Located]:
    content, anchor = pending.content, pending.anchor
    assert content is not None and anchor is not None and anchor.article is not None
    _require(anchor.article)
    if pending.words is not None and pending.place in ("after", "before"):
        after = pending.place == "after"
        phrases.insert_beside(anchor, pending.words, content, phrases.Which(), after=after)
    elif anchor.level == "sentence" and pending.place in ("after", "before"):
        editing.insert_sentence(anchor, content, after=pending.place == "after")
    elif pending.numbers:
        _insert_numbered_sentence(pending, anchor, anchor.article, content)
    else:
        editing.insert_at_edge(anchor, content, at_end=pending.place != "start")
    return [anchor]


def _insert_numbered_sentence(
    pending: Pending, anchor: Located, article: Article, content: Quotation
) -> None:
    """增加一句，作为第二句: before the sentence that was the second, or at the end."""
    numbers = _small_numbers(pending, "sentence")
    node = anchor.node
    if anchor.level == "article" and node is not None and len(node.live) == 1:
        node = node.live[0]
    if node is None or anchor.level == "sentence" or (anchor.level == "article" and node.live):
        raise Refusal(f"it is not said which paragraph of {article.name}", article)
    spans = sentences(node.text)
    first = numbers[0]
    if numbers != list(range(first, first + len(numbers))) or not 1 <= first <= len(spans) + 1:
        raise Refusal(f"{article.name} has {len(spans)} sentences there", article)
    if first == len(spans) + 1:
        editing.insert_at_edge(anchor, content, at_end=True)
        return
    here = Located("sentence", article, node, span=spans[first - 1])
    editing.insert_sentence(here, content, after=False)


def _require(article: Article) -> None:
    if not article.held:
        raise Refusal(f"the base text does not hold {article.name}", article, unknown_text=True)


def number_of(line: str) -> ProvisionNumber | None:
    """The article number a line of quoted text begins with."""
    return without_number(line)[0]
