"""A tiny policy for verl: a model built from a config, and servers that are none."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from hydra import compose, initialize_config_module
from omegaconf import DictConfig
from torch import Tensor
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from verl.workers.rollout.replica import TokenOutput

from inforce.train.chatml import END, FILE, PADDING, ChatMl
from inforce.train.verl_plugin.environments import ENVIRONMENTS

_Made = TypeVar("_Made")

CONFIGS = "inforce.train.verl_plugin.configs"
TEXTS = (
    "<think>先查法条</think><plan>检索当时的刑法</plan>",
    '<tool_call>{"name": "rag_retrieve", "arguments": {"query": ["2010年 刑法 第七十四条"]}}',
    "</tool_call><answer>A</answer><reasoning></reasoning><factors></factors><search></search>",
)


def composed(name: str, *overrides: str) -> DictConfig:
    """A configuration of ours, with what a person must say."""
    said = ["data.train_files=a.parquet", "data.val_files=b.parquet", "inforce.judge=''"]
    with initialize_config_module(CONFIGS, version_base=None):
        return compose(name, [*said, "inforce.world.today='2020-01-25'", *overrides])


async def closed_after(work: Coroutine[Any, Any, _Made]) -> _Made:
    """What work makes; the worlds it has entered are closed in the loop that opened them."""
    try:
        return await work
    finally:
        await ENVIRONMENTS.close()


def tiny_policy(folder: Path) -> Path:
    """A folder with a model of a few ten thousand parameters and a vocabulary for our protocols."""
    tokens = ChatMl.trained(TEXTS, size=600)
    tokens.save(folder)
    fast = PreTrainedTokenizerFast(
        tokenizer_file=str(folder / FILE), eos_token=END, pad_token=PADDING
    )
    fast.chat_template = "{% for one in messages %}{{ one.content }}{% endfor %}"
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=tokens.size,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=16384,
        eos_token_id=tokens.end,
        pad_token_id=tokens.padding,
        bos_token_id=None,
    )
    Qwen2ForCausalLM(config).save_pretrained(folder)
    return folder


class ScriptedServer:
    """Writes what a script says of the text so far."""

    def __init__(self, tokens: ChatMl, script: Callable[[str], str]) -> None:
        self.tokens = tokens
        self.script = script
        self.asked: list[dict[str, Any]] = []

    async def generate(
        self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any]
    ) -> TokenOutput:
        """The next turn, each of its tokens as probable as the others."""
        self.asked.append({"id": request_id, **sampling_params})
        said = self.script(self.tokens.decode(prompt_ids))
        ids = [*self.tokens.encode(said), self.tokens.end][: sampling_params["max_tokens"]]
        versions = {"min_global_steps": 7, "max_global_steps": 7}
        return TokenOutput(
            token_ids=ids,
            log_probs=[-0.5] * len(ids),
            stop_reason="completed",
            extra_fields=versions,
        )


class ModelServer:
    """A model in this very process, drawn from token by token.

    No dataclass: hydra, which hands it to agent loops, would make a configuration of it.
    """

    def __init__(self, model: Qwen2ForCausalLM, *, most: int) -> None:
        self.model = model
        self.most = most
        """Tokens a turn, that the test be short."""

    async def generate(
        self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any]
    ) -> TokenOutput:
        """What the model writes, until its turn ends."""
        ids: list[int] = []
        logprobs: list[float] = []
        ends = sampling_params["stop_token_ids"]
        while len(ids) < min(self.most, sampling_params["max_tokens"]) and ids[-1:] != ends:
            odds = self.logprobs([*prompt_ids, *ids])[-1]
            ids.append(int(torch.multinomial(odds.exp(), 1)))
            logprobs.append(float(odds[ids[-1]]))
        return TokenOutput(token_ids=ids, log_probs=logprobs, stop_reason="completed")

    def logprobs(self, ids: Sequence[int]) -> Tensor:
        """(T, V): of what may come after each token."""
        with torch.no_grad():
            return torch.log_softmax(self.model(torch.tensor([list(ids)])).logits[0].float(), -1)
