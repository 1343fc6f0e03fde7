"""One variable moves everything a person keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from inforce.corpus.home import MilvusAddress, corpus_path, home, index_location, index_path
from inforce.errors import SearchIndexError


def test_inforce_home_names_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INFORCE_HOME", str(tmp_path / "here"))
    assert home() == tmp_path / "here"
    assert corpus_path().parent == index_path().parent == home()
    assert not home().exists()


def test_a_tilde_is_the_persons_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INFORCE_HOME", "~/law")
    assert home() == Path.home() / "law"


@pytest.mark.parametrize("unset", [True, False])
def test_without_it_the_usual_place_of_the_system_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, unset: bool
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if unset:
        monkeypatch.delenv("INFORCE_HOME", raising=False)
    else:
        monkeypatch.setenv("INFORCE_HOME", "")
    assert home().is_absolute()
    assert home().name == "inforce"


@pytest.mark.parametrize(
    ("chosen", "uri", "kept"),
    [
        ("milvus:./statutes.db", "./statutes.db", "statutes-db"),
        ("milvus:http://host:19530", "http://host:19530", "http-host-19530"),
        ("milvus:http://me:secret@host:19530", "http://me:secret@host:19530", "host-19530"),
    ],
)
def test_inforce_index_names_a_milvus(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, chosen: str, uri: str, kept: str
) -> None:
    monkeypatch.setenv("INFORCE_INDEX", chosen)
    monkeypatch.setenv("INFORCE_MILVUS_TOKEN", "hush")
    location = index_location(tmp_path)
    assert location == MilvusAddress(uri, tmp_path / "milvus" / kept, "hush")
    assert "hush" not in repr(location)


def test_without_inforce_index_the_index_is_in_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("INFORCE_INDEX", raising=False)
    assert index_location(tmp_path) == tmp_path / "index"


@pytest.mark.parametrize("chosen", ["milvus", "milvus:", "./statutes.db", "http://host:19530"])
def test_any_other_inforce_index_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, chosen: str
) -> None:
    monkeypatch.setenv("INFORCE_INDEX", chosen)
    with pytest.raises(SearchIndexError, match="milvus:http://host:19530"):
        index_location(tmp_path)
