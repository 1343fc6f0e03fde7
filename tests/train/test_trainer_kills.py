"""Training in a process of its own that is killed or interrupted at the worst moments, and goes on.

Run as a program this file is that process: it loads torch once, then forks for every training, so
that each begins like a new process.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from toy_policy import by_chance, policy_of, tiny_model

from inforce.train.advantages import Shaping
from inforce.train.embedded.settings import Grpo, Sampling, Settings
from inforce.train.embedded.trainer import Step, Trainer
from inforce.train.policy import Policy

pytestmark = pytest.mark.torch

SETTINGS = Settings(
    sampling=Sampling(seed=3),
    grpo=Grpo(lr=1e-3, shaping=Shaping(), beta=0.01),
    steps=6,
    questions=4,
    checkpoint_every=2,
)
WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Blow:
    """When a process is killed."""

    file: str
    """The one it is about to write, or has written."""
    how: str
    """``half`` of it is there, all of it ``before`` it has its name, or ``after``."""


# By name: the blows that fall one after the other, on a process each.
DEATHS: dict[str, list[Blow]] = {
    "in the first checkpoint": [Blow("step-000000.pt", "half")],
    "after the first checkpoint": [Blow("step-000000.pt", "after")],
    "in the row of the first step": [Blow("row 1", "half")],
    "in a row before a checkpoint": [Blow("row 4", "half")],
    "between row and checkpoint": [Blow("row 4", "after")],
    "in a checkpoint": [Blow("step-000004.pt", "half")],
    "before a checkpoint has its name": [Blow("step-000004.pt", "before")],
    "after a checkpoint": [Blow("step-000004.pt", "after")],
    "in the last row": [Blow("row 6", "half")],
    "in the last checkpoint": [Blow("step-000006.pt", "half")],
    "with the trained policy half kept": [Blow("model.safetensors", "half")],
    "again while rows are taken back": [Blow("row 5", "after"), Blow("metrics.jsonl", "before")],
    "again in the same checkpoint": [Blow("step-000004.pt", "half")] * 2,
}
# From outside, once so many bytes of metrics are there: the signals that are sent.
SENT = {"killed": [signal.SIGKILL], "interrupted": [signal.SIGINT], "twice": [signal.SIGINT] * 2}
OUTSIDE = [(how, size) for how in SENT for size in (1, 1800)]


def train(folder: Path) -> None:
    """Begin, or go on."""
    torch.set_num_threads(1)
    # A new process finds no chance as it was: after the first, only the checkpoint knows.
    chance = 1 if not any(folder.glob("checkpoints/*.pt")) else 2
    random.seed(chance)
    np.random.seed(chance)
    torch.manual_seed(chance)
    policy = policy_of(tiny_model())
    trainer: Trainer[int] = Trainer(policy, list(range(10)), by_chance, folder, settings=SETTINGS)
    asyncio.run(trainer.train())


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def strike(blow: Blow) -> None:
    """Make sure this process does not survive the moment."""
    rename, save = Path.replace, Policy.save
    add = cast("Callable[[Any, Step], None]", Trainer._add_row)  # pyright: ignore[reportPrivateUsage]

    def renamed(self: Path, target: Any) -> Path:
        if Path(target).name == blow.file and blow.how != "after":
            if blow.how == "half":
                halve(self)
            die()
        path = rename(self, target)
        if path.name == blow.file:
            die()
        return path

    def added(self: Trainer[int], step: Step) -> None:
        add(self, step)
        if blow.file == f"row {step.step}":
            if blow.how == "half":
                os.truncate(self.metrics, self.metrics.stat().st_size - 40)
            die()

    def saved(self: Policy, folder: Path) -> None:
        save(self, folder)
        if blow.file == "model.safetensors":
            halve(folder / blow.file)
            die()

    Path.replace, Policy.save = renamed, saved  # pyright: ignore[reportAttributeAccessIssue]
    Trainer._add_row = added  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]


def in_a_process(work: Callable[[], None], watch: Callable[[int], None] | None = None) -> int:
    """Do something in a process of its own; the signal that ended it, 0 if it ended well."""
    child = os.fork()
    if not child:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    if watch:
        watch(child)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return -ended if ended <= 0 else ended


def struck(folder: Path, blow: Blow) -> int:
    def work() -> None:
        strike(blow)
        train(folder)

    return in_a_process(work)


def stopped_at(folder: Path, size: int, signals: Sequence[signal.Signals]) -> int:
    """Killed, or interrupted as by Ctrl-C."""
    rows = folder / "metrics.jsonl"

    def watch(child: int) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until and (not rows.exists() or rows.stat().st_size < size):
            time.sleep(0.001)
        for one in signals:
            os.kill(child, one)
            time.sleep(0.005)

    return in_a_process(lambda: train(folder), watch)


def main(folder: Path) -> None:
    """Every death, and what came after it: the signals, by name."""
    ends: dict[str, list[int]] = {WHOLE: [in_a_process(lambda: train(folder / WHOLE))]}
    for name, blows in DEATHS.items():
        ends[name] = [struck(folder / name, blow) for blow in blows]
        ends[name].append(in_a_process(lambda name=name: train(folder / name)))
    for how, size in OUTSIDE:
        name = f"{how} at {size}"
        ends[name] = [stopped_at(folder / name, size, SENT[how])]
        ends[name].append(in_a_process(lambda name=name: train(folder / name)))
    (folder / "ends.json").write_text(json.dumps(ends), encoding="utf-8")


@pytest.fixture(scope="module")
def deaths(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where they all trained."""
    folder = tmp_path_factory.mktemp("deaths")
    subprocess.run([sys.executable, __file__, str(folder)], check=True, timeout=240)
    return folder


def rows(folder: Path) -> list[dict[str, Any]]:
    """The metrics as they stand in the file, without how long things took."""
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [{**json.loads(line), "rollout_seconds": 0, "update_seconds": 0} for line in lines]


@pytest.mark.parametrize("name", [*DEATHS, *(f"{how} at {size}" for how, size in OUTSIDE)])
def test_whoever_is_killed_goes_on_to_the_same_rows_and_the_same_policy(
    deaths: Path, name: str
) -> None:
    ends = json.loads((deaths / "ends.json").read_text(encoding="utf-8"))
    assert ends[WHOLE] == [0] and ends[name][-1] == 0
    if name in DEATHS:  # from outside, the blow may come too late
        assert ends[name][:-1] == len(DEATHS[name]) * [int(signal.SIGKILL)]
    assert len(rows(deaths / WHOLE)) == SETTINGS.steps
    assert rows(deaths / name) == rows(deaths / WHOLE)
    policies = [deaths / one / "policy" / "model.safetensors" for one in (WHOLE, name)]
    assert policies[0].read_bytes() == policies[1].read_bytes()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
