"""The policy's network: a small decoder built from nothing, or a pretrained one from a folder."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from transformers import AutoModelForCausalLM, PreTrainedModel, Qwen2Config, Qwen2ForCausalLM
from transformers.utils import logging

from inforce.errors import InputError
from inforce.train.embedded.settings import SMALL, Shape


def new_model(vocabulary: int, shape: Shape = SMALL, *, seed: int = 0) -> PreTrainedModel:
    """A decoder that knows nothing yet; the same seed gives the same one.

    Args:
        vocabulary: how many tokens there are.
        shape: its size.
        seed: of its first weights; the state of torch's own generator is left as it was.
    """
    config = Qwen2Config(
        vocab_size=vocabulary,
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        intermediate_size=shape.inner,
        max_position_embeddings=shape.context,
        # The library's 0.02 suits widths in the thousands: so small a model would learn to look at
        # what it was asked five times as slowly.
        initializer_range=shape.hidden**-0.5,
        tie_word_embeddings=True,
        use_cache=False,
        bos_token_id=None,
        eos_token_id=None,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return Qwen2ForCausalLM(config).eval()


def load_model(folder: Path) -> PreTrainedModel:
    """A decoder kept in a folder in the format of Hugging Face, in single precision.

    Raises:
        InputError: if there is none, or it bends its scores in a way this trainer does not know.
    """
    try:
        with _quiet():
            model = AutoModelForCausalLM.from_pretrained(
                str(folder), dtype=torch.float32, local_files_only=True
            )
    except (OSError, ValueError) as error:
        raise InputError(f"no model that can be loaded: {error}", path=folder) from error
    for bend in ("final_logit_softcapping", "logit_scale", "logits_scaling"):
        if getattr(model.config, bend, None) is not None:
            raise InputError(f"models with {bend} are not trained here", path=folder)
    return model.eval()


def save_model(model: PreTrainedModel, folder: Path) -> None:
    """Keep a decoder in a folder in the format of Hugging Face."""
    with _quiet():
        model.save_pretrained(str(folder))


def context_of(model: PreTrainedModel) -> int:
    """How many tokens a model can look at."""
    return int(_config(model).max_position_embeddings)


def hidden_states(model: PreTrainedModel, tokens: Tensor) -> Tensor:
    """What a model makes of each token of texts that are padded on the right: (B, T, hidden).

    No mask is needed: padding comes after the text, and a token sees nothing that comes after it.
    """
    return model.base_model(input_ids=tokens, use_cache=False).last_hidden_state


def scores_of(model: PreTrainedModel, states: Tensor, *, temperature: float = 1.0) -> Tensor:
    """The logarithm of the probability of every next token: (..., vocabulary)."""
    head = cast("nn.Module", model.get_output_embeddings())
    return torch.log_softmax(head(states).float() / temperature, dim=-1)


def precision(device: torch.device) -> AbstractContextManager[Any]:
    """Half precision (bfloat16) where a card computes, full precision elsewhere."""
    if device.type == "cuda":
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return nullcontext()


def device_of(model: PreTrainedModel) -> torch.device:
    """Where a model is."""
    return next(model.parameters()).device


@contextmanager
def _quiet() -> Generator[None]:
    """Without the library's own bars of progress."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _config(model: PreTrainedModel) -> Any:
    return model.config
