"""Tables that a plugin brings along: checked when they are described, not when they clash."""

import pytest
from sqlalchemy import Column, MetaData, Table, Text

from softrail.companion.plugin import TABLES
from softrail.core.effects import Effect
from softrail.core.errors import DefinitionError
from softrail.core.ports import EffectTransaction
from softrail.store import MemoryStore, PluginTables


def described(table: str, name: str = "shop") -> PluginTables:
    metadata = MetaData()
    Table(table, metadata, Column("id", Text, primary_key=True))
    return PluginTables(name=name, metadata=metadata, migrations="shop:migrations", head="0001")


def test_a_table_must_carry_the_name_of_its_plugin() -> None:
    with pytest.raises(DefinitionError, match="has to be named shop_sessions"):
        described("sessions")


@pytest.mark.parametrize("name", ["", "Shop", "shop; drop", "9shop"])
def test_a_name_that_cannot_be_part_of_a_table_is_refused(name: str) -> None:
    with pytest.raises(DefinitionError, match="small letters"):
        described(f"{name}_orders", name)


def test_two_handlers_of_one_kind_are_refused() -> None:
    def handler(tx: EffectTransaction, effect: Effect) -> str | None:
        return None

    other = PluginTables(
        name="other", metadata=MetaData(), migrations="o:m", head="1", handlers={"note_saved": handler}
    )
    with pytest.raises(DefinitionError, match="two handlers"):
        MemoryStore(plugins=[TABLES, other])
