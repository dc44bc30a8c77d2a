"""What is read back of a conversation's moves names those that no table has."""

import pytest

from tests import plan_history
from tests.integration.plan_server import plan, planned, sum_of
from tests.plan_history import outside_the_tables, phases


async def test_moves_that_a_table_does_not_have_are_found_in_the_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with planned(encoder="none", reader="exact") as ada:
        await ada.say(plan(sum_of("price", "12.50")))
        await ada.say("no")
        assert [phase for _, phase in await phases(ada.store, "ada", ada.here)] == [
            "awaiting_approval",
            "planning",
        ]
        assert await outside_the_tables(ada.store, "ada", ada.here) == []

        monkeypatch.setitem(vars(plan_history), "PHASES", {**plan_history.PHASES, "awaiting_approval": set()})
        monkeypatch.setitem(vars(plan_history), "_MOVES", set())
        assert await outside_the_tables(ada.store, "ada", ada.here) == [
            "planning None start active",
            "planning from awaiting_approval to planning",
        ]
