"""Instruments read from files and from the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from inforce.corpus.compile.instrument import Instrument, read_instruments, unmarked
from inforce.corpus.loaders.jsonl import read_jsonl
from inforce.corpus.loaders.single_law import docx_lines
from inforce.corpus.loaders.statute_text import TextLine, text_lines
from inforce.documents.charset import decode_strictly
from inforce.documents.files import open_file, raise_problem, read_file
from inforce.documents.formats import format_of
from inforce.documents.json_records import json_objects
from inforce.documents.parsing import shared_parser
from inforce.errors import InputError
from inforce.law.model import VersionText


def load_instruments(path: Path) -> tuple[Instrument, ...]:
    """The amending instruments in a file: text, Markdown, HTML, Word, or JSON Lines.

    Raises:
        InputError: if the file cannot be read, or has nothing of the kind.
    """
    data = read_file(path)
    first = data.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
    if first.startswith(b"{") and b'"articles"' in first:
        versions = read_jsonl(path, on_problem=raise_problem)
        found = tuple(instrument for version in versions for instrument in instruments_of(version))
    elif first.startswith(b"{"):
        found = tuple(_of_records(path))
    else:
        found = read_instruments(unmarked(_lines(data, path)), name=path.name)
    if not found:
        raise InputError("no amending instrument: no numbered point, no 修改为", path=path)
    return found


def _lines(data: bytes, path: Path) -> Sequence[TextLine]:
    match format_of(data, name=path.name):
        case "docx":
            return docx_lines(data, path=path)
        case "html":
            page = shared_parser().parse(data, name=str(path), format="html")
            return text_lines(page.text)
        case "text" | "markdown":
            return text_lines(decode_strictly(data, path=path).text)
        case found:
            what = "a PDF" if found else "no text"
            raise InputError(f"{what}: save it as text, HTML or .docx", path=path)


def _of_records(path: Path) -> Iterator[Instrument]:
    with open_file(path) as stream:
        for number, record in enumerate(json_objects(stream, path=path), 1):
            title, body = record.text("title"), record.required_text("text")
            whole = body if title in body[:400] else f"{title}\n{body}"
            yield from read_instruments(unmarked(text_lines(whole)), name=f"{path.name}:{number}")


def instruments_of(text: VersionText) -> tuple[Instrument, ...]:
    """The instrument that a corpus holds as a text of its own, with the dates of its record."""
    version = text.version
    lines = [version.work]
    if version.promulgated is not None:
        day = version.promulgated
        lines.append(f"（{day.year}年{day.month}月{day.day}日通过）")
    for provision in text.provisions:
        number = provision.number
        label = {"article": f"{number.chinese}　", "point": number.chinese}.get(number.kind, "")
        lines.append(label + provision.text)
    found = read_instruments(
        unmarked(text_lines("\n".join(lines))), name=f"{version.source.name} {version.source.path}"
    )
    start = version.validity.start
    return tuple(
        replace(
            instrument,
            title=version.work,
            adopted=version.promulgated or instrument.adopted,
            published=instrument.published or version.promulgated or start,
            in_force=start,
        )
        for instrument in found
    )
