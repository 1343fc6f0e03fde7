"""The configurations of both papers, as verl composes and checks them."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path

import pytest
from hydra import compose, initialize_config_module
from verl.experimental.agent_loop.agent_loop import AgentLoopWorker
from verl.experimental.agent_loop.agent_loop import _agent_loop_registry as loops
from verl.trainer.ppo.core_algos import get_adv_estimator_fn
from verl.trainer.ppo.reward import get_custom_reward_fn
from verl.trainer.ppo.utils import need_critic, need_reference_policy
from verl.trainer.ppo.v1 import get_trainer_cls
from verl.utils.config import omega_conf_to_dataclass, validate_config
from verl_world import CONFIGS, composed

from inforce.train.verl_plugin.registration import main
from inforce.train.verl_plugin.settings import read_node, read_settings

pytestmark = pytest.mark.filterwarnings("ignore")

PAPERS = ("legalsearch_r1", "msr2")


def test_verl_finds_the_plug_ins_by_their_entry_point() -> None:
    found = {one.value for one in entry_points(group="verl.plugins") if one.name == "inforce"}
    assert found == {"inforce.train.verl_plugin.registration"}


@pytest.mark.parametrize("name", PAPERS)
def test_verl_accepts_a_configuration_and_knows_every_name_in_it(name: str) -> None:
    config = composed(name)
    has_reference, has_critic = need_reference_policy(config), need_critic(config)
    validate_config(config, use_reference_policy=has_reference, use_critic=has_critic)
    assert has_critic is False
    assert config.actor_rollout_ref.rollout.agent.default_agent_loop in loops
    assert get_adv_estimator_fn(config.algorithm.adv_estimator)
    assert get_trainer_cls(config.trainer.v1.trainer_mode)
    assert get_custom_reward_fn(config)
    assert AgentLoopWorker
    omega_conf_to_dataclass(config.algorithm)  # refuses keys verl does not know
    omega_conf_to_dataclass(config.actor_rollout_ref.rollout)
    read_settings(dict(config.inforce))


def test_legalsearch_r1_is_as_table_3_has_it() -> None:
    config = composed("legalsearch_r1")
    actor, rollout = config.actor_rollout_ref.actor, config.actor_rollout_ref.rollout
    assert (config.data.train_batch_size, rollout.n) == (64, 8)
    assert (config.trainer.total_training_steps, actor.optim.lr) == (112, 1e-6)
    assert (config.inforce.shaping.alpha, config.inforce.shaping.kappa) == (0.1, 2.0)
    assert (actor.use_kl_loss, actor.entropy_coeff, actor.clip_ratio) == (False, 0, 0.2)
    assert (config.data.max_prompt_length, config.data.max_response_length) == (4096, 28671)
    assert (rollout.max_model_len, config.inforce.world.max_turns) == (32767, 15)
    assert (rollout.temperature, rollout.top_p, actor.loss_agg_mode) == (1.0, 1.0, "token-mean")
    assert need_reference_policy(config) is False


def test_legalsearch_r1_updates_once_a_step_with_the_memory_of_its_launch_script() -> None:
    config = composed("legalsearch_r1")
    actor, rollout = config.actor_rollout_ref.actor, config.actor_rollout_ref.rollout
    assert actor.ppo_mini_batch_size == config.data.train_batch_size
    assert (actor.fsdp_config.param_offload, actor.fsdp_config.optimizer_offload) == (True, True)
    assert (actor.ulysses_sequence_parallel_size, actor.ppo_max_token_len_per_gpu) == (4, 16384)
    assert (rollout.tensor_model_parallel_size, rollout.gpu_memory_utilization) == (1, 0.6)
    assert rollout.max_num_batched_tokens == 32768


def test_msr2_is_as_section_4_has_it() -> None:
    config = composed("msr2")
    actor, rollout = config.actor_rollout_ref.actor, config.actor_rollout_ref.rollout
    assert (config.data.train_batch_size, actor.ppo_mini_batch_size, rollout.n) == (256, 128, 8)
    assert (config.data.val_batch_size, config.inforce.world.max_turns) == (512, 8)
    assert (actor.entropy_coeff, config.trainer.val_before_train) == (0, True)
    assert (actor.ppo_micro_batch_size_per_gpu, rollout.max_num_seqs) == (32, 128)
    assert rollout.log_prob_micro_batch_size_per_gpu == 32
    assert config.actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu == 32
    assert (config.data.max_prompt_length, config.data.max_response_length) == (16384, 8192)
    assert (rollout.max_num_batched_tokens, rollout.tensor_model_parallel_size) == (131072, 1)
    assert (actor.loss_agg_mode, actor.kl_loss_type) == ("seq-mean-token-mean", "low_var_kl")
    assert (config.trainer.total_epochs, config.trainer.test_freq, config.trainer.save_freq) == (
        1,
        20,
        20,
    )
    assert need_reference_policy(config) is True
    assert config.inforce.shaping.alpha == 0.0


@pytest.mark.parametrize("name", PAPERS)
def test_examinations_are_greedy_with_one_answer_a_question(name: str) -> None:
    drawn = composed(name).actor_rollout_ref.rollout.val_kwargs
    assert (drawn.temperature, drawn.do_sample, drawn.n) == (0, False, 1)


def commands(text: str) -> list[list[str]]:
    """Every call of verl's trainer in a text, as a shell hands it over."""
    joined = re.sub(r"\\\n#?", " ", text)
    found = re.findall(r"python -m verl\.trainer\.main_ppo .*", joined)
    return [shlex.split(one)[3:] for one in found]


GUIDE = (Path(__file__).parents[2] / "docs" / "training.md").read_text("utf-8")
TEXTS = {
    "guide": GUIDE,
    **{name: (files(CONFIGS) / f"{name}.yaml").read_text("utf-8") for name in PAPERS},
}


@pytest.mark.parametrize("where", TEXTS)
def test_a_documented_command_says_all_that_must_be_said(where: str) -> None:
    found = commands(TEXTS[where])
    assert found
    for words in found:
        options = dict(zip(words[:4:2], words[1:4:2], strict=True))
        assert options["--config-path"] == f"pkg://{CONFIGS}"
        with initialize_config_module(CONFIGS, version_base=None):
            config = compose(options["--config-name"], words[4:])
        said = read_node(config)
        assert said.judge == "" or re.fullmatch(r"http://judge:8000/v1#Qwen/\S+", said.judge)
        assert config.data.train_files.endswith("train.parquet")


def options_named(text: str) -> list[str]:
    """Every option of verl's trainer that a text names in its prose, as a shell hands it over."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    words = [word for span in re.findall("`([^`]+)`", prose) for word in _shell_words(span)]
    return [
        one for one in words if re.match(r"\+?(inforce|trainer|actor_rollout_ref|data)[.].+=", one)
    ]


def _shell_words(span: str) -> list[str]:
    try:
        return shlex.split(span)
    except ValueError:  # no closing quotation: code, but no command
        return []


def test_every_option_the_guide_names_can_be_given_as_it_stands() -> None:
    named = options_named(GUIDE)
    assert len(named) >= 10
    with initialize_config_module(CONFIGS, version_base=None):
        files = ["data.train_files=train.parquet", "data.val_files=val.parquet"]
        config = compose("legalsearch_r1", [*files, *named])
    assert config.inforce.world.sources == "statutes,web"


def test_whoever_asks_is_told_that_verl_finds_the_plug_ins(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main() == 0
    assert "knows R1Loop, MSR2Loop" in capsys.readouterr().out
    monkeypatch.delitem(sys.modules, "inforce.train.verl_plugin.registration")
    assert main() == 1
    assert "inforce[verl]" in capsys.readouterr().err
