"""The server of the Model Context Protocol, for stdio and for HTTP.

Everything is read-only and stateless, so that any process may answer. The guard of HTTP is in front
of ``/mcp`` as of every other address.
"""

from __future__ import annotations

import json
import logging
from functools import partial
from typing import Any, Final

import mcp_types as types
import msgspec
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.exceptions import HTTPException

import inforce
from inforce.errors import IdentifierError, InforceError
from inforce.law import ids
from inforce.library import Library
from inforce.serve import operations
from inforce.serve.mcp.prompts import PROMPTS
from inforce.serve.mcp.results import SCHEME
from inforce.serve.mcp.tools import TOOLS, Tool, input_schema, output_schema
from inforce.serve.operations import ArticleAt, OneArticle
from inforce.serve.problems import detail_of
from inforce.serve.service import Service, ThreadPool
from inforce.wire import as_wire

log = logging.getLogger("inforce.serve")

_JSON: Final = "application/json"
_CACHE_MS: Final = 3_600_000
"""For which a client may cache the list of tools."""

_INSTRUCTIONS: Final = """\
Chinese law as it stood at any date, verbatim, with its days in force. The days of the facts \
decide which version governs: pass them as `as_of` or `on`; a day, a month, a year or a range. \
Every look-up has one of four answers: found, not_in_force, not_found, not_covered. not_covered \
means that this corpus cannot know, never that there is no such law. Quote only what a tool \
returned."""

_Context = ServerRequestContext[Any]

_TEMPLATES: Final = (
    types.ResourceTemplate(
        name="provision_at_date",
        title="A provision on a day",
        uri_template=f"{SCHEME}/akn/cn/act/{{law}}/zho:{{on}}/~art_{{number}}",
        description="What an article said on a day: law is a title, on is YYYY-MM-DD, number is "
        "74 or 133-1.",
        mime_type=_JSON,
    ),
    types.ResourceTemplate(
        name="provision",
        title="Every wording of a provision",
        uri_template=f"{SCHEME}/akn/cn/act/{{law}}/~art_{{number}}",
        description="Every wording an article ever had, with its days.",
        mime_type=_JSON,
    ),
)
_MOST_COMPLETIONS: Final = 20


class _Handlers:
    """The handlers of the protocol's requests."""

    def __init__(self, service: Service) -> None:
        self._library = service.library
        self._run = service.run
        self._tools = {tool.name: tool for tool in TOOLS}
        self._prompts = {prompt.name: prompt for prompt in PROMPTS}

    async def tools(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=list(map(_described, TOOLS)), ttl_ms=_CACHE_MS, cache_scope="public"
        )

    async def call(self, _: _Context, call: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tools.get(call.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {call.name}")
        try:
            query = msgspec.convert(call.arguments or {}, tool.operation.parameters)
            return _tool_result(await self._run(lambda: tool.call(self._library, query)))
        except msgspec.ValidationError as error:
            return _tool_error(str(error))
        except InforceError as error:
            return _tool_error(detail_of(error))
        except HTTPException as error:  # too many at once, or too slow
            return _tool_error(error.detail)
        except Exception:
            log.exception("a tool failed")
            return _tool_error(
                "a defect of the server; whoever runs it finds the reason in its log"
            )

    async def resources(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """None are listed: there are hundreds of thousands of provisions; see the templates."""
        return types.ListResourcesResult(resources=[], ttl_ms=_CACHE_MS, cache_scope="public")

    async def templates(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=list(_TEMPLATES), ttl_ms=_CACHE_MS, cache_scope="public"
        )

    async def read(
        self, _: _Context, request: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        try:
            text = await self._run(partial(_read_resource, self._library, request.uri))
        except InforceError as error:
            data = {"uri": request.uri}
            raise MCPError(types.INVALID_PARAMS, detail_of(error), data) from error
        except HTTPException as error:
            raise MCPError(types.INTERNAL_ERROR, error.detail) from error
        found = types.TextResourceContents(uri=request.uri, mime_type=_JSON, text=text)
        return types.ReadResourceResult(contents=[found], ttl_ms=0, cache_scope="private")

    async def prompts(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        described = [
            types.Prompt(
                name=prompt.name,
                title=prompt.title,
                description=prompt.description,
                arguments=[
                    types.PromptArgument(
                        name=one.name, description=one.description, required=one.required
                    )
                    for one in prompt.arguments
                ],
            )
            for prompt in PROMPTS
        ]
        return types.ListPromptsResult(prompts=described, ttl_ms=_CACHE_MS, cache_scope="public")

    async def prompt(
        self, _: _Context, request: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        prompt = self._prompts.get(request.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {request.name}")
        try:
            text = prompt.text(request.arguments or {})
        except InforceError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def complete(
        self, _: _Context, request: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """Titles of laws that contain the typed text."""
        found: list[str] = []
        if request.argument.name == "law":
            titles = await self._run(self._library.corpus.titles)
            found = sorted(title for title in titles if request.argument.value in title)
        shown = found[:_MOST_COMPLETIONS]
        return types.CompleteResult(
            completion=types.Completion(
                values=shown, total=len(found), has_more=len(found) > len(shown)
            )
        )


def create_server(service: Service) -> Server[Any]:
    """The server of a library."""
    handlers = _Handlers(service)
    return Server(
        "inforce",
        version=inforce.__version__,
        title="inforce: Chinese law at a date",
        instructions=_INSTRUCTIONS,
        on_list_tools=handlers.tools,
        on_call_tool=handlers.call,
        on_list_resources=handlers.resources,
        on_list_resource_templates=handlers.templates,
        on_read_resource=handlers.read,
        on_list_prompts=handlers.prompts,
        on_get_prompt=handlers.prompt,
        on_completion=handlers.complete,
    )


async def serve_stdio(library: Library) -> None:
    """Answer one client on standard input and output until it disconnects."""
    pool = ThreadPool(threads=2, waiting=64, seconds=120)
    server = create_server(Service(library, pool))
    try:
        async with stdio_server() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())
    finally:
        pool.close()


def over_http(service: Service, max_body: int) -> StreamableHTTPSessionManager:
    """The same for HTTP: requests are handed to it while its ``run`` is open."""
    return StreamableHTTPSessionManager(
        create_server(service),
        json_response=True,
        stateless=True,
        max_request_body_size=max_body,
    )


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=input_schema(tool),
        output_schema=output_schema(tool),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def _tool_result(result: msgspec.Struct) -> types.CallToolResult:
    value = msgspec.to_builtins(result)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=value)


def _tool_error(message: str) -> types.CallToolResult:
    """An error a model can act on."""
    return types.CallToolResult(content=[types.TextContent(text=message)], is_error=True)


def _read_resource(library: Library, uri: str) -> str:
    """A provision on a day, or all its wordings: the whole result of HTTP, as JSON.

    Raises:
        IdentifierError: if the address is of something else.
    """
    found = ids.parse(uri.removeprefix(SCHEME))
    if not uri.startswith(SCHEME) or not isinstance(found, ids.ProvisionId):
        raise IdentifierError(uri, f"not a provision (try {_TEMPLATES[0].uri_template})")
    number = found.portion.number.short
    if isinstance(found.of, ids.WorkId):
        result = operations.history(library, OneArticle(found.of.title, number))
    else:
        day = found.of.day.isoformat()
        result = operations.at(library, ArticleAt(found.of.work.title, number, day))
    return msgspec.json.encode(as_wire(result)).decode()
