"""Runs the model: what a message does in the place of a question, and where the value stands."""

import json
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib.util import find_spec
from threading import Lock
from typing import Any

from softrail.reader.learned.choosing import ChoosingReader
from softrail.reader.learned.items import ItemsReader
from softrail.reader.learned.joint import JointReader
from softrail.reader.learned.loading import FIRST, PAIR, folder, session, sigmoid, tokenizer
from softrail.reader.learned.marks import ACTS, Chosen, Edited, Joint, Marks, Piece
from softrail.reader.learned.spans import Point, best, trimmed

NAME = "reader-minilm-l6-w8"
FILE = "reader-minilm-l6-w8.onnx"
_QUERY, _MESSAGE = 64, 128  #: tokens read of each
_CHARACTERS = 1000  #: read of a message before it is cut into tokens
_KEPT = 1024  #: readings kept


class LearnedReader:
    """Reads one query and one message at a time on one thread, so a reading does not depend on what is read with it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: tuple[Any, Any, dict[str, Any]] | None = None
        self._mark = lru_cache(maxsize=_KEPT)(self._read)
        self._joint = JointReader()
        self._choosing = ChoosingReader()
        self._items = ItemsReader()

    @cached_property
    def id(self) -> str:
        """Its name and a hash of its file."""
        return f"{NAME}.{sha256((folder() / FILE).read_bytes()).hexdigest()[:8]}"

    def mark(self, message: str, queries: Sequence[str]) -> list[Marks]:
        """What the message does and gives, for each query. It computes; call it off the event loop."""
        head = message[:_CHARACTERS]
        return [self._mark(query, head) for query in queries]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        """What the message says of each field at once, the open one first. It computes; call it off the event loop."""
        return self._joint.joint(message[:_CHARACTERS], queries)

    def items(self, message: str, asked: str) -> Sequence[Piece]:
        """What each token is to the items of the list that is asked for. It computes; call it off the event loop."""
        return self._items.items(message[:_CHARACTERS], asked)

    def edited(self, message: str, asked: str, there: Sequence[str], question: str) -> Edited | None:
        """What the message makes of that list; None where that is too long. It computes; call it off the event loop."""
        return self._items.edited(message[:_CHARACTERS], asked, there, question)

    def choose(self, message: str, asks: str, options: Sequence[str], *, beside: bool = False) -> Chosen:
        """Which of the options the message means as an answer to that question. It computes; call it off the event loop."""
        return self._choosing.choose(message[:_CHARACTERS], asks, options, beside=beside)

    def _read(self, query: str, message: str) -> Marks:
        import numpy as np

        tokenizer, session, calibration = self._load()
        asked = tokenizer.encode(query, add_special_tokens=False).ids[:_QUERY]
        said = tokenizer.encode(message, add_special_tokens=False)
        words = said.ids[:_MESSAGE]
        ids = [FIRST, *asked, PAIR, *words, PAIR]
        types = [0] * (len(asked) + 2) + [1] * (len(words) + 1)
        points, marks = session.run(
            ["points", "marks"],
            {
                "input_ids": np.array([ids], dtype=np.int64),
                "token_type_ids": np.array([types], dtype=np.int64),
            },
        )
        scores = _probabilities(marks[0], calibration)
        if not words:
            return Marks(acts=dict(zip(ACTS, scores, strict=False)), start=0, end=0, value=0.0, span=0.0)
        at = len(asked) + 2
        point = best(points[0][at : at + len(words)] / calibration["span_temperature"])
        start, end = _place(point, said.offsets, message)
        a, b = calibration["span"]
        return Marks(
            acts=dict(zip(ACTS, scores, strict=False)),
            start=start,
            end=end,
            value=scores[len(ACTS)] if end > start else 0.0,
            span=sigmoid(a * point.logit + b),
        )

    def _load(self) -> tuple[Any, Any, dict[str, Any]]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load()
            return self._loaded


def _place(point: Point, offsets: Sequence[tuple[int, int]], message: str) -> tuple[int, int]:
    return trimmed(message, offsets[point.first][0], offsets[point.last][1])


def _probabilities(logits: Any, calibration: dict[str, Any]) -> list[float]:
    return [sigmoid(a * float(x) + b) for x, (a, b) in zip(logits, calibration["marks"], strict=True)]


def _load() -> tuple[Any, Any, dict[str, Any]]:
    calibration: dict[str, Any] = json.loads((folder() / "calibration.json").read_text(encoding="utf-8"))
    return tokenizer(), session(FILE), calibration


def learned() -> LearnedReader | None:
    """The shared reader; None where onnxruntime or tokenizers is not installed. It is loaded when first used."""
    installed = all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))
    return _shared() if installed else None


@cache
def _shared() -> LearnedReader:
    """One for the whole program: it has no state but its weights and the last readings."""
    return LearnedReader()
