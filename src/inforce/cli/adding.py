"""Adding texts to the user's corpus, and reporting what that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from inforce.cli.output import counted, localize, print_line, progress_bar, user_library
from inforce.corpus import home
from inforce.corpus.snapshots import EMPTY_SNAPSHOT
from inforce.corpus.store import Corpus
from inforce.errors import InputError
from inforce.law.timeline import grade

if TYPE_CHECKING:
    from inforce.corpus.adding import AddReport
    from inforce.documents.files import OnProblem
    from inforce.law.model import Version, VersionText
    from inforce.law.numerals import ProvisionNumber
    from inforce.law.timeline import Timeline

Starter = Annotated[
    bool, typer.Option(help="Give a new corpus the laws that come with the package first.")
]
Index = Annotated[bool, typer.Option(help="Bring the search index up to date afterwards.")]

EXAMPLES = 5
"""How many article numbers or findings are named before the rest is counted."""


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding texts."""

    corpus: str
    report: AddReport
    problems: tuple[str, ...]
    """Texts that were left out, each with file and line."""
    snapshot: str
    starter: bool = False
    """Whether the laws of the package were added first, as the corpus was new."""
    contradictions: tuple[str, ...] = ()
    """Texts with different words for the same days; the better-dated one is shown."""
    undated: tuple[str, ...] = ()
    """Texts without days in force, which answer no dated question."""

    @property
    def exit_status(self) -> int:
        """Not 0 if any text was left out."""
        return InputError.exit_status if self.problems else 0


def add_texts(
    read: Callable[[OnProblem], Iterator[VersionText]], *, starter: bool, index: bool
) -> Added:
    """Add texts in one transaction, and bring the index up to date.

    Args:
        read: yields the texts, and reports those that cannot be read.
        starter: whether a new corpus gets the laws of the package first.
        index: whether the search index is updated at once.
    """
    problems: list[InputError] = []
    path = home.corpus_path()
    with Corpus.open(path, mode="write") as corpus, progress_bar("adding laws") as advance:
        with_starter = starter and corpus.snapshot() == EMPTY_SNAPSHOT
        texts = read(problems.append)
        report = corpus.add(
            _after_starter(texts) if with_starter else texts, progress=lambda _: advance(1)
        )
        snapshot = corpus.snapshot()
    contradictions, undated = _find_doubts(path, report.touched)
    added = Added(
        str(path),
        report,
        tuple(map(str, problems)),
        snapshot,
        with_starter and report.versions_added > 0,
        contradictions,
        undated,
    )
    if index and added.snapshot != EMPTY_SNAPSHOT:
        with user_library() as library:
            library.update_index()
    return added


def _after_starter(texts: Iterator[VersionText]) -> Iterator[VersionText]:
    """The laws of the package, then the texts, if there are any."""
    from inforce.corpus.starter import starter_texts

    first = next(texts, None)
    if first is not None:
        yield from starter_texts()
        yield first
        yield from texts


class _Doubts(NamedTuple):
    """What the user should look at in the laws just added, a sentence each."""

    contradictions: tuple[str, ...]
    undated: tuple[str, ...]


def _find_doubts(path: Path, titles: Sequence[str]) -> _Doubts:
    if not titles:
        return _Doubts((), ())
    contradictions: list[str] = []
    undated: list[str] = []
    with Corpus.open(path) as corpus, corpus.one_state():
        for title in titles:
            versions = corpus.versions(title)
            undated += _undated(title, versions)
            if len(versions) > 1:
                contradictions += _contradictions(title, corpus.timelines(title))
    return _Doubts(tuple(contradictions), tuple(undated))


def _contradictions(title: str, timelines: Iterable[Timeline]) -> Iterator[str]:
    """Pairs of texts of a law with different words for the same days."""
    from inforce.corpus.doctor import overlaps

    for one in overlaps(timelines):
        why = "which is better dated and is shown"
        if one.reason == "still shown":
            why = "which began later and is shown"
        elif grade(one.winner) >= grade(one.set_aside):
            why = "which is as well dated and is shown: which of them is right is not known"
        yield (
            f"{title} {some(one.numbers)}: {named(one.set_aside)} contradicts "
            f"{named(one.winner)}, {why}"
        )


def _undated(title: str, versions: Iterable[Version]) -> Iterator[str]:
    """Texts of a law without days in force."""
    for version in versions:
        if version.validity.start is None and version.promulgated is None:
            yield (
                f"{title}: {named(version)} does not say when it was in force, and answers no "
                "dated question; if it was the law on a day: --as-of DAY"
            )


def show_added(added: Added) -> None:
    """Print the result of adding texts."""
    report = added.report
    print_line(
        f"{counted(report.versions_added, 'version')} added "
        f"({counted(report.works, 'new law')}, {counted(report.provisions, 'article')}), "
        f"{report.versions_known} known already"
    )
    if added.starter:
        print_line(
            "the corpus was new: the starter corpus (inforce corpus add starter) is part of it"
        )
    for problem in added.problems:
        reason = problem.partition(": ")[2]
        explained = problem.removesuffix(reason) + localize(reason)
        print_line(f"left out: {explained}", stderr=True)
    for sentence in added.contradictions[:EXAMPLES]:
        print_line(f"contradiction: {sentence}", stderr=True)
    if (more := len(added.contradictions) - EXAMPLES) > 0:
        print_line(f"and {counted(more, 'contradiction')} more: inforce corpus doctor", stderr=True)
    for sentence in added.undated[:EXAMPLES]:
        print_line(f"undated: {sentence}", stderr=True)
    if (more := len(added.undated) - EXAMPLES) > 0:
        print_line(f"and {counted(more, 'undated text')} more: inforce corpus doctor", stderr=True)
    if report.versions_added and (amending := _instruments_in(report.touched)):
        what = f"{counted(amending, 'text')} among them may amend others"
        print_line(f"{what}: inforce corpus compile --add makes the versions that nobody published")
    print_line(f"corpus {added.corpus} (snapshot {added.snapshot[:12]})")


def _instruments_in(titles: Iterable[str]) -> int:
    from inforce.corpus.compile.from_corpus import is_instrument

    return sum(map(is_instrument, titles))


def named(version: Version) -> str:
    """``2018修正 (LawRefBook/Laws)``."""
    return f"{version.label or 'a text without a date'} ({version.source.name})"


def some(numbers: Sequence[ProvisionNumber]) -> str:
    """``第一条、第二条 and 17 more``."""
    chosen = "、".join(number.chinese for number in numbers[:EXAMPLES])
    more = len(numbers) - EXAMPLES
    return f"{chosen} and {more} more" if more > 0 else chosen
