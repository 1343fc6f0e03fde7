"""``inforce eval``: agents put to a benchmark; the last line is one JSON object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import InProcess, Ran

DATA = "legalagentbench"
RECORDING = "recorded_react_glm-4_actions.jsonl"


def evaluated(inforce: InProcess, folder: Path, *more: str) -> Ran:
    arguments = ("eval", "legalagentbench", "--data", str(folder), "--world", str(folder))
    return inforce(*arguments, *more)


def report(ran: Ran) -> dict[str, Any]:
    assert ran.status == 0, ran
    return json.loads(ran.out.splitlines()[-1])


@pytest.mark.data
@pytest.mark.slow
def test_the_recorded_run_is_replayed_observation_for_observation(
    inforce: InProcess, shared_data: Path, tmp_path: Path
) -> None:
    folder = shared_data / DATA
    recording = f"recorded:{folder / RECORDING}"
    more = ("--agent", "react", "--model", recording, "--output", str(tmp_path / "out"), "--json")
    ran = evaluated(inforce, folder, *more)
    said = report(ran)
    assert len(ran.out.splitlines()) == 1
    assert (said["n"], said["agent"], said["model"]) == (150, "react", f"recorded:{RECORDING}")
    assert said["success"] == pytest.approx(0.5762, abs=0.0001)
    assert said["process"] == pytest.approx(0.6230, abs=0.0001)
    low, high, n = said["intervals"]["success"]
    assert low < 0.5762 < high and n == 150
    assert said["observation_match"] >= 0.99
    assert said["format_match"] >= 0.97
    assert {name: of["n"] for name, of in said["groups"].items()} == {
        "1-hop": 40,
        "2-hop": 41,
        "3-hop": 29,
        "4-hop": 20,
        "5-hop": 10,
        "writing": 10,
    }


@pytest.mark.data
def test_a_limit_takes_the_first_tasks_and_a_folder_keeps_what_was_done(
    inforce: InProcess, shared_data: Path, tmp_path: Path
) -> None:
    folder, out = shared_data / DATA, tmp_path / "out"
    more = ("--model", f"recorded:{folder / RECORDING}", "--limit", "3", "--output", str(out))
    first = evaluated(inforce, folder, *more)
    assert "ReAct · GLM-4-Plus" in first.out
    assert report(first)["n"] == 3
    traces = {path.name: path.read_bytes() for path in (out / "traces").iterdir()}
    assert sorted(traces) == ["1.jsonl", "3.jsonl", "5.jsonl"]
    assert report(evaluated(inforce, folder, *more))["success"] == 1.0
    assert {path.name: path.read_bytes() for path in (out / "traces").iterdir()} == traces


@pytest.mark.data
def test_the_oracle_asks_no_model(inforce: InProcess, shared_data: Path, tmp_path: Path) -> None:
    more = ("--agent", "oracle", "--limit", "5", "--output", str(tmp_path / "out"), "--json")
    said = report(evaluated(inforce, shared_data / DATA, *more))
    assert (said["n"], said["usage"]["calls"], said["success"]) == (5, 0, 1.0)
    assert "observation_match" not in said


@pytest.mark.data
def test_a_recording_of_one_agent_is_not_put_to_another(
    inforce: InProcess, shared_data: Path
) -> None:
    recording = f"recorded:{shared_data / DATA / RECORDING}"
    ran = evaluated(inforce, shared_data / DATA, "--agent", "plan-solve", "--model", recording)
    assert ran.status == 2 and "conversations of --agent react" in ran.err


@pytest.mark.data
def test_an_agent_that_needs_a_model_says_which_there_are(
    inforce: InProcess, shared_data: Path
) -> None:
    ran = evaluated(inforce, shared_data / DATA, "--agent", "plan-solve", "--limit", "1")
    assert ran.status == 8 and "recorded:FILE" in ran.err


def test_a_data_set_a_world_or_a_recording_that_is_not_there_is_named(
    inforce: InProcess, tmp_path: Path
) -> None:
    ran = evaluated(inforce, tmp_path, "--agent", "oracle")
    assert ran.status == 6 and "dataset.json" in ran.err
    task = {"id": 1, "question": "问", "answer": "答", "key": ["答"]}
    (tmp_path / "dataset.json").write_text(json.dumps([task]), encoding="utf-8")
    ran = evaluated(inforce, tmp_path, "--model", "recorded:none.jsonl")
    assert ran.status == 6 and "none.jsonl" in ran.err
    line = {"question": "问", "completions": ["一"]}
    (tmp_path / "r.jsonl").write_text(json.dumps(line), encoding="utf-8")
    ran = evaluated(inforce, tmp_path, "--model", f"recorded:{tmp_path / 'r.jsonl'}")
    assert ran.status == 6 and str(tmp_path) in ran.err


def test_r1_recites_through_its_whole_protocol_and_leaves_its_traces(
    inforce: InProcess, tmp_path: Path
) -> None:
    question = "请背诵2010年6月正在施行的《中华人民共和国刑法》第七十四条。"
    item = {"id": "a", "type": "lar", "question": question, "answer": "对于累犯，不适用缓刑。"}
    data = tmp_path / "lar.jsonl"
    data.write_text(json.dumps(item), encoding="utf-8")
    arguments = ("eval", "lar", "--data", str(data), "--agent", "r1", "--json")
    said = report(inforce(*arguments, "--output", str(tmp_path / "out")))
    assert (said["rouge_l_text"], said["outcomes"]) == (1.0, {"answered": 1})
    trace = (tmp_path / "out" / "traces" / "a.jsonl").read_text(encoding="utf-8")
    assert '"event":"replied"' in trace
