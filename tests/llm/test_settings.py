"""Keys and prices of one's own, in a file nobody else may read."""

from __future__ import annotations

from pathlib import Path

import pytest

from inforce.errors import InputError
from inforce.llm.settings import read_settings

SECRET = "sk-very-secret-0123456789"


def write_settings(folder: Path, text: str, mode: int = 0o600) -> None:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def test_the_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_settings(tmp_path, f'[keys]\nA_KEY = "{SECRET}"\nB_KEY = "file"\n')
    monkeypatch.setenv("B_KEY", "environment")
    settings = read_settings(tmp_path)
    assert settings.key("A_KEY") == SECRET
    assert settings.key("B_KEY") == "environment"
    assert settings.key("C_KEY") == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'[keys]\nA = "{SECRET}', "no valid TOML"),
        ("keys = 1", "must be a table"),
        ("[keys]\nA = 1", "must be strings"),
        ('[prices.x]\ninput = "dear"', "needs input and output"),
    ],
)
def test_a_settings_file_that_cannot_be_read_is_told_without_quoting_it(
    tmp_path: Path, text: str, words: str
) -> None:
    write_settings(tmp_path, text)
    with pytest.raises(InputError, match=words) as failed:
        read_settings(tmp_path)
    assert SECRET not in str(failed.value)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_settings_file_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    write_settings(tmp_path, "", mode)
    with pytest.raises(InputError, match="chmod 600"):
        read_settings(tmp_path)
