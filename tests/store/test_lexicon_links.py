"""A lexicon that may not be written to is read through links, which nobody has to clear away."""

from __future__ import annotations

import gc
import tempfile
import warnings
from pathlib import Path

import pytest

from inforce.store.local import _lexicon
from inforce.store.local._lexicon import Lexicon


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def refuse_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> bool:
        return False

    monkeypatch.setattr(_lexicon.os, "access", refused)


def test_links_go_with_the_lexicon_and_without_a_warning(
    tmp_path: Path, links: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lexicon").mkdir()
    Lexicon(tmp_path / "lexicon", ["words"])
    refuse_writing(monkeypatch)
    gc.collect()  # what other tests left behind warns here, not below
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read = Lexicon(tmp_path / "lexicon", ["words"])
        assert len([*links.iterdir()]) == 1
        read.committed()
        del read
        gc.collect()
    assert [*links.iterdir()] == []


def test_a_build_that_is_cleared_away_while_it_is_opened_leaves_no_links(
    tmp_path: Path, links: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_writing(monkeypatch)
    with pytest.raises(FileNotFoundError):
        Lexicon(tmp_path / "gone", ["words"])
    assert [*links.iterdir()] == []
