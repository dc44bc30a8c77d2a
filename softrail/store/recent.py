"""What became of the last turn: one that the database refused tells more than a look at it does."""

from types import TracebackType
from typing import Final

from softrail.core.clock import ticks
from softrail.core.errors import StoreUnavailable

LASTS: Final = 3.0  #: seconds for which a refusal is told, unless something was written since


class Recent:
    """Notes what is done for a turn, as a block around it; what only reads proves nothing about writing."""

    def __init__(self) -> None:
        self._refused: StoreUnavailable | None = None
        self._at = 0.0
        self.reading = _Reading(self)

    def __enter__(self) -> None:
        """Something is to be written."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._refused = None
        else:
            self.note(error)

    def note(self, error: BaseException | None) -> None:
        """That came of it, if it is the database's."""
        if isinstance(error, StoreUnavailable):
            self._refused, self._at = error, ticks()

    def require(self) -> None:
        """Raises what the database said to the last turn, while that is news."""
        refused = self._refused
        if refused is not None and ticks() - self._at < LASTS:
            raise StoreUnavailable(refused.message, **refused.details)


class _Reading:
    """The same for what only reads."""

    def __init__(self, recent: Recent) -> None:
        self._recent = recent

    def __enter__(self) -> None:
        """Something is to be read."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._recent.note(error)
