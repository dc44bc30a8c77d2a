"""Whether an access still stands, for what lasts longer than a request: one look for all of them, every few seconds."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final

from fastapi import Request

from softrail.core.errors import SoftrailError

log = logging.getLogger(__name__)

LOOK_EVERY: Final = 2.0  #: seconds; an access that was taken back ends what it began at most this much later

#: Called with the request of an event stream: within the block the future is done once the stream has to end.
Follow = Callable[[Request], AbstractContextManager["asyncio.Future[None] | None"]]


def for_ever(_: Request) -> AbstractContextManager[None]:
    """A stream that ends with its session: whoever knows who asks has not said how to ask again."""
    return nullcontext()


class Standing:
    """Looks for all credentials that are followed at once; `look` gives those of them that still stand."""

    def __init__(
        self, look: Callable[[Collection[str]], Awaitable[Collection[str]]], *, every: float = LOOK_EVERY
    ) -> None:
        self._look = look
        self._every = every
        self._followed: defaultdict[str, set[asyncio.Future[None]]] = defaultdict(set)
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def follow(self, credential: str) -> "Iterator[asyncio.Future[None]]":
        """Within the block the future tells when the credential does not stand any more."""
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._followed[credential].add(over)
        if self._looking is None:
            self._looking = asyncio.create_task(self._keep_looking(), name="softrail-standing")
        try:
            yield over
        finally:
            self._followed[credential].discard(over)
            if not self._followed[credential]:
                del self._followed[credential]
            if not self._followed and self._looking is not None:
                self._looking.cancel()
                self._looking = None  # it is not over yet, and looks no more for whoever comes next

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            asked = list(self._followed)
            try:
                stand = set(await self._look(asked))
            except SoftrailError as error:  # nobody can tell just now
                log.warning("Whether accesses still stand could not be looked up: %s", error)
                continue
            except Exception:  # a stream outlives it, and so does the look for it
                log.exception("The look whether accesses still stand failed.")
                continue
            for credential in asked:
                if credential not in stand:
                    for over in self._followed.get(credential, ()):
                        if not over.done():
                            over.set_result(None)
