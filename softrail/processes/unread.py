"""The words of a message did not give the value that was asked for."""

from collections.abc import Sequence
from typing import Final

from softrail.core.questions import Option

BUTTONS: Final = 4  #: of what words may mean, no more are offered


class Unread(ValueError):
    """`sentence` names the one that says why; `values` fill its places.

    `either` are what the words may mean where they may mean two things: they are asked for on buttons.
    """

    def __init__(self, sentence: str, *, either: Sequence[Option] = (), **values: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.either = tuple(either)
        self.values = values
