"""What was computed once, on disk under the hash of what it was computed from: vectors of texts, fitted heads.

A cache and nothing more: whatever is missing, unreadable or cannot be written is computed again, silently.
"""

import json
import logging
import os
import tempfile
import zipfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from softrail.classifier.encoder import Encoder
from softrail.classifier.head import Exemplar, Head
from softrail.classifier.lexical import Lexical
from softrail.classifier.linear import Logistic, Rows
from softrail.classifier.scope import Known, Scope

log = logging.getLogger(__name__)

_FORMAT = 3  #: rises when a head fitted by older code must not be used by newer code
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, json.JSONDecodeError)


def head_key(exemplars: Sequence[Exemplar], encoder: Encoder | None, strangers: float) -> str:
    """The content hash of everything a head depends on."""
    digest = sha256(f"{_FORMAT}|{encoder.id if encoder else ''}|{strangers}".encode())
    for exemplar in exemplars:
        digest.update(f"\0{exemplar.intent}\1{exemplar.text}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


class Cache:
    """A folder of computed things; with None as folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def load_head(self, key: str, exemplars: Sequence[Exemplar], encoder: Encoder | None) -> Head | None:
        """The head kept under that key; None when there is none."""
        stored = self._read(f"head-{key[:32]}.npz")
        if stored is None:
            return None
        try:
            return _head(stored, exemplars, encoder)
        except _UNREADABLE:
            return None

    def save_head(self, key: str, head: Head) -> None:
        """Keep a fitted head."""
        self._write(f"head-{key[:32]}.npz", _arrays(head))

    def remembering(self, encoder: Encoder) -> Encoder:
        """The same encoder, which looks up before it computes; for exemplars, not for what people say."""
        return _Remembering(self, encoder) if self._folder is not None else encoder

    def _read(self, name: str) -> dict[str, NDArray[Any]] | None:
        if self._folder is None:
            return None
        try:
            with (self._folder / name).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                return dict(stored)
        except _UNREADABLE:
            return None

    def _write(self, name: str, arrays: dict[str, NDArray[Any]]) -> None:
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    np.savez(file, **arrays)  # type: ignore[arg-type]  # its stub takes keywords for allow_pickle
                os.replace(temporary, self._folder / name)
            except BaseException:
                os.unlink(temporary)
                raise
        except OSError as error:
            log.info("The classifier's cache in %s cannot be written: %s.", self._folder, error)


class _Remembering:
    """An encoder with one file of vectors, found by the hash of their text."""

    def __init__(self, cache: Cache, encoder: Encoder) -> None:
        self._cache = cache
        self._encoder = encoder
        self.id = encoder.id
        self._name = f"vectors-{sha256(encoder.id.encode()).hexdigest()[:16]}.npz"

    def encode(self, texts: Sequence[str]) -> Rows:
        """One row for each text, computed only for those never seen before."""
        keys = [sha256(text.encode("utf-8", "surrogatepass")).digest()[:16] for text in texts]
        known = self._load()
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            rows = self._encoder.encode(list(missing.values()))
            known.update(zip(missing, rows, strict=True))
            stored = np.frombuffer(b"".join(known), dtype=np.uint8).reshape(-1, 16)
            self._cache._write(self._name, {"keys": stored, "rows": np.stack(list(known.values()))})
        return np.stack([known[key] for key in keys]).astype(np.float32)

    def _load(self) -> dict[bytes, Rows]:
        stored = self._cache._read(self._name)
        if (
            stored is None
            or not {"keys", "rows"} <= stored.keys()
            or len(stored["keys"]) != len(stored["rows"])
        ):
            return {}
        return {key.tobytes(): row for key, row in zip(stored["keys"], stored["rows"], strict=True)}


_KNOWN = ("order", "starts", "directions", "centres", "pull", "spread", "bend", "lean")


def _arrays(head: Head) -> dict[str, NDArray[Any]]:
    numbers = {
        "intents": head.intents,
        "vocabulary": list(head.lexical.vocabulary),
        "nearness": head.nearness,
        "scope": [head.scope.logistic.slope, head.scope.logistic.offset],
        "closeness": head.scope.weights,
        "level": head.known.level,
        "kept": len(head.exemplars),
        "spaces": len(head.weights),
    }
    arrays: dict[str, NDArray[Any]] = {
        "numbers": np.frombuffer(json.dumps(numbers).encode(), dtype=np.uint8),
        "rarity": head.lexical.rarity,
        "words": head.lexical.directions,
    }
    arrays |= {name: getattr(head.known, name) for name in _KNOWN}
    return arrays | {f"weights{i}": weights for i, weights in enumerate(head.weights)}


def _head(stored: dict[str, NDArray[Any]], exemplars: Sequence[Exemplar], encoder: Encoder | None) -> Head:
    numbers = json.loads(stored["numbers"].tobytes())
    if numbers["kept"] != len(exemplars) or numbers["spaces"] != (1 if encoder is None else 2):
        raise ValueError("the stored head is of other exemplars")
    vocabulary = {name: i for i, name in enumerate(numbers["vocabulary"])}
    one, two, three = map(float, numbers["closeness"])
    return Head(
        intents=tuple(numbers["intents"]),
        exemplars=tuple(exemplars),
        encoder=encoder,
        lexical=Lexical(vocabulary, stored["rarity"], stored["words"]),
        weights=tuple(stored[f"weights{i}"] for i in range(numbers["spaces"])),
        nearness=float(numbers["nearness"]),
        known=Known(**{name: stored[name] for name in _KNOWN}, level=float(numbers["level"])),
        scope=Scope((one, two, three), Logistic(*map(float, numbers["scope"]))),
    )
