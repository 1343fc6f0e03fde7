"""Speed of the environment of episodes: tool calls per second with a policy that costs nothing.

``python benchmarks/episodes.py [--questions 600] [--corpus FILE] [--seed 0] [--free-text]``

A scripted policy runs R1 in the environment of temporal search, with a different question each
time, over the starter corpus and, with the research data (``--data``), over every version of every
law in it. Its queries name an article, which is looked up; with ``--free-text`` they are a day and
words, which are searched for. Prints one JSON object. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

from inforce.library import Library
from inforce.scoring.corpora import open_library_of
from inforce.train.episodes import Limits, roll_out
from inforce.train.scripted import CharacterTokens, ScriptedPolicy

sys.path.append(str(Path(__file__).resolve().parents[1] / "recipes"))
from small_models.temporal_search import (
    GIVES_UP,
    answer,
    dated_articles,
    draw,
    environment,
    plan,
    search,
)

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TODAY = date(2026, 11, 20)

_QUESTION = re.compile(r"事实发生在(?P<day>[\d-]+)，应适用何时施行的(?P<article>[^？]+)？")
_SHOWN = re.compile(r"found\n(《[^\n]+）)")

_MATTERS = (
    "盗窃",
    "醉酒驾驶",
    "离婚",
    "继承",
    "租赁合同",
    "劳动合同",
    "工伤",
    "借款",
    "商标",
    "行政处罚",
)
_ASKED = (
    "构成要件",
    "法律责任",
    "时效",
    "赔偿标准",
    "举证责任",
    "如何处罚",
    "解除条件",
    "程序",
    "期限",
)


@dataclass(frozen=True)
class Pace:
    """Figures of one corpus."""

    corpus: str
    episodes: int
    tool_calls: int
    right: float
    calls_a_second: float
    calls_a_second_of_processor_time: float


def main() -> int:
    options = _options()
    corpora: list[Path | None] = [options.corpus] if options.corpus else [None]
    versions = options.data / "statutes" / "versions.jsonl.gz"
    if not options.corpus and versions.is_file():
        corpora.append(versions)
    with tempfile.TemporaryDirectory(prefix="inforce-benchmark-") as folder:
        os.environ["INFORCE_HOME"] = folder
        paces = [_pace(corpus, Path(folder), options) for corpus in corpora]
    print(json.dumps({"cores": os.cpu_count(), "corpora": [vars(one) for one in paces]}))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Tool calls a second of the environment.")
    parser.add_argument("--questions", type=int, default=600, help="episodes a round")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many counts")
    parser.add_argument("--corpus", type=Path, help="this corpus alone")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the real data")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--free-text", action="store_true", help="queries that name no article")
    return parser.parse_args()


def _pace(corpus: Path | None, folder: Path, options: argparse.Namespace) -> Pace:
    name = corpus.name if corpus else "starter"
    with open_library_of(corpus, today=TODAY, folder=folder / name) as library:
        assert library.statutes  # make the index first, as before any training
        rounds = [
            _round(library, name, options, options.seed + number)
            for number in range(options.rounds)
        ]
    return max(rounds, key=lambda one: one.calls_a_second)


def _round(library: Library, name: str, options: argparse.Namespace, seed: int) -> Pace:
    articles = tuple(dated_articles(library))
    questions = draw(articles, options.questions, today=TODAY, seed=seed)
    world = environment(library, limits=Limits())
    began, worked = perf_counter(), process_time()
    policy = ScriptedPolicy(partial(_script, is_free=options.free_text))
    done = asyncio.run(roll_out(policy, CharacterTokens(), questions, world))
    seconds, processor = perf_counter() - began, process_time() - worked
    calls = sum(one.facts["tool_calls"] for one in done)
    return Pace(
        name,
        len(done),
        calls,
        _mean([one.reward or 0.0 for one in done]),
        round(calls / seconds, 1),
        round(calls / processor, 1),
    )


def _script(context: str, *, is_free: bool) -> str:
    """Return the next turn of a perfect policy, or of one that searches for words."""
    question, shown = _QUESTION.search(context), _SHOWN.search(context)
    assert question
    if "<tool_response>" in context:
        return answer(shown[1] if shown else GIVES_UP)
    query = f"{question['day']} {_words(question[0]) if is_free else question['article']}"
    return plan("检索法条") + search(query)


def _words(question: str) -> str:
    chance = Random(question)
    return f"{chance.choice(_MATTERS)} {chance.choice(_ASKED)}"


def _mean(values: Sequence[Any]) -> float:
    return sum(values) / len(values)


if __name__ == "__main__":
    raise SystemExit(main())
