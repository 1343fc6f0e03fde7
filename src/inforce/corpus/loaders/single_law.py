"""Files that hold one law each: plain text, Markdown and Word, and the dates that a text states.

Plain text (UTF-8, UTF-16 with a byte order mark, or GB18030) and Word files (.docx, as official
registers hand them out) have the title on the first line or lines, the note on adoption in
brackets, perhaps a table of contents, then headings and articles. Markdown in the manner of
LawRefBook/Laws has ``# title``, dated history lines, ``<!-- INFO END -->``, then headings (``##``,
``###``, ``####``) and paragraphs that begin with 第X条; the file's name may carry the date:
``公司法(2023-12-29).md``.

Such a file does not say until when it was in force: it is taken as in force when it was obtained.
It says of its own dates what its history lines and its last articles do. Together with other texts
of the law it is dated by `inforce.corpus.dating`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from inforce.corpus.loaders.checks import checked_law
from inforce.corpus.loaders.statute_text import (
    DAY,
    Article,
    Body,
    Split,
    TextLine,
    is_numbered,
    parse_body,
    split_header,
    split_title,
    text_lines,
)
from inforce.corpus.titles import split_edition
from inforce.documents.charset import Decoded, decode_strictly
from inforce.documents.document import Document
from inforce.documents.json_records import calendar_day
from inforce.errors import DateError, InputError
from inforce.law.final_provisions import FINAL_ARTICLES, read_final_provisions
from inforce.law.history import enactments, read_history
from inforce.law.model import (
    Act,
    Caption,
    DateEvidence,
    Provision,
    Source,
    Validity,
    Version,
    VersionText,
)
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import instrument_of

OPEN_NOTE = "taken as in force when obtained: the file does not say otherwise"
"""Why such a version is open."""
INFO_END = "<!-- INFO END -->"

_HEADING = re.compile(r"(#{1,6})\s*(.*)", re.DOTALL)
_LIST_ITEM = re.compile(r"[-*]\s+")
_COMMENT = re.compile(r"<!--.*-->", re.DOTALL)
_NAMED_DATE = re.compile(r"[（(]([0-9]{4}-[0-9]{2}-[0-9]{2})[）)]")
_WRITTEN_DAY = re.compile(DAY)
_BEGUN = re.compile(rf"本[^，。；\s]{{1,12}}自\s*({DAY})")


# -- formats ---------------------------------------------------------------------------------------


def parse_text(data: bytes, *, path: Path | str, source: Source) -> VersionText:
    """The law in a text file.

    Raises:
        InputError: if it is no text, no statute, or its articles are not in order; names the line.
    """
    decoded = decode_strictly(data, path=path)
    lines, remarks = text_lines(decoded.text), _decoding_remark(decoded)
    return law_of_lines(lines, path=path, source=source, remarks=remarks)


def parse_docx(data: bytes, *, path: Path | str, source: Source) -> VersionText:
    """The law in a Word file; lines in messages are paragraphs, counted with the empty ones.

    Raises:
        InputError: if it cannot be read whole, has tracked changes or automatic numbers (they are
            not part of the text), or as `parse_text`.
    """
    document = _word_document(data, path=path)
    has_tables = any(block.kind == "table_cell" for block in document.blocks)
    remarks = ("tables are left out",) if has_tables else ()
    return law_of_lines(_word_lines(document), path=path, source=source, remarks=remarks)


def docx_lines(data: bytes, *, path: Path | str) -> tuple[TextLine, ...]:
    """The lines of a Word file that are not blank, without tables.

    Raises:
        InputError: as `parse_docx`, but for what makes a law.
    """
    return _word_lines(_word_document(data, path=path))


def parse_lawrefbook(data: bytes, *, path: Path | str, source: Source) -> VersionText:
    """The law in a Markdown file.

    Raises:
        InputError: if it has no title, or its articles are not in order; names the line.
    """
    decoded = decode_strictly(data, path=path)
    lines = [_without_markdown(line) for line in text_lines(decoded.text)]
    if not lines or lines[0].level != 1 or not lines[0].text:
        raise InputError(
            "no title: the first line must be '# ' and the law's title", path=path, line=1
        )
    title, rest = "".join(lines[0].text.split()), lines[1:]
    end = next((i for i, line in enumerate(rest) if line.text == INFO_END), None)
    parts = split_header(rest) if end is None else Split(rest[:end], rest[end + 1 :])
    law = [line for line in parts.after if not _COMMENT.fullmatch(line.text)]
    body = parse_body(law, path=path)
    remarks = _decoding_remark(decoded)
    return single_law(title, parts.before, body, path=path, source=source, remarks=remarks)


def law_of_lines(
    lines: Sequence[TextLine], *, path: Path | str, source: Source, remarks: Sequence[str] = ()
) -> VersionText:
    """The law in the lines of a text, whatever they were read from.

    Raises:
        InputError: as `parse_text`.
    """
    titled = split_title(lines, path=path)
    parts = split_header(titled.rest)
    body = parse_body(parts.after, path=path)
    if all(each.number.kind == "whole" for each in body.articles) and not parts.before:
        reason = "no article (第一条 …), no point (一、…) and no note on adoption: not a statute"
        raise InputError(reason, path=path, line=1)
    return single_law(titled.title, parts.before, body, path=path, source=source, remarks=remarks)


def _decoding_remark(decoded: Decoded) -> tuple[str, ...]:
    is_unicode = decoded.encoding.startswith("utf")
    return () if is_unicode else (f"decoded from {decoded.encoding}",)


def _without_markdown(line: TextLine) -> TextLine:
    match = _HEADING.fullmatch(line.text)
    if match:
        return TextLine(line.number, match[2], len(match[1]))
    return TextLine(line.number, _LIST_ITEM.sub("", line.text, count=1))


def _word_document(data: bytes, *, path: Path | str) -> Document:
    from inforce.documents.parsing import shared_parser

    document = shared_parser().parse(data, name=str(path), format="docx")
    if document.omitted:
        raise InputError(f"too large for a law: {document.omitted}", path=path)
    changes = [change for block in document.blocks for change in block.revisions]
    if any(change.kind != "hidden" for change in changes):
        raise InputError("tracked changes: accept or reject them first", path=path)
    is_renumbered = any(block.numbered for block in document.blocks)
    if is_renumbered and not any(is_numbered(line) for line in _word_lines(document)):
        reason = "articles are numbered automatically: turn the numbers into text first"
        raise InputError(reason, path=path)
    return document


def _word_lines(document: Document) -> tuple[TextLine, ...]:
    return tuple(
        TextLine(block.paragraph.index + 1, text)
        for block in document.blocks
        if block.kind in ("heading", "paragraph") and block.paragraph is not None
        for line in document.block_text(block).split("\n")
        if (text := line.strip())
    )


# -- the version -----------------------------------------------------------------------------------


def single_law(
    title: str,
    header: Sequence[TextLine],
    body: Body,
    *,
    path: Path | str,
    source: Source,
    remarks: Sequence[str] = (),
) -> VersionText:
    """The version of a law that one file holds.

    Raises:
        InputError: if it has no text, or a date that no calendar has.
    """
    work, label = split_edition(title)
    provisions = [Provision(each.number, each.text, each.path) for each in body.articles]
    named = _named_date(path)
    _check_days(header, body.articles, path)
    dates = _stated_dates(work, header, provisions, named=named)
    made, start = dates.promulgated, dates.commenced
    annexes = (
        [] if body.annex_line is None else [f"annexes from line {body.annex_line} are left out"]
    )
    version = Version(
        work,
        label or (made.isoformat() if made else ""),
        Validity(start, None, "open", dates.evidence),
        promulgated=made,
        instrument=(instrument_of(work, start=start, promulgated=made) or "") if start else "",
        holes=_skipped(body.articles),
        source=source,
        note="; ".join((OPEN_NOTE, *annexes, *remarks)),
        history=dates.history,
    )
    headings = [(each.number, "".join(each.editorials)) for each in body.articles]
    try:
        return checked_law(version, provisions, captions=editorial_captions(headings, version))
    except ValueError as error:
        raise InputError(f"{work}: {error}", path=path) from error


def editorial_captions(
    headings: Sequence[tuple[ProvisionNumber, str]], version: Version
) -> tuple[Caption, ...]:
    """Headings that an editor put before provisions, for as long as the version was in force.

    A caption needs a window: those of a version whose dates are not known are dropped.
    """
    window = version.validity.window
    authority = f"editorial heading in {version.source.name}"
    return tuple(
        Caption(number, text.removeprefix("【").removesuffix("】"), window, authority)
        for number, text in headings
        if window is not None and text
    )


def _skipped(articles: Sequence[Article]) -> frozenset[ProvisionNumber]:
    """Article numbers jumped over: repealed or lost, the file cannot say which; so, holes."""
    held = {each.number.main for each in articles if each.number.kind == "article"}
    missing = set(range(1, max(held, default=0))) - held
    return frozenset(ProvisionNumber.article(main) for main in missing)


# -- the dates it states ---------------------------------------------------------------------------


class _StatedDates(NamedTuple):
    history: tuple[Act, ...]
    promulgated: date | None
    commenced: date | None
    evidence: DateEvidence


def _stated_dates(
    title: str,
    header: Sequence[TextLine],
    provisions: Sequence[Provision],
    *,
    named: date | None,
) -> _StatedDates:
    """Read the dates a law states about itself.

    An amended law keeps the commencement clause of the text last published whole, so a clause older
    than the last act says nothing about the text at hand.

    Args:
        title: the law's.
        header: the lines between the title and the first article.
        provisions: the articles, in order.
        named: the date in the file's name, used where the header has none.
    """
    acts = read_history([line.text for line in header])
    made = enactments(acts)
    promulgated = (made[-1].promulgated or made[-1].passed) if made else named
    begun = [act.day for act in acts if act.kind == "in force"]
    current = [day for day in begun if promulgated is None or day >= promulgated]
    if current:
        return _StatedDates(acts, promulgated, max(current), "header")
    final = read_final_provisions(title, provisions)
    commenced = final.commenced
    if commenced is None and final.on_promulgation and len(made) == 1:
        # An act of the National People's Congress is published on the day it is passed.
        at_once = any(act.kind == "promulgated" or "全国人民代表大会" in act.body for act in acts)
        commenced = promulgated if at_once else None
    if commenced is not None and (promulgated is None or commenced >= promulgated):
        return _StatedDates(acts, promulgated, commenced, "clause")
    return _StatedDates(acts, promulgated, None, "header" if acts else "unstated")


def _check_days(header: Sequence[TextLine], articles: Sequence[Article], path: Path | str) -> None:
    """Refuse a text whose header or last articles name a day that no calendar has."""
    written = [(one.number, day) for one in header for day in _WRITTEN_DAY.findall(one.text)]
    last = articles[-FINAL_ARTICLES:]
    written += [(one.line, day) for one in last for day in _BEGUN.findall(one.text)]
    for line, day in written:
        try:
            calendar_day("".join(day.split()))
        except DateError as error:
            raise InputError(str(error), path=path, line=line) from error


def _named_date(path: Path | str) -> date | None:
    match = _NAMED_DATE.search(Path(path).name)
    try:
        return calendar_day(match[1]) if match else None
    except DateError as error:
        raise InputError(f"the date in the file's name: {error}", path=path) from error
