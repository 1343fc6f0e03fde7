"""What a user installs: the wheel, whose types a type checker reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

PROGRAM = """
import asyncio

import inforce


def wording(library: inforce.Library) -> str:
    try:
        found: inforce.ProvisionAt = library.at("刑法", "74", on="2010-06-01")
    except (inforce.DateError, inforce.UnknownWorkError) as error:
        return str(error)
    return "".join(span.provision.text for span in found.lookup.found if span.provision)


async def steps(library: inforce.Library) -> inforce.ResearchAnswer | None:
    last: inforce.Step | None = None
    async for step in library.aresearch_steps("2010年累犯能否适用缓刑？", agent="r1", max_calls=9):
        last = step
    return last.answer if last else None


with inforce.open_library() as library:
    history: inforce.History = library.history("刑法", "74")
    difference: inforce.ProvisionDiff = library.diff("刑法", "74", earlier="2010", later="2012")
    hits: tuple[inforce.Hit, ...] = library.search("缓刑").hits
    answer: inforce.Answer = library.ask("2010年累犯能否适用缓刑？")
    quoted: list[inforce.Quotation] = list(answer.quotations)
    missing: tuple[str, ...] = answer.coverage.not_held
    researched = asyncio.run(steps(library))
    print(wording(library), researched.outcome if researched else "")
"""


def run(*command: str, folder: Path) -> str:
    environment = {**os.environ, "INFORCE_HOME": str(folder / "home"), "PYTHONPATH": ""}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment of its own, in which the wheel is installed."""
    pytest.importorskip("hatchling", reason="wheels are built with the development lock")
    folder = tmp_path_factory.mktemp("user")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    build = ("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    run(*pip, *build, folder=folder)
    [wheel] = folder.glob("inforce-*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", str(folder / "venv"), folder=folder)
    [libraries] = folder.glob("venv/lib/*/site-packages")
    run(*pip, "install", "--no-deps", "--target", str(libraries), str(wheel), folder=folder)
    (libraries / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    return folder


def test_what_only_a_checkout_trains_on_is_not_in_the_wheel() -> None:
    train = ROOT / "src" / "inforce" / "train"
    files = (path for path in train.rglob("*") if path.is_file() and path.suffix != ".pyc")
    assert {path.suffix for path in files} == {".py", ".yaml"}


@pytest.mark.slow
def test_a_program_that_uses_the_wheel_runs(installed: Path) -> None:
    python = str(installed / "venv" / "bin" / "python")
    where = run(python, "-c", "import inforce; print(inforce.__file__)", folder=installed)
    assert where.startswith(str(installed))
    assert run(python, "program.py", folder=installed).strip() == "对于累犯，不适用缓刑。 answered"


@pytest.mark.slow
def test_a_program_that_uses_the_wheel_passes_strict_type_checks(installed: Path) -> None:
    strict = {"typeCheckingMode": "strict", "venvPath": ".", "venv": "venv", "include": ["*.py"]}
    (installed / "pyrightconfig.json").write_text(json.dumps(strict), encoding="utf-8")
    run(sys.executable, "-m", "pyright", "--project", str(installed), folder=installed)
