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
from hypothesis import HealthCheck, given, settings
from live_server import listening

from inforce.library import Library
from inforce.serve import openapi
from inforce.serve.app import create_app
from inforce.serve.settings import ServeSettings

pytestmark = pytest.mark.slow

METHODS = ("get", "post", "delete")
"""What a path may have beside its parameters."""


@pytest.fixture(scope="module")
def address(sample_library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("openapi")
    with listening(create_app(sample_library, ServeSettings(home=home, max_runs=2))) as address:
        yield address


def operations() -> list[tuple[str, str]]:
    found = json.loads(openapi.document())["paths"]
    return [(path, method) for path in found for method in found[path] if method in METHODS]


@pytest.mark.parametrize(("path", "method"), operations())
def test_whatever_is_sent_is_answered_as_the_document_says(
    address: str, path: str, method: str
) -> None:
    import schemathesis  # here, since it takes seconds and every run of the tests reads this file
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    promised = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    operation = schema[path][method.upper()]

    @given(case=operation.as_strategy())
    @settings(
        max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    def check(case: schemathesis.Case) -> None:
        response = case.call(base_url=address)
        if response.status_code == 503:  # as many runs already as may
            assert response.headers["retry-after"]
            return
        case.validate_response(response, checks=promised)

    check()
    assert httpx.get(f"{address}/healthz").status_code == 200
