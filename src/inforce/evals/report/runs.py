"""Stored runs, found in folders, each with a name of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inforce.errors import InputError
from inforce.evals.benchmark import Record
from inforce.evals.results import RESULTS, Results, RunInfo, read_results


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run of a benchmark and the folder it is in."""

    folder: Path
    results: Results
    name: str
    """What the report calls it: no other run of the report has the same name."""

    @property
    def info(self) -> RunInfo:
        """What was run."""
        return self.results.info

    @property
    def records(self) -> tuple[Record, ...]:
        """Its items."""
        return self.results.records


def read_runs(folders: Sequence[Path]) -> tuple[StoredRun, ...]:
    """The runs in these folders and the folders below them, each once, in the order given.

    Raises:
        InputError: if a folder holds none, or a file of a run is damaged.
    """
    found = list(dict.fromkeys(run for folder in folders for run in _folders(folder)))
    read = [read_results(folder) for folder in found]
    times = Counter((one.info.benchmark, one.name) for one in read)
    short = Counter(folder.name for folder in found)

    def name(folder: Path, run: Results) -> str:
        """Agent and model; also the folder where runs of a benchmark share these."""
        if times[run.info.benchmark, run.name] == 1:
            return run.name
        return f"{run.name} · {folder.name if short[folder.name] == 1 else folder}"

    return tuple(
        StoredRun(folder, run, name(folder, run)) for folder, run in zip(found, read, strict=True)
    )


def _folders(folder: Path) -> Iterator[Path]:
    """The folder if it holds a run, else those below it that do."""
    if (folder / RESULTS).exists():
        yield folder
        return
    below = sorted(path.parent for path in folder.rglob(RESULTS)) if folder.is_dir() else []
    if not below:
        raise InputError(
            f"holds no run of a benchmark ({RESULTS}); make one with: inforce eval NAME "
            f"--output {folder}",
            path=folder,
        )
    yield from below
