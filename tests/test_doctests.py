"""Every example in the documentation and in docstrings is run, and shows what it says."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "inforce"
GUIDES = sorted(
    str(path.relative_to(ROOT))
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
    if "```pycon" in path.read_text(encoding="utf-8")
)
MODULES = sorted(
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8") and path.stem != "__main__"
)


@pytest.mark.parametrize("name", GUIDES)
def test_the_python_sessions_of_a_guide_show_what_one_gets(
    name: str, package_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(package_home))
    result = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_show_what_one_gets(
    name: str, package_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(package_home))
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
