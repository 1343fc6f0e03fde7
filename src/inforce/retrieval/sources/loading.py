"""Documents for a source, out of files: JSON lines, CSV, criminal cases, a list of titles.

A record needs an ``id`` (made from the content if missing) and a ``text``; it may have ``title``,
``date``, ``valid_from``, ``valid_to`` (last day in force), ``status``, ``issuer``, ``region``,
``section``, ``url``, and any other field, which is kept among the details. Records of CAIL2018
(``fact`` and ``meta``) are recognised. What cannot be read is reported with its line; the rest is
loaded. docs/sources.md shows each form.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from inforce.dates import DateRange, LegalDate
from inforce.documents.charset import decode_strictly
from inforce.documents.files import MAX_LINE, OnProblem, open_file, read_file
from inforce.documents.json_records import JsonObject, json_objects, parse_json
from inforce.errors import DateError, InputError
from inforce.retrieval.sources.exclusion import fact_hash, is_excluded
from inforce.retrieval.sources.passages import passages
from inforce.retrieval.sources.source import (
    PASSAGE_MARK,
    WRITTEN_DATE,
    SourceDocument,
    SourceName,
)

IN_PASSAGES: frozenset[SourceName] = frozenset({"guideline", "interpretation", "book"})
"""Sources whose documents are long and are found by passage; a precedent is found whole."""

MAX_ID = 200
"""Characters of an id."""

IN_FORCE = frozenset({"现行有效", "有效", "in force"})
"""Status by which registers mark a text in force. 试行 (on trial) is not among them:
it says how a text was issued, not whether it still holds."""

_FIELDS = frozenset(
    {"id", "title", "text", "date", "issuer", "region", "section", "url", "valid_from", "valid_to"}
)
_LEFT_OUT = frozenset({"raw", "n_seen", "hints", "fact", "is_criminal", "lecard_qid", "heading"})
"""Fields that benchmark files have for their own use, or have twice."""

_SHORTEST_DAY = len("2020-1-1")
_SOURCE = ("source_repo", "source_commit", "source_path")

_CALLED: Mapping[str, str] = {"doc_no": "document_number", "implement_date": "implemented"}
"""Names of known fields among the details."""

OnExcluded = Callable[[str], None]
"""Called with the id of each document that was kept out as a fact of an evaluation."""


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """The documents of files, as a stream that can be read any number of times.

    Raises:
        InputError: on reading, if a file does not exist or is none that can be read.
    """

    paths: tuple[Path, ...]
    source: SourceName
    on_problem: OnProblem
    whole: bool = False
    """Keep long documents in one piece."""
    exclude: frozenset[str] = frozenset()
    """Fingerprints of facts to be kept out (`inforce.retrieval.sources.exclusion`)."""
    on_excluded: OnExcluded | None = None

    def __iter__(self) -> Iterator[SourceDocument]:
        for path in self.paths:
            for document in load_documents(
                path,
                on_problem=self.on_problem,
                exclude=self.exclude,
                on_excluded=self.on_excluded,
            ):
                if self.source in IN_PASSAGES and not self.whole:
                    yield from passages(document)
                else:
                    yield document

    @property
    def fingerprint(self) -> str:
        """A name of this input, another one as soon as a file or an option changes."""
        digest = hashlib.sha256(f"{self.source} {self.whole}".encode())
        for path in self.paths:
            status = path.stat()
            digest.update(f"{path.resolve()} {status.st_size} {status.st_mtime_ns}\n".encode())
        digest.update("".join(sorted(self.exclude)).encode())
        return digest.hexdigest()


def load_documents(
    path: Path,
    *,
    on_problem: OnProblem,
    exclude: frozenset[str] = frozenset(),
    on_excluded: OnExcluded | None = None,
) -> Iterator[SourceDocument]:
    """Yield the documents in a file, one at a time.

    Args:
        path: JSON lines (plain or gzipped), ``.csv``, or ``.json`` with a list of records.
        on_problem: called with each record that was left out, with its line.
        exclude: fingerprints of facts that must not be loaded.
        on_excluded: called with the id of each document kept out for that.

    Raises:
        InputError: if the file does not exist, cannot be read, or is not of its form as a whole.
    """
    for record in _records(path, on_problem):
        try:
            document = _document(record)
        except InputError as error:
            on_problem(error)
            continue
        facts = [text for text in (record.text("fact"), document.text) if text]
        if not is_excluded(facts, exclude):
            yield document
        elif on_excluded:
            on_excluded(document.id)


def _records(path: Path, on_problem: OnProblem) -> Iterator[JsonObject]:
    suffixes = [one for one in path.suffixes if one != ".gz"]
    form = suffixes[-1].lower() if suffixes else ""
    if form == ".csv":
        yield from _csv_records(path)
    elif form == ".json":
        yield from _json_records(path)
    else:
        with open_file(path) as stream:
            yield from json_objects(stream, path=path, on_problem=on_problem)


def _json_records(path: Path) -> Iterator[JsonObject]:
    """Yield the records of a list, or of an object with such a list as ``items``."""
    value = parse_json(decode_strictly(read_file(path), path=path).text, path=path)
    if isinstance(value, dict):
        value = cast("dict[str, object]", value).get("items")
    if not isinstance(value, list):
        raise InputError("expected a list of records, or an object with 'items'", path=path)
    for number, item in enumerate(cast("list[object]", value), 1):
        if not isinstance(item, dict):
            raise InputError(f"item {number} is no object", path=path)
        yield JsonObject(cast("dict[str, object]", item), path)


def _csv_records(path: Path) -> Iterator[JsonObject]:
    csv.field_size_limit(MAX_LINE)
    rows = csv.DictReader(
        io.StringIO(decode_strictly(read_file(path), path=path).text), strict=True
    )
    try:
        if "text" not in (rows.fieldnames or ()):
            raise InputError("the first line must name the columns, 'text' among them", path=path)
        for row in rows:
            if None in row:
                raise InputError("more cells than columns", path=path, line=rows.line_num)
            values = {name: cell for name, cell in row.items() if cell and cell.strip()}
            yield JsonObject(values, path, rows.line_num)
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", path=path, line=rows.line_num) from error


def _document(record: JsonObject) -> SourceDocument:
    if "fact" in record.values and isinstance(record.values.get("meta"), dict):
        return _case_document(record)
    title, text = record.text("title").strip(), record.text("text").strip()
    if not text and not (title and record.text("doc_no", "document_number")):
        raise record.problem("no 'text': every record needs one")
    details = _details(record)
    # Where only the month or the year is known, the date is kept as it is written.
    day = record.day("date") if len(record.text("date")) >= _SHORTEST_DAY else None
    if day is None and (written := _written_date(record)):
        details[WRITTEN_DATE] = written
    if not text:
        details["text"] = "not held: only title and number are known"
    return SourceDocument(
        _id(record, title, text),
        title or text.splitlines()[0][:40],
        text,
        date=day,
        valid=_days_in_force(record),
        issuer=record.text("issuer"),
        region=record.text("region"),
        section=record.text("section"),
        url=record.text("url"),
        details=details,
    )


def _days_in_force(record: JsonObject) -> DateRange | None:
    """Return the days from ``valid_from`` (``implement_date``) to ``valid_to``, the last in force.

    Nothing is taken to be in force without evidence: ``None`` unless both ends are known, the first
    day, and either the last one or the word of a register (``status``) that there is none yet. What
    the register said stays in the details, so that a reader sees it.

    Raises:
        InputError: if a date cannot be read, or the text ended before it began.
    """
    first, last = record.day("valid_from", "implement_date"), record.day("valid_to")
    if first is None:
        return None
    if last is None:
        return DateRange(first, None) if record.text("status").strip() in IN_FORCE else None
    try:
        return DateRange.inclusive(first, last)
    except DateError as error:
        raise record.problem(f"valid_from and valid_to: {error}") from error


def _id(record: JsonObject, title: str, text: str) -> str:
    given = record.value("id")
    if given is None:
        return f"text-{fact_hash(title + text)[:16]}"
    name = str(given).strip() if isinstance(given, str | int) else ""
    if not name or len(name) > MAX_ID or PASSAGE_MARK in name:
        raise record.problem(
            f"'id' must be a text of 1 to {MAX_ID} characters without {PASSAGE_MARK!r} "
            "(which marks passages)"
        )
    return name


def _written_date(record: JsonObject) -> str:
    """Return a year or a month as written, ``2020`` or ``2020-06``; empty if there is none."""
    text = record.text("date").strip()
    try:
        return LegalDate.parse(text).isoformat() if text else ""
    except DateError as error:
        raise record.problem(f"date: {error}") from error


def _details(record: JsonObject) -> dict[str, str]:
    """Return every other field as text; ``valid_from`` too where no end is known."""
    written = record.value("details")
    more = cast("dict[str, object]", written) if isinstance(written, dict) else {}
    fields = {**record.values, **more}
    details = {
        _CALLED.get(name, name): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in fields.items()
        if name not in _FIELDS.union(_LEFT_OUT, _SOURCE) and isinstance(value, str | int | float)
    }
    if taken_from := ":".join(filter(None, map(record.text, _SOURCE))):
        details["source"] = taken_from
    if record.value("valid_from") and not record.value("valid_to"):
        details["valid_from"] = record.text("valid_from")
    return {name: text for name, text in details.items() if text}


def _case_document(record: JsonObject) -> SourceDocument:
    """Return a criminal judgment as a document: the fact as text, the outcome as details.

    ``{"fact": "...", "meta": {"accusation": ["盗窃"], "relevant_articles": [264], "criminals": [],
    "punish_of_money": 1000, "term_of_imprisonment": {"imprisonment": 6, "death_penalty": false,
    "life_imprisonment": false}}}``; months, yuan, and articles of the Criminal Law. The form has no
    day of judgment.

    Raises:
        InputError: if there is no fact, or a field is not what the form says.
    """
    fact = record.text("fact").strip()
    if not fact:
        raise record.problem("'fact' is empty: a case needs one")
    meta = record.object("meta")
    # Some files of CAIL2018 bracket names: ``[盗窃]``, ``[走私、贩卖]毒品``.
    charges = [one.replace("[", "").replace("]", "") for one in _words(meta, "accusation")]
    details = {
        "charges": "、".join(charges),
        "articles": "、".join(_words(meta, "relevant_articles")),
        "fine_yuan": _count(meta, "punish_of_money"),
        **_term(meta),
    }
    return SourceDocument(
        record.text("id") or f"case-{fact_hash(fact)[:16]}",
        f"{'、'.join(_words(meta, 'criminals')[:1])}{'、'.join(charges) or '刑事'}案",
        fact,
        details={name: text for name, text in details.items() if text},
    )


def _term(meta: JsonObject) -> dict[str, str]:
    if not isinstance(meta.value("term_of_imprisonment"), dict):
        return {}
    term = meta.object("term_of_imprisonment")
    if term.value("death_penalty") is True:
        return {"sentence": "死刑"}
    if term.value("life_imprisonment") is True:
        return {"sentence": "无期徒刑"}
    return {"imprisonment_months": _count(term, "imprisonment")}


def _words(meta: JsonObject, name: str) -> list[str]:
    """Return a list of words or numbers; empty where it is missing."""
    value = meta.value(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise meta.problem(f"{name!r} must be a list")
    return [str(one) for one in cast("Iterable[object]", value)]


def _count(meta: JsonObject, name: str) -> str:
    """Return months or yuan; empty where they are missing or a number below 0 (a special case)."""
    value = meta.value(name)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise meta.problem(f"{name!r} must be a number")
    return f"{value:g}" if value >= 0 else ""
