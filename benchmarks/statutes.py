"""The statute benchmark: build an index of all statutes, then search it as lawyers do.

``python benchmarks/statutes.py [--data ../shared/data] [--questions 200] [--seed 0] [--json]``

Measures the build (seconds, memory, size on disk), the time a question takes beside the published
pipeline of LegalSearch-R1, and how good the answers of both are. Prints a table and, as the last
line, one JSON object. Everything but times is fixed by the seed. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from building import Build
    from comparison import Comparison

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "shared" / "data"

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main() -> int:
    options = _options()
    if not options.data.is_dir():
        print(f"no benchmark data in {options.data}: nothing to measure", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix="inforce-benchmark-") as folder:
        built = _build(options.data, Path(folder))
        compared = _compare(options, Path(folder))
    if not options.json:
        print(_table(built, compared))
    print(json.dumps(_record(built, compared), ensure_ascii=False))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The statute benchmark.")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the real data")
    parser.add_argument("--questions", type=int, default=200, help="questions timed (at most 768)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="a tenth of all questions")
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    return parser.parse_args()


def _build(data: Path, home: Path) -> Build:
    """Build in a process of its own, to measure the peak of memory of the build alone."""
    from building import Build

    command = [sys.executable, str(HERE / "building.py"), str(data), str(home)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Build(**json.loads(done.stdout))


def _compare(options: argparse.Namespace, home: Path) -> Comparison:
    """One thread each: set before numpy and faiss are loaded, which read it once."""
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    from comparison import Sizes, compare

    sizes = Sizes(options.questions, verbatim=100, cases=500, subset=20)
    return compare(
        options.data, home, sizes=sizes.tenth() if options.quick else sizes, seed=options.seed
    )


def _record(built: Build, compared: Comparison) -> dict[str, Any]:
    return {
        "build": {"seconds": built.seconds, **asdict(built)},
        "ratio": compared.ratio,
        **asdict(compared),
    }


def _table(built: Build, compared: Comparison) -> str:
    c = compared
    rows = [
        ("build, seconds", f"{built.seconds:.1f}", f"{c.reference_build_s:.1f}", "<= 120"),
        ("  of it loading", f"{built.load_s:.1f}", "", ""),
        ("  of it indexing", f"{built.index_s:.1f}", "", ""),
        ("peak memory of the build, GB", f"{built.peak_rss_gb:.2f}", "", "<= 1.5"),
        ("corpus + index on disk, MB", f"{built.corpus_mb:.0f} + {built.index_mb:.0f}", "", ""),
        ("wordings / chunks searched", f"{built.wordings}", f"{c.chunks}", ""),
        (f"p50 of {c.questions} questions, ms", *_ms(c.p50_ms.ours, c.p50_ms.reference), "<= 15"),
        ("p95, ms", *_ms(c.p95_ms.ours, c.p95_ms.reference), "<= 40"),
        ("p50 of the reference / ours", f"{c.ratio:.0f}", "1", ">= 30"),
        (f"hit@1, {c.recitations} recitations", *_shares(c.recitation_hit_1), ">= reference"),
        (f"hit@1, {c.verbatim} sentences", *_shares(c.verbatim_hit_1), ">= reference"),
        (f"recall@10, first {c.subset} cases", *_shares(c.cases_recall_10), ""),
        (f"recall@10, first {c.subset} consultations", *_shares(c.consultations_recall_10), ""),
        (f"recall@10, all {c.all_cases} cases", f"{c.all_cases_recall_10:.3f}", "", ""),
        (
            f"recall@10, all {c.all_consultations} consultations",
            f"{c.all_consultations_recall_10:.3f}",
            "",
            "",
        ),
    ]
    lines = [_line("", "ours", "reference", "bar"), *(_line(*row) for row in rows)]
    return "\n".join(lines)


def _line(name: str, ours: str, reference: str, bar: str) -> str:
    return f"{name:<40} {ours:>12} {reference:>12}  {bar}".rstrip()


def _ms(ours: float, reference: float) -> tuple[str, str]:
    return f"{ours:.1f}", f"{reference:.1f}"


def _shares(both: Any) -> tuple[str, str]:
    return f"{both.ours:.3f}", f"{both.reference:.3f}"


if __name__ == "__main__":
    sys.exit(main())
