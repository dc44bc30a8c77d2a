"""The one way from a turn to a language model.

Before the first call the turn is accepted, so nothing outside can notice a turn that may yet be forgotten;
every call is noted in the turn's decision record.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from softrail.core.decisions import Decision, ModelCall
from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Model, ModelAnswer, ModelRequest


@dataclass(frozen=True, slots=True)
class _Passing:
    decision: Decision
    accept: Callable[[], Awaitable[None]] | None
    person_id: str | None


_passing: ContextVar[_Passing | None] = ContextVar("softrail_turn", default=None)


@contextmanager
def turn_passing(
    decision: Decision, accept: Callable[[], Awaitable[None]] | None, *, person_id: str | None = None
) -> Iterator[None]:
    """Within the block, model calls belong to this turn."""
    token = _passing.set(_Passing(decision, accept, person_id))
    try:
        yield
    finally:
        _passing.reset(token)


def asking() -> str | None:
    """The id of the person in whose turn a model is asked; None outside of turns."""
    passing = _passing.get()
    return passing.person_id if passing is not None else None


class ModelDoor:
    """A Model that accepts the turn before it asks the real one, and keeps account."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = model.name

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The real model's answer; raises ModelUnavailable."""
        passing = await self._enter()
        try:
            answer = await self._model.answer(request)
        except ModelUnavailable:
            self._note(passing, request, None)
            raise
        self._note(passing, request, answer)
        return answer

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """The real model's pieces as they come, then its ModelAnswer."""
        passing = await self._enter()
        answer: ModelAnswer | None = None
        try:
            async for piece in self._model.stream(request):
                if isinstance(piece, ModelAnswer):
                    answer = piece
                yield piece
        finally:
            self._note(passing, request, answer)

    async def _enter(self) -> _Passing | None:
        passing = _passing.get()
        if passing is not None and passing.accept is not None:
            await passing.accept()
        return passing

    def _note(self, passing: _Passing | None, request: ModelRequest, answer: ModelAnswer | None) -> None:
        if passing is None:
            return
        call = ModelCall(purpose=request.purpose, model=self.name, ok=answer is not None)
        if answer is not None:
            call = ModelCall(
                purpose=request.purpose,
                model=answer.model,
                input_tokens=answer.input_tokens,
                output_tokens=answer.output_tokens,
                cached_tokens=answer.cached_tokens,
            )
        passing.decision.model_calls.append(call)
