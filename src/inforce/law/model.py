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

DateStatus = Literal["exact", "open", "presumed", "at_least", "unknown"]
"""How the end of a version's window is known.

``exact``: closed on a stated day. ``open``: still in force when the record was made. ``presumed``:
closed by the next version held, an intermediate one cannot be excluded. ``at_least``: in force
until that day for certain, and nobody says for how long after it. ``unknown``: superseded, but
nobody says when; such a version never answers a dated question.
"""

DateEvidence = Literal["instrument", "register", "clause", "header", "unstated"]
"""Where a version's dates come from, best first.

``instrument``: the statute or the amending decision itself. ``register``: the national register of
laws. ``clause``: a commencement clause read by a program. ``header``: the history lines above a
text. ``unstated``: the source does not say.
"""

SOURCE_CURRENT = "the day its source was current"
"""Where the first day of a text comes from of which nothing else is known."""
LAST_ARTICLES = "its last articles"
"""Where it comes from if the text itself says when it, or its first form, comes into force."""

EVIDENCE_RANK: dict[DateEvidence, int] = {
    "instrument": 0,
    "register": 1,
    "clause": 2,
    "header": 3,
    "unstated": 4,
}
"""The better evidence has the lower rank."""

ActKind = Literal[
    "passed", "approved", "amended", "revised", "promulgated", "in force", "repealed", "other"
]
"""What happened to a law on a day: 通过, 批准, 修正, 修订, 公布, 施行, 废止, or unsaid."""


@dataclass(frozen=True, slots=True)
class Act:
    """One dated line of the history above a text: who did what to the law, and when."""

    day: date
    kind: ActKind
    body: str = ""
    """Who acted: ``第十四届全国人民代表大会常务委员会第十八次会议``."""
    decision: str = ""
    """By what: ``关于修改〈中华人民共和国网络安全法〉的决定``; empty if the line names nothing."""

    def __str__(self) -> str:
        """``2018-10-26 amended by 《关于修改…的决定》``."""
        by = f" by 《{self.decision}》" if self.decision else ""
        return f"{self.day} {self.kind}{by}"


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a text: enough to find it again and to know whether it may be reused."""

    name: str
    """Repository, publisher or file, e.g. ``LawRefBook/Laws``."""
    _: KW_ONLY
    path: str = ""
    revision: str = ""
    licence: str = "statutory text, outside copyright (PRC Copyright Law art. 5)"
    """Of the text and, where the source states one, of its compilation."""
    as_of: date | None = None
    """The day on which the source was current; ``None`` where nobody says."""


@dataclass(frozen=True, slots=True)
class Validity:
    """The window in which a version was in force, as a source states it or all of them together do.

    ``start`` is the first day in force, ``end`` the first day no longer in force (half-open);
    ``None`` means not known for ``start``, and for ``end`` what ``status`` says.
    """

    start: date | None
    end: date | None
    status: DateStatus
    evidence: DateEvidence = "unstated"
    _: KW_ONLY
    start_presumed: bool = False
    """Whether ``start`` is the day the text was made, its commencement being unknown."""
    as_of: date | None = None
    """Of an open end: the last day on which a source is known to have shown the text in force."""
    begins_by: str = ""
    """Where ``start`` comes from, in a phrase."""
    ends_by: str = ""
    """Where ``end`` comes from, in a phrase."""

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
    """What a work said between two changes; the provisions themselves are stored beside it."""

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
    text_as_of: date | None = None
    """The day whose text this is, where the source says that its label may be that of another."""
    history: tuple[Act, ...] = ()
    """The dated lines above this text, in their order: every act up to this text."""
    stated: Validity | None = None
    """What the source itself states, where ``validity`` was worked out from all that is held."""

    def __hash__(self) -> int:  # what tells records apart; all its parts take ten times as long
        return hash((self.work, self.label, self.text_hash))

    @cached_property
    def key(self) -> str:
        """A short name for this record of this version: stable, unique within a corpus."""
        v, s = self.stated or self.validity, self.source
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
