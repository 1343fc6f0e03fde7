"""A recorded model finds its place in the conversation, and says so where nothing is recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.errors import InputError, ModelError
from inforce.llm.chat import Message
from inforce.llm.recorded import FINAL_REQUEST, SUMMARY_REQUEST, RecordedModel, read_recordings

SHORT = {"id": 1, "question": "谁是法人代表？", "completions": ["一", "二"], "final": "甲"}
LONG = {
    "id": 2,
    "question": "请问谁是法人代表？谢谢",
    "completions": ["三"],
    "observations": ["看到", None],
    "final": "乙",
    "summary": "先查后答",
}


def recording(folder: Path, *lines: Any) -> Path:
    path = folder / "glm.jsonl"
    told = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join([*told, ""]), encoding="utf-8")
    return path


@pytest.fixture
def model(tmp_path: Path) -> RecordedModel:
    return RecordedModel.read(recording(tmp_path, SHORT, LONG))


def turns(*contents: str) -> list[Message]:
    """A conversation that begins with the user and alternates."""
    return [
        Message("assistant" if place % 2 else "user", content)
        for place, content in enumerate(contents)
    ]


async def said(model: RecordedModel, *contents: str) -> str:
    return (await model.reply(turns(*contents))).text


def test_its_name_is_that_of_the_file_without_its_folder(model: RecordedModel) -> None:
    assert model.name == "recorded:glm.jsonl"


async def test_the_step_is_the_number_of_turns_the_assistant_has_had(model: RecordedModel) -> None:
    assert await said(model, "问题：谁是法人代表？") == "一"
    assert await said(model, "问题：谁是法人代表？", "一", "观察") == "二"


async def test_the_longest_question_in_the_conversation_is_meant(model: RecordedModel) -> None:
    assert await said(model, "问题：请问谁是法人代表？谢谢") == "三"


async def test_the_question_of_the_first_turn_counts_not_one_in_an_observation(
    model: RecordedModel,
) -> None:
    assert await said(model, "谁是法人代表？", "一", "请问谁是法人代表？谢谢") == "二"


async def test_final_and_summary_are_given_when_they_are_asked_for_wherever_the_run_stopped(
    model: RecordedModel,
) -> None:
    asked = ("请问谁是法人代表？谢谢", "三", f"观察\n\n{FINAL_REQUEST}\n请回答")
    assert await said(model, *asked) == "乙"
    assert await said(model, *asked, "乙", f"{SUMMARY_REQUEST}\n请总结") == "先查后答"


async def test_a_run_that_goes_on_after_the_recording_is_given_the_recorded_answer(
    model: RecordedModel,
) -> None:
    text = await said(model, "谁是法人代表？", "一", "观察", "二", "观察")
    block = json.loads(text.removeprefix("```json").removesuffix("```"))
    assert block == {"action": "Final Answer", "action_input": "甲"}


async def test_what_is_not_recorded_is_an_error_that_says_what_the_file_holds(
    model: RecordedModel,
) -> None:
    with pytest.raises(ModelError, match="no summary for the question '谁是法人代表？'"):
        await said(model, "谁是法人代表？", "一", SUMMARY_REQUEST)
    with pytest.raises(ModelError, match="'几点了？'.*holds 2 questions"):
        await said(model, "几点了？")
    with pytest.raises(ModelError, match="no recording"):
        await model.reply([])


async def test_an_empty_reply_that_was_recorded_is_given_as_it_was(tmp_path: Path) -> None:
    silent = RecordedModel.read(
        recording(tmp_path, {"question": "问", "completions": [""], "final": ""})
    )
    assert await said(silent, "问") == ""
    assert await said(silent, "问", "", FINAL_REQUEST) == ""


async def test_a_recorded_reply_costs_nothing_and_says_so(model: RecordedModel) -> None:
    reply = await model.reply(turns("谁是法人代表？"))
    assert (reply.cached, reply.usage.tokens, reply.usage.calls) == (True, 0, 1)


@pytest.mark.parametrize(
    ("lines", "why", "line"),
    [
        (("{",), "not a recording of a model", 1),
        ((SHORT, '{"id": 3}'), "question", 2),
        ((SHORT, {**LONG, "completions": "三"}), "completions", 2),
        (({**SHORT, "question": " "},), "without its question", 1),
        (("[" * 100_000,), "not a recording", 1),
        (("",), "holds no recording", None),
    ],
)
def test_a_file_that_is_no_recording_is_named_with_its_line(
    tmp_path: Path, lines: tuple[Any, ...], why: str, line: int | None
) -> None:
    with pytest.raises(InputError, match=why) as caught:
        read_recordings(recording(tmp_path, *lines))
    assert caught.value.line == line


def test_a_file_that_is_not_there_or_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_recordings(tmp_path / "none.jsonl")
    monkeypatch.setattr("inforce.documents.json_records.MAX_BYTES", 10)
    with pytest.raises(InputError, match="split it"):
        read_recordings(recording(tmp_path, SHORT))


@given(st.binary(max_size=200))
def test_no_file_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    path = tmp_path_factory.mktemp("junk") / "r.jsonl"
    path.write_bytes(junk)
    with pytest.raises(InputError):
        read_recordings(path)


@pytest.mark.data
async def test_every_given_recording_is_found_by_its_question(shared_data: Path) -> None:
    path = shared_data / "legalagentbench" / "recorded_react_glm-4_actions.jsonl"
    model = RecordedModel.read(path)
    assert len(model.recordings) == 150
    for one in model.recordings:
        assert await said(model, f"问题：{one.question}") == one.completions[0]
