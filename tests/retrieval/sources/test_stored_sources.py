"""The sources of a data folder: made, extended, listed, opened, removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inforce.errors import InputError, SearchIndexError
from inforce.retrieval.sources.bm25 import Bm25Source
from inforce.retrieval.sources.hybrid import HybridSource
from inforce.retrieval.sources.loading import SourceFiles
from inforce.retrieval.sources.manifest import StoredName
from inforce.retrieval.sources.stored import (
    add_files,
    folder_of,
    list_sources,
    open_source,
    open_sources,
    remove_source,
)


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
    assert isinstance(opened["precedent"], Bm25Source)
    assert isinstance(opened["book"], HybridSource)
    assert [hit.document.text for hit in opened["precedent"].search("盗窃")] == ["盗窃案"]
    assert [one.name for one in list_sources(tmp_path)] == ["precedent", "book"]


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
    folder = folder_of(tmp_path, "precedent")
    folder.with_name("precedent.building").mkdir(parents=True)
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
    assert isinstance(source, Bm25Source)
    with source.writing(), pytest.raises(SearchIndexError, match="is writing"):
        remove_source(tmp_path, "precedent")
    assert remove_source(tmp_path, "precedent")
    assert not remove_source(tmp_path, "precedent")


def test_a_damaged_source_can_be_removed(tmp_path: Path) -> None:
    add_files(tmp_path, files(tmp_path, "guideline", "自首"), name="guideline")
    (folder_of(tmp_path, "guideline") / "source.json").write_text("{", encoding="utf-8")
    with pytest.raises(SearchIndexError, match="damaged"):
        open_sources(tmp_path)
    assert [one.state for one in list_sources(tmp_path)] == ["damaged"]
    assert remove_source(tmp_path, "guideline")
