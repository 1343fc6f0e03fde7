"""The policy that learns: a small decoder made from a configuration, or a pretrained one."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inforce.errors import InputError

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from inforce.train.chatml import ChatMl


@dataclass(frozen=True, slots=True)
class ModelShape:
    """The size of an untrained decoder (the architecture of Qwen2)."""

    hidden: int
    layers: int
    heads: int
    kv_heads: int
    inner: int
    """Width of the feed-forward layers."""
    context: int
    """Tokens it can attend to."""
    head_width: int | None = None
    """Width of a head; ``None``: all heads together are as wide as the model."""
    copying_heads: int = 0
    """Heads initialised as induction heads (`inforce.train.induction`); 0: all are random."""


SMALL = ModelShape(hidden=192, layers=4, heads=4, kv_heads=2, inner=512, context=2048)
"""About 1.7 million parameters with a vocabulary of 600: for two cores of a processor."""

COPYING = ModelShape(
    hidden=192,
    layers=2,
    heads=6,
    kv_heads=6,
    inner=256,
    context=2048,
    head_width=48,
    copying_heads=4,
)
"""About 0.8 million parameters with a vocabulary of 1,400, initialised to copy."""

LARGE = ModelShape(hidden=768, layers=12, heads=12, kv_heads=4, inner=2048, context=4096)
"""About 82 million parameters with a vocabulary of 8,000: for one large GPU."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A model that learns, and its tokens."""

    model: PreTrainedModel
    tokens: ChatMl

    @classmethod
    def load(cls, folder: Path) -> Policy:
        """Load a policy from a folder in the format of Hugging Face; raises InputError."""
        from inforce.train.chatml import ChatMl

        return cls(load_model(folder), ChatMl.load(folder))

    @property
    def context(self) -> int:
        """Number of tokens the model can attend to."""
        config: Any = self.model.config
        return int(config.max_position_embeddings)

    def save(self, folder: Path) -> None:
        """Store both in a folder, in the format of Hugging Face."""
        with _no_progress_bars():
            self.model.save_pretrained(str(folder))
        self.tokens.save(folder)


def new_model(vocabulary: int, shape: ModelShape = SMALL, *, seed: int = 0) -> PreTrainedModel:
    """Make an untrained decoder from a seed, without changing torch's random number generator."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    from inforce.train.induction import ROPE_BASE, begin_copying

    copies = shape.copying_heads > 0
    unnamed: dict[str, Any] = {"head_dim": shape.head_width or shape.hidden // shape.heads}
    if copies:
        unnamed["rope_parameters"] = {"rope_type": "default", "rope_theta": ROPE_BASE}
    config = Qwen2Config(
        vocab_size=vocabulary,
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        intermediate_size=shape.inner,
        max_position_embeddings=shape.context,
        # The library's 0.02 suits widths in the thousands: with it a small model learns to attend
        # to the question five times as slowly.
        initializer_range=shape.hidden**-0.5,
        tie_word_embeddings=True,
        use_cache=False,
        bos_token_id=None,
        eos_token_id=None,
        **unnamed,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = Qwen2ForCausalLM(config).eval()
        if copies:
            begin_copying(model, copying=shape.copying_heads)
        return model


def load_model(folder: Path) -> PreTrainedModel:
    """Load a decoder from a folder in the format of Hugging Face, in single precision.

    Raises:
        InputError: if there is none, or it transforms its logits in a way not supported here.
    """
    import torch
    from transformers import AutoModelForCausalLM

    try:
        with _no_progress_bars():
            model = AutoModelForCausalLM.from_pretrained(
                str(folder), dtype=torch.float32, local_files_only=True
            )
    except (OSError, ValueError) as error:
        raise InputError(f"no model that can be loaded: {error}", path=folder) from error
    for name in ("final_logit_softcapping", "logit_scale", "logits_scaling"):
        if getattr(model.config, name, None) is not None:
            raise InputError(f"models with {name} are not trained here", path=folder)
    return model.eval()


@contextmanager
def _no_progress_bars() -> Generator[None]:
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
