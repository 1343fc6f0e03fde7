"""Results of a benchmark on disk: one folder a run, readable without inspect-ai.

``results.json`` describes the run, ``records.jsonl`` holds a line for each item, ``traces/`` their
runs. `result_line` returns a run as one JSON object: every measure with its interval and its items.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from inforce.documents.json_records import json_lines, json_value
from inforce.errors import InputError
from inforce.evals.benchmark import Benchmark, Record
from inforce.evals.summary import not_scored
from inforce.files import write_file
from inforce.llm.chat import Usage
from inforce.scoring.estimate import Estimate

RESULTS = "results.json"
RECORDS = "records.jsonl"

_PLAIN_ID = re.compile(r"[a-z0-9_-]{1,80}")
"""Ids that can be file names, even if the file system ignores case."""

_ENCODER = msgspec.json.Encoder(decimal_format="string")


@dataclass(frozen=True, slots=True)
class RunInfo:
    """The description of a run: enough to run it again."""

    benchmark: str
    agent: str
    model: str
    judge: str
    """Empty for none."""
    data: str
    """File name and SHA-256 of the benchmark's file, as ``name sha256:…``."""
    options: dict[str, str]
    started: datetime
    seconds: float
    version: str
    """Of inforce."""
    about_data: str = ""
    """The benchmark's remark on its data: what a filter removed."""


@dataclass(frozen=True, slots=True)
class Results:
    """One run of a benchmark."""

    info: RunInfo
    records: tuple[Record, ...]
    folder: Path = Path()
    """Where it is stored."""
    label: str = ""
    """Its name beside other runs of the same agent and model."""

    @property
    def name(self) -> str:
        """The name of the run in tables."""
        return self.label or f"{self.info.agent} · {self.info.model}"


def trace_name(id: str, epoch: int = 1) -> str:
    """Return the file name for the run of an item; no two ids have the same.

    >>> trace_name("lar_1"), trace_name("a/b", 2)
    ('lar_1.jsonl', 'a_b~c14cddc033f6.2.jsonl')
    """
    name = id
    if not _PLAIN_ID.fullmatch(id):  # with a hash: a/b and a_b are two items
        plain = re.sub(r"[^\w-]", "_", id)[:40]
        name = f"{plain}~{hashlib.sha256(id.encode()).hexdigest()[:12]}"
    return f"{name}.jsonl" if epoch == 1 else f"{name}.{epoch}.jsonl"


def write_results(folder: Path, results: Results) -> None:
    """Store a run; each file appears whole or not at all, also after a crash."""
    lines = b"".join(_ENCODER.encode(one) + b"\n" for one in results.records)
    write_file(folder / RECORDS, lines, private=True)
    info = msgspec.json.format(_ENCODER.encode(results.info)) + b"\n"
    write_file(folder / RESULTS, info, private=True)


def read_results(folder: Path) -> Results:
    """Return a stored run.

    Raises:
        InputError: if the folder holds none, or a file of it is damaged.
    """
    info = json_value(folder / RESULTS, RunInfo, what="results of a benchmark")
    lines = json_lines(folder / RECORDS, Record, what="a record of a run")
    return Results(info, tuple(one.value for one in lines), folder)


def read_runs(folders: Sequence[Path]) -> tuple[Results, ...]:
    """Read the runs in these folders and the folders below them, each once, in order.

    Raises:
        InputError: if a folder holds none, or a file of a run is damaged.
    """
    found = list(dict.fromkeys(run for folder in folders for run in _run_folders(folder)))
    read = [read_results(folder) for folder in found]
    same_name = Counter((one.info.benchmark, one.name) for one in read)
    same_folder = Counter(folder.name for folder in found)

    def labelled(run: Results) -> Results:
        if same_name[run.info.benchmark, run.name] == 1:
            return run
        is_distinct = same_folder[run.folder.name] == 1
        return replace(run, label=f"{run.name} · {run.folder.name if is_distinct else run.folder}")

    return tuple(map(labelled, read))


def _run_folders(folder: Path) -> Iterator[Path]:
    """The folder if it holds a run, else the folders below it that do."""
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


def result_line(results: Results, benchmark: Benchmark) -> dict[str, Any]:
    """Return a run as one JSON object.

    Measures are at the top level by name (``null``: could not be measured) and by group under
    ``groups``; ``intervals`` has their 95 % confidence intervals: low, high, number of items. The
    intervals of the groups are in the report.
    """
    summary = benchmark.summarise(results.records)
    records = results.records
    usage = sum((one.usage for one in records), Usage())
    return {
        "benchmark": results.info.benchmark,
        "agent": results.info.agent,
        "model": results.info.model,
        "judge": results.info.judge or None,
        **({"about_data": results.info.about_data} if results.info.about_data else {}),
        "n": sum(one.is_scored for one in records),
        **_figures(summary.values),
        "intervals": {
            name: [_rounded(one.low), _rounded(one.high), one.n]
            for name, one in summary.values.items()
            if one
        },
        "groups": {
            name: {"n": max((one.n for one in of.values() if one), default=0), **_figures(of)}
            for name, of in summary.groups.items()
        },
        "not_scored": [
            {"task": one.task, "reason": one.reason, "items": one.count}
            for one in not_scored(records, benchmark.primary)
        ],
        "outcomes": dict(sorted(Counter(one.outcome for one in records).items())),
        "usage": {
            "calls": usage.calls,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "money": None if usage.money is None else str(usage.money),
        },
        "seconds": round(results.info.seconds, 1),
    }


def _figures(values: Mapping[str, Estimate | None]) -> dict[str, float | None]:
    return {name: _rounded(one.value) if one else None for name, one in values.items()}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
