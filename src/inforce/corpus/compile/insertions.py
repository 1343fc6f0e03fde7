"""Insertions: articles, headings, paragraphs, items and sentences (增加一条, 增加二款, 增加一节).

An instrument gives place, number and wording of what it adds in one clause or in three; an
`Insertion` collects them until the next clause refers to something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inforce.corpus.compile import parts, words
from inforce.corpus.compile.clauses import Clause, Level, Place, Reference, Step, Target
from inforce.corpus.compile.lawtree import (
    Article,
    Heading,
    LawTree,
    Node,
    Refusal,
    heading_from,
    is_heading,
    parsed_lines,
    without_number,
)
from inforce.corpus.compile.locating import (
    Context,
    Located,
    Locator,
    Outside,
    Part,
    articles_of,
    heading_of,
    require_words,
    sentences,
)
from inforce.corpus.compile.quotations import Quotation, joined
from inforce.corpus.compile.wording import with_stop
from inforce.law.numerals import ProvisionNumber

_LEVELS: dict[str, Level] = {
    "条": "article",
    "款": "paragraph",
    "自然段": "paragraph",
    "段": "paragraph",
    "项": "item",
    "目": "subitem",
    "章": "heading",
    "节": "heading",
    "编": "heading",
    "句": "sentence",
}
_UNITS: dict[str, str] = {"article": "条", "paragraph": "款", "item": "项", "subitem": "目"}
_RANKS = ("编", "分编", "章", "节")


@dataclass(slots=True)
class Insertion:
    """Units that an instrument announces, and what it says of them."""

    level: Level
    unit: str
    count: int
    text: str
    """The clause that announces them."""
    anchor: Located | None = None
    """Beside or within what they are inserted."""
    place: Place = ""
    words: Quotation | None = None
    """Words beside which a sentence is inserted."""
    numbers: tuple[Reference, ...] = ()
    content: Quotation | None = None
    is_placed: bool = False
    """Whether the clause itself names the part they are added to."""

    @property
    def is_complete(self) -> bool:
        """Whether number and wording were given."""
        return bool(self.numbers) and self.content is not None

    @property
    def steps(self) -> list[Step]:
        """The number of each unit, as far as numbers were given."""
        return [step for reference in self.numbers for step in reference.last_steps]

    @property
    def article(self) -> Article | None:
        """The article beside or within which they are inserted."""
        return self.anchor.article if isinstance(self.anchor, Part) else None

    @property
    def heading(self) -> Heading | None:
        """The heading beside or under which they are inserted."""
        return heading_of(self.anchor) if self.anchor else None

    def is_restated_by(self, clause: Clause) -> bool:
        """增加一款作为第二款，将该条修改为: whether a restatement holds what is added."""
        if self.content is not None or self.level == "article":
            return False
        levels = [reference.steps[-1].level for reference in clause.references]
        restates = clause.verb == "become" and bool(clause.content)
        return restates and levels in (["this"], ["article"])


def announced(clause: Clause, locator: Locator) -> Insertion:
    """What a clause announces, and where.

    Raises:
        Refusal: if the place cannot be found, or nothing like it can be inserted.
    """
    level, unit, count = _unit(clause)
    found = Insertion(level, unit, count, clause.text)
    if clause.targets:
        _place(found, clause.targets[-1], locator)
    found.is_placed = found.anchor is not None
    elsewhere = level == "paragraph" and locator.context.article is None
    if found.anchor is None and level not in ("article", "heading") and not elsewhere:
        found.anchor = _anchor_from_context(locator.context, level)
    return found


def _unit(clause: Clause) -> tuple[Level, str, int]:
    if clause.unit:
        if clause.unit not in _LEVELS:
            raise Refusal(f"no {clause.unit} can be added here")
        return _LEVELS[clause.unit], clause.unit, clause.count
    step = clause.numbers[-1].steps[-1]
    return step.level, _UNITS.get(step.level, step.name), len(clause.numbers)


def _place(insertion: Insertion, target: Target, locator: Locator) -> None:
    insertion.place = target.place
    if target.references:
        found = locator.find_all([target])
        insertion.anchor = found[-1] if found[-1].level != "law" else None
        if target.place == "between":
            insertion.anchor, insertion.place = found[0], "after"
    beside = joined(target.words[0]) if target.words else None
    anchor = insertion.anchor
    own = not insertion.place and insertion.level != "sentence"
    if beside is not None and anchor is not None and own:  # 第三章“国家机构”中
        require_words(anchor, beside)
    else:
        insertion.words = beside


def _anchor_from_context(context: Context, level: Level) -> Part:
    """Where a paragraph or an item belongs when it is not said."""
    article, node = context.article, context.node
    if article is None:
        raise Refusal("it is not said which article it is added to")
    if level == "paragraph" or node is None:
        return Part.whole(article)
    if level == "item" and node.level == "item":
        return node.paragraph
    return Part.whole(article) if node.node.deleted else node


def insert(locator: Locator, insertion: Insertion) -> Sequence[Located]:
    """Insert what was announced.

    Raises:
        Refusal: if its wording is missing, or does not fit the numbers given.
    """
    content = insertion.content
    if insertion.level == "heading":
        lines = list(content.paragraphs) if content else []
        return _insert_heading(locator.tree, locator.context, insertion, lines)
    if content is None:
        raise Refusal("its wording is not given", *articles_of(filter(None, [insertion.anchor])))
    if insertion.level == "article":
        return _insert_articles(locator.tree, locator.context, insertion, content)
    if insertion.level == "paragraph":
        return _insert_paragraphs(locator.tree, insertion, content)
    anchor = insertion.anchor
    if not isinstance(anchor, Part) or insertion.level not in ("item", "subitem", "sentence"):
        raise Refusal(f"no {insertion.unit} can be added here")
    anchor.article.require_held()
    if insertion.level == "sentence":
        _insert_sentence(insertion, anchor, content)
        return [anchor]
    return _insert_items(insertion, anchor, content)


# Articles and headings ---------------------------------------------------------------------------


def _insert_articles(
    tree: LawTree, context: Context, insertion: Insertion, content: Quotation
) -> list[Part]:
    numbers = _article_numbers(insertion)
    lines = list(content.paragraphs)
    heading = _heading_for(tree, context, insertion, lines)
    sections = _sections(lines, heading)
    under = [heading for heading, text in sections for line in text if without_number(line)[0]]
    lines = [line for _, text in sections for line in text]
    texts = _texts_of_articles(lines, insertion.count, numbers)
    tree.headings.extend(new for new, _ in sections if new is not None and new is not heading)
    anchor, before = insertion.article, insertion.place == "before"
    articles: list[Article] = []
    for index, (number, text) in enumerate(texts):
        heading = under[index] if index < len(under) else heading
        article = Article(None, Node(""), heading, new=number)
        parts.restate_article(article, text, stop=content.stop)
        if anchor is not None:
            article.pinned = articles[-1] if articles else anchor
            article.pinned_before = before and index == 0
            article.heading = heading or anchor.heading
        articles.append(article)
    at = len(tree.articles)
    if anchor is not None:
        at = tree.articles.index(anchor) + (0 if before else 1)
        while not before and at < len(tree.articles) and tree.articles[at].pinned is not None:
            at += 1
    tree.articles[at:at] = articles
    return [Part.whole(article) for article in articles]


def _article_numbers(insertion: Insertion) -> list[ProvisionNumber]:
    if any(step.level != "article" for step in insertion.steps):
        raise Refusal(f"{insertion.count} articles get numbers of another kind")
    numbers = [step.provision for step in insertion.steps]
    if numbers and len(numbers) != insertion.count:
        raise Refusal(f"{insertion.count} articles are added, but {len(numbers)} numbers given")
    return numbers


def _texts_of_articles(
    lines: list[str], count: int, numbers: Sequence[ProvisionNumber]
) -> list[tuple[ProvisionNumber | None, list[str]]]:
    """The wording of each new article, by the numbers printed in it or one a paragraph."""
    printed = parts.numbered_articles(lines)
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
    tree: LawTree, context: Context, insertion: Insertion, lines: list[str]
) -> Heading | None:
    """The heading new articles belong to: printed above them, or the one they are added to."""
    near = context.heading
    if lines and is_heading(lines[0]):
        printed = heading_from(lines.pop(0))
        if near is not None and near.inserted and near.unit == printed.unit:
            if near.name and near.name != printed.name:
                raise Refusal(f"the heading is “{near.name}” and “{printed.name}”")
            near.name = near.name or printed.name
            return near
        printed.inserted, printed.new = True, printed.number
        printed.above = near
        tree.headings.append(printed)
        return printed
    if insertion.heading is not None:
        return insertion.heading
    if insertion.anchor is None and near is not None and near.inserted:
        return near
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
        printed.above = _above(found[-1][0], printed.unit)
        found.append((printed, []))
    return found


def _above(heading: Heading | None, unit: str) -> Heading | None:
    """The first of a heading and those above it that a 章 or 节 can be under."""
    while heading is not None and _rank(heading.unit) >= _rank(unit):
        heading = heading.above
    return heading


def _rank(unit: str) -> int:
    return _RANKS.index(unit) if unit in _RANKS else len(_RANKS)


def _insert_heading(
    tree: LawTree, context: Context, insertion: Insertion, lines: Sequence[str]
) -> list[Located]:
    """增加一节，作为第七节“监察委员会”: a heading, and what of its articles is printed with it."""
    given = insertion.steps[0].number if insertion.steps else 0
    printed = heading_from(lines[0]) if lines else None
    if printed is not None and printed.number and insertion.steps and given != printed.number:
        raise Refusal(f"the new heading is printed as “{lines[0]}”")
    heading = Heading(
        printed.name if printed else "",
        unit=insertion.unit,
        new=(given if insertion.steps else printed.number if printed else 0) or None,
        above=_above_new_heading(tree, context, insertion),
        inserted=True,
    )
    tree.headings.append(heading)
    context.heading = heading
    located: list[Located] = [Outside("heading", heading)]
    for under, text in _sections(lines[1:], heading):
        if under is not None and under is not heading:
            tree.headings.append(under)
        articles = parts.numbered_articles(text)
        if text and not articles:
            raise Refusal("the wording under the new heading has no article numbers")
        for number, paragraphs in articles:
            article = Article(None, Node(""), under, new=number)
            parts.restate_article(article, paragraphs)
            tree.articles.append(article)
            located.append(Part.whole(article))
    first = insertion.article
    if len(located) == 1 and first is not None and insertion.place == "before":
        around = first.heading  # 在第八条前增加一章: the rest of the chapter it was in
        for article in tree.articles[tree.articles.index(first) :]:
            if article.heading is around and article.number is not None:
                article.heading = heading
    return located


def _above_new_heading(tree: LawTree, context: Context, insertion: Insertion) -> Heading | None:
    """The heading a new one is under: named with its number (第五编第一章), or referred to."""
    named = insertion.numbers[0].inner[:-1] if insertion.numbers else ()
    if named and named[-1].level == "heading":
        step = named[-1]
        for heading in tree.headings:
            if heading.unit == step.name and step.number in (heading.new, heading.number):
                return heading
        raise Refusal(f"the law has no {step}", elsewhere=True)
    return _above(insertion.heading if insertion.anchor else context.heading, insertion.unit)


# Paragraphs, items, sentences ---------------------------------------------------------------------


def _insert_paragraphs(tree: LawTree, insertion: Insertion, content: Quotation) -> list[Part]:
    anchor = _home(tree, insertion)
    article = anchor.article
    article.require_held()
    parts.require_no_heading(content.paragraphs, article)
    nodes = parsed_lines(content.paragraphs)
    numbers = _small_numbers(insertion)
    if len(nodes) != insertion.count:
        raise Refusal(
            f"{insertion.count} paragraphs are added, but {len(nodes)} are given", article
        )
    for node in nodes:
        node.last.text = with_stop(node.last.text, "。")
    _put(article.body, nodes, numbers, insertion, anchor)
    return [Part("paragraph", article, node, article.body) for node in nodes]


def _home(tree: LawTree, insertion: Insertion) -> Part:
    """The article that new paragraphs are added to, which may only be known by its new number."""
    anchor, said = insertion.anchor, _article_said(insertion)
    if isinstance(anchor, Part):
        article = anchor.article
        if said in (None, article.number, article.new):
            return anchor
        if insertion.is_placed and article.new is not None:
            raise Refusal(f"{article.name} gets two numbers", article)
        if insertion.is_placed:
            article.new = said  # 第三条增加一款，作为第四条第二款
            return anchor
    if said is None:
        raise Refusal("it is not said which article it is added to")
    loose = Article(None, Node(""), new=said, loose=True)
    tree.articles.append(loose)
    return Part.whole(loose)


def _article_said(insertion: Insertion) -> ProvisionNumber | None:
    """The article in 作为第四条第二款, which is a number of the new text."""
    found = {step for reference in insertion.numbers for step in reference.inner[:-1]}
    articles = {step.provision for step in found if step.level == "article"}
    if len(articles) > 1:
        raise Refusal("paragraphs for several articles are added together")
    return next(iter(articles), None)


def _insert_items(insertion: Insertion, anchor: Part, content: Quotation) -> list[Part]:
    article = anchor.article
    parent = anchor.parent if anchor.level == insertion.level else _list_in(anchor)
    assert parent is not None
    nodes = parts.item_nodes(content.paragraphs, insertion.count)
    if len(nodes) != insertion.count:
        raise Refusal(f"{insertion.count} items are added, but {len(nodes)} are given", article)
    numbers = _small_numbers(insertion)
    if (said := _article_said(insertion)) not in (None, article.number, article.new):
        raise Refusal(f"it is not certain whether {article.name} or {said} is meant", article)
    siblings = [item for item in parent.live if item.label]
    for node in nodes:
        node.separator = siblings[-1].separator if siblings else "\n"
        if siblings and node.label == "（）":
            node.label = siblings[-1].label
    _put(parent, nodes, numbers, insertion, anchor)
    return [Part(insertion.level, article, node, parent) for node in nodes]


def _list_in(anchor: Part) -> Node:
    """The paragraph whose list an item is added to."""
    article, node = anchor.article, anchor.node
    if anchor.level != "article":
        return node
    lists = [part for part in node.live if any(child.label for child in part.live)]
    if len(lists) == 1:
        return lists[0]
    if not lists and len(node.live) == 1:
        return node.live[0]
    raise Refusal(f"it is not said which paragraph of {article.name} has the items", article)


def _put(
    parent: Node,
    nodes: Sequence[Node],
    numbers: Sequence[int],
    insertion: Insertion,
    anchor: Part,
) -> None:
    """Put new parts beside the part named, or at the end; with the numbers given, if any."""
    for node, number in zip(nodes, numbers, strict=False):
        node.new = number
    at = len(parent.children)
    if anchor.level == insertion.level and insertion.place:
        at = parent.children.index(anchor.node) + (0 if insertion.place == "before" else 1)
    parent.children[at:at] = nodes


def _small_numbers(insertion: Insertion) -> list[int]:
    steps = insertion.steps
    around = articles_of(filter(None, [insertion.anchor]))
    if any(step.level != insertion.level for step in steps):
        raise Refusal("the numbers given are of another kind", *around)
    if steps and len(steps) != insertion.count:
        raise Refusal(f"{insertion.count} are added, but {len(steps)} numbers given", *around)
    return [step.number for step in steps]


def _insert_sentence(insertion: Insertion, anchor: Part, content: Quotation) -> None:
    beside = insertion.place in ("after", "before")
    if insertion.words is not None and beside:
        words.add_beside(anchor, insertion.words, content, Target(place=insertion.place))
    elif anchor.level == "sentence" and beside:
        words.add_sentence(anchor, content, after=insertion.place == "after")
    elif insertion.numbers:
        _insert_numbered_sentence(insertion, anchor, content)
    else:
        words.add_at_edge(anchor, content, at_end=insertion.place != "start")


def _insert_numbered_sentence(insertion: Insertion, anchor: Part, content: Quotation) -> None:
    """增加一句，作为第二句: before the sentence that was the second, or at the end."""
    numbers = _small_numbers(insertion)
    article, node = anchor.article, anchor.node
    if anchor.level == "article" and len(node.live) == 1:
        node = node.live[0]
    if anchor.level == "sentence" or (anchor.level == "article" and node.live):
        raise Refusal(f"it is not said which paragraph of {article.name}", article)
    spans = sentences(node.text)
    first = numbers[0]
    if numbers != list(range(first, first + len(numbers))) or not 1 <= first <= len(spans) + 1:
        raise Refusal(f"{article.name} has {len(spans)} sentences there", article)
    if first == len(spans) + 1:
        words.add_at_edge(anchor, content, at_end=True)
        return
    here = Part("sentence", article, node, span=spans[first - 1])
    words.add_sentence(here, content, after=False)
