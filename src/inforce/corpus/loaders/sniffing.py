"""What kind of file this is, judged by its first bytes and never by its name."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Literal, get_args

from inforce.corpus.loaders.git_history import is_bundle
from inforce.corpus.loaders.lawrefbook import INFO_END
from inforce.corpus.loaders.layout import is_numbered, text_lines
from inforce.documents.charset import looks_like_utf8
from inforce.documents.files import GZIP, open_file
from inforce.errors import InputError

Format = Literal[
    "jsonl", "lawrefbook", "law-chunks", "docx", "text", "timeline", "just-laws", "git"
]

FORMATS: tuple[Format, ...] = get_args(Format)

HEAD = 64 * 1024
"""How many bytes are looked at."""

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


def sniff(path: Path) -> Format:
    """The format of a file.

    Raises:
        InputError: if it is none of them; quotes nothing of what may be somebody's secret.
    """
    with open_file(path) as stream:
        return sniff_bytes(stream.read(HEAD), path=path)


def sniff_bytes(head: bytes, *, path: Path | str) -> Format:
    """The format of a file that begins so; see `sniff`."""
    if head.startswith(GZIP):
        head = _unpacked(head, path)
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
        return _json(text, path)
    return _prose(text, path)


def _unpacked(head: bytes, path: Path | str) -> bytes:
    """What the beginning of a gzip file unpacks to; that it is cut off does no harm."""
    try:
        return zlib.decompressobj(wbits=31).decompress(head, HEAD)
    except zlib.error as error:
        raise InputError(f"damaged compressed data: {error}", path=path) from error


def _decoded(head: bytes) -> str:
    """The head as text, good enough to look at: a character cut in two at its end does no harm."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", errors="replace")
    encoding = "utf-8" if looks_like_utf8(head) else "gb18030"
    return head.decode(encoding, errors="replace")


def _json(text: str, path: Path | str) -> Format:
    keys = set(_KEY.findall(text))
    if _TIMELINE.search(text):
        return "timeline"
    if "parts" in keys or "article_no" in keys or text.startswith("["):
        return "law-chunks"
    if "articles" in keys:
        return "jsonl"
    if keys & {"valid_from", "effective_date", "start_date", "t_from"}:
        return "law-chunks"
    raise InputError("JSON of an unknown kind: it has none of the fields of a law", path=path)


def _prose(text: str, path: Path | str) -> Format:
    numbered = any(is_numbered(line) for line in text_lines(text.replace("#", "")))
    if text.startswith("#") and (numbered or INFO_END in text):
        return "lawrefbook"
    if numbered:
        return "text"
    raise InputError("no article (第一条 …) in sight", path=path)
