"""`load` and `sniff`: what a file is, what a folder gives, and what is skipped, saying so."""

from __future__ import annotations

import gzip
import os
from datetime import date
from pathlib import Path

import pytest
from law_files import TINY_LAW, TINY_MARKDOWN, Loaded, jsonl, record, word_file

from document_files import repacked
from inforce.corpus.loaders import Format, sniff
from inforce.errors import InputError
from inforce.law.model import Validity

TIMELINE = b'{"format": "inforce-timeline/1", "law": "x", "versions": []}'
NESTED = '{\n"title": "示例法",\n"valid_from": "2021.01.01",\n"parts": []}'.encode()
CHUNK = '{"article_no": "第一条", "text": "甲", "valid_from": "2021-01-01"}'.encode()


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (jsonl(record()), "jsonl"),
        (gzip.compress(jsonl(record()), mtime=0), "jsonl"),
        (gzip.compress(jsonl(record()), mtime=0)[:-20], "jsonl"),
        (TINY_MARKDOWN.encode(), "lawrefbook"),
        (NESTED, "law-chunks"),
        (CHUNK, "law-chunks"),
        (b"[" + CHUNK + b"]", "law-chunks"),
        (word_file(TINY_LAW.split("\n")), "docx"),
        (TINY_LAW.encode(), "text"),
        (TINY_LAW.encode("gb18030"), "text"),
        (TINY_LAW.encode("utf-16"), "text"),
        (TIMELINE, "timeline"),
    ],
)
def test_a_file_is_known_by_its_content(tmp_path: Path, data: bytes, format: Format) -> None:
    path = tmp_path / "no-extension"
    path.write_bytes(data)
    assert sniff(path) == format


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "an empty file"),
        (b" \n ", "an empty file"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"%PDF-1.7", "a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1", "an old Word file"),
        (b'{"password": "secret"}', "JSON of an unknown kind"),
        (b"secret\n\nHello", "no article (第一条 …) in sight"),
        (bytes(range(128, 256)) * 10, "in sight"),
    ],
)
def test_what_is_no_law_is_refused_saying_what_it_is(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        Loaded(path)
    assert reason in caught.value.reason
    assert "secret" not in str(caught.value)


def test_a_zip_archive_that_is_no_word_file_is_refused_by_its_reader(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "b.jar").write_bytes(repacked(b"PK\x05\x06" + bytes(18), part="x", content=b"x"))
    problems = Loaded(tmp_path).reasons
    assert problems == [
        (None, "a damaged Word file (BadZipFile)"),
        (None, "a zip archive that is not a Word file"),
    ]


def test_links_out_of_the_folder_are_not_followed_and_links_inside_it_are_no_second_copy(
    tmp_path: Path,
) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "laws"
    for each in (outside, folder, folder / "sub"):
        each.mkdir()
    (outside / "law.txt").write_text(TINY_LAW, encoding="utf-8")
    (folder / "sub" / "own.jsonl").write_bytes(jsonl(record("甲法")))
    (folder / "again.jsonl").symlink_to(folder / "sub" / "own.jsonl")
    (folder / "file.txt").symlink_to(outside / "law.txt")
    (folder / "folder").symlink_to(outside)
    (folder / "up").symlink_to(tmp_path)
    (folder / "gone").symlink_to(folder / "nowhere")
    result = Loaded(folder)
    assert result.laws == ["甲法"]
    out = "skipped: a link out of the folder"
    assert [(Path(one.path).name, one.reason) for one in result.problems] == [
        ("file.txt", out),
        ("folder", out),
        ("up", out),
    ]


def test_a_path_that_does_not_exist_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        Loaded(tmp_path / "nothing")


def test_a_named_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "law.txt").write_text(TINY_LAW, encoding="utf-8")
    result = Loaded(tmp_path)
    assert len(result.laws) == 1
    assert result.reasons == [(None, "skipped: not a regular file")]


def test_a_folder_gives_every_law_in_it_in_order_of_name(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "laws.jsonl.gz").write_bytes(gzip.compress(jsonl(record("乙法"))))
    (tmp_path / "a.jsonl").write_bytes(jsonl(record("甲法"), "broken"))
    (tmp_path / "c.docx").write_bytes(word_file(TINY_LAW.split("\n")))
    (tmp_path / "d.sqlite").write_bytes(b"SQLite format 3\0")
    (tmp_path / ".hidden.jsonl").write_bytes(b"broken")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.jsonl").write_bytes(jsonl(record("隐法")))
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    result = Loaded(tmp_path)
    assert result.laws == ["甲法", "乙法", "中华人民共和国示例法"]
    assert [Path(problem.path).name for problem in result.problems] == ["a.jsonl", "d.sqlite"]
    assert result.reasons[1] == (None, "skipped: an SQLite database; this cannot be loaded")


def test_a_file_of_a_folder_is_named_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "民法商法").mkdir()
    (tmp_path / "民法商法" / "示例法.md").write_text(TINY_MARKDOWN, encoding="utf-8")
    source = Loaded(tmp_path).texts[0].version.source
    assert (source.name, source.path) == (tmp_path.name, "民法商法/示例法.md")


def write_version(folder: Path, promulgated: str, clause: str) -> None:
    text = f"# 示例法\n<!-- INFO END -->\n第一条 甲。\n第二条 {clause}"
    (folder / f"示例法({promulgated}).md").write_text(text, encoding="utf-8")


def test_each_text_of_a_law_in_a_folder_says_only_what_it_knows_itself(tmp_path: Path) -> None:
    write_version(tmp_path, "2015-04-24", "本法自2015年10月1日起施行。")
    write_version(tmp_path, "2018-10-26", "本法自2015年10月1日起施行。")
    earlier, later = (text.version.validity for text in Loaded(tmp_path).texts)
    assert earlier == Validity(date(2015, 10, 1), None, "open", "clause")
    assert later == Validity(None, None, "open", "unstated")


def test_a_file_beside_no_law_in_several_files_is_no_part_of_one(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TINY_MARKDOWN, encoding="utf-8")
    for path in (tmp_path, tmp_path / "a.md"):
        result = Loaded(path, format="just-laws")
        assert (result.laws, len(result.problems)) == ([], 1)
        assert "not in a folder that is one law" in result.problems[0].reason


def test_a_timeline_file_is_read_like_the_others(tmp_path: Path) -> None:
    (tmp_path / "law.json").write_bytes(TIMELINE)
    (tmp_path / "z.txt").write_text(TINY_LAW, encoding="utf-8")
    result = Loaded(tmp_path)
    assert result.laws == ["中华人民共和国示例法"]
    assert len(result.problems) == 1
