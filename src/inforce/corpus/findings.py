"""What an examination of a corpus found: values to show, to write as JSON, to hold to limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from inforce.corpus.coverage import Coverage
from inforce.corpus.dating import Conflict
from inforce.dates import DateRange
from inforce.errors import UserError
from inforce.language.messages import N_
from inforce.law.model import Caption, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Unheld

ProblemKind = Literal[
    "gaps",
    "overlaps",
    "holes",
    "undeclared_holes",
    "unknown_starts",
    "unknown_ends",
    "missing_texts",
    "conflicts",
    "duplicate_texts",
    "captions_without_article",
    "damage",
]
PROBLEM_KINDS: tuple[ProblemKind, ...] = get_args(ProblemKind)

KINDS: Mapping[ProblemKind, str] = {
    "missing_texts": N_("texts known to have existed that are not held"),
    "gaps": N_("stretches of days between two texts for which nothing is held"),
    "unknown_starts": N_("versions whose first day is not known, or presumed"),
    "unknown_ends": N_("versions whose last day is not known"),
    "overlaps": N_("versions set aside because a better-dated one says otherwise"),
    "conflicts": N_("pieces of evidence for a date that contradict each other"),
    "holes": N_("articles a version lacks, as its source says"),
    "undeclared_holes": N_("articles a version lacks, judging by the numbers"),
    "duplicate_texts": N_("whole texts under two titles or at two times"),
    "captions_without_article": N_("crime names without an article"),
    "damage": N_("pieces of the corpus or of its index that are damaged"),
}
"""What each kind counts, as a person reads it."""

Disagreement = Literal["dates differ", "text differs", "still shown"]
"""``dates differ``: the wording does hold on other days it claims; ``text differs``: on none;
``still shown``: it was ended by a later text, but its source shows it still."""

_EXAMPLES = 5
"""How many article numbers JSON shows beside their count."""

Numbers = tuple[ProvisionNumber, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Days between two held windows of the same provisions for which no text is held."""

    window: DateRange
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Overlap:
    """A version that contradicts a better-dated one about some provisions, and lost to it."""

    set_aside: Version
    winner: Version
    reason: Disagreement
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Hole:
    """Articles a version lacks: those its source declares, and those only the numbering betrays.

    A jump in the numbers may also be a repealed article; only the instrument can tell.
    """

    version: Version
    declared: Numbers
    undeclared: Numbers


@dataclass(frozen=True, slots=True)
class DuplicateText:
    """The same whole text under two titles, or under two labels at times that do not meet."""

    text_hash: str
    versions: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class LawReport:
    """How well one law is held."""

    work: str
    versions: int
    """Versions that differ in wording or time."""
    witnesses: int
    """Records they rest on."""
    provisions: int
    """Different article numbers."""
    covered: tuple[DateRange, ...]
    """Days on which the text, or the absence, of at least one provision is known from a version."""
    gaps: tuple[Gap, ...] = ()
    overlaps: tuple[Overlap, ...] = ()
    holes: tuple[Hole, ...] = ()
    unknown_starts: tuple[Version, ...] = ()
    unknown_ends: tuple[Version, ...] = ()
    coverage: Coverage | None = None
    """Which years are held, which texts are missing, and on which day the law was last known."""
    captions_without_article: tuple[Caption, ...] = ()

    @property
    def missing(self) -> tuple[Unheld, ...]:
        """Texts known to have existed that are not held, by the acts that made them."""
        return self.coverage.missing if self.coverage else ()

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Evidence for the dates of the law that cannot all be right."""
        return self.coverage.conflicts if self.coverage else ()

    @property
    def problems(self) -> dict[ProblemKind, int]:
        """How many of each kind; holes are counted by article."""
        return {
            "gaps": len(self.gaps),
            "overlaps": len(self.overlaps),
            "holes": sum(len(hole.declared) for hole in self.holes),
            "undeclared_holes": sum(len(hole.undeclared) for hole in self.holes),
            "unknown_starts": len(self.unknown_starts),
            "unknown_ends": len(self.unknown_ends),
            "missing_texts": len(self.missing),
            "conflicts": len(self.conflicts),
            "captions_without_article": len(self.captions_without_article),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What an examination found, law by law in order of title."""

    laws: tuple[LawReport, ...]
    duplicate_texts: tuple[DuplicateText, ...]
    damage: tuple[str, ...]
    """Sentences about what does not match its hash; empty in a sound file."""

    @property
    def problems(self) -> dict[ProblemKind, int]:
        """How many of each kind in the whole corpus, zeros included."""
        counts: dict[ProblemKind, int] = dict.fromkeys(PROBLEM_KINDS, 0)
        for law in self.laws:
            for kind, count in law.problems.items():
                counts[kind] += count
        counts["duplicate_texts"] = len(self.duplicate_texts)
        counts["damage"] = len(self.damage)
        return counts

    def to_json(self) -> dict[str, object]:
        """The report as plain JSON values; days are ISO dates and ranges are half-open."""
        return {
            "problems": self.problems,
            "laws": [_law_json(law) for law in self.laws],
            "duplicate_texts": [
                [_version_json(version) for version in duplicate.versions]
                for duplicate in self.duplicate_texts
            ],
            "damage": list(self.damage),
        }


@dataclass(frozen=True, slots=True)
class Excess:
    """A kind of problem that occurs more often than allowed."""

    kind: ProblemKind
    count: int
    limit: int


def exceeds(report: Report, limits: Mapping[ProblemKind, int]) -> tuple[Excess, ...]:
    """The limits a corpus breaks; empty means it is good enough."""
    counts = report.problems
    return tuple(
        Excess(kind, counts[kind], limits[kind])
        for kind in PROBLEM_KINDS
        if kind in limits and counts[kind] > limits[kind]
    )


def parse_limits(texts: Iterable[str]) -> dict[ProblemKind, int]:
    """Read limits as a command line gives them: ``gaps=0``.

    Raises:
        UserError: if one names no kind of problem or no whole number.
    """
    return dict(map(_parse_limit, texts))


def _parse_limit(text: str) -> tuple[ProblemKind, int]:
    name, _, number = text.partition("=")
    for kind in PROBLEM_KINDS:
        if kind == name and number.isdecimal():
            return kind, int(number)
    kinds = ", ".join(PROBLEM_KINDS)
    raise UserError(f"cannot read the limit {text!r}; write KIND=N, where KIND is one of: {kinds}")


def _law_json(law: LawReport) -> dict[str, object]:
    return {
        "work": law.work,
        "versions": law.versions,
        "witnesses": law.witnesses,
        "provisions": law.provisions,
        "covered": [_range_json(window) for window in law.covered],
        "gaps": [{**_range_json(gap.window), **_numbers_json(gap.numbers)} for gap in law.gaps],
        "overlaps": [_overlap_json(overlap) for overlap in law.overlaps],
        "holes": [_hole_json(hole) for hole in law.holes],
        "unknown_starts": [_version_json(version) for version in law.unknown_starts],
        "unknown_ends": [_version_json(version) for version in law.unknown_ends],
        "missing_texts": [{**_range_json(one.window), "why": one.why} for one in law.missing],
        "conflicts": [
            {"about": one.about, "taken": one.taken, "left": one.left} for one in law.conflicts
        ],
        "as_of": law.coverage.as_of.isoformat() if law.coverage and law.coverage.as_of else None,
        "captions_without_article": [
            {"number": caption.number.short, "name": caption.name}
            for caption in law.captions_without_article
        ],
    }


def _overlap_json(overlap: Overlap) -> dict[str, object]:
    return {
        "set_aside": _version_json(overlap.set_aside),
        "winner": _version_json(overlap.winner),
        "reason": overlap.reason,
        **_numbers_json(overlap.numbers),
    }


def _hole_json(hole: Hole) -> dict[str, object]:
    return {
        "version": _version_json(hole.version),
        "declared": [number.short for number in hole.declared],
        "undeclared": [number.short for number in hole.undeclared],
    }


def _version_json(version: Version) -> dict[str, object]:
    validity, source = version.validity, version.source
    return {
        "work": version.work,
        "label": version.label,
        "start": validity.start.isoformat() if validity.start else None,
        "end": validity.end.isoformat() if validity.end else None,
        "status": validity.status,
        "source": f"{source.name}:{source.path}" if source.path else source.name,
        "key": version.key,
    }


def _range_json(window: DateRange) -> dict[str, object]:
    end = window.end.isoformat() if window.end else None
    return {"start": window.start.isoformat(), "end": end}


def _numbers_json(numbers: Sequence[ProvisionNumber]) -> dict[str, object]:
    examples = [number.short for number in numbers[:_EXAMPLES]]
    return {"provisions": len(numbers), "examples": examples}
