"""What was computed once, on disk under the hash of what it was computed from: vectors of texts, fitted heads.

A cache and nothing more: whatever is missing or cannot be written is computed again silently, what cannot be used (a
torn file, numbers of another shape, numbers that are none) with one warning, and kept anew.
"""

import json
import logging
import os
import tempfile
import zipfile
import zlib
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from importlib.resources import as_file, files
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from softrail.classifier.encoder import Encoder, MiniLM
from softrail.classifier.head import Exemplar, Head
from softrail.classifier.lexical import Lexical
from softrail.classifier.linear import Logistic, Rows
from softrail.classifier.locking import one_process
from softrail.classifier.scope import Known, Scope

log = logging.getLogger(__name__)

SHIPPED = "exemplars.npz"  #: beside the encoder; `python -m tests.unit.classifier.vectors` writes it anew
_FORMAT = 5  #: rises when a head fitted by older code must not be used by newer code
_ALIKE = 0.02  #: two vectors of one text differ by less
_UNREADABLE = (
    *(OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, EOFError),
    *(zipfile.BadZipFile, zlib.error, json.JSONDecodeError),
)


def head_key(exemplars: Sequence[Exemplar], encoder: Encoder | None, strangers: float) -> str:
    """The content hash of everything a head depends on."""
    read = f"{encoder.id if encoder else ''}|{strangers}"
    return _key(read, (f"\0{exemplar.intent}\1{exemplar.text}" for exemplar in exemplars))


def texts_key(encoder: Encoder, *groups: Sequence[str]) -> str:
    """The content hash of groups of texts that one encoder compares."""
    return _key(encoder.id, ("".join(("\1", *(f"\0{text}" for text in group))) for group in groups))


def _key(read: str, texts: Iterable[str]) -> str:
    digest = sha256(f"{_FORMAT}|{read}".encode())
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def text_key(text: str) -> bytes:
    """What a text's vector is found by."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def shipped_arrays(rows: Mapping[str, Rows]) -> dict[str, NDArray[Any]]:
    """Vectors by their texts as they are kept beside the encoder: a byte for each number, and a scale for each text."""
    found = np.stack(list(rows.values()))
    scales = np.abs(found).max(axis=1) / 127
    keys = np.frombuffer(b"".join(map(text_key, rows)), dtype=np.uint8).reshape(-1, 16)
    small = np.rint(found / scales[:, None]).astype(np.int8)
    return {"keys": keys, "rows": small, "scales": scales.astype(np.float32)}


class _Shipped(Mapping[bytes, Rows]):
    """The vectors of the bundled exemplars by the keys of their texts, held as they are kept: a byte for each number."""

    def __init__(self, keys: Iterable[bytes], rows: NDArray[Any], scales: NDArray[Any]) -> None:
        self._places = {key: place for place, key in enumerate(keys)}
        self._rows = rows
        self._scales = scales

    def __getitem__(self, key: bytes) -> Rows:
        place = self._places[key]
        row: Rows = self._rows[place] * self._scales[place]
        return row / np.linalg.norm(row)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@cache
def _shipped() -> Mapping[bytes, Rows]:
    """The vectors of the bundled exemplars, which come with the bundled encoder; an exemplar of yours is computed."""
    with as_file(files("softrail.classifier") / "minilm" / SHIPPED) as path, np.load(path) as stored:
        return _Shipped((key.tobytes() for key in stored["keys"]), stored["rows"], stored["scales"])


class Cache:
    """A folder of computed things; with None as folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def load_head(self, key: str, exemplars: Sequence[Exemplar], encoder: Encoder | None) -> Head | None:
        """The head kept under that key; None when there is none."""
        name = f"head-{key[:32]}.npz"
        stored = self._read(name)
        if stored is None:
            return None
        try:
            return _checked(_head(stored, exemplars, encoder))
        except _UNREADABLE as error:
            self.unusable(name, error)
            return None

    def save_head(self, key: str, head: Head) -> None:
        """Keep a fitted head."""
        self._write(f"head-{key[:32]}.npz", _arrays(head))

    def numbers(self, key: str, texts: int, compute: Callable[[], Rows]) -> Rows:
        """One number for each of so many texts, as kept under that key; else computed, and kept."""
        name = f"numbers-{key[:32]}.npz"
        stored = self._read(name)
        try:
            if stored is not None:
                _shaped("numbers", stored["numbers"], (texts,), "f")
                return stored["numbers"]
        except _UNREADABLE as error:
            self.unusable(name, error)
        numbers = compute()
        self._write(name, {"numbers": numbers})
        return numbers

    @contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """No other process looks for that head in this folder: of workers that start together one fits it for all."""
        if self._folder is None:
            yield
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
        with one_process(self._folder / f"head-{key[:32]}"):
            yield

    def remembering(self, encoder: Encoder) -> Encoder:
        """The same encoder, which looks up before it computes; for exemplars, not for what people say."""
        shipped = _shipped() if encoder.id == MiniLM.id else {}
        return _Remembering(self, encoder, shipped) if self._folder is not None or shipped else encoder

    def _read(self, name: str) -> dict[str, NDArray[Any]] | None:
        if self._folder is None:
            return None
        try:
            with (self._folder / name).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                return dict(stored)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except _UNREADABLE as error:
            self.unusable(name, error)
            return None

    def unusable(self, name: str, why: object) -> None:
        """Tell that something kept is computed again."""
        log.warning(
            "%s in the classifier's cache %s cannot be used and is made anew: %s.", name, self._folder, why
        )

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
    """An encoder with one file of vectors, found by the hash of their text, beside those that come with it."""

    def __init__(self, cache: Cache, encoder: Encoder, shipped: Mapping[bytes, Rows]) -> None:
        self._cache = cache
        self._encoder = encoder
        self._shipped = shipped
        self.id = encoder.id
        self._name = f"vectors-{sha256(encoder.id.encode()).hexdigest()[:16]}.npz"

    def encode(self, texts: Sequence[str]) -> Rows:
        """One row for each text, computed only for those never seen before."""
        keys = [text_key(text) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        ours = self._load()
        known = ChainMap(ours, self._shipped)  # type: ignore[arg-type]  # only the first is written to
        missing = {key: text for key, text in wanted.items() if key not in known}
        # Where all are known, one is computed all the same: it tells whether the others are of this encoder.
        asked = missing or dict(list(wanted.items())[:1])
        rows = self._encoder.encode(list(asked.values()))
        if fits := _of_one_kind(known, asked, rows):
            if missing:
                known.update(zip(missing, rows, strict=True))
        else:
            self._cache.unusable(self._name, "its vectors are of another model")
            ours = dict(zip(wanted, self._encoder.encode(list(wanted.values())), strict=True))
            known = ChainMap(ours)
        if missing or not fits:
            stored = np.frombuffer(b"".join(ours), dtype=np.uint8).reshape(-1, 16)
            self._cache._write(self._name, {"keys": stored, "rows": np.stack(list(ours.values()))})
        return np.stack([known[key] for key in keys]).astype(np.float32)

    def _load(self) -> dict[bytes, Rows]:
        stored = self._cache._read(self._name)
        if stored is None:
            return {}
        try:
            keys, rows = stored["keys"], stored["rows"]
            _shaped("keys", keys, (len(keys), 16), "u")
            _shaped("rows", rows, (len(keys), rows.shape[-1]), "f")
        except _UNREADABLE as error:
            self._cache.unusable(self._name, error)
            return {}
        return {key.tobytes(): row for key, row in zip(keys, rows, strict=True)}


def _of_one_kind(known: ChainMap[bytes, Rows], asked: Iterable[bytes], rows: Rows) -> bool:
    """Vectors kept and vectors just computed are as wide, and the same where both are there."""
    # Those of one place are as wide as each other.
    widths = {len(one[key]) for one in known.maps for key in islice(one, 1)} | {rows.shape[1]}
    return len(widths) == 1 and all(
        np.allclose(known[key], row, atol=_ALIKE)
        for key, row in zip(asked, rows, strict=True)
        if key in known
    )


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


def _checked(head: Head) -> Head:
    """The same head. Raises ValueError when its parts do not fit each other or hold what is no number."""
    known, lexical, intents, texts = head.known, head.lexical, len(head.intents), len(head.exemplars)
    if list(head.intents) != sorted({e.intent for e in head.exemplars}):
        raise ValueError("it is of other intents")
    words = (len(lexical.vocabulary), lexical.directions.shape[-1])
    compared, width = len(known.order), known.directions.shape[-1]
    widths = [words[1]] if head.encoder is None else [width, words[1]]
    if widths[0] != width:
        raise ValueError("directions and words are of different widths")
    for weights, wide in zip(head.weights, widths, strict=True):
        _shaped("weights", weights, (wide + 1, intents), "f")
    _shaped("rarity", lexical.rarity, words[:1], "f")
    _shaped("words", lexical.directions, words, "f")
    _shaped("order", known.order, (compared,), "i")
    _shaped("starts", known.starts, (intents,), "i")
    _shaped("directions", known.directions, (compared, width), "f")
    _shaped("centres", known.centres, (intents, width), "f")
    _shaped("pull", known.pull, (width, intents), "f")
    _shaped("spread", known.spread, (intents,), "f")
    _shaped("bend", known.bend, (width, width), "f")
    _shaped("lean", known.lean, (width,), "f")
    _shaped("numbers", np.array(_numbers(head)), (len(_numbers(head)),), "f")
    ends = np.append(known.starts[1:], compared)
    if known.starts[0] != 0 or not (ends - known.starts > 1).all():
        raise ValueError("its starts are in no order")
    said = np.delete(known.order, ends - 1)  # the last of an intent's is its name
    if said.min() < 0 or said.max() >= texts:
        raise ValueError("its order names texts that are not there")
    return head


def _numbers(head: Head) -> list[float]:
    logistic = head.scope.logistic
    return [head.nearness, head.known.level, *head.scope.weights, logistic.slope, logistic.offset]


def _shaped(name: str, array: NDArray[Any], shape: tuple[int, ...], kind: str) -> None:
    """Raises ValueError when an array has another shape or kind than it must, or holds what is no number."""
    if array.shape != shape or array.dtype.kind != kind:
        raise ValueError(f"{name} is {array.dtype} of shape {array.shape}, not of shape {shape}")
    if kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} holds what is no number")
