"""What people's turns use of a language model in a day: counted for everyone, limited where the system pays."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from softrail.core.clock import now
from softrail.core.errors import ModelUnavailable
from softrail.core.keys import Account
from softrail.core.ports import Message, Model, ModelAnswer, ModelRequest
from softrail.core.streams import closing
from softrail.dialogue.metered_model import asking
from softrail.store import SqlStore
from softrail.store.spending import Spent, reserve, settle, spent_on

_CHARACTERS_A_TOKEN: Final = 3  #: rather too many tokens are set aside than too few


class BudgetSpent(ModelUnavailable):
    """The person has used what they may use today; no call was made."""

    trouble = "budget"


@dataclass(frozen=True, kw_only=True, slots=True)
class Spending:
    """Counts over one store. `tokens_per_day` limits what a person's turns use on the system's account; 0: nothing does."""

    store: SqlStore
    tokens_per_day: int = 0

    def counted(self, model: Model, *, account: Account = "system", room: int = 0) -> "CountedModel":
        """The model, with its use counted to that account; `room`: tokens it may use beside its answer."""
        limit = self.tokens_per_day if account == "system" else 0
        return CountedModel(model, self.store, account=account, tokens_per_day=limit, room=room)

    async def today(self, person_id: str, *, at: datetime | None = None) -> Spent:
        """What the person's turns have used today, in UTC."""
        day = _day(at or now())
        return await self.store.read(lambda conn: spent_on(conn, person_id, day))


@dataclass(frozen=True, slots=True)
class _Aside:
    """What a call has set aside."""

    person_id: str
    day: str
    tokens: int


class CountedModel:
    """Sets tokens aside in the store before each call, and afterwards counts what it has really used.

    Raises `BudgetSpent` instead of a call that could pass the limit. Calls that belong to no person's turn are not
    counted. A call that failed is not counted; of one that was cut off from this side nobody knows what it has used, and
    what was set aside for it stays counted.
    """

    def __init__(
        self, model: Model, store: SqlStore, *, account: Account, tokens_per_day: int, room: int
    ) -> None:
        self._model = model
        self._store = store
        self._account = account
        self._limit = tokens_per_day
        self._room = room

    @property
    def name(self) -> str:
        """The model's own."""
        return self._model.name

    @property
    def standing(self) -> str | None:
        """Likewise; None: it does not say."""
        return getattr(self._model, "standing", None)

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The model's answer, within the budget."""
        aside = await self._reserve(request)
        try:
            answer = await self._model.answer(request)
        except ModelUnavailable as error:
            await self._settle(aside, error.spent)
            raise
        await self._settle(aside, answer)
        return answer

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """The model's pieces, within the budget."""
        aside = await self._reserve(request)
        answer: ModelAnswer | None = None
        try:
            async with closing(self._model.stream(request)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelAnswer):
                        answer = piece
                        await self._settle(aside, answer)
                        aside = None
                    yield piece
        except ModelUnavailable as error:
            await self._settle(aside, error.spent)
            raise

    async def _reserve(self, request: ModelRequest) -> _Aside | None:
        person_id = asking()
        if person_id is None:
            return None
        at = now()
        if not self._limit:
            return _Aside(person_id, _day(at), 0)
        text = len(request.system) + sum(map(_length, request.messages))
        text += sum(len(tool.description) + len(str(tool.parameters)) for tool in request.tools)
        tokens = text // _CHARACTERS_A_TOKEN + request.max_tokens + self._room
        aside, limit = _Aside(person_id, _day(at), tokens), self._limit
        if not await self._store.write(
            lambda conn: reserve(conn, person_id, aside.day, tokens, limit=limit, at=at)
        ):
            raise BudgetSpent(
                "The person has used what they may use of the model today.", day=aside.day, asked=False
            )
        return aside

    async def _settle(self, aside: _Aside | None, answer: ModelAnswer | None) -> None:
        if aside is None or (answer is None and not aside.tokens):
            return
        used = 0 if answer is None else answer.input_tokens + answer.output_tokens
        spent = Spent(
            tokens=used - aside.tokens if self._account == "system" else 0,
            own_tokens=used if self._account == "person" else 0,
            cost_usd=None if answer is None else answer.cost_usd,
            unpriced=answer is not None and answer.cost_usd is None,
        )
        at = now()
        await self._store.write(lambda conn: settle(conn, aside.person_id, aside.day, spent, at=at))


def _length(message: Message) -> int:
    return len(message.content) + sum(len(result.text) for result in message.results)


def _day(at: datetime) -> str:
    return at.date().isoformat()
