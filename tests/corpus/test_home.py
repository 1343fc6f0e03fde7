"""One variable moves everything a person keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from inforce.corpus.home import corpus_path, home, index_path


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
