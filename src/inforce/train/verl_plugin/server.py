"""verl's generation servers as the policy of an episode."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol

from inforce.errors import ModelError, UserError
from inforce.train.episodes import Completion, Request


class Server(Protocol):
    """The method we use of verl's client for its servers."""

    async def generate(
        self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any]
    ) -> Any:
        """Generate tokens after a prompt; returns verl's ``TokenOutput``."""
        ...


class ServerSampler:
    """A policy behind verl's servers, for one episode.

    Args:
        server: verl's client.
        sampling: verl's parameters: temperature, ``top_p``, whether with log-probabilities.
        end: the token that ends a turn.
        episode: its id; its turns go to the same server, which caches their common prefix.
        longest_prompt: most tokens of a prompt.
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
        """Spent on generation."""
        self.versions: list[int] = []
        """Versions of the weights, turn by turn, where the server reports them."""
        self._server = server
        self._sampling = {**sampling, "stop_token_ids": [end]}
        self._end = end
        self._episode = episode
        self._longest_prompt = longest_prompt
        self._has_begun = False

    async def next_turn(self, request: Request) -> Completion:
        """Generate the next turn after a context.

        Raises:
            UserError: if the prompt is longer than the configuration allows.
            ModelError: if the server gave up.
        """
        if not self._has_begun and len(request.context) > self._longest_prompt:
            raise UserError(
                f"the instructions and the question have {len(request.context)} tokens, more than "
                f"data.max_prompt_length={self._longest_prompt}: raise it"
            )
        self._has_begun = True
        began = time.monotonic()
        output = await self._server.generate(
            self._episode,
            prompt_ids=list(request.context),
            sampling_params={**self._sampling, "max_tokens": request.max_tokens},
        )
        self.seconds += time.monotonic() - began
        tokens = tuple(map(int, output.token_ids))[: request.max_tokens]
        if not tokens or output.stop_reason == "aborted":
            raise ModelError("the server stopped in the middle of an episode: it is not counted")
        versions = (output.extra_fields.get(f"{end}_global_steps") for end in ("min", "max"))
        self.versions += [int(one) for one in versions if one is not None]
        logprobs = tuple(map(float, output.log_probs or ()))[: request.max_tokens]
        return Completion(tokens, logprobs, ended=tokens[-1] == self._end)
