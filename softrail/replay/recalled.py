"""What a language model said when a conversation was recorded, said again where it is played."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final

from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.models.plain import PLAIN, PlainModel

RECALLED: Final = "recalled"


class Recalled:
    """A Model that gives the words of a recorded turn while that is played; at any other time there is none."""

    def __init__(self) -> None:
        self._words: str | None = None
        self._none = PlainModel()

    @property
    def name(self) -> str:
        """Plain where nothing is recalled: what asks no model then, asks none here."""
        return PLAIN if self._words is None else RECALLED

    @contextmanager
    def saying(self, words: str | None) -> Iterator[None]:
        """Within the block these are what a free turn is answered; None: there is no model."""
        self._words = words
        try:
            yield
        finally:
            self._words = None

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The words; raises ModelUnavailable where anything but words for a free turn is wanted."""
        if self._words is None or request.purpose != "respond":
            return await self._none.answer(request)
        return ModelAnswer(text=self._words, model=RECALLED)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """The words in one piece, then the whole answer."""
        answer = await self.answer(request)
        yield answer.text
        yield answer
