"""New numbers, merging and splitting: what keeps its wording and gets another place."""

from __future__ import annotations

from collections.abc import Sequence

from inforce.corpus.compile import parts
from inforce.corpus.compile.clauses import Reference, Step
from inforce.corpus.compile.lawtree import Article, Heading, LawTree, Node, Refusal, parsed_lines
from inforce.corpus.compile.locating import Located, Outside, Part, articles_of, require_not_deleted
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
    steps = [(reference, step) for reference in numbers for step in reference.last_steps]
    new_levels = {step.level for _, step in steps}
    if new_levels == {"heading"} and {part.level for part in found} == {"article"}:
        return _under_heading(tree, found, steps[0][1])
    levels = {part.level for part in found} | new_levels
    if len(found) == 1 and len(steps) > 1 and isinstance(found[0], Part):
        if levels in ({"paragraph"}, {"item"}):
            found = _split_paragraph(found[0], len(steps), None)
        elif levels == {"article"}:
            found = _split_article(tree, found[0].article, len(steps))
        elif found[0].level == "article":
            return [_into_paragraphs(found[0], [step for step, _ in steps])]
    elif len(steps) == 1 and len(found) > 1 and levels == {"article"}:
        found = merge(found)
    if len(found) != len(steps):
        raise Refusal(f"{len(found)} parts get {len(steps)} numbers", *articles_of(found))
    return [
        _renumber(tree, part, reference, step)
        for part, (reference, step) in zip(found, steps, strict=True)
    ]


def _renumber(tree: LawTree, found: Located, reference: Reference, step: Step) -> Located:
    within = [step.provision for step in reference.inner[:-1] if step.level == "article"]
    match found, step.level:
        case Part(level="article"), "article":
            give_number(found.article, step.provision)
        case Part(level="article"), "paragraph":
            if within:
                _as_paragraph(tree, found.article, within[0], step.number)
            else:
                _only_paragraph(found.article, step.number)
        case Part(level="paragraph"), "article":
            return _as_article(tree, found, step.provision)
        case Part(level="paragraph" | "item" | "subitem"), level if level == found.level:
            if within and within[0] not in (found.article.number, found.article.new):
                return _into_other_article(tree, found, within[0], step.number)
            if found.node.new not in (None, step.number):
                reason = f"a part of {found.article.name} gets two numbers"
                raise Refusal(reason, found.article)
            found.node.new = step.number
        case Outside(level="heading", heading=Heading() as heading), "heading":
            heading.new = step.number
        case _:
            raise Refusal(f"a {found.level} cannot become {step}", *articles_of([found]))
    return found


def _under_heading(tree: LawTree, found: Sequence[Located], step: Step) -> list[Located]:
    """第八条至第十条作为第三章: the chapter they are in from now on."""
    articles = articles_of(found)
    headings = [heading for heading in tree.headings if heading.unit == step.name]
    wanted = [heading for heading in headings if heading.new == step.number and not heading.deleted]
    around = articles[0].heading
    wanted = (
        [heading for heading in wanted if around is not None and heading.above is around]
        or wanted
        or [heading for heading in headings if heading.number == step.number]
    )
    if len(wanted) != 1:
        raise Refusal(f"it is not certain which {step} is meant", elsewhere=True)
    for article in articles:
        article.heading = wanted[0]
    return list(found)


def put_beside(tree: LawTree, found: Sequence[Located], beside: Located, *, after: bool) -> None:
    """Put articles after or before another one.

    Raises:
        Refusal: if something else than articles is moved.
    """
    articles = list(dict.fromkeys(articles_of(found)))
    if {part.level for part in (*found, beside)} != {"article"}:
        raise Refusal("only articles can be moved beside others", *articles)
    [other] = articles_of([beside])
    if other in articles:
        raise Refusal(f"{other.name} cannot stand beside itself", *articles)
    for article in articles:
        tree.articles.remove(article)
        article.heading, article.moved = other.heading, True
    at = tree.articles.index(other) + (1 if after else 0)
    tree.articles[at:at] = articles


def _only_paragraph(article: Article, number: int) -> None:
    """…修改为“…”，作为第一款: what the article says so far is its paragraph of that number."""
    if len(article.body.live) != 1:
        raise Refusal(f"{article.name} has several paragraphs", article)
    article.body.live[0].new = number


def _as_paragraph(tree: LawTree, article: Article, number: ProvisionNumber, paragraph: int) -> None:
    """第三十九条改为第四十五条第一款: the article itself, if it begins the new one."""
    taken = [other for other in tree.live if other.new == number and other is not article]
    if paragraph == 1 and not taken:
        if article.held and len(article.body.live) != 1:
            raise Refusal(f"{article.name} has several paragraphs", article)
        give_number(article, number)
    else:
        article.deleted, article.joins = True, (number, paragraph)


def _into_paragraphs(found: Part, numbers: Sequence[Reference]) -> Part:
    """第四条改为第五条第一款、第二款: its paragraphs keep their places in the new article."""
    article = found.article
    wanted = [reference.steps[-1].number for reference in numbers]
    parents = {reference.steps[-2] for reference in numbers if len(reference.inner) > 1}
    if len(parents) != 1 or wanted != list(range(1, len(article.body.live) + 1)):
        raise Refusal(f"the paragraphs of {article.name} do not fit", article)
    give_number(article, parents.pop().provision)
    return found


def _as_article(tree: LawTree, found: Part, number: ProvisionNumber) -> Part:
    """第二款改为第十九条: the paragraph becomes an article of its own."""
    article, node = found.article, found.node
    if number == article.number and article.new in (None, number):
        give_number(article, number)
        article.sole = node
        return Part.whole(article)
    node.deleted = True
    article.deleted = not article.body.live
    alone = Node(node.text, label=node.label, children=node.children, old=1, fresh=node.fresh)
    body = Node("", children=[alone])
    new = Article(None, body, article.heading, new=number, came_from=article)
    new.changes, new.doubts = list(article.changes), list(article.doubts)
    if article.number is not None:
        new.absorbed = (article.number,)
    tree.articles.insert(tree.articles.index(article) + 1, new)
    return Part.whole(new)


def _into_other_article(
    tree: LawTree, found: Part, number: ProvisionNumber, paragraph: int
) -> Part:
    """第二款改为第三十一条第一款: the paragraph goes to the article that has that number."""
    article, node = found.article, found.node
    if found.level != "paragraph":
        raise Refusal(f"a part of {article.name} moves to another article", article)
    into = next((article for article in tree.live if article.new == number), None)
    if into is None:
        into = Article(None, Node(""), article.heading, new=number, split_from=article)
        into.absorbed = (article.number,) if article.number else ()
        tree.articles.insert(tree.articles.index(article) + 1, into)
    into.doubts += article.doubts
    node.deleted = True
    moved = Node(node.text, separator="\n", children=node.children, new=paragraph)
    into.body.children.append(moved)
    return Part("paragraph", into, moved, into.body)


def merge(found: Sequence[Located]) -> list[Located]:
    """Several articles or paragraphs become one, which stands where the first stood.

    The wordings of articles follow one another as paragraphs, unless new wording is given; that of
    a paragraph or an item has to be.
    """
    merged = [part for part in found if isinstance(part, Part)]
    if len({id(part.node) for part in merged}) < max(len(found), 2):
        raise Refusal("merging needs two parts", *articles_of(found))
    require_not_deleted(found)
    first, *rest = merged
    if first.level == "article":
        _merge_articles(articles_of(found))
    elif first.level in ("paragraph", "item") and all(
        other.parent is first.parent for other in rest
    ):
        first.node.needs_wording = True
        for other in rest:
            other.node.deleted = True
    else:
        raise Refusal("these parts cannot be merged", *articles_of(found))
    return [first]


def _merge_articles(articles: Sequence[Article]) -> None:
    first, *rest = articles
    for other in rest:
        other.deleted = True
        children = other.body.live
        for child in children:
            child.separator, child.old = "\n", None
        first.body.children.extend(children)
        if other.number is not None:
            first.absorbed = (*first.absorbed, other.number)
        first.held = first.held and other.held
        first.doubts += other.doubts


def split(
    tree: LawTree, found: Sequence[Located], count: int, unit: str, content: Quotation | None
) -> Sequence[Located]:
    """One article or paragraph becomes several: by the wording given, or by its paragraphs."""
    if len(found) != 1:
        raise Refusal("one part is split at a time", *articles_of(found))
    require_not_deleted(found)
    match found[0], unit:
        case Part(level="article", article=article), "条":
            return _split_article(tree, article, count)
        case Part(level="article", node=body) as part, "款" | "段" if len(body.live) == 1:
            paragraph = Part("paragraph", part.article, body.live[0], body)
            return _split_paragraph(paragraph, count, content)
        case (Part(level="paragraph") as part, "款" | "段") | (Part(level="item") as part, "项"):
            return _split_paragraph(part, count, content)
        case Outside(level="heading", heading=Heading() as heading), "节":
            return _with_sections(tree, heading, count)
        case _:
            raise Refusal(f"this cannot be split into {unit}", *articles_of(found))


def _with_sections(tree: LawTree, heading: Heading, count: int) -> list[Outside]:
    """第二章分为二节: which articles each has, and its name, is said by what follows."""
    if any(other.above is heading for other in tree.headings):
        raise Refusal(f"{heading.printed} has sections already", elsewhere=True)
    sections = [
        Heading("", unit="节", new=number, above=heading, inserted=True)
        for number in range(1, count + 1)
    ]
    tree.headings.extend(sections)
    return [Outside("heading", heading) for heading in sections]


def _split_article(tree: LawTree, article: Article, count: int) -> list[Part]:
    pieces = article.body.live
    if len(pieces) != count:  # new wording has to follow
        pieces = [*pieces[:count], *(Node("", old=1) for _ in range(count - len(pieces)))]
        for piece in pieces:
            piece.needs_wording = True
    new: list[Article] = []
    at = tree.articles.index(article)
    for piece in pieces[1:]:
        piece.separator, piece.old = "", 1
        body = Node("", children=[piece])
        added = Article(None, body, article.heading, pinned=new[-1] if new else article)
        added.doubts = list(article.doubts)
        if article.number is not None:
            added.absorbed = (article.number,)
        new.append(added)
    article.body.children = pieces[:1]
    tree.articles[at + 1 : at + 1] = new
    return [Part.whole(each) for each in (article, *new)]


def _split_paragraph(found: Part, count: int, content: Quotation | None) -> list[Part]:
    node, parent, article = found.node, found.parent, found.article
    assert parent is not None
    extra = [Node("", label=node.label and "（）", separator="\n") for _ in range(count - 1)]
    at = parent.children.index(node)
    parent.children[at + 1 : at + 1] = extra
    siblings = [Part(found.level, article, each, parent) for each in (node, *extra)]
    if content is not None:
        given = len(parsed_lines(content.paragraphs))
        if found.level == "paragraph" and given != count:
            raise Refusal(f"{count} paragraphs are named, others are given", article)
        parts.restate_siblings(siblings, content)
    return siblings
