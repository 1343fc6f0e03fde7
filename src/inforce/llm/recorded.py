"""Replays what a model said in recorded runs, without a key or a network.

A recording is JSON lines, one a task: ``id``, ``question``, ``completions`` (the model's text at
each step), ``observations`` (what it was answered), ``final`` (its answer, put into form by a
further call) and ``summary`` (its summary of the trajectory, by another). The model keeps no state:
it finds its place in the conversation it is shown, so that many runs can share it and an
interrupted run can go on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from inforce.documents.json_records import json_lines
from inforce.errors import InputError, ModelError
from inforce.llm.chat import GREEDY, Message, Reply, Sampling, Usage

FINAL_REQUEST = "【请给出最终答案】"
"""The line that asks for the answer in its final form; agents put it first into that turn."""

SUMMARY_REQUEST = "【请总结解题过程】"
"""The line that asks for the summary of the trajectory."""

_Text = Annotated[str, msgspec.Meta(max_length=2_000_000)]


class Recording(msgspec.Struct, frozen=True):
    """The replies of a model in one task."""

    question: _Text
    id: int | str = ""
    completions: tuple[_Text, ...] = ()
    observations: tuple[_Text | None, ...] = ()
    """The observation after each step; empty where nothing was recorded."""
    final: _Text | None = None
    summary: _Text | None = None


def read_recordings(path: Path) -> tuple[Recording, ...]:
    """Read the recordings of a file, in order.

    Raises:
        InputError: if the file cannot be read, or a line is no recording.
    """
    recordings: list[Recording] = []
    for number, recording in json_lines(path, Recording, what="a recording of a model"):
        if not recording.question.strip():
            raise InputError("a recording without its question", path=path, line=number)
        recordings.append(recording)
    if not recordings:
        raise InputError("holds no recording", path=path)
    return tuple(recordings)


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """A model that answers from recordings; see `RecordedModel.read`."""

    name: str
    recordings: tuple[Recording, ...]

    @classmethod
    def read(cls, path: Path) -> RecordedModel:
        """Open the model of a file; its name is ``recorded:`` and the file's name.

        Raises:
            InputError: see `read_recordings`.
        """
        return cls(f"recorded:{path.name}", read_recordings(path))

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        """Return what was said at this place of the conversation.

        The recording is the one whose question is in the conversation word for word, the
        longest where there are several. A turn with `FINAL_REQUEST` or `SUMMARY_REQUEST` in it asks
        for those; otherwise as many completions have been said as there are turns of the assistant.
        Where an agent goes on after the last completion (it read an action the recorder had cut
        off), it is given the recorded answer as its ``Final Answer``.

        Raises:
            ModelError: if nothing is recorded for this place.
        """
        recording = self._recording(messages)
        text = _said(recording, messages)
        if text is None:
            raise ModelError(
                f"{self.name} holds no {_place(messages)} for the question "
                f"{_short(recording.question)!r}: it has {len(recording.completions)} completions"
            )
        return Reply(text, Usage(calls=1), cached=True)

    def _recording(self, messages: Sequence[Message]) -> Recording:
        for message in messages:
            if message.role == "user":
                requested = [one for one in self.recordings if one.question in message.content]
                if requested:
                    return max(requested, key=lambda one: len(one.question))
        said = next((one.content for one in messages if one.role == "user"), "")
        raise ModelError(
            f"{self.name} has no recording of what it was asked ({_short(said)!r}); it holds "
            f"{len(self.recordings)} questions, the first {_short(self.recordings[0].question)!r}"
        )


def _said(recording: Recording, messages: Sequence[Message]) -> str | None:
    match _place(messages):
        case "final":
            return recording.final
        case "summary":
            return recording.summary
        case _:
            step = _step(messages)
    if step < len(recording.completions):
        return recording.completions[step]
    if not recording.completions or recording.final is None:
        return None
    answer = {"action": "Final Answer", "action_input": recording.final}
    return f"```json\n{json.dumps(answer, ensure_ascii=False)}\n```"


def _place(messages: Sequence[Message]) -> str:
    """Return what the last turn asks for: ``final``, ``summary``, or a step by its number."""
    requested = [message.content.splitlines() for message in messages if message.role == "user"]
    last = requested[-1] if requested else []
    if SUMMARY_REQUEST in last:
        return "summary"
    if FINAL_REQUEST in last:
        return "final"
    return f"step {_step(messages) + 1}"


def _step(messages: Sequence[Message]) -> int:
    return sum(message.role == "assistant" for message in messages)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
