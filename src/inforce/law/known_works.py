"""What is recorded of a known law, and how the tables of known laws are read.

The tables (`data/statutes.txt`, `data/interpretations.txt`) are plain text, so that a lawyer can
check them line by line::

    [civil]                                             the branch of law of what follows
    中华人民共和国收养法 | Adoption Law | 1992-04-01    title, English name, first day ever in force
      = 收养条例; Law on Adoption                       other names; document numbers
      1999-04-01 (1998-11-04) 修正                      an amendment: in force, (promulgated), how
      2009-08-27 关于修改部分法律的决定 {92}               … that changed the words of art. 92 only
      2021-01-01 → 中华人民共和国民法典                 first day no longer in force, successors

One date in an amendment means promulgated and in force the same day. 修正 is a decision amending
the law; 修订 and 制定 are the law itself published anew; 建筑法等八部 is a decision that amends
several laws; anything else is the instrument's own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from typing import Literal, cast

from inforce.law.numerals import ProvisionNumber

Branch = Literal[
    "criminal",
    "criminal procedure",
    "civil",
    "civil procedure",
    "administrative",
    "administrative procedure",
    "labour",
    "commercial",
    "constitutional",
    "other",
]
"""The branches that applicability rules tell apart."""

STATE = "中华人民共和国"


@dataclass(frozen=True, slots=True)
class Amendment:
    """One change of a law: its first day in force, the instrument, the day it was promulgated."""

    commenced: date
    instrument: str
    promulgated: date
    only: frozenset[ProvisionNumber] | None = None
    """The provisions it changed, where it is certain that it touched no other; else ``None``."""


@dataclass(frozen=True, slots=True)
class KnownWork:
    """A law as this library knows it without any corpus."""

    title: str
    """The official title; titles identify works."""
    short_names: tuple[str, ...]
    """What people call it, the usual short title first."""
    english: tuple[str, ...]
    """Its English names without "of the PRC", the usual one first."""
    branch: Branch
    commenced: date | None
    """The first day a law of this title (its trial form 试行 included) was ever in force."""
    _: KW_ONLY
    ended: date | None = None
    """The first day no longer in force; ``None`` if it still is (or this is not recorded)."""
    succeeded_by: tuple[str, ...] = ()
    """Titles of the laws that took its place."""
    amendments: tuple[Amendment, ...] = ()
    """Its later versions, oldest first; the original enactment is not among them."""
    document_numbers: tuple[str, ...] = ()
    """Document numbers it was issued under, e.g. ``法释〔2013〕8号``."""


def read_table(table: str) -> tuple[KnownWork, ...]:
    """The works of one table, in its order."""
    return tuple(entry.work() for entry in _entries(table.splitlines()))


@dataclass(slots=True)
class _Entry:
    """The lines of one work, as they are read."""

    title: str
    english: str
    branch: Branch
    commenced: str
    names: list[str] = field(default_factory=list[str])
    amendments: list[Amendment] = field(default_factory=list[Amendment])
    ended: date | None = None
    succeeded_by: tuple[str, ...] = ()

    def read(self, line: str) -> None:
        """Take in one of the indented lines."""
        if line.startswith("= "):
            self.names.extend(line[2:].split("; "))
        elif " →" in line:
            day, _, successors = line.partition(" →")
            self.ended = date.fromisoformat(day)
            self.succeeded_by = tuple(filter(None, successors.strip().split("; ")))
        else:
            self.amendments.append(_amendment(self.title, line))

    def work(self) -> KnownWork:
        numbers = tuple(name for name in self.names if "〔" in name)
        english = tuple(name for name in (self.english, *self.names) if name and name.isascii())
        others = tuple(name for name in self.names if name not in (*numbers, *english))
        short = self.title.removeprefix(STATE)
        return KnownWork(
            self.title,
            (short, *others),
            english,
            self.branch,
            date.fromisoformat(self.commenced) if self.commenced else None,
            ended=self.ended,
            succeeded_by=self.succeeded_by,
            amendments=tuple(self.amendments),
            document_numbers=numbers,
        )


def _entries(lines: Iterable[str]) -> Iterator[_Entry]:
    branch: Branch = "other"
    entry: _Entry | None = None
    for line in filter(str.strip, lines):
        if line.startswith("["):
            branch = cast(Branch, line.strip("[]"))
        elif entry is not None and line.startswith("  "):
            entry.read(line.strip())
        else:
            if entry is not None:
                yield entry
            title, english, commenced = (part.strip() for part in line.split("|"))
            entry = _Entry(title, english, branch, commenced)
    if entry is not None:
        yield entry


_AMENDMENT = re.compile(r"(\S+) (?:\((\S+)\) )?(.+?)(?: \{([^{}]+)\})?")
_TOGETHER = re.compile(r"(.+)等(.+部)")


def _amendment(title: str, line: str) -> Amendment:
    match = _AMENDMENT.fullmatch(line)
    if match is None:
        raise ValueError(f"{title}: not an amendment: {line!r}")
    commenced, promulgated, how = match[1], match[2] or match[1], match[3]
    instrument = _instrument(title, promulgated[:4], how)
    only = None if match[4] is None else frozenset(map(ProvisionNumber.parse, match[4].split(", ")))
    return Amendment(
        date.fromisoformat(commenced), instrument, date.fromisoformat(promulgated), only
    )


def _instrument(title: str, year: str, how: str) -> str:
    match how:
        case "修正":
            return f"关于修改《{title}》的决定"
        case "修订":
            return f"{title}（{year}年修订）"
        case "制定":
            return f"{title}（{year}年）"
        case _:
            return _TOGETHER.sub(rf"关于修改《{STATE}\1》等\2法律的决定", how)
