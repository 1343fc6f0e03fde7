"""JSONL: one version of one law a line, plain or gzipped.

Each line is an object with ``law``, ``version_label``, ``valid_from`` and ``valid_to`` (first and
*last* day in force), ``valid_to_status`` (``exact``, ``open``, ``presumed …`` or ``unknown …``),
``valid_from_source``, ``promulgated``, ``category``, ``source_repo``, ``source_path``,
``source_commit``, ``how``, ``note``, ``n_articles``, ``missing_articles`` and ``articles`` (each
with ``no``, ``path`` and ``text``, 款 separated by line breaks). Only ``law`` and ``articles`` must
be there; without a ``valid_to_status`` the end is ``exact`` if there is one, else ``unknown``.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import BinaryIO

from inforce.corpus.loaders.checks import checked_law, number_of
from inforce.corpus.titles import split_edition
from inforce.dates import DateRange, LegalDate
from inforce.documents.files import OnProblem, open_file
from inforce.documents.json_records import JsonObject, json_objects
from inforce.errors import DateError, IdentifierError, InputError
from inforce.law.history import read_history
from inforce.law.model import (
    DateEvidence,
    DateStatus,
    Provision,
    Source,
    Validity,
    Version,
    VersionText,
)
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import instrument_of

_INVISIBLE = " \t\n\r\u3000\u200b\ufeff"
"""Stripped from the ends of a text: some registers leave zero-width spaces and empty lines."""

_STATUSES: tuple[DateStatus, ...] = ("exact", "open", "presumed", "unknown")

_EVIDENCE: tuple[tuple[str, DateEvidence], ...] = (
    ("statute / amending decision", "instrument"),
    ("LawRefBook db", "register"),
    ("flk", "register"),
    ("own clause", "clause"),
    ("header", "header"),
)
"""The beginnings of ``valid_from_source``, and the kind of evidence each is."""


def read_jsonl(path: Path, *, on_problem: OnProblem) -> Iterator[VersionText]:
    """The versions in a JSONL file, one at a time; bad lines are reported, the rest is loaded."""
    with open_file(path) as stream:
        yield from parse_jsonl(stream, path=path, on_problem=on_problem)


def parse_jsonl(
    stream: BinaryIO, *, path: Path | str, on_problem: OnProblem
) -> Iterator[VersionText]:
    """As `read_jsonl`, from an open file."""
    for record in json_objects(stream, path=path, on_problem=on_problem):
        try:
            text = _version_text(record)
        except InputError as error:
            on_problem(error)
        else:
            yield text


def _version_text(record: JsonObject) -> VersionText:
    provisions = [
        Provision(
            _number(article.text("no"), article),
            article.text("text").strip(_INVISIBLE),
            article.text("path"),
        )
        for article in record.objects("articles")
    ]
    declared = record.value("n_articles")
    if declared is not None and declared != len(provisions):
        raise record.problem(
            f"n_articles says {declared}, but there are {len(provisions)} articles"
        )
    try:
        return checked_law(_version(record), provisions)
    except ValueError as error:
        raise record.problem(f"{record.text('law')}: {error}") from error


def _number(text: str, where: JsonObject) -> ProvisionNumber:
    try:
        return number_of(text)
    except IdentifierError as error:
        raise where.problem(f"article {text!r}: {error}") from error


def _version(record: JsonObject) -> Version:
    title, edition = split_edition(record.text("law"))
    if not title:
        raise record.problem("no 'law': every record names its law")
    validity, remark = _validity(record)
    start, made = validity.start, record.day("promulgated")
    how = record.text("how")
    notes = (remark, "" if how == "full text" else how, record.text("note"))
    return Version(
        title,
        record.text("version_label") or edition or (made.isoformat() if made else ""),
        validity,
        promulgated=made,
        instrument=(instrument_of(title, start=start, promulgated=made) or "") if start else "",
        holes=frozenset(_number(text, record) for text in record.texts("missing_articles")),
        source=Source(
            record.text("source_repo") or Path(record.path).name,
            path=record.text("source_path"),
            revision=record.text("source_commit"),
            as_of=_first_day(record, "as_of"),
        ),
        category=record.text("category"),
        note="; ".join(note for note in notes if note),
        text_as_of=_first_day(record, "text_as_of"),
        history=read_history(record.texts("history")),
    )


def _validity(record: JsonObject) -> tuple[Validity, str]:
    """The half-open window, and the remark on its end: ``unknown; superseded by …``."""
    last, text = record.day("valid_to"), record.text("valid_to_status").strip()
    status: DateStatus | None = "exact" if last else "unknown"
    if text:
        status = next((one for one in _STATUSES if text.startswith(one)), None)
    if status is None:
        raise record.problem(f"valid_to_status {text!r} is none of {', '.join(_STATUSES)}")
    end = DateRange.day(last).end if last else None  # in the file it is the last day in force
    try:
        validity = Validity(record.day("valid_from"), end, status, _evidence(record))
    except ValueError as error:
        raise record.problem(f"{record.text('law')}: {error}") from error
    return validity, text.removeprefix(status).strip(" ;()")


def _evidence(record: JsonObject) -> DateEvidence:
    source = record.text("valid_from_source")
    for beginning, kind in _EVIDENCE:
        if source.startswith(beginning):
            return kind
    return "unstated"


def _first_day(record: JsonObject, field: str) -> date | None:
    """The day of a state of things; of a year or month, its first day."""
    text = record.text(field)
    if not text:
        return None
    try:
        return LegalDate.parse(text).range.start
    except DateError as error:
        raise record.problem(f"{field}: {error}", field=field) from error
