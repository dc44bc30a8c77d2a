"""At “Shall I go ahead?” a yes with a reserve, what is not wanted, and what was meant instead change the plan; a question changes nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from softrail.core.turns import Reply
from softrail.settings import BUNDLED
from tests.integration.plan_server import Nobody, Planned, planned
from tests.integration.test_data_of_plans import attach
from tests.integration.test_words_about_data import ORDERS

pytestmark = pytest.mark.usefixtures("quick_data")


@asynccontextmanager
async def a_plan_waits() -> AsyncIterator[Planned]:
    async with planned(engine=Nobody(), bundled=BUNDLED) as ada:
        await attach(ada, "orders.csv", ORDERS)
        await ada.say("net amount by region")
        yield ada


async def said(words: str) -> Reply:
    async with a_plan_waits() as ada:
        return await ada.say(words)


@pytest.mark.parametrize(
    ("words", "plan"),
    [
        ("sure but leave out the north", "Net amount by Region, only not North"),
        ("looks good but by month", "Net amount by Month"),
        ("great, only 2024 though", "Net amount by Region, only 2024"),
        ("not by region, by month", "Net amount by Month"),
        ("not the net amount but the gross amount", "Gross amount by Region"),
        ("hm i meant gross amount", "Gross amount by Region"),
        ("I meant gross amount, not net amount", "Gross amount by Region"),
        ("not by region", "Net amount"),
    ],
)
async def test_a_reserve_and_what_was_meant_instead_change_the_plan(words: str, plan: str) -> None:
    reply = await said(words)
    assert reply.companion_message.startswith(f"The plan as it is now: {plan}\n")


@pytest.mark.parametrize("words", ["drop the chart", "no chart please", "ok, but without the picture"])
async def test_nothing_is_drawn_where_no_chart_is_wanted_until_one_is(words: str) -> None:
    async with a_plan_waits() as ada:
        without = (await ada.say(words)).companion_message
        again = (await ada.say("with a chart")).companion_message
    assert "drawn, from" not in without
    assert "nothing is drawn" in without
    assert "Net amount by Region, drawn, from" in again


@pytest.mark.parametrize(
    ("words", "unknown"),
    [("hm i meant profit", "profit"), ("fine but by warehouse", "warehouse")],
)
async def test_what_nothing_fits_is_asked_where_something_is_to_change(words: str, unknown: str) -> None:
    reply = await said(words)
    assert f"I don't find “{unknown}”" in reply.companion_message
    assert reply.pending is not None
    assert [one.label for one in reply.pending.choices or ()][-1] == "None of these"


@pytest.mark.parametrize(
    "words", ["wait, whats exploratory mode", "what is proof mode?", "so what does proof mode do"]
)
async def test_who_asks_about_a_mode_is_told_of_both_and_it_stays(words: str) -> None:
    async with a_plan_waits() as ada:
        before = (await ada.standing()).mode
        reply = await ada.say(words)
        assert (await ada.standing()).mode == before
    assert reply.companion_message.startswith("There are two.")
    assert reply.pending is not None


@pytest.mark.parametrize("words", ["use proof mode", "ok, do it in proof mode", "can you use proof mode?"])
async def test_who_wants_a_mode_gets_it(words: str) -> None:
    reply = await said(words)
    assert reply.companion_message.startswith("From now on in proof mode.")


@pytest.mark.parametrize("words", ["why 4 steps", "what are all these steps for?"])
async def test_who_asks_about_the_steps_is_told_what_each_of_them_does(words: str) -> None:
    reply = await said(words)
    assert "query, from" in reply.companion_message
    assert reply.pending is not None


@pytest.mark.parametrize("words", ["ja", "sure", "go for it"])
async def test_a_yes_begins_it(words: str) -> None:
    assert (await said(words)).companion_message.startswith("I've begun")


@pytest.mark.parametrize("words", ["yes but what does it cost?", "I meant the other thing"])
async def test_what_says_nothing_of_the_data_neither_begins_nor_changes_it(words: str) -> None:
    reply = await said(words)
    assert "The plan: Net amount by Region" in reply.companion_message
    assert reply.pending is not None
    assert reply.side_effects == []


async def test_what_happens_with_a_command_is_asked_and_not_done() -> None:
    async with planned(bundled=BUNDLED) as ada:
        await attach(ada, "orders.csv", ORDERS)
        await ada.say("net amount by region")
        await ada.say("yes")
        await ada.heard("Done:")
        asked = await ada.say("what happens if i say redo")
        done = await ada.say("do all the steps over")
    assert "All steps are done again" not in asked.companion_message
    assert "All steps are done again" in done.companion_message
