"""Whatever happens to a file of an index: the law as the corpus has it, or an error, never else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from inforce.corpus.store import Corpus
from inforce.errors import InforceError
from inforce.library import open_library
from inforce.testing import tiny_law

ARTICLES = {str(number): f"骆驼应当登记，第{number}次。" for number in range(1, 40)}
DOCUMENT = "2010年6月1日，依照《骆驼登记法》第一条处理：“骆驼应当登记，第1次。”"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an index and fingerprints."""
    home = tmp_path_factory.mktemp("sound")
    with Corpus.open(home / "corpus.db", mode="write") as corpus:
        corpus.add([tiny_law("骆驼登记法", ARTICLES, start=date(2000, 1, 1))])
    with open_library(home) as library:
        library.update_index()
        library.search("骆驼")
        library.verify(DOCUMENT)
    return home


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes() or b"?")
    data[len(data) // 2] ^= 0x55
    path.write_bytes(data)


SPOIL: Mapping[str, Callable[[Path], object]] = {
    "cut": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a folder": _folder,
    "empty": lambda path: path.write_bytes(b""),
    "flipped": _flip,
    "missing": Path.unlink,
    "other JSON": lambda path: path.write_bytes(b"[1,2]"),
    "noise": lambda path: path.write_bytes(bytes(range(256)) * (path.stat().st_size // 256 + 1)),
}


@pytest.mark.parametrize("how", SPOIL)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_spoilt_file_never_changes_the_law(sound: Path, tmp_path: Path, how: str) -> None:
    everything = sorted(path for path in sound.rglob("*") if path.is_file())
    files = [path for path in everything if not path.name.startswith("corpus.db")]
    assert len(files) > 15
    for number, path in enumerate(files):
        home = tmp_path / str(number)
        shutil.copytree(sound, home)
        SPOIL[how](home / path.relative_to(sound))
        with open_library(home) as library:
            try:
                shown = [hit.provision for hit in library.search("骆驼登记").hits]
            except InforceError:
                shown = []
            for one in shown:
                assert one.text == ARTICLES[one.number.short], path
                assert one.window and one.window.start == date(2000, 1, 1), path
            library.index_damage()
            assert library.verify(DOCUMENT).outcome == "right", path
