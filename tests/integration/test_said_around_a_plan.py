"""What people say around a plan: facts that ask for nothing, pictures that are wanted, data to try, and what is said to choices.

The first list was written before anything was changed, the second one after: what is asserted of both is counted.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from softrail.plans.intents import INTENTS
from softrail.settings import BUNDLED
from tests.integration.plan_server import Nobody, Planned, planned
from tests.integration.test_data_of_plans import attach
from tests.integration.test_words_about_data import ORDERS

pytestmark = pytest.mark.usefixtures("quick_data")

LINES = [
    {**json.loads(line), "list": name}
    for name in ("first", "second")
    for line in (Path(__file__).parents[1] / "data" / "around_a_plan" / f"{name}.jsonl")
    .read_text("utf-8")
    .splitlines()
]
CHURN = b"""Month,Region,Plan,Customers,Churn rate (%),Revenue
2024-01-01,North,Basic,210,6.0,12000
2024-02-01,South,Premium,230,4.1,9000
2024-03-01,North,Premium,240,3.0,12500
2024-04-01,South,Basic,190,5.2,8000
"""
VISITS = b"""Date,Page,Device,Time on page,Visits,Bounce rate
2024-01-01,home,tablet,31,120,0.4
2024-01-02,home,desktop,45,200,0.3
2024-01-03,prices,phone,22,310,0.6
2024-01-04,prices,desktop,51,150,0.2
"""


def of_kind(kind: str) -> list[dict[str, str]]:
    return [one for one in LINES if one["kind"] == kind]


async def heard(ada: Planned, said: str) -> str:
    """What a free message is heard as, in the conversation as it stands."""
    registry = ada.dispatcher.registry
    planning = [registry.get("planning")] if await ada.store.instances(ada.here) else []
    here = {"person_id": ada.person.id, "session_id": ada.here, "project_id": None}
    found = await ada.dispatcher.parts.classifier.classify(said, registry.candidates(planning), context=here)
    return found.name


def test_no_example_is_one_of_the_lines() -> None:
    examples = {example.casefold() for intent in INTENTS for example in intent.examples}
    assert not examples & {one["text"].casefold() for one in LINES}
    assert len({one["text"] for one in LINES}) == 140


async def test_a_fact_that_is_told_starts_no_plan_though_it_has_words_of_the_data() -> None:
    async with planned(bundled=("plans", "companion", "standup")) as ada:
        await ada.say("hi")
        await attach(ada, "churn.csv", CHURN)
        asked = await heard(ada, "what about churn by region for premium customers")
        told = {one["text"]: await heard(ada, one["text"]) for one in of_kind("tells")}
        reply = await ada.say("churn was 4.1 percent")

    assert asked == "plan_new"
    assert len([said for said, what in told.items() if what == "plan_new"]) <= 1
    assert reply.classified_intent != "plan_new"


async def test_data_to_try_things_with_is_asked_for_in_whatever_words_and_by_nobody_else() -> None:
    others = (
        "what can I do with my notes file",
        "let's do my standup",
        "hello",
        "remember that we test on Monday",
    )
    async with planned(bundled=BUNDLED) as ada:
        await ada.say("hi")
        found = [await heard(ada, one["text"]) == "control.sample" for one in of_kind("sample")]
        beside = {said: await heard(ada, said) for said in others}
        reply = await ada.say("got any example numbers I could play with?")
        await ada.heard("The sample data is attached")

    assert sum(found) >= 13
    assert "control.sample" not in beside.values()
    assert reply.companion_message.startswith("I'm reading the sample data.")


async def test_who_wants_something_worked_out_of_nothing_is_told_what_is_missing() -> None:
    async with planned(bundled=BUNDLED) as ada:
        card = await ada.say("what can you do?")
        replies = [
            await ada.say(said)
            for said in (
                "analyze sales by region",
                "make me a chart of our costs per month",
                "break the orders down by country",
            )
        ]
        elsewhere = await ada.say("order me a pizza")

    assert "“analyze sales by region”" in card.companion_message
    assert "“use the sample data”" in card.companion_message
    for reply in replies:
        assert "Attach the data that it is about, or say “use the sample data”." in reply.companion_message
    assert "sample data" not in elsewhere.companion_message


async def test_what_people_are_told_to_say_for_data_is_no_answer_to_a_standup() -> None:
    async with planned(bundled=BUNDLED) as ada:
        await ada.say("start the standup")
        doubted = await ada.say("use the sample data")
        answer = await ada.say("It is your answer")
        told = await ada.say("what have I told you so far?")

    assert doubted.suggested_actions == ["It is your answer", "It is something else", "Neither"]
    assert answer.companion_message == "What's planned for today?"
    assert "- Yesterday: use the sample data" in told.companion_message


@asynccontextmanager
async def a_question_is_open() -> AsyncIterator[Planned]:
    async with planned(bundled=BUNDLED, engine=Nobody()) as ada:
        await ada.say("hi")
        await attach(ada, "orders.csv", ORDERS)
        yield ada


async def asked(ada: Planned) -> None:
    """Put the question anew, whatever was made of what was said before."""
    for way_out in ("stop", "never mind", "stop"):
        await ada.say(way_out)
        reply = await ada.say("analyze the amount by region")
        if reply.companion_message == "Which “amount” do you mean?":
            return
    raise AssertionError(reply.companion_message)


async def test_a_choice_is_heard_by_its_place_its_words_or_as_none_of_them() -> None:
    chosen, refused = list[bool](), list[bool]()
    async with a_question_is_open() as ada:
        for one in of_kind("choose"):
            await asked(ada)
            reply = await ada.say(one["text"])
            chosen.append(
                f"The plan: {one['means'].capitalize()} amount by Region" in reply.companion_message
            )
        for one in of_kind("refuse"):
            await asked(ada)
            reply = await ada.say(one["text"])
            refused.append(reply.companion_message.startswith("Then I leave that."))
    assert sum(chosen) >= 16
    assert sum(refused) >= 12


async def test_who_asks_about_choices_is_told_what_each_of_them_is_and_the_question_stays() -> None:
    async with a_question_is_open() as ada:
        await asked(ada)
        reply = await ada.say("what would the first one show?")
        assert reply.companion_message == (
            "What they are:\n"
            "- Net amount: `Net amount` of orders, numbers, summed up, from 20.00 to 100.00\n"
            "- Gross amount: `Gross amount` of orders, numbers, summed up, from 23.80 to 119.00\n\n"
            "Which “amount” do you mean?"
        )
        told = list[bool]()
        for one in of_kind("ask"):
            reply = await ada.say(one["text"])
            told.append(reply.companion_message.startswith("What they are:"))
            if await ada.phase() != "choosing":
                await asked(ada)
    assert sum(told) >= 10


async def test_two_values_with_or_between_them_are_set_beside_each_other() -> None:
    async with planned(engine=Nobody()) as ada:
        await attach(ada, "visits.csv", VISITS)
        for said in ("bounce rate: tablet or desktop?", "tablet and desktop side by side for bounce rate"):
            reply = await ada.say(said)
            assert ": Average Bounce rate: tablet and desktop" in reply.companion_message


@pytest.mark.parametrize("said", ["the second one", "the first one", "number 2, please", "the last one"])
async def test_of_one_plan_none_is_chosen_by_its_place_and_that_is_said(said: str) -> None:
    async with planned(bundled=BUNDLED, engine=Nobody()) as ada:
        await attach(ada, "orders.csv", ORDERS)
        await ada.say("net amount by region")
        reply = await ada.say(said)
        assert reply.companion_message.startswith("There is just this one plan")
        assert await ada.phase() == "awaiting_approval"
        assert (await ada.say("yes")).companion_message.startswith("I've begun")


async def test_of_two_readings_the_second_one_is_taken_and_then_waits_for_a_yes() -> None:
    async with a_question_is_open() as ada:
        await asked(ada)
        shown = await ada.say("the second one")
        assert "The plan: Gross amount by Region" in shown.companion_message
        assert await ada.phase() == "awaiting_approval"
