"""Slips of published instruments, corrected by a list that people have reviewed.

A slip (a mark that is missing, a word left out) is never repaired by a program that thinks it knows
better. ``reviewed.json`` names the instrument, the line, the words, what they should be and why; a
correction is made where exactly that is found, and reported wherever it is used.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from inforce.corpus.compile.wording import folded
from inforce.corpus.loaders.statute_text import TextLine


@dataclass(frozen=True, slots=True)
class Correction:
    """One slip: in which instrument, in which line, what it says, what it should say, and why."""

    instrument: str
    """Words of the title."""
    law: str
    """The law whose compilation it concerns."""
    find: str
    """Words of the line, or the whole line, as printed."""
    become: str
    reason: str
    source: str
    following: str = ""
    """How the next line begins, where the words alone do not tell the line."""
    at_end: bool = False
    """Whether the line ends with the words."""

    def __str__(self) -> str:
        return f"“{self.find}” is read as “{self.become}”: {self.reason} ({self.source})"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a held text differs from the compiled one in an article, as somebody found out."""

    work: str
    article: str
    """Its number as people type it; ``*`` for every article of the copy."""
    words: str
    """Words that one of the two texts must have; empty for any."""
    copy: str
    """The held copy, by its label and source; empty for any."""
    reason: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """The lines of an instrument after its slips were corrected, and what was done."""

    lines: tuple[TextLine, ...]
    done: tuple[Correction, ...]


@cache
def corrections() -> tuple[Correction, ...]:
    """The reviewed corrections."""
    return tuple(Correction(**entry) for entry in _file()["corrections"])


@cache
def explanations() -> tuple[Explanation, ...]:
    """The reviewed explanations of differences between held texts."""
    return tuple(Explanation(**entry) for entry in _file()["explanations"])


def corrected(title: str, lines: Sequence[TextLine]) -> Corrected:
    """The lines with the slips corrected that are known for an instrument of this title."""
    done: list[Correction] = []
    found = list(lines)
    for correction in corrections():
        if folded(correction.instrument) not in folded(title):
            continue
        places = [index for index in range(len(found)) if _is_meant(correction, found, index)]
        if len(places) == 1:
            line = found[places[0]]
            found[places[0]] = replace(
                line, text=line.text.replace(correction.find, correction.become)
            )
            done.append(correction)
    return Corrected(tuple(found), tuple(done))


def _is_meant(correction: Correction, lines: Sequence[TextLine], index: int) -> bool:
    text = lines[index].text
    if text.count(correction.find) != 1 or (
        correction.at_end and not text.endswith(correction.find)
    ):
        return False
    following = lines[index + 1].text if index + 1 < len(lines) else ""
    return not correction.following or (
        text.endswith(correction.find) and following.startswith(correction.following)
    )


def _file() -> Any:
    text = (files(__package__ or __name__) / "reviewed.json").read_text(encoding="utf-8")
    return json.loads(text)
