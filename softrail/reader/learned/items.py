"""Reads where the items begin of a list that was told in one breath, and which of those it has go, and come."""

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Any, Final

from softrail.reader.learned.loading import FIRST, PAIR, session, sigmoid, tokenizer
from softrail.reader.learned.marks import Edited, Piece

FILE: Final = "items-minilm-l6-w8.onnx"
PART: Final = 1  #: the mark before what is asked, the list and each item that there is: a token that stands for nothing else
#: Tokens read of the question for the list, of an item, of all of them, of what is asked, and of the message.
QUERY, OFFERED, THERE, ASKED, MESSAGE = 64, 16, 160, 32, 128
_KEPT: Final = 256  #: readings kept


def laid_out(words: Any, asked: str, there: Sequence[str], question: str) -> tuple[list[int], list[int]]:
    """The tokens before a message, and where the mark of each item stands; items that are too many are left out."""
    query = words.encode(asked, add_special_tokens=False).ids[:QUERY]
    if not there:
        return [FIRST, *query, PAIR], []
    ids = [FIRST, PART, *words.encode(question, add_special_tokens=False).ids[-ASKED:], PART, *query]
    places, most = [], len(ids) + THERE
    for item in there:
        tokens = words.encode(item, add_special_tokens=False).ids[:OFFERED]
        if len(ids) + len(tokens) + 1 > most:
            break
        places.append(len(ids))
        ids += [PART, *tokens]
    return [*ids, PAIR], places


def as_read(
    odds: Sequence[Sequence[float]], said: int, offsets: Sequence[tuple[int, int]], places: Sequence[int]
) -> Edited:
    """What the model's three numbers of each token say; the message begins at token `said`, its tokens stand at the `offsets`."""
    pieces = [
        Piece(start=start, end=end, begins=sigmoid(begins), inside=sigmoid(inside), one=sigmoid(one))
        for (start, end), (begins, inside, one) in zip(offsets[:MESSAGE], odds[said:], strict=False)
    ]
    return Edited(goes=tuple(sigmoid(odds[at][2]) for at in places), pieces=pieces)


class ItemsReader:
    """Runs the items model on one thread; it is loaded when it is first asked."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: tuple[Any, Any] | None = None
        self._kept = lru_cache(maxsize=_KEPT)(self._read)

    def items(self, message: str, asked: str) -> Sequence[Piece]:
        """What each token of the message is to the items of the list that is asked for; of a long one, of its head."""
        return self._kept(message, asked, (), "").pieces

    def edited(self, message: str, asked: str, there: Sequence[str], question: str) -> Edited | None:
        """What the message makes of a list, where something else is asked; None where it is too long to be read."""
        read = self._kept(message, asked, tuple(there), question)
        return read if len(read.goes) == len(there) else None

    def _read(self, message: str, asked: str, there: tuple[str, ...], question: str) -> Edited:
        import numpy as np

        words, run = self._load()
        begun, places = laid_out(words, asked, there, question)
        said = words.encode(message, add_special_tokens=False)
        tokens = said.ids[:MESSAGE]
        ids = [*begun, *tokens, PAIR]
        types = [0] * len(begun) + [1] * (len(tokens) + 1)
        [odds] = run.run(
            ["items"],
            {
                "input_ids": np.array([ids], dtype=np.int64),
                "token_type_ids": np.array([types], dtype=np.int64),
            },
        )
        return as_read(odds[0].tolist(), len(begun), said.offsets, places)

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = tokenizer(), session(FILE)
            return self._loaded
