"""A store whose process ends at a chosen call: from then on nothing comes back and nothing is written."""

import asyncio
from collections.abc import Callable
from typing import Any

from softrail.core.errors import StoreUnavailable
from softrail.core.ports import Store

#: Signs of life come by the clock, not by the turn; they stop with the process but are no points of their own.
_UNCOUNTED = frozenset(("start", "close", "ensure_person", "beat", "workers", "leases", "remove_worker"))


class CrashingStore:
    """Passes every call on, until the chosen one.

    Args:
        inner: The real store.
        at: The number of the call that is the last; 0: never.
        after: The last call is still carried out, and only its answer is lost.
    """

    def __init__(self, inner: Store, *, at: int = 0, after: bool = False) -> None:
        self.called: list[str] = []
        self.dead = asyncio.Event()
        self.buried = asyncio.Event()  #: what is left of the process may be cleared away
        self.where = ""
        self._inner = inner
        self._at = at
        self._after = after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self._guarded(name, found) if asyncio.iscoroutinefunction(found) else found

    def _guarded(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        async def guarded(*args: Any, **named: Any) -> Any:
            if name == "close":
                return await call(*args, **named)
            last = False
            if name not in _UNCOUNTED and not self.dead.is_set():
                self.called.append(name)
                last = len(self.called) == self._at
            if last:
                self.where = name
                if self._after:
                    await asyncio.shield(call(*args, **named))
                self.dead.set()
            if self.dead.is_set():
                await self.buried.wait()  # this process is no more: nobody hears of it again
                raise StoreUnavailable("This process has ended.")
            return await call(*args, **named)

        return guarded
