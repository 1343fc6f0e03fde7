"""A decoder that begins with heads that copy: what came after the same words before comes next.

Pretrained models come to have such induction heads early (Olsson et al., "In-context Learning and
Induction Heads", 2022). One made from nothing needs about a thousand steps to find them, and which
step it is depends on its seed. So they are what it begins with, after "Mimetic Initialization of
Self-Attention Layers" (Trockman and Kolter, ICML 2023): heads of the first layer look one, two and
three tokens back, and heads of the second attend to where these and the token itself agree, and
write what they find there. All weights are learnt from there on; nothing is said about when to
copy, nor about what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

LOOKS_BACK = 3
"""Heads of the first layer that look back: by one token, two, and three."""

ROPE_BASE = 1e6
"""Of the rotary positions, as Qwen2 has it: what slow rotations hold is the same far away."""

_FAST = 4
"""Rotations a head tells its neighbours by."""
_SLOW = 0.01
"""Rotation a token, in radians, below which words far from each other still agree."""
_SHARPNESS = 25.0
"""Of the attention of a head that looks back, in logits where it looks."""
_LIKENESS = 2.0
"""How strongly the second layer attends to what agrees."""
_LOOKED_BACK, _COPIED, _QUIET = 0.15, 2.0, 0.05
"""How much heads that look back add to a token, heads that copy write, and all others do."""


def begin_copying(model: PreTrainedModel, *, copying: int) -> None:
    """Give an untrained decoder of the Qwen2 kind heads that look back, and heads that copy.

    Args:
        model: with two layers or more, as many key heads as heads, each at most a quarter as wide
            as the model, and `ROPE_BASE`.
        copying: heads of the second layer that copy; those of both layers that get no part stay
            as they were, and quieter.
    """
    import torch

    decoder: Any = model.base_model
    config = decoder.config
    hidden, width = int(config.hidden_size), int(config.head_dim)
    first, second = decoder.layers[0].self_attn, decoder.layers[1].self_attn

    def directions(count: int) -> Tensor:
        """Different ones as rows: (count, hidden)."""
        return _right_angled(torch.randn(hidden, count)).T

    def rotation() -> Tensor:
        return _right_angled(torch.randn(width, width))

    # At right angles: what was before must not be taken for the token itself.
    apart = cast("tuple[Tensor, ...]", directions((1 + LOOKS_BACK) * width).split(width))
    token, before = apart[0], apart[1:]
    written = directions(hidden).repeat(-(-copying * width // hidden), 1)
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
            if number % 2:  # the last word alone: how a copy begins
                wanted, offered = 2**0.5 * token, 2**0.5 * before[0]
            else:  # the last three: how it goes on where a word occurs twice
                wanted = token + one @ before[0] + two @ before[1]
                offered = before[0] + one @ before[1] + two @ before[2]
            second.q_proj.weight[head] = _LIKENESS * slow * wanted
            second.k_proj.weight[head] = _LIKENESS * slow * offered
            second.v_proj.weight[head] = written[head]
            second.o_proj.weight[:, head] = _COPIED * written[head].T


def _right_angled(columns: Tensor) -> Tensor:
    import torch

    linear: Any = torch.linalg  # whose types are partial
    return linear.qr(columns)[0]


def _look_back(attention: Any, head: slice, distance: int, frequencies: Tensor) -> None:
    """Let a head attend to the token so far back, whatever it is.

    Queries and keys are their biases alone, and these agree best at that distance: rotated, their
    product is a sum of cos(frequency x (distance - how far back)).
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
