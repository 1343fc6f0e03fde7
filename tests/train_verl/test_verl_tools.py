"""Our tools in verl's own loop."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest
from verl.tools.tool_registry import initialize_tools_from_config
from verl_world import CONFIGS, closed_after

from inforce.errors import UserError
from inforce.tools.specs import built_in_specs
from inforce.train.verl_plugin.settings import read_world
from inforce.train.verl_plugin.tools import ResearchTool

pytestmark = pytest.mark.filterwarnings("ignore")

UNTOLD: Any = None
"""What verl hands to a tool whose file has no schema."""


@pytest.fixture
def retrieving(starter_world: dict[str, str]) -> ResearchTool:
    config: dict[str, Any] = {"type": "native", "name": "rag_retrieve", "world": starter_world}
    return ResearchTool(config, UNTOLD)


class Conversation:
    """As verl's loop hands it to a tool."""

    messages = ({"role": "user", "content": "问"},)


def declared(path: Path) -> dict[str, dict[str, Any]]:
    """What a model is told of the tools of a file, as verl puts it into the prompt."""
    tools = initialize_tools_from_config(str(path))
    dumped = [one.tool_schema.model_dump(exclude_unset=True, exclude_none=True) for one in tools]
    return {one["function"]["name"]: one["function"] for one in dumped}


def test_the_tools_of_figure_10_are_declared() -> None:
    with as_file(files(CONFIGS) / "tools.yaml") as path:
        told = declared(path)
    assert {name: one["parameters"]["required"] for name, one in told.items()} == {
        "rag_retrieve": ["query"],
        "web_search": ["query"],
        "browse_webpage": ["url_list"],
    }


def test_a_model_is_told_all_that_may_be_asked_of_the_statutes() -> None:
    with as_file(files(CONFIGS) / "tools.yaml") as path:
        told = declared(path)["rag_retrieve"]
    spec = built_in_specs("zh")["rag_retrieve"]
    assert told["description"] == spec.description
    assert told["parameters"]["properties"] == dict(spec.parameters)


def test_a_tool_file_may_say_it_in_other_words(tmp_path: Path) -> None:
    schema = (
        "{type: function, function: {name: rag_retrieve, description: d, "
        "parameters: {type: object, properties: {}, required: []}}}"
    )
    path = tmp_path / "tools.yaml"
    path.write_text(
        "tools:\n- class_name: inforce.train.verl_plugin.tools.ResearchTool\n"
        "  config: {type: native, name: rag_retrieve, world: {today: '2020-01-25'}}\n"
        f"  tool_schema: {schema}\n",
        encoding="utf-8",
    )
    assert declared(path)["rag_retrieve"]["description"] == "d"


async def test_a_tool_answers_from_the_law_of_the_time(retrieving: ResearchTool) -> None:
    asked = {"query": ["2010年 刑法第七十四条"]}
    response, reward, told = await closed_after(
        retrieving.execute("i", asked, agent_data=Conversation())
    )
    assert "累犯" in (response.text or "")
    assert (reward, told) == (0.0, {"status": "found"})


async def test_a_call_a_model_got_wrong_is_explained_to_it(retrieving: ResearchTool) -> None:
    response, _, told = await closed_after(retrieving.execute("i", {"query": 3}))
    assert told == {"status": "invalid"}
    assert "rag_retrieve" in (response.text or "")


def test_the_tools_of_a_conversation_share_what_it_has_seen(retrieving: ResearchTool) -> None:
    world = read_world(retrieving.config["world"])
    one, other = Conversation(), Conversation()
    assert retrieving._context(one, world) is retrieving._context(one, world)
    assert retrieving._context(one, world) is not retrieving._context(other, world)
    assert retrieving._context(one, world).question == "问"


def test_a_tool_nobody_describes_is_a_mistake(starter_world: dict[str, str]) -> None:
    with pytest.raises(UserError, match="needs a tool_schema"):
        ResearchTool({"type": "native", "name": "rag", "world": starter_world}, UNTOLD)
