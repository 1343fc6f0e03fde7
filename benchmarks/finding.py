"""The finding benchmark: how often search finds the provisions that answer laypeople's questions.

``python benchmarks/finding.py [--data ../shared/data] [--split blocks|random] [--seed 0] [--json]``

Five folds: whatever is trained on questions (encoder, word counts, weights) is trained on four of
them and measured on the fifth. ``blocks`` puts neighbouring questions, often about one matter, into
one fold. Also measured: the same questions on other days, and reduced to bare terms as by a
translation; how well chances are calibrated; how many questions without an answer are refused.
Prints a table and, as the last line, one JSON object. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.lawbook import LawBook
from inforce.retrieval.features import FEATURES
from inforce.retrieval.ranker import ABSTAIN, Ranker

sys.path.append(str(Path(__file__).resolve().parents[1] / "recipes"))
from search_training.experiment import DAY, Data, out_of_fold, prepare, read_lines
from search_training.questions import KnownQuestion
from search_training.ranking import FOLDS, Example, Featured, learned_ranker, ranking

HERE = Path(__file__).resolve().parent
_NO_MEANS = ("n", "recall@10 95 %")
DEPTHS = (1, 5, 10, 30, 100)
STEPS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.01)


@dataclass(slots=True)
class Measured:
    """Measurements by question."""

    recall: dict[tuple[str, str], list[list[float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By system and collection: hit@1, recall at the other `DEPTHS`, MRR."""
    chances: list[tuple[float, bool]] = field(default_factory=list[tuple[float, bool]])
    """Chances of the first ten results of each question, and whether each is right."""
    answerable: list[float] = field(default_factory=list[float])
    """Chance to be answerable, of questions that have an answer."""
    of_none: list[float] = field(default_factory=list[float])
    """The same of questions without an answer."""


def main() -> int:
    """Measure, print, end."""
    options = _options()
    if not options.data.is_dir():
        print(f"no benchmark data in {options.data}: nothing to measure", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix="inforce-benchmark-") as home:
        data = prepare(options.data, Path(home), seed=options.seed, report=_say)
        items = list(out_of_fold(data, options.split, seed=options.seed, report=_say))
        measured = _measure(data, items)
        measured.of_none += _shipped_on_unanswerable(Path(home))
    record = _record(measured, options.split)
    if not options.json:
        print(_table(record))
    print(json.dumps(record, ensure_ascii=False))
    return 0


def _shipped_on_unanswerable(home: Path) -> list[float]:
    """Return the chance to be answerable that the shipped search gives to questions without one."""
    with Corpus.open(home / "corpus.db") as corpus:
        book = LawBook(corpus, home / "index", clock=lambda: DAY)
        questions = read_lines(HERE / "unanswerable.txt")
        return [book.search(text, k=1).answerable for text in questions]


def _measure(data: Data, items: Sequence[tuple[int, Featured]]) -> Measured:
    measured = Measured()
    for fold in range(FOLDS):
        ranker = learned_ranker([item for of, item in items if of != fold])
        for of, item in items:
            if of == fold:
                _add(measured, data, item, ranker)
    return measured


def _add(measured: Measured, data: Data, item: Featured, ranker: Ranker) -> None:
    example, (order, chances, answerable) = item.example, ranking(item, ranker)
    rows = _wordings(data, item, order)
    if example.question < 0:
        if example.relevant:
            measured.recall["ranker", "sentences"].append(_recall(rows, [example.relevant]))
        return
    question = data.questions[example.question]
    name = _name(example, question)
    gold = question.gold if example.day == DateRange.day(DAY) else [example.relevant]
    measured.recall["ranker", name].append(_recall(rows, gold))
    for channel in ("lexical", "dense"):
        alone = np.lexsort((item.rows, -item.features[:, FEATURES.index(channel)]))
        measured.recall[channel, name].append(_recall(_wordings(data, item, alone), gold))
    if name == question.collection:
        first = order[: min(10, len(chances))]
        right = item.is_right[first].tolist()
        measured.chances += zip(chances.tolist(), right, strict=False)
        measured.answerable.append(answerable)


def _name(example: Example, question: KnownQuestion) -> str:
    if example.query.is_translated:
        return "terms only"
    return question.collection if example.day == DateRange.day(DAY) else "other days"


def _wordings(data: Data, item: Featured, order: Any) -> list[str]:
    found = data.statutes.facts.rows["wording"][item.rows[order[: DEPTHS[-1]]]]
    return [f"{one:010x}" for one in found.tolist()]


def _recall(wordings: Sequence[str], gold: Sequence[frozenset[str]]) -> list[float]:
    ranks = [
        next((rank for rank, one in enumerate(wordings) if one in provision), len(wordings) + 999)
        for provision in gold
    ]
    first = min(ranks)
    at = [sum(rank < depth for rank in ranks) / len(ranks) for depth in DEPTHS[1:]]
    return [float(first < 1), *at, 1 / (1 + first) if first < DEPTHS[-1] else 0.0]


def _record(measured: Measured, split: str) -> dict[str, Any]:
    table = {
        f"{system} {name}": _row(np.asarray(rows))
        for (system, name), rows in sorted(measured.recall.items())
    }
    chances = np.asarray([chance for chance, _ in measured.chances])
    right = np.asarray([is_right for _, is_right in measured.chances], dtype=float)
    calibration = [
        {
            "from": low,
            "to": min(high, 1.0),
            "n": int(among.sum()),
            "said": round(float(chances[among].mean()), 3),
            "right": round(float(right[among].mean()), 3),
        }
        for low, high in zip(STEPS, STEPS[1:], strict=False)
        if (among := (chances >= low) & (chances < high)).any()
    ]
    return {
        "split": split,
        "recall": table,
        "calibration": calibration,
        "abstain": ABSTAIN,
        "refused_without_answer": round(float(np.mean(np.asarray(measured.of_none) < ABSTAIN)), 3),
        "refused_with_answer": round(float(np.mean(np.asarray(measured.answerable) < ABSTAIN)), 3),
    }


def _row(rows: Any) -> dict[str, Any]:
    """Return means, and the 95 % bootstrap interval of recall@10 over questions."""
    draw = np.random.default_rng(0)
    at_ten = rows[:, DEPTHS.index(10)]
    again = at_ten[draw.integers(len(rows), size=(1000, len(rows)))].mean(axis=1)
    names = ["hit@1", *(f"recall@{depth}" for depth in DEPTHS[1:]), "mrr"]
    means = {
        name: round(float(mean), 3) for name, mean in zip(names, rows.mean(axis=0), strict=True)
    }
    low, high = np.percentile(again, [2.5, 97.5])
    return {
        "n": len(rows),
        **means,
        "recall@10 95 %": [round(float(low), 3), round(float(high), 3)],
    }


def _table(record: dict[str, Any]) -> str:
    lines = [f"{'':<24}{'n':>6}  hit@1   R@5  R@10  R@30 R@100   MRR"]
    for name, row in record["recall"].items():
        values = [
            row[key] for key in ("hit@1", "recall@5", "recall@10", "recall@30", "recall@100", "mrr")
        ]
        lines.append(f"{name:<24}{row['n']:>6}  " + " ".join(f"{value:5.3f}" for value in values))
    return "\n".join(lines)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The finding benchmark.")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data")
    parser.add_argument("--split", choices=["blocks", "random"], default="blocks")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
