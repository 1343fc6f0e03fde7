"""How often the event of a date is read right: the act, the suit, the arrest, the trial.

`date_roles.jsonl` has stories with dates, each with the roles a careful lawyer would accept. Three
people wrote a set each, blind to the rules; each set was measured before its mistakes were read
(`LOG.md` has those figures).

    python benchmarks/date_roles.py
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from inforce.dates import scan_dates

STORIES = Path(__file__).with_name("date_roles.jsonl")
TODAY = date(2026, 11, 22)


def main() -> None:
    """Print a line a set, the commonest mistakes, and the figures as JSON."""
    parser = argparse.ArgumentParser(description="Measure the reading of dates' roles.")
    parser.add_argument("--data", type=Path, default=STORIES)
    options = parser.parse_args()
    figures: dict[str, Counter[str]] = defaultdict(Counter)
    mistakes: Counter[tuple[str, str]] = Counter()
    for line in options.data.read_text(encoding="utf-8").splitlines():
        story = json.loads(line)
        wrong = _mistakes(story)
        figures[story["set"]] += Counter(
            stories=1, whole=not wrong, dates=len(story["dates"]), wrong=len(wrong)
        )
        mistakes.update(wrong)
    result: dict[str, Any] = {}
    for name, counts in figures.items():
        right = 1 - counts["wrong"] / counts["dates"]
        result[name] = {
            "n": counts["dates"],
            "right": round(right, 3),
            "whole": round(counts["whole"] / counts["stories"], 3),
        }
        whole = result[name]["whole"]
        print(f"{name:8} {counts['dates']:5} dates, {right:.3f} right; stories whole {whole}")
    for (expected, read), n in mistakes.most_common(10):
        print(f"{n:5}  {expected} read as {read}")
    print(json.dumps(result))


def _mistakes(story: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The dates of a story that are read as another event, or not at all."""
    text = story["text"]
    mentions = scan_dates(text, clock=lambda: TODAY).mentions
    found: list[tuple[str, str]] = []
    for stated in story["dates"]:
        start = -1
        for _ in range(stated["nth"] + 1):
            start = text.index(stated["words"], start + 1)
        end = start + len(stated["words"])
        role = next((one.role for one in mentions if one.start < end and one.end > start), "none")
        if role not in stated["roles"]:
            found.append((stated["roles"][0], role))
    return found


if __name__ == "__main__":
    main()
