"""verl's servers as the policy of an episode."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from inforce.errors import ModelError, UserError
from inforce.train.episodes import Completion, Request
from inforce.train.verl_plugin.server import ServerSampler

END = 9


@dataclass(frozen=True)
class Output:
    """As verl's servers answer."""

    token_ids: list[int]
    log_probs: list[float] | None = None
    stop_reason: str | None = "completed"
    extra_fields: dict[str, Any] = field(default_factory=dict[str, Any])


class FakeServer:
    def __init__(self, *outputs: Output) -> None:
        self.outputs = list(outputs)
        self.asked: list[dict[str, Any]] = []

    async def generate(
        self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any]
    ) -> Output:
        self.asked.append(
            {"id": request_id, "prompt": prompt_ids, "sampling": dict(sampling_params)}
        )
        sampling_params.clear()  # as vLLM's does, which takes out what it has read
        return self.outputs.pop(0)


def sampler(server: FakeServer, *, longest_prompt: int = 10) -> ServerSampler:
    sampling = {"temperature": 1.0, "logprobs": True}
    return ServerSampler(server, sampling, end=END, episode="e", longest_prompt=longest_prompt)


def write(policy: ServerSampler, context: Sequence[int], *, max_tokens: int = 5) -> Completion:
    return asyncio.run(policy.next_turn(Request(tuple(context), max_tokens)))


def test_a_turn_that_ends_with_the_end_has_ended() -> None:
    server = FakeServer(Output([4, END], [-0.5, -0.25]), Output([4, 5], [-0.5, -0.25]))
    policy = sampler(server)
    assert write(policy, [1]) == Completion((4, END), (-0.5, -0.25), ended=True)
    assert write(policy, [1, 4]) == Completion((4, 5), (-0.5, -0.25), ended=False)


def test_a_server_is_asked_to_stop_where_a_turn_ends_and_where_there_is_no_more_room() -> None:
    server = FakeServer(Output([END]), Output([END]))
    policy = sampler(server)
    write(policy, (1, 2), max_tokens=3)
    write(policy, (1, 2, END, 3), max_tokens=2)
    wanted = {"temperature": 1.0, "logprobs": True, "stop_token_ids": [END]}
    assert server.asked == [
        {"id": "e", "prompt": [1, 2], "sampling": {**wanted, "max_tokens": 3}},
        {"id": "e", "prompt": [1, 2, END, 3], "sampling": {**wanted, "max_tokens": 2}},
    ]


def test_a_server_that_writes_too_much_is_cut_off() -> None:
    policy = sampler(FakeServer(Output([4, 5, END], [-1.0, -2.0, -3.0])))
    assert write(policy, [1], max_tokens=2) == Completion((4, 5), (-1.0, -2.0), ended=False)


def test_a_server_may_keep_log_probabilities_to_itself() -> None:
    assert write(sampler(FakeServer(Output([END]))), [1]).logprobs == ()


@pytest.mark.parametrize("output", [Output([]), Output([4], stop_reason="aborted")])
def test_a_server_that_gives_up_ends_the_episode(output: Output) -> None:
    with pytest.raises(ModelError, match="not counted"):
        write(sampler(FakeServer(output)), [1])


def test_only_the_prompt_must_fit_into_the_room_for_prompts() -> None:
    policy = sampler(FakeServer(Output([END]), Output([END])), longest_prompt=2)
    write(policy, [1, 2])
    assert write(policy, [1, 2, END, 3]).ended
    with pytest.raises(UserError, match="max_prompt_length=2"):
        write(sampler(FakeServer(), longest_prompt=2), [1, 2, 3])


def test_the_weights_that_wrote_are_remembered() -> None:
    told = [{"min_global_steps": 3, "max_global_steps": 4}, {}, {"max_global_steps": 5}]
    policy = sampler(FakeServer(*(Output([END], extra_fields=one) for one in told)))
    for _ in told:
        write(policy, [1])
    assert policy.versions == [3, 4, 5]
