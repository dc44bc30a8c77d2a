"""The words of a message did not give the value that was asked for."""

from collections.abc import Sequence
from typing import Any, Final

from softrail.core.questions import Option

BUTTONS: Final = 4  #: of what words may mean, no more are offered


class Unread(ValueError):
    """`sentence` names the one that says why; `values` fill its places.

    `either` are what the words may mean where they may mean two things: they are asked for on buttons. `ends` are the two
    ends of what is told from one to the other: a question for one of them has its answer. `begun` is what is told of a value
    that is not all there: the day of a moment.
    """

    def __init__(
        self,
        sentence: str,
        *,
        either: Sequence[Option] = (),
        ends: tuple[Any, Any] | None = None,
        begun: str = "",
        **values: str,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.either = tuple(either)
        self.ends = ends
        self.begun = begun
        self.values = values
