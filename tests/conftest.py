"""What every test may lean on: the shared research data where it is present, and a fixed clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the checkout; tests that need it skip where it is absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the shared research data is not beside this checkout")
    return SHARED_DATA


@pytest.fixture
def clock() -> Callable[[], date]:
    """A clock that always says 25 January 2020."""
    return lambda: date(2020, 1, 25)
