"""What every test may lean on: no network, a data folder of its own, shared data, a fixed clock."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from inforce import network
from inforce.corpus.store import Corpus
from inforce.library import Library, open_library
from sample_corpus import sample_texts

# On a busy machine a case takes longer; that makes no rule untrue.
settings.register_profile("inforce", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("inforce")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_collection() -> None:
    """Ten thousand tests are collected, and stay: there is no garbage to look for among them."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.enable()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def interrupts_reach_children() -> Iterator[None]:
    """Ctrl-C works in the processes tests start, although a shell ignores it for background jobs.

    A process inherits ignored signals, not handlers: one handler here is enough.
    """
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """No test reaches beyond this machine, nor does any process it starts."""
    with pytest.MonkeyPatch.context() as patch, network.restrict("loopback"):
        patch.setenv(network.VARIABLE, "loopback")
        yield


@pytest.fixture(scope="session", autouse=True)
def no_home_of_a_person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads the corpus, the keys or the proxies of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INFORCE_HOME", str(tmp_path_factory.mktemp("nobody")))
        patch.setenv("INFORCE_LANG", "en")
        for proxy in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            patch.delenv(proxy, raising=False)
            patch.delenv(proxy.lower(), raising=False)
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the checkout; tests that need it skip where it is absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the shared research data is not beside this checkout")
    return SHARED_DATA


@pytest.fixture
def clock() -> Callable[[], date]:
    """A clock that always says 25 January 2020."""
    return lambda: date(2020, 1, 25)


def made_once(name: str, make: Callable[[Path], None], factory: pytest.TempPathFactory) -> Path:
    """A folder that the first process of this run to need it makes for all; each has its copy."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    made, unfinished = shared / name, shared / f"{name}-unfinished"
    with FileLock(shared / f"{name}.lock"):
        if not made.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(made)
    return Path(shutil.copytree(made, factory.mktemp(name) / name))


def make_package_home(home: Path) -> None:
    with open_library(home) as library:
        library.update_index()


def make_sample_home(home: Path) -> None:
    with Corpus.open(home / "corpus.db", mode="write") as corpus:
        corpus.add(sample_texts())
    make_package_home(home)


@pytest.fixture(scope="session")
def package_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the starter corpus that comes with the package; only read by the tests."""
    return made_once("package", make_package_home, tmp_path_factory)


@pytest.fixture
def package_copy(package_home: Path, tmp_path: Path) -> Path:
    """A data folder like it, to be changed."""
    return Path(shutil.copytree(package_home, tmp_path / "package"))


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the sample corpus and its index; only read by the tests."""
    return made_once("sample", make_sample_home, tmp_path_factory)


@pytest.fixture(scope="session")
def sample_library(sample_home: Path) -> Iterator[Library]:
    """The library of that folder; today is 20 November 2026."""
    with open_library(sample_home, clock=lambda: date(2026, 11, 20)) as library:
        yield library
