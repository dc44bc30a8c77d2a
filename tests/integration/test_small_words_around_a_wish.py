"""Small words break no wish about data, and a question of where a number comes from is no new plan."""

import pytest

from softrail.settings import BUNDLED
from tests.integration.plan_server import Nobody, planned
from tests.integration.test_data_of_plans import attach
from tests.integration.test_words_about_data import ORDERS

pytestmark = pytest.mark.usefixtures("quick_data")


@pytest.mark.parametrize(
    ("says", "left"),
    [
        ("net amount by region pls", "pls"),
        ("lemme see net amount by region", "lemme"),
        ("show net amount by region tho", "tho"),
    ],
)
async def test_what_carries_nothing_is_left_out_and_told(says: str, left: str) -> None:
    async with planned(engine=Nobody(), bundled=BUNDLED) as ada:
        await attach(ada, "orders.csv", ORDERS)
        shown = await ada.say(says)
        assert f"“{left}”: left out" in shown.companion_message
        assert "Shall I go ahead?" in shown.companion_message


async def test_what_may_say_something_is_asked_about() -> None:
    async with planned(engine=Nobody(), bundled=BUNDLED) as ada:
        await attach(ada, "orders.csv", ORDERS)
        asked = await ada.say("net amount by region for women")
        assert "I don't find “women”" in asked.companion_message


@pytest.mark.parametrize(
    "says",
    ["where does that number come from", "where's that number from?", "where did you get those figures from"],
)
async def test_where_a_number_comes_from_is_told(says: str) -> None:
    async with planned(bundled=BUNDLED) as ada:
        await attach(ada, "orders.csv", ORDERS)
        await ada.say("analyze net amount by region")
        await ada.say("yes")
        await ada.heard("Done:")
        told = (await ada.say(says)).companion_message
        assert "Shall I go ahead?" not in told
        assert "SELECT" in told
