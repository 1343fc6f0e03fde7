"""Changes of wording in one law: restating, replacing, inserting and deleting words and parts.

Everything is checked before anything is changed, so that what is refused leaves no trace.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from inforce.corpus.compile.lawtree import (
    Article,
    Node,
    is_heading,
    item_label,
    parsed,
    parsed_lines,
    without_number,
)
from inforce.corpus.compile.locating import (
    Located,
    Refusal,
)
from inforce.corpus.compile.quotations import Quotation
from inforce.corpus.compile.wording import (
    folded,
)
from inforce.law.numerals import ProvisionNumber

_ENDS = tuple("。；：，！？、…")
_CLOSERS = "”’）)》〉】"


def joined(quotations: Sequence[Quotation]) -> Quotation:
    """Several quotations that are the paragraphs of one text.

    Raises:
        Refusal: if a closing mark is missing, or nothing is quoted.
    """
    if not all(one.closed for one in quotations):
        raise Refusal("a quotation is not closed: the mark ” is missing in this copy")
    paragraphs = tuple(line for one in quotations for line in one.paragraphs)
    if not paragraphs:
        raise Refusal("the quotation is empty")
    marked = all(one.marked for one in quotations)
    return Quotation(paragraphs, True, marked, quotations[-1].stop)


def with_stop(new: str, old: str, following: str = "") -> str:
    """New wording with the stop it needs where it is quoted without one: that of the old wording.

    Instruments quote an item as “（一）商品存在缺陷的” although the law goes on with a semicolon.
    """
    bare = new.rstrip().rstrip(_CLOSERS)
    if not new.strip() or bare.endswith(_ENDS):
        return new
    last = old.rstrip()[-1:]
    if last in _ENDS:
        return new.rstrip() + last
    return new.rstrip() + following if following in _ENDS else new


# Restating ---------------------------------------------------------------------------------------


def restate_articles(found: Sequence[Located], content: Quotation) -> None:
    """Give whole articles new wording; several only where each is printed with its number."""
    articles = [one.article for one in found if one.article]
    if len(articles) == 1:
        lines = list(content.paragraphs)
        number, lines[0] = without_number(lines[0])
        wanted = {articles[0].number, articles[0].new}
        if number is not None and number not in wanted:
            raise Refusal(f"the new wording is numbered {number.chinese}", articles[0])
        restate_article(articles[0], lines, stop=content.stop)
        return
    parts = numbered_parts(content.paragraphs)
    if len(parts) != len(articles):
        raise Refusal(f"new wording for {len(articles)} articles, but it has no numbers", *articles)
    for article, (number, _) in zip(articles, parts, strict=True):
        if number not in (article.number, article.new):
            raise Refusal(f"the new wording of {article.name} is numbered {number}", *articles)
    for article, (_, lines) in zip(articles, parts, strict=True):
        restate_article(article, lines)


def numbered_parts(lines: Sequence[str]) -> list[tuple[ProvisionNumber, list[str]]]:
    """New wording of several articles, cut where a line begins with an article number."""
    parts: list[tuple[ProvisionNumber, list[str]]] = []
    for line in lines:
        number, rest = without_number(line)
        if number is not None:
            parts.append((number, [rest]))
        elif is_heading(line):
            raise Refusal(f"the heading “{line}” stands in the middle of the new wording")
        elif parts:
            parts[-1][1].append(line)
        else:
            return []
    return parts


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


def restate_siblings(found: Sequence[Located], content: Quotation) -> None:
    """Give paragraphs, items or sub-items of one article new wording."""
    first = found[0]
    article, parent = first.article, first.parent
    assert article is not None and parent is not None
    nodes = [one.node for one in found if one.node]
    if any(one.parent is not parent for one in found):
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
        nodes[0].text = new[0].text
        nodes[0].fresh = True
        return
    if len(new) < len(nodes):
        raise Refusal(f"{len(nodes)} parts are restated by {len(new)}", article)
    if len(new) > len(nodes) and not _adjoin(parent, nodes):
        raise Refusal(f"{len(nodes)} separate parts are restated by {len(new)}", article)
    for old, one in zip(nodes, new, strict=False):
        _take_over(old, one, content.stop)
    place = parent.children.index(nodes[-1])
    for extra in new[len(nodes) :]:
        extra.pinned, extra.separator = nodes[-1], nodes[-1].separator or "\n"
        place += 1
        parent.children.insert(place, extra)


def _require_own_numbers(
    article: Article, parent: Node, nodes: Sequence[Node], new: Sequence[Node]
) -> None:
    """Items printed with their numbers are those that are restated, unless the numbers change."""
    if len(nodes) != len(new) or any(
        one.deleted or one.old is None or one.new for one in parent.children
    ):
        return
    for old, one in zip(nodes, new, strict=True):
        number, _ = item_label(one.label)
        if number is not None and number != old.old:
            raise Refusal(f"item {old.old} of {article.name} is printed as {one.label}", article)


def require_one_item(found: Located, content: Quotation) -> None:
    """Items that are merged become one.

    Raises:
        Refusal: if the new wording has the numbers of several.
    """
    printed = sum(item_label(line)[0] is not None for line in content.paragraphs)
    if found.level == "item" and printed > 1:
        articles = [found.article] if found.article else []
        raise Refusal("items are merged, and the wording of several is given", *articles)


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


def _take_over(old: Node, new: Node, stop: str) -> None:
    """Put new wording into a node, which keeps its place and its number."""
    ending, last = _last(old), _last(new)
    last.text = with_stop(last.text, ending.text, stop)
    old.text, old.children = new.text, new.children
    old.fresh = True


def _last(node: Node) -> Node:
    *_, last = node.within()
    return last


def item_nodes(lines: Sequence[str], count: int) -> list[Node]:
    """Items in new wording, with or without their printed numbers; ``count`` of them are meant."""
    groups: list[list[str]] = []
    for line in lines:
        pieces = (
            re.split(r"(?<=[；。])(?=[（(][一二三四五六七八九十]+[）)])", line)
            if count > 1
            else [line]
        )
        for piece in pieces:
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


def restate_lead(found: Located, content: Quotation) -> None:
    """Give the words above the items new wording."""
    assert found.node is not None and found.article is not None
    if len(content.paragraphs) != 1:
        raise Refusal(
            "new wording of several paragraphs for the words above the items", found.article
        )
    found.node.text = with_stop(content.paragraphs[0], found.node.text)
    found.node.fresh = True


def restate_sentence(found: Located, content: Quotation) -> None:
    """Put new wording in the place of a sentence."""
    assert found.node is not None and found.span is not None
    text, span = found.node.text, found.span
    new = with_stop(content.text, text[span.start : span.end])
    found.node.text = text[: span.start] + new + text[span.end :]


def insert_sentence(found: Located, new: Quotation, *, after: bool) -> None:
    """Put a sentence after or before another one.

    Raises:
        Refusal: if it does not end as a sentence does.
    """
    assert found.node is not None and found.span is not None
    if not new.text.rstrip().rstrip(_CLOSERS).endswith(("。", "；", "！", "？")):
        articles = [found.article] if found.article else []
        raise Refusal("the sentence that is added has no stop", *articles)
    at = found.span.end if after else found.span.start
    found.node.text = found.node.text[:at] + new.text + found.node.text[at:]


def insert_at_edge(found: Located, new: Quotation, *, at_end: bool) -> None:
    """Put words at the end or the beginning of a paragraph or an item.

    Raises:
        Refusal: if a sentence put at the beginning has no stop, so that it is not certain how it
            goes on.
    """
    assert found.node is not None and found.article is not None
    node = found.node
    if found.level == "article":
        live = node.live
        node = live[-1 if at_end else 0]
    if not at_end:
        if not new.text.rstrip().endswith(_ENDS):
            raise Refusal(
                "the words put at the beginning have no mark after them: ；, ， or 。 is not said",
                found.article,
            )
        node.text = new.text + node.text
        return
    last = _last(node)
    text = last.text.rstrip()
    if new.text.startswith(("，", "；", "、")) and text.endswith(("。", "；")):
        words = new.text.rstrip("。；") if new.text.endswith(text[-1]) else new.text
        last.text = text[:-1] + words + text[-1]
        return
    last.text = text + with_stop(new.text, text)


def append_paragraph(article: Article, new: Quotation) -> None:
    """Add a paragraph at the end of an article: 增加规定 without a number."""
    for node in parsed_lines(new.paragraphs):
        _last(node).text = with_stop(_last(node).text, "。")
        article.body.children.append(node)


def check_lead(found: Located, lead: Quotation) -> None:
    """A part must begin as the instrument says it does (第六十二条“…行使下列职权”中)."""
    assert found.article is not None
    wanted = folded(lead.text)
    heading = found.heading.printed if found.heading else ""
    if wanted not in folded(found.article.text) and wanted not in folded(heading):
        raise Refusal(
            f"{found.article.name} does not have the words “{lead.text[:30]}”", found.article
        )
