"""The layout is the map: an import may only point up the list in design/layout.md."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "inforce"
BESIDE = ("tests", "benchmarks", "recipes", "examples")

ORDER = (
    "errors",
    "network",
    "files",
    "dates",
    "language",
    "law",
    "documents",
    "corpus",
    "store",
    "retrieval",
    "lawbook",
    "answering",
    "verification",
    "llm",
    "web",
    "feeds",
    "tools",
    "agents",
    "library",
    "scoring",
    "evals",
    "train",
    "wire",
    "serve",
    "cli",
    "testing",
)
"""Top to bottom; `inforce.__init__` only names what lives below and is left out."""

MODULES = sorted(SOURCE.rglob("*.py"))


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """Packages of inforce a module imports when it is loaded or used, not only for its types."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("inforce."):
            yield (node.module or "").split(".")[1], node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module == "inforce":
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("inforce."):
                    yield alias.name.split(".")[1], node.lineno


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def loaded_with(path: Path, modules: Collection[str]) -> set[str]:
    """Modules of inforce that a module imports while it is itself being imported.

    With a module come the packages it is in, unless the importing module is in them too.
    """

    def imports(nodes: Iterable[ast.stmt]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    yield whole if whole in modules else node.module or ""
            elif isinstance(node, ast.If) and ast.unparse(node.test) != "TYPE_CHECKING":
                yield from imports((*node.body, *node.orelse))
            elif isinstance(node, ast.Try):
                yield from imports((*node.body, *node.orelse, *node.finalbody))

    named = set(imports(ast.parse(path.read_text(encoding="utf-8")).body)) & set(modules)
    packages = {
        ".".join(one.split(".")[:end]) for one in named for end in range(1, one.count(".") + 1)
    }
    own = module_name(path)
    return named | {one for one in packages if not f"{own}.".startswith(f"{one}.")}


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Names and lengths of functions with their signatures, their docstrings left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            documented = (
                (first.end_lineno or 0) - first.lineno + 1 if ast.get_docstring(node) else 0
            )
            length = (node.end_lineno or node.lineno) - node.lineno + 1 - documented
            yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", length


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_an_import_points_only_up_the_layout(path: Path) -> None:
    package = package_of(path)
    if package == "__init__":
        return
    below = set(ORDER[ORDER.index(package) + 1 :])
    wrong = [(name, line) for name, line in imported(path) if name in below]
    assert wrong == []


def test_no_module_is_imported_in_a_circle() -> None:
    names = {module_name(path): path for path in MODULES}
    graph = {name: loaded_with(path, names) for name, path in names.items()}
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        circle: list[str] = error.args[1]
        pytest.fail(" -> ".join(circle))


EXTRAS = {
    "omegaconf",
    "ray",
    "tokenizers",
    "torch",
    "transfer_queue",
    "transformers",
    "trl",
    "verl",
}

ALONE = """
import importlib, os, sys

for library in ("httpx", "msgspec", "numpy", "typer", "lxml.etree", "pydantic_ai", "inspect_ai"):
    importlib.import_module(library)
assert not any(name.startswith("inforce") for name in sys.modules)
for module in sys.argv[1:]:
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        print(module, error.name, flush=True)
    except BaseException as error:
        print(module, repr(error), flush=True)
    os._exit(0)
"""
"""Imports each module in a process where nothing of inforce is loaded yet."""


def failing_alone(modules: Iterable[str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", ALONE, *modules], capture_output=True, text=True, check=True
    )
    return [line for line in done.stdout.splitlines() if line.split()[-1] not in EXTRAS]


@pytest.mark.slow
def test_each_module_can_be_imported_first() -> None:
    assert failing_alone(map(module_name, MODULES)) == []


NOTES = [*sorted((ROOT / "design").glob("*.md")), ROOT / "CONTRIBUTING.md"]
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+/?|\w+\.py")
DOTTED = re.compile(r"inforce(?:\.\w+)+")


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.name)
def test_every_file_and_module_a_design_note_names_exists(note: Path) -> None:
    files = [path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*")]
    modules = set(map(module_name, MODULES))

    def exists(name: str) -> bool:
        if DOTTED.fullmatch(name):
            return name in modules or name.rpartition(".")[0] in modules
        held = name.rstrip("/")
        if (ROOT / held).exists() or (note.parent / held).exists():
            return True
        return any(f"/{file}".endswith((f"/{held}", f"/{held}.py")) for file in files)

    quoted = re.findall(r"`([^`\n]+)`|\]\(([^)#:]+)\)", note.read_text(encoding="utf-8"))
    named = {word for code, link in quoted for word in (code or link).split()}
    named = {one for one in named if PATH.fullmatch(one) or DOTTED.fullmatch(one)}
    named = {one for one in named if not one.startswith("../")}  # beside the checkout, if at all
    assert {one for one in named if not exists(one) and not one.isupper()} - NO_FILES == set()


NO_FILES = {"inforce/NAME", "inforce/ID"}
"""Names of tasks and models, which look like paths."""


def test_the_layout_is_described_package_by_package() -> None:
    layout = (ROOT / "design" / "layout.md").read_text(encoding="utf-8")
    assert [one for one in re.findall(r"^\| `(\w+)` \|", layout, re.M) if one in ORDER] == [*ORDER]


def test_every_package_is_on_the_list() -> None:
    assert {package_of(path) for path in MODULES} - {"__init__"} <= set(ORDER)


def test_functions_stay_small() -> None:
    lengths = {name: length for path in MODULES for name, length in functions(path)}
    assert median(lengths.values()) <= 10
    assert {name: length for name, length in lengths.items() if length > 60} == {}


def test_modules_stay_readable_in_one_sitting() -> None:
    everything = (path for folder in ("src", *BESIDE) for path in (ROOT / folder).rglob("*.py"))
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in everything}
    assert {str(path): length for path, length in lengths.items() if length > 500} == {}


def test_no_type_is_ignored() -> None:
    code = (path for folder in ("src", *BESIDE[1:]) for path in (ROOT / folder).rglob("*.py"))
    assert [str(path) for path in code if "type: ignore" in path.read_text(encoding="utf-8")] == []


def test_what_the_first_environment_cannot_type_is_typed_in_another() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    left = [ROOT / one for one in settings["tool"]["pyright"]["ignore"]]
    typed = [
        (config.parent / one).resolve()
        for config in ROOT.glob("tests/*/pyrightconfig.json")
        for one in json.loads(config.read_text(encoding="utf-8"))["include"]
    ]
    assert [str(one) for one in left if not any(map(one.is_relative_to, typed))] == []


def test_every_public_name_says_what_it_is() -> None:
    silent: list[str] = []
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if not ast.get_docstring(tree):
            silent.append(f"{path.relative_to(SOURCE)}: module")
        for node in ast.walk(tree):
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                continue
            if not ast.get_docstring(node):
                silent.append(f"{path.name}: class {node.name}")
    assert silent == []
