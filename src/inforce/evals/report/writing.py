"""Reports on disk: ``report.md``, ``report.html`` and the pages of items and their runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from inforce.errors import UserError
from inforce.evals import catalogue
from inforce.evals.compare import compare, corrected_together
from inforce.evals.report.contents import BenchmarkRuns, chapters, summarise_runs
from inforce.evals.report.page import Section, html, markdown, show_items, trace_links, write_items
from inforce.evals.report.plots import plots
from inforce.evals.results import read_runs
from inforce.files import write_file

MARKDOWN, PAGE = "report.md", "report.html"

MOST_COMPARED = 6
"""Runs that are compared each with each; of more, one has to be named to compare with."""


@dataclass(frozen=True, slots=True)
class Report:
    """The contents of a report, and its files."""

    benchmarks: tuple[BenchmarkRuns, ...]
    """In the order of the runs."""
    markdown: Path
    page: Path


def write_report(folders: Sequence[Path], output: Path, *, against: Path | None = None) -> Report:
    """Report on the runs in these folders.

    Runs of one benchmark are compared item by item, each with each; with ``against`` every run is
    compared with the one there. Holm's correction is over all tests of a benchmark.

    Args:
        folders: folders of runs, or folders of such folders.
        output: the folder of the report; made if it does not exist.
        against: a run to compare all others with.

    Raises:
        InputError: if a folder holds no run, or a damaged one.
        UserError: if runs cannot be compared, or the report cannot be written.
    """
    benchmarks = tuple(_benchmarks(folders, against))
    report = Report(benchmarks, output / MARKDOWN, output / PAGE)
    title = "Report on " + ", ".join(one.benchmark.name for one in benchmarks)
    try:
        output.mkdir(parents=True, exist_ok=True)
        sections = [_section(one, output) for one in benchmarks]
        write_file(report.page, html(title, sections))
        write_file(report.markdown, markdown(title, sections, page=PAGE))
    except OSError as error:
        raise UserError(f"cannot write the report to {output}: {error.strerror}") from error
    return report


def _benchmarks(folders: Sequence[Path], against: Path | None) -> Iterator[BenchmarkRuns]:
    """The runs by benchmark, with their comparisons."""
    others = {run.folder for run in read_runs([against])} if against else set[Path]()
    every = read_runs([*folders, *([against] if against else [])])
    for name in dict.fromkeys(run.info.benchmark for run in every):
        runs = [run for run in every if run.info.benchmark == name]
        of = summarise_runs(catalogue.open_benchmark(name), runs)
        if against:
            opponents = [run for run in runs if run.folder in others]
            pairs = [(run, one) for run in runs if run.folder not in others for one in opponents]
        else:
            pairs = list(combinations(runs, 2)) if len(runs) <= MOST_COMPARED else []
        outcomes = {measure for summary in of.summaries for measure in summary.values}
        comparisons = [
            compare(*pair, primary=of.benchmark.primary, outcomes=outcomes) for pair in pairs
        ]
        yield replace(of, comparisons=corrected_together(comparisons))


def _section(of: BenchmarkRuns, output: Path) -> Section:
    name, primary = of.benchmark.name, of.benchmark.primary
    pages = [
        write_items(
            output,
            f"{name}-{number}",
            show_items(run.name, run.records, primary=primary, link=trace_links(run, output)),
            primary,
        )
        for number, run in enumerate(of.runs, start=1)
    ]
    records = (one for run in of.runs for one in sorted(run.records, key=lambda one: one.id))
    broken = tuple(one for one in records if not one.is_scored)
    title, plotted = of.benchmark.title, plots(of)
    return Section(name, title, primary, chapters(of), plotted, tuple(pages), broken)
