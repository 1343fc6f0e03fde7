"""The doctor: gaps, contradictions and damage of a corpus that make answers doubtful."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from inforce.corpus.coverage import Coverage, coverage_of
from inforce.corpus.dated_work import count_versions
from inforce.corpus.dating import Conflict
from inforce.corpus.store import Corpus
from inforce.dates import DateRange, merged
from inforce.errors import UserError
from inforce.language.messages import N_
from inforce.law.model import Caption, Version, VersionText
from inforce.law.numerals import NumberKind, ProvisionNumber
from inforce.law.timeline import Timeline, Unheld

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
"""Labels for people: what each kind counts."""

Disagreement = Literal["dates differ", "text differs", "still shown"]
"""``dates differ``: the wording does hold on other days it claims; ``text differs``: on none;
``still shown``: it was ended by a later text, but its source shows it still."""

_EXAMPLES = 5
"""Article numbers that JSON shows beside their count."""

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
    """The findings about one law."""

    work: str
    versions: int
    """Versions that differ in wording or time."""
    witnesses: int
    """Records they rest on."""
    provisions: int
    """Different article numbers."""
    covered: tuple[DateRange, ...]
    """Days on which the text, or the absence, of at least one provision is known from a version."""
    coverage: Coverage
    """The years held, the texts missing, and the day on which the law was last known."""
    gaps: tuple[Gap, ...] = ()
    overlaps: tuple[Overlap, ...] = ()
    holes: tuple[Hole, ...] = ()
    unknown_starts: tuple[Version, ...] = ()
    unknown_ends: tuple[Version, ...] = ()
    captions_without_article: tuple[Caption, ...] = ()

    @property
    def missing(self) -> tuple[Unheld, ...]:
        """Texts known to have existed that are not held, by the acts that made them."""
        return self.coverage.missing

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Evidence for the dates of the law that cannot all be right."""
        return self.coverage.conflicts

    @property
    def problems(self) -> dict[ProblemKind, int]:
        """The number of problems of each kind; holes are counted by article."""
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
    """The findings about a corpus, law by law in order of title."""

    laws: tuple[LawReport, ...]
    duplicate_texts: tuple[DuplicateText, ...]
    damage: tuple[str, ...]
    """Sentences about what does not match its hash; empty in a sound file."""

    @property
    def problems(self) -> dict[ProblemKind, int]:
        """The number of problems of each kind in the whole corpus, zeros included."""
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


# -- the examination -------------------------------------------------------------------------------


def examine(
    corpus: Corpus,
    *,
    works: Sequence[str] | None = None,
    progress: Callable[[str], None] | None = None,
    file: bool = True,
) -> Report:
    """Examine laws by their official titles (all of them by default), and the file itself.

    ``progress`` is called with each title once it is done; without ``file`` only the laws are
    examined, and not whether the file still matches its hashes.

    Raises:
        UnknownWorkError: if one of ``works`` is not held.
    """
    titles = corpus.titles() if works is None else tuple(sorted(set(works)))
    laws: list[LawReport] = []
    versions: list[Version] = []
    for title in titles:
        texts = tuple(corpus.texts(title))
        dated = corpus.versions(title)
        laws.append(_examine_law(corpus, title, texts, dated))
        versions.extend(dated)
        if progress is not None:
            progress(title)
    damage = corpus.damage() if file else ()
    return Report(tuple(laws), _duplicate_texts(versions), damage)


def _examine_law(
    corpus: Corpus, title: str, texts: Sequence[VersionText], versions: Sequence[Version]
) -> LawReport:
    timelines = tuple(corpus.timelines(title))
    numbers = {timeline.number for timeline in timelines}
    captions = corpus.captions(title)
    if all(version.scope is not None for version in versions):
        captions = ()  # extracts leave out most articles on purpose
    return LawReport(
        title,
        versions=count_versions(versions),
        witnesses=len(versions),
        provisions=len(numbers),
        covered=merged(span.window for line in timelines for span in line.spans if span.version),
        gaps=_gaps(timelines),
        overlaps=overlaps(timelines),
        holes=_holes(texts),
        unknown_starts=tuple(
            v for v in versions if v.validity.start is None or v.validity.start_presumed
        ),
        unknown_ends=tuple(v for v in versions if v.validity.status == "unknown"),
        coverage=coverage_of(title, versions, corpus.dating(title)),
        captions_without_article=tuple(one for one in captions if one.number not in numbers),
    )


def _gaps(timelines: Iterable[Timeline]) -> tuple[Gap, ...]:
    """Uncovered days with a known day before and after, once for all provisions they concern."""
    numbers: defaultdict[DateRange, list[ProvisionNumber]] = defaultdict(list)
    for timeline in timelines:
        held = [index for index, span in enumerate(timeline.spans) if span.version]
        for span in timeline.spans[held[0] : held[-1]] if held else ():
            if span.state == "uncovered":
                numbers[span.window].append(timeline.number)
    ordered = sorted(numbers, key=lambda window: (window.start, str(window)))
    return tuple(Gap(window, tuple(numbers[window])) for window in ordered)


def overlaps(timelines: Iterable[Timeline]) -> tuple[Overlap, ...]:
    """Contradicted claims, together for each pair of versions."""
    numbers: defaultdict[tuple[Version, Version, Disagreement], list[ProvisionNumber]]
    numbers = defaultdict(list)
    for timeline in timelines:
        for aside in timeline.set_aside:
            if aside.winner and aside.reason not in ("start unknown", "end unknown"):
                pair = (aside.claim.version, aside.winner.version, aside.reason)
                numbers[pair].append(timeline.number)
    found = [Overlap(*pair, tuple(those)) for pair, those in numbers.items()]
    return tuple(sorted(found, key=lambda one: (one.set_aside.key, one.winner.key, one.reason)))


def _holes(texts: Iterable[VersionText]) -> tuple[Hole, ...]:
    holes: list[Hole] = []
    for text in texts:
        version, held = text.version, {provision.number for provision in text.provisions}
        declared = tuple(sorted(version.holes))
        # An extract is meant to jump; only a whole law betrays what it lacks.
        undeclared = missing_numbers(held | version.holes) if version.scope is None else ()
        if declared or undeclared:
            holes.append(Hole(version, declared, undeclared))
    return tuple(holes)


def missing_numbers(held: Collection[ProvisionNumber]) -> Numbers:
    """The numbers that a whole text lacks: 13 between 12 and 14, 20-1 before 20-2."""
    branches: defaultdict[tuple[NumberKind, int], int] = defaultdict(int)
    last: defaultdict[NumberKind, int] = defaultdict(int)
    for number in held:
        place = (number.kind, number.main)
        branches[place] = max(branches[place], number.branch)
        last[number.kind] = max(last[number.kind], number.main)
    expected = [
        ProvisionNumber(kind, main, branch)
        for kind, highest in last.items()
        for main in range(1, highest + 1)
        for branch in range(branches.get((kind, main), 0) + 1)
    ]
    return tuple(sorted(set(expected).difference(held)))


def _duplicate_texts(versions: Iterable[Version]) -> tuple[DuplicateText, ...]:
    """Equal texts of whole laws that are not witnesses of one version.

    An extract may well read the same at two times: what changed is outside it.
    """
    by_text: defaultdict[str, list[Version]] = defaultdict(list)
    for version in versions:
        if version.scope is None:
            by_text[version.text_hash].append(version)
    return tuple(
        DuplicateText(text_hash, tuple(same))
        for text_hash, same in sorted(by_text.items())
        if len({version.work for version in same}) > 1 or count_versions(same) > 1
    )


# -- limits ----------------------------------------------------------------------------------------


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
    known: dict[str, ProblemKind] = {kind: kind for kind in PROBLEM_KINDS}
    limits: dict[ProblemKind, int] = {}
    for text in texts:
        name, _, number = text.partition("=")
        if name not in known or not number.isdecimal():
            kinds = ", ".join(PROBLEM_KINDS)
            raise UserError(
                f"cannot read the limit {text!r}; write KIND=N, where KIND is one of: {kinds}"
            )
        limits[known[name]] = int(number)
    return limits


# -- as JSON ---------------------------------------------------------------------------------------


def _law_json(law: LawReport) -> dict[str, object]:
    return {
        "work": law.work,
        "versions": law.versions,
        "witnesses": law.witnesses,
        "provisions": law.provisions,
        "covered": [_range_json(window) for window in law.covered],
        "gaps": [{**_range_json(gap.window), **_numbers_json(gap.numbers)} for gap in law.gaps],
        "overlaps": [
            {
                "set_aside": _version_json(overlap.set_aside),
                "winner": _version_json(overlap.winner),
                "reason": overlap.reason,
                **_numbers_json(overlap.numbers),
            }
            for overlap in law.overlaps
        ],
        "holes": [
            {
                "version": _version_json(hole.version),
                "declared": [number.short for number in hole.declared],
                "undeclared": [number.short for number in hole.undeclared],
            }
            for hole in law.holes
        ],
        "unknown_starts": [_version_json(version) for version in law.unknown_starts],
        "unknown_ends": [_version_json(version) for version in law.unknown_ends],
        "missing_texts": [{**_range_json(one.window), "why": one.why} for one in law.missing],
        "conflicts": [
            {"about": one.about, "taken": one.taken, "left": one.left} for one in law.conflicts
        ],
        "as_of": law.coverage.as_of.isoformat() if law.coverage.as_of else None,
        "captions_without_article": [
            {"number": caption.number.short, "name": caption.name}
            for caption in law.captions_without_article
        ],
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
