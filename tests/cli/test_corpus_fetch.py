"""``inforce corpus fetch|update|lookups``: from nothing to a corpus, and what changed since."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import InProcess

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

OLD = "2016年11月7日第十二届全国人民代表大会常务委员会第二十四次会议通过"
NEW = (
    "根据2025年10月28日第十四届全国人民代表大会常务委员会第十八次会议"
    "《关于修改〈中华人民共和国明灯法〉的决定》修正"
)


def commit(source: Path, words: str, *history: str) -> None:
    lines = "\n\n".join(history)
    (source / "a").mkdir(parents=True, exist_ok=True)
    (source / "a" / "README.md").write_text(
        f"# 中华人民共和国明灯法\n\n{lines}\n\n**第一条**　{words}\n\n"
        "**第二条**　本法自2017年6月1日起施行。\n",
        encoding="utf-8",
    )
    who = {f"GIT_{role}_{what}": "nobody@example.org"
           for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}  # fmt: skip
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "laws"]):
        subprocess.run(["git", *arguments], cwd=source, check=True, env={**os.environ, **who})


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source"
    commit(path, "旧。", OLD)
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


FETCH = ("corpus", "fetch", "just-laws", "--no-starter", "--no-index")


def test_one_command_leads_from_nothing_to_a_corpus_with_its_licence(
    inforce: InProcess, home: Path, source: Path
) -> None:
    ran = inforce(*FETCH, "--from", str(source), home=home)
    assert ran.status == 0
    assert "MIT for the collection; the texts are outside copyright" in ran.out
    assert "1 version added (1 new law, 2 articles)" in ran.out
    assert "旧。" in inforce("at", "明灯法", "1", "--on", "2020", home=home).out


def test_an_update_says_which_look_ups_it_concerns(
    inforce: InProcess, home: Path, source: Path
) -> None:
    inforce(*FETCH, "--from", str(source), home=home)
    assert "only you may read" in inforce("corpus", "lookups", "--on", home=home).out
    inforce("at", "明灯法", "1", home=home)
    inforce("at", "明灯法", "2", home=home)
    commit(source, "新。", OLD, NEW)
    ran = inforce("corpus", "update", home=home)
    assert "just-laws: last fetched 2026-11-20" in ran.out
    assert "changed: 中华人民共和国明灯法" in ran.out
    [line] = [line for line in ran.out.splitlines() if line.startswith("you looked up")]
    assert line.startswith("you looked up 中华人民共和国明灯法 1, the law of today, on 2026-11-20:")
    listed = inforce("corpus", "lookups", "--json", home=home).json
    assert listed["recorded"] is True
    assert [one["lookup"]["number"] for one in listed["affected"]] == ["1"]
    assert len(listed["lookups"]) == 2


def test_an_update_without_a_record_says_how_to_have_one(
    inforce: InProcess, home: Path, source: Path
) -> None:
    inforce(*FETCH, "--from", str(source), home=home)
    ran = inforce("corpus", "update", home=home)
    assert "look-ups are not recorded: inforce corpus lookups --on" in ran.out
    assert inforce("corpus", "update", "--json", home=home).json["affected"] == []


def test_nothing_that_was_recorded_stays_when_it_is_no_longer_wanted(
    inforce: InProcess, home: Path, source: Path
) -> None:
    inforce(*FETCH, "--from", str(source), home=home)
    inforce("corpus", "lookups", "--on", home=home)
    inforce("at", "明灯法", "1", home=home)
    assert "not recorded" in inforce("corpus", "lookups", "--off", home=home).out
    assert not list(home.glob("lookups*"))


def test_a_dry_run_adds_nothing(inforce: InProcess, home: Path, source: Path) -> None:
    ran = inforce(*FETCH, "--from", str(source), "--dry-run", home=home)
    assert ran.status == 0
    assert "nothing was fetched" in ran.out
    assert not home.exists()


def test_an_update_before_any_fetch_says_what_to_do(inforce: InProcess, home: Path) -> None:
    ran = inforce("corpus", "update", home=home)
    assert ran.status == 2
    assert "inforce corpus fetch just-laws" in ran.err


def test_an_unknown_source_is_refused_with_the_known_ones(inforce: InProcess, home: Path) -> None:
    ran = inforce("corpus", "fetch", "pkulaw", home=home)
    assert ran.status == 2
    assert "use just-laws, lawrefbook, flk" in ran.err


def test_a_source_out_of_reach_is_an_error_of_its_own(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    ran = inforce(*FETCH, "--from", str(tmp_path / "empty"), "--json", home=home)
    assert ran.status == 11
    assert json.loads(ran.out)["error"] == "feed"
    assert not (home / "corpus.db").exists()


def test_a_password_in_an_address_is_refused_before_anything_is_shown(
    inforce: InProcess, home: Path
) -> None:
    ran = inforce(*FETCH, "--from", "http://someone:word@127.0.0.1:9/x", home=home)
    assert ran.status == 2
    assert "word" not in ran.out.replace("password", "")
    assert "word@" not in ran.err


def test_the_licence_is_said_in_the_language_of_the_person(
    inforce: InProcess, home: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_LANG", "zh")
    ran = inforce(*FETCH, "--from", str(source), home=home)
    assert "许可：" in ran.out
    assert "the national laws in force" not in ran.out


def test_laws_of_the_starter_are_not_called_changed_by_an_update(
    inforce: InProcess, home: Path, source: Path
) -> None:
    inforce(*FETCH, "--from", str(source), home=home)
    (home / "corpus.db").unlink()
    ran = inforce("corpus", "update", home=home)
    assert "the starter corpus" in ran.out
    assert "changed:" not in ran.out
