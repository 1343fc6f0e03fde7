"""Reports on disk: ``report.md``, ``report.html`` and a page a run of an item."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from inforce.errors import UserError
from inforce.evals import catalogue
from inforce.evals.benchmark import Benchmark
from inforce.evals.compare import Comparison, compare, corrected_together
from inforce.evals.report.contents import Evaluated, chapters, evaluate
from inforce.evals.report.page import Section, html, markdown, show_items, trace_links, write_items
from inforce.evals.report.plots import plots
from inforce.evals.report.runs import StoredRun, read_runs
from inforce.files import write_file

MARKDOWN, PAGE = "report.md", "report.html"

MOST_COMPARED = 6
"""Runs that are compared each with each; of more, one has to be named to compare with."""

OpenBenchmark = Callable[[str], Benchmark]
"""Finds a benchmark by its name; see `inforce.evals.catalogue.open_benchmark`."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a report says, and the files it was written to."""

    evaluated: tuple[Evaluated, ...]
    """One a benchmark, in the order of the runs."""
    markdown: Path
    page: Path


def write_report(
    folders: Sequence[Path],
    output: Path,
    *,
    against: Path | None = None,
    benchmark: OpenBenchmark | None = None,
) -> Report:
    """Report on the runs in these folders.

    Runs of one benchmark are compared item by item, each with each; with ``against`` every run is
    compared with the one there. Holm's correction is over all tests of a benchmark.

    Args:
        folders: where runs are, or folders of such folders.
        output: where the report goes; made if it is not there.
        against: a run to compare all others with.
        benchmark: finds benchmarks by name; the catalogue's unless another is given.

    Raises:
        InputError: if a folder holds no run, or a damaged one.
        UserError: if runs cannot be compared, or the report cannot be written.
    """
    evaluated = tuple(_evaluated(folders, against, benchmark or catalogue.open_benchmark))
    report = Report(evaluated, output / MARKDOWN, output / PAGE)
    title = "Report on " + ", ".join(one.benchmark.name for one in evaluated)
    try:
        output.mkdir(parents=True, exist_ok=True)
        sections = [_section(one, output) for one in evaluated]
        write_file(report.page, html(title, sections))
        write_file(report.markdown, markdown(title, sections, page=PAGE))
    except OSError as error:
        raise UserError(f"cannot write the report to {output}: {error.strerror}") from error
    return report


def _evaluated(
    folders: Sequence[Path], against: Path | None, benchmark: OpenBenchmark
) -> Iterator[Evaluated]:
    """The runs by benchmark, each benchmark with what is compared."""
    runs = read_runs([*folders, *([against] if against else [])])
    others = {run.folder for run in read_runs([against])} if against else set[Path]()
    for name in dict.fromkeys(run.info.benchmark for run in runs):
        mine = [run for run in runs if run.info.benchmark == name]
        definition = benchmark(name)
        if against:
            held = [run for run in mine if run.folder in others]
            pairs = [(run, other) for run in mine if run.folder not in others for other in held]
        else:
            pairs = list(combinations(mine, 2)) if len(mine) <= MOST_COMPARED else []
        of = evaluate(definition, mine)
        compared = [_compared(*pair, of) for pair in pairs]
        yield replace(of, comparisons=corrected_together(compared))


def _compared(first: StoredRun, second: StoredRun, of: Evaluated) -> Comparison:
    return compare(
        first.results,
        second.results,
        primary=of.benchmark.primary,
        names=(first.name, second.name),
        outcomes={name for summary in of.summaries for name in summary.values},
    )


def _section(of: Evaluated, output: Path) -> Section:
    primary = of.benchmark.primary
    broken = (one for run in of.runs for one in sorted(run.records, key=lambda one: one.id))
    return Section(
        of.benchmark.name,
        of.benchmark.title,
        primary,
        chapters(of),
        plots(of),
        tuple(
            write_items(
                output,
                f"{of.benchmark.name}-{number}",
                show_items(run.name, run.records, primary=primary, link=trace_links(run, output)),
                primary,
            )
            for number, run in enumerate(of.runs, start=1)
        ),
        tuple(one for one in broken if not one.is_scored),
    )
