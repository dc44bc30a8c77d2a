"""Runs migrations over the connection they are given; there is no other way to run them."""

from alembic import context

from softrail.store.schema import VERSION_TABLE
from softrail.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()
