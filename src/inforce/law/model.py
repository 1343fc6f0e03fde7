"""Works, versions and provisions: the nouns of a law that changes.

A *work* is a law as such (中华人民共和国刑法). A *version* is what it said between two changes. A
*provision* is one article of one version. What is quoted to a reader is always a stored `Provision`
text; editorial additions (the crime names of the Supreme People's Court, say) are `Caption` values
and live apart from it.
"""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import KW_ONLY, dataclass
from datetime import date
from functools import cached_property
from typing import Literal

from inforce.dates import DateRange
from inforce.law.numerals import ProvisionNumber

DateStatus = Literal["exact", "open", "presumed", "unknown"]
"""How the end of a version's window is known.

``exact``: closed on a stated day. ``open``: still in force when the record was made. ``presumed``:
closed by the next version held, an intermediate one cannot be excluded. ``unknown``: superseded,
but nobody says when; such a version never answers a dated question.
"""

DateEvidence = Literal["instrument", "register", "clause", "header", "unstated"]
"""Where a version's dates come from, best first.

``instrument``: the statute or the amending decision itself. ``register``: the national register of
laws. ``clause``: a commencement clause read by a program. ``header``: the history lines above a
text. ``unstated``: the source does not say.
"""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text was obtained: enough to find it again and to know whether it may be reused."""

    name: str
    """Repository, publisher or file, e.g. ``LawRefBook/Laws``."""
    _: KW_ONLY
    path: str = ""
    revision: str = ""
    licence: str = "statutory text, outside copyright (PRC Copyright Law art. 5)"
    """Of the text and, where the source states one, of its compilation."""


@dataclass(frozen=True, slots=True)
class Validity:
    """The window in which a version was in force, as one source states it.

    ``start`` is the first day in force, ``end`` the first day no longer in force (half-open);
    ``None`` means not known for ``start``, and for ``end`` what ``status`` says.
    """

    start: date | None
    end: date | None
    status: DateStatus
    evidence: DateEvidence = "unstated"

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.end <= self.start:
            raise ValueError(f"a version cannot end ({self.end}) before it begins ({self.start})")
        if (self.end is None) != (self.status in ("open", "unknown")):
            raise ValueError(f"an end of {self.end} does not go with the status {self.status!r}")

    @property
    def window(self) -> DateRange | None:
        """The half-open range, or ``None`` where the start is not known or the end is unknown."""
        if self.start is None or self.status == "unknown":
            return None
        return DateRange(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Provision:
    """One article as it stood in one version: number, heading path and verbatim text."""

    number: ProvisionNumber
    text: str
    path: str = ""
    """Headings above it, outermost first, joined by `` / `` (第二编 分则 / 第四章 …)."""

    @property
    def hash(self) -> str:
        """The SHA-256 of the text, hexadecimal: equal hashes are equal wording."""
        return text_hash(self.text)


@dataclass(frozen=True, slots=True)
class Caption:
    """A name somebody other than the legislature gave a provision; never quoted as law.

    For 刑法 these are the crime names fixed by the Supreme People's Court and Procuratorate
    (罪名规定 and its supplements), each with the days on which that name was the official one.
    """

    number: ProvisionNumber
    name: str
    window: DateRange
    authority: str
    """The instrument that fixed the name, e.g. ``法释〔1997〕9号``."""


@dataclass(frozen=True)
class Version:
    """What a work said between two changes; the provisions themselves are kept beside it."""

    work: str
    """The work's official title; titles identify works."""
    label: str
    """What editors call it: ``2011修正``."""
    validity: Validity
    _: KW_ONLY
    promulgated: date | None = None
    instrument: str = ""
    """The law or decision that made this version, e.g. ``刑法修正案（八）``; empty if not known."""
    scope: frozenset[ProvisionNumber] | None = None
    """The provisions this record speaks about; ``None`` means the whole law (less ``holes``)."""
    holes: frozenset[ProvisionNumber] = frozenset()
    """Provisions the law had but this copy lacks."""
    source: Source = Source("unknown")
    category: str = ""
    note: str = ""
    text_hash: str = ""
    """Hash over all its provisions in order: equal hashes are the same text from two sources."""

    @cached_property
    def key(self) -> str:
        """A short name for this record of this version: stable, unique within a corpus."""
        v, s = self.validity, self.source
        parts = (self.work, self.label, v.start, v.end, v.status, self.text_hash, s.name, s.path)
        return text_hash("\x1f".join(map(str, parts)))[:16]

    def speaks_of(self, number: ProvisionNumber) -> bool:
        """Whether the absence of ``number`` from this record means the law did not have it."""
        in_scope = self.scope is None or number in self.scope
        return in_scope and number not in self.holes


@dataclass(frozen=True, slots=True)
class VersionText:
    """A version together with its provisions, in the order of the law: what a loader returns."""

    version: Version
    provisions: tuple[Provision, ...]
    captions: tuple[Caption, ...] = ()


def same_wording(left: str, right: str) -> bool:
    """Whether two texts differ in nothing but white space and the width of characters.

    Compilations break lines and write stops (： or :) as they please; that changes no law.
    """
    return left == right or _folded(left) == _folded(right)


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def text_hash(text: str) -> str:
    """SHA-256 of a text, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def provisions_hash(provisions: tuple[Provision, ...]) -> str:
    """One hash over numbers and texts, in order."""
    digest = hashlib.sha256()
    for provision in provisions:
        digest.update(f"{provision.number.iri}\x1f{provision.text}\x1e".encode())
    return digest.hexdigest()
