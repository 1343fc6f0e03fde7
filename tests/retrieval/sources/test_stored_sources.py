"""The sources of a data folder: made, extended, listed, opened, removed."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event, Thread

import pytest

from inforce.errors import InputError, SearchIndexError
from inforce.retrieval.sources.loading import SourceFiles
from inforce.retrieval.sources.source import StoredName
from inforce.retrieval.sources.stored import (
    add_files,
    list_sources,
    open_source,
    open_sources,
    remove_source,
)
from inforce.store import OutdatedIndexError


def files(folder: Path, name: StoredName, *texts: str) -> SourceFiles:
    path = folder / f"{name}.jsonl"
    lines = [json.dumps({"id": f"d{n}", "text": text}) for n, text in enumerate(texts)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return SourceFiles((path,), name, print)


def test_each_source_is_kept_in_its_own_way(tmp_path: Path) -> None:
    assert open_sources(tmp_path) == {}
    for name in ("precedent", "book"):
        report = add_files(tmp_path, files(tmp_path, name, "盗窃案", "合同"), name=name)
        assert (report.action, report.documents) == ("made", 2)
    opened = open_sources(tmp_path)
    assert list(opened) == ["precedent", "book"]
    assert [hit.document.text for hit in opened["precedent"].search("盗窃")] == ["盗窃案"]
    listed = [(one.name, one.kind, one.state) for one in list_sources(tmp_path)]
    assert listed == [("precedent", "bm25", "ready"), ("book", "hybrid", "ready")]


@pytest.mark.parametrize("name", ["interpretation", "book"])
def test_adding_extends_a_source_and_rebuilding_replaces_it(
    tmp_path: Path, name: StoredName
) -> None:
    add_files(tmp_path, files(tmp_path, name, "盗窃", "合同"), name=name)
    report = add_files(tmp_path, files(tmp_path, name, "抢劫"), name=name)
    assert (report.action, report.added, report.replaced, report.documents) == (
        "extended",
        1,
        1,
        2,
    )
    report = add_files(tmp_path, files(tmp_path, name, "抢劫"), name=name, rebuild=True)
    assert (report.action, report.documents) == ("made", 1)


def test_files_without_a_document_make_no_source(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no document to add"):
        add_files(tmp_path, files(tmp_path, "precedent", ""), name="precedent")
    assert list_sources(tmp_path) == []


def test_a_source_half_made_is_listed_and_not_opened(tmp_path: Path) -> None:
    (tmp_path / "index" / "precedent" / "0001").mkdir(parents=True)
    assert open_sources(tmp_path) == {}
    assert [one.state for one in list_sources(tmp_path)] == ["being made"]
    with pytest.raises(SearchIndexError, match="is half made"):
        open_source(tmp_path, "precedent")
    assert remove_source(tmp_path, "precedent")
    assert list_sources(tmp_path) == []
    with pytest.raises(SearchIndexError, match="has not been made: make it with"):
        open_source(tmp_path, "precedent")


def test_a_source_is_not_removed_under_a_writer(tmp_path: Path) -> None:
    add_files(tmp_path, files(tmp_path, "precedent", "盗窃"), name="precedent")
    source = open_source(tmp_path, "precedent")
    held, release = Event(), Event()

    def hold() -> None:
        with source.writing():
            held.set()
            release.wait(10)

    writer = Thread(target=hold)
    writer.start()
    held.wait(10)
    with pytest.raises(SearchIndexError, match="is writing"):
        remove_source(tmp_path, "precedent")
    release.set()
    writer.join()
    assert remove_source(tmp_path, "precedent")
    assert not remove_source(tmp_path, "precedent")


def test_a_damaged_source_can_be_removed(tmp_path: Path) -> None:
    add_files(tmp_path, files(tmp_path, "guideline", "自首"), name="guideline")
    path = tmp_path / "index" / "guideline" / "0001" / "collection.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(SearchIndexError, match=r"damaged.*inforce sources add guideline FILE"):
        open_sources(tmp_path)
    assert [one.state for one in list_sources(tmp_path)] == ["damaged"]
    assert remove_source(tmp_path, "guideline")


def test_a_source_of_the_first_release_is_told_apart_and_replaced(tmp_path: Path) -> None:
    old = tmp_path / "sources" / "precedent"
    (old / "bm25").mkdir(parents=True)
    (old / "source.json").write_text('{"source":"precedent","kind":"bm25","format":1}')
    assert [(one.name, one.state) for one in list_sources(tmp_path)] == [("precedent", "outdated")]
    remedy = r"made by an earlier release: make it anew with: inforce sources add precedent FILE"
    for ask in (
        lambda: open_source(tmp_path, "precedent"),
        lambda: open_sources(tmp_path),
        lambda: add_files(tmp_path, files(tmp_path, "precedent", "盗窃"), name="precedent"),
    ):
        with pytest.raises(OutdatedIndexError, match=remedy):
            ask()
    add_files(tmp_path, files(tmp_path, "precedent", "盗窃"), name="precedent", rebuild=True)
    assert not old.exists()
    assert len(open_source(tmp_path, "precedent")) == 1
    assert [one.state for one in list_sources(tmp_path)] == ["ready"]


def test_an_outdated_source_can_be_removed(tmp_path: Path) -> None:
    old = tmp_path / "sources" / "book"
    old.mkdir(parents=True)
    (old / "source.json").touch()
    assert remove_source(tmp_path, "book")
    assert not remove_source(tmp_path, "book")
