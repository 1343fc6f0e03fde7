"""`load`: any file, or a folder of them, as a stream of versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from inforce.corpus.loaders.docx import parse_docx
from inforce.corpus.loaders.git_history import is_repository, read_git_history
from inforce.corpus.loaders.jsonl import read_jsonl
from inforce.corpus.loaders.law_chunks import parse_law_chunks
from inforce.corpus.loaders.law_folder import README, is_law_folder, parse_law_folder
from inforce.corpus.loaders.lawrefbook import parse_lawrefbook
from inforce.corpus.loaders.plain_text import parse_text
from inforce.corpus.loaders.sniffing import Format, sniff
from inforce.corpus.timeline_json import parse_timeline
from inforce.documents.charset import decode_strictly
from inforce.documents.files import OnProblem, folder_entries, read_file
from inforce.documents.json_records import JsonFile
from inforce.errors import InputError
from inforce.law.model import Source, VersionText


class _SingleLaw(Protocol):
    def __call__(self, data: bytes, *, path: Path | str, source: Source) -> VersionText: ...


_SINGLE_LAW: Mapping[Format, _SingleLaw] = {
    "lawrefbook": parse_lawrefbook,
    "docx": parse_docx,
    "text": parse_text,
}
"""Formats in which one file is one law, and that do not say until when it was in force."""


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
        chosen = format or _sniffed(path, on_problem)
        if chosen is None:
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


def _sniffed(path: Path, on_problem: OnProblem) -> Format | None:
    try:
        return sniff(path)
    except InputError as error:
        on_problem(InputError(f"skipped: {error.reason}", path=path, line=error.line))
        return None


def _file(
    path: Path, format: Format, source: Source, on_problem: OnProblem
) -> Iterator[VersionText]:
    try:
        yield from _texts(path, format, source, on_problem)
    except InputError as error:
        on_problem(error)


def _texts(
    path: Path, format: Format, source: Source, on_problem: OnProblem
) -> Iterator[VersionText]:
    if format == "jsonl":
        yield from read_jsonl(path, on_problem=on_problem)
        return
    if format == "git":
        yield from read_git_history(path, name=source.name, on_problem=on_problem)
        return
    data = read_file(path)
    if format == "law-chunks":
        yield from parse_law_chunks(data, path=path, source=source, on_problem=on_problem)
    elif format == "timeline":
        yield from parse_timeline(JsonFile(str(path), decode_strictly(data, path=path).text))
    else:
        yield _SINGLE_LAW[format](data, path=path, source=source)
