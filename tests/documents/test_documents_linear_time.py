"""No string of one repeated token makes a reader of documents take more than linear time."""

from __future__ import annotations

import io
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest

from document_files import paragraph, run, word_xml
from inforce.documents.charset import decode, decode_strictly
from inforce.documents.docx import read_docx
from inforce.documents.files import numbered_lines
from inforce.documents.html import read_html
from inforce.documents.json_records import JsonFile, json_objects
from inforce.documents.limits import DocumentLimits
from inforce.documents.outline import heading_level, plain_blocks
from inforce.documents.plain import read_markdown, read_text
from inforce.language import sentences
from repeated_tokens import slow_tokens

LIMITS = DocumentLimits()


def read_word(text: str) -> object:
    plain = "".join(
        character for character in text if character.isprintable() or character in "\n\t"
    )
    body = "".join(paragraph(run(escape(line))) for line in plain.split("\n"))
    return read_docx(word_xml(body), name="a.docx", limits=LIMITS).sections


def json_lines_of(text: str) -> object:
    return list(json_objects(io.BytesIO(text.encode()), path="a", on_problem=lambda problem: None))


PARSERS: dict[str, Callable[[str], object]] = {
    "sentences": lambda text: list(sentences(text, longest=600)),
    "plain_blocks": lambda text: list(plain_blocks(text)),
    "heading_level": heading_level,
    "text": lambda text: read_text(text.encode(), name="a.txt").sections,
    "markdown": lambda text: read_markdown(text.encode(), name="a.md").sections,
    "html": lambda text: read_html(text.encode(), name="a.html").sections,
    "docx": read_word,
    "decode": lambda text: decode(text.encode("gb18030", "replace")),
    "decode_strictly": lambda text: decode_strictly(text.encode("gb18030", "replace"), path="a"),
    "lines": lambda text: list(
        numbered_lines(io.BytesIO(text.encode()), path=Path("a"), on_problem=lambda problem: None)
    ),
    "json lines": json_lines_of,
    "json file": lambda text: JsonFile("a", text).parse(),
}


@pytest.mark.parametrize("parser", PARSERS)
def test_a_repeated_token_takes_linear_time(parser: str) -> None:
    assert slow_tokens(PARSERS[parser], size=8_000) == {}


@pytest.mark.slow
@pytest.mark.parametrize("parser", PARSERS)
def test_a_repeated_token_of_200_000_characters_takes_linear_time(parser: str) -> None:
    size = 50_000 if parser == "docx" else 200_000  # a line of it has forty bytes of XML around it
    assert slow_tokens(PARSERS[parser], size=size) == {}


@pytest.mark.slow
def test_the_main_part_of_a_page_takes_linear_time() -> None:
    def read(text: str) -> object:
        return read_html(text.encode(), name="a.html", main_part=True)

    assert slow_tokens(read, size=50_000) == {}
