"""New wording for whole parts of a law, and parts deleted.

Everything is checked before anything is changed, so that what is refused leaves no trace.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from inforce.corpus.compile.lawtree import (
    Article,
    Heading,
    LawTree,
    Node,
    Refusal,
    heading_from,
    is_heading,
    item_label,
    parsed,
    parsed_lines,
    without_number,
)
from inforce.corpus.compile.locating import Located, Outside, Part, articles_of, require_not_deleted
from inforce.corpus.compile.quotations import Quotation
from inforce.corpus.compile.wording import Span, with_stop, without_words
from inforce.law.numerals import ProvisionNumber

_BEFORE_ITEM = re.compile("(?<=[；。])(?=[（(][一二三四五六七八九十]+[）)])")


def restate(tree: LawTree, found: Sequence[Located], content: Quotation) -> list[Located]:
    """Give parts of one kind new wording.

    Returns:
        The parts that have it.

    Raises:
        Refusal: if they are of different kinds, or the wording does not fit them.
    """
    if len({part.level for part in found}) != 1:
        raise Refusal("parts of different kinds are restated together", *articles_of(found))
    require_not_deleted(found)
    match found[0]:
        case Part(level="article"):
            _restate_articles(articles_of(found), content)
        case Part(level="paragraph" | "item" | "subitem"):
            restate_siblings([part for part in found if isinstance(part, Part)], content)
        case Part(level="lead", article=article, node=node):
            if len(content.paragraphs) != 1:
                reason = "new wording of several paragraphs for the words above the items"
                raise Refusal(reason, article)
            node.text, node.fresh = with_stop(content.paragraphs[0], node.text), True
        case Part(level="sentence", node=node, span=Span(start, end)):
            text = node.text
            node.reword(text[:start] + with_stop(content.text, text[start:end]) + text[end:])
        case Outside(heading=Heading() as heading):
            rename_heading(tree, heading, content)
        case Outside(level="title"):
            tree.title = "".join(content.text.split())
        case Outside(level="preamble"):  # restated in full, it is known, even if the old is not
            preamble = Article(ProvisionNumber("preamble"), Node(""), held=False)
            restate_article(preamble, content.paragraphs)
            tree.articles.insert(0, preamble)
            return [Part.whole(preamble)]
        case Outside(level="annex", name=name):
            tree.annexes[name] = content.text
        case other:
            raise Refusal(f"the {other.level} of a law is not held as text here")
    return list(found)


def rename_heading(tree: LawTree, heading: Heading, content: Quotation) -> None:
    """Give a heading the name, and the number if there is one, that new wording has."""
    if len(content.paragraphs) > 1:
        under = [article for article in tree.live if article.is_under(heading)]
        raise Refusal(f"{heading.printed} is restated with its articles", *under)
    new = heading_from(content.text)
    if new.number and new.number not in (heading.number, heading.new):
        heading.new = new.number
    heading.name = new.name


def _restate_articles(articles: Sequence[Article], content: Quotation) -> None:
    """Give whole articles new wording; several only where each is printed with its number."""
    if len(articles) == 1:
        lines = list(content.paragraphs)
        number, lines[0] = without_number(lines[0])
        wanted = {articles[0].number, articles[0].new}
        if number is not None and number not in wanted:
            raise Refusal(f"the new wording is numbered {number.chinese}", articles[0])
        restate_article(articles[0], lines, stop=content.stop)
        return
    printed = numbered_articles(content.paragraphs)
    if len(printed) != len(articles):
        raise Refusal(f"new wording for {len(articles)} articles, but it has no numbers", *articles)
    for article, (number, _) in zip(articles, printed, strict=True):
        if number not in (article.number, article.new):
            raise Refusal(f"the new wording of {article.name} is numbered {number}", *articles)
    for article, (_, lines) in zip(articles, printed, strict=True):
        restate_article(article, lines)


def numbered_articles(lines: Sequence[str]) -> list[tuple[ProvisionNumber, list[str]]]:
    """New wording of several articles, cut where a line begins with an article number."""
    found: list[tuple[ProvisionNumber, list[str]]] = []
    for line in lines:
        number, rest = without_number(line)
        if number is not None:
            found.append((number, [rest]))
        elif is_heading(line):
            raise Refusal(f"the heading “{line}” stands in the middle of the new wording")
        elif found:
            found[-1][1].append(line)
        else:
            return []
    return found


def restate_article(article: Article, lines: Sequence[str], *, stop: str = "") -> None:
    """Give one article new wording; from now on its paragraphs are those of the new wording."""
    if not any(line.strip() for line in lines):
        raise Refusal("the new wording is empty", article)
    require_no_heading(lines, article)
    if stop:  # the instrument's own stop is outside the quotation
        old = article.text if article.held else "。"
        lines = [*lines[:-1], with_stop(lines[-1], old, "。")]
    nodes = parsed_lines(lines)
    nodes[0].separator = ""
    for index, node in enumerate(nodes, 1):
        node.old = index
    article.body.children = nodes
    article.body.text = ""
    article.held = True
    article.doubts.clear()


def require_no_heading(lines: Sequence[str], article: Article) -> None:
    """New wording of one article, or of its parts, has no heading in it.

    Raises:
        Refusal: if it has: what follows the heading is not certainly of this article.
    """
    headings = [line for line in lines if is_heading(line)]
    if headings:
        reason = f"the heading “{headings[0]}” stands in the middle of the new wording"
        raise Refusal(reason, article)


def restate_siblings(found: Sequence[Part], content: Quotation) -> None:
    """Give paragraphs, items or sub-items of one article new wording."""
    first, nodes = found[0], [part.node for part in found]
    article, parent = first.article, first.parent
    assert parent is not None
    if any(part.parent is not parent for part in found):
        raise Refusal("the parts restated together are not of one paragraph", article)
    require_no_heading(content.paragraphs, article)
    if first.level == "paragraph":
        content = _without_own_number(article, content)
    if first.level == "item":
        new = item_nodes(content.paragraphs, len(nodes))
        _require_own_numbers(article, parent, nodes, new)
    else:
        new = parsed_lines(content.paragraphs)
    if len(nodes) == 1 and _is_lead_only(nodes[0], new):
        nodes[0].text, nodes[0].fresh, nodes[0].needs_wording = new[0].text, True, False
        return
    if len(new) < len(nodes):
        raise Refusal(f"{len(nodes)} parts are restated by {len(new)}", article)
    if len(new) > len(nodes) and not _adjoin(parent, nodes):
        raise Refusal(f"{len(nodes)} separate parts are restated by {len(new)}", article)
    for old, wording in zip(nodes, new, strict=False):
        wording.last.text = with_stop(wording.last.text, old.last.text, content.stop)
        old.text, old.children, old.fresh, old.needs_wording = (
            wording.text,
            wording.children,
            True,
            False,
        )
    more = new[len(nodes) :]
    for node in more:
        node.separator = nodes[-1].separator or "\n"
    place = parent.children.index(nodes[-1]) + 1
    parent.children[place:place] = more


def _require_own_numbers(
    article: Article, parent: Node, nodes: Sequence[Node], new: Sequence[Node]
) -> None:
    """Items printed with their numbers are those that are restated, unless the numbers change."""
    if len(nodes) != len(new) or any(
        node.deleted or node.old is None or node.new for node in parent.children
    ):
        return
    for old, wording in zip(nodes, new, strict=True):
        number, _ = item_label(wording.label)
        if number is not None and number != old.old:
            raise Refusal(
                f"item {old.old} of {article.name} is printed as {wording.label}", article
            )


def require_one_item(found: Located, content: Quotation) -> None:
    """Items that are merged become one.

    Raises:
        Refusal: if the new wording has the numbers of several.
    """
    printed = sum(item_label(line)[0] is not None for line in content.paragraphs)
    if found.level == "item" and printed > 1:
        reason = "items are merged, and the wording of several is given"
        raise Refusal(reason, *articles_of([found]))


def _without_own_number(article: Article, content: Quotation) -> Quotation:
    """New wording of a paragraph, printed with the number of its article or without."""
    number, rest = without_number(content.paragraphs[0] if content.paragraphs else "")
    if number is None:
        return content
    if number not in (article.number, article.new):
        raise Refusal(f"the new wording is numbered {number.chinese}", article)
    return replace(content, paragraphs=(rest, *content.paragraphs[1:]))


def _is_lead_only(old: Node, new: Sequence[Node]) -> bool:
    """Whether the words above the items are restated and the items stay.

    Wording that ends with a colon and has no items below it is not a whole paragraph.
    """
    ends = len(new) == 1 and not new[0].children and new[0].text.rstrip().endswith(("：", ":"))
    return ends and any(child.label for child in old.live)


def _adjoin(parent: Node, nodes: Sequence[Node]) -> bool:
    live = parent.live
    start = live.index(nodes[0])
    return live[start : start + len(nodes)] == list(nodes)


def item_nodes(lines: Sequence[str], count: int) -> list[Node]:
    """Items in new wording, with or without their printed numbers; ``count`` of them are meant."""
    groups: list[list[str]] = []
    for line in lines:
        for piece in _BEFORE_ITEM.split(line) if count > 1 else [line]:
            number, _ = item_label(piece)
            if number is not None or not groups:
                groups.append([piece])
            else:
                groups[-1].append(piece)
    if len(groups) != count and len(lines) == count:
        groups = [[line] for line in lines]
    nodes: list[Node] = []
    for group in groups:
        number, first = item_label(group[0])
        inner = parsed("\n".join([first, *group[1:]])).children
        node = Node(first if not inner else inner[0].text, separator="\n", new=None)
        node.label = "（）" if number is None else group[0][: len(group[0]) - len(first)]
        node.children = inner[0].children if inner else []
        for line in inner[1:]:
            node.children.append(Node(line.full(), separator="\n"))
        for each in node.within():
            each.fresh = True
        nodes.append(node)
    return nodes


def delete_part(tree: LawTree, found: Located) -> list[Article]:
    """Delete a part: a chapter (删去第三章) with its articles, a heading (删去章名) without them.

    Returns:
        The articles deleted with a chapter.

    Raises:
        Refusal: if the part is of no kind that is held.
    """
    match found:
        case Part(level="article"):
            found.article.deleted = True
        case Part(level="paragraph" | "item" | "subitem"):
            found.node.deleted = True
        case Part(level="sentence", span=Span() as span):
            found.node.reword(without_words(found.node.text, span))
        case Outside(level="annex"):
            pass
        case Outside(heading=Heading() as heading):
            heading.deleted = True
            under = [article for article in tree.articles if article.is_under(heading)]
            if found.level != "heading name":
                for article in under:
                    article.deleted = True
                return under
        case _:
            raise Refusal(f"a {found.level} cannot be deleted")
    return []
