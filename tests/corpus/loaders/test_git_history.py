"""A repository is a timeline: texts are dated by their own history, commits say how far known."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from inforce.corpus.loaders import git, load
from inforce.corpus.loaders.law_folder import is_law_folder, parse_law_folder
from inforce.corpus.store import Corpus
from inforce.errors import InputError
from inforce.law.model import Source, Validity, VersionText
from inforce.law.numerals import ProvisionNumber
from law_repositories import bundle_of, commit_files, new_repository, run_git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

Commit = Callable[[str, Mapping[str, str | None]], None]

OLD_HISTORY = "2016年11月7日第十二届全国人民代表大会常务委员会第二十四次会议通过"
NEW_HISTORY = (
    "根据2025年10月28日第十四届全国人民代表大会常务委员会第十八次会议"
    "《关于修改〈中华人民共和国示例法〉的决定》修正"
)


def law(words: str, *history: str, clause: str = "本法自2017年6月1日起施行。") -> str:
    lines = "\n\n".join(history)
    return f"""---
sidebar: auto
---

# 中华人民共和国示例法

{lines}

## 第一章　总则

**第一条**　{words}

**第二条**　第二条的内容。

## 第二章　附则

**第三条**　{clause}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "laws")


@pytest.fixture
def commit(repository: Path) -> Commit:
    return partial(commit_files, repository)


def loaded(path: Path) -> tuple[list[VersionText], list[InputError]]:
    problems: list[InputError] = []
    return list(load(path, on_problem=problems.append)), problems


def test_every_text_is_dated_by_itself_and_known_as_far_as_the_repository_showed_it(
    repository: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"docs/a/README.md": law("旧。", OLD_HISTORY)})
    commit("2024-05-01", {"docs/b/README.md": law("别。", OLD_HISTORY).replace("示例", "别的")})
    commit("2026-01-20", {"docs/a/README.md": law("新。", OLD_HISTORY, NEW_HISTORY)})
    commit("2026-07-17", {"notes.txt": "nothing of law"})
    texts, problems = loaded(repository)
    assert problems == []
    told = [
        (one.version.work, str(one.version.promulgated), one.version.source.as_of) for one in texts
    ]
    assert told == [
        ("中华人民共和国别的法", "2016-11-07", date(2026, 7, 17)),
        ("中华人民共和国示例法", "2016-11-07", date(2024, 5, 1)),
        ("中华人民共和国示例法", "2025-10-28", date(2026, 7, 17)),
    ]
    assert texts[1].version.validity == Validity(date(2017, 6, 1), None, "open", "clause")
    assert texts[1].provisions[0].text == "旧。"
    assert texts[1].provisions[2].path == "第二章 附则"


def test_a_corrected_print_is_the_same_text_and_the_last_print_is_kept(
    repository: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"a/README.md": law("错字。", OLD_HISTORY)})
    commit("2022-04-01", {"a/README.md": law("对字。", OLD_HISTORY)})
    (text,), _ = loaded(repository)
    assert text.provisions[0].text == "对字。"
    assert "the last of 2 prints" in text.version.note


def test_a_text_that_was_taken_away_is_known_until_the_commit_before(
    repository: Path, commit: Commit
) -> None:
    commit("2022-03-01", {"a/README.md": law("甲。", OLD_HISTORY)})
    commit("2023-03-01", {"b/README.md": law("别。", OLD_HISTORY).replace("示例", "别的")})
    commit("2026-03-01", {"a/README.md": None})
    texts, _ = loaded(repository)
    assert texts[1].version.source.as_of == date(2023, 3, 1)


def test_a_bundle_and_a_bare_repository_give_what_the_repository_gives(
    repository: Path, commit: Commit, tmp_path: Path
) -> None:
    commit("2022-03-01", {"a/README.md": law("旧。", OLD_HISTORY)})
    commit("2026-01-20", {"a/README.md": law("新。", OLD_HISTORY, NEW_HISTORY)})
    bundle, bare = bundle_of(repository, tmp_path / "laws.bundle"), tmp_path / "laws.git"
    run_git("clone", "--quiet", "--bare", str(repository), str(bare), folder=tmp_path)
    texts = [loaded(path)[0] for path in (repository, bundle, bare)]
    words = [[(one.version.label, one.provisions) for one in found] for found in texts]
    assert words[0] == words[1] == words[2]
    assert len(words[0]) == 2


def test_the_configuration_of_a_repository_runs_nothing(
    repository: Path, commit: Commit, tmp_path: Path
) -> None:
    commit("2022-03-01", {"a/README.md": law("甲。", OLD_HISTORY)})
    trap, sprung = tmp_path / "trap.sh", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\n")
    trap.chmod(0o755)
    commands = ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external")
    for name in (*commands, "uploadpack.packObjectsHook", "core.alternateRefsCommand", "alias.log"):
        value = f"!{trap}" if name.startswith("alias") else str(trap)
        run_git("config", name, value, folder=repository, day="2022-03-01")
    for hook in ("post-checkout", "reference-transaction", "pre-auto-gc"):
        shutil.copy(trap, repository / ".git" / "hooks" / hook)
    texts, _ = loaded(repository)
    assert len(texts) == 1
    assert not sprung.exists()


@pytest.mark.parametrize("data", [b"# v2 git bundle\nnothing\n", b"# v3 git bundle\n\nPACK"])
def test_a_damaged_bundle_is_one_clear_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.bundle"
    path.write_bytes(data)
    texts, problems = loaded(path)
    assert texts == []
    assert "git cannot read it" in problems[0].reason or "without commits" in problems[0].reason
    assert problems[0].path == str(path)


def test_what_the_last_state_holds_unreadable_is_reported(repository: Path, commit: Commit) -> None:
    commit("2022-03-01", {"a/README.md": law("甲。", OLD_HISTORY)})
    broken = (
        law("甲。", OLD_HISTORY)
        .replace("**第二条**", "**第九条**")
        .replace("**第三条**", "**第四条**")
    )
    commit("2022-04-01", {"a/README.md": broken})
    texts, problems = loaded(repository)
    assert [one.provisions[0].text for one in texts] == ["甲。"]
    assert [problem.path for problem in problems] == ["a/README.md"]


def test_a_repository_without_laws_says_so(repository: Path, commit: Commit) -> None:
    commit("2022-03-01", {"README.md": "# Hello\n\nNothing here.\n"})
    texts, problems = loaded(repository)
    assert texts == []
    assert "without any law" in problems[0].reason


def test_the_texts_of_a_repository_are_dated_together(
    repository: Path, commit: Commit, tmp_path: Path
) -> None:
    commit("2022-03-01", {"a/README.md": law("旧。", OLD_HISTORY)})
    commit("2026-01-20", {"a/README.md": law("新。", OLD_HISTORY, NEW_HISTORY)})
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add(loaded(repository)[0])
        one = ProvisionNumber.parse("1")
        timeline = corpus.timeline("中华人民共和国示例法", one)
    days = (date(2017, 5, 31), date(2017, 6, 1), date(2025, 10, 27), date(2025, 10, 28))
    assert [timeline.version_at(day).answer for day in days] == ["not_in_force", *["found"] * 3]
    (before,) = timeline.version_at(date(2025, 10, 27)).found
    (after,) = timeline.version_at(date(2025, 10, 28)).found
    assert (before.date_status, after.date_status) == ("at_least", "presumed")


# -- the layout of one law in several files --------------------------------------------------------

PARTS = {
    "README.md": f"# 中华人民共和国示例法\n\n{OLD_HISTORY}\n".encode(),
    "00-supplementary.md": "# 附则\n\n**第三条**　本法自2017年6月1日起施行。\n".encode(),
    "01-general.md": "# 第一编　总则\n\n## 第一章　规定\n\n**第一条**　甲。\n".encode(),
    "02-special.md": (
        "# 第二编　分则\n\n### 第一章　罪\n\n**第二条**　新的文字写在这里以供比较。\n".encode()
    ),
}  # fmt: skip


def parsed(files: Mapping[str, bytes]) -> list[VersionText]:
    problems: list[InputError] = []
    assert is_law_folder(files)
    texts = list(parse_law_folder(files, path="x", source=Source("s"), on_problem=problems.append))
    assert problems == []
    return texts


def test_the_parts_of_a_law_are_put_together_in_the_order_of_their_articles() -> None:
    (text,) = parsed(PARTS)
    assert [(one.number.main, one.path) for one in text.provisions] == [
        (1, "第一编 总则 / 第一章 规定"),
        (2, "第二编 分则 / 第一章 罪"),
        (3, "附则"),
    ]


AMENDMENT = """# 修正案

## 中华人民共和国示例法修正案

*2020年12月26日第十三届全国人民代表大会常务委员会第二十四次会议通过*

一、将第二条修改为：“{words}”
"""


@pytest.mark.parametrize(
    ("words", "acts"),
    [
        ("新的文字写在这里以供比较。", ["2016-11-07", "2020-12-26"]),
        ("这些文字还没有写进这部法律的正文。", ["2016-11-07"]),
    ],
)
def test_an_amendment_beside_a_law_belongs_to_its_history_once_its_words_are_in_the_text(
    words: str, acts: list[str]
) -> None:
    amendment = AMENDMENT.format(words=words).encode()
    law, instrument = parsed({**PARTS, "04-amendment.md": amendment})
    assert instrument.version.work == "中华人民共和国示例法修正案"
    assert [str(act.day) for act in law.version.history] == acts
    assert str(law.version.promulgated) == acts[-1]


VERSIONS = """{"schemaVersion": 1, "versions": [
 {"label": "2019年修正版", "promulgatedOn": "2019-04-23", "effectiveFrom": "2019-11-01",
  "effectiveTo": "2027-01-01", "entry": "README.md"},
 {"label": "2026年修订版", "promulgatedOn": "2026-06-26", "effectiveFrom": "2027-01-01",
  "effectiveTo": null, "entry": "versions/2027-01-01/README.md"}]}
"""


def test_editions_that_a_file_declares_have_their_half_open_windows() -> None:
    old = law("旧。", OLD_HISTORY).encode()
    new = law("新。", OLD_HISTORY).encode()
    files = {
        "README.md": old,
        "versions/2027-01-01/README.md": new,
        "versions.json": VERSIONS.encode(),
    }
    told = {one.version.label: one for one in parsed(files)}
    assert told["2019年修正版"].version.validity == Validity(
        date(2019, 11, 1), date(2027, 1, 1), "exact", "header"
    )
    assert told["2026年修订版"].provisions[0].text == "新。"


def test_a_checkout_without_git_is_read_by_its_layout(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "law"
    folder.mkdir(parents=True)
    for name, data in PARTS.items():
        (folder / name).write_bytes(data)
    (text,), problems = loaded(tmp_path)
    assert problems == []
    assert len(text.provisions) == 3
    assert text.version.source.path == "docs/law/README.md"


SIGNED = """tree {tree}
author a <a@example.org> {seconds} +0000
committer a <a@example.org> {seconds} +0000
gpgsig -----BEGIN PGP SIGNATURE-----
{blank}
 iQ==
 -----END PGP SIGNATURE-----

signed
"""


def printed(*arguments: str, folder: Path, given: str | None = None) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, check=True, input=given, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit_by_hand(repository: Path, *, seconds: str) -> None:
    tree = printed("write-tree", folder=repository)
    text = SIGNED.format(blank=" ", tree=tree, seconds=seconds)
    made = ["hash-object", "--literally", "-t", "commit", "-w", "--stdin"]
    revision = printed(*made, folder=repository, given=text)
    printed("update-ref", "refs/heads/main", revision, folder=repository)


def test_no_program_a_repository_names_is_run(
    repository: Path, commit: Commit, tmp_path: Path
) -> None:
    commit("2022-03-01", {"a/README.md": law("旧。", OLD_HISTORY)})
    commit_by_hand(repository, seconds="1700000000")
    mark, program = tmp_path / "was run", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\n", encoding="utf-8")
    program.chmod(0o755)
    hooks = repository / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    shutil.copy(program, hooks / "post-checkout")
    shutil.copy(program, hooks / "reference-transaction")
    named = ("gpg.program", "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand",
             "core.alternateRefsCommand", "uploadpack.packObjectsHook", "remote.a.uploadpack",
             "diff.external", "diff.x.textconv", "filter.x.smudge", "alias.log")  # fmt: skip
    for name in named:
        printed("config", name, str(program), folder=repository)
    for name, value in {
        "log.showSignature": "true",
        "remote.a.url": f"file://{tmp_path}",
        "remote.a.promisor": "true",
    }.items():
        printed("config", name, value, folder=repository)
    mark.unlink(missing_ok=True)
    (text,), problems = loaded(repository)
    assert problems == []
    assert text.provisions[0].text == "旧。"
    assert text.version.source.as_of == date(2023, 11, 14)
    assert not mark.exists()


@pytest.mark.parametrize("seconds", ["99999999999999", "9223372036854775807", "-5", "no number"])
def test_a_commit_of_no_day_is_no_defect(repository: Path, commit: Commit, seconds: str) -> None:
    commit("2022-03-01", {"a/README.md": law("旧。", OLD_HISTORY)})
    commit_by_hand(repository, seconds=seconds)
    with pytest.raises(InputError, match="no day that can be read"):
        loaded(repository)


@pytest.mark.parametrize("sign", ["\x01", "\x01" + "a" * 40 + " 0\n", "\n", "\t:", ":"])
def test_a_path_is_no_commit_and_no_change(repository: Path, commit: Commit, sign: str) -> None:
    other = law("别。", OLD_HISTORY).replace("示例", "别的")
    commit("2022-03-01", {"a/README.md": law("旧。", OLD_HISTORY), f"a{sign}b/README.md": other})
    texts, problems = loaded(repository)
    assert problems == []
    assert {one.version.source.as_of for one in texts} == {date(2022, 3, 1)}
    assert len(texts) == 2


def test_links_and_other_repositories_are_no_laws(repository: Path, commit: Commit) -> None:
    (repository / "a").mkdir()
    (repository / "a" / "README.md").symlink_to("/etc/passwd")
    module = ["update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},c/README.md"]
    printed(*module, folder=repository)
    commit("2022-03-01", {"b/README.md": law("旧。", OLD_HISTORY)})
    texts, problems = loaded(repository)
    assert problems == []
    assert [one.version.source.path for one in texts] == ["b/README.md"]


def test_what_is_too_large_costs_its_own_law_alone(
    repository: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "MAX_FILE", 2000)
    commit("2022-03-01", {"a/README.md": law("长" * 2000, OLD_HISTORY)})
    commit("2022-04-01", {"b/README.md": law("短。", OLD_HISTORY)})
    texts, [problem] = loaded(repository)
    assert [one.provisions[0].text for one in texts] == ["短。"]
    assert problem.path == "a"


def test_a_file_without_a_heading_is_left_out_and_said(repository: Path, commit: Commit) -> None:
    commit("2022-03-01", {"a/README.md": law("甲。", OLD_HISTORY), "a/notes.md": "没有标题\n"})
    texts, [problem] = loaded(repository)
    assert len(texts) == 1
    assert "no heading" in str(problem)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="memory is bounded on Linux")
def test_a_repository_that_unfolds_without_end_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed("init", "--bare", "--quiet", "--initial-branch=main", "bomb", folder=tmp_path)
    bomb = tmp_path / "bomb"
    blob = printed("hash-object", "-w", "--stdin", folder=bomb, given=law("甲。", OLD_HISTORY))
    lines = "".join(f"100644 blob {blob}\t{number}.md\n" for number in range(10))
    for _ in range(9):  # a thousand million files
        tree = printed("mktree", folder=bomb, given=lines)
        lines = "".join(f"040000 tree {tree}\t{number}\n" for number in range(10))
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    revision = printed(*who, "commit-tree", printed("mktree", folder=bomb, given=lines), "-m", "x",
                       folder=bomb)  # fmt: skip
    printed("update-ref", "refs/heads/main", revision, folder=bomb)
    monkeypatch.setattr(git, "MAX_MEMORY", 128 * 2**20)
    with pytest.raises(InputError, match="git cannot read it"):
        loaded(bomb)
    monkeypatch.setattr(git, "MAX_OUTPUT", 2**20)
    with pytest.raises(git.GitError, match="unfolds"):
        list(git.Git(bomb).files("main"))
