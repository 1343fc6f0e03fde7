"""``inforce report DIR``: what runs of benchmarks came to, as Markdown and one page."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inforce.cli.output import Json, console, print_json

if TYPE_CHECKING:
    from inforce.evals.benchmark import Summary
    from inforce.evals.report.contents import BenchmarkRuns
    from inforce.evals.report.writing import Report
    from inforce.evals.results import Results


def report(
    folders: Annotated[
        list[Path],
        typer.Argument(help="Folders written by inforce eval --output, or folders of such."),
    ],
    against: Annotated[
        Path | None, typer.Option("--against", help="Compare every run with the one in here.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="Where the report goes; else the first folder.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Report on runs of benchmarks: tables, plots, every item; runs are compared pairwise."""
    from inforce.evals.report.writing import write_report

    written = write_report(folders, output or folders[0], against=against)
    if as_json:
        print_json(
            {
                "markdown": str(written.markdown),
                "page": str(written.page),
                "benchmarks": [_benchmark(one) for one in written.benchmarks],
            }
        )
    else:
        _show(written)
    return 0


def _show(written: Report) -> None:
    from inforce.evals.report.contents import chapters
    from inforce.evals.table import to_console

    out = console()
    for one in written.benchmarks:
        out.print(one.benchmark.name, style="bold")
        for chapter in chapters(one):
            if chapter.heading in _PRINTED:
                for sentence in chapter.sentences:
                    out.print(sentence)
                for table in chapter.tables:
                    out.print(f"\n{to_console(table)}", end="")
        out.print()
    out.print(f"wrote {written.markdown}")
    out.print(f"wrote {written.page}")


_PRINTED = ("Results", "One run against the other", "Tables of the papers")
"""Chapters a terminal shows; the files have them all."""


def _benchmark(of: BenchmarkRuns) -> dict[str, Any]:
    pairs = zip(of.runs, of.summaries, strict=True)
    return {
        "benchmark": of.benchmark.name,
        "primary": of.benchmark.primary,
        "runs": [_run(run, summary) for run, summary in pairs],
        "comparisons": list(of.comparisons),
    }


def _run(run: Results, summary: Summary) -> dict[str, Any]:
    from inforce.evals.report.contents import not_measured, usage

    return {
        "name": run.name,
        "folder": str(run.folder),
        "info": run.info,
        "items": len(run.records),
        "values": summary.values,
        "groups": summary.groups,
        "not_measured": {name: not_measured(run.records, name) for name in summary.values},
        "outcomes": dict(sorted(Counter(one.outcome for one in run.records).items())),
        "usage": usage(run.records),
    }


command = report
