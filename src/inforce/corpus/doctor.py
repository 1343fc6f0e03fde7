"""The doctor: how well is each law held, and where would an answer be doubtful or impossible?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

from inforce.corpus.coverage import coverage_of
from inforce.corpus.findings import (
    Disagreement,
    DuplicateText,
    Gap,
    Hole,
    LawReport,
    Numbers,
    Overlap,
    Report,
)
from inforce.corpus.store import Corpus
from inforce.corpus.witnesses import distinct_versions
from inforce.dates import DateRange
from inforce.law.model import Caption, Version, VersionText
from inforce.law.numerals import NumberKind, ProvisionNumber
from inforce.law.timeline import Timeline


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
    return LawReport(
        title,
        versions=len(distinct_versions(versions)),
        witnesses=len(versions),
        provisions=len(numbers),
        covered=_covered(timelines),
        gaps=_gaps(timelines),
        overlaps=overlaps(timelines),
        holes=_holes(texts),
        unknown_starts=tuple(
            v for v in versions if v.validity.start is None or v.validity.start_presumed
        ),
        unknown_ends=tuple(v for v in versions if v.validity.status == "unknown"),
        coverage=coverage_of(title, versions, corpus.dating(title)),
        captions_without_article=_orphans(corpus.captions(title), numbers, versions),
    )


def _orphans(
    captions: Iterable[Caption],
    numbers: Collection[ProvisionNumber],
    versions: Iterable[Version],
) -> tuple[Caption, ...]:
    """Captions of articles that no version has; an extract leaves out most articles on purpose."""
    if all(version.scope is not None for version in versions):
        return ()
    return tuple(caption for caption in captions if caption.number not in numbers)


def _covered(timelines: Iterable[Timeline]) -> tuple[DateRange, ...]:
    windows = {span.window for line in timelines for span in line.spans if span.version}
    joined: list[DateRange] = []
    for window in sorted(windows, key=lambda one: one.start):
        last = joined[-1] if joined else None
        if last is None or (last.end is not None and last.end < window.start):
            joined.append(window)
        elif last.end is not None and (window.end is None or window.end > last.end):
            joined[-1] = DateRange(last.start, window.end)
    return tuple(joined)


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
    """What a whole text with these numbers lacks: 13 between 12 and 14, 20-1 before 20-2."""
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
        if len({version.work for version in same}) > 1 or len(distinct_versions(same)) > 1
    )
