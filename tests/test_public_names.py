"""What `import inforce` promises: a sorted list of names, each importable, none of them costly."""

from __future__ import annotations

import subprocess
import sys

import pytest

import inforce

HEAVY = ("faiss", "sklearn", "scipy", "torch", "tantivy", "numpy", "rjieba", "pydantic_ai", "httpx")


def test_the_list_of_names_is_sorted_and_complete() -> None:
    assert inforce.__all__ == sorted(inforce.__all__)
    assert set(inforce.__all__) <= set(dir(inforce))


@pytest.mark.parametrize("name", inforce.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(inforce, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error() -> None:
    name = "Nonsense"
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        getattr(inforce, name)


def loaded_by(code: str) -> set[str]:
    """Heavy libraries that running some code has loaded, in a process of its own."""
    script = f"{code}\nimport sys\nprint(*[m for m in {HEAVY!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_inforce_loads_nothing_heavy() -> None:
    assert loaded_by("import inforce; inforce.Timeline; inforce.parse_when") == set()


def test_asking_what_an_article_said_loads_nothing_heavy() -> None:
    code = "import inforce.library, inforce.cli.commands as c; c.app('at')"
    assert loaded_by(code) == set()
