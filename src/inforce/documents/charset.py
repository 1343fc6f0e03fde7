"""Detects the encoding of a text and decodes it; Chinese court pages are often GBK.

A byte order mark decides; then UTF-8 where it fits, because other encodings hardly ever fit it by
chance and declarations are often wrong; then what is declared; detection among the encodings of
Chinese and English legal texts last. GB 2312 and GBK are read as GB 18030, which holds both.

A statute is read by `decode_strictly`: detection may be wrong by a character, and a law may not.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from inforce.errors import InputError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DETECTED = ["utf_8", "utf_16", "gb18030", "big5", "cp1252"]
"""An open list would guess too freely."""
_TOO_SHORT = 32
"""Bytes below which detection is a guess between GB 18030 and Big5."""
_SAMPLE = 256 * 2**10
"""Bytes by which an encoding is detected."""
_META = re.compile(rb"<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([\w.:-]{2,40})", re.I)
_XML = re.compile(rb"<\?xml[^>]{0,100}?encoding\s{0,9}=\s{0,9}[\"']([\w.:-]{2,40})", re.I)
_DECLARED_WITHIN = 4_096
_TEXT_ENCODINGS = re.compile(
    r"utf-8|utf-16(?:-[lb]e)?|gb18030|big5(?:hkscs)?|cp(?:125\d|866|874|932|949|950)"
    r"|iso8859-\d+|koi8-[ru]|shift_jis|euc_(?:jp|kr)|iso2022_jp"
)
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
    "big5": "big5hkscs",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
}
_TOO_MANY_UNREADABLE = 0.01
"""Share of characters that cannot be read, above which an encoding is not believed."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and the encoding it was found to be in."""

    text: str
    encoding: str

    @property
    def is_text(self) -> bool:
        """Whether (nearly) all bytes stand for characters, and none for NUL."""
        unreadable = self.text.count("\ufffd")
        return "\0" not in self.text and unreadable <= _TOO_MANY_UNREADABLE * len(self.text)


def decode(data: bytes, *, declared: str = "") -> Decoded:
    """Decode any bytes; those that stand for nothing become U+FFFD.

    Args:
        data: a text file, or a web page as it was sent.
        declared: the encoding a server named.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(data.decode(encoding, errors="replace"), encoding)
    with suppress(UnicodeError):
        text = data.decode("utf-8")
        if "\0" not in text:
            return Decoded(text, "utf-8")
    for encoding in filter(None, map(encoding_of, (declared, _declared_inside(data)))):
        found = Decoded(data.decode(encoding, errors="replace"), encoding)
        if found.is_text:
            return found
    encoding = _detected(data)
    return Decoded(data.decode(encoding, errors="replace").removeprefix("\ufeff"), encoding)


def encoding_of(label: str) -> str:
    """Return the codec for a label; empty for one that names no encoding of text.

    >>> encoding_of("GB2312"), encoding_of("rot13"), encoding_of("utf8")
    ('gb18030', '', 'utf-8')
    """
    try:
        name = codecs.lookup(label).name if label else ""
    except (LookupError, UnicodeError, ValueError):
        return ""
    name = _WIDER.get(name, name)
    return name if _TEXT_ENCODINGS.fullmatch(name) else ""


def _declared_inside(data: bytes) -> str:
    """Return the encoding that an HTML or XML text declares."""
    head = data[:_DECLARED_WITHIN]
    match = _META.search(head) or _XML.search(head)
    label = match[1].decode("ascii", errors="ignore") if match else ""
    return "" if label.lower().startswith("utf-16") else label  # it was readable as ASCII


def _detected(data: bytes) -> str:
    from charset_normalizer import from_bytes

    found = from_bytes(data[:_SAMPLE], cp_isolation=_DETECTED).best()
    likely = ["gb18030"] if len(data) < _TOO_SHORT else []
    for encoding in (*likely, found.encoding if found else "", "gb18030"):
        with suppress(UnicodeError, LookupError):
            data.decode(encoding)
            return encoding
    return "utf-8"


def decode_strictly(data: bytes, *, path: Path | str) -> Decoded:
    """Decode bytes as UTF-8, UTF-16 with a byte order mark, or GB18030, if every byte fits.

    Raises:
        InputError: if it is none of them, or holds NUL characters; names the first bad line.
    """
    encodings = list(_possible(data))
    failures: list[UnicodeDecodeError] = []
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            failures.append(error)
            continue
        if (nul := text.find("\0")) >= 0:
            reason = "a NUL character: this is not a text file"
            raise InputError(reason, path=path, line=text.count("\n", 0, nul) + 1)
        return Decoded(text, encoding)
    reason = f"a character that is not {' nor '.join(encodings)}; save the file as UTF-8"
    line = data.count(b"\n", 0, failures[0].start) + 1
    raise InputError(reason, path=path, line=line)


def _possible(data: bytes) -> Iterator[str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            yield encoding
            return
    yield "utf-8"
    if not looks_like_utf8(data):
        yield "gb18030"


def looks_like_utf8(data: bytes) -> bool:
    """Return whether bytes are UTF-8, perhaps damaged; GB18030 read as UTF-8 is all damage."""
    text = data.decode("utf-8", errors="replace")
    foreign = len(text) - len(text.encode("ascii", errors="ignore"))
    return text.count("\ufffd") * 4 <= foreign
