"""A language model that each person may use only so much in a day."""

from collections.abc import AsyncIterator
from typing import Final

from softrail.core.clock import now
from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Model, ModelAnswer, ModelRequest
from softrail.registry.model_door import asking
from softrail.store import SqlStore
from softrail.store.spending import reserve, settle

_CHARACTERS_A_TOKEN: Final = 3  #: rather too many tokens are set aside than too few


class BudgetSpent(ModelUnavailable):
    """The person has used what they may use today; no call was made."""


class BudgetedModel:
    """Sets tokens aside in the store before each call, and gives back what was not used.

    Raises `BudgetSpent` instead of a call that could pass the limit. Calls that belong to no person's turn are
    not counted.
    """

    def __init__(self, model: Model, store: SqlStore, *, tokens_per_day: int) -> None:
        self._model = model
        self._store = store
        self._limit = tokens_per_day
        self.name = model.name

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The model's answer, within the budget."""
        aside = await self._reserve(request)
        answer: ModelAnswer | None = None
        try:
            answer = await self._model.answer(request)
        finally:
            await self._settle(aside, answer)
        return answer

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """The model's pieces, within the budget."""
        aside = await self._reserve(request)
        answer: ModelAnswer | None = None
        try:
            async for piece in self._model.stream(request):
                if isinstance(piece, ModelAnswer):
                    answer = piece
                yield piece
        finally:
            await self._settle(aside, answer)

    async def _reserve(self, request: ModelRequest) -> tuple[str, str, int] | None:
        person_id = asking()
        if person_id is None:
            return None
        text = len(request.system) + sum(len(message.content) for message in request.messages)
        tokens, at = text // _CHARACTERS_A_TOKEN + request.max_tokens, now()
        day, limit = at.date().isoformat(), self._limit
        if not await self._store.write(
            lambda conn: reserve(conn, person_id, day, tokens, limit=limit, at=at)
        ):
            raise BudgetSpent("This person has used what they may use of the model today.", day=day)
        return person_id, day, tokens

    async def _settle(self, aside: tuple[str, str, int] | None, answer: ModelAnswer | None) -> None:
        if aside is None:
            return
        person_id, day, tokens = aside
        used = answer.input_tokens + answer.output_tokens if answer is not None else 0
        at = now()
        await self._store.write(lambda conn: settle(conn, person_id, day, used - tokens, at=at))
