"""Tables that a plugin brings along: made, migrated, checked and erased together with the store's own.

A plugin describes its tables once, as a `PluginTables`, and hands it to `open_store(plugins=...)` or announces
it under the entry-point group `softrail.tables`. It brings a folder of Alembic revisions, nothing else of
Alembic's: the store runs them in its own transaction, under its own lock, and writes down in a version table
of the plugin's how far they have come. `softrail db upgrade` and `db status` know them, a SQLite file is
migrated by starting, and a PostgreSQL database whose plugin tables are behind is refused like any other.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, MetaData

from softrail.core.errors import DefinitionError
from softrail.core.ports import EffectHandler

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,40}")


def _nothing(_: Connection, __: str) -> None:
    """Nothing of a person or session is kept in these tables."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PluginTables:
    """What a plugin brings to the store: tables, their migrations, effects that write to them, erasing.

    Every table's name begins with the plugin's name, so that no two plugins clash. No table points at one of
    the store's: what belongs to a person is erased by `erase_person`, in the transaction that erases them.
    """

    name: str
    metadata: MetaData
    migrations: str  #: the folder of revisions, as `package.module:folder`
    head: str  #: the newest revision in it
    handlers: Mapping[str, EffectHandler] = field(default_factory=dict)  #: apply effects, by kind
    erase_person: Callable[[Connection, str], None] = _nothing
    erase_session: Callable[[Connection, str], None] = _nothing

    def __post_init__(self) -> None:
        """Complain at once about names that would clash.

        Raises:
            DefinitionError: The name is not usable, or a table's name does not begin with it.
        """
        if _NAME.fullmatch(self.name) is None:
            raise DefinitionError(
                f"Plugin tables cannot be named {self.name!r}: use small letters, digits and underscores."
            )
        for table in self.metadata.tables:
            if not table.startswith(f"{self.name}_"):
                raise DefinitionError(
                    f"The table {table!r} of the plugin {self.name!r} has to be named {self.name}_{table}: "
                    "tables of all plugins lie in one database."
                )

    @property
    def version_table(self) -> str:
        """Where Alembic writes down how far these tables have come."""
        return f"{self.name}_softrail_version"


def all_handlers(
    plugins: Sequence[PluginTables], given: Mapping[str, EffectHandler] | None
) -> Mapping[str, EffectHandler]:
    """The effect handlers of plugins and those given by themselves, which win.

    Raises:
        DefinitionError: Two plugins want effects of the same kind.
    """
    found: dict[str, EffectHandler] = {}
    for plugin in plugins:
        for kind, handler in plugin.handlers.items():
            if kind in found:
                raise DefinitionError(
                    f"Effects of kind {kind!r} have two handlers, one of them of {plugin.name}."
                )
            found[kind] = handler
    return found | dict(given or {})
