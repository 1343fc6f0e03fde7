"""Tag protocols: the parts of what a model wrote, and every violation of the protocol.

LegalSearch-R1 and MSR2 speak in tags (``<think>…</think><plan>…</plan>``). The reader is tolerant:
a closing tag left out, text between the tags or a wrong case lose nothing. The record is strict:
whatever was not written as the protocol asks is a `Violation`, so that an evaluation or a reward
can count it.

>>> read = read_tags("<think>甲 <answer>C</answer>", ("think", "answer"))
>>> [(part.tag, part.text) for part in read.parts]
[('think', '甲'), ('answer', 'C')]
>>> read.validity.valid, [one.kind for one in read.validity.violations]
(False, ['unclosed'])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

ViolationKind = Literal[
    "empty",
    "stray_text",
    "unclosed",
    "unopened",
    "spelling",
    "fabricated",
    "missing",
    "several",
    "order",
    "repaired",
    "unreadable",
    "count",
]
"""``stray_text``: words outside any tag. ``unclosed``, ``unopened``: one tag of a pair is missing.
``spelling``: a tag in another case. ``fabricated``: the model wrote what only the environment may
write. ``missing``, ``several``, ``order``: a part that must be there, be alone, or come first.
``repaired``, ``unreadable``: JSON that is not JSON, and whether its meaning was plain nevertheless.
``count``: the numbers of tags do not go together."""

_NAMED = 20
"""Violations named one by one."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which a text breaks its protocol."""

    kind: ViolationKind
    detail: str
    """Which tag, or what was found instead."""


@dataclass(frozen=True, slots=True)
class Validity:
    """The violations of a protocol in a text."""

    violations: tuple[Violation, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether there is none."""
        return not self.violations

    def __str__(self) -> str:
        named = [f"{one.kind}: {one.detail}" for one in self.violations[:_NAMED]]
        rest = len(self.violations) - _NAMED
        return "; ".join([*named, f"and {rest} more"] if rest > 0 else named) or "valid"


@dataclass(frozen=True, slots=True)
class Part:
    """The text between a tag and its end."""

    tag: str
    text: str
    """Trimmed."""
    attributes: str = ""
    """The rest of the opening tag: the source in ``<search statute>``."""


@dataclass(frozen=True, slots=True)
class TaggedText:
    """The parts of a text, in order."""

    parts: tuple[Part, ...]
    validity: Validity
    own_text: str
    """The text up to where the model began to write the environment's part."""
    is_open: bool = False
    """Whether the last part was begun and not ended."""

    def of(self, tag: str) -> tuple[str, ...]:
        """The texts of one tag."""
        return tuple(part.text for part in self.parts if part.tag == tag)


def read_tags(text: str, tags: Sequence[str], *, environment: Sequence[str] = ()) -> TaggedText:
    """Read a text in tags.

    Args:
        text: what the model wrote.
        tags: the tags it may write.
        environment: tags only the environment writes; the text is read up to the first of them.
    """
    reader = _Reader()
    own_text = _before(text, environment, reader)
    position = 0
    for match in _tag_pattern(tuple(tags)).finditer(own_text):
        reader.words(own_text[position : match.start()])
        reader.tag(match)
        position = match.end()
    reader.words(own_text[position:])
    is_open = reader.is_open
    reader.end()
    if not text.strip():
        reader.violations.append(Violation("empty", "nothing was written"))
    return TaggedText(tuple(reader.parts), Validity(tuple(reader.violations)), own_text, is_open)


def tag_counts(text: str, tag: str) -> tuple[int, int]:
    """Count how often a tag opens and closes in a text, by exact spelling."""
    return text.count(f"<{tag}>"), text.count(f"</{tag}>")


class _Reader:
    """Reads a text from tag to tag."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.violations: list[Violation] = []
        self._open: re.Match[str] | None = None
        self._words_read: list[str] = []

    @property
    def is_open(self) -> bool:
        return self._open is not None

    @property
    def _words(self) -> str:
        return "".join(self._words_read)

    def words(self, text: str) -> None:
        self._words_read.append(text)

    def tag(self, match: re.Match[str]) -> None:
        name = match["name"]
        if name != name.lower():
            self._broken("spelling", name)
        if not match["close"]:
            self.end()
            self._open = match
        elif self._open is not None and self._open["name"].lower() == name.lower():
            self._finish(self._open["attributes"])
        elif self._open is not None:
            self._broken("unopened", name)  # its end is inside another part: it is no word of it
        else:
            self._close_unopened(name)

    def end(self) -> None:
        """A new part begins, or the text ends: what was open ends here."""
        if self._open is not None:
            self._broken("unclosed", self._open["name"])
            self._finish(self._open["attributes"])
        elif self._words.strip():
            words = " ".join(self._words.split())
            self._broken("stray_text", words if len(words) <= 60 else f"{words[:60]}…")
        self._words_read.clear()

    def _close_unopened(self, name: str) -> None:
        """Words before an end: a template may have opened the tag for the model."""
        self._broken("unopened", name)
        if self._words.strip():
            self.parts.append(Part(name.lower(), self._words.strip()))
        self._words_read.clear()

    def _finish(self, attributes: str | None) -> None:
        assert self._open is not None
        name = self._open["name"].lower()
        self.parts.append(Part(name, self._words.strip(), (attributes or "").strip()))
        self._open = None
        self._words_read.clear()

    def _broken(self, kind: ViolationKind, detail: str) -> None:
        self.violations.append(Violation(kind, detail))


def _before(text: str, environment: Sequence[str], reader: _Reader) -> str:
    if not environment:
        return text
    match = _tag_pattern(tuple(environment)).search(text)
    if match is None:
        return text
    reader.violations.append(Violation("fabricated", match["name"].lower()))
    return text[: match.start()]


@lru_cache(maxsize=32)
def _tag_pattern(tags: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(re.escape(tag) for tag in sorted(tags, key=len, reverse=True))
    form = rf"<(?P<close>/)?(?P<name>{names})(?P<attributes>\s[^<>]{{0,200}})?\s*>"
    return re.compile(form, re.IGNORECASE)
