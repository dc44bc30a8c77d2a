"""All tables of the application, its own and the companion's, and databases that have them."""

from sqlalchemy import Table

from softrail.bootstrap import plugin_tables
from softrail.store import upgrade
from softrail.store.tables import metadata

PLUGINS = tuple(plugin_tables(discover=False))

#: What a row refers to comes before it.
TABLES: dict[str, Table] = {
    table.name: table
    for tables in (metadata, *(plugin.metadata for plugin in PLUGINS))
    for table in tables.sorted_tables
}


async def prepare(url: str) -> None:
    """Make the tables in an empty database."""
    await upgrade(url, plugins=PLUGINS)
