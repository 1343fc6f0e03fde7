"""Initialises a small decoder with induction heads, which copy what followed the same tokens.

Pretrained models develop such heads early (Olsson et al., "In-context Learning and Induction
Heads", 2022). A randomly initialised one takes about a thousand steps, more or fewer depending on
its seed. So ours begins with them, after "Mimetic Initialization of Self-Attention Layers"
(Trockman and Kolter, ICML 2023): heads of the first layer look one, two and three tokens back;
heads of the second attend to positions where these and the token itself agree, and copy what is
there. All weights are trained from there on; when to copy, and what, is learnt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

LOOKS_BACK = 3
"""Number of heads of the first layer that look back: by one token, by two, by three."""

ROPE_BASE = 1e6
"""Base of the rotary position embedding, as in Qwen2: slow rotations hardly change with
distance."""

_FAST = 4
"""Number of fast rotations by which a head tells neighbouring positions apart."""
_SLOW = 0.01
"""Radians per token below which a rotation hardly depends on the distance."""
_SHARPNESS = 25.0
"""Logit of a head that looks back, at the position it looks at."""
_LIKENESS = 2.0
"""Scale of the queries and keys of the second layer."""
_LOOKED_BACK, _COPIED, _QUIET = 0.15, 2.0, 0.05
"""Output scales: of heads that look back, of heads that copy, and of everything else."""


def begin_copying(model: PreTrainedModel, *, copying: int) -> None:
    """Initialise heads that look back and heads that copy in an untrained Qwen2 decoder.

    Args:
        model: with two layers or more, as many key heads as heads, each at most a quarter as wide
            as the model, and `ROPE_BASE`.
        copying: number of heads of the second layer that copy; all other heads stay random, with
            smaller outputs.
    """
    import torch

    decoder: Any = model.base_model
    config = decoder.config
    hidden, width = int(config.hidden_size), int(config.head_dim)
    first, second = decoder.layers[0].self_attn, decoder.layers[1].self_attn

    def directions(count: int) -> Tensor:
        """Orthonormal rows: (count, hidden)."""
        return _orthonormal(torch.randn(hidden, count)).T

    def rotation() -> Tensor:
        return _orthonormal(torch.randn(width, width))

    # Orthogonal subspaces: earlier tokens must not be taken for the token itself.
    subspaces = cast("tuple[Tensor, ...]", directions((1 + LOOKS_BACK) * width).split(width))
    token, before = subspaces[0], subspaces[1:]
    copied = directions(hidden).repeat(-(-copying * width // hidden), 1)
    one, two = rotation(), rotation()
    slow = (decoder.rotary_emb.inv_freq.repeat(2) < _SLOW).float()[:, None]
    with torch.no_grad():
        for layer in decoder.layers:
            layer.mlp.down_proj.weight.mul_(_QUIET)
            layer.self_attn.o_proj.weight.mul_(_QUIET)
        for back in range(LOOKS_BACK):
            head = slice(back * width, (back + 1) * width)
            _look_back(first, head, back + 1, decoder.rotary_emb.inv_freq)
            first.v_proj.weight[head] = token
            first.o_proj.weight[:, head] = _LOOKED_BACK * before[back].T
        for number in range(copying):
            head = slice(number * width, (number + 1) * width)
            if number % 2:  # matches the last token alone: begins a copy
                query, key = 2**0.5 * token, 2**0.5 * before[0]
            else:  # matches the last three: continues the right copy where a token occurs twice
                query = token + one @ before[0] + two @ before[1]
                key = before[0] + one @ before[1] + two @ before[2]
            second.q_proj.weight[head] = _LIKENESS * slow * query
            second.k_proj.weight[head] = _LIKENESS * slow * key
            second.v_proj.weight[head] = copied[head]
            second.o_proj.weight[:, head] = _COPIED * copied[head].T


def _orthonormal(columns: Tensor) -> Tensor:
    import torch

    linear: Any = torch.linalg  # whose types are partial
    return linear.qr(columns)[0]


def _look_back(attention: Any, head: slice, distance: int, frequencies: Tensor) -> None:
    """Let a head attend to the token at a distance, whatever that token is.

    Queries and keys are almost only biases, which agree best at that distance: rotated, their
    product is a sum of cos(frequency x (distance - actual distance)).
    """
    import torch

    width = head.stop - head.start
    strength = (_SHARPNESS * width**0.5 / _FAST) ** 0.5
    angles = -frequencies[:_FAST] * distance
    query, key = torch.zeros(width), torch.zeros(width)
    query[:_FAST] = strength * angles.cos()
    query[width // 2 : width // 2 + _FAST] = strength * angles.sin()
    key[:_FAST] = strength
    attention.q_proj.bias[head], attention.k_proj.bias[head] = query, key
    attention.q_proj.weight[head] *= 0.1
    attention.k_proj.weight[head] *= 0.1
