"""Which characters the bytes of a web page stand for; Chinese court pages are often GBK.

A byte order mark decides; then UTF-8 where it fits, because other encodings hardly ever fit it by
chance and declarations are often wrong; then what the server says, what the page says of itself,
GB 18030 where it fits, and detection last. GB 2312 and GBK are read as GB 18030, which holds both.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.IGNORECASE)
_DECLARED_WITHIN = 4_096
_TEXT_ENCODINGS = re.compile(
    r"utf-8|utf-16(?:-[lb]e)?|gb18030|big5(?:hkscs)?|cp(?:125\d|866|874|932|949|950)"
    r"|iso8859-\d+|koi8-[ru]|shift_jis|euc_(?:jp|kr)|iso2022_jp|ascii"
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
"""Share of characters that cannot be read, above which a declaration is not believed."""


def decode_page(content: bytes, *, declared: str = "") -> str:
    """The text of a page; bytes that stand for nothing become U+FFFD.

    Args:
        content: the page as sent.
        declared: the encoding the server named.
    """
    for mark, name in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, errors="replace")
    with suppress(UnicodeError):
        text = content.decode("utf-8")
        if "\0" not in text:
            return text
    for label in (declared, _inside(content)):
        name = encoding_of(label)
        if name:
            text = content.decode(name, errors="replace")
            if text.count("\ufffd") <= _TOO_MANY_UNREADABLE * len(text):
                return text
    return _detected(content)


def encoding_of(label: str) -> str:
    """The codec for a label; empty for one that names no encoding of text.

    >>> encoding_of("GB2312"), encoding_of("rot13"), encoding_of("utf8")
    ('gb18030', '', 'utf-8')
    """
    try:
        name = codecs.lookup(label).name if label else ""
    except (LookupError, UnicodeError, ValueError):
        return ""
    name = _WIDER.get(name, name)
    return name if _TEXT_ENCODINGS.fullmatch(name) else ""


def _inside(content: bytes) -> str:
    head = content[:_DECLARED_WITHIN]
    match = _META.search(head) or _XML.search(head)
    label = match[1].decode("ascii", errors="ignore") if match else ""
    return "" if label.lower().startswith("utf-16") else label  # it was readable as ASCII


def _detected(content: bytes) -> str:
    with suppress(UnicodeError):
        return content.decode("gb18030")
    from charset_normalizer import from_bytes

    found = from_bytes(content[:200_000]).best()
    name = encoding_of(found.encoding if found else "")
    return content.decode(name or "utf-8", errors="replace")
