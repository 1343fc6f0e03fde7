"""What a run may send to others once it has read private text.

A file may tell the model that reads it to send it away as a search query. So texts of private
sources (the person's documents and tables) taint a run: from then on a call that goes out (web
search, opening a page, case law) is compared with them, in every script and common encoding, and
is not made if it shares more than a few words that neither the person wrote nor a published source
said. What no comparison can see (a cipher, a paraphrase, a translation) is bounded in length.
Dates, numbers of articles and names of known laws disclose nothing by themselves and do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal, cast

from inforce.errors import MissingExtraError
from inforce.law.registry import KNOWN_WORKS
from inforce.tools.decodings import decodings

Reach = Literal["local", "published", "private", "outward"]
"""Where a tool works. ``private``: it reads what only the person has. ``outward``: what it is given
leaves this machine. ``published``: it reads what anybody may read. ``local``: it computes."""

MOST_NEW: Final = 600
"""Characters of words of its own (a letter counts as a quarter) that a tainted run may send."""

MOST_PRIVATE: Final = 200_000
"""Characters of private text a run can compare with; one that read more sends nothing."""

_LONGEST_CODE: Final = 32
"""Letters and digits without a space that neither the person nor a published source wrote."""

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
    ``volume``: more words of the model's own than a tainted run may send. ``too_much``: there is
    too much private text to compare with.
    """

    why: Why
    characters: int
    """How many are shared, or would be sent."""
    sources: tuple[str, ...]
    """Tools that read the private text."""


@dataclass(frozen=True, slots=True)
class _Script:
    """One way to write, and how much in it is more than a few words."""

    own: Callable[[str], str]
    """The characters of a text that goes out, as they are compared."""
    known: Callable[[str], str]
    """The characters of a text it is compared with."""
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
    """Ideographs and digits: what is between them may be anything."""
    return "".join(one for one in text if one.isdigit() or _is_ideograph(one))


def _letters(text: str) -> str:
    """Letters of alphabets, without accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(one for one in plain if one.isalpha() and one < "\u2e80")


def _romanised(text: str) -> str:
    """Letters, with ideographs read aloud: pinyin is a way to write them."""
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
class _Compared:
    """What is known of a run in one script."""

    script: _Script
    private: list[str] = field(default_factory=list[str])
    private_grams: set[str] = field(default_factory=set[str])
    private_pieces: set[str] = field(default_factory=set[str])
    open_grams: set[str] = field(default_factory=set[str])
    """Of what the person wrote or a published source said."""
    open_pieces: set[str] = field(default_factory=set[str])
    sent_pieces: set[str] = field(default_factory=set[str])
    sent: float = 0.0
    """Weight of the private pieces among them."""
    tail: str = ""
    """The end of what was sent last: a passage may be cut between two calls."""

    def read_private(self, text: str) -> None:
        known = self.script.known(text)
        self.private.append(known)
        self.private_grams |= _grams(known, self.script.gram)
        self.private_pieces |= _pieces(known, self.script.piece)

    def read_open(self, text: str, *, echoed: str = "") -> None:
        """What anybody may read; what a call said itself is not made public by its answer."""
        known, said = self.script.known(text), self.script.known(echoed)
        gram, piece = self.script.gram, self.script.piece
        self.open_grams |= _grams(known, gram) - _grams(said, gram)
        self.open_pieces |= _pieces(known, piece) - _pieces(said, piece)

    def shared(self, text: str) -> float:
        """Weight of the longest passage that is private, and in nothing open."""
        own = self.script.own(text)
        return max(self._longest(self.tail + own), self._longest(own[::-1]))

    def _longest(self, own: str) -> float:
        ours = _covered(own, self.private_grams, self.script.gram)
        theirs = _covered(own, self.open_grams, self.script.gram)
        pairs = zip(ours, theirs, strict=True)
        return max(_runs(own, (is_private > is_open for is_private, is_open in pairs)))

    def pieced(self, texts: Iterable[str]) -> float:
        """Weight of the longest private passage that these texts and those sent before cover."""
        sent = self.sent_pieces | self._pieces(texts)
        return max((self._longest_covered(one, sent) for one in self.private), default=0.0)

    def pieces(self, texts: Sequence[str]) -> float:
        """Weight of all private pieces sent before and in these texts, in any order."""
        private = self.private_pieces - self.open_pieces - self.sent_pieces
        return self.sent + max(self._weight_in(text, private) for text in texts)

    def _weight_in(self, text: str, pieces: set[str]) -> float:
        own = self.script.own(text)
        return _weight_where(own, _covered(own, pieces, self.script.piece))

    def _pieces(self, texts: Iterable[str]) -> set[str]:
        found: set[str] = set()
        for text in texts:
            found |= _pieces(self.script.own(text), self.script.piece)
        return found

    def _longest_covered(self, private: str, sent: set[str]) -> float:
        covered = _covered(private, sent, self.script.piece)
        theirs = _covered(private, self.open_grams, self.script.gram)
        longest = weight = 0.0
        for character, is_covered, is_open in zip(private, covered, theirs, strict=True):
            weight = weight + (0.0 if is_open else _weight(character)) if is_covered else 0.0
            longest = max(longest, weight)
        return longest

    def new(self, text: str) -> float:
        """Weight of what neither the person nor a published source wrote, and is not sent yet."""
        own = self.script.own(text)
        known = _covered(own, self.open_pieces | self.sent_pieces, self.script.piece)
        return _weight_where(own, (not one for one in known))

    def send(self, texts: Sequence[str]) -> None:
        self.sent = self.pieces(texts)
        self.sent_pieces |= self._pieces(texts)
        self.tail = (self.tail + self.script.own(texts[0]))[-int(self.script.passage) :]


class Taint:
    """The private text of a run, and what it may still send.

    Args:
        question: what the person asked; may be sent as it is.
    """

    def __init__(self, question: str) -> None:
        self._compared = (_Compared(_IDEOGRAPHS), _Compared(_ALPHABET))
        self._sources: dict[str, None] = {}
        self._open: list[tuple[str, str]] = [(question, "")]
        """Texts not yet compared with: most runs never need it."""
        self._private: list[str] = []
        self._size = 0
        self._new = 0.0
        self._notes: list[str] = []

    @property
    def is_tainted(self) -> bool:
        """Whether private text was read."""
        return bool(self._sources)

    def note(self, text: str) -> None:
        """Say something that a reader of the trace should know."""
        self._notes.append(text)

    def take_notes(self) -> tuple[str, ...]:
        """What was noted since the last time, for the trace."""
        taken = tuple(self._notes)
        self._notes.clear()
        return taken

    def wrote(self, texts: Iterable[str]) -> None:
        """The person wrote this."""
        self._open += [(text, "") for text in texts]

    def observed(self, tool: str, reach: Reach, text: str, arguments: Any) -> None:
        """A tool answered, now or in the part of the run that is in its trace."""
        if reach == "private":
            self._sources[tool] = None
            self._size += len(text)
            if self._size <= MOST_PRIVATE:
                self._private.append(text)
        elif reach != "local":
            self._open.append((text, _said(arguments)))

    def disclosure(self, arguments: Any) -> Disclosure | None:
        """What a call would disclose; ``None``: nothing that can be seen."""
        if not self.is_tainted:
            return None
        said = _said(arguments)
        sources = tuple(self._sources)
        if self._size > MOST_PRIVATE:
            return Disclosure("too_much", len(said), sources)
        self._read()
        for why, characters in self._found(said):
            return Disclosure(why, round(characters), sources)
        return None

    def send(self, arguments: Any) -> None:
        """A call goes out."""
        if self.is_tainted:
            said = _said(arguments)
            self._new += self._new_in(said)
            readings = _readings(said)
            for one in self._compared:
                one.send(readings)

    def _read(self) -> None:
        """What was observed since the last call that goes out."""
        for text in self._private:
            for one in self._compared:
                one.read_private(_significant(text))
        self._private.clear()
        if not self._compared[0].open_grams:
            for one in self._compared:
                one.open_grams |= _of_law_names(one.script).open_grams
                one.open_pieces |= _of_law_names(one.script).open_pieces
        for text, echoed in self._open:
            for one in self._compared:
                one.read_open(_significant(text), echoed=_significant(echoed))
        self._open.clear()

    def _found(self, said: str) -> Iterator[tuple[Why, float]]:
        readings = _readings(said)
        for one in self._compared:
            if (shared := max(map(one.shared, readings))) >= one.script.passage:
                yield "shared", shared
            if (pieced := one.pieced(readings)) >= one.script.pieced:
                yield "pieces", pieced
            if (pieces := one.pieces(readings)) >= one.script.pieces:
                yield "pieces", pieces
        for code in _CODE.findall(_folded(said)):
            if self._compared[1].new(code) + sum(map(str.isdigit, code)) > _LONGEST_CODE:
                yield "code", len(code)
        if (new := self._new + self._new_in(said)) > MOST_NEW:
            yield "volume", new

    def _new_in(self, said: str) -> float:
        ideographs, alphabet = self._compared
        text = _folded(said)
        return ideographs.new(text) + alphabet.new(text) / 4


def _said(arguments: Any) -> str:
    """What the arguments of a call say, in order; their names are the tool's."""
    match arguments:
        case str():
            return arguments
        case dict():
            return "\n".join(map(_said, cast("dict[Any, Any]", arguments).values()))
        case list() | tuple():
            return "\n".join(map(_said, cast("Sequence[Any]", arguments)))
        case _:
            return str(arguments)


def _readings(said: str) -> tuple[str, ...]:
    """What goes out as it is compared, in each reading; the first is as it was written."""
    return tuple(map(_significant, decodings(said)))


def _significant(text: str) -> str:
    """A text as it is compared: without what discloses nothing."""
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


def _runs(text: str, marked: Iterable[bool]) -> Iterator[float]:
    """The weight of each run of marked characters; 0 where there is none."""
    weight = 0.0
    for character, is_marked in zip(text, marked, strict=True):
        if not is_marked:
            yield weight
        weight = weight + _weight(character) if is_marked else 0.0
    yield weight


@cache
def _of_law_names(script: _Script) -> _Compared:
    """What every run may say: how laws are called. Read once, since romanising them takes time."""
    compared = _Compared(script)
    for work in KNOWN_WORKS:
        for name in (work.title, *work.short_names, *work.english):
            compared.read_open(_significant(name))
    return compared
