"""From the lines of one statute to its articles.

A text with articles (第一条) is read by articles, a decision without them by its points (一、二、),
and anything else as one whole. Words are stored as they are; only the indentation goes. A heading
that an editor put in 【】 is no part of the law and is kept apart. Annexes are left out, and noted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from inforce.corpus.loaders.layout import (
    Heading,
    Start,
    TextLine,
    after_contents,
    article_start,
    before_annex,
    heading,
    is_sentence,
    listed_heading,
    point_start,
)
from inforce.corpus.loaders.ordering import Order, number_of
from inforce.errors import IdentifierError, InputError
from inforce.law.numerals import ProvisionNumber

_EDITORIAL = re.compile(r"((?:【[^】]{1,60}】\s*)+)(.*)", re.DOTALL)

_Starts = Callable[[TextLine, ProvisionNumber | None], Start | None]


@dataclass(frozen=True, slots=True)
class Article:
    """One provision as found: number, headings above, 款, the line it begins on."""

    number: ProvisionNumber
    line: int
    path: str
    paragraphs: tuple[str, ...]
    editorial: str = ""
    """Headings an editor put in 【】 before the text."""

    @property
    def text(self) -> str:
        """The 款, one a line."""
        return "\n".join(self.paragraphs)


@dataclass(frozen=True, slots=True)
class Body:
    """The articles of a statute, and the line its annexes begin on, if it has any."""

    articles: tuple[Article, ...]
    annex_line: int | None = None


def parse_body(lines: Sequence[TextLine], *, path: Path | str) -> Body:
    """The provisions in the lines below the note on adoption.

    Raises:
        InputError: if an article comes twice or out of order, or text belongs to none.
    """
    law = before_annex(after_contents(lines))
    annex_line = law.after[0].number if law.after else None
    if any(article_start(line) for line in law.before):
        articles = _Reader(article_start, path, lists="headings").read(law.before)
    elif any(point_start(line) for line in law.before):
        articles = _Reader(point_start, path, lists="text").read(law.before)
    else:
        articles = _whole(law.before)
    return Body(articles, annex_line)


def without_editorial(text: str) -> tuple[str, str]:
    """A line's editorial headings (【盗窃罪】), and its text without them."""
    match = _EDITORIAL.fullmatch(text)
    return ("".join(match[1].split()), match[2]) if match else ("", text)


@dataclass(slots=True)
class _Draft:
    number: ProvisionNumber
    line: int
    path: str
    paragraphs: list[str] = field(default_factory=list[str])
    editorial: list[str] = field(default_factory=list[str])

    def add(self, line: str) -> None:
        editorial, text = without_editorial(line)
        if editorial:
            self.editorial.append(editorial)
        if text:
            self.paragraphs.append(text)

    def article(self) -> Article:
        editorial = "".join(self.editorial)
        return Article(self.number, self.line, self.path, tuple(self.paragraphs), editorial)


class _Reader:
    """Reads the lines of a body once, from the first to the last."""

    def __init__(
        self, starts: _Starts, path: Path | str, *, lists: Literal["headings", "text"]
    ) -> None:
        self._starts = starts
        self._path = path
        self._lists = lists
        self._order = Order()
        self._headings: list[Heading] = []
        self._drafts: list[_Draft] = []
        self._open: _Draft | None = None

    def read(self, lines: Sequence[TextLine]) -> tuple[Article, ...]:
        for line in lines:
            if start := self._starts(line, self._order.last):
                self._begin(start, line)
            elif found := heading(line) or self._listed(line):
                self._enter(found)
            else:
                self._continue(line)
        return tuple(draft.article() for draft in self._drafts)

    def _begin(self, start: Start, line: TextLine) -> None:
        try:
            number = number_of(start.number)
        except IdentifierError as error:
            raise self._problem(str(error), line) from error
        draft = self._draft(number, line)
        if start.rest:
            draft.add(start.rest)

    def _draft(self, number: ProvisionNumber, line: TextLine) -> _Draft:
        if reason := self._order.refuse(number):
            raise self._problem(reason, line)
        path = " / ".join(each.name for each in self._headings)
        self._open = _Draft(number, line.number, path)
        self._drafts.append(self._open)
        return self._open

    def _listed(self, line: TextLine) -> Heading | None:
        """A heading of a list: the first right below another heading, or next after its sibling."""
        found = listed_heading(line) if self._lists == "headings" else None
        if found is None:
            return None
        last = next((each for each in self._headings if each.depth == found.depth), None)
        expected = last.place + 1 if last else 1
        between_articles = self._open is None or last is not None
        return found if found.place == expected and between_articles else None

    def _enter(self, found: Heading) -> None:
        while self._headings and self._headings[-1].depth >= found.depth:
            self._headings.pop()
        self._headings.append(found)
        self._open = None

    def _continue(self, line: TextLine) -> None:
        if self._open is not None:
            self._open.add(line.text)
        elif is_sentence(line.text) and not self._drafts:
            self._draft(ProvisionNumber("preamble"), line).add(line.text)
        elif is_sentence(line.text):
            raise self._problem("text under a heading that belongs to no article", line)
        elif self._headings:  # a heading set over two lines
            above = self._headings[-1]
            self._headings[-1] = replace(above, name=above.name + "".join(line.text.split()))
        # what remains is a line of the title page, such as the issuer or a document number

    def _problem(self, reason: str, line: TextLine) -> InputError:
        return InputError(reason, path=self._path, line=line.number)


def _whole(lines: Sequence[TextLine]) -> tuple[Article, ...]:
    if not lines:
        return ()
    draft = _Draft(ProvisionNumber("whole"), lines[0].number, "")
    for line in lines:
        draft.add(line.text)
    return (draft.article(),)
