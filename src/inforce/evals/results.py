"""Results of a benchmark on disk: one folder a run, readable without any harness.

``results.json`` says what was run; ``records.jsonl`` holds a line an item; ``traces/`` the runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from inforce.errors import InputError
from inforce.evals.benchmark import Record

RESULTS = "results.json"
RECORDS = "records.jsonl"

_DAMAGE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
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


@dataclass(frozen=True, slots=True)
class Results:
    """One run of a benchmark."""

    info: RunInfo
    records: tuple[Record, ...]

    @property
    def name(self) -> str:
        """How the run is called in tables."""
        return f"{self.info.agent} · {self.info.model}"


def write_results(folder: Path, results: Results) -> None:
    """Store a run; each file appears whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = b"".join(_ENCODER.encode(one) + b"\n" for one in results.records)
    _replace(folder / RECORDS, lines)
    _replace(folder / RESULTS, msgspec.json.format(_ENCODER.encode(results.info)) + b"\n")


def read_results(folder: Path) -> Results:
    """A stored run.

    Raises:
        InputError: if the folder holds none, or a file of it is damaged.
    """
    info = _read(folder / RESULTS, RunInfo)
    return Results(info, tuple(_records(folder / RECORDS)))


def _records(path: Path) -> Sequence[Record]:
    decoder = msgspec.json.Decoder(Record)
    records: list[Record] = []
    for number, line in enumerate(_bytes(path).split(b"\n"), start=1):
        if line.strip():
            try:
                records.append(decoder.decode(line))
            except _DAMAGE as error:
                raise InputError(f"no record of a run: {error}", path=path, line=number) from error
    return records


def _read(path: Path, type: type[RunInfo]) -> RunInfo:
    try:
        return msgspec.json.decode(_bytes(path), type=type)
    except _DAMAGE as error:
        raise InputError(f"no results of a benchmark: {error}", path=path) from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error


def _replace(path: Path, content: bytes) -> None:
    draft = path.with_name(path.name + ".tmp")
    draft.write_bytes(content)
    draft.replace(path)
