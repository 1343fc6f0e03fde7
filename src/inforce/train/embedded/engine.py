"""Generation in batches: prefill the contexts, then decode token by token with a KV cache.

Each token is drawn by inverse transform sampling, with a number between 0 and 1 that is fixed
beforehand. So what a request gets does not depend on what is generated beside it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer

from inforce.train.embedded.settings import Sampling
from inforce.train.episodes import Completion, Request
from inforce.train.policy import Policy

STRIDE = 8
"""Tokens between two checks of which sequences have ended."""


def next_logprobs(model: PreTrainedModel, hidden: Tensor, *, temperature: float = 1.0) -> Tensor:
    """Return the log-probabilities of every next token, from last hidden states: (..., V)."""
    head = cast("nn.Module", model.get_output_embeddings())
    return torch.log_softmax(head(hidden).float() / temperature, dim=-1)


def autocast(device: torch.device) -> torch.autocast:
    """Compute in half precision on a GPU, in full precision elsewhere."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")


class _LayerCache(DynamicLayer):
    """Keys and values of a layer, allocated once: a growing cache is copied for every token."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self._length, self._used = length, 0

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        if self.keys is None or self.values is None:
            self.lazy_initialization(key_states, value_states)
            self.keys, self.values = (
                one.new_empty((*one.shape[:2], self._length, one.shape[-1]))
                for one in (key_states, value_states)
            )
        start, self._used = self._used, self._used + key_states.shape[-2]
        keys, values = self.keys[:, :, : self._used], self.values[:, :, : self._used]
        keys[:, :, start:], values[:, :, start:] = key_states, value_states
        return keys, values

    def get_seq_length(self) -> int:
        return self._used


class _Sequences:
    """Sequences the model has read, padded on the left so that all go on at the same position."""

    hidden: Tensor
    """Of the last token of each sequence: (B, hidden)."""

    def __init__(self, model: PreTrainedModel, mask: Tensor, *, length: int) -> None:
        layers = cast("Any", model.config).num_hidden_layers
        self._model, self._mask = model, mask
        self._kv_cache = Cache(layers=[_LayerCache(length) for _ in range(layers)])

    @classmethod
    def prefill(
        cls, policy: Policy, contexts: Sequence[tuple[int, ...]], *, new_tokens: int
    ) -> _Sequences:
        """Read contexts, those that are equal (rollouts of one question) only once.

        ``new_tokens``: how many tokens may follow.
        """
        different, device = list(dict.fromkeys(contexts)), policy.model.device
        lengths = torch.tensor([len(one) for one in different])
        longest = int(lengths.max())
        mask = (torch.arange(longest)[None] >= longest - lengths[:, None]).long()
        tokens = torch.full((len(different), longest), policy.tokens.padding)
        tokens[mask.bool()] = torch.tensor([token for one in different for token in one])
        sequences = cls(policy.model, mask.to(device), length=longest + new_tokens)
        positions = (sequences._mask.cumsum(dim=1) - 1).clamp(min=0)
        sequences._forward(tokens.to(device), positions)
        place = {context: row for row, context in enumerate(different)}
        sequences.select(torch.tensor([place[one] for one in contexts], device=device))
        return sequences

    def decode(self, tokens: Tensor) -> None:
        """Read one more token of each sequence: (B,)."""
        positions = self._mask.sum(dim=1, keepdim=True)
        self._mask = torch.cat([self._mask, torch.ones_like(positions)], dim=1)
        self._forward(tokens[:, None], positions)

    def select(self, rows: Tensor) -> None:
        """Go on with these sequences only, in this order; one may be named more than once."""
        self._mask, self.hidden = self._mask[rows], self.hidden[rows]
        self._kv_cache.batch_select_indices(rows)

    def _forward(self, tokens: Tensor, positions: Tensor) -> None:
        output = self._model.base_model(
            input_ids=tokens,
            attention_mask=self._mask,
            position_ids=positions,
            past_key_values=self._kv_cache,
            use_cache=True,
        )
        self.hidden = output.last_hidden_state[:, -1]


@torch.inference_mode()
def generate(
    policy: Policy,
    contexts: Sequence[tuple[int, ...]],
    draws: Sequence[tuple[float, ...]],
    *,
    temperature: float = 1.0,
) -> list[Completion]:
    """Generate after each context until the policy ends its turn, or the draws are used up.

    Args:
        policy: model and tokens.
        contexts: B sequences of tokens.
        draws: for each context numbers in [0, 1), one for each token that may be generated.
        temperature: of the distribution tokens are drawn from.
    """
    model, end, device = policy.model, policy.tokens.end, policy.model.device
    limits = torch.tensor([len(one) for one in draws], device=device)
    longest = int(limits.max())
    padded = torch.tensor([[*one, *[0.0] * (longest - len(one))] for one in draws], device=device)
    tokens = torch.full(padded.shape, -1, device=device)
    logprobs = torch.zeros(padded.shape, device=device)
    active = torch.arange(len(contexts), device=device)
    # At each limit, too: beyond its own a sequence would be longer than the model can attend to.
    checks = {*range(STRIDE, longest, STRIDE), *map(len, draws)}
    with autocast(device):
        sequences = _Sequences.prefill(policy, contexts, new_tokens=longest)
        for place in range(longest):
            scores = next_logprobs(model, sequences.hidden, temperature=temperature)
            drawn = _draw(scores, padded[active, place])
            tokens[active, place] = drawn
            logprobs[active, place] = scores.gather(1, drawn[:, None])[:, 0]
            if place + 1 in checks:
                ended = (tokens[active] == end).any(dim=1) | (limits[active] <= place + 1)
                going = torch.nonzero(~ended)[:, 0]
                if not len(going):
                    break
                if len(going) < len(active):
                    sequences.select(going)
                    active = active[going]
            sequences.decode(tokens[active, place])
    completions: list[Completion] = []
    token_rows = cast("list[list[int]]", tokens.tolist())
    logprob_rows = cast("list[list[float]]", logprobs.tolist())
    for row, row_logprobs, allowed in zip(token_rows, logprob_rows, draws, strict=True):
        ended = end in row[: len(allowed)]
        length = row.index(end) + 1 if ended else len(allowed)
        completions.append(Completion(tuple(row[:length]), tuple(row_logprobs[:length]), ended))
    return completions


def _draw(scores: Tensor, draws: Tensor) -> Tensor:
    """Return the token into whose share of the cumulative probability each draw falls: (B,)."""
    cumulative = scores.exp().cumsum(dim=1)
    total = cumulative[:, -1:].contiguous()
    positions = torch.searchsorted(cumulative, draws[:, None] * total, right=True)
    # A draw next to 1 rounds to 1, beyond every share: the last token that has one gets it.
    return torch.minimum(positions, torch.searchsorted(cumulative, total))[:, 0]


class Engine:
    """A policy as the `inforce.train.episodes.Sampler` of many episodes.

    What a request gets depends on the seed, the round, its context, and how many requests had the
    same context before; not on its batch. So the number of the step is enough to resume.
    """

    def __init__(self, policy: Policy, sampling: Sampling | None = None) -> None:
        self.sampling = sampling or Sampling()
        self._policy = policy
        self._round: int | str = 0
        self._requested: Counter[bytes] = Counter()

    def start_round(self, name: int | str) -> None:
        """Begin a step or an evaluation; a round of the same name draws the same again."""
        self._round = name
        self._requested.clear()

    def generate(self, requests: Sequence[Request]) -> list[Completion]:
        """Generate a turn after each context, no longer than the model can attend to."""
        completions = [Completion((), (), ended=False)] * len(requests)
        draws = [
            self._draws(one.context, min(one.max_tokens, self._policy.context - len(one.context)))
            for one in requests
        ]
        # Contexts of about the same length go together: less padding, and always the same batches.
        order = [place for place in range(len(requests)) if draws[place]]
        order.sort(key=lambda place: (len(requests[place].context), requests[place].context))
        for start in range(0, len(order), self.sampling.batch):
            batch = order[start : start + self.sampling.batch]
            generated = generate(
                self._policy,
                [requests[place].context for place in batch],
                [draws[place] for place in batch],
                temperature=self.sampling.temperature,
            )
            for place, completion in zip(batch, generated, strict=True):
                completions[place] = completion
        return completions

    def _draws(self, context: tuple[int, ...], new_tokens: int) -> tuple[float, ...]:
        """Numbers in [0, 1) for the tokens after a context."""
        if new_tokens <= 0:
            return ()
        key = hashlib.sha256(np.asarray(context, dtype=np.int64).tobytes()).digest()
        before, self._requested[key] = self._requested[key], self._requested[key] + 1
        origin = f"{self.sampling.seed}:{self._round}:{before}:".encode() + key
        seed = int.from_bytes(hashlib.sha256(origin).digest()[:16])
        return tuple(np.random.default_rng(seed).random(new_tokens).tolist())
