"""Words that say half of what they mean, as people say them to a plan: the other half is taken from where it stands, or asked."""

import pytest

from tests.integration.plan_server import Nobody, Planned, planned
from tests.integration.test_words_about_data import with_orders

pytestmark = pytest.mark.usefixtures("quick_data")


async def done(ada: Planned, said: str) -> str:
    """Have a request carried out, and what was found."""
    await ada.say(said)
    await ada.say("yes")
    return (await ada.heard("Done:")).content


async def test_the_part_that_one_choice_alone_has_chooses_it() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await ada.say("net amount by region")
        assert (await ada.say("only Q4")).companion_message == "Which Q4 do you mean?"
        chosen = await ada.say("2024")
        assert "Net amount by Region, only Q4 2024" in chosen.companion_message


async def test_what_is_asked_of_no_number_is_asked_of_the_one_that_is_told() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await done(ada, "net amount by region, only 2024")
        shown = await ada.say("which month was the highest?")
        assert "The highest: Net amount by Month, only 2024" in shown.companion_message


async def test_the_rest_is_what_was_left_out() -> None:
    async with planned() as ada:
        await with_orders(ada)
        told = await done(ada, "net amount in the north")
        assert "120.00" in told
        shown = await ada.say("and the rest?")
        assert "Net amount: North and all but North" in shown.companion_message


async def test_a_reason_is_none_of_the_numbers_and_what_splits_them_is_offered() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await done(ada, "net amount by month")
        why = await ada.say("why is February 2024 so low?")
        assert why.classified_intent == "query.why"
        assert why.companion_message == (
            "- 2024-02: 50.50\nWhy that is so, the numbers alone do not say. Where it comes from they can: "
            "say “only February 2024, by region”."
        )
        split = await ada.say("only February 2024, by region")
        assert "The plan as it is now: Net amount by Region, only 2024-02" in split.companion_message


async def test_a_question_that_asks_for_a_deed_is_no_question_for_a_reason() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await done(ada, "net amount by month")
        assert (await ada.say("why don't you take the gross amount?")).classified_intent != "query.why"


async def test_go_on_shows_a_plan_that_was_stopped_with_what_is_known_of_it() -> None:
    async with planned(engine=Nobody()) as ada:
        await with_orders(ada)
        await ada.say("net amount by region")
        await ada.say("yes")
        assert (await ada.say("go on")).classified_intent == "control.status"
        await ada.say("stop")
        again = await ada.say("ok, carry on please")
        assert again.classified_intent == "control.resume"
        assert "The plan as it is now: Net amount by Region" in again.companion_message
        assert await ada.phase() == "awaiting_approval"


async def test_a_whole_request_of_which_something_is_asked_changes_no_plan_that_runs() -> None:
    async with planned(engine=Nobody()) as ada:
        await with_orders(ada)
        await ada.say("net amount by region")
        await ada.say("yes")
        unclear = await ada.say("gross amount in Q4 by region")
        assert unclear.companion_message.startswith("Which Q4 do you mean? Say it again in full")
        assert await ada.phase() == "executing"


async def test_what_can_be_asked_of_this_is_told_where_data_is_attached() -> None:
    async with planned() as ada:
        await with_orders(ada)
        assert "orders.csv, 3 rows" in (await ada.say("what can I ask about this?")).companion_message
