"""Finding in a law what a clause names: by the old numbers, from the context, never by likeness.

What cannot be found, or could be two things, is a `Refusal` with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from inforce.corpus.compile.clauses import Level, Numbering, Reference, Step, Target
from inforce.corpus.compile.lawtree import Article, Heading, LawTree, Node, Refusal
from inforce.corpus.compile.quotations import Quotation, Quoted, joined
from inforce.corpus.compile.wording import Span, folded
from inforce.law.numerals import ProvisionNumber

_SENTENCE = re.compile(r"[^。！？]*[。！？]”?|[^。！？]+$")
_PROVISO = re.compile(r"(?<=[，；。])但[^。；]*(?=[。；])")
_OPENING = re.compile(r"(?:收悉|答复|批复|复函|规定|通知)(?:如下)?[：:。]?$")


@dataclass(frozen=True, slots=True)
class Part:
    """An article that was found, or a part of one."""

    level: Level
    article: Article
    node: Node
    """The paragraph, item or sub-item; for an article its body."""
    parent: Node | None = None
    """What the node is a child of."""
    span: Span | None = None
    """For sentences: where in the node's own words."""

    @classmethod
    def whole(cls, article: Article) -> Part:
        """A whole article."""
        return cls("article", article, article.body)

    @property
    def paragraph(self) -> Part:
        """The paragraph it is, or that it is an item of."""
        if self.level == "paragraph" or self.parent is None:
            return self
        return Part("paragraph", self.article, self.parent, self.article.body)


@dataclass(frozen=True, slots=True)
class Outside:
    """What was found outside the articles: the law itself, its title, a heading, an annex."""

    level: Level
    heading: Heading | None = None
    name: str = ""
    """For annexes: which."""


Located = Part | Outside


@dataclass(slots=True)
class Context:
    """What the clauses before have referred to: what 该条, 其中 or a bare 第二款 mean."""

    located: Sequence[Located] = ()
    heading: Heading | None = None
    words: tuple[Quoted, ...] = ()
    """Words named by a clause that had no verb; the next one says what becomes of them."""
    run: list[Located] = field(default_factory=list[Located])
    """The parts that a run of clauses of one sentence only gave new numbers."""
    excepted: Sequence[Located] = ()
    """What the clause before said is not meant by the next (除第三条外)."""
    whole: bool = False
    """Whether the clause before was about words wherever the law has them."""

    @property
    def article(self) -> Article | None:
        """The article referred to last."""
        found = articles_of(self.located)
        return found[-1] if found else None

    @property
    def node(self) -> Part | None:
        """The paragraph or item referred to last."""
        parts = [part for part in self.located if isinstance(part, Part)]
        found = [part for part in parts if part.level in ("paragraph", "item")]
        return found[-1] if found else None


class Locator:
    """Finds what the clauses of one point name in one law."""

    def __init__(self, tree: LawTree) -> None:
        self.tree = tree
        self.context = Context()

    def find_all(self, targets: Sequence[Target]) -> list[Located]:
        """Everything that targets name; clauses after this one may refer to it.

        Raises:
            Refusal: as `find`, and if a part does not begin as the clause says it does.
        """
        found: list[Located] = []
        for target in targets:
            for reference in target.references:
                parts = self.find(reference)
                if not parts:
                    raise Refusal(f"nothing is left of {reference}")
                if reference.lead is not None:
                    require_words(parts[0], joined((reference.lead,)))
                found.extend(parts)
                heading = heading_of(parts[0])
                if isinstance(parts[0], Part) or heading is not None:
                    self.context.located = list(found)
                self.context.heading = heading or self.context.heading
        return found

    def articles_named(self, targets: Sequence[Target]) -> list[Article]:
        """The articles that targets of a refused clause name, as far as they can be found."""
        articles: list[Article] = []
        for target in targets:
            for reference in target.references:
                try:
                    articles += articles_of(self.find(reference))
                except Refusal as refusal:
                    articles += refusal.articles
        return articles or ([] if targets else articles_of(self.context.located))

    def find(self, reference: Reference) -> list[Located]:
        """Everything a reference names; a range names several.

        Raises:
            Refusal: if it is not there, was deleted, or could be more than one thing.
        """
        steps = reference.inner
        if not steps:
            return [Outside("law")]
        if steps[0].name == "其中" and len(self.context.run) > 1:
            run = list(self.context.run)  # 第五条改为第六条，第七条改为第八条，其中的“…”
            return [self._down(part, steps[1:]) for part in run]
        first = self._down(self._first(steps[0], reference.numbering), steps[1:])
        if reference.until is not None:
            last = self.find(replace(reference, steps=(*steps[:-1], reference.until), until=None))
            return self._range(first, last[0])
        return [first]

    def _down(self, found: Located, steps: Sequence[Step]) -> Located:
        for step in steps:
            found = self._below(found, step)
        return found

    def _first(self, step: Step, numbering: Numbering) -> Located:
        match step.level:
            case "article":
                return Part.whole(self.article(step.provision, numbering))
            case "heading name" if (heading := self.context.heading) is not None:
                return Outside("heading name", heading)
            case "heading" | "heading name":
                return self._heading(step)
            case "preamble" | "body":
                return self._whole(step)
            case "title" | "contents" | "annex":
                return Outside(step.level, name=step.name)
            case "this":
                return self._this(step)
            case _:
                return self._below(self._scope(step), step)

    def article(self, number: ProvisionNumber, numbering: Numbering = "") -> Article:
        """The article of an old number; failing that, the one the instrument gave the number."""
        articles = self.tree.articles
        renumbered = [
            article for article in articles if article.new == number and not article.deleted
        ]
        if numbering == "new" and renumbered:
            return renumbered[0]
        for article in articles:
            if article.number == number or _is_point(article.number, number, articles):
                if article.deleted:
                    raise Refusal(f"{number.chinese} was deleted before", article)
                return article
        if len(renumbered) == 1 and numbering != "old":
            return renumbered[0]
        raise Refusal(f"the law has no {number.chinese}")

    def _scope(self, step: Step) -> Part:
        """Where a reference that begins below the article belongs."""
        node, article = self.context.node, self.context.article
        if step.level in ("item", "subitem", "sentence", "lead") and node is not None:
            return node.paragraph if step.level == "item" else node
        if article is not None:
            return Part.whole(article)
        whole = [
            article
            for article in self.tree.live
            if article.number and article.number.kind == "whole"
        ]
        if whole:
            return Part.whole(whole[0])
        raise Refusal(f"it is not said which article {step} belongs to")

    def _this(self, step: Step) -> Located:
        found = self.context.located
        if not found:
            raise Refusal(f"{step.name} refers to nothing named before")
        unit = step.name[-1]
        if unit == "条":
            article = self.context.article
            if article is None:
                raise Refusal(f"{step.name} refers to no article named before")
            return Part.whole(article)
        if unit in "款段" and (node := self.context.node) is not None:
            return node.paragraph
        return found[-1]

    def _below(self, within: Located, step: Step) -> Located:
        heading = heading_of(within)
        if step.level == "heading":
            return self._heading(step, above=heading)
        if step.level == "crime":
            return replace(within, level="crime")
        if isinstance(within, Part):
            return self._in_article(within, step)
        if step.level == "article" and heading is not None:
            article = self.article(step.provision)
            if not article.is_under(heading):
                raise Refusal(f"{step} is not in {heading.printed}")
            return Part.whole(article)
        if step.level == "heading name":
            return replace(within, level="heading name")
        if within.level == "preamble":
            article = Article(ProvisionNumber("preamble"), Node(""), held=False)
            self.tree.articles.insert(0, article)
            reason = "the base text does not hold the introduction"
            raise Refusal(reason, article, unknown_text=True)
        raise Refusal(f"there is no {step} there")

    def _in_article(self, within: Part, step: Step) -> Part:
        article = within.article
        article.require_held()
        match step.level:
            case "paragraph":
                if article.number and article.number.kind == "whole":
                    return self._segment(article, step)
                return self._child(article, article.body, step)
            case "item":
                return self._item(within, step)
            case "subitem":
                return self._subitem(within, step)
            case "lead":
                return replace(self._lead(within), level="lead")
            case "sentence":
                return self._sentence(within, step)
            case _:
                raise Refusal(f"{step} cannot be found within {article.name}")

    def _child(self, article: Article, parent: Node, step: Step) -> Part:
        live = parent.live
        found = [node for node in live if node.old == step.number]
        found = found or [node for node in live if node.new == step.number]
        if not found and article.came_from is not None and parent is article.body:
            return self._child(article.came_from, article.came_from.body, step)
        if not found:
            count = sum(node.old is not None for node in live)
            raise Refusal(f"{article.name} has no {step} (it has {count})", article)
        return Part(step.level, article, found[0], parent)

    def _item(self, within: Part, step: Step) -> Part:
        article, node = within.article, within.node
        parents = [node] if within.level == "paragraph" else node.live
        if within.level == "item" and within.parent is not None:
            parents = [within.parent]
        items = [Part("item", article, item, parent) for parent in parents for item in parent.live]
        found = [item for item in items if item.node.old == step.number and item.node.label]
        found = found or [item for item in items if item.node.new == step.number]
        if not found:
            raise Refusal(f"{article.name} has no {step} there", article)
        if len(found) > 1:
            raise Refusal(f"several paragraphs of {article.name} have {step}", article)
        return found[0]

    def _subitem(self, within: Part, step: Step) -> Part:
        article = within.article
        found = [
            Part("subitem", article, child, parent)
            for parent in within.node.within()
            for child in parent.live
            if child.old == step.number
            and re.match(r"[0-9０-９(（①-⑳]", child.label)
            and not re.match(r"[（(][一二三四五六七八九十]", child.label)
        ]
        if len(found) != 1:
            raise Refusal(f"{article.name} has {'no' if not found else 'several'} {step}", article)
        return found[0]

    def _lead(self, within: Part) -> Part:
        if within.level == "paragraph":
            return within
        body = within.article.body
        if not body.live:
            raise Refusal(f"nothing is left of {within.article.name}", within.article)
        first = next((node for node in body.live if node.children), body.live[0])
        return Part("paragraph", within.article, first, body)

    def _segment(self, article: Article, step: Step) -> Part:
        """A paragraph of a text without articles, which may open with an address.

        第二段 counts the lines below the address; 正文 sometimes begins after 答复如下 as well, so
        that two lines could be meant: then it is refused.
        """
        body = [node for node in article.body.live if not _is_address(node.text.strip())]
        if not 1 <= step.number <= len(body):
            raise Refusal(f"the text has only {len(body)} paragraphs", article)
        node = body[step.number - 1]
        opening = bool(body) and _OPENING.search(body[0].text.strip()) is not None
        if opening and step.name == "正文段":
            reason = "it is not certain whether 正文 begins before or after the opening sentence"
            raise Refusal(reason, article)
        return Part("paragraph", article, node, article.body)

    def _sentence(self, within: Part, step: Step) -> Part:
        article, node = within.article, within.node
        if within.level == "article":
            if len(node.live) != 1:
                raise Refusal(f"it is not said which paragraph of {article.name}", article)
            node = node.live[0]
        spans = sentences(node.text)
        if step.name == "但书":
            found = list(_PROVISO.finditer(node.text))
            if len(found) != 1:
                raise Refusal(f"it is not certain where the proviso of {article.name} is", article)
            span = Span(*found[0].span())
            return Part("sentence", article, node, within.parent, span)
        count = abs(step.number)
        if not 1 <= count <= len(spans):
            raise Refusal(f"{article.name} has only {len(spans)} sentences there", article)
        if step.number < 0:
            chosen = spans[-count:]
        else:
            chosen = spans[:count] if step.name == "前" else spans[count - 1 : count]
        span = Span(chosen[0].start, chosen[-1].end)
        return Part("sentence", article, node, within.parent, span)

    def _whole(self, step: Step) -> Located:
        kind = "preamble" if step.level == "preamble" else "whole"
        for article in self.tree.live:
            if article.number and article.number.kind == kind:
                return Part.whole(article)
        if step.level == "body" and (context := self.context.article) is not None:
            return Part.whole(context)
        if step.level == "preamble":
            return Outside("preamble")
        raise Refusal("the text has articles; it is not certain what 正文 means")

    def _heading(self, step: Step, *, above: Heading | None = None) -> Located:
        headings = [heading for heading in self.tree.headings if not heading.deleted]
        unit = "、" if step.name == "部分" else step.name
        found = [
            heading
            for heading in headings
            if heading.unit == unit and heading.number == step.number
        ]
        if not step.number:
            found = [heading for heading in headings if folded(heading.name) == folded(step.name)]
        if above is not None:
            found = [part for part in found if part.above is above]
        elif len(found) > 1 and (near := self.context.heading) is not None:
            found = [part for part in found if part.above in (near, near.above)]
        if not found:
            held = "" if headings else "; the base text holds no headings"
            reason = f"the law has no {step}{held}"
            raise Refusal(reason, elsewhere=True, unknown_text=not headings)
        if len(found) > 1:
            raise Refusal(f"there are several {step}; it is not said which", elsewhere=True)
        return Outside("heading", found[0])

    def heading_printed(self, text: str) -> Heading | None:
        """The heading printed with these words, number included."""
        wanted = folded(text)
        found = [
            heading
            for heading in self.tree.headings
            if not heading.deleted and wanted in (folded(heading.printed), folded(heading.name))
        ]
        return found[0] if len(found) == 1 else None

    def _range(self, first: Located, last: Located) -> list[Located]:
        if not (isinstance(first, Part) and isinstance(last, Part)):
            raise Refusal("a range from one part to another of another kind")
        if first.level == "article":
            articles = self.tree.articles
            start, end = articles.index(first.article), articles.index(last.article)
            between = [
                article
                for article in articles[start : end + 1]
                if article.number and not article.deleted
            ]
            return [Part.whole(node) for node in between]
        if first.parent is None or last.parent is not first.parent:
            raise Refusal("a range from one part to another of another kind")
        siblings = first.parent.live
        start, end = siblings.index(first.node), siblings.index(last.node)
        nodes = [node for node in siblings[start : end + 1] if node.old is not None]
        return [replace(first, node=node) for node in nodes]


def heading_of(found: Located) -> Heading | None:
    """The heading that was found, if it is one."""
    return found.heading if isinstance(found, Outside) else None


def articles_of(found: Iterable[Located]) -> list[Article]:
    """The articles that were found, or of which parts were."""
    return [part.article for part in found if isinstance(part, Part)]


def require_not_deleted(found: Iterable[Located]) -> None:
    """Raise a `Refusal` if a part was deleted by a clause before."""
    for part in found:
        if not isinstance(part, Part) or part.article.joins is not None:
            continue
        if part.article.deleted or part.node.deleted:
            raise Refusal(f"{part.article.name} was deleted before", part.article)


def require_words(found: Located, words: Quotation) -> None:
    """Raise a `Refusal` unless a part has the words with which it begins as the instrument says.

    第六十二条“…行使下列职权”中, 第三章“国家机构”中.
    """
    if isinstance(found, Part):
        if folded(words.text) not in folded(found.article.text):
            reason = f"{found.article.name} does not have the words “{words.text[:30]}”"
            raise Refusal(reason, found.article)
    elif found.heading is None:
        raise Refusal(f"the {found.level} of a law is not held as text here")
    elif words.text not in found.heading.printed:
        raise Refusal(f"the heading is “{found.heading.printed}”", elsewhere=True)


def sentences(text: str) -> list[Span]:
    """Where the sentences of a paragraph are."""
    return [Span(*match.span()) for match in _SENTENCE.finditer(text)]


def _is_point(
    held: ProvisionNumber | None, wanted: ProvisionNumber, articles: Sequence[Article]
) -> bool:
    """A text numbered 一、二、 has points where an instrument says 第一条."""
    if held is None or held.kind != "point" or held.main != wanted.main or wanted.branch:
        return False
    return not any(article.number and article.number.kind == "article" for article in articles)


def _is_address(text: str) -> bool:
    """Whether a line only says to whom a reply is addressed."""
    return text.endswith(("：", ":")) and len(text) < 40 and not _OPENING.search(text)
