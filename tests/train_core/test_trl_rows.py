from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inforce.errors import UserError
from inforce.train.embedded.settings import Shaping
from inforce.train.trajectory import Span, Trajectory
from inforce.train.trl_adapter.rollouts import Step, measured, repeated, rollout_function, rows
from inforce.train.trl_adapter.settings import (
    LEGALSEARCH_R1,
    MSR2,
    Recipe,
    arguments,
    check_questions,
)

TWO_TURNS = Trajectory(
    "q1",
    (
        Span("prompt", (1, 2)),
        Span("generated", (3, 4), (-0.5, -0.25)),
        Span("observed", (5,)),
        Span("generated", (6,), (-1.0,)),
    ),
    ("甲", "乙"),
    reward=1.0,
    facts={"tool_calls": 1},
)
SILENT = Trajectory("q2", (Span("prompt", (1, 2)), Span("generated", ())), ("",), reward=0.0)


def test_a_trajectory_is_passed_to_trl_token_by_token() -> None:
    assert rows([TWO_TURNS]) == {
        "prompt_ids": [[1, 2]],
        "completion_ids": [[3, 4, 5, 6]],
        "env_mask": [[1, 1, 0, 1]],
        "logprobs": [[-0.5, -0.25, 0.0, -1.0]],
        "reward": [1.0],
        "facts": [{"tool_calls": 1}],
    }


def test_what_could_not_be_rewarded_is_masked_and_has_no_reward() -> None:
    passed = rows([replace(TWO_TURNS, reward=None), TWO_TURNS])
    assert passed["env_mask"] == [[0, 0, 0, 0], [1, 1, 0, 1]]
    assert passed["reward"] == [None, 1.0]


def test_an_episode_in_which_nothing_was_written_keeps_its_text_and_teaches_nothing() -> None:
    passed = rows([SILENT])
    assert (passed["prompt_ids"], passed["completion_ids"]) == ([[1]], [[2]])
    assert passed["env_mask"] == [[0]]
    assert passed["reward"] == [0.0]


def test_log_probabilities_are_passed_only_where_all_were_recorded() -> None:
    forgotten = replace(TWO_TURNS, spans=(Span("prompt", (1,)), Span("generated", (2,))))
    assert rows([TWO_TURNS, forgotten])["logprobs"] is None


@pytest.mark.parametrize("answered", [["q1"], ["q2", "q1"], ["q1", "q2", "q2"]])
def test_every_prompt_must_get_its_own_episode(answered: list[str]) -> None:
    def collect(prompts: object, trainer: Step) -> list[Trajectory]:
        return [replace(TWO_TURNS, question=one) for one in answered]

    nobody: Any = None
    with pytest.raises(ValueError, match="one trajectory for each prompt"):
        rollout_function(collect)(["q1", "q2"], nobody)


def test_a_process_needs_whole_groups() -> None:
    assert repeated(["7", "7", "8", "8"]) == 2
    with pytest.raises(UserError, match="at_once"):
        repeated(["7", "7", "8"])


def test_rewards_are_those_the_episodes_came_with() -> None:
    assert measured(reward=[1.0, None, 0.0], prompts=["a", "b", "c"]) == [1.0, None, 0.0]


def test_the_mean_of_what_episodes_did_is_logged() -> None:
    logged: dict[str, float] = {}
    facts = [{"tool_calls": 1, "outcome": "answered"}, {"tool_calls": 4}, {}]
    measured(reward=[0.0] * 3, facts=facts, log_metric=logged.__setitem__)
    assert logged == {"episodes/tool_calls": 2.5}


def test_legalsearch_r1_is_as_in_its_table_3() -> None:
    assert (LEGALSEARCH_R1.questions, LEGALSEARCH_R1.rollouts, LEGALSEARCH_R1.turns) == (64, 8, 15)
    assert LEGALSEARCH_R1.shaping == Shaping(alpha=0.1, kappa=2.0)
    assert LEGALSEARCH_R1.limits.response_tokens == 28671
    expected = {"beta": 0.0, "epsilon": 0.2, "learning_rate": 1e-6, "max_steps": 112}
    assert expected.items() <= LEGALSEARCH_R1.arguments.items()


def test_msr2_is_a_mean_over_trajectories_without_trls_correction_of_the_divergence() -> None:
    assert (MSR2.questions, MSR2.rollouts, MSR2.updates, MSR2.turns) == (256, 8, 2, 8)
    assert MSR2.shaping is None
    assert MSR2.arguments["loss_type"] == "grpo"
    assert MSR2.arguments["use_bias_correction_kl"] is False


@pytest.mark.parametrize(
    ("recipe", "at_once", "processes"),
    [
        (LEGALSEARCH_R1, 7, 1),
        (LEGALSEARCH_R1, 64, 3),
        (replace(MSR2, questions=1, updates=3), 1, 1),
    ],
)
def test_an_update_must_be_whole_parts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, recipe: Recipe, at_once: int, processes: int
) -> None:
    monkeypatch.setenv("WORLD_SIZE", str(processes))
    with pytest.raises(UserError, match="at_once"):
        arguments(recipe, tmp_path, at_once=at_once)


@pytest.mark.parametrize(
    ("recipe", "at_once", "processes", "parts", "per_generation"),
    [
        (LEGALSEARCH_R1, 16, 1, 32, 32),  # 64 · 8 trajectories, one update of them all
        (LEGALSEARCH_R1, 16, 2, 16, 16),
        (MSR2, 32, 1, 32, 64),  # 256 · 8 trajectories, an update for each half of them
    ],
)
def test_an_update_adds_up_parts_and_a_generation_is_all_its_updates(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    recipe: Recipe,
    at_once: int,
    processes: int,
    parts: int,
    per_generation: int,
) -> None:
    monkeypatch.setenv("WORLD_SIZE", str(processes))
    passed = arguments(recipe, tmp_path, at_once=at_once)
    assert passed["gradient_accumulation_steps"] == parts
    assert passed["steps_per_generation"] == per_generation


def test_what_the_caller_changes_comes_before_the_recipe(tmp_path: Path) -> None:
    passed = arguments(LEGALSEARCH_R1, tmp_path, at_once=8, learning_rate=1e-4)
    assert (passed["learning_rate"], passed["loss_type"]) == (1e-4, "dapo")


@pytest.mark.parametrize("recipe", [LEGALSEARCH_R1, MSR2])
def test_a_recipe_is_kept_now_and_then_and_does_not_fill_the_disk(
    tmp_path: Path, recipe: Recipe
) -> None:
    passed = arguments(recipe, tmp_path, at_once=8)
    assert passed["save_steps"] <= 40  # TRL's own 500 are more than LegalSearch-R1's whole training
    assert passed["save_steps"] % recipe.updates == 0  # never between the updates of a generation
    assert passed["save_total_limit"] == 2


@pytest.mark.parametrize("recipe", [LEGALSEARCH_R1, MSR2])
def test_a_turn_may_be_as_long_as_the_episode(recipe: Recipe) -> None:
    assert recipe.limits.turn_tokens == recipe.limits.response_tokens


@pytest.mark.parametrize(
    "changed",
    [{"use_vllm": True}, {"top_p": 0.9}, {"max_completion_length": 512}],
    ids=["vllm", "top-p", "length"],
)
def test_what_would_have_no_effect_is_refused(tmp_path: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=next(iter(changed))):
        arguments(LEGALSEARCH_R1, tmp_path, at_once=8, **changed)


def test_what_is_only_switched_off_is_not_refused(tmp_path: Path) -> None:
    assert arguments(LEGALSEARCH_R1, tmp_path, at_once=8, use_vllm=False)["use_vllm"] is False


@pytest.mark.parametrize(
    ("ids", "said"),
    [(["1"], "1 questions are too few for a step of 2"), (["1", "2", "1"], "the id '1'")],
)
def test_questions_that_make_no_step_are_refused(ids: list[str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        check_questions(ids, replace(LEGALSEARCH_R1, questions=2))
