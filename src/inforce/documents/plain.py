"""Reads Markdown and plain text: the text of the document is that of the file, unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from inforce.documents.charset import Decoded, decode
from inforce.documents.document import Block, BlockKind, Document, UnreadableDocumentError
from inforce.documents.limits import DEFAULT_LIMITS, DocumentLimits
from inforce.documents.outline import first_line, plain_blocks

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LINE_END = re.compile(r"\r\n?|\n")
_LEAVES: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "html_block": "code",
    "tr_open": "table_cell",
}


def read_text(
    data: bytes, *, name: str, declared: str = "", limits: DocumentLimits = DEFAULT_LIMITS
) -> Document:
    """A plain text file; beyond the limits there are no blocks."""
    found = _decoded(data, name, declared)
    blocks = tuple(islice(plain_blocks(found.text[: limits.characters]), limits.blocks + 1))
    title = first_line(found.text, blocks)
    return Document(name, "text", title, found.text, blocks, encoding=found.encoding)


def read_markdown(data: bytes, *, name: str, limits: DocumentLimits = DEFAULT_LIMITS) -> Document:
    """A Markdown file; its title is that of its front matter, or its first heading of level 1."""
    found = _decoded(data, name)
    hidden, title = _front_matter(found.text)
    read = found.text[: limits.characters]
    blocks = tuple(islice(_markdown_blocks(read, hidden), limits.blocks + 1))
    headings = [one for one in blocks if one.kind == "heading"]
    if not title and headings and headings[0].level == 1:
        title = found.text[headings[0].start : headings[0].end]
    return Document(name, "markdown", title, found.text, blocks, encoding=found.encoding)


def _decoded(data: bytes, name: str, declared: str = "") -> Decoded:
    found = decode(data, declared=declared)
    if not found.is_text:
        raise UnreadableDocumentError("not_text", "not a text file: save it as UTF-8", path=name)
    return found


def _front_matter(text: str) -> tuple[int, str]:
    """The first character after the front matter (0 without one), and the title stated in it."""
    first, _, rest = text.partition("\n")
    if first.rstrip() != "---":
        return 0, ""
    at, title = len(first) + 1, ""
    for line in rest.split("\n"):
        at += len(line) + 1
        if line.rstrip() == "---":
            return at, title
        if line.startswith("title:"):
            title = line.removeprefix("title:").strip().strip("\"'")
    return 0, ""


def _markdown_blocks(text: str, hidden: int) -> Iterator[Block]:
    starts = [0, *(match.end() for match in _LINE_END.finditer(text)), len(text)]
    tokens = _parser().parse(text)
    quotes = 0
    for number, token in enumerate(tokens):
        quotes += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        kind = "heading" if token.type == "heading_open" else _LEAVES.get(token.type)
        if kind is None or token.map is None:
            continue
        begin, end = starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]
        words = tokens[number + 1].content if token.type.endswith("_open") else token.content
        begin = max(begin, text.find(words.partition("\n")[0], begin, end))
        end = begin + len(text[begin:end].rstrip())
        if kind == "heading":
            end = begin + len(words)
        if begin >= hidden and begin < end:
            level = int(token.tag.removeprefix("h")) if kind == "heading" else 0
            yield Block("quote" if quotes and kind == "paragraph" else kind, begin, end, level)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])  # words inside lines do not matter here
    return parser
