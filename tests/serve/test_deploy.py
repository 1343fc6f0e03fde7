"""What `deploy/` promises: nobody is root, nothing is written outside the data folder."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from inforce.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def test_the_container_runs_as_nobody_in_particular_and_says_whether_it_lives() -> None:
    lines = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").splitlines()
    last_stage = lines[max(n for n, line in enumerate(lines) if line.startswith("FROM")) :]
    [user] = [line for line in last_stage if line.startswith("USER")]
    assert re.fullmatch(r"USER [1-9]\d*:[1-9]\d*", user)
    assert any(line.startswith("HEALTHCHECK") and "CMD" in line for line in last_stage)
    assert "/healthz" in "\n".join(last_stage)


def test_what_the_container_installs_exists() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    [named] = re.findall(r"'\.\[([\w,]+)\]'", text)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(named.split(",")) <= project["project"]["optional-dependencies"].keys()
    for copied in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for source in copied.split():
            assert (ROOT / source).exists(), source


def test_the_containers_write_nowhere_but_to_their_data() -> None:
    compose: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    server = compose["services"]["inforce"]
    assert server["read_only"] is True
    assert server["cap_drop"] == ["ALL"]
    assert server["ports"] == ["127.0.0.1:8642:8642"]
    assert {volume.partition(":")[0] for volume in server["volumes"]} <= compose["volumes"].keys()
    assert server["environment"]["INFORCE_INDEX"].startswith("milvus:http://milvus:")


def test_every_command_line_is_one_of_inforce() -> None:
    for name in ("Dockerfile", "compose.yaml", "inforce.service"):
        text = (DEPLOY / name).read_text(encoding="utf-8")
        for command in re.findall(r"inforce(?:/bin/inforce)? (serve|corpus|mcp)\b", text):
            assert command in COMMANDS
    unit = (DEPLOY / "inforce.service").read_text(encoding="utf-8")
    assert "--auth token" in unit
    assert "ProtectSystem=strict" in unit


@pytest.mark.slow
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze")
    unit = tmp_path / "inforce.service"
    text = (DEPLOY / "inforce.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/inforce/bin/inforce", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
