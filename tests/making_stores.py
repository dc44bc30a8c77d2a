"""Stores that a contract opens over one database, as often as it likes, and that are closed after it."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from softrail.core.ports import EffectHandler, Store
from softrail.store import SqlStore
from softrail.testing.contracts.values import MakeStore

Open = Callable[[Mapping[str, EffectHandler] | None], SqlStore]


@asynccontextmanager
async def making(opened: Open) -> AsyncIterator[MakeStore]:
    """What opens and starts stores within the block; `opened` makes one with the handlers of its effects."""
    made: list[SqlStore] = []

    async def make(*, effect_handlers: Mapping[str, EffectHandler] | None = None) -> Store:
        made.append(opened(effect_handlers))
        await made[-1].start()
        return made[-1]

    yield make
    for store in made:
        await store.close()
