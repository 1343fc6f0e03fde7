"""Findings as comments in the Word file that was checked; nothing else in it changes.

A comment marks whole runs, so a run is split where a finding begins or ends inside it: its text and
formatting stay the same. Findings in a footnote, a header or another part, where Word has no
comments, are commented on where the body refers to that part, else at the beginning.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Sequence
from copy import deepcopy
from importlib import import_module
from typing import Any, NamedTuple

from inforce.documents.document import Document
from inforce.documents.docx import paragraph_text
from inforce.documents.docx_package import printable
from inforce.errors import InputError, MissingExtraError
from inforce.language import Language
from inforce.verification.explanation import cited_name, explain, headline, summary
from inforce.verification.findings import Finding, Verified

AUTHOR = "inforce"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_LONGEST_DIFFERENCE = 600


class _Anchor(NamedTuple):
    """Some characters of a paragraph of the body."""

    paragraph: int
    start: int
    end: int


def annotate(
    data: bytes, document: Document, verified: Verified, *, language: Language = "en"
) -> bytes:
    """Add a comment to a Word file at each finding.

    Raises:
        InputError: if it is no Word file.
        MissingExtraError: if python-docx is not installed.
    """
    if document.format != "docx":
        raise InputError("not a Word file: comments need a .docx", path=document.name)
    word_file = _word_file(data, document.name)
    body = word_file.element
    paragraphs = list(body.iter(f"{_W}p"))
    main = str(word_file.part.partname).lstrip("/")
    anchored: defaultdict[_Anchor, list[Finding]] = defaultdict(list)
    for finding in verified.findings:
        anchored[_anchor(finding, document, main)].append(finding)
    # From the end to the beginning: splitting a run moves nothing before it.
    for anchor in sorted(anchored, reverse=True):
        runs = _runs(paragraphs, anchor)
        if runs:
            text = "\n\n".join(_comment_text(one, language) for one in anchored[anchor])
            _add_comment(word_file, runs, text)
    first = next((one for one in paragraphs if _all_runs(one)), None)
    if first is not None:
        _add_comment(word_file, _all_runs(first), summary(verified, language))
    written = io.BytesIO()
    word_file.save(written)
    return written.getvalue()


def _word_file(data: bytes, name: str) -> Any:
    try:
        docx: Any = import_module("docx")
    except ImportError as error:
        raise MissingExtraError("comments in a Word file", "documents") from error
    try:
        return docx.Document(io.BytesIO(data))
    except Exception as error:  # python-docx lets out whatever a damaged part makes it stumble on
        reason = f"comments cannot be added to this Word file ({type(error).__name__})"
        raise InputError(reason, path=name) from error


def _anchor(finding: Finding, document: Document, main: str) -> _Anchor:
    """The characters of the body at which a finding can be commented on."""
    for location in finding.locations:
        if location.paragraph and location.paragraph.part == main:
            return _Anchor(location.paragraph.index, location.start, location.end)
    for location in finding.locations:
        reference = document.blocks[location.block].reference
        if reference is not None:
            for block in document.blocks:
                inside = block.start <= reference <= block.end
                if inside and block.paragraph and block.paragraph.part == main:
                    at = reference - block.start
                    return _Anchor(block.paragraph.index, max(at - 1, 0), max(at, 1))
    body = (one.paragraph for one in document.blocks if one.paragraph)
    first = next((one for one in body if one.part == main), None)
    return _Anchor(first.index if first else 0, 0, 1)


def _runs(paragraphs: Sequence[Any], anchor: _Anchor) -> list[Any]:
    """The runs of exactly these characters; runs that go beyond are split."""
    if anchor.paragraph >= len(paragraphs):
        return []
    paragraph = paragraphs[anchor.paragraph]
    for place in (anchor.end, anchor.start):
        _split_run(paragraph, place)
    pieces = paragraph_text(paragraph).pieces
    inside = [
        one.run
        for one in pieces
        if one.run is not None and anchor.start <= one.start and one.end <= anchor.end
    ]
    return inside or _all_runs(paragraph)


def _all_runs(paragraph: Any) -> list[Any]:
    return [one.run for one in paragraph_text(paragraph).pieces if one.run is not None]


def _split_run(paragraph: Any, place: int) -> None:
    """Split the run around a place into one before and one after it."""
    pieces = [one for one in paragraph_text(paragraph).pieces if one.run is not None]
    for piece in pieces:
        is_inside = piece.start < place < piece.end
        is_between = place == piece.start and any(
            other.run is piece.run and other.end == place for other in pieces
        )
        if not (is_inside or is_between):
            continue
        run, behind = piece.run, deepcopy(piece.run)
        at = list(run).index(piece.element)
        for child in list(behind)[: at if is_between else at + 1]:
            if child.tag != f"{_W}rPr":
                behind.remove(child)
        for child in list(run)[at if is_between else at + 1 :]:
            run.remove(child)
        if is_inside:
            words = piece.element.text
            rest = deepcopy(piece.element)
            _write(piece.element, words[: place - piece.start])
            _write(rest, words[place - piece.start :])
            properties = behind.find(f"{_W}rPr")
            behind.insert(0 if properties is None else 1, rest)
        run.addnext(behind)
        return


def _write(element: Any, words: str) -> None:
    element.text = words
    element.set(_SPACE, "preserve")


def _add_comment(word_file: Any, runs: Sequence[Any], text: str) -> None:
    run_type: Any = import_module("docx.text.run").Run
    marked = [run_type(runs[0], word_file), run_type(runs[-1], word_file)]
    word_file.add_comment(marked, text=printable(text), author=AUTHOR, initials="if")


def _comment_text(finding: Finding, language: Language) -> str:
    if finding.kind == "right":
        colon = "：" if language == "zh" else ": "
        return (
            f"✓ {headline(finding, language)}{colon}{cited_name(finding, language) or finding.text}"
        )
    lines = [
        headline(finding, language),
        cited_name(finding, language),
        *explain(finding, language),
    ]
    if finding.pieces:
        marks = {"equal": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
        changed = "".join(marks[one.kind].format(one.text) for one in finding.pieces)
        lines.append(changed[:_LONGEST_DIFFERENCE])
    return "\n".join(filter(None, lines))
