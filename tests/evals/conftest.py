"""What needs torch is collected only where torch is, and computes in one thread."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

collect_ignore = (
    [] if find_spec("torch") else ["test_bertscore.py", "judgment/test_neural_predictors.py"]
)


@pytest.fixture(autouse=True)
def one_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """Quicker for what is this small, and the same every time."""
    if request.node.get_closest_marker("torch") is None:
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
