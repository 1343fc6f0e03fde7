"""Glossaries: lay words and the statutes' words for them; English terms and Chinese ones.

Both are plain files with tabs between columns (`data/lay_words.tsv`, `data/english.tsv`), written
and reviewed by people and never learnt. A lay word may also point at provisions: by the title of a
law and words that occur in the provision, so that it holds whatever number the provision has, and
points at nothing where the law did not yet have it.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from inforce.errors import InputError

_GAP = 8
"""Characters that ``*`` may stand for."""

_LONGEST_TERM = 9
"""Words of an English term at most."""

_COMMON = "中华人民共和国"

_DENIALS = "没未无"
"""First characters of a word that denies the word at its end."""

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")
_ENGLISH_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")


@dataclass(frozen=True, slots=True)
class Pointer:
    """Provisions of certain laws in which certain words occur."""

    laws: tuple[str, ...]
    """Titles without 中华人民共和国: laws with the same rule, one after the other in time."""
    words: str

    def matches(self, work: str, text: str) -> bool:
        """Return whether a provision is meant."""
        return short_title(work) in self.laws and self.words in text


@dataclass(frozen=True, slots=True)
class LayEntry:
    """One line of the glossary of lay words."""

    lay: tuple[str, ...]
    statutory: tuple[str, ...]
    pointers: tuple[Pointer, ...]


@dataclass(frozen=True, slots=True)
class LayMatch:
    """An entry that a question refers to."""

    entry: LayEntry
    said: str
    """The longest of its lay words that occurs."""
    denies: bool = False
    """Whether it denies what another entry is about (没留遗嘱: no will)."""

    @property
    def weight(self) -> float:
        """The weight of the match: longer words say more. 0.8 for two characters, at most 1.5."""
        return min(1.5, 0.5 + len(self.said.replace("*", "")) / 6)


class _Literal(NamedTuple):
    """A lay word of the entry at a place."""

    place: int
    """The place of the word in the glossary."""
    word: str
    at: int


class _Gapped(NamedTuple):
    """One with gaps."""

    place: int
    word: str
    first: str
    """Up to the first gap."""
    pattern: re.Pattern[str]
    at: int


class LayGlossary:
    """Finds the lay words of a question.

    >>> [match.said for match in shipped_lay_words().find("公司一直拖着，能要双倍工资吗")]
    ['双倍工资']
    """

    def __init__(self, entries: Iterable[LayEntry]) -> None:
        self.entries = tuple(entries)
        words = [(word, at) for at, entry in enumerate(self.entries) for word in entry.lay]
        self._literal: dict[str, list[_Literal]] = defaultdict(list)
        self._gapped: dict[str, list[_Gapped]] = defaultdict(list)
        """Both by the first two characters."""
        for place, (word, at) in enumerate(words):
            first, gap, _ = word.partition("*")
            if gap:
                self._gapped[first[:2]].append(_Gapped(place, word, first, _with_gaps(word), at))
            else:
                self._literal[word[:2]].append(_Literal(place, word, at))

    @property
    def pointers(self) -> tuple[Pointer, ...]:
        """All provisions its entries point at."""
        return tuple(dict.fromkeys(one for entry in self.entries for one in entry.pointers))

    def __add__(self, other: LayGlossary) -> LayGlossary:
        return LayGlossary((*self.entries, *other.entries))

    def find(self, question: str) -> tuple[LayMatch, ...]:
        """Return the entries a question refers to, in the order of the glossary.

        What an entry denies is not referred to: 没留遗嘱 is no question about a will.
        """
        begin = {"", *beginnings(question)}  # "": of a word that begins with a gap
        said = sorted(
            (start, place, start + len(word), word, at)
            for one in self._literal.keys() & begin
            for place, word, at in self._literal[one]
            for start in _occurrences(word, question)
        )
        denials = [(start, end, at) for start, _, end, word, at in said if word[0] in _DENIALS]
        found: dict[int, str] = {}
        denying: set[int] = set()
        for start, _, end, word, at in said:
            denied_by = {of for first, last, of in denials if first < start and end == last}
            denying |= denied_by - {at}
            if not denied_by and len(word) > len(found.get(at, "")):
                found[at] = word
        for _, word, first, pattern, at in sorted(
            one for beginning in self._gapped.keys() & begin for one in self._gapped[beginning]
        ):
            if first in question and pattern.search(question):
                found.setdefault(at, word)
        return tuple(LayMatch(self.entries[at], found[at], at in denying) for at in sorted(found))


class EnglishGlossary:
    """Translates the legal terms of an English question, longest first."""

    def __init__(self, terms: Mapping[str, tuple[str, ...]]) -> None:
        self._terms = {english_words(term): chinese for term, chinese in terms.items()}
        self._folded = {
            tuple(map(without_ending, words)): chinese for words, chinese in self._terms.items()
        }

    def __len__(self) -> int:
        return len(self._terms)

    @property
    def chinese(self) -> frozenset[str]:
        """All Chinese terms."""
        return frozenset(term for terms in self._terms.values() for term in terms)

    def translate(self, question: str) -> tuple[tuple[str, ...], ...]:
        """Return the Chinese terms of each English term found, in order, the usual one first.

        >>> shipped_english().translate("Is drunk driving a crime?")[0][0]
        '醉酒驾驶机动车'
        """
        words = english_words(question)
        folded = tuple(map(without_ending, words))
        found: list[tuple[str, ...]] = []
        at = 0
        while at < len(words):
            for size in range(min(_LONGEST_TERM, len(words) - at), 0, -1):
                these = slice(at, at + size)
                chinese = self._terms.get(words[these]) or self._folded.get(folded[these])
                if chinese:
                    found.append(chinese)
                    at += size
                    break
            else:
                at += 1
        return tuple(dict.fromkeys(found))


def beginnings(text: str) -> set[str]:
    """Return the beginnings of words in a text: its characters and pairs of neighbours.

    >>> sorted(beginnings("醉驾"))
    ['醉', '醉驾', '驾']
    """
    return {*text, *map(operator.add, text, text[1:])}


def is_english(question: str) -> bool:
    """Return whether a question is in English: no Chinese but perhaps the name of a law."""
    chinese = len(_CHINESE.findall(question))
    return len(_LATIN.findall(question)) > max(2, chinese)


def short_title(title: str) -> str:
    """Return a title as glossaries write it: without spaces, 《》, and 中华人民共和国 in front.

    >>> short_title("中华人民共和国刑法")
    '刑法'
    """
    return _plain(title).removeprefix(_COMMON)


def read_lay_words(path: Path) -> LayGlossary:
    """Read a glossary of lay words.

    Raises:
        InputError: if a line is not of the form described in the file; names the line.
    """
    return LayGlossary(_lay_entry(*line, path) for line in read_columns(path))


def read_english(path: Path) -> EnglishGlossary:
    """Read a glossary of English terms; a term listed twice has the terms of both lines.

    Raises:
        InputError: if a line is not of the form described in the file; names the line.
    """
    terms: dict[str, tuple[str, ...]] = {}
    for number, columns in read_columns(path):
        if len(columns) != 2 or not all(columns):
            raise InputError("two columns are needed: English, Chinese", path=path, line=number)
        for term in _alternatives(columns[0]):
            terms[term] = tuple(dict.fromkeys((*terms.get(term, ()), *_alternatives(columns[1]))))
    return EnglishGlossary(terms)


@cache
def shipped_lay_words() -> LayGlossary:
    """Return the lay words of this release."""
    with resources.as_file(resources.files("inforce.retrieval.data") / "lay_words.tsv") as path:
        return read_lay_words(path)


@cache
def shipped_english() -> EnglishGlossary:
    """Return the English terms of this release."""
    with resources.as_file(resources.files("inforce.retrieval.data") / "english.tsv") as path:
        return read_english(path)


def read_columns(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are neither empty, comments nor the heading, with their numbers.

    Raises:
        InputError: if the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    heading = True
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not heading:
            yield number, [column.strip() for column in line.split("\t")]
        heading = False


def _lay_entry(number: int, columns: Sequence[str], path: Path) -> LayEntry:
    if len(columns) not in (2, 3) or not columns[0] or not columns[1]:
        raise InputError(
            "lay words, statute words and, if any, provisions are needed, with tabs between",
            path=path,
            line=number,
        )
    return LayEntry(
        tuple(_alternatives(columns[0])),
        tuple(_alternatives(columns[1])),
        read_pointers(columns[2], path, number) if len(columns) == 3 else (),
    )


def read_pointers(cell: str, path: Path, line: int) -> tuple[Pointer, ...]:
    """Read the provisions a cell names: ``law,law:words``, ``;`` between them.

    Raises:
        InputError: if one has not that form.
    """
    return tuple(_pointer(one, path, line) for one in cell.split(";") if one.strip())


def _pointer(text: str, path: Path, number: int) -> Pointer:
    laws, colon, words = text.strip().rpartition(":")
    titles = tuple(short_title(law) for law in laws.split(","))
    if not colon or not words.strip() or not all(titles):
        raise InputError(f"{text!r} names no provision: law:words", path=path, line=number)
    return Pointer(titles, words.strip())


def _alternatives(cell: str) -> list[str]:
    return [word.strip() for word in cell.split("/") if word.strip()]


def _occurrences(word: str, text: str) -> Iterator[int]:
    """Yield the places where a word begins in a text."""
    start = text.find(word)
    while start >= 0:
        yield start
        start = text.find(word, start + 1)


def _with_gaps(word: str) -> re.Pattern[str]:
    return re.compile(f".{{0,{_GAP}}}?".join(map(re.escape, word.split("*"))))


def _plain(title: str) -> str:
    return "".join(title.split()).replace("《", "").replace("》", "")


def english_words(text: str) -> tuple[str, ...]:
    """Return English words in lower case, plurals as singulars."""
    return tuple(map(_singular, _ENGLISH_WORD.findall(text.lower().replace("’", "'"))))


@cache
def _singular(word: str) -> str:
    word = word.removesuffix("'s").replace("'", "")
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_IRREGULAR = {
    form: verb
    for verb, forms in {
        "beat": "beaten",
        "bite": "bit bitten biting",
        "break": "broke broken",
        "build": "built",
        "buy": "bought",
        "die": "died dying",
        "drive": "drove driven",
        "fall": "fell fallen",
        "forbid": "forbade forbidden",
        "give": "gave given",
        "hide": "hid hidden",
        "keep": "kept",
        "lend": "lent",
        "lie": "lied lying",
        "lose": "lost losing",
        "pay": "paid",
        "sell": "sold",
        "shoot": "shot",
        "steal": "stole stolen",
        "strike": "struck",
        "sue": "sued suing",
        "take": "took taken",
        "tear": "tore torn",
        "throw": "threw thrown",
        "withdraw": "withdrew withdrawn",
        "withhold": "withheld",
        "write": "wrote written",
    }.items()
    for form in forms.split()
}
_OF_THEIR_OWN = (
    *("anything", "being", "bed", "bleed", "breed", "building", "ceiling", "clothing"),
    *("during", "evening", "everything", "exceed", "feed", "fired", "hearing", "housing"),
    *("hundred", "indeed", "interested", "king", "limited", "listed", "meeting", "missing"),
    *("need", "nothing", "parking", "proceed", "proceeding", "red", "ring", "seed", "sibling"),
    *("something", "speed", "spring", "string", "succeed", "thing", "united", "used"),
    *("wedding", "weed", "willing", "wing"),
)
"""What ends like a form of a verb and is a word of its own: fired is not fire."""
_ENDING = re.compile(r"(?<=[a-z]{2})(?:(?<=[^aeiou])ied|ed|ing)$")
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


_OTHER_WORDS = frozenset(("not", "on", "us", "car", "her", "rat", "sit", "quit", "win"))
"""What would be left of note, one, use, care, here, rate, site, quite and wine."""


@cache
def without_ending(word: str) -> str:
    """A word as all forms of its verb are compared: refuse, refused and refusing as "refus".

    >>> {without_ending(word) for word in ("stop", "stopped", "stopping")}
    {'stop'}
    """
    if word in _OF_THEIR_OWN:
        return word
    word = _IRREGULAR.get(word, word)
    stem = _ENDING.sub(lambda match: "y" if match[0] == "ied" else "", word)
    if not re.search("[aeiouy]", stem):  # bring, need
        stem = word
    root = stem.removesuffix("e")
    if root in _OTHER_WORDS and root != word:
        return f"{root}e"
    return _DOUBLED.sub(r"\1", root)
