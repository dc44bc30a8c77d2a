"""Fixtures for all tests, and what all processes of a run share."""

import gc
import os
import shutil
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.postgres import empty_postgres_url, postgres_url, url_without_wakes, where

__all__ = ["empty_postgres_url", "postgres_url", "url_without_wakes", "where"]

# No test may reach a real model, whatever is in the environment of whoever runs it.
for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
    os.environ.pop(name, None)

# A run starts hundreds of processes. Images for containers often forbid compiled files to be kept: each process would
# then compile the whole package again, and each pytest its plugins.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# One worker for each core and as many threads of linear algebra in each wait for each other at every small matrix.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Whoever tests what is begun ahead says so. Elsewhere it would load DuckDB twice after each file, for nobody.
os.environ["SOFTRAIL_PLANS_DATA_AHEAD"] = "0"

_MOST_COMPUTED = 4_000_000_000  #: bytes of what was computed; with more, it is begun anew
_LONG_FIRST = ("faults", "house", "integration")


def pytest_configure(config: pytest.Config) -> None:
    """One folder for what the classifier computes once, by content: not that of whoever runs the tests."""
    if "PYTEST_XDIST_WORKER" not in os.environ:  # a worker has it from the process that started it
        os.environ["XDG_CACHE_HOME"] = str(_computed(config.rootpath))


def _computed(root: Path) -> Path:
    """Where that is: what the same code computed in a run before is not computed again, what other code did is thrown away.

    A head of all bundled intents takes as long to fit as a hundred tests.
    """
    digest = sha256(" ".join((sys.version, version("numpy"), version("onnxruntime"))).encode())
    for room in ("classifier", "language"):
        for path in sorted((root / "softrail" / room).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    every = root / ".pytest_cache" / "computed"
    mine = every / digest.hexdigest()[:16]
    mine.mkdir(parents=True, exist_ok=True)
    for one in every.iterdir():
        if one != mine or sum(path.stat().st_size for path in one.rglob("*.npz")) > _MOST_COMPUTED:
            shutil.rmtree(one, ignore_errors=True)
    return mine


def pytest_collection(session: pytest.Session) -> None:
    """Importing all tests makes no garbage worth looking for."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """What collecting made stays to the end, millions of objects: looking through them was a third of all the time."""
    gc.freeze()
    # What one test leaves behind is dead soon after it, and little beside what stays: looking for garbage as often as in
    # a small program took a sixth of the time of the tests.
    gc.set_threshold(5_000, 20, 20)
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, so no worker is left alone with it at the end."""
    items.sort(key=lambda item: item.path.relative_to(item.config.rootpath).parts[1] not in _LONG_FIRST)


@pytest.fixture
def quick_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes for data that are forked where all is loaded, for tests about what comes of data; see `quick_data.py`."""
    if sys.platform == "linux":
        from tests.quick_data import forked  # not before the variables above are set

        monkeypatch.setattr("softrail.plans.data.children.begun", forked)


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients of providers that wait for a moment only, where the provider has not said how long."""
    for client in ("anthropic", "openai"):
        monkeypatch.setattr(f"{client}._base_client.INITIAL_RETRY_DELAY", 0.01)
