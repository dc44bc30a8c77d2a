"""What the models of the reader are loaded with: one thread, the words of the sentence encoder, numbers as odds."""

from functools import cache
from importlib import import_module
from importlib.resources import files
from math import exp
from typing import Any, Final

from softrail import inference

FIRST: Final = 101  #: the mark before everything
PAIR: Final = 102  #: the mark after the query, and after the message


def folder() -> Any:
    """Where the files of the models are."""
    return files("softrail.reader.learned") / "model"


def session(name: str) -> Any:
    """A model that computes on the thread that asks it."""
    return inference.session(folder(), name)


@cache
def tokenizer() -> Any:
    """The same base, the same words."""
    tokenizers: Any = import_module("tokenizers")

    words = files("softrail.classifier") / "minilm" / "tokenizer.json"
    made = tokenizers.Tokenizer.from_str(words.read_text(encoding="utf-8"))
    made.no_padding()
    made.no_truncation()
    return made


def sigmoid(x: float) -> float:
    """A probability from log odds."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, x))))
