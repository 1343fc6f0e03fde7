"""The compiler benchmark: amending instruments are compiled and compared with real texts.

``python benchmarks/compiler.py [--data ../shared/data] [--only PART]… [--json]``

Parts: ``criminal-law``, ``constitution``, ``court``, ``round-trip``, ``words``. Prints a table
and, as the last line, one JSON object. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

from amendments import (
    Figures,
    constitution,
    court_decisions,
    criminal_law,
    round_trip,
    round_trip_of_words,
    texts_held,
)

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "shared" / "data"
PARTS = ("criminal-law", "constitution", "court", "round-trip", "words")


def main() -> int:
    options = _options()
    if not options.data.is_dir():
        print(f"no benchmark data in {options.data}: nothing to measure", file=sys.stderr)
        return 0
    wanted = options.only or PARTS
    held = texts_held(options.data)
    figures: dict[str, Figures] = {}
    if "criminal-law" in wanted:
        figures["criminal-law"] = criminal_law(options.data, held)
    if "constitution" in wanted:
        figures["constitution"] = constitution(options.data, held)
    if "court" in wanted:
        figures["court"] = court_decisions(options.data, held)
    if "round-trip" in wanted:
        figures["round-trip"] = round_trip(held)
    if "words" in wanted:
        figures["words"] = round_trip_of_words(held)
    if not options.json:
        for one in figures.values():
            print(_table(one))
    record = {name: _record(one) for name, one in figures.items()}
    print(json.dumps(record, ensure_ascii=False))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The compiler benchmark.")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the real data")
    parser.add_argument("--only", action="append", choices=PARTS, help="measure this part")
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    return parser.parse_args()


def _record(one: Figures) -> dict[str, Any]:
    return {name.name: getattr(one, name.name) for name in fields(one)}


def _table(one: Figures) -> str:
    clauses = ", ".join(f"{count} {status}" for status, count in sorted(one.clauses.items()))
    rows = [
        ("instruments", f"{one.instruments}"),
        ("instructions read in full", f"{one.parsed} of {one.instructions}"),
        ("clauses", clauses),
        ("versions compiled", f"{one.versions}"),
        ("texts compared with", f"{one.texts}"),
        ("articles equal", f"{one.equal} of {one.articles}"),
        ("  explained differences", f"{sum(one.explained.values())}"),
        *((f"    {count}", reason) for reason, count in one.explained.most_common()),
        ("  not explained", f"{len(one.unexplained)}"),
        *(("", line) for line in one.unexplained[:20]),
        *((f"  left out: {count}", why) for why, count in _reasons(one).most_common()),
        ("seconds of processor time", f"{one.seconds:.2f}"),
    ]
    shown = (f"  {name:<28} {value}".rstrip() for name, value in rows if value)
    return "\n".join([one.name, *shown, ""])


def _reasons(one: Figures) -> Counter[str]:
    return Counter(line.rsplit(": ", 1)[-1] for line in one.left_out)


if __name__ == "__main__":
    sys.exit(main())
