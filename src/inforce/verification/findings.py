"""The findings of a check: what is right or wrong, with the wordings that show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Final, Literal

from inforce.dates import DateRange
from inforce.documents.document import Location
from inforce.law.diff import Piece
from inforce.law.ids import Portion
from inforce.law.numerals import ProvisionNumber
from inforce.law.rules import Rule

FindingKind = Literal[
    "right",
    "amended_since",
    "other_time",
    "not_in_force",
    "renumbered",
    "no_such_provision",
    "no_such_law",
    "misquoted",
    "wrong_source",
    "unsupported_portion",
    "wrong_name",
    "wrong_case_number",
    "not_checked",
]
"""``right``: on those days. ``amended_since``: right then, different today. ``other_time``: the
law of another time. ``not_in_force``: not yet, or no longer. ``renumbered``: the rule has, or had,
another number. ``no_such_provision``: the law never had it. ``no_such_law``: there is no law of
that name. ``misquoted``: no version says it in these words. ``wrong_source``: the words are those
of another provision. ``unsupported_portion``: there is no such paragraph or item, or it does not
say that. ``wrong_name``: a crime name that was not official then. ``wrong_case_number``: a case
number that cannot be. ``not_checked``: nothing can be said, for the reason given."""

RIGHT: Final[frozenset[FindingKind]] = frozenset(("right", "amended_since"))
UNCHECKED: Final[frozenset[FindingKind]] = frozenset(("not_checked",))

Subject = Literal["citation", "quotation", "crime_name", "case_number"]

Reason = Literal[
    "",
    "law_not_held",
    "law_not_named",
    "foreign_law",
    "treaty",
    "no_date",
    "not_covered",
    "changed_within_days",
    "cannot_decide",
    "source_unknown",
    "no_source_of_cases",
    "case_not_held",
    "no_crime_names_held",
    "not_yet",
    "no_longer",
    "no_such_paragraph",
    "other_portion",
    "invented_words",
    "year_after_document",
    "unknown_court",
    "unknown_case_type",
    "code_before_2016",
    "no_appeals_there",
    "never_official",
    "official_at_another_time",
]
"""Why nothing could be checked, or what exactly is wrong."""

DaysFrom = Literal["option", "sentence", "paragraph", "document", "date_of_document", "version"]
"""Where the days come from that a finding is about; ``version``: from the version the document
names (刑法（2011年修正））."""


@dataclass(frozen=True, slots=True)
class TextRange:
    """Characters of a document from ``start`` to ``end``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CheckedDays:
    """The days a citation or quotation was checked for, and where they come from."""

    facts: tuple[DateRange, ...]
    origin: DaysFrom
    trial: DateRange | None = None
    words: tuple[str, ...] = ()
    """The dates as the document writes them."""
    decided: bool = False
    """Whether the document reports a court's decision without its day."""

    def __str__(self) -> str:
        return ", ".join(map(str, self.facts))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A wording that a finding is based on."""

    id: str
    """The provision's identifier in the Akoma Ntoso form, with the first day of the version."""
    work: str
    number: ProvisionNumber
    window: DateRange
    text: str
    hash: str
    """SHA-256 of the whole provision's text."""
    instrument: str = ""
    """The law or decision that made it so; empty where it is not recorded."""
    dates_presumed: bool = False


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A provision that could be cited instead."""

    work: str
    portion: Portion
    as_of: DateRange | None = None
    text: str = ""
    """What it says; empty where the corpus does not have it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result for one citation, quotation, crime name or case number."""

    kind: FindingKind
    subject: Subject
    start: int
    end: int
    """In the document's text."""
    text: str
    """As the document writes it."""
    _: KW_ONLY
    work: str = ""
    """The law cited, by its official title where it is known."""
    portion: Portion | None = None
    reason: Reason = ""
    days: CheckedDays | None = None
    governed: tuple[Evidence, ...] = ()
    """What the law said on those days; more than one where it changed within them."""
    quoted: Evidence | None = None
    """The wording that has the quoted words, where it is another than the governing one."""
    today: Evidence | None = None
    """Today's wording, where that differs."""
    pieces: tuple[Piece, ...] = ()
    """How the document's words differ: deleted are the law's words, inserted the document's."""
    score: float | None = None
    """Likeness of a rule under its other number, or of the words, 0 to 1."""
    since: str = ""
    """The day on which it came into force or ceased to be, ISO."""
    instrument: str = ""
    """The law or decision that did that."""
    rule: Rule | None = None
    """The rule on the law in time by which the version was chosen."""
    details: tuple[str, ...] = ()
    """Further reasons, in the words of what decided (English)."""
    suggestions: tuple[Suggestion, ...] = ()
    names: tuple[str, ...] = ()
    """Of an unknown law, similar titles; of a crime name, the official names on those days."""
    locations: tuple[Location, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.kind in RIGHT

    @property
    def is_wrong(self) -> bool:
        """Whether something is wrong with it: neither right nor left unchecked."""
        return self.kind not in RIGHT and self.kind not in UNCHECKED


@dataclass(frozen=True, slots=True)
class LawsHeld:
    """The corpus a document was checked against."""

    laws: int
    snapshot: str
    today: str
    """The day taken as today, ISO."""


@dataclass(frozen=True, slots=True)
class Verified:
    """Everything found in one document."""

    name: str
    format: str
    title: str
    text: str
    findings: tuple[Finding, ...]
    """In the order of the document."""
    held: LawsHeld
    unread: tuple[str, ...] = ()
    """Parts that were not read and so not checked: scanned pages, text over a limit."""

    @property
    def counts(self) -> Mapping[FindingKind, int]:
        """The number of findings of each kind."""
        return Counter(one.kind for one in self.findings)

    @property
    def outcome(self) -> Literal["right", "wrong", "not_checked"]:
        """The worst of the findings; a document with unread pages is never all right."""
        if any(one.is_wrong for one in self.findings):
            return "wrong"
        unchecked = self.unread or any(one.kind == "not_checked" for one in self.findings)
        return "not_checked" if unchecked else "right"
