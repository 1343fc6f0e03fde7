"""Attacks that take long: kills at any moment, and many readers beside a writer and rebuilds.

``INFORCE_KILLS=1000`` and ``INFORCE_ENDURANCE_S=600`` make them as long as an issue closes with.
"""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from inforce.corpus.store import Corpus
from inforce.library import Library, open_library
from inforce.testing import tiny_law

KILLS = int(os.environ.get("INFORCE_KILLS", "12"))
SECONDS = float(os.environ.get("INFORCE_ENDURANCE_S", "15"))
READERS = 64
MOST_MEGABYTES = 40.0
"""How much more memory a process may hold at the end than when all its threads had answered."""

CAMELS = {str(number): f"第{number}号骆驼应当登记。" for number in range(1, 60)}
GOATS = ("山羊应当登记。", "山羊不必登记。")

_WRITE = """
import sys
from datetime import date
from pathlib import Path
from inforce.corpus.store import Corpus
from inforce.library import open_library
from inforce.testing import tiny_law

home, first = Path(sys.argv[1]), int(sys.argv[2])
print("begun", flush=True)
for number in range(first, first + 1_000):
    law = tiny_law(f"第{number}号登记法", {"1": f"第{number}号应当登记。"}, start=date(2000, 1, 1))
    with Corpus.open(home / "corpus.db", mode="write") as corpus:
        corpus.add([law])
    print(number, flush=True)
    with open_library(home) as library:
        library.update_index(rebuild=number % 3 == 0)
"""


def held(corpus: Corpus) -> set[int]:
    return {int(title[1:-4]) for title in corpus.titles() if title.endswith("号登记法")}


@pytest.mark.slow
@pytest.mark.timeout(3 * 3600)
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_kills_around_the_corpus_and_its_index_lose_nothing(tmp_path: Path) -> None:
    chance, said, home = random.Random(0), set[int](), tmp_path / "home"
    with Corpus.open(home / "corpus.db", mode="write") as corpus:
        corpus.add([tiny_law("骆驼登记法", CAMELS, start=date(2000, 1, 1))])
    for kill in range(KILLS):
        first = max(said, default=0) + 1
        command = [sys.executable, "-c", _WRITE, str(home), str(first)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "begun\n"
            time.sleep(chance.uniform(0.0, 0.8))
            writer.kill()
            said |= {int(line) for line in writer.stdout if line.endswith("\n")}
        with Corpus.open(home / "corpus.db") as corpus:
            assert corpus.damage() == (), f"kill {kill}"
            now = held(corpus)
        assert said <= now <= said | {max(said, default=0) + 1}, f"kill {kill}"
        said = now
        with open_library(home) as library:
            assert library.index_damage() == (), f"kill {kill}"
            if kill % 10 == 0 or kill == KILLS - 1:
                assert len(library.search("骆驼登记").hits) == 5, f"kill {kill}"
                assert library.index_damage() == (), f"kill {kill}"
    with open_library(home) as library:
        library.update_index(rebuild=True)
    builds = [path.name for path in (home / "index" / "statutes").iterdir() if path.is_dir()]
    assert len(builds) == 1
    assert not [*home.glob("corpus.db.*.new")]


_AMEND_AND_REBUILD = """
import sys, time
from datetime import date
from pathlib import Path
from inforce.corpus.store import Corpus
from inforce.library import open_library
from inforce.testing import tiny_law

home, goats = Path(sys.argv[1]), sys.argv[2:]
number = 0
while True:
    with Corpus.open(home / "corpus.db", mode="write") as corpus:
        corpus.add([tiny_law("山羊登记法", {"1": goats[number % 2]}, start=date(2000, 1, 1))])
    number += 1
    with open_library(home) as library:
        library.update_index(rebuild=number % 4 == 0)
    print(number, flush=True)
    time.sleep(0.2)
"""


def megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _asked(library: Library, chance: random.Random) -> str:
    """Ask something and check the answer; returns what was asked."""
    number = str(chance.randint(1, len(CAMELS)))
    what = chance.choice(["at", "at", "search", "amended", "ask"])
    if what == "at":
        (span,) = library.at("骆驼登记法", number, on="2010-06-01").lookup.found
        assert span.provision is not None
        assert span.provision.text == CAMELS[number]
    elif what == "search":
        result = library.search(f"第{number}号骆驼", as_of="2010")
        assert len(result.hits) == 5
        for hit in result.hits:
            text, work = hit.provision.text, hit.provision.work
            assert (
                text in GOATS
                if work == "山羊登记法"
                else text == CAMELS[hit.provision.number.short]
            )
        return "search" if result.coverage.is_current else "search, told of an earlier state"
    elif what == "amended":
        (span,) = library.at("山羊登记法", "1", on="2010-06-01").lookup.found
        assert span.provision is not None
        assert span.provision.text in GOATS
    else:
        answer = library.ask(f"骆驼登记法第{number}条怎么规定？", as_of="2010-06-01")
        (quotation,) = answer.quotations
        (span,) = quotation.wordings
        assert span.provision is not None
        assert span.provision.text == CAMELS[number]
    return what


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not Path("/proc/self/statm").is_file(), reason="needs /proc")
def test_64_readers_beside_a_writer_and_rebuilds_answer_rightly_in_bounded_memory(
    tmp_path: Path,
) -> None:
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add([tiny_law("骆驼登记法", CAMELS, start=date(2000, 1, 1))])
        corpus.add([tiny_law("山羊登记法", {"1": GOATS[1]}, start=date(2000, 1, 1))])
    asked, wrong, until = Counter[str](), list[BaseException](), [0.0]

    def read(seed: int, library: Library) -> None:
        chance = random.Random(seed)
        while time.monotonic() < until[0] and not wrong:
            try:
                asked[_asked(library, chance)] += 1
            except BaseException as error:
                wrong.append(error)

    def all_read(library: Library, seconds: float) -> None:
        until[0] = time.monotonic() + seconds
        threads = [threading.Thread(target=read, args=(n, library)) for n in range(READERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        gc.collect()

    command = [sys.executable, "-c", _AMEND_AND_REBUILD, str(tmp_path), *GOATS]
    with open_library(tmp_path, following="beside") as library:
        library.search("骆驼")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            try:
                all_read(library, SECONDS / 3)
                before = megabytes()
                all_read(library, SECONDS * 2 / 3)
            finally:
                writer.kill()
            assert writer.stdout is not None
            changes = len(writer.stdout.read().splitlines())
        grown = megabytes() - before
    print(f"{dict(asked)}; {changes} changes; {grown:+.1f} MB")
    for error in wrong:
        raise error
    assert asked["search"] > 0
    assert changes > 1
    assert grown < MOST_MEGABYTES


_FIRST = """
import sys
from pathlib import Path
from inforce.library import open_library

with open_library(Path(sys.argv[1])) as library:
    print(library.at("刑法", "74", on="2010").lookup.answer)
"""


@pytest.mark.slow
@pytest.mark.parametrize("_", range(3))
def test_eight_first_users_of_an_empty_home_all_get_an_answer(tmp_path: Path, _: int) -> None:
    command = [sys.executable, "-c", _FIRST, str(tmp_path / "home")]
    first = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    answers = [process.communicate() for process in first]
    assert answers == [("found\n", "")] * 8
    assert not [*(tmp_path / "home").glob("*.new")]
