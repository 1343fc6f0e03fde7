"""What the OpenAPI document promises holds for whatever is sent: no 5xx, only what it names."""

# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeArgument=false
# pyright: reportArgumentType=false
# (the types of schemathesis are partly its own business)

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from live_server import listening
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from inforce.library import Library
from inforce.serve import openapi
from inforce.serve.app import create_app
from inforce.serve.settings import ServeSettings

pytestmark = pytest.mark.slow

METHODS = ("get", "post", "delete")
"""What a path may have beside its parameters."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def address(sample_library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("openapi")
    with listening(create_app(sample_library, ServeSettings(home=home, max_runs=2))) as address:
        yield address


def operations() -> list[tuple[str, str]]:
    found = schemathesis.openapi.from_dict(json.loads(openapi.document()))
    return [(path, method) for path in found for method in found[path] if method in METHODS]


@pytest.mark.parametrize(("path", "method"), operations())
def test_whatever_is_sent_is_answered_as_the_document_says(
    address: str, path: str, method: str
) -> None:
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    operation = schema[path][method.upper()]

    @given(case=operation.as_strategy())
    @settings(
        max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    def check(case: Case) -> None:
        response = case.call(base_url=address)
        if response.status_code == 503:  # as many runs already as may
            assert response.headers["retry-after"]
            return
        case.validate_response(response, checks=CHECKS)

    check()
    assert httpx.get(f"{address}/healthz").status_code == 200
