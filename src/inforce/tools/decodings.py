"""Other readings of a text: what it says once the codes that anybody can undo are undone."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_plus

MOST: Final = 24
"""Readings of one text that are looked at."""

_SHORTEST: Final = 12
"""Characters from which a word may be a code."""

_ESCAPE = re.compile(r"\\?[uU]\+?([0-9a-fA-F]{4,6})|\\x([0-9a-fA-F]{2})")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){6,}")
_BASE_32 = re.compile(r"[A-Z2-7]{16,}")
_BASE_64 = re.compile(rf"[A-Za-z0-9+/_-]{{{_SHORTEST},}}")
_PRINTABLE: Final = 0.9


def decodings(text: str) -> tuple[str, ...]:
    """The text, and what it says in percent signs, entities, escapes, base 16, 32 and 64.

    Codes in codes are undone twice.

    >>> "张三" in "".join(decodings("q=5byg5LiJ5qyg5qy+"))
    True
    """
    found = {text: None}
    level = [text]
    for _ in range(2):
        level = [other for one in level for other in _readings(one) if other not in found]
        for one in level:
            if len(found) < MOST:
                found[one] = None
    return tuple(found)


def _readings(text: str) -> Iterator[str]:
    yield unquote_plus(text)
    yield html.unescape(text)
    yield _ESCAPE.sub(_character, text)
    for written in dict.fromkeys((text, "".join(text.split()))):
        for pattern, decoder in ((_HEX, _base_16), (_BASE_32, _base_32), (_BASE_64, _base_64)):
            decoded = (one for word in pattern.findall(written) for one in decoder(word))
            yield "\n".join(decoded)


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2], 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else " "


def _base_16(word: str) -> Iterator[str]:
    yield from _texts(bytes.fromhex(word))
    if len(word) > 2:
        yield from _texts(bytes.fromhex(f"{word[1:]}0"[: len(word) // 2 * 2]))


def _base_32(word: str) -> Iterator[str]:
    whole = word[: len(word) // 8 * 8]
    yield from _texts(base64.b32decode(whole))


def _base_64(word: str) -> Iterator[str]:
    """Also where the code does not begin with the word: other letters may stand before it."""
    for start in range(4):
        plain = word[start:].replace("-", "+").replace("_", "/")
        try:
            yield from _texts(base64.b64decode(plain[: len(plain) // 4 * 4]))
        except binascii.Error:
            continue


def _texts(data: bytes) -> Iterator[str]:
    """What bytes say, in the character sets in which they say something."""
    for charset in ("utf-8", "utf-16-le", "gb18030"):
        said = data.decode(charset, "ignore")
        if said and sum(map(str.isprintable, said)) > _PRINTABLE * len(said):
            yield said
