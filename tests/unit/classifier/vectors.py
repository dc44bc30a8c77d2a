"""Writes the vectors of the bundled exemplars anew: `python -m tests.unit.classifier.vectors`."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import softrail.classifier
from softrail.bootstrap import build
from softrail.classifier.cache import SHIPPED, shipped_arrays
from softrail.classifier.encoder import MiniLM
from softrail.classifier.head import spoken
from softrail.companion.catalogue import bundled
from softrail.plans.hearing import SAMPLE_WANTED, TOLD
from softrail.settings import Settings

FILE = Path(softrail.classifier.__file__).parent / "minilm" / SHIPPED


def texts() -> list[str]:
    """What heads of the bundled intents are fitted on: every example, and the names of the intents as words."""
    return sorted(set(_texts()))


def _texts() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        registered = build(Settings(database_url=f"sqlite:///{folder}/none.db")).parts.registry.intents()
    for intent in (*registered, *bundled().values(), TOLD, SAMPLE_WANTED):
        yield spoken(intent.name)
        yield from intent.examples
        yield from intent.voices


def _write() -> None:
    said = texts()
    arrays = shipped_arrays(dict(zip(said, MiniLM().encode(said), strict=True)))
    np.savez_compressed(FILE, **arrays)  # type: ignore[arg-type]  # its stub takes keywords for allow_pickle


if __name__ == "__main__":
    _write()
