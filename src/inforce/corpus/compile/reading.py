"""Instruments read from files and from the corpus, and the laws republished with them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from inforce.corpus.compile.instrument import Instrument, read_instruments, unmarked
from inforce.corpus.compile.locating import SameLaw
from inforce.corpus.loaders.docx import docx_lines
from inforce.corpus.loaders.jsonl import read_jsonl
from inforce.corpus.loaders.layout import TextLine, text_lines
from inforce.corpus.loaders.plain_text import law_of_lines
from inforce.corpus.loaders.reading import decode, read_file
from inforce.corpus.loaders.sniffing import sniff
from inforce.errors import InputError
from inforce.law.model import Source, VersionText


def load_instruments(path: Path) -> tuple[Instrument, ...]:
    """The amending instruments in a file: text, Markdown, HTML, Word, or JSON lines.

    Raises:
        InputError: if the file cannot be read, or has nothing of the kind.
    """
    data = read_file(path)
    if data[:4] == b"PK\x03\x04":
        lines: Sequence[TextLine] = docx_lines(data, path=path)
        found = read_instruments(unmarked(lines), name=path.name)
    else:
        text = decode(data, path=path).text
        start = text.lstrip()[:200].lower()
        if start.startswith(("{", "[")):
            found = tuple(_of_json(path, text))
        elif start.startswith(("<!doctype", "<html", "<p", "<div")):
            found = read_instruments(text_lines(_text_of_html(text)), name=path.name)
        else:
            found = read_instruments(unmarked(text_lines(text)), name=path.name)
    if not found:
        raise InputError("no amending instrument: no numbered point, no 修改为", path=path)
    return found


def _of_json(path: Path, text: str) -> Iterator[Instrument]:
    """Records with a text (title, text, date), or versions with articles."""
    first = text.lstrip().split("\n", 1)[0]
    if '"articles"' in first and sniff(path) == "jsonl":
        problems: list[InputError] = []
        for version in read_jsonl(path, on_problem=problems.append):
            yield from instruments_of(version)
        if problems:
            raise problems[0]
        return
    for number, line in enumerate(filter(str.strip, text.split("\n")), 1):
        try:
            record: Any = json.loads(line)
        except ValueError as error:
            raise InputError(f"not valid JSON: {error}", path=path, line=number) from error
        fields = cast("dict[str, Any]", record) if isinstance(record, dict) else {}
        body = fields.get("text") or fields.get("content")
        if not isinstance(body, str):
            raise InputError("a record without a text", path=path, line=number)
        title = fields.get("title")
        whole = body if not isinstance(title, str) or title in body[:400] else f"{title}\n{body}"
        yield from read_instruments(unmarked(text_lines(whole)), name=f"{path.name}:{number}")


def _text_of_html(text: str) -> str:
    html: Any = import_module("lxml.html")  # heavy, and without types
    document = html.fromstring(text)
    for block in document.iter("p", "div", "br", "tr", "h1", "h2", "h3", "li"):
        block.tail = "\n" + (block.tail or "")
    return str(document.text_content()).replace("\xa0", " ")


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
            one,
            title=version.work,
            adopted=version.promulgated or one.adopted,
            published=one.published or version.promulgated or start,
            in_force=start,
        )
        for one in found
    )


def republished_in(instrument: Instrument, same_law: SameLaw) -> VersionText | None:
    """The law as amended that is printed after an instrument, if it can be read.

    Its first lines are its title; it goes on to the title of the next law, or to the end.
    """
    lines = instrument.attached
    for start in range(len(lines)):
        for count in (1, 2, 3):
            title = "".join(line.text for line in lines[start : start + count])
            if len(title) > 120 or not same_law("".join(title.split())):
                continue
            rest = lines[start + count :]
            titled = (TextLine(lines[start].number, "".join(title.split())), *rest)
            try:
                return law_of_lines(titled, path=instrument.name, source=Source(instrument.name))
            except InputError:
                return None
    return None
