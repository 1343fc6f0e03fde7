"""verl's generation servers as the policy of an episode."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from inforce.errors import ModelError, UserError
from inforce.train.episodes import Completion


class Server(Protocol):
    """What verl's client for its servers is asked."""

    async def generate(
        self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any]
    ) -> Any:
        """The tokens after a prompt, as verl's ``TokenOutput``."""
        ...


class ServerSampler:
    """A policy behind verl's servers, for one episode.

    Args:
        server: verl's client.
        sampling: how verl wants tokens drawn: temperature, ``top_p``, whether with
            log-probabilities.
        end: the token that ends a turn.
        episode: its name; its turns go to the same server, which remembers their beginning.
        longest_prompt: tokens the prompt may have.
    """

    def __init__(
        self,
        server: Server,
        sampling: Mapping[str, Any],
        *,
        end: int,
        episode: str,
        longest_prompt: int,
    ) -> None:
        self.seconds = 0.0
        """Spent on writing."""
        self.versions: list[int] = []
        """Of the policy's weights, turn by turn, where the server tells."""
        self._server = server
        self._sampling = {**sampling, "stop_token_ids": [end]}
        self._end = end
        self._episode = episode
        self._longest_prompt = longest_prompt
        self._begun = False

    async def generate(self, context: Sequence[int], *, max_tokens: int) -> Completion:
        """The next turn after a context.

        Raises:
            UserError: if the prompt is longer than verl was told.
            ModelError: if the server gave up.
        """
        self._check(context)
        began = time.monotonic()
        output = await self._server.generate(
            self._episode,
            prompt_ids=list(context),
            sampling_params={**self._sampling, "max_tokens": max_tokens},
        )
        self.seconds += time.monotonic() - began
        return self._written(output, max_tokens)

    def _check(self, context: Sequence[int]) -> None:
        if not self._begun and len(context) > self._longest_prompt:
            raise UserError(
                f"the instructions and the question have {len(context)} tokens, more than "
                f"data.max_prompt_length={self._longest_prompt}: raise it"
            )
        self._begun = True

    def _written(self, output: Any, max_tokens: int) -> Completion:
        tokens = tuple(map(int, output.token_ids))[:max_tokens]
        if not tokens or output.stop_reason == "aborted":
            raise ModelError("the server stopped in the middle of an episode: it is not counted")
        self._note_versions(output.extra_fields)
        logprobs = tuple(map(float, output.log_probs or ()))[:max_tokens]
        return Completion(tokens, logprobs, ended=tokens[-1] == self._end)

    def _note_versions(self, fields: Mapping[str, Any]) -> None:
        named = (fields.get("min_global_steps"), fields.get("max_global_steps"))
        self.versions += [int(one) for one in named if one is not None]
