"""New numbers, merging and splitting: what keeps its wording and gets another place."""

from __future__ import annotations

from collections.abc import Sequence

from inforce.corpus.compile import parts
from inforce.corpus.compile.clauses import Reference, Step
from inforce.corpus.compile.lawtree import Article, Heading, LawTree, Node, Refusal, parsed_lines
from inforce.corpus.compile.locating import Located, articles_of, require_not_deleted
from inforce.corpus.compile.quotations import Quotation
from inforce.law.numerals import ProvisionNumber


def give_number(article: Article, number: ProvisionNumber) -> None:
    """Say which number an article will have.

    Raises:
        Refusal: if it was given another one before.
    """
    if article.new not in (None, number):
        raise Refusal(f"{article.name} gets two numbers", article)
    article.new = number


def renumber(
    tree: LawTree, found: Sequence[Located], numbers: Sequence[Reference]
) -> list[Located]:
    """Give the parts found the numbers named, one for one; what they are from now on.

    Raises:
        Refusal: if there are more of one than of the other, or a part cannot become that.
    """
    require_not_deleted(found)
    steps = [(one, step) for one in numbers for step in one.last_steps]
    levels = {one.level for one in found} | {step.level for _, step in steps}
    if found and found[0].level == "article" and {step.level for _, step in steps} == {"heading"}:
        return _under_heading(tree, found, steps[0][1])
    if len(found) == 1 and len(steps) > 1 and levels in ({"paragraph"}, {"item"}):
        found = _split_paragraph(found[0], len(steps), None)
    if len(found) == 1 and len(steps) > 1 and found[0].level == "article":
        if levels != {"article"}:
            return _into_paragraphs(found[0], [one for one, _ in steps])
        found = _split_article(tree, found[0], len(steps))
    elif len(steps) == 1 and len(found) > 1 and levels == {"article"}:
        found = merge(found)
    if len(found) != len(steps):
        raise Refusal(f"{len(found)} parts get {len(steps)} numbers", *articles_of(found))
    return [
        _renumber(tree, one, reference, step)
        for one, (reference, step) in zip(found, steps, strict=True)
    ]


def _renumber(tree: LawTree, found: Located, reference: Reference, step: Step) -> Located:
    within = [one for one in reference.inner[:-1] if one.level == "article"]
    match found.level, step.level:
        case "article", "article":
            assert found.article is not None
            give_number(found.article, step.provision)
            return found
        case "article", "paragraph" if within:
            return _as_paragraph(tree, found, within[0].provision, step.number)
        case "article", "paragraph":
            return _only_paragraph(found, step.number)
        case "paragraph", "article":
            return _as_article(tree, found, step.provision)
        case (("paragraph" | "item" | "subitem"), level) if level == found.level:
            return _within(tree, found, within, step)
        case "heading", "heading":
            assert found.heading is not None
            found.heading.new = step.number
            return found
        case _:
            raise Refusal(f"a {found.level} cannot become {step}", *articles_of([found]))


def _under_heading(tree: LawTree, found: Sequence[Located], step: Step) -> list[Located]:
    """第八条至第十条作为第三章: the chapter they are in from now on."""
    headings = [one for one in tree.headings if one.unit == step.name]
    wanted = [one for one in headings if one.new == step.number and not one.deleted]
    around = found[0].article.heading if found[0].article else None
    wanted = (
        [one for one in wanted if around is not None and one.above is around]
        or wanted
        or [one for one in headings if one.number == step.number]
    )
    if len(wanted) != 1:
        raise Refusal(f"it is not certain which {step} is meant", elsewhere=True)
    for article in articles_of(found):
        article.heading = wanted[0]
    return list(found)


def put_beside(tree: LawTree, found: Sequence[Located], beside: Located, *, after: bool) -> None:
    """Put articles after or before another one.

    Raises:
        Refusal: if something else than articles is moved.
    """
    articles = list(dict.fromkeys(articles_of(found)))
    other = beside.article
    if other is None or {one.level for one in (*found, beside)} != {"article"}:
        raise Refusal("only articles can be moved beside others", *articles)
    if other in articles:
        raise Refusal(f"{other.name} cannot stand beside itself", *articles)
    for one in articles:
        tree.articles.remove(one)
        one.heading, one.moved = other.heading, True
    at = tree.articles.index(other) + (1 if after else 0)
    tree.articles[at:at] = articles


def _only_paragraph(found: Located, number: int) -> Located:
    """…修改为“…”，作为第一款: what the article says so far is its paragraph of that number."""
    article = found.article
    assert article is not None
    live = article.body.live
    if len(live) != 1:
        raise Refusal(f"{article.name} has several paragraphs", article)
    live[0].new = number
    return found


def _within(tree: LawTree, found: Located, within: Sequence[Step], step: Step) -> Located:
    node, article = found.node, found.article
    assert node is not None and article is not None
    if within and within[0].provision not in (article.number, article.new):
        return _into_other_article(tree, found, within[0].provision, step.number)
    if node.new not in (None, step.number):
        raise Refusal(f"a part of {article.name} gets two numbers", article)
    node.new = step.number
    return found


def _as_paragraph(
    tree: LawTree, found: Located, number: ProvisionNumber, paragraph: int
) -> Located:
    """第三十九条改为第四十五条第一款: the article itself, if it begins the new one."""
    article = found.article
    assert article is not None
    taken = [one for one in tree.live if one.new == number and one is not article]
    if paragraph == 1 and not taken:
        if article.held and len(article.body.live) != 1:
            raise Refusal(f"{article.name} has several paragraphs", article)
        give_number(article, number)
        return found
    article.deleted, article.joins = True, (number, paragraph)
    return found


def _into_paragraphs(found: Located, numbers: Sequence[Reference]) -> list[Located]:
    """第四条改为第五条第一款、第二款: its paragraphs keep their places in the new article."""
    article = found.article
    assert article is not None
    wanted = [one.steps[-1].number for one in numbers]
    parents = {one.steps[-2] for one in numbers if len(one.inner) > 1}
    if len(parents) != 1 or wanted != list(range(1, len(article.body.live) + 1)):
        raise Refusal(f"the paragraphs of {article.name} do not fit", article)
    give_number(article, parents.pop().provision)
    return [found]


def _as_article(tree: LawTree, found: Located, number: ProvisionNumber) -> Located:
    """第二款改为第十九条: the paragraph becomes an article of its own."""
    article, node = found.article, found.node
    assert article is not None and node is not None
    if number == article.number and article.new in (None, number):
        give_number(article, number)
        article.sole = node
        return Located.of(article)
    node.deleted = True
    article.deleted = not article.body.live
    alone = Node(node.text, label=node.label, children=node.children, old=1, fresh=node.fresh)
    body = Node("", children=[alone])
    new = Article(None, body, article.heading, new=number, came_from=article)
    new.changes = list(article.changes)
    if article.number is not None:
        new.absorbed = (article.number,)
    tree.articles.insert(tree.articles.index(article) + 1, new)
    return Located.of(new)


def _into_other_article(
    tree: LawTree, found: Located, number: ProvisionNumber, paragraph: int
) -> Located:
    """第二款改为第三十一条第一款: the paragraph goes to the article that has that number."""
    article, node = found.article, found.node
    assert article is not None and node is not None
    if found.level != "paragraph":
        raise Refusal(f"a part of {article.name} moves to another article", article)
    into = next((one for one in tree.live if one.new == number), None)
    if into is None:
        into = Article(None, Node(""), article.heading, new=number, split_from=article)
        into.absorbed = (article.number,) if article.number else ()
        tree.articles.insert(tree.articles.index(article) + 1, into)
    node.deleted = True
    moved = Node(node.text, separator="\n", children=node.children, new=paragraph)
    into.body.children.append(moved)
    return Located("paragraph", into, moved, into.body)


def merge(found: Sequence[Located]) -> list[Located]:
    """Several articles or paragraphs become one, which stands where the first stood.

    The wordings of articles follow one another as paragraphs, unless new wording is given; that of
    a paragraph or an item has to be.
    """
    if len({id(one.node) for one in found}) < max(len(found), 2):
        raise Refusal("merging needs two parts", *articles_of(found))
    require_not_deleted(found)
    first, *rest = found
    siblings = all(one.parent is first.parent for one in rest)
    if first.level == "article":
        _merge_articles(articles_of(found))
    elif first.node is not None and first.level in ("paragraph", "item") and siblings:
        first.node.needs_wording = True
        for one in rest:
            assert one.node is not None
            one.node.deleted = True
    else:
        raise Refusal("these parts cannot be merged", *articles_of(found))
    return [first]


def _merge_articles(articles: Sequence[Article]) -> None:
    first, *rest = articles
    for one in rest:
        one.deleted = True
        children = one.body.live
        for child in children:
            child.separator, child.old = "\n", None
        first.body.children.extend(children)
        if one.number is not None:
            first.absorbed = (*first.absorbed, one.number)
        first.held = first.held and one.held


def split(
    tree: LawTree, found: Sequence[Located], count: int, unit: str, content: Quotation | None
) -> list[Located]:
    """One article or paragraph becomes several: by the wording given, or by its paragraphs."""
    if len(found) != 1:
        raise Refusal("one part is split at a time", *articles_of(found))
    require_not_deleted(found)
    one = found[0]
    if one.level == "article" and unit == "条":
        return _split_article(tree, one, count)
    if one.heading is not None and one.level == "heading" and unit == "节":
        return _with_sections(tree, one.heading, count)
    whole = one.node if one.level == "article" and unit in ("款", "段") else None
    if whole is not None and len(whole.live) == 1:
        one = Located("paragraph", one.article, whole.live[0], whole)
    if (one.level, unit) in (("paragraph", "款"), ("paragraph", "段"), ("item", "项")):
        return _split_paragraph(one, count, content)
    raise Refusal(f"this cannot be split into {unit}", *articles_of(found))


def _with_sections(tree: LawTree, heading: Heading, count: int) -> list[Located]:
    """第二章分为二节: which articles each has, and its name, is said by what follows."""
    if any(one.above is heading for one in tree.headings):
        raise Refusal(f"{heading.printed} has sections already", elsewhere=True)
    sections = [
        Heading("", unit="节", new=number, above=heading, inserted=True)
        for number in range(1, count + 1)
    ]
    tree.headings.extend(sections)
    return [Located("heading", heading=one) for one in sections]


def _split_article(tree: LawTree, found: Located, count: int) -> list[Located]:
    article = found.article
    assert article is not None
    pieces = article.body.live
    if len(pieces) != count:  # new wording has to follow; until then the rest is empty
        pieces = [*pieces[:count], *(Node("", old=1) for _ in range(count - len(pieces)))]
    new: list[Article] = []
    at = tree.articles.index(article)
    for piece in pieces[1:]:
        piece.separator, piece.old = "", 1
        body = Node("", children=[piece])
        one = Article(None, body, article.heading, pinned=new[-1] if new else article)
        if article.number is not None:
            one.absorbed = (article.number,)
        new.append(one)
    article.body.children = pieces[:1]
    tree.articles[at + 1 : at + 1] = new
    return [Located.of(one) for one in (article, *new)]


def _split_paragraph(found: Located, count: int, content: Quotation | None) -> list[Located]:
    node, parent, article = found.node, found.parent, found.article
    assert node is not None and parent is not None and article is not None
    label = node.label and "（）"
    extra = [Node("", label=label, separator="\n") for _ in range(count - 1)]
    at = parent.children.index(node)
    parent.children[at + 1 : at + 1] = extra
    siblings = [Located(found.level, article, one, parent) for one in (node, *extra)]
    if content is not None:
        given = len(parsed_lines(content.paragraphs))
        if found.level == "paragraph" and given != count:
            raise Refusal(f"{count} paragraphs are named, others are given", article)
        parts.restate_siblings(siblings, content)
    return siblings
