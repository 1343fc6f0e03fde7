from __future__ import annotations

from pathlib import Path

import pytest
from tiny_trl import CPU, WARNINGS
from trl.trainer.grpo_config import GRPOConfig

from inforce.train.trl_adapter.settings import LEGALSEARCH_R1, MSR2, Recipe, arguments

pytestmark = [pytest.mark.trl, *map(pytest.mark.filterwarnings, WARNINGS)]


@pytest.mark.parametrize(("recipe", "trajectories"), [(LEGALSEARCH_R1, 64 * 8), (MSR2, 256 * 8)])
def test_trl_generates_what_a_recipe_wants_and_learns_by_its_loss(
    tmp_path: Path, recipe: Recipe, trajectories: int
) -> None:
    config = GRPOConfig(**arguments(recipe, tmp_path, at_once=16, **CPU))
    assert config.generation_batch_size == trajectories
    assert config.num_generations == 8
    assert config.loss_type == recipe.arguments["loss_type"]
