"""A local server for every test that wants one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from json_service import JsonService


@pytest.fixture
def service() -> Iterator[JsonService]:
    with JsonService().running() as made:
        yield made
