"""The checker of documents: how many known errors it finds, and how fast it is.

``python benchmarks/verify.py [--documents 2000] [--seed 1] [--data ../shared/data] [--json]``

Documents are made from the laws of the data (`inforce.evals.briefs`) and checked, and so are those
that were written by hand; a document of 60 pages with 300 citations is checked by a process of its
own, for its time and memory. Prints a table and, as the last line, one JSON object. See README.md
beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path
from typing import Any

from inforce.documents.plain import read_text
from inforce.evals.briefs.generator import EXPECTED, Brief, Plan, briefs
from inforce.library import Library, open_library
from inforce.scoring.corpora import open_library_of

sys.path.append(str(Path(__file__).resolve().parents[1] / "recipes"))
from brief_scores import MarkedScores, Scores, read_marked

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "shared" / "data"
WRITTEN = HERE.parent / "tests" / "verification"
BY_HAND = ("by_hand.txt", "by_hand_2.txt", "by_hand_3.txt")
"""Documents written by hand, which are harder than generated ones; 40 newer ones in two halves."""
TODAY = date(2026, 11, 20)
FILES = ("versions.jsonl.gz", "laws_current.jsonl.gz")
LONG = 50
"""Number of documents of six citations that are joined to a brief of 300."""
FILLER = (
    "本院经审理认为，原告提交的证据能够证明其主张，被告未提交相反证据，对其辩称不予采信。"
    "双方当事人对上述事实均无异议，予以确认。"
)
CHARACTERS = 40_000
"""Length of 60 pages."""


_MEASURED = """
import re, sys
from pathlib import Path
from inforce.cli import main
peak = sys.argv.pop(1)
try:
    main()
finally:
    found = re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())
    Path(peak).write_text(found[1])
"""
"""The command, which records its own peak of memory: the system's figure for a child process begins
with the memory of its parent."""


def main() -> int:
    options = _options()
    if options.home is None and not (options.data / "statutes").is_dir():
        print(f"no benchmark data in {options.data}", file=sys.stderr)
        return 0
    with _library(options) as library:
        made = list(briefs(library, Plan(count=options.documents, seed=options.seed)))
        scores, seconds = _checked(library, made)
        long = _long(library, made[:LONG])
        by_hand = _by_hand(library)
    record = {"documents": len(made), "seed": options.seed, **_figures(scores), **long, **by_hand}
    record["seconds_a_document"] = round(seconds / max(1, len(made)), 3)
    if not options.json:
        print(_table(scores, record))
    print(json.dumps(record, ensure_ascii=False))
    return 0


def _library(options: argparse.Namespace) -> AbstractContextManager[Library]:
    if options.home:
        return open_library(options.home, clock=lambda: TODAY)
    folder = Path(tempfile.mkdtemp(prefix="inforce-verify-"))
    loaded = folder / "statutes"
    loaded.mkdir()
    for name in FILES:
        shutil.copy(options.data / "statutes" / name, loaded / name)
    return open_library_of(loaded, today=TODAY)


def _checked(library: Library, made: Sequence[Brief]) -> tuple[Scores, float]:
    library.verify("")  # computes the fingerprints
    scores, begun = Scores(), time.perf_counter()
    for one in made:
        scores.add(one, library.verify(read_text(one.text.encode(), name=one.id)))
    return scores, time.perf_counter() - begun


def _long(library: Library, made: Sequence[Brief]) -> dict[str, Any]:
    """Measure processor time and memory of a process that checks 60 pages."""
    texts = [one.text for one in made]
    missing = max(0, CHARACTERS - sum(map(len, texts)))
    filler = FILLER * (missing // (len(FILLER) * max(1, len(texts))) + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.txt"
        path.write_text(f"\n\n{filler}\n\n".join(texts), encoding="utf-8")
        environment = {
            **os.environ,
            "INFORCE_HOME": str(library.corpus.path.parent),
            "INFORCE_TODAY": TODAY.isoformat(),
            "OMP_NUM_THREADS": "1",
        }
        peak = Path(folder) / "peak"
        command = [sys.executable, "-c", _MEASURED, str(peak), "verify", "--json", str(path)]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
        assert process.stdout is not None
        printed = process.stdout.read()
        process.stdout.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        kilobytes = int(peak.read_text())
    findings = len(json.loads(printed)["documents"][0]["findings"])
    return {
        "long_characters": sum(map(len, texts)) + len(filler) * (len(texts) - 1),
        "long_findings": findings,
        "long_cpu_s": round(used.ru_utime + used.ru_stime, 2),
        "long_mb": round(kilobytes / 1024),
    }


def _by_hand(library: Library) -> dict[str, Any]:
    return {name: _marked(library, name) for name in BY_HAND}


def _marked(library: Library, name: str) -> dict[str, Any]:
    scores = MarkedScores()
    for one in read_marked((WRITTEN / name).read_text(encoding="utf-8")):
        scores.add(one, library.verify(one.text).findings)
    return {
        "errors": scores.errors,
        "recall": _share(scores.found, scores.errors),
        "named": _share(scores.named, scores.errors),
        "right": scores.right,
        "false_alarms": _share(scores.accused, scores.right),
        "right_unchecked": _share(scores.unchecked, scores.right),
        "accused_elsewhere": scores.elsewhere,
        "passed_unchecked": scores.passed,
        "mistakes": scores.mistakes,
    }


def _figures(scores: Scores) -> dict[str, Any]:
    kinds = {
        error: {
            "n": scores.errors[error],
            "recall": _share(scores.found[error], scores.errors[error]),
            "named": _share(scores.named[error], scores.errors[error]),
            "unchecked": scores.unchecked[error],
        }
        for error in EXPECTED
    }
    return {
        "errors": scores.errors.total(),
        "recall": round(scores.recall, 4),
        "precision": round(scores.precision, 4),
        "named": _share(scores.named.total(), scores.errors.total()),
        "right": scores.right,
        "false_alarms": round(scores.false_alarms, 4),
        "right_unchecked": _share(scores.right_unchecked, scores.right),
        "kinds": kinds,
        "mistakes": [[one.error, one.text, *one.found] for one in scores.mistakes[:20]],
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _table(scores: Scores, record: dict[str, Any]) -> str:
    lines = [f"{'error':18} {'n':>6} {'recall':>8} {'named':>8} {'unchecked':>10}"]
    for error, row in record["kinds"].items():
        lines.append(
            f"{error:18} {row['n']:6} {row['recall']:8.4f} {row['named']:8.4f}"
            f" {row['unchecked']:10}"
        )
    lines.append(
        f"{'all':18} {record['errors']:6} {record['recall']:8.4f} {record['named']:8.4f}"
        f" {scores.unchecked.total():10}"
    )
    lines.append(
        f"right: {record['right']}, false alarms {record['false_alarms']:.4f}, "
        f"not checked {record['right_unchecked']:.4f}"
    )
    lines.append(
        f"{record['long_characters']:,} characters, {record['long_findings']} findings: "
        f"{record['long_cpu_s']} s of processor time, {record['long_mb']} MB"
    )
    for name in BY_HAND:
        row = record[name]
        lines.append(
            f"{name}: {row['errors']} errors, recall {row['recall']:.3f}; {row['right']} right, "
            f"false alarms {row['false_alarms']:.3f}, not checked {row['right_unchecked']:.3f}"
        )
    return "\n".join(lines)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of real data")
    parser.add_argument("--home", type=Path, help="a data folder with a corpus, instead")
    parser.add_argument("--json", action="store_true", help="print the JSON object alone")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
