"""Reads one message over all fields of a form at once: which of them it gives, where, and which answers it denies."""

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Any, Final

from softrail.reader.learned.loading import FIRST, PAIR, folder, session, sigmoid, tokenizer
from softrail.reader.learned.marks import ACTS, Joint, Told
from softrail.reader.learned.spans import best, trimmed

FILE: Final = "joint-minilm-l6-w8.onnx"
FIELD: Final = 1  #: the mark before each field: a token that stands for nothing else
#: Tokens read of the open question, of another field, of all of them, and of the message.
QUERY, OTHER, FIELDS, MESSAGE = 64, 28, 240, 128
_KEPT: Final = 256  #: readings kept


class JointReader:
    """Runs a joint model on one thread; it is loaded when it is first asked."""

    def __init__(self, file: str = FILE, calibration: str = "joint-calibration.json") -> None:
        self._file, self._calibration = file, calibration
        self._lock = Lock()
        self._loaded: tuple[Any, Any, dict[str, Any]] | None = None
        self._kept = lru_cache(maxsize=_KEPT)(self._read)

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        """What the message says of each field, the open one first; of fields that are too many it says nothing."""
        return self._kept(message, tuple(queries))

    def _read(self, message: str, queries: tuple[str, ...]) -> Joint:
        import numpy as np

        words, run, numbers = self._load()
        ids, places = [FIRST], []
        for at, asked in enumerate(queries):
            tokens = words.encode(asked, add_special_tokens=False).ids[: OTHER if at else QUERY]
            if len(ids) + len(tokens) + 1 > FIELDS:
                break
            places.append(len(ids))
            ids += [FIELD, *tokens]
        said = words.encode(message, add_special_tokens=False)
        tokens, offsets = said.ids[:MESSAGE], said.offsets[:MESSAGE]
        begin = len(ids) + 1
        ids += [PAIR, *tokens, PAIR]
        types = [0] * begin + [1] * (len(tokens) + 1)
        marks, starts, ends, does = run.run(
            ["marks", "starts", "ends", "acts"],
            {
                "input_ids": np.array([ids], dtype=np.int64),
                "token_type_ids": np.array([types], dtype=np.int64),
                "fields": np.array(places, dtype=np.int64),
            },
        )
        told = []
        for at in range(len(queries)):
            if at >= len(places) or not tokens:
                told.append(Told(given=0.0, start=0, end=0, placed=0.0, denied=0.0, yes=0.0, no=0.0))
                continue
            inside = slice(begin, begin + len(tokens))
            point = best(np.stack([starts[at, inside], ends[at, inside]], axis=1))
            start, end = trimmed(message, offsets[point.first][0], offsets[point.last][1])
            given, denied, yes, no = (
                sigmoid(a * float(x) + b) for x, (a, b) in zip(marks[at], numbers["marks"], strict=True)
            )
            a, b = numbers["span"]
            told.append(
                Told(
                    given=given,
                    start=start,
                    end=end,
                    placed=sigmoid(a * point.logit + b),
                    denied=denied,
                    yes=yes,
                    no=no,
                )
            )
        acts = {
            act: sigmoid(a * float(x) + b)
            for act, x, (a, b) in zip(ACTS, does[0], numbers["acts"], strict=True)
        }
        return Joint(told=tuple(told), acts=acts)

    def _load(self) -> tuple[Any, Any, dict[str, Any]]:
        import json

        with self._lock:
            if self._loaded is None:
                numbers = json.loads((folder() / self._calibration).read_text(encoding="utf-8"))
                self._loaded = tokenizer(), session(self._file), numbers
            return self._loaded
