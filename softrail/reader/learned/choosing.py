"""Reads which of some options a message means, in whatever words, or that it tells none."""

import json
from collections.abc import Sequence
from functools import lru_cache
from math import exp
from threading import Lock
from typing import Any, Final

from softrail.reader.learned.loading import FIRST, PAIR, folder, session, tokenizer
from softrail.reader.learned.marks import Chosen
from softrail.reader.learned.questions import query

FILE: Final = "choosing-minilm-l6-w8.onnx"
#: What may be meant beside the options: it is left open, none of them fits, it is no answer.
NOTHING: Final = ("open", "none", "aside")
OPTION: Final = (
    1  #: the mark before the question and before each option: a token that stands for nothing else
)
#: Tokens read of the question, of an option, of all of them, and of the message.
ASKED, OFFERED, ALL, MESSAGE = 48, 16, 200, 128
Span = tuple[int, int]
_KEPT: Final = 256  #: readings kept


def laid_out(words: Any, asks: str, options: Sequence[str], *, beside: bool) -> tuple[list[int], list[Span]]:
    """The tokens of a question and its options, and where each option stands; of options that are too many the first."""
    kind = "option" if beside else "choice"  # a yes to what was asked is none to anything else
    asked = words.encode(query(kind, asks), add_special_tokens=False).ids[-ASKED:]
    ids, spans = [FIRST, OPTION, *asked], []
    for option in options:
        tokens = words.encode(option, add_special_tokens=False).ids[:OFFERED]
        if len(ids) + len(tokens) + 1 > ALL:
            break
        spans.append((len(ids) + 1, len(ids) + 1 + len(tokens)))
        ids += [OPTION, *tokens]
    return [*ids, PAIR], spans


class ChoosingReader:
    """Runs the choosing model on one thread; it is loaded when it is first asked."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: tuple[Any, Any, float] | None = None
        self._kept = lru_cache(maxsize=_KEPT)(self._read)

    def choose(self, message: str, asks: str, options: Sequence[str], *, beside: bool = False) -> Chosen:
        """How likely each option is meant; of options that are too many to be read the last are not.

        `beside`: something else is asked, and the message may answer this as well.
        """
        return self._kept(message, asks, tuple(options), beside)

    def _read(self, message: str, asks: str, options: tuple[str, ...], beside: bool) -> Chosen:
        import numpy as np

        words, run, temperature = self._load()
        begun, spans = laid_out(words, asks, options, beside=beside)
        said = words.encode(message, add_special_tokens=False).ids[:MESSAGE]
        if not said or not spans:
            return Chosen(options=(0.0,) * len(options), open=0.0, none=0.0, aside=1.0)
        ids = [*begun, *said, PAIR]
        where = np.zeros((len(spans) + 1, len(ids)), dtype=np.float32)
        where[0, len(begun) : len(ids)] = 1
        for row, (start, end) in enumerate(spans, start=1):
            where[row, start:end] = 1
        types = [0] * len(begun) + [1] * (len(said) + 1)
        nothing, meant = run.run(
            ["nothing", "meant"],
            {
                "input_ids": np.array([ids], dtype=np.int64),
                "token_type_ids": np.array([types], dtype=np.int64),
                "where": where,
            },
        )
        likely = _shares([*nothing[0], *meant[:, 0]], temperature)
        left_out = (0.0,) * (len(options) - len(spans))
        return Chosen(
            options=(*likely[len(NOTHING) :], *left_out), open=likely[0], none=likely[1], aside=likely[2]
        )

    def _load(self) -> tuple[Any, Any, float]:
        with self._lock:
            if self._loaded is None:
                numbers = json.loads((folder() / "choosing-calibration.json").read_text(encoding="utf-8"))
                self._loaded = tokenizer(), session(FILE), float(numbers["temperature"])
            return self._loaded


def _shares(logits: Sequence[float], temperature: float) -> list[float]:
    """What each is of all that may be."""
    most = max(logits)
    odds = [exp((float(one) - most) / temperature) for one in logits]
    return [one / sum(odds) for one in odds]
