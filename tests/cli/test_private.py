"""What commands store is its owner's alone under any umask; keys and passwords are nowhere."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")


def inforce(
    *arguments: str, folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command with a umask that lets everybody read."""
    code = "import os, sys; os.umask(0o022); from inforce.cli import main; main(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env={**os.environ, "INFORCE_HOME": str(folder / "home"), **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )


def open_to_others(folder: Path) -> list[str]:
    return [
        f"{stat.S_IMODE(path.lstat().st_mode):o} {path}"
        for path in (folder, *folder.rglob("*"))
        if not path.is_symlink() and path.lstat().st_mode & 0o077
    ]


@pytest.mark.slow
def test_home_index_and_trace_are_private_and_a_page_is_as_the_umask_says(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "lease.md").write_text("# 租赁合同\n\n## 押金\n\n押金两个月。", "utf-8")
    asked = ["ask", "2010年累犯能否适用缓刑？", "--agent", "r1", "--trace", "runs/t.jsonl"]
    ran = inforce(*asked, "--documents", "own", "--sources", "statutes,documents", folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    page = ["trace", "show", "runs/t.jsonl", "--html", "page.html"]
    assert inforce(*page, folder=tmp_path).returncode == 0
    assert open_to_others(tmp_path / "home") == []
    assert open_to_others(tmp_path / "runs") == []
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o644


@pytest.mark.slow
@pytest.mark.data
def test_what_an_evaluation_leaves_is_private_inspect_ais_own_files_too(
    tmp_path: Path, shared_data: Path
) -> None:
    folders = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    ordered = ["eval", "lar", "--data", str(shared_data / "legalsearch_r1"), "--agent", "r1"]
    ran = inforce(*ordered, "--limit", "1", "--output", "run", folder=tmp_path, environment=folders)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "data" / "inspect_ai").is_dir()
    for folder in ("run", "data", "home"):
        assert open_to_others(tmp_path / folder) == []


def test_links_out_of_a_folder_are_not_followed_and_nothing_of_them_is_shown(
    tmp_path: Path,
) -> None:
    laws, outside = tmp_path / "laws", tmp_path / "outside"
    laws.mkdir()
    outside.mkdir()
    secret = "第一条 密码是白鹤亮翅。"
    (outside / "secret.txt").write_text(f"保密法\n\n{secret}\n\n第二条 施行。", "utf-8")
    (outside / "diary.txt").write_text("白鹤亮翅日记", "utf-8")
    (laws / "secret.txt").symlink_to(outside / "secret.txt")
    (laws / "folder").symlink_to(outside)
    (laws / "chain").symlink_to(laws / "secret.txt")
    (laws / "diary.txt").write_text("白鹤亮翅日记", "utf-8")
    (laws / "half.jsonl").write_text('{"白鹤亮翅": ', "utf-8")
    ran = inforce("corpus", "add", "laws", folder=tmp_path)
    assert "link out of the folder" in ran.stderr
    assert "0 versions added" in ran.stdout
    assert "白鹤亮翅" not in ran.stdout + ran.stderr


@pytest.mark.slow
def test_a_password_in_the_address_of_an_encoder_is_neither_shown_nor_stored(
    tmp_path: Path,
) -> None:
    address = "http://user:hunter2@127.0.0.1:9/v1#m"
    for arguments in (["search", "累犯"], ["corpus", "index", "--rebuild", "--encoder", address]):
        ran = inforce(*arguments, folder=tmp_path)
        assert "hunter2" not in ran.stdout + ran.stderr
    assert ran.returncode == 2 and "INFORCE_EMBEDDINGS_KEY" in ran.stderr
    stored = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert stored and not any(b"hunter2" in path.read_bytes() for path in stored)
