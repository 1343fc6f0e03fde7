"""Article chunks with validity dates, in the forms of the LegalSearch-R1 corpus.

Three shapes are read:

- one nested object (or an array of them): ``title``, ``valid_from``, ``valid_to``, ``parts`` with
  ``chapters`` with ``sections`` with ``articles``, each with ``index``, ``title`` and ``text``;
- an array of flat chunks; and the same, one chunk a line.

A flat chunk goes by the field names in `LAW`, `LABEL`, `PATH`, `NUMBER`, `TEXT`, `FIRST_DAY` and
`LAST_DAY` (the last day is inclusive; none, or the year 2099, means still in force). Chunks of the
same law and dates make one version. That corpus prints the number again before the text, sets an
editor's heading in 【】, and joins 款 by a space after the full stop: the first two are taken off,
the third is made a line break again. Its dates name no authority, so better-dated texts win.

A version with a chunk that cannot be read is left out; so is the whole file for a chunk that names
no law, since any law might be the one it is missing from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from inforce.corpus.loaders.checks import checked_law, number_of
from inforce.corpus.loaders.single_law import editorial_captions
from inforce.corpus.loaders.statute_text import split_editorial
from inforce.corpus.titles import split_edition
from inforce.dates import DateRange
from inforce.documents.charset import decode_strictly
from inforce.documents.files import OnProblem
from inforce.documents.json_records import JsonObject, parse_json, parse_object
from inforce.errors import IdentifierError, InputError
from inforce.law.model import Provision, Source, Validity, Version, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import instrument_of

LAW = ("law", "law_name", "law_title")
LABEL = ("version", "version_name", "version_label")
PATH = ("path", "chapter")
NUMBER = ("article", "article_no", "no", "index")
TEXT = ("content", "text")
FIRST_DAY = ("valid_from", "effective_date", "start_date", "t_from")
LAST_DAY = ("valid_to", "expiry_date", "end_date", "t_to")

STILL_IN_FORCE = 2099
"""The year that corpus writes for "no end"."""

_LEVELS = ("parts", "chapters", "sections")
_NO_HEADING = re.compile("未分[编章节]部分")
_LOST_BREAK = re.compile(r"(?<=[。：；]) (?=\S)")


class _Edition(NamedTuple):
    """The version that a chunk belongs to."""

    law: str
    label: str
    start: date | None
    last: date | None


class _Chunk(NamedTuple):
    edition: _Edition
    fields: JsonObject
    path: str


def parse_law_chunks(
    data: bytes, *, path: Path | str, source: Source, on_problem: OnProblem
) -> Iterator[VersionText]:
    """The versions in a file of chunks, in the order in which they begin there."""
    editions: dict[_Edition, list[_Chunk]] = {}
    try:
        text = decode_strictly(data, path=path).text.removeprefix("\ufeff")
        for fields in _objects(text, path):
            if "parts" in fields.values:
                chunks = _nested(fields, _edition(fields, law=fields.text("title", *LAW)))
            else:
                chunks = iter([_flat(fields)])
            for chunk in chunks:
                editions.setdefault(chunk.edition, []).append(chunk)
    except InputError as error:
        on_problem(error)
        return
    for edition, chunks in editions.items():
        try:
            yield _version_text(edition, chunks, source)
        except InputError as error:
            on_problem(error)


def _objects(text: str, path: Path | str) -> Iterator[JsonObject]:
    """The objects of the file: of an array, one a line, or the only one, over several lines."""
    start = text.lstrip()
    if start.startswith("["):
        yield from JsonObject({"chunks": parse_json(text, path=path)}, path).objects("chunks")
    elif not start.partition("\n")[0].rstrip().endswith("}"):
        yield parse_object(text, path=path)
    else:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield parse_object(line, path=path, line=number)


def _flat(fields: JsonObject) -> _Chunk:
    """A chunk by itself; where it names no law its path begins with it (刑法 > 第一编 > 第一条)."""
    steps = [step.strip() for step in re.split(r"\s>\s", fields.text(*PATH))]
    law = fields.text(*LAW)
    if not law and len(steps) > 1:
        law, steps = steps[0], steps[1:]
    if steps and steps[-1] == fields.text(*NUMBER):
        steps = steps[:-1]
    return _Chunk(_edition(fields, law=law), fields, _heading_path(steps))


def _nested(fields: JsonObject, edition: _Edition, above: Sequence[str] = ()) -> Iterator[_Chunk]:
    if len(above) == len(_LEVELS):
        for article in fields.objects("articles"):
            yield _Chunk(edition, article, _heading_path(above))
        return
    for child in fields.objects(_LEVELS[len(above)]):
        yield from _nested(child, edition, (*above, child.text("name")))


def _heading_path(steps: Sequence[str]) -> str:
    return " / ".join(step for step in steps if step and not _NO_HEADING.fullmatch(step))


def _edition(fields: JsonObject, *, law: str) -> _Edition:
    work, label = split_edition(law)
    if not work:
        raise fields.problem("a chunk that names no law: none of these laws can be trusted whole")
    last = fields.day(*LAST_DAY)
    return _Edition(
        work,
        fields.text(*LABEL) or label,
        fields.day(*FIRST_DAY),
        last if last and last.year < STILL_IN_FORCE else None,
    )


def _version_text(edition: _Edition, chunks: Sequence[_Chunk], source: Source) -> VersionText:
    provisions: list[Provision] = []
    headings: list[tuple[ProvisionNumber, str]] = []
    for chunk in chunks:
        heading, provision = _provision(chunk)
        provisions.append(provision)
        headings.append((provision.number, heading))
    start = edition.start
    end = DateRange.day(edition.last).end if edition.last else None
    try:
        version = Version(
            edition.law,
            edition.label or (start.isoformat() if start else ""),
            Validity(start, end, "exact" if end else "open"),
            instrument=(instrument_of(edition.law, start=start) or "") if start else "",
            source=source,
        )
        return checked_law(version, provisions, captions=editorial_captions(headings, version))
    except ValueError as error:
        problem = f"{edition.law} {edition.label}: {error}"
        raise chunks[0].fields.problem(problem) from error


def _provision(chunk: _Chunk) -> tuple[str, Provision]:
    """The editor's heading (from the chunk's ``title`` or 【】 in its text) and the provision."""
    fields = chunk.fields
    printed = fields.text(*NUMBER).strip()
    try:
        number = number_of(printed)
    except IdentifierError as error:
        raise fields.problem(f"{chunk.edition.law}: {error}") from error
    text = fields.text(*TEXT).strip().removeprefix(printed).strip()
    heading, text = split_editorial(text)
    if "\n" not in text:
        text = _LOST_BREAK.sub("\n", text)
    return fields.text("title") or heading, Provision(number, text, chunk.path)
