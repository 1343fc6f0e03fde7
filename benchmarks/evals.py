"""Time and memory of evaluations, each as the command a person would type.

    python benchmarks/evals.py                 everything, a few minutes
    python benchmarks/evals.py samples lar     some of it
    python benchmarks/evals.py --json          one JSON object

Models are scripted (recordings made here), and the network is off. The data is not part of this
repository (``--data``, by default ``../shared/data``); measurements that need it are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SAMPLES = 2_000
WRONG_EVERY = 5
"""One in so many scripted answers is wrong: a score of 1 could mean that nothing is compared."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders of a measurement: for its files, and of the data."""

    folder: Path
    data: Path


@dataclass(frozen=True, slots=True)
class Figure:
    """Figures of a command."""

    name: str
    n: int
    score: float | None
    seconds: float
    megabytes: int
    most_seconds: int
    most_megabytes: int = 4_096

    @property
    def reached(self) -> bool:
        """Whether time and memory are within their bars."""
        return self.seconds <= self.most_seconds and self.megabytes <= self.most_megabytes


def main() -> int:
    options = parsed()
    with tempfile.TemporaryDirectory() as folder:
        figures = list(measured(Folders(Path(folder), options.data), options.names))
    if options.json:
        print(json.dumps([{**asdict(one), "reached": one.reached} for one in figures]))
    else:
        print("\n".join(map(row, figures)))
    return 0 if all(one.reached for one in figures) else 1


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*MEASUREMENTS, []], default=[])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def measured(folders: Folders, names: Iterable[str]) -> Iterable[Figure]:
    for name in names or MEASUREMENTS:
        if name == "samples" or folders.data.is_dir():
            yield MEASUREMENTS[name](folders)
        else:
            print(f"{name}: left out, there is no {folders.data}", file=sys.stderr)


def samples(folders: Folders) -> Figure:
    """2,000 runs of R1 over the starter corpus: a plan with a search, then an answer."""
    items = [knowledge_item(number) for number in range(SAMPLES)]
    path = write(folders.folder / "items.jsonl", items)
    model = write(folders.folder / "script.jsonl", map(r1_script, items))
    ran = run(
        folders, "eval", "kqa", "--agent", "r1", "--data", path, "--model", f"recorded:{model}"
    )
    return figure("2,000 samples", ran, most_seconds=120, most_megabytes=1_024)


def lar(folders: Folders) -> Figure:
    """Every recitation given, by R1 without a model, all versions of the statutes loaded."""
    ran = run(
        folders, "eval", "lar", "--agent", "r1", "--data", thirteen(folders), *corpus(folders)
    )
    return figure("lar, r1 offline", ran, most_seconds=120)


def legalsearch(folders: Folders) -> Figure:
    """All 13 tasks by R1 with a scripted model, the judge of consultations scripted too."""
    lines = [
        json.loads(line)
        for file in sorted(thirteen(folders).glob("*evaluation.jsonl"))
        for line in file.read_text(encoding="utf-8").split("\n")
        if line.strip()
    ]
    model = write(folders.folder / "thirteen.jsonl", map(r1_script, lines))
    judge = write(folders.folder / "judge.jsonl", map(verdict, lines))
    ran = run(
        folders,
        *("eval", "legalsearch", "--agent", "r1", "--data", thirteen(folders), *corpus(folders)),
        *("--model", f"recorded:{model}", "--judge", f"recorded:{judge}"),
    )
    return figure("13 tasks, scripted", ran, most_seconds=120)


def legalsearchqa(folders: Folders) -> Figure:
    """LegalSearchQA by L-MARS, with the searches of March 2026 and a scripted model."""
    folder = folders.data / "lmars"
    questions = json.loads((folder / "legalsearchqa.json").read_text(encoding="utf-8"))
    model = write(folders.folder / "us.jsonl", map(us_script, questions, range(len(questions))))
    ran = run(
        folders,
        *("eval", "legalsearchqa", "--agent", "lmars", "--data", folder),
        *("--model", f"recorded:{model}", "--web", f"recorded:{folder / 'serper_cache.jsonl'}"),
    )
    return figure("LegalSearchQA, recorded", ran, most_seconds=120)


def replay(folders: Folders) -> Figure:
    """The recorded GLM-4 run over LegalAgentBench."""
    folder = folders.data / "legalagentbench"
    model = f"recorded:{folder / 'recorded_react_glm-4_actions.jsonl'}"
    ran = run(
        folders,
        *("eval", "legalagentbench", "--agent", "react", "--model", model),
        *("--data", folder, "--world", folder),
    )
    return figure("LegalAgentBench, replayed", ran, most_seconds=120)


def ljp(folders: Folders) -> Figure:
    """TF-IDF and a linear SVM, trained and scored."""
    cases = folders.data / "ljp" / "cases.jsonl.gz"
    ran = run(folders, "eval", "ljp", "--agent", "tfidf-svm", "--data", cases)
    return figure("ljp, tfidf-svm", ran, most_seconds=120)


def construct(folders: Folders) -> Figure:
    """Tasks made from the given tables, each verified by solving it again."""
    world = folders.data / "legalagentbench"
    ran = run(folders, "construct", "world", "--world", world)
    return figure("task construction", ran, most_seconds=60)


MEASUREMENTS: Mapping[str, Callable[[Folders], Figure]] = {
    "samples": samples,
    "lar": lar,
    "legalsearch": legalsearch,
    "legalsearchqa": legalsearchqa,
    "replay": replay,
    "ljp": ljp,
    "construct": construct,
}


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended."""

    result: dict[str, Any]
    seconds: float
    megabytes: int


def run(folders: Folders, *arguments: object) -> Ran:
    """Run a command as a process of its own, its output in a folder of its own."""
    output = tempfile.mkdtemp(dir=folders.folder)
    command = [*map(str, arguments), "--output", f"{output}/out", "--json"]
    environment = {
        **os.environ,
        "INFORCE_HOME": str(folders.folder / "home"),
        "INFORCE_NETWORK": "off",
        "INFORCE_TODAY": "2026-11-20",
    }
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "inforce.cli", *command],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        printed = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - began
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    return Ran(json.loads(printed.splitlines()[-1]), seconds, used.ru_maxrss // 1_024)


def figure(name: str, ran: Ran, *, most_seconds: int, most_megabytes: int = 4_096) -> Figure:
    measures = ("score", "accuracy", "success", "term_correct")
    score = next((ran.result[one] for one in measures if ran.result.get(one) is not None), None)
    n = ran.result.get("n") or ran.result.get("tasks") or 0
    return Figure(
        name, n, score, round(ran.seconds, 1), ran.megabytes, most_seconds, most_megabytes
    )


def row(one: Figure) -> str:
    score = "" if one.score is None else f"{one.score:.4f}"
    verdict = "reached" if one.reached else "MISSED"
    bars = f"{one.most_seconds} s, {one.most_megabytes} MB"
    taken = f"{one.seconds:7.1f} s {one.megabytes:5} MB"
    return f"{one.name:26} {one.n:5} {score:7} {taken}  ({bars}: {verdict})"


def knowledge_item(number: int) -> dict[str, Any]:
    return {
        "id": f"kqa_{number}",
        "type": "kqa",
        "deepresearch_task_prompt": "仅输出选项字母。",
        "question": f"问题: 第{number}题，累犯可以适用缓刑吗？\n选项:\nA: 可以\nB: 不可以",
        "answer": "B",
    }


def r1_script(item: dict[str, Any]) -> dict[str, Any]:
    """Return the model's turns: a plan and a search, then the gold answer or a wrong one."""
    call = {"name": "rag_retrieve", "arguments": {"query": ["2010年 累犯 缓刑"]}}
    wrong = sum(map(ord, item["id"])) % WRONG_EVERY == 0
    answer = "无" if wrong else item["answer"]
    return {
        "question": item["question"].strip(),
        "completions": [
            "<think>查法条。</think><plan>检索</plan>"
            f"<tool_call>{json.dumps(call, ensure_ascii=False)}</tool_call>",
            f"<think>已查到。</think><answer>{answer}</answer>",
        ],
    }


def verdict(item: dict[str, Any]) -> dict[str, Any]:
    reply = json.dumps({"judgement_answer": "correct", "judgement_basis": "incorrect"})
    return {"question": item["question"].strip(), "completions": [reply]}


def us_script(item: dict[str, Any], number: int) -> dict[str, Any]:
    """The right choice, every fifth time another; twice, since roles ask once more for JSON."""
    choice = (item["gold"] + (number % WRONG_EVERY == 0)) % len(item["choices"])
    reply = f"{item['choices'][choice]} [1]\nANSWER: {'ABCD'[choice]}"
    return {"question": item["question"], "completions": [reply, reply]}


def thirteen(folders: Folders) -> Path:
    return folders.data / "legalsearch_r1"


def corpus(folders: Folders) -> tuple[object, ...]:
    return ("--corpus", folders.data / "statutes" / "versions.jsonl.gz")


def write(path: Path, lines: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return path


if __name__ == "__main__":
    raise SystemExit(main())
