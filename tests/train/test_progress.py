from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from toy_policy import said

from inforce.errors import UserError
from inforce.train.embedded.grpo import Update
from inforce.train.embedded.trainer import Step
from inforce.train.trajectory import RolloutStats
from small_models.command import figures, live, tensorboard

pytestmark = pytest.mark.torch


def step(number: int, *, update: Update | None = None) -> Step:
    stats = RolloutStats.of([replace(said(1, "1"), reward=0.5, facts={"tool_calls": number})])
    return Step(number, stats, update, 1.5, 0.5)


UPDATE = Update(
    loss=0.1,
    entropy=0.7,
    shaping=0.0,
    clipped=0.0,
    kl=0.0,
    logprob_gap=None,
    grad_norm=2.0,
)


def test_what_was_not_measured_is_missing_and_no_zero() -> None:
    stats = RolloutStats.of([replace(said(1, "1"), reward=None)])
    assert stats.reward is None and stats.flat is None
    assert "rollout/reward" not in figures(Step(1, stats, None, 0.0, 0.0))


def test_figures_have_the_path_of_what_they_measure() -> None:
    shown = figures(step(3, update=UPDATE))
    assert shown["rollout/facts/tool_calls"] == 3.0
    assert shown["update/entropy"] == 0.7
    assert shown["rollout_seconds"] == 1.5
    assert "update/logprob_gap" not in shown


def test_a_terminal_shows_the_steps() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120)
    with live(console, steps=40) as listen:
        listen(step(7, update=UPDATE))
    assert "7/40" in screen.getvalue() and "tool calls" in screen.getvalue()


def test_where_there_is_no_terminal_nothing_is_shown() -> None:
    screen = io.StringIO()
    with live(Console(file=screen, force_terminal=False), steps=40) as listen:
        listen(step(7))
    assert screen.getvalue() == ""


def test_without_tensorboard_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch.utils.tensorboard", None)
    with pytest.raises(UserError, match="pip install tensorboard"), tensorboard(tmp_path):
        pass
