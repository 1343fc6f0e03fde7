"""A server over the starter corpus, shared by the tests that only read from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from live_server import client_of

from inforce.library import Library
from inforce.serve.settings import ServeSettings


@pytest.fixture(scope="session")
def server(sample_library: Library, sample_home: Path) -> Iterator[httpx.Client]:
    """A client of a server without accounts; today is 20 November 2026."""
    with client_of(sample_library, ServeSettings(home=sample_home)) as client:
        yield client
