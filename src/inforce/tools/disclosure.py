"""What a run may send to others once it has read private text.

A file may tell the model that reads it to send it away as a search query. So once a run has read
private text (the person's documents and tables), a call that goes out (web search, opening a page,
case law) is compared with it, in every script and common encoding, and is refused if it shares more
than a few words that neither the person wrote nor a published source contains. What no comparison
can see (a cipher, a paraphrase, a translation) is bounded in length. Dates, numbers of articles and
names of known laws disclose nothing by themselves and do not count.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal, cast
from urllib.parse import unquote_plus

from inforce.errors import MissingExtraError
from inforce.law.registry import KNOWN_WORKS

Reach = Literal["local", "published", "private", "outward"]
"""Where a tool works. ``private``: it reads what only the person has. ``outward``: its arguments
leave this machine. ``published``: it reads what anybody may read. ``local``: it computes."""

MOST_NEW: Final = 600
"""Characters of new words (a letter counts as a quarter) that a run with private text may send."""

MOST_PRIVATE: Final = 200_000
"""Characters of private text a run can compare with; one that read more sends nothing."""

_LONGEST_CODE: Final = 32
"""Letters and digits without a space that neither the person nor a published source wrote."""

MOST_DECODINGS: Final = 24
"""Decodings of one text that are compared."""
_SHORTEST_ENCODED: Final = 12
"""Characters from which a word may be an encoded text."""
_PRINTABLE: Final = 0.9
"""Share of printable characters from which decoded bytes are a text."""
_ESCAPE = re.compile(r"\\?[uU]\+?([0-9a-fA-F]{4,6})|\\x([0-9a-fA-F]{2})")
_BASE_16 = re.compile(r"(?:[0-9a-fA-F]{2}){6,}")
_BASE_32 = re.compile(r"[A-Z2-7]{16,}")
_BASE_64 = re.compile(rf"[A-Za-z0-9+/_-]{{{_SHORTEST_ENCODED},}}")

_CODE = re.compile(r"[!-~]{40,}")
_DISCLOSES_NOTHING = re.compile(
    r"(?:19|20)\d\d\s{0,2}年(?:\s{0,2}\d{1,2}\s{0,2}月(?:\s{0,2}\d{1,2}\s{0,2}日)?)?"
    r"|(?<!\d)(?:19|20)\d\d-\d{1,2}-\d{1,2}(?!\d)"
    r"|第[零〇一二三四五六七八九十百千\d]{1,8}[编章节条款项](?:之[一二三四五六七八九十\d]{1,2})?"
)

Why = Literal["shared", "pieces", "code", "volume", "too_much"]


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Why a call would disclose private text.

    ``shared``: a passage of it in one piece. ``pieces``: a passage put together from several
    queries or calls, or many words of many passages. ``code``: a long word nobody else wrote.
    ``volume``: more new words than a run with private text may send. ``too_much``: there is too
    much private text to compare with.
    """

    why: Why
    characters: int
    """Shared, or to be sent."""
    sources: tuple[str, ...]
    """Tools that read the private text."""


@dataclass(frozen=True, slots=True)
class _Script:
    """A kind of writing (ideographs, alphabets), and how much in it is more than a few words."""

    of_sent: Callable[[str], str]
    """The characters of a text that goes out, as they are compared."""
    of_read: Callable[[str], str]
    """The characters of a text that was read, as they are compared."""
    gram: int
    passage: float
    """Weight from which a passage in one piece is refused."""
    piece: int
    pieced: float
    """Weight from which a passage put together from pieces is refused."""
    pieces: float
    """Weight of all pieces, of whatever passages, that may be sent in a run."""


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _is_ideograph(character: str) -> bool:
    return character >= "\u2e80" and character.isalpha()


def _characters(text: str) -> str:
    """Ideographs and digits; anything may be between them."""
    return "".join(one for one in text if one.isdigit() or _is_ideograph(one))


def _letters(text: str) -> str:
    """Letters of alphabets, without accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(one for one in plain if one.isalpha() and one < "\u2e80")


def _romanised(text: str) -> str:
    """Letters, with ideographs in pinyin."""
    if not any(map(_is_ideograph, text)):
        return _letters(text)
    try:
        from pypinyin import lazy_pinyin
    except ImportError as error:
        raise MissingExtraError("comparing what is sent with private text", "web") from error
    return _letters("".join(lazy_pinyin(text)))


_IDEOGRAPHS: Final = _Script(
    _characters, _characters, gram=4, passage=8, piece=2, pieced=24, pieces=100
)
_ALPHABET: Final = _Script(
    _letters, _romanised, gram=10, passage=28, piece=6, pieced=72, pieces=400
)


def _weight(character: str) -> float:
    """A number of six digits weighs more than a few words: it is an amount, or a person's."""
    return 1.5 if character.isdigit() else 1.0


@dataclass(slots=True)
class _Record:
    """The texts of a run in one script: private, public, and already sent."""

    script: _Script
    private: list[str] = field(default_factory=list[str])
    private_grams: set[str] = field(default_factory=set[str])
    private_pieces: set[str] = field(default_factory=set[str])
    public_grams: set[str] = field(default_factory=set[str])
    """Of texts the person wrote or a published source contains."""
    public_pieces: set[str] = field(default_factory=set[str])
    sent_pieces: set[str] = field(default_factory=set[str])
    sent_weight: float = 0.0
    """Of the private pieces among those sent."""
    tail: str = ""
    """The end of the text sent last: a passage may be cut between two calls."""

    def add_private(self, text: str) -> None:
        read = self.script.of_read(text)
        self.private.append(read)
        self.private_grams |= _grams(read, self.script.gram)
        self.private_pieces |= _pieces(read, self.script.piece)

    def add_public(self, text: str, *, echoed: str = "") -> None:
        """Add a public text; the words of a call do not become public by being in its answer."""
        read, said = self.script.of_read(text), self.script.of_read(echoed)
        gram, piece = self.script.gram, self.script.piece
        self.public_grams |= _grams(read, gram) - _grams(said, gram)
        self.public_pieces |= _pieces(read, piece) - _pieces(said, piece)

    def shared(self, text: str) -> float:
        """Weight of the longest passage that is private, and in no public text."""
        sent, gram = self.script.of_sent(text), self.script.gram
        longest = 0.0
        for compared in (self.tail + sent, sent[::-1]):
            private = _covered(compared, self.private_grams, gram)
            public = _covered(compared, self.public_grams, gram)
            pairs = zip(private, public, strict=True)
            longest = max(longest, _longest_run(compared, (one > other for one, other in pairs)))
        return longest

    def pieced(self, texts: Iterable[str]) -> float:
        """Weight of the longest private passage that these texts and those sent before cover."""
        sent, longest = self.sent_pieces | self._pieces_of(texts), 0.0
        for private in self.private:
            covered = _covered(private, sent, self.script.piece)
            public = _covered(private, self.public_grams, self.script.gram)
            weight = 0.0
            for character, is_covered, is_public in zip(private, covered, public, strict=True):
                # a public character neither adds to a passage nor ends it
                weight = weight + (0.0 if is_public else _weight(character)) if is_covered else 0.0
                longest = max(longest, weight)
        return longest

    def pieces(self, texts: Sequence[str]) -> float:
        """Weight of all private pieces sent before and in these texts, in any order."""
        private = self.private_pieces - self.public_pieces - self.sent_pieces
        weights: list[float] = []
        for text in texts:
            sent = self.script.of_sent(text)
            weights.append(_weight_where(sent, _covered(sent, private, self.script.piece)))
        return self.sent_weight + max(weights)

    def new(self, text: str) -> float:
        """Weight of what is in no public text and was not sent before."""
        sent = self.script.of_sent(text)
        known = _covered(sent, self.public_pieces | self.sent_pieces, self.script.piece)
        return _weight_where(sent, (not one for one in known))

    def send(self, texts: Sequence[str]) -> None:
        self.sent_weight = self.pieces(texts)
        self.sent_pieces |= self._pieces_of(texts)
        self.tail = (self.tail + self.script.of_sent(texts[0]))[-int(self.script.passage) :]

    def _pieces_of(self, texts: Iterable[str]) -> set[str]:
        found: set[str] = set()
        for text in texts:
            found |= _pieces(self.script.of_sent(text), self.script.piece)
        return found


class DisclosureGuard:
    """The private text that a run has read, and what it may still send.

    Args:
        question: what the person asked; may be sent as it is.
    """

    def __init__(self, question: str) -> None:
        self._records = (_Record(_IDEOGRAPHS), _Record(_ALPHABET))
        self._sources: dict[str, None] = {}
        """Tools that returned private text."""
        self._unread_public: list[tuple[str, str]] = [(question, "")]
        """Texts not yet compared with: most runs never need it."""
        self._unread_private: list[str] = []
        self._private_characters = 0
        self._new_sent = 0.0
        self._notes: list[str] = []

    @property
    def has_private_text(self) -> bool:
        """Whether the run has read private text."""
        return bool(self._sources)

    def note(self, text: str) -> None:
        """Add a note for the trace."""
        self._notes.append(text)

    def take_notes(self) -> tuple[str, ...]:
        """The notes since the last time, for the trace."""
        taken = tuple(self._notes)
        self._notes.clear()
        return taken

    def person_wrote(self, texts: Iterable[str]) -> None:
        """Allow texts that the person wrote."""
        self._unread_public += [(text, "") for text in texts]

    def tool_returned(self, tool: str, reach: Reach, text: str, arguments: Any) -> None:
        """Take note of a tool's answer, now or in the part of the run that is in its trace."""
        if reach == "private":
            self._sources[tool] = None
            self._private_characters += len(text)
            if self._private_characters <= MOST_PRIVATE:
                self._unread_private.append(text)
        elif reach != "local":
            self._unread_public.append((text, _text_of(arguments)))

    def disclosure(self, arguments: Any) -> Disclosure | None:
        """Why a call would disclose private text; ``None`` if nothing shows that it would."""
        if not self.has_private_text:
            return None
        text = _text_of(arguments)
        sources = tuple(self._sources)
        if self._private_characters > MOST_PRIVATE:
            return Disclosure("too_much", len(text), sources)
        self._read()
        found = next(self._found(text), None)
        return Disclosure(found[0], round(found[1]), sources) if found else None

    def send(self, arguments: Any) -> None:
        """Take note of a call that goes out."""
        if self.has_private_text:
            text = _text_of(arguments)
            self._new_sent += self._new_in(text)
            compared = tuple(map(_significant, decodings(text)))
            for record in self._records:
                record.send(compared)

    def _read(self) -> None:
        """Take in the texts since the last call that goes out."""
        for text in self._unread_private:
            for record in self._records:
                record.add_private(_significant(text))
        self._unread_private.clear()
        if not self._records[0].public_grams:
            for record in self._records:
                record.public_grams |= _law_names(record.script).public_grams
                record.public_pieces |= _law_names(record.script).public_pieces
        for text, echoed in self._unread_public:
            for record in self._records:
                record.add_public(_significant(text), echoed=_significant(echoed))
        self._unread_public.clear()

    def _found(self, text: str) -> Iterator[tuple[Why, float]]:
        compared = tuple(map(_significant, decodings(text)))
        for record in self._records:
            if (shared := max(map(record.shared, compared))) >= record.script.passage:
                yield "shared", shared
            if (pieced := record.pieced(compared)) >= record.script.pieced:
                yield "pieces", pieced
            if (pieces := record.pieces(compared)) >= record.script.pieces:
                yield "pieces", pieces
        for code in _CODE.findall(_folded(text)):
            if self._records[1].new(code) + sum(map(str.isdigit, code)) > _LONGEST_CODE:
                yield "code", len(code)
        if (new := self._new_sent + self._new_in(text)) > MOST_NEW:
            yield "volume", new

    def _new_in(self, text: str) -> float:
        ideographs, alphabet = self._records
        folded = _folded(text)
        return ideographs.new(folded) + alphabet.new(folded) / 4


def _text_of(arguments: Any) -> str:
    """The values in a call's arguments, in order; the names are the tool's."""
    match arguments:
        case str():
            return arguments
        case dict():
            return "\n".join(map(_text_of, cast("dict[Any, Any]", arguments).values()))
        case list() | tuple():
            return "\n".join(map(_text_of, cast("Sequence[Any]", arguments)))
        case _:
            return str(arguments)


def _significant(text: str) -> str:
    """A text as it is compared: without dates and article numbers, which disclose nothing."""
    return _DISCLOSES_NOTHING.sub(" ", _folded(text))


def _grams(text: str, size: int) -> set[str]:
    return {text[start : start + size] for start in range(len(text) - size + 1)}


def _pieces(text: str, size: int) -> set[str]:
    """Grams too short to tell anything alone; two digits tell nothing together either."""
    return {one for one in _grams(text, size) if not one.isdigit()}


def _covered(text: str, grams: set[str], size: int) -> bytearray:
    """For each character, whether it is in one of the grams."""
    covered = bytearray(len(text))
    for start in range(len(text) - size + 1):
        if text[start : start + size] in grams:
            covered[start : start + size] = b"\1" * size
    return covered


def _weight_where(text: str, marked: Iterable[object]) -> float:
    return sum(_weight(one) for one, is_marked in zip(text, marked, strict=True) if is_marked)


def _longest_run(text: str, marked: Iterable[bool]) -> float:
    """The weight of the longest run of marked characters."""
    longest = weight = 0.0
    for character, is_marked in zip(text, marked, strict=True):
        weight = weight + _weight(character) if is_marked else 0.0
        longest = max(longest, weight)
    return longest


@cache
def _law_names(script: _Script) -> _Record:
    """The names of known laws, which every run may send. Cached, as romanising them takes time."""
    record = _Record(script)
    for work in KNOWN_WORKS:
        for name in (work.title, *work.short_names, *work.english):
            record.add_public(_significant(name))
    return record


def decodings(text: str) -> tuple[str, ...]:
    """The text, and its decodings from percent signs, entities, escapes, base 16, 32 and 64.

    The first is the text as it was written. Encodings within encodings are undone twice.

    >>> "张三" in "".join(decodings("q=5byg5LiJ5qyg5qy+"))
    True
    """
    found = {text: None}
    level = [text]
    for _ in range(2):
        level = [other for one in level for other in _decoded(one) if other not in found]
        for one in level:
            if len(found) < MOST_DECODINGS:
                found[one] = None
    return tuple(found)


def _decoded(text: str) -> Iterator[str]:
    yield unquote_plus(text)
    yield html.unescape(text)
    yield _ESCAPE.sub(_character, text)
    for written in dict.fromkeys((text, "".join(text.split()))):
        for pattern, decoder in ((_BASE_16, _from_16), (_BASE_32, _from_32), (_BASE_64, _from_64)):
            decoded = (one for word in pattern.findall(written) for one in decoder(word))
            yield "\n".join(decoded)


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2], 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else " "


def _from_16(word: str) -> Iterator[str]:
    yield from _texts(bytes.fromhex(word))
    if len(word) > 2:
        yield from _texts(bytes.fromhex(f"{word[1:]}0"[: len(word) // 2 * 2]))


def _from_32(word: str) -> Iterator[str]:
    whole = word[: len(word) // 8 * 8]
    yield from _texts(base64.b32decode(whole))


def _from_64(word: str) -> Iterator[str]:
    """Decode from each of the first letters on: some may not belong to the encoded text."""
    for start in range(4):
        plain = word[start:].replace("-", "+").replace("_", "/")
        try:
            yield from _texts(base64.b64decode(plain[: len(plain) // 4 * 4]))
        except binascii.Error:
            continue


def _texts(data: bytes) -> Iterator[str]:
    """The texts that bytes are in common character sets."""
    for charset in ("utf-8", "utf-16-le", "gb18030"):
        text = data.decode(charset, "ignore")
        if text and sum(map(str.isprintable, text)) > _PRINTABLE * len(text):
            yield text
