"""The text of one law as a tree that instruments edit: articles, 款, 项, 目, headings.

Every node remembers its number in the text as it was before the instrument (`Node.old`), because
instruments name what they change by the old numbers, whatever they have done before; and the number
an instruction gave it (`Node.new`), because those are the numbers of the text that results.
`inforce.corpus.compile.numbering` settles the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import lru_cache
from os.path import commonprefix

from inforce.corpus.compile.wording import NUMERAL, Span, find_words
from inforce.errors import IdentifierError
from inforce.law.model import Provision, VersionText
from inforce.law.numerals import ProvisionNumber, format_numeral, parse_numeral
from inforce.law.portions import paragraphs

_ITEM = re.compile(r"[（(](?P<number>[一二三四五六七八九十百零]{1,6})[）)][ \u3000]*")
_SUBITEM = re.compile(r"(?:[0-9０-９]{1,3}[.．、]|[（(][0-9０-９]{1,3}[）)]|[①-⑳])[ \u3000]*")
_LISTED = re.compile(r"([一二三四五六七八九十]{1,3})、([^。；：，]{1,40})")
_HEADING = re.compile(rf"第({NUMERAL})(编|分编|章|节)[ \u3000]*([^。；：]{{0,60}})")
_NUMBERED_ARTICLE = re.compile(rf"第({NUMERAL})条(?:之({NUMERAL}))?[ \u3000\t]+")


class Refusal(ValueError):
    """Why an instruction, or a part of one, is not applied."""

    def __init__(
        self,
        reason: str,
        *articles: Article,
        unknown_text: bool = False,
        elsewhere: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.articles = articles
        """The articles whose text or existence is uncertain because of it."""
        self.unknown_text = unknown_text
        """Whether the reason is only that the base text lacks the article."""
        self.elsewhere = elsewhere
        """Whether it is about a heading, the title or an annex, so that no article is uncertain."""


@dataclass(eq=False, slots=True)
class Node:
    """A paragraph (款), an item (项) or a sub-item (目) with its own words and what is below it."""

    text: str
    """Its own words: without its number, and without what is below it."""
    _: KW_ONLY
    label: str = ""
    """Its number as printed: ``（一）``, ``1.``; paragraphs have none."""
    separator: str = ""
    """What is between it and what comes before: a line break, or nothing."""
    children: list[Node] = field(default_factory=list["Node"])
    old: int | None = None
    """Its number among its siblings before the instrument; ``None`` if the instrument adds it."""
    new: int | None = None
    """The number an instruction gave it."""
    deleted: bool = False
    fresh: bool = False
    """Whether its words come from the instrument that is being applied."""
    needs_wording: bool = False
    """Whether others were merged into it, or it was split: how it reads has to be said."""
    inserted: tuple[Span, ...] = ()
    """The stretches of its own words that the instrument put among those of the old text."""

    def reword(self, text: str) -> None:
        """Change its own words, and remember which of them are not those of the old text."""
        start = len(commonprefix([self.text, text]))
        same = len(commonprefix([self.text[start:][::-1], text[start:][::-1]]))
        stop, longer = len(self.text) - same, len(text) - len(self.text)
        before = (Span(one.start, min(one.end, start)) for one in self.inserted)
        after = (Span(max(one.start, stop) + longer, one.end + longer) for one in self.inserted)
        spans = (*before, Span(start, stop + longer), *after)
        self.inserted = tuple(one for one in spans if one.start < one.end)
        self.text = text

    def find_old(self, words: str) -> list[Span]:
        """Where its own words have ``words``, but not within what the instrument put there."""
        return [
            span
            for span in find_words(words, self.text)
            if not any(new.start <= span.start and span.end <= new.end for new in self.inserted)
        ]

    @property
    def live(self) -> list[Node]:
        """What is below it and was not deleted."""
        return [child for child in self.children if not child.deleted]

    def full(self) -> str:
        """Its number, its words and what is below it, as printed."""
        parts = [self.label, self.text]
        for child in self.live:
            parts += [child.separator, child.full()]
        return "".join(parts)

    def within(self) -> Iterator[Node]:
        """It and everything below it that was not deleted, in the order of print."""
        yield self
        for child in self.live:
            yield from child.within()

    @property
    def last(self) -> Node:
        """What is printed last of it: itself, or the last part below it."""
        *_, last = self.within()
        return last


@dataclass(eq=False, slots=True)
class Heading:
    """A heading (编, 章, 节, or a line like 一、管辖) above articles."""

    name: str
    _: KW_ONLY
    unit: str = ""
    """``章``; ``、`` for 一、管辖; empty for 总则 without a number."""
    number: int = 0
    new: int | None = None
    above: Heading | None = None
    deleted: bool = False
    inserted: bool = False

    @property
    def printed(self) -> str:
        """As the law prints it: ``第三章 国家机构``."""
        number = format_numeral(self.new or self.number) if self.number or self.new else ""
        if not number:
            return self.name
        if self.unit == "、":
            return f"{number}、{self.name}"
        return f"第{number}{self.unit} {self.name}".strip()

    @property
    def path(self) -> str:
        """It and the headings above it, outermost first."""
        above = f"{self.above.path} / " if self.above else ""
        return above + self.printed


@dataclass(eq=False, slots=True)
class Article:
    """An article, the preamble, a point or a whole text without articles."""

    number: ProvisionNumber | None
    """Its number before the instrument; ``None`` if the instrument adds it."""
    body: Node
    """Holds its paragraphs; has no words of its own."""
    heading: Heading | None = None
    _: KW_ONLY
    held: bool = True
    """Whether its text is known; only a restatement of the whole can make it known."""
    new: ProvisionNumber | None = None
    deleted: bool = False
    moved: bool = False
    """Whether it was put elsewhere on purpose, past articles of which nothing is said."""
    pinned: Article | None = None
    """The article beside which it was inserted, and of which its number must be the neighbour."""
    pinned_before: bool = False
    """Whether it was inserted before that article, not after it."""
    came_from: Article | None = None
    """The article of which it was a paragraph."""
    split_from: Article | None = None
    """The article of which it was a part, if it may only be a part of what gets its number."""
    loose: bool = False
    """Whether it is no article of its own, only paragraphs for the one that gets its number."""
    sole: Node | None = None
    """The paragraph that alone remains of it (第三条第一款改为第三条)."""
    absorbed: tuple[ProvisionNumber, ...] = ()
    """Other articles of the old text that became part of this one."""
    joins: tuple[ProvisionNumber, int] | None = None
    """The article and the paragraph of it, by their new numbers, that it becomes."""
    changes: list[str] = field(default_factory=list[str])
    """The instructions that changed it, by their names in the instrument."""
    doubts: list[str] = field(default_factory=list[str])
    """Why its text is not certain: instructions for it that were refused."""
    before: str = ""
    """Its text before the instrument."""

    @property
    def text(self) -> str:
        """As printed, one paragraph a line."""
        return self.body.full().lstrip("\n")

    @property
    def intended(self) -> ProvisionNumber | None:
        """The number an instruction gave it; otherwise that before the instrument."""
        return self.new or self.number

    @property
    def name(self) -> str:
        """Its number as a message prints it."""
        number = self.number or self.new
        return number.chinese if number else "a new article"

    def add_changes(self, *instructions: str) -> None:
        """Note instructions that changed it, each once."""
        self.changes += [
            instruction
            for instruction in dict.fromkeys(instructions)
            if instruction not in self.changes
        ]

    def require_held(self) -> None:
        """Raise a `Refusal` if its text is not known."""
        if not self.held:
            reason = f"the base text does not hold {self.name}"
            raise Refusal(reason, self, unknown_text=True)

    def is_under(self, heading: Heading) -> bool:
        """Whether it is in a chapter or section, or in a part of it."""
        above = self.heading
        while above is not None and above is not heading:
            above = above.above
        return above is heading


@dataclass(eq=False, slots=True)
class LawTree:
    """A law while instruments are applied to it."""

    title: str
    articles: list[Article]
    headings: list[Heading] = field(default_factory=list[Heading])
    annexes: dict[str, str] = field(default_factory=dict[str, str])
    """Annexes an instrument restated; those of the base text are not held."""

    @property
    def live(self) -> list[Article]:
        """The articles that were not deleted."""
        return [article for article in self.articles if not article.deleted]


def tree_of(text: VersionText) -> LawTree:
    """The tree of a version. What it lacks (its holes) has a place but no text."""
    version = text.version
    found = {provision.number: provision for provision in text.provisions}
    numbers = sorted({*found, *version.holes})
    headings: dict[str, Heading] = {}
    articles: list[Article] = []
    pending: list[Heading] = []
    for number in numbers:
        provision = found.get(number)
        if provision is None:
            articles.append(Article(number, Node(""), held=False))
            continue
        heading = _heading_of(provision, headings) or (pending[-1] if pending else None)
        body, trailing = _without_trailing_heading(provision.text, pending, number is numbers[-1])
        articles.append(Article(number, parsed(body), heading, before=body))
        if trailing is not None:
            pending.append(trailing)
    return LawTree(version.work, articles, [*headings.values(), *pending])


def _heading_of(provision: Provision, known: dict[str, Heading]) -> Heading | None:
    above: Heading | None = None
    path = ""
    for part in filter(None, provision.path.split(" / ")):
        path = f"{path} / {part}"
        if path not in known:
            try:
                known[path] = heading_from(part, above)
            except Refusal:  # a number that cannot be read: no instruction can name it
                known[path] = Heading(part, above=above)
        above = known[path]
    return above


def heading_from(text: str, above: Heading | None = None) -> Heading:
    """The heading printed as ``第三章 国家机构``, ``一、管辖`` or ``总则``."""
    if match := _HEADING.fullmatch(text.strip()):
        name, unit, number = "".join(match[3].split()), match[2], _numeral(match[1])
        return Heading(name, unit=unit, number=number, above=above)
    if match := _LISTED.fullmatch(text.strip()):
        return Heading(match[2].strip(), unit="、", number=_numeral(match[1]), above=above)
    return Heading("".join(text.split()), above=above)


def _numeral(text: str) -> int:
    """The number that new wording is printed with.

    Raises:
        Refusal: if it is no number (十十): which part is meant is not certain.
    """
    try:
        return parse_numeral(text)
    except IdentifierError as error:
        raise Refusal(str(error)) from error


def is_heading(text: str) -> bool:
    """Whether a line of quoted text is a numbered heading."""
    return _HEADING.fullmatch(text.strip()) is not None


def _without_trailing_heading(
    text: str, known: Sequence[Heading], last: bool
) -> tuple[str, Heading | None]:
    """Some copies print the heading of the next article as the last line of the one before it."""
    lines = text.split("\n")
    match = _LISTED.fullmatch(lines[-1].strip()) if len(lines) > 1 and not last else None
    following = [known[-1].number + 1] if known else [1, 2]
    if match is None or match[1] not in map(format_numeral, following):
        return text, None
    return "\n".join(lines[:-1]), heading_from(lines[-1])


_paragraphs = lru_cache(maxsize=4096)(paragraphs)
"""Most articles stay as they are from one instrument to the next."""


def parsed(text: str) -> Node:
    """The paragraphs, items and sub-items of an article's text, with their numbers in it."""
    body = Node("")
    end = 0
    for index, paragraph in enumerate(_paragraphs(text), 1):
        start, stop = paragraph.excerpt.start, paragraph.excerpt.end
        items = paragraph.items
        first = items[0].excerpt.start if items else stop
        node = Node(text[start:first].rstrip(), old=index, separator=text[end:start])
        cursor = start + len(node.text)
        _split_subitems(node)
        for item in items:
            label = _ITEM.match(item.excerpt.text)
            assert label is not None
            below = Node(
                item.excerpt.text[label.end() :],
                label=label[0],
                old=item.number,
                separator=text[cursor : item.excerpt.start],
            )
            cursor = item.excerpt.end
            _split_subitems(below)
            node.children.append(below)
        tail = text[cursor:stop]
        if tail.strip():
            node.children.append(Node(tail.strip("\n"), separator="\n" if "\n" in tail else ""))
        body.children.append(node)
        end = stop
    if not body.children and text.strip():
        body.children.append(Node(text, old=1))
    return body


def _split_subitems(node: Node) -> None:
    """Lines that begin with 1. or (1) below an item, or below a paragraph."""
    lines = node.text.split("\n")
    if len(lines) < 2 or not any(_SUBITEM.match(line) for line in lines[1:]):
        return
    node.text = lines[0]
    count = 0
    for line in lines[1:]:
        match = _SUBITEM.match(line)
        count += match is not None
        label = match[0] if match else ""
        node.children.append(
            Node(line[len(label) :], label=label, old=count if match else None, separator="\n")
        )


def parsed_lines(lines: Iterable[str]) -> list[Node]:
    """The paragraphs of new wording; none of them has an old number."""
    nodes = parsed("\n".join(lines)).children
    for node in nodes:
        node.separator, node.old = "\n", None
        for each in node.within():
            each.fresh = True
    return nodes


def without_number(line: str) -> tuple[ProvisionNumber | None, str]:
    """A line of quoted text without the article number it may begin with, and that number."""
    match = _NUMBERED_ARTICLE.match(line)
    if match is None:
        return None, line
    number = ProvisionNumber.article(_numeral(match[1]), _numeral(match[2]) if match[2] else 0)
    return number, line[match.end() :]


def item_label(text: str) -> tuple[int | None, str]:
    """The number of an item that new wording begins with, and the rest of it."""
    match = _ITEM.match(text)
    return (_numeral(match["number"]), text[match.end() :]) if match else (None, text)


def relabelled(label: str, number: int) -> str:
    """The printed number of an item after it got another one, in the manner of print it had."""
    if re.search(r"[0-9０-９]", label):
        return re.sub(r"[0-9０-９]+", str(number), label, count=1)
    if re.search(r"[①-⑳]", label):
        return chr(ord("①") + number - 1)
    brackets = ("(", ")") if label.startswith("(") else ("（", "）")
    return f"{brackets[0]}{format_numeral(number)}{brackets[1]}"
