"""A value that holds within a block, for all that runs in it and nobody else."""

from contextvars import ContextVar, Token
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")


class Within(Generic[T]):
    """Within the block, the variable has that value. A class, since a turn enters five and a generator costs twice."""

    __slots__ = ("_token", "_value", "_variable")

    def __init__(self, variable: ContextVar[T], value: T) -> None:
        self._variable = variable
        self._value = value

    def __enter__(self) -> None:
        self._token: Token[T] = self._variable.set(self._value)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._variable.reset(self._token)
