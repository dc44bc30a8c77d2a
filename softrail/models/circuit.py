"""A provider that is away is left alone for a while: turns are answered at once instead of waiting for nothing."""

import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Final

from softrail.core.errors import ModelUnavailable, ModelUnreachable
from softrail.core.ports import Model, ModelAnswer, ModelRequest
from softrail.core.streams import closing
from softrail.models.bounds import Standing, standing_of

log = logging.getLogger(__name__)

FAILURES: Final = 3  #: in a row open the circuit
PAUSE: Final = 10.0  #: seconds nobody asks; then one call may try


class Circuit:
    """A `Model` that is not asked while its provider is away.

    After three calls in a row that could not reach the provider the circuit is open: for ten seconds every call is
    refused at once. Then one call is let through; its answer closes the circuit, its failure opens it again. Only
    `ModelUnreachable` counts: an answer that cannot be used, a refusal or a bad key say that the provider is there.
    A call that never left the process (`asked=False`: a library that is still being loaded) says nothing.
    """

    def __init__(self, model: Model, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._model = model
        self._clock = clock
        self._failures = 0
        self._open_until: float | None = None
        self._trying = False
        self.standing: Standing = "unasked"

    @property
    def name(self) -> str:
        """The model's own."""
        return self._model.name

    @property
    def is_open(self) -> bool:
        """The next call would be refused."""
        return self._open_until is not None and (self._trying or self._clock() < self._open_until)

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The model's answer; raises ModelUnreachable at once while the circuit is open."""
        with self._watched():
            return await self._model.answer(request)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """The model's pieces; raises ModelUnreachable at once while the circuit is open."""
        with self._watched():
            async with closing(self._model.stream(request)) as pieces:
                async for piece in pieces:
                    yield piece

    @contextmanager
    def _watched(self) -> Iterator[None]:
        if self.is_open:
            raise ModelUnreachable(
                f"The model {self.name} is left alone for a moment, because it was away.", asked=False
            )
        trial = self._open_until is not None
        self._trying = trial
        try:
            yield
        except ModelUnreachable as error:
            if error.details.get("asked") is False:
                raise
            self._failed(trial=trial)
            self.standing = error.trouble
            raise
        except ModelUnavailable as error:
            self._reached()
            self.standing = standing_of(error)
            raise
        except Exception:
            self._reached()  # it answered, if only with a refusal
            raise
        except BaseException:  # cancelled, or the reader of a stream left: that says nothing
            raise
        else:
            self._reached()
            self.standing = "answers"
        finally:
            self._trying = self._trying and not trial

    def _failed(self, *, trial: bool) -> None:
        if self._open_until is not None and not trial:
            return  # it began before the circuit opened, and tells nothing new
        self._failures += 1
        if self._failures >= FAILURES:
            if not trial:
                log.warning("The model %s is away: it is not asked for %g seconds.", self.name, PAUSE)
            self._open_until = self._clock() + PAUSE

    def _reached(self) -> None:
        if self._open_until is not None:
            log.warning("The model %s is back.", self.name)
        self._failures, self._open_until = 0, None
