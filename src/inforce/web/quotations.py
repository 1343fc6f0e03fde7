"""Checking a model's quotations against the page it read: text from memory is not the law.

Blanks, character widths and the form of quotation marks may differ; words and punctuation may not.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_QUOTES = str.maketrans("“”„‟「」『』″〝〞‘’‚‛′", '"""""""""""' + "'''''")
_ARTICLE_NUMBER = (
    r"第[零〇一二三四五六七八九十百千两0-9０-９]{1,12}条(?:之[一二三四五六七八九十0-9]{1,3})?"
)
# Possessive (*+): no character is tried twice, however often it is repeated.
_HEAD = re.compile(
    rf"[\s\-*>•·#\d.、（(]*+(?:《[^》]{{1,60}}》\s*+)?[\"“「*]*+(?:{_ARTICLE_NUMBER}"
    r"|(?:article|section|sec\.|art\.|§{1,2})\s*+\d)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“「『\"]([^“”「」『』\"]{8,}+)[”」』\"]")
_STATED = re.compile(
    rf"{_ARTICLE_NUMBER}[^。；\n]{{0,20}}?规定[：:，,]?\s{{0,9}}[“「\"]?(.{{8,}})"
    r"|\b(?:provides|states|reads)(?: that|:)\s{0,9}[“\"]?(.{12,})"
)
_BULLET = re.compile(r"\s*+(?:[-*•·]\s++|>\s*+|#{1,6}\s++)++")


@dataclass(frozen=True, slots=True)
class Extract:
    """One line taken from a page."""

    text: str
    verbatim: bool
    """Whether it is the page's own text; else the model's words."""


@dataclass(frozen=True, slots=True)
class CheckedPassage:
    """The lines of a passage that may be used, and those that may not."""

    extracts: tuple[Extract, ...]
    dropped: tuple[str, ...]
    """Lines that look like statutory text and are not on the page."""


class PageText:
    """The text of a page, in which quotations are looked up."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded, self._origins = _folded(text)

    def find(self, quotation: str) -> str:
        """The page's own text for a quotation; empty if it is not there."""
        wanted, _ = _folded(quotation)
        at = self._folded.find(wanted) if wanted else -1
        if at < 0:
            return ""
        return self._text[self._origins[at] : self._origins[at + len(wanted) - 1] + 1]

    def check(self, passage: str) -> CheckedPassage:
        """Accept the lines of a passage that are the page's own, or that quote no law.

        From the head of an article on ("第…条", "Section 5") every line must be on the page.
        """
        extracts, dropped, in_article = list[Extract](), list[str](), False
        for line in passage.splitlines():
            bullet = _BULLET.match(line)
            words = (line[bullet.end() :] if bullet else line).strip()
            if not words:
                continue
            in_article = in_article or _HEAD.match(words) is not None
            found = self.find(words) or self.find(words.strip('"“”「」*'))
            if found:
                extracts.append(Extract(found, verbatim=True))
            elif in_article or not self._quotes_truly(words):
                dropped.append(words)
            else:
                extracts.append(Extract(words, verbatim=False))
        return CheckedPassage(tuple(extracts), tuple(dropped))

    def _quotes_truly(self, line: str) -> bool:
        quoted = [match[1] for match in _QUOTED.finditer(line)]
        stated = [(match[1] or match[2]).rstrip('”」"') for match in _STATED.finditer(line)]
        return all(self.find(one) for one in (*quoted, *stated))


def _folded(text: str) -> tuple[str, list[int]]:
    """The text in the form that is compared, and the origin of each of its characters."""
    characters, origins = list[str](), list[int]()
    for place, character in enumerate(text):
        for folded in unicodedata.normalize("NFKC", character).casefold().translate(_QUOTES):
            if folded.isspace() or unicodedata.category(folded) == "Cf":
                continue
            if folded == ":" and characters[-1:] == ["条"]:
                continue  # 第一条：… and 第一条 … are the same article
            characters.append(folded)
            origins.append(place)
    return "".join(characters), origins
