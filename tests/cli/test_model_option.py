"""``--model`` lets a model read the question; what it may not do is decide a date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inforce.errors import ModelError
from inforce.library import open_library
from inforce.testing import ScriptedModel

REPLY = '{"time_info": [["2022-01-01", "2022-12-31"]], "chapter_info": [], "keywords": ["缓刑"]}'


def test_a_model_reads_a_question_once_and_its_dates_give_way_to_those_written(
    sample_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedModel(REPLY)
    monkeypatch.setattr("inforce.llm.models.completion", {"scripted:one": model}.__getitem__)
    with open_library(sample_home, model="scripted:one") as library:
        answer = library.ask("2010年累犯能否适用缓刑？")
    assert len(model.prompts) == 1
    assert str(answer.time.during[0]) == "2010-01-01 to 2010-12-31"
    assert answer.analysis.analyser == "model"
    assert any("2022" in note for note in answer.analysis.notes)
    assert json.loads(REPLY)["keywords"][0] in answer.analysis.keywords


def test_a_model_that_cannot_be_reached_is_a_model_error(sample_home: Path) -> None:
    pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")
    with (
        open_library(sample_home, model="http://127.0.0.1:9/v1#none") as library,
        pytest.raises(ModelError, match="no answer from the model"),
    ):
        library.search("缓刑")
