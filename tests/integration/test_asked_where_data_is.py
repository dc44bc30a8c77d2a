"""A question with words of the attached data may be one of the data, whatever it sounds like: what is not clear is asked."""

import pytest

from softrail.settings import BUNDLED
from tests.integration.plan_server import Nobody, Planned, planned
from tests.integration.test_data_of_plans import attach
from tests.integration.test_words_about_data import ORDERS

pytestmark = pytest.mark.usefixtures("quick_data")


async def with_sample(ada: Planned) -> None:
    await ada.say("use the sample data")
    await ada.heard("The sample data is attached")


@pytest.mark.parametrize(
    ("words", "other"),
    [
        ("is online growing?", "Something else"),
        ("do we lose money anywhere", "Know who can see what you tell"),
    ],
)
async def test_it_is_asked_whether_the_data_is_meant(words: str, other: str) -> None:
    async with planned(engine=Nobody(), bundled=BUNDLED) as ada:
        await with_sample(ada)
        asked = await ada.say(words)
        assert asked.pending is not None
        assert [one.label for one in asked.pending.choices or ()][:2] == ["Work it out with a plan", other]


@pytest.mark.parametrize(
    ("words", "intent"),
    [
        ("who can see the sales data?", "privacy"),
        ("how is the weather in the north", "general_conversation.world_now"),
        ("what is revenue", "general_conversation.knowledge"),
    ],
)
async def test_what_is_surely_about_something_else_is_not_doubted(words: str, intent: str) -> None:
    async with planned(engine=Nobody(), bundled=BUNDLED) as ada:
        await with_sample(ada)
        assert (await ada.say(words)).classified_intent == intent


async def test_what_is_asked_of_a_plan_where_there_is_none_is_a_request_if_it_names_the_data() -> None:
    async with planned(engine=Nobody(), bundled=BUNDLED) as ada:
        await with_sample(ada)
        assert "The plan: Revenue\n" in (await ada.say("how much revenue was there")).companion_message


async def test_who_asks_how_it_stands_before_any_plan_is_told_what_could_be_analyzed() -> None:
    async with planned(engine=Nobody(), bundled=BUNDLED) as ada:
        await with_sample(ada)
        assert "What could be analyzed:" in (await ada.say("how did we do last quarter")).companion_message


@pytest.mark.parametrize("words", ["explain", "what did you do exactly", "how sure are you"])
async def test_what_is_asked_of_a_result_in_few_words_is_told_from_it(words: str) -> None:
    async with planned(bundled=BUNDLED) as ada:
        await attach(ada, "orders.csv", ORDERS)
        await ada.say("net amount by region")
        await ada.say("yes")
        await ada.heard("Done:")
        assert (await ada.say(words)).classified_intent in ("query.detail", "query.provenance")
        assert (await ada.say("who are you")).classified_intent == "general_conversation.machine"
