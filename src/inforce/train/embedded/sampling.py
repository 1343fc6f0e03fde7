"""The policy as a sampler: requests of episodes that run side by side are written in batches."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from transformers import PreTrainedModel

from inforce.train.embedded.decoding import Marks, Wanted, write_all
from inforce.train.embedded.model import context_of
from inforce.train.embedded.replay import Replay
from inforce.train.embedded.settings import Sampling
from inforce.train.embedded.tokenizer import ChatMl
from inforce.train.policy import Written


@dataclass(frozen=True, slots=True)
class _Request:
    wanted: Wanted
    answer: asyncio.Future[Written]


class BatchedSampler:
    """A policy that writes for many episodes at once; implements `inforce.train.policy.Sampler`.

    Requests are collected while episodes still ask, and written together once they all wait.

    What a request gets depends on the seed, the step, its context, and how many asked with the same
    context before it; not on what it is batched with, nor on the order in which others arrive. So
    nothing but the step has to be remembered to go on after an interruption.
    """

    def __init__(
        self, model: PreTrainedModel, tokens: ChatMl, sampling: Sampling | None = None
    ) -> None:
        self._model = model
        self._marks = Marks(end=tokens.end, padding=tokens.padding)
        self._sampling = sampling or Sampling()
        self._replay = Replay(model) if self._sampling.stepping == "graph" else None
        self._waiting: list[_Request] = []
        self._round: int | str = 0
        self._asked: Counter[bytes] = Counter()
        self._writing: asyncio.Task[None] | None = None

    @property
    def temperature(self) -> float:
        """At which it draws."""
        return self._sampling.temperature

    def begin(self, name: int | str) -> None:
        """Begin a round (a step, an evaluation): the same one draws the same again."""
        self._round = name
        self._asked.clear()

    async def write(self, context: Sequence[int], *, max_tokens: int) -> Written:
        """The next turn after a context, no longer than the model can look at; maybe nothing."""
        room = min(max_tokens, context_of(self._model) - len(context))
        if room <= 0:
            return Written((), (), ended=False)
        wanted = Wanted(tuple(context), self._draws(context, room))
        request = _Request(wanted, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_once_all_wait())
        return await request.answer

    def _draws(self, context: Sequence[int], room: int) -> tuple[float, ...]:
        name = hashlib.sha256(np.asarray(context, dtype=np.int64).tobytes()).digest()
        before, self._asked[name] = self._asked[name], self._asked[name] + 1
        origin = f"{self._sampling.seed}:{self._round}:{before}:".encode() + name
        seed = int.from_bytes(hashlib.sha256(origin).digest()[:16])
        return tuple(np.random.default_rng(seed).random(room).tolist())

    async def _write_once_all_wait(self) -> None:
        while self._waiting:
            await self._settled()
            # Who gave up is not written for, were it only after an interruption.
            requests = [one for one in self._waiting if not one.answer.done()]
            self._waiting.clear()
            for batch in _batches(requests, self._sampling.batch):
                self._answer(batch)

    async def _settled(self) -> None:
        """Wait until nobody has asked for some turns of the event loop."""
        count, quiet = len(self._waiting), 0
        while quiet < self._sampling.patience:
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self._waiting) == count else 0
            count = len(self._waiting)

    def _answer(self, batch: Sequence[_Request]) -> None:
        try:
            wanted = [one.wanted for one in batch]
            written = write_all(
                self._model,
                wanted,
                self._marks,
                temperature=self.temperature,
                replay=self._replay,
            )
        except Exception as error:
            for one in batch:
                if not one.answer.done():
                    one.answer.set_exception(error)
            return
        for one, answer in zip(batch, written, strict=True):
            if not one.answer.done():  # the episode may have been cancelled
                one.answer.set_result(answer)


def _batches(requests: Sequence[_Request], size: int) -> Iterator[list[_Request]]:
    """Requests of about the same length together: less padding, and the same every time."""
    by_length = sorted(requests, key=lambda one: (len(one.wanted.context), one.wanted.context))
    for start in range(0, len(by_length), size):
        yield by_length[start : start + size]
