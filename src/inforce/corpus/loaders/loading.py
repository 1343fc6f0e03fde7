"""Any file, or a folder of them, as a stream of versions, by the format of its first bytes."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

from inforce.corpus.loaders.git_history import is_bundle, is_repository, read_git_history
from inforce.corpus.loaders.jsonl import read_jsonl
from inforce.corpus.loaders.law_chunks import FIRST_DAY, parse_law_chunks
from inforce.corpus.loaders.law_folder import README, is_law_folder, parse_law_folder
from inforce.corpus.loaders.single_law import INFO_END, parse_docx, parse_lawrefbook, parse_text
from inforce.corpus.loaders.statute_text import is_numbered, text_lines
from inforce.corpus.timeline_json import parse_timeline
from inforce.documents.charset import looks_like_utf8
from inforce.documents.files import GZIP, OnProblem, folder_entries, open_file, read_file
from inforce.documents.json_records import JsonFile
from inforce.errors import InputError
from inforce.law.model import Source, VersionText

Format = Literal[
    "jsonl", "lawrefbook", "law-chunks", "docx", "text", "timeline", "just-laws", "git"
]

FORMATS: tuple[Format, ...] = get_args(Format)

HEAD = 64 * 1024
"""Bytes that are read to find out the format."""

_KEY = re.compile(r'"([^"\\]{1,40})"\s*:')
_TIMELINE = re.compile(r'"format"\s*:\s*"inforce-timeline/')
_FOREIGN = (
    (b"SQLite format 3\0", "an SQLite database"),
    (b"%PDF", "a PDF: save it as text or .docx"),
    (b"\xd0\xcf\x11\xe0", "an old Word file (.doc): save it as .docx"),
    (b"7z\xbc\xaf", "a 7z archive: unpack it"),
    (b"BZh", "bzip2: unpack it, or pack it with gzip"),
    (b"\xfd7zXZ", "xz: unpack it, or pack it with gzip"),
)


def load(
    path: Path, *, format: Format | None = None, on_problem: OnProblem
) -> Iterator[VersionText]:
    """The versions of laws in a file, or in all files of a folder and its subfolders.

    A law of which anything cannot be read is left out whole and reported; so is a file of a folder
    that is none of the known formats (as "skipped"). Folders are walked in order of name; hidden
    files and links are passed over, and a link out of the folder is reported. A git repository, or
    a bundle of one, is read with all its commits (see `inforce.corpus.loaders.git_history`); a
    folder that is one law in several files, as one.

    Args:
        path: the file or folder.
        format: what to read it as; by default each file is looked at.
        on_problem: called with everything that was left out, with file and line.

    Raises:
        InputError: at once, if the path does not exist or is one file of no known format.
    """
    if path.is_dir() and (format == "git" or (format is None and is_repository(path))):
        return read_git_history(path, name=path.name, on_problem=on_problem)
    if path.is_dir():
        return _folder(path, path, format, on_problem)
    chosen = format or sniff(path)
    return _file(path, chosen, Source(path.name), on_problem)


def _folder(
    folder: Path, root: Path, format: Format | None, on_problem: OnProblem
) -> Iterator[VersionText]:
    entries = folder_entries(folder, root=root, on_problem=on_problem)
    if format in (None, "just-laws") and (files := _law_files(folder, entries)):
        where = folder.relative_to(root).as_posix()
        source = Source(root.name)
        yield from parse_law_folder(files, path=where, source=source, on_problem=on_problem)
        return
    for path in entries:
        if path.is_dir():
            yield from _folder(path, root, format, on_problem)
            continue
        try:
            chosen = format or sniff(path)
        except InputError as error:
            on_problem(InputError(f"skipped: {error.reason}", path=path, line=error.line))
            continue
        source = Source(root.name, path=path.relative_to(root).as_posix())
        yield from _file(path, chosen, source, on_problem)


def _law_files(folder: Path, entries: Sequence[Path]) -> dict[str, bytes]:
    """The files of a folder that is one law, by name; empty if it is none."""
    if not any(path.name == README for path in entries):
        return {}
    names = [path for path in entries if path.is_file() and path.suffix in (".md", ".json")]
    below = [*folder.glob("versions/*/*.md")]
    try:
        files = {path.relative_to(folder).as_posix(): read_file(path) for path in (*names, *below)}
    except InputError:
        return {}
    return files if is_law_folder(files) else {}


def _file(
    path: Path, format: Format, source: Source, on_problem: OnProblem
) -> Iterator[VersionText]:
    try:
        match format:
            case "jsonl":
                yield from read_jsonl(path, on_problem=on_problem)
            case "git":
                yield from read_git_history(path, name=source.name, on_problem=on_problem)
            case "just-laws":
                reason = f"not in a folder that is one law: no {README} with its title beside it"
                raise InputError(reason, path=path)
            case "timeline":
                yield from parse_timeline(JsonFile.read(path))
            case "law-chunks":
                data = read_file(path)
                yield from parse_law_chunks(data, path=path, source=source, on_problem=on_problem)
            case "docx":
                yield parse_docx(read_file(path), path=path, source=source)
            case "lawrefbook":
                yield parse_lawrefbook(read_file(path), path=path, source=source)
            case "text":
                yield parse_text(read_file(path), path=path, source=source)
    except InputError as error:
        on_problem(error)


# -- what kind of file it is -----------------------------------------------------------------------


def sniff(path: Path) -> Format:
    """The format of a file, judged by its first bytes and never by its name.

    Raises:
        InputError: if it is none of them; quotes nothing of what may be somebody's secret.
    """
    with open_file(path) as stream:
        return sniff_bytes(stream.read(HEAD), path=path)


def sniff_bytes(head: bytes, *, path: Path | str) -> Format:
    """The format of a file that begins so; see `sniff`."""
    if head.startswith(GZIP):
        try:  # that the head is cut off does no harm
            head = zlib.decompressobj(wbits=31).decompress(head, HEAD)
        except zlib.error as error:
            raise InputError(f"damaged compressed data: {error}", path=path) from error
    if not head.strip():
        raise InputError("an empty file", path=path)
    if is_bundle(head):
        return "git"
    if head.startswith(b"PK\x03\x04"):
        return "docx"  # or another zip archive: the reader of Word files says so
    for magic, name in _FOREIGN:
        if head.startswith(magic):
            raise InputError(f"{name}; this cannot be loaded", path=path)
    text = _decoded(head).lstrip("\ufeff \t\r\n")
    if text.startswith(("{", "[")):
        return _json_format(text, path)
    numbered = any(is_numbered(line) for line in text_lines(text.replace("#", "")))
    if text.startswith("#") and (numbered or INFO_END in text):
        return "lawrefbook"
    if numbered:
        return "text"
    raise InputError("no article (第一条 …) in sight", path=path)


def _decoded(head: bytes) -> str:
    """The head as text, good enough to look at: a character cut in two at its end does no harm."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", errors="replace")
    encoding = "utf-8" if looks_like_utf8(head) else "gb18030"
    return head.decode(encoding, errors="replace")


def _json_format(text: str, path: Path | str) -> Format:
    keys = set(_KEY.findall(text))
    if _TIMELINE.search(text):
        return "timeline"
    if "parts" in keys or "article_no" in keys or text.startswith("["):
        return "law-chunks"
    if "articles" in keys:
        return "jsonl"
    if not keys.isdisjoint(FIRST_DAY):
        return "law-chunks"
    raise InputError("JSON of an unknown kind: it has none of the fields of a law", path=path)
