from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from toy_policy import said

from inforce.errors import InputError, UserError
from inforce.train.embedded.grpo import Learnt
from inforce.train.embedded.metrics import (
    MetricsFile,
    Outcome,
    Seconds,
    Step,
    figures,
    live,
    tensorboard,
)
from inforce.train.trajectory import Span

pytestmark = pytest.mark.torch


def step(number: int, *, learnt: Learnt | None = None) -> Step:
    outcome = Outcome.of([replace(said(1, "1"), reward=0.5, facts={"tool_calls": number})])
    return Step(number, outcome, learnt, Seconds(1.5, 0.5))


LEARNT = Learnt(
    loss=0.1,
    entropy=0.7,
    shaping=0.0,
    clipped=0.0,
    divergence=0.0,
    gap=None,
    gradient=2.0,
)


def test_an_outcome_by_hand() -> None:
    """Question 1 is flat, question 2 is not, question 3 has one measured trajectory."""
    one = said(1, "1")
    longer = replace(said(2, "22"), spans=(*said(2, "22").spans, Span("observed", (5, 6, 7))))
    outcome = Outcome.of(
        [
            replace(one, reward=1.0, facts={"dated": True, "end": "answer", "calls": 2}),
            replace(one, reward=1.0, facts={"dated": False, "calls": 4}),
            replace(longer, reward=0.25),
            replace(longer, reward=0.0, facts={"dated": True}),
            replace(longer, reward=0.25, facts={"dated": False}),
            replace(said(3, "3"), reward=0.5),
            replace(said(3, "3"), reward=None),
            replace(said(3, "3"), reward=None),
        ]
    )
    assert outcome == Outcome(
        trajectories=8,
        measured=6,
        reward=0.5,
        flat=0.5,
        written=(5 * 2 + 3 * 3) / 8,
        response=(5 * 2 + 3 * 6) / 8,
        turns=1.0,
        facts={"calls": 3.0, "dated": 0.5},
    )


def test_what_was_not_measured_is_missing_and_no_zero() -> None:
    outcome = Outcome.of([replace(said(1, "1"), reward=None)])
    assert outcome.reward is None and outcome.flat is None
    assert "outcome/reward" not in figures(Step(1, outcome, None, Seconds(0, 0)))


def test_rows_come_back_and_those_to_be_done_again_are_taken_back(tmp_path: Path) -> None:
    rows = MetricsFile(tmp_path / "metrics.jsonl")
    written = [step(1, learnt=LEARNT), step(2), step(3)]
    for one in written:
        rows.add(one)
    assert rows.steps() == written
    assert rows.cut(2) == written[:2] == rows.steps()
    assert rows.cut(0) == [] == rows.steps()


def test_a_row_that_was_cut_off_is_taken_back_too(tmp_path: Path) -> None:
    rows = MetricsFile(tmp_path / "metrics.jsonl")
    rows.add(step(1))
    with rows.path.open("a", encoding="utf-8") as file:
        file.write('{"step": 2, "outc')
    with pytest.raises(InputError, match="not a step") as caught:
        rows.steps()
    assert caught.value.line == 2
    assert rows.cut(1) == [step(1)]


def test_figures_have_the_path_of_what_they_measure() -> None:
    shown = figures(step(3, learnt=LEARNT))
    assert shown["outcome/facts/tool_calls"] == 3.0
    assert shown["learnt/entropy"] == 0.7
    assert shown["seconds/rollout"] == 1.5
    assert "learnt/gap" not in shown


def test_a_terminal_shows_the_steps() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120)
    with live(console, steps=40) as listen:
        listen(step(7, learnt=LEARNT))
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
