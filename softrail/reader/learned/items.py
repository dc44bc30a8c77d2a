"""Reads where the items begin of a list that was told in one breath."""

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Any, Final

from softrail.reader.learned.loading import FIRST, PAIR, session, sigmoid, tokenizer
from softrail.reader.learned.marks import Piece

FILE: Final = "items-minilm-l6-w8.onnx"
QUERY, MESSAGE = 64, 128  #: tokens read of each
_KEPT: Final = 256  #: readings kept


class ItemsReader:
    """Runs the items model on one thread; it is loaded when it is first asked."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: tuple[Any, Any] | None = None
        self._kept = lru_cache(maxsize=_KEPT)(self._read)

    def items(self, message: str, asked: str) -> Sequence[Piece]:
        """What each token of the message is to the items of the list that is asked for; of a long one, of its head."""
        return self._kept(message, asked)

    def _read(self, message: str, asked: str) -> Sequence[Piece]:
        import numpy as np

        words, run = self._load()
        query = words.encode(asked, add_special_tokens=False).ids[:QUERY]
        said = words.encode(message, add_special_tokens=False)
        tokens = said.ids[:MESSAGE]
        ids = [FIRST, *query, PAIR, *tokens, PAIR]
        types = [0] * (len(query) + 2) + [1] * (len(tokens) + 1)
        [odds] = run.run(
            ["items"],
            {
                "input_ids": np.array([ids], dtype=np.int64),
                "token_type_ids": np.array([types], dtype=np.int64),
            },
        )
        each = odds[0, len(query) + 2 :].tolist()
        return [
            Piece(start=start, end=end, begins=sigmoid(begins), inside=sigmoid(inside))
            for (start, end), (begins, inside) in zip(said.offsets[: len(tokens)], each, strict=False)
        ]

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = tokenizer(), session(FILE)
            return self._loaded
