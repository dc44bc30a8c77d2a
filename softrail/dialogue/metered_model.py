"""The one way from a turn to a language model.

Before the first call the turn is accepted, so nothing outside can notice a turn that may yet be forgotten;
every call is noted in the turn's decision record, and all calls of a turn share one limit of time and of new tries.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from softrail.core.border import mended
from softrail.core.clock import ticks
from softrail.core.decisions import Decision, ModelCall
from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Model, ModelAnswer, ModelRequest
from softrail.core.streams import closing
from softrail.core.within import Within

Clock = Callable[[], float]
MOST_RETRIES: Final = 2  #: of all calls of a turn together


@dataclass(slots=True)
class _Passing:
    decision: Decision
    accept: Callable[[], Awaitable[None]] | None
    person_id: str | None
    own: Model | None
    until: float | None = None  #: of the clock; known once a model was asked
    retries: int = MOST_RETRIES  #: that are left


_passing: ContextVar[_Passing | None] = ContextVar("softrail_turn", default=None)


def turn_passing(
    decision: Decision,
    accept: Callable[[], Awaitable[None]] | None,
    *,
    person_id: str | None = None,
    own: Model | None = None,
) -> Within[_Passing | None]:
    """Within the block, model calls belong to this turn; `own` is the model on the person's own account."""
    return Within(_passing, _Passing(decision, accept, person_id, own))


def asking() -> str | None:
    """The id of the person in whose turn a model is asked; None outside of turns."""
    passing = _passing.get()
    return passing.person_id if passing is not None else None


class ModelDoor:
    """A Model that accepts the turn before it asks the real one, and keeps account.

    The real one is that on the person's own account, where the turn has one.
    """

    def __init__(self, model: Model, *, seconds: float | None = None, clock: Clock = ticks) -> None:
        """Make it; `seconds` is what all calls of one turn may take together, None leaves each its own limit."""
        self._model = model
        self._seconds = seconds
        self._clock = clock

    @property
    def name(self) -> str:
        """That of the model this turn's calls go to."""
        return self._asked().name

    @property
    def behind(self) -> Model:
        """The one on the system's account; asked outside of a turn, it is nobody's call."""
        return self._model

    @property
    def standing(self) -> str | None:
        """What became of the last call on the system's account; None: this model does not say."""
        return getattr(self._model, "standing", None)

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The real model's answer; raises ModelUnavailable."""
        passing, began = await self._enter(), self._clock()
        try:
            answer = await self._asked().answer(self._limited(passing, request))
        except ModelUnavailable as error:
            self._note(passing, request, error.spent, error, began=began)
            raise
        except asyncio.CancelledError:  # by a step's own limit: the call was made all the same
            self._note(passing, request, None, ModelUnavailable("The call was cut off."), began=began)
            raise
        self._note(passing, request, answer, began=began)
        return replace(answer, text=mended(answer.text))

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """The real model's pieces as they come, then its ModelAnswer."""
        passing, began = await self._enter(), self._clock()
        answer: ModelAnswer | None = None
        failed: ModelUnavailable | None = None
        try:
            async with closing(self._asked().stream(self._limited(passing, request))) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelAnswer):
                        answer = piece
                        yield replace(piece, text=mended(piece.text))
                    else:
                        yield mended(piece)
        except ModelUnavailable as error:
            failed, answer = error, error.spent
            raise
        finally:
            self._note(passing, request, answer, failed, began=began)

    def _asked(self) -> Model:
        passing = _passing.get()
        return self._model if passing is None or passing.own is None else passing.own

    async def _enter(self) -> _Passing | None:
        passing = _passing.get()
        if passing is not None and passing.accept is not None:
            await passing.accept()
        return passing

    def _limited(self, passing: _Passing | None, request: ModelRequest) -> ModelRequest:
        if passing is None:
            return request
        request = replace(request, retries=passing.retries)
        if self._seconds is None:
            return request
        if passing.until is None:
            passing.until = self._clock() + self._seconds
        left = passing.until - self._clock()
        if left <= 0:
            late = ModelUnavailable(
                "The model has had all the time of this turn.", purpose=request.purpose, asked=False
            )
            late.trouble = "slow"
            raise late
        return replace(request, seconds=left if request.seconds is None else min(left, request.seconds))

    def _note(
        self,
        passing: _Passing | None,
        request: ModelRequest,
        answer: ModelAnswer | None,
        error: ModelUnavailable | None = None,
        *,
        began: float,
    ) -> None:
        if passing is None:
            return
        tried = answer.retries if answer is not None else error.details.get("retries", 0) if error else 0
        passing.retries = max(0, passing.retries - tried)
        call = ModelCall(
            purpose=request.purpose,
            model=self.name,
            ok=answer is not None and error is None,
            error="" if error is None else error.message[:200],
            cost_usd=Decimal(0) if error is not None and _free(error) else None,
            milliseconds=round((self._clock() - began) * 1000, 1),
        )
        if answer is not None:
            call = replace(
                call,
                model=answer.model,
                input_tokens=answer.input_tokens,
                output_tokens=answer.output_tokens,
                cached_tokens=answer.cached_tokens,
                cache_write_tokens=answer.cache_write_tokens,
                cost_usd=answer.cost_usd,
                paid_by=answer.paid_by,
            )
        passing.decision.called(call)


def _free(error: ModelUnavailable) -> bool:
    """Nothing was asked, or it was refused with a status: neither is billed. Of anything else nobody knows."""
    return error.details.get("asked") is False or error.details.get("status") is not None
