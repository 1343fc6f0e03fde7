"""The OpenAPI 3.1 document of the server, made from its operations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from inspect import getdoc
from typing import Any

import msgspec

import inforce
from inforce.agents.runtime.trace_view import Step
from inforce.serve.operations import OPERATIONS, Operation, Parameters
from inforce.serve.problems import PROBLEM_TYPE, Problem
from inforce.serve.runs import Research, RunState
from inforce.serve.schemas import Schema, reference, schema_of

_ANSWERS = {
    "200": "found: the provision, with its days in force.",
    "404": "not_found: no version of this law has such a provision.",
    "409": "not_covered: this corpus cannot know; the law, or the days, are not held.",
    "410": "not_in_force: the law had no such provision on those days.",
}
_PROBLEMS = {
    "400": "The request cannot be read; `kind` and `detail` say why.",
    "401": "A token is needed.",
    "413": "The request is too large.",
    "429": "Too many requests; see `Retry-After`.",
    "503": "Too much is asked at once; see `Retry-After`.",
}


_UPLOAD: Schema = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "contentMediaType": "application/octet-stream"},
        "on": {"type": "string", "maxLength": 60},
        "trial": {"type": "string", "maxLength": 60},
    },
    "required": ["file"],
}


@cache
def document() -> bytes:
    """The document, as JSON."""
    components: dict[str, Schema] = {}
    problem = _struct(Problem, components)
    paths: dict[str, dict[str, Schema]] = {}
    for operation in OPERATIONS:
        described = _operation(operation, components, problem)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    paths.update(_research_paths(components, problem))
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "inforce",
                "version": inforce.__version__,
                "description": "Legal research under the law in force at the time of the facts.",
                "license": {"name": "MIT", "identifier": "MIT"},
            },
            "servers": [{"url": "/"}],
            "security": [{}, {"token": []}],
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        }
    )


def _operation(operation: Operation, components: dict[str, Schema], problem: Schema) -> Schema:
    result = schema_of(operation.result, components)
    answers = _ANSWERS if operation.answer else {"200": "The result."}
    responses = {status: _response(text, result) for status, text in answers.items()}
    refused = {**_PROBLEMS, "409": "not_covered: no such law is held."}
    for status, text in refused.items():
        if status in responses:
            responses[status]["content"][PROBLEM_TYPE] = {"schema": problem}
        else:
            responses[status] = _response(text, problem, media=PROBLEM_TYPE)
    return {
        "operationId": operation.name,
        "summary": getdoc(operation.call) or operation.name,
        **_request(operation, components),
        "responses": dict(sorted(responses.items())),
    }


def _request(operation: Operation, components: dict[str, Schema]) -> Schema:
    if operation.method == "POST":
        upload = _UPLOAD if operation.takes_document else None
        return _body(operation.parameters, components, upload)
    in_path = set(re.findall(r"{(\w+)}", operation.path))
    return {"parameters": _parameters(operation.parameters, in_path)}


def _body(
    kind: type[Parameters], components: dict[str, Schema], upload: Schema | None = None
) -> Schema:
    content = {"application/json": {"schema": _struct(kind, components)}}
    if upload:
        content["multipart/form-data"] = {"schema": upload}
    return {"requestBody": {"required": True, "content": content}}


def _parameters(kind: type[Parameters], in_path: set[str]) -> Sequence[Schema]:
    described = msgspec.json.schema(kind)["$defs"][kind.__name__]
    required = set(described.get("required", ()))
    return [
        {
            "name": name,
            "in": "path" if name in in_path else "query",
            "required": name in required,
            "schema": schema,
        }
        for name, schema in described["properties"].items()
    ]


def _struct(kind: type[msgspec.Struct], components: dict[str, Schema]) -> Schema:
    _, found = msgspec.json.schema_components((kind,), ref_template="#/components/schemas/{name}")
    components.update(found)
    return reference(kind.__name__)


def _response(text: str, schema: Schema, *, media: str = "application/json") -> Schema:
    return {"description": text, "content": {media: {"schema": schema}}}


def _research_paths(components: dict[str, Schema], problem: Schema) -> dict[str, Schema]:
    """The paths of runs of research, which are not operations of the library."""
    state = schema_of(RunState, components)
    schema_of(Step, components)
    events = {
        "description": "Server-sent events: `step` with a Step, then `end` with the RunState. "
        "Each step has its number as id; `Last-Event-ID` goes on after it.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
    missing = {"404": _response("There is no such run.", problem, media=PROBLEM_TYPE)}
    run = {"200": _response("The run.", state), **missing}
    runs = _response("The runs.", {"type": "array", "items": state})
    refused = {
        status: _response(text, problem, media=PROBLEM_TYPE) for status, text in _PROBLEMS.items()
    }

    def operation(name: str, summary: str, responses: Mapping[str, Any], **more: Any) -> Schema:
        responses = {**responses, **refused}
        return {"operationId": name, "summary": summary, **more, "responses": responses}

    start = operation(
        "research",
        "Start a run of an agent; its steps follow as events where those are accepted.",
        {"202": _response("The run has begun.", state), "200": events},
        **_body(Research, components),
    )
    resume = operation(
        "resume", "Go on with a run that was stopped, failed or spent its budget.", run
    )
    watch = operation(
        "events",
        "The steps of a run; one that was interrupted goes on.",
        {"200": events, **missing},
    )
    id_ = {
        "parameters": [
            {"name": "run", "in": "path", "required": True, "schema": {"type": "string"}}
        ]
    }
    return {
        "/v1/research": {"post": start},
        "/v1/runs": {
            "get": operation("runs", "The runs of this caller, the newest first.", {"200": runs})
        },
        "/v1/runs/{run}": {
            **id_,
            "get": operation("run", "A run.", run),
            "delete": operation("stop", "Stop a run.", run),
        },
        "/v1/runs/{run}/resume": {**id_, "post": resume},
        "/v1/runs/{run}/events": {**id_, "get": watch},
    }
