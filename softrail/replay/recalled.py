"""What a language model said when a conversation was recorded, said again where it is played; what it says now, where that is wanted."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import Context
from typing import Final

from softrail.core.ports import Model, ModelAnswer, ModelRequest
from softrail.models.plain import PlainModel

RECALLED: Final = "recalled"


class Recalled:
    """A Model that gives the words of a recorded turn while that is played, and asks `real` where that is wanted.

    At any other time there is none.
    """

    def __init__(self, real: Model) -> None:
        self.real = real
        self._words: str | None = None
        self._now: Model = PlainModel()

    @property
    def name(self) -> str:
        """Plain where nothing is recalled or asked: what asks no model then, asks none here."""
        return self._now.name if self._words is None else RECALLED

    @contextmanager
    def asking(self, wanted: bool) -> Iterator[None]:
        """Within the block the real one is asked, where that is wanted."""
        self._now = self.real if wanted else PlainModel()
        try:
            yield
        finally:
            self._now = PlainModel()

    @contextmanager
    def saying(self, words: str | None) -> Iterator[None]:
        """Within the block these are what a free turn is answered; None: there is no model."""
        self._words = words
        try:
            yield
        finally:
            self._words = None

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The words; raises ModelUnavailable where there are none and the real one is not asked.

        The real one is asked outside of the turn and of the clock that are played: at this hour, and on nobody's behalf.
        """
        if self._words is None or request.purpose != "respond":
            asked = asyncio.create_task(_answered(self._now, request), context=Context())
            return await asked
        return ModelAnswer(text=self._words, model=RECALLED)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """The words in one piece, then the whole answer."""
        answer = await self.answer(request)
        yield answer.text
        yield answer


async def _answered(model: Model, request: ModelRequest) -> ModelAnswer:
    return await model.answer(request)
