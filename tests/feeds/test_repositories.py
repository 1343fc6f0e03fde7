"""Repositories of laws: fetched in steps, brought up to date, read with what they hold."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from inforce import network
from inforce.documents.files import raise_problem
from inforce.errors import FeedError, InputError, NetworkForbiddenError, UserError
from inforce.feeds import repository
from inforce.feeds.catalogue import FEEDS, Choice, FeedName
from inforce.feeds.fetching import FeedFolder, fetched_before
from inforce.law.model import VersionText
from law_repositories import bundle_of, commit_files, new_repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

TODAY = date(2026, 11, 20)
OLD = "2016年11月7日第十二届全国人民代表大会常务委员会第二十四次会议通过"
NEW = (
    "根据2025年10月28日第十四届全国人民代表大会常务委员会第十八次会议"
    "《关于修改〈中华人民共和国明灯法〉的决定》修正"
)

Commit = Callable[[str, Mapping[str, str]], None]


def law(title: str, words: str, *history: str) -> str:
    lines = "\n\n".join(history)
    return (
        f"# 中华人民共和国{title}\n\n{lines}\n\n## 第一章　总则\n\n**第一条**　{words}\n\n"
        "**第二条**　本法自2017年6月1日起施行。\n"
    )


def markdown(title: str, words: str, day: str) -> str:
    return (
        f"# {title}\n\n{day} 第十三届全国人民代表大会第二次会议通过\n\n<!-- INFO END -->\n\n"
        f"第一条 {words}\n\n第二条 本法自2019年10月1日起施行。\n"
    )


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "source")


@pytest.fixture
def commit(source: Path) -> Commit:
    return partial(commit_files, source)


def folder(home: Path, source: Path | str, name: FeedName, *only: str) -> FeedFolder:
    return FeedFolder(home, Choice(FEEDS[name], str(source), only))


def fetched(folder: FeedFolder) -> tuple[list[VersionText], list[InputError]]:
    folder.fetch(today=TODAY, progress=lambda _: None)
    problems: list[InputError] = []
    return list(folder.texts(on_problem=problems.append)), problems


def test_all_commits_are_fetched_in_steps_and_every_text_is_read(
    tmp_path: Path, source: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "STEP", 2)
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    for day in range(1, 7):
        commit(f"2023-01-0{day}", {f"notes/{day}.txt": "nothing of law"})
    commit("2026-01-20", {"docs/a/README.md": law("明灯法", "新。", OLD, NEW)})
    steps: list[int] = []
    here = folder(tmp_path, source, "just-laws")
    here.fetch(today=TODAY, progress=steps.append)
    assert len(steps) > 3
    texts = list(here.texts(on_problem=raise_problem))
    assert [(one.provisions[0].text, one.version.source.name) for one in texts] == [
        ("旧。", "ImCa0/just-laws"),
        ("新。", "ImCa0/just-laws"),
    ]


def test_what_was_committed_since_is_fetched_by_the_next_fetch(
    tmp_path: Path, source: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    assert len(fetched(folder(tmp_path, source, "just-laws"))[0]) == 1
    commit("2026-01-20", {"docs/a/README.md": law("明灯法", "新。", OLD, NEW)})
    assert len(fetched(folder(tmp_path, source, "just-laws"))[0]) == 2


def test_a_bundle_is_a_source_too(tmp_path: Path, source: Path, commit: Commit) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    bundle = bundle_of(source, tmp_path / "laws.bundle", branch="HEAD")
    texts, _ = fetched(folder(tmp_path, bundle, "just-laws"))
    assert [one.version.work for one in texts] == ["中华人民共和国明灯法"]


def test_of_lawrefbook_the_newest_state_is_read_current_on_the_day_of_its_commit(
    tmp_path: Path, source: Path, commit: Commit
) -> None:
    commit(
        "2024-01-01", {"法律/明灯法(2019-03-15).md": markdown("明灯法", "旧。", "2019年3月15日")}
    )
    commit(
        "2025-04-05", {"法律/灯塔法(2019-03-15).md": markdown("灯塔法", "甲。", "2019年3月15日")}
    )
    commit("2025-04-06", {"README.md": "# 说明\n\n这里没有法律。\n"})
    texts, problems = fetched(folder(tmp_path, source, "lawrefbook"))
    assert problems == []
    assert sorted((one.version.work, one.version.source.as_of) for one in texts) == [
        ("明灯法", date(2025, 4, 6)),
        ("灯塔法", date(2025, 4, 6)),
    ]


def test_one_law_is_taken_by_its_short_name_and_one_that_is_not_there_is_named(
    tmp_path: Path, source: Path, commit: Commit
) -> None:
    files = {f"docs/{one}/README.md": law(f"{one}法", "甲。", OLD) for one in ("明灯", "灯塔")}
    commit("2022-03-01", files)
    texts, problems = fetched(folder(tmp_path, source, "just-laws", "灯塔法", "火星法"))
    assert [one.version.work for one in texts] == ["中华人民共和国灯塔法"]
    assert [str(one) for one in problems] == ["火星法: no law of this title there"]


def test_a_source_in_another_form_is_an_error(tmp_path: Path, source: Path, commit: Commit) -> None:
    commit("2025-04-05", {f"{n}.md": "第一条 没有标题。\n" for n in range(3)})
    with pytest.raises(FeedError, match="3 files cannot be read as laws and 0 texts can"):
        fetched(folder(tmp_path, source, "lawrefbook"))


def test_a_plan_says_what_is_held_and_what_is_there(
    tmp_path: Path, source: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    here = folder(tmp_path, source, "just-laws")
    assert here.plan().held == "nothing"
    here.fetch(today=TODAY, progress=lambda _: None)
    plan = here.plan()
    assert plan.held.startswith("commit ")
    assert plan.held.endswith(" of 2022-03-01")
    assert plan.there in plan.held


def test_what_was_fetched_is_known_for_the_next_update(
    tmp_path: Path, source: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    here = folder(tmp_path, source, "just-laws", "明灯法")
    here.fetch(today=TODAY, progress=lambda _: None)
    [last] = fetched_before(tmp_path)
    assert last == (here.choice, "2026-11-20")


@pytest.mark.parametrize("address", ["ssh://example.org/x", "ext::sh -c id", "no/such/folder"])
def test_only_web_addresses_and_what_is_on_this_machine_are_asked(
    tmp_path: Path, address: str
) -> None:
    with pytest.raises(UserError, match="is no http"):
        folder(tmp_path, address, "just-laws").fetch(today=TODAY, progress=lambda _: None)


def test_without_a_network_nothing_is_asked(tmp_path: Path) -> None:
    with network.restrict("off"), pytest.raises(NetworkForbiddenError, match=r"github\.com"):
        folder(tmp_path, FEEDS["just-laws"].address, "just-laws").plan()


def test_what_is_no_repository_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(FeedError, match="git could not read it"):
        folder(tmp_path, tmp_path / "empty", "just-laws").fetch(
            today=TODAY, progress=lambda _: None
        )


@pytest.mark.parametrize("name", [b"refs/heads/ma in", b"--upload-pack=", b"refs/heads/a:b"])
def test_a_branch_that_git_would_not_name_so_is_none(
    tmp_path: Path, source: Path, commit: Commit, name: bytes
) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    bundle = bundle_of(source, tmp_path / "laws.bundle")
    bundle.write_bytes(bundle.read_bytes().replace(b"refs/heads/main", name, 1))
    with pytest.raises(FeedError, match="without commits"):
        folder(tmp_path, bundle, "just-laws").fetch(today=TODAY, progress=lambda _: None)


@pytest.mark.parametrize("name", ["just-laws", "lawrefbook"])
def test_a_commit_of_no_day_is_an_error_of_the_source(
    tmp_path: Path, source: Path, commit: Commit, name: FeedName
) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    git_dir = source / ".git" / "refs" / "heads" / "main"
    old = subprocess.run(
        ["git", "cat-file", "commit", "main"], cwd=source, check=True, capture_output=True
    ).stdout
    new = re.sub(rb"(committer .*> )\d+", rb"\g<1>99999999999999", old)
    made = ["git", "hash-object", "--literally", "-t", "commit", "-w", "--stdin"]
    done = subprocess.run(made, cwd=source, check=True, input=new, capture_output=True)
    git_dir.write_bytes(done.stdout)
    with pytest.raises(FeedError, match="no day that can be read"):
        fetched(folder(tmp_path, source, name))


def test_a_folder_that_lost_a_file_adds_nothing_silently(
    tmp_path: Path, source: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"a.md": markdown("明灯条例", "旧。", "2019年4月23日")})
    commit("2022-04-01", {"b.md": markdown("暗灯条例", "旧。", "2019年4月23日")})
    here = folder(tmp_path, source, "lawrefbook")
    here.fetch(today=TODAY, progress=lambda _: None)
    bare = here.folder / "repository.git"
    for pack in (bare / "objects" / "pack").glob("pack-*.pack"):
        moved = shutil.move(pack, tmp_path / pack.name)
        with Path(moved).open("rb") as file:
            unpack = ["git", "unpack-objects", "-q"]
            subprocess.run(unpack, stdin=file, check=True, env={**os.environ, "GIT_DIR": str(bare)})
    blob = subprocess.run(
        ["git", "rev-parse", "main:b.md"], cwd=source, check=True, capture_output=True, text=True
    ).stdout.strip()
    (bare / "objects" / blob[:2] / blob[2:]).unlink()
    problems: list[InputError] = []
    texts = list(here.texts(on_problem=problems.append))
    assert [one.version.work for one in texts] == ["明灯条例"]
    assert [one.path for one in problems] == ["b.md"]


@pytest.mark.parametrize(
    "address", ["https://someone:word@example.org/x.git", "https://example.org/x.git?key=word"]
)
def test_an_address_with_a_password_is_neither_stored_nor_shown(
    tmp_path: Path, address: str
) -> None:
    with pytest.raises(UserError) as refused:
        folder(tmp_path, address, "just-laws")
    assert "word@" not in str(refused.value)
    assert "key=word" not in str(refused.value)
    assert not [*tmp_path.rglob("state.json")]


def test_a_law_fetched_alone_does_not_narrow_what_is_kept_up_to_date(
    tmp_path: Path, source: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    for only, kept in (
        (("明灯法",), ("明灯法",)),
        (("灯塔法",), ("明灯法", "灯塔法")),
        ((), ()),
        (("明灯法",), ()),
    ):
        folder(tmp_path, source, "just-laws", *only).fetch(today=TODAY, progress=lambda _: None)
        [(choice, _)] = fetched_before(tmp_path)
        assert choice.only == kept


def test_a_source_that_does_not_answer_takes_no_place_of_one_that_did(
    tmp_path: Path, source: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    folder(tmp_path, source, "just-laws").fetch(today=TODAY, progress=lambda _: None)
    (tmp_path / "empty").mkdir()
    with pytest.raises(FeedError):
        folder(tmp_path, tmp_path / "empty", "just-laws").fetch(
            today=TODAY, progress=lambda _: None
        )
    [last] = fetched_before(tmp_path)
    assert (last.choice.address, last.finished) == (str(source), "2026-11-20")


def test_a_damaged_note_of_a_fetch_says_what_to_do_and_is_written_anew(
    tmp_path: Path, source: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("明灯法", "旧。", OLD)})
    here = folder(tmp_path, source, "just-laws")
    here.fetch(today=TODAY, progress=lambda _: None)
    (here.folder / "state.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="inforce corpus fetch just-laws"):
        list(fetched_before(tmp_path))
    here.fetch(today=TODAY, progress=lambda _: None)
    assert [choice for choice, _ in fetched_before(tmp_path)] == [here.choice]


def test_an_empty_title_is_refused(tmp_path: Path, source: Path) -> None:
    with pytest.raises(UserError, match="title of a law"):
        folder(tmp_path, source, "just-laws", " ")
