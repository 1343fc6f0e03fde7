"""Results of a benchmark on disk: one folder a run, readable without any harness.

``results.json`` says what was run; ``records.jsonl`` holds a line an item; ``traces/`` the runs.
`result_line` is a run as one JSON object: every measure with its interval, and over how many items.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from inforce.documents.json_records import json_lines, json_value
from inforce.evals.benchmark import Benchmark, Record
from inforce.evals.unscored import unscored
from inforce.llm.chat import Usage
from inforce.scoring.estimate import Estimate
from inforce.scoring.run_folder import replace_file

RESULTS = "results.json"
RECORDS = "records.jsonl"

_PLAIN_ID = re.compile(r"[a-z0-9_-]{1,80}")
"""Ids that are file names as they are, also where capitals and small letters are one."""

_ENCODER = msgspec.json.Encoder(decimal_format="string")


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What was run: enough to run it again."""

    benchmark: str
    agent: str
    model: str
    judge: str
    """Empty where there was none."""
    data: str
    """File name and SHA-256 of the benchmark's file, as ``name sha256:…``."""
    options: dict[str, str]
    started: datetime
    seconds: float
    version: str
    """Of inforce."""
    about_data: str = ""
    """What the benchmark says of its data: what a filter removed."""


@dataclass(frozen=True, slots=True)
class Results:
    """One run of a benchmark."""

    info: RunInfo
    records: tuple[Record, ...]

    @property
    def name(self) -> str:
        """How the run is called in tables."""
        return f"{self.info.agent} · {self.info.model}"


def trace_name(id: str, epoch: int = 1) -> str:
    """A file name for the run of an item, whatever its id is; no two ids have the same.

    >>> trace_name("lar_1"), trace_name("a/b", 2)
    ('lar_1.jsonl', 'a_b~c14cddc033f6.2.jsonl')
    """
    name = id
    if not _PLAIN_ID.fullmatch(id):  # with a hash of all of it: a/b and a_b are two items
        plain = re.sub(r"[^\w-]", "_", id)[:40]
        name = f"{plain}~{hashlib.sha256(id.encode()).hexdigest()[:12]}"
    return f"{name}.jsonl" if epoch == 1 else f"{name}.{epoch}.jsonl"


def write_results(folder: Path, results: Results) -> None:
    """Store a run; each file appears whole or not at all."""
    lines = b"".join(_ENCODER.encode(one) + b"\n" for one in results.records)
    replace_file(folder / RECORDS, lines)
    replace_file(folder / RESULTS, msgspec.json.format(_ENCODER.encode(results.info)) + b"\n")


def read_results(folder: Path) -> Results:
    """A stored run.

    Raises:
        InputError: if the folder holds none, or a file of it is damaged.
    """
    info = json_value(folder / RESULTS, RunInfo, what="results of a benchmark")
    lines = json_lines(folder / RECORDS, Record, what="a record of a run")
    return Results(info, tuple(one.value for one in lines))


def result_line(results: Results, benchmark: Benchmark) -> dict[str, Any]:
    """A run as one JSON object.

    Measures are at the top level by name (``null``: could not be measured) and by group under
    ``groups``; ``intervals`` has the 95 % confidence intervals of the former: low, high, and over
    how many items. Those of the groups are in the report.
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
            for one in unscored(records, benchmark.primary)
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
