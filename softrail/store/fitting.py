"""Whether this code may still run on the tables: a newer Softrail may have migrated them while it was running."""

from collections.abc import Awaitable, Callable, Collection, Sequence

from sqlalchemy import Connection

from softrail.core.errors import StoreUnavailable
from softrail.store.plugins import PluginTables
from softrail.store.schema import USABLE, SchemaStatus, status_of

Read = Callable[[Callable[[Connection], SchemaStatus]], Awaitable[SchemaStatus]]


class Fitting:
    """Looks when what the database says of who may run has changed, and while this code may not.

    `told` is called with the refusal, and with None once it is over.
    """

    def __init__(
        self, plugins: Sequence[PluginTables], told: Callable[[StoreUnavailable | None], None]
    ) -> None:
        self._plugins = plugins
        self._told = told
        self._said: Collection[str] = frozenset()
        self._refused = False

    async def require(self, read: Read) -> None:
        """Look again whether a refusal is over. Raises StoreUnavailable when it is not."""
        if self._refused:
            await self._look(read)

    async def heard(self, said: Collection[str], read: Read) -> None:
        """What is said of who may run; look if it is something new. Raises StoreUnavailable when this code may not."""
        if said != self._said:
            await self._look(read)
            self._said = said

    async def _look(self, read: Read) -> None:
        status = await read(lambda conn: status_of(conn, self._plugins))
        refusal = None if status.standing in USABLE else StoreUnavailable(status.sentence)
        self._refused = refusal is not None
        self._told(refusal)
        if refusal is not None:
            raise refusal
