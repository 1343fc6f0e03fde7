"""The precedent benchmark: how fast judgments are added to the source, and how fast found.

``python benchmarks/precedents.py [--documents 1000000] [--questions 300] [--seed 0] [--json]``

Streams synthetic judgments of 450 characters, made from the sentences of real cases, into the
source; then searches it for the best ten of certain days, while nothing else happens, while
documents are added one by one, and while many are added at once. Prints a table and, as the last
line, one JSON object. Everything but times is fixed by the seed. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Literal, cast

from precedent_work import Question, judgments, questions, sentences, source_in

from inforce.retrieval.sources.indexed import IndexedSource
from inforce.retrieval.sources.source import SourceDocument

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "shared" / "data"
QUICK = 20_000
BEST = 10
NEW_DOCUMENTS = 20
BULK_SHARE = 0.05
"""Share of the documents that are added at once while searches are timed."""

Writes = Literal["single", "bulk"]


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of a search."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of the searches."""

    questions: int
    idle_ms: Latency
    during_single_ms: Latency
    """While another process adds twenty documents a second, each with its commit."""
    during_bulk_ms: Latency
    """While another process adds many documents at once, with all cores."""
    bulk_documents_per_s: float
    visible_ms: Latency
    """From the call that adds one document until another reader finds it."""
    visible_held_ms: Latency
    """The same with a writer that stays open."""

    @property
    def slower(self) -> float:
        """How many times slower searches are while documents are added, at worst."""
        return max(self.during_single_ms.p50, self.during_bulk_ms.p50) / self.idle_ms.p50


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="inforce-precedents-") as temporary:
        folder = options.folder or Path(temporary)
        built = _build(options, folder)
        measured = _measure(options, folder)
    if not options.json:
        print(_table(built, measured))
    record = {"build": built, "slower": measured.slower, **asdict(measured)}
    print(json.dumps(record, ensure_ascii=False))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The precedent benchmark.")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the real data")
    parser.add_argument(
        "--folder", type=Path, help="where the source is made; else a temporary one"
    )
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} documents")
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    options = parser.parse_args()
    if options.quick:
        options.documents, options.questions = QUICK, 60
    if not (options.data / "ljp").is_dir():
        print(f"no cases in {options.data}: made from the starter statutes", file=sys.stderr)
    return options


def _work(options: argparse.Namespace, what: str, folder: Path, count: int) -> list[str]:
    script, seed = str(HERE / "precedent_work.py"), str(options.seed)
    return [sys.executable, script, what, str(options.data), str(folder), str(count), seed]


def _build(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Build in a process of its own, to measure the peak of memory of the build alone."""
    command = _work(options, "build", folder, options.documents)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def _measure(options: argparse.Namespace, folder: Path) -> Measured:
    pool = sentences(options.data)
    asked = questions(pool, options.questions, seed=options.seed)
    source = source_in(folder)
    _ask(source, asked[:20])  # to warm up
    idle = _latency(_ask(source, asked))
    new = list(judgments(pool, 2 * NEW_DOCUMENTS, seed=options.seed, start=10**9))
    visible = _latency([_until_found(source, folder, one) for one in new[:NEW_DOCUMENTS]])
    held = _latency(list(_until_found_held(source, folder, new[NEW_DOCUMENTS:])))
    single, _ = _ask_during(options, "single", source, folder, asked)
    bulk, wrote = _ask_during(options, "bulk", source, folder, asked)
    return Measured(
        len(asked), idle, single, bulk, wrote["added"] / wrote["seconds"], visible, held
    )


def _ask(source: IndexedSource, asked: Sequence[Question]) -> list[float]:
    return [_time_of(source, one) for one in asked]


def _time_of(source: IndexedSource, question: Question) -> float:
    started = time.perf_counter()
    source.search(question.text, k=BEST, during=question.during)
    return 1e3 * (time.perf_counter() - started)


def _ask_during(
    options: argparse.Namespace,
    what: Writes,
    source: IndexedSource,
    folder: Path,
    asked: Sequence[Question],
) -> tuple[Latency, dict[str, Any]]:
    """Search while another process writes: all questions once, or as long as it writes."""
    count = 10**6 if what == "single" else max(2_000, int(BULK_SHARE * options.documents))
    command = _work(options, what, folder, count)
    times: list[float] = []
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writing:
        out, into = cast("IO[str]", writing.stdout), cast("IO[str]", writing.stdin)
        out.readline()
        if what == "single":
            times = _ask(source, asked)
            into.close()
        else:
            while writing.poll() is None:
                times.append(_time_of(source, asked[len(times) % len(asked)]))
        wrote = json.loads(out.read())
    if writing.returncode:
        raise SystemExit(f"the writer ended with status {writing.returncode}")
    return _latency(times), wrote


def _until_found(reader: IndexedSource, folder: Path, document: SourceDocument) -> float:
    """Return milliseconds from adding a document until a reader that was open before finds it."""
    writer = source_in(folder)
    started = time.perf_counter()
    writer.add([document])
    _require_found(reader, document)
    return 1e3 * (time.perf_counter() - started)


def _until_found_held(
    reader: IndexedSource, folder: Path, documents: Sequence[SourceDocument]
) -> Iterator[float]:
    with source_in(folder).writing() as writer:
        for document in documents:
            started = time.perf_counter()
            writer.add([document])
            writer.commit()
            _require_found(reader, document)
            yield 1e3 * (time.perf_counter() - started)


def _require_found(reader: IndexedSource, document: SourceDocument) -> None:
    hits = reader.search(document.text, k=1)
    if not hits or hits[0].document.id != document.id:
        raise SystemExit(f"{document.id} was added and is not found")


def _latency(times: Sequence[float]) -> Latency:
    ranked = sorted(times)
    return Latency(ranked[len(ranked) // 2], ranked[int(len(ranked) * 0.95)])


def _table(built: dict[str, Any], m: Measured) -> str:
    rows = [
        ("documents", f"{built['documents']:,}", ""),
        ("built, documents a second", f"{built['documents_per_s']:,.0f}", ">= 8,000"),
        ("  seconds (seconds of processor time)", _pair(built["build_s"], built["cpu_s"]), ""),
        ("peak memory of the build, GB", f"{built['peak_rss_gb']:.2f}", "<= 1.2"),
        ("on disk, GB", f"{built['disk_gb']:.2f}", ""),
        (f"p50 (p95) of {m.questions} questions, ms", _both(m.idle_ms), "<= 15"),
        ("  while documents come one by one", _both(m.during_single_ms), "<= 2x"),
        ("  while many are added at once", _both(m.during_bulk_ms), "<= 2x"),
        ("  documents a second of these", f"{m.bulk_documents_per_s:,.0f}", ""),
        ("new document found, ms", _both(m.visible_ms), "< 200"),
        ("  with the writer held open", _both(m.visible_held_ms), "< 200"),
    ]
    return "\n".join(f"{name:<42} {value:>18}  {bar}".rstrip() for name, value, bar in rows)


def _both(latency: Latency) -> str:
    return _pair(latency.p50, latency.p95)


def _pair(first: float, second: float) -> str:
    return f"{first:.1f} ({second:.1f})"


if __name__ == "__main__":
    sys.exit(main())
