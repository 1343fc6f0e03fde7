"""Generation in batches: prefill the contexts, then decode token by token with a kv cache.

A token is drawn by a number between 0 and 1 that was fixed beforehand: it falls into the share of
one token. So what a request gets does not depend on which others are generated beside it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer

from inforce.train.embedded.settings import Sampling
from inforce.train.episodes import Completion
from inforce.train.policy import Policy

STRIDE = 8
"""Tokens between two looks at which rows have ended."""

PATIENCE = 8
"""Turns of the event loop without a new request before a batch is generated."""


def next_logprobs(model: PreTrainedModel, hidden: Tensor, *, temperature: float = 1.0) -> Tensor:
    """Log-probabilities of every next token, from last hidden states: (..., vocabulary)."""
    head = cast("nn.Module", model.get_output_embeddings())
    return torch.log_softmax(head(hidden).float() / temperature, dim=-1)


def autocast(device: torch.device) -> torch.autocast:
    """Half precision on a card, full precision elsewhere."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")


class _LayerCache(DynamicLayer):
    """Keys and values of a layer, allocated once: a cache that grows copies itself every token."""

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


class _Rows:
    """Texts the model has read, padded on the left, so that all go on at the same position."""

    hidden: Tensor
    """Of the last token of each row: (B, hidden)."""

    def __init__(self, model: PreTrainedModel, mask: Tensor, *, length: int) -> None:
        layers = cast("Any", model.config).num_hidden_layers
        self._model, self._mask = model, mask
        self._kv_cache = Cache(layers=[_LayerCache(length) for _ in range(layers)])

    @classmethod
    def prefill(
        cls, policy: Policy, contexts: Sequence[tuple[int, ...]], *, new_tokens: int
    ) -> _Rows:
        """Read contexts, equal ones (rollouts of one question) once; ``new_tokens`` may follow."""
        different, device = list(dict.fromkeys(contexts)), policy.model.device
        lengths = torch.tensor([len(one) for one in different])
        longest = int(lengths.max())
        mask = (torch.arange(longest)[None] >= longest - lengths[:, None]).long()
        tokens = torch.full((len(different), longest), policy.tokens.padding)
        tokens[mask.bool()] = torch.tensor([token for one in different for token in one])
        rows = cls(policy.model, mask.to(device), length=longest + new_tokens)
        rows._forward(tokens.to(device), (rows._mask.cumsum(dim=1) - 1).clamp(min=0))
        place = {context: row for row, context in enumerate(different)}
        rows.select(torch.tensor([place[one] for one in contexts], device=device))
        return rows

    def decode(self, tokens: Tensor) -> None:
        """Read one more token of each row: (B,)."""
        positions = self._mask.sum(dim=1, keepdim=True)
        self._mask = torch.cat([self._mask, torch.ones_like(positions)], dim=1)
        self._forward(tokens[:, None], positions)

    def select(self, rows: Tensor) -> None:
        """Go on with these rows only, in this order; one may be named more than once."""
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


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be generated after one context."""

    context: tuple[int, ...]
    draws: tuple[float, ...]
    """Numbers in [0, 1), one for each token that may be generated."""


@torch.inference_mode()
def generate(
    policy: Policy, requests: Sequence[Request], *, temperature: float = 1.0
) -> list[Completion]:
    """What the policy writes after each context, until it ends its turn or may write no more."""
    model, end, device = policy.model, policy.tokens.end, policy.model.device
    limits = torch.tensor([len(one.draws) for one in requests], device=device)
    longest = int(limits.max())
    padded = [[*one.draws, *[0.0] * (longest - len(one.draws))] for one in requests]
    draws = torch.tensor(padded, device=device)
    tokens = torch.full(draws.shape, -1, device=device)
    logprobs = torch.zeros(draws.shape, device=device)
    alive = torch.arange(len(requests), device=device)
    # Nobody may go on beyond its own limit: there, the model can attend no further.
    looks = {*range(STRIDE, longest, STRIDE), *(len(one.draws) for one in requests)}
    with autocast(device):
        rows = _Rows.prefill(policy, [one.context for one in requests], new_tokens=longest)
        for place in range(longest):
            scores = next_logprobs(model, rows.hidden, temperature=temperature)
            drawn = _drawn(scores, draws[alive, place])
            tokens[alive, place] = drawn
            logprobs[alive, place] = scores.gather(1, drawn[:, None])[:, 0]
            if place + 1 in looks:
                ended = (tokens[alive] == end).any(dim=1) | (limits[alive] <= place + 1)
                going = torch.nonzero(~ended)[:, 0]
                if not len(going):
                    break
                if len(going) < len(alive):
                    rows.select(going)
                    alive = alive[going]
            rows.decode(tokens[alive, place])
    completions: list[Completion] = []
    sampled = cast("list[list[int]]", tokens.tolist())
    scores = cast("list[list[float]]", logprobs.tolist())
    for row, of_row, request in zip(sampled, scores, requests, strict=True):
        ended = end in row[: len(request.draws)]
        length = row.index(end) + 1 if ended else len(request.draws)
        completions.append(Completion(tuple(row[:length]), tuple(of_row[:length]), ended))
    return completions


def _drawn(scores: Tensor, draws: Tensor) -> Tensor:
    """The token into whose share of the probability each draw falls."""
    upto = scores.exp().cumsum(dim=1)
    whole = upto[:, -1:].contiguous()
    positions = torch.searchsorted(upto, draws[:, None] * whole, right=True)
    # A draw next to 1 rounds to 1, beyond every share: the last token that has one gets it.
    return torch.minimum(positions, torch.searchsorted(upto, whole))[:, 0]


class Engine:
    """A policy as the `inforce.train.episodes.Sampler` of many episodes.

    Requests are collected while episodes still ask, and generated together once they all wait. What
    one gets depends on the seed, the round, its context, and how many asked with the same context
    before; not on its batch nor on who else asks. So the step alone says how to resume.
    """

    def __init__(self, policy: Policy, sampling: Sampling | None = None) -> None:
        self.sampling = sampling or Sampling()
        self._policy = policy
        self._waiting: list[tuple[Request, asyncio.Future[Completion]]] = []
        self._round: int | str = 0
        self._requested: Counter[bytes] = Counter()
        self._generating: asyncio.Task[None] | None = None

    def start_round(self, name: int | str) -> None:
        """Begin a step or an evaluation: a round of the same name draws the same again."""
        self._round = name
        self._requested.clear()

    async def generate(self, context: Sequence[int], *, max_tokens: int) -> Completion:
        """The next turn after a context, no longer than the model can attend to; maybe nothing."""
        new_tokens = min(max_tokens, self._policy.context - len(context))
        if new_tokens <= 0:
            return Completion((), (), ended=False)
        request = Request(tuple(context), self._draws(context, new_tokens))
        completion = asyncio.get_running_loop().create_future()
        self._waiting.append((request, completion))
        if self._generating is None or self._generating.done():
            self._generating = asyncio.create_task(self._generate_once_all_wait())
        return await completion

    def _draws(self, context: Sequence[int], new_tokens: int) -> tuple[float, ...]:
        name = hashlib.sha256(np.asarray(context, dtype=np.int64).tobytes()).digest()
        before, self._requested[name] = self._requested[name], self._requested[name] + 1
        origin = f"{self.sampling.seed}:{self._round}:{before}:".encode() + name
        seed = int.from_bytes(hashlib.sha256(origin).digest()[:16])
        return tuple(np.random.default_rng(seed).random(new_tokens).tolist())

    async def _generate_once_all_wait(self) -> None:
        while self._waiting:
            count, quiet = len(self._waiting), 0
            while quiet < PATIENCE:
                await asyncio.sleep(0)
                quiet = quiet + 1 if len(self._waiting) == count else 0
                count = len(self._waiting)
            # Who was cancelled is left out. Contexts of about the same length go together: less
            # padding, and the same batches every time.
            waiting = [one for one in self._waiting if not one[1].done()]
            waiting.sort(key=lambda one: (len(one[0].context), one[0].context))
            self._waiting.clear()
            for start in range(0, len(waiting), self.sampling.batch):
                self._answer(waiting[start : start + self.sampling.batch])

    def _answer(self, batch: Sequence[tuple[Request, asyncio.Future[Completion]]]) -> None:
        """Generate a batch; a failure is raised wherever its completions are awaited."""
        requests = [request for request, _ in batch]
        try:
            completions = generate(self._policy, requests, temperature=self.sampling.temperature)
            for (_, future), completion in zip(batch, completions, strict=True):
                future.set_result(completion)
        except Exception as error:
            for _, future in batch:
                future.set_exception(error)
