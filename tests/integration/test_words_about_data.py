"""Words about attached data become a plan, a question, or a change of the plan; nobody without data meets any of it."""

import asyncio
from typing import Any

import pytest

from softrail.plans.data.sources import Sources
from softrail.plans.sample import NAME, sample
from softrail.settings import BUNDLED
from tests.integration.plan_server import Nobody, Planned, planned
from tests.integration.test_data_of_plans import attach

pytestmark = pytest.mark.usefixtures("quick_data")

ORDERS = b"""Day,Region,Net amount,Gross amount
2023-11-03,North,100.00,119.00
2024-02-04,South,50.50,60.10
2024-11-05,North,20.00,23.80
"""


async def with_orders(ada: Planned) -> None:
    await attach(ada, "orders.csv", ORDERS)


async def test_the_sample_data_is_attached_and_analysed_in_words_alone() -> None:
    async with planned() as ada:
        assert "reading the sample data" in (await ada.say("use the sample data")).companion_message
        there = await ada.heard("The sample data is attached")
        assert f"{NAME}, 480 rows: Date, Region, Product" in there.content

        shown = await ada.say("analyze sales by region")
        assert shown.classified_intent == "plan_new"
        assert "As I read it: “sales”: sum of `Revenue (EUR)`; “region”: `Region`." in shown.companion_message
        assert (await ada.say("yes")).companion_message.startswith("I've begun")
        done = await ada.heard("Done: Revenue by Region")
        assert "- North: 45566.19 EUR" in done.content
        asked = (await ada.say("how did you get that?")).companion_message

    assert asked.startswith("Revenue, in all: 141704.21 EUR.")
    assert 'SELECT sum("revenue_eur") AS "Revenue" FROM "sample_sales"' in asked
    assert f"{NAME} (sha256 " in asked


async def test_while_the_data_is_read_it_is_said_so_and_nobody_is_told_to_attach_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, attaches = asyncio.Event(), Sources.attach

    async def later(self: Sources, *given: Any) -> Any:
        await read.wait()
        return await attaches(self, *given)

    monkeypatch.setattr(Sources, "attach", later)
    async with planned() as ada:
        await ada.say("use the sample data")
        early = [
            (await ada.say(words)).companion_message
            for words in ("analyze sales by region", "how did you get that?", "only 2024 please")
        ]
        read.set()
        await ada.heard("The sample data is attached")
        shown = await ada.say("analyze sales by region")

    assert all(told.startswith("I'm still reading the data.") for told in early[:2])
    assert "Attach the data" not in early[2]
    assert shown.pending is not None


async def test_a_slash_word_attaches_the_sample_data_too_and_twice_is_once() -> None:
    async with planned() as ada:
        await ada.say("/sample")
        await ada.heard("The sample data is attached")
        await attach(ada, NAME, sample())
        assert (await ada.say("analyze sales by region")).pending is not None


async def test_a_person_without_data_never_meets_any_of_it() -> None:
    async with planned() as ada:
        for words in ("analyze sales by region", "only Q4", "by month instead", "top 3 products by revenue"):
            reply = await ada.say(words)
            assert reply.classified_intent == "general_conversation"
            assert reply.process is None
        assert not await ada.store.instances(ada.here)


async def test_with_data_attached_free_talk_stays_free_talk() -> None:
    async with planned() as ada:
        await with_orders(ada)
        for words in (
            "how are you?",
            "compare Ben and Anna for the job",
            "remind me to call the north by Friday",
        ):
            assert (await ada.say(words)).classified_intent == "general_conversation"
        assert (await ada.say("let's do my standup")).process is not None


async def test_what_fits_two_columns_is_asked_and_the_button_decides() -> None:
    async with planned() as ada:
        await with_orders(ada)
        asked = await ada.say("analyze the amount by region")
        assert asked.companion_message == "Which “amount” do you mean?"
        assert asked.suggested_actions == ["Net amount", "Gross amount", "None of these"]

        shown = await ada.say("Gross amount")

        assert "The plan: Gross amount by Region" in shown.companion_message
        assert "“amount”: sum of `Gross amount`" in shown.companion_message


async def test_another_request_takes_the_place_of_an_open_question_and_none_of_these_leaves_it() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await ada.say("analyze profit by region")
        shown = await ada.say("net amount by region")
        assert "The plan: Net amount by Region" in shown.companion_message
        await ada.say("compare North and South on the amount")
        left = await ada.say("None of these")
        assert left.companion_message.startswith("Then I leave that. There is:\n- orders.csv, 3 rows")
        assert "The plan as it is now: Net amount by Region" in left.companion_message
        assert await ada.phase() == "awaiting_approval"


async def test_stop_leaves_an_open_question_and_says_so() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await ada.say("analyze the amount by region")
        assert (await ada.say("stop")).companion_message == "Then I leave that."
        assert await ada.phase() == "idle"


async def test_a_bare_filter_under_an_approval_is_a_suggestion_and_other_numbers_are_another_plan() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await ada.say("net amount by region")

        narrowed = await ada.say("only 2024")
        assert narrowed.classified_intent == "plan_continue"
        assert "The plan as it is now: Net amount by Region, only 2024" in narrowed.companion_message
        same = await ada.say("trend of net amount")
        assert "dropped" not in same.companion_message
        assert "The plan as it is now: Trend of Net amount by Month" in same.companion_message
        other = await ada.say("trend of gross amount")
        assert other.companion_message.startswith("I've dropped the plan “Trend of Net amount by Month”.")


async def test_a_change_that_is_not_clear_is_asked_and_then_made() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await ada.say("net amount by region")
        asked = await ada.say("only Q4")
        assert asked.companion_message == "Which Q4 do you mean?"
        assert asked.suggested_actions[:2] == ["Q4 2023", "Q4 2024"]
        changed = await ada.say("Q4 2024")
        assert "Net amount by Region, only Q4 2024" in changed.companion_message


async def test_in_mid_run_a_filter_stops_keeps_what_is_finished_and_runs_only_what_changed() -> None:
    async with planned(engine=Nobody()) as ada:
        await with_orders(ada)
        await ada.say("net amount by region")
        await ada.say("yes")
        assert await ada.phase() == "executing"

        changed = await ada.say("wait, only include 2024")

        assert changed.classified_intent == "plan_continue"
        assert changed.companion_message.startswith("I've stopped for that.\n○ Read orders.csv")
        assert "Net amount by Region, only 2024" in changed.companion_message
        assert await ada.phase() == "awaiting_approval"


async def test_a_request_in_mid_run_is_queued_and_one_that_is_not_clear_is_said_back() -> None:
    async with planned(engine=Nobody()) as ada:
        await with_orders(ada)
        await ada.say("net amount by region")
        await ada.say("yes")
        queued = await ada.say("trend of gross amount")
        assert (
            queued.companion_message
            == "Noted: “Trend of Gross amount by Month” comes next, once this plan is over."
        )
        unclear = await ada.say("analyze the amount by region")
        assert unclear.companion_message == (
            "Which “amount” do you mean? Say it again in full: Net amount, Gross amount."
        )
        assert await ada.phase() == "executing"


async def test_when_it_is_over_a_filter_changes_the_last_plan_and_only_what_changed_runs() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await ada.say("net amount by region")
        await ada.say("yes")
        await ada.heard("Done: Net amount by Region")

        changed = await ada.say("by month instead")

        assert (
            "2. Net amount, in all, from orders_data, makes net_amount (known: 170.50)"
            in changed.companion_message
        )
        assert "2 of them known already" in changed.companion_message


async def test_a_claim_holds_does_not_or_cannot_be_told_with_what_speaks_against_it() -> None:
    async with planned() as ada:
        await with_orders(ada)
        for said, told in (
            (
                "verify that every region has net amount above 10",
                "It holds: Net amount is above 10 for every Region",
            ),
            (
                "verify that every region has net amount above 60",
                "For instance: Region South, Net amount 50.50.",
            ),
            (
                "verify that net amount of South is above 10 in 2023",
                "It cannot be told whether Net amount is above 10, only South and 2023",
            ),
        ):
            await ada.say(said)
            await ada.say("yes")
            await ada.heard(told)


@pytest.mark.parametrize("words", ["/plan analyze net amount by region", "/plan net amount by region"])
async def test_words_after_the_slash_word_are_read_too(words: str) -> None:
    async with planned() as ada:
        await with_orders(ada)
        assert "The plan: Net amount by Region" in (await ada.say(words)).companion_message


async def test_words_that_fit_nothing_say_what_there_is() -> None:
    async with planned() as ada:
        await with_orders(ada)
        said = await ada.say("/plan something nice")
        assert said.companion_message.startswith(
            "I find nothing in the attached data that this could be about."
        )
        assert "- orders.csv, 3 rows: Day, Region, Net amount, Gross amount" in said.companion_message


async def test_a_plan_as_it_is_sent_may_not_bring_a_form() -> None:
    async with planned() as ada:
        said = await ada.say('/plan {"problem": "x", "steps": [], "form": {"kind": "analyze"}}')
        assert "form: There is no such field." in said.companion_message


async def test_a_time_that_the_data_has_not_is_asked_about_and_yes_takes_all_of_it() -> None:
    async with planned() as ada:
        await ada.say("use the sample data")
        await ada.heard("The sample data is attached")
        asked = await ada.say("revenue by region in 1999")
        assert asked.pending is not None
        assert list(asked.pending.options) == ["Yes", "No"]
        assert "Revenue by Region" in (await ada.say("sure")).companion_message
        assert await ada.phase() == "awaiting_approval"


async def test_a_claim_about_one_case_tells_what_it_was_held_against() -> None:
    async with planned() as ada:
        await ada.say("use the sample data")
        await ada.heard("The sample data is attached")
        await ada.say("verify that revenue grew from 2023 to 2024")
        await ada.say("yes")
        told = (await ada.heard("It holds")).content
    assert "It holds: Revenue of 2024 is higher than of 2023.\n2024 73788.11, 2023 67916.10." in told


async def test_two_people_with_data_do_not_see_each_others() -> None:
    async with planned() as ada, planned() as bea:
        await asyncio.gather(with_orders(ada), attach(bea, "a.csv", b"x,y\n1,2\n"))
        assert (await bea.say("net amount by region")).classified_intent == "general_conversation"


async def test_beside_talk_a_question_with_words_of_the_data_is_a_request_and_what_is_not_clear_is_asked() -> (
    None
):
    async with planned(bundled=BUNDLED) as ada:
        await with_orders(ada)
        asked = await ada.say("I need to know how much each region spent last year")
        assert asked.classified_intent == "plan_new"
        assert asked.companion_message == "Which “spent” do you mean?"
        await ada.say("None of these")

        asked = await ada.say("I wonder about the gross amount for each region, roughly")
        assert asked.companion_message == "I don't find “roughly” among the columns. What is meant?"
        shown = (await ada.say("Leave out “roughly”")).companion_message
        assert "“gross amount”: sum of `Gross amount`; “region”: `Region`; “roughly”: left out." in shown


@pytest.mark.parametrize(
    "said",
    [
        "how are you?",
        "compare Ben and Anna for the job",
        "our office in the north is lovely",
        "what's the capital of France",
    ],
)
async def test_beside_talk_words_that_the_data_has_too_make_no_request_of_talk(said: str) -> None:
    async with planned(bundled=BUNDLED) as ada:
        await with_orders(ada)
        assert not str((await ada.say(said)).classified_intent).startswith("plan_new")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("which regions do you have?", "Region: North, South (2)"),
        ("what regions are in the data", "Region: North, South (2)"),
        ("how many regions are there?", "Region: North, South (2)"),
        ("what years does it cover?", "Day: from 2023-11-03 to 2024-11-05"),
        ("how many rows does it have", "orders: 3 rows"),
    ],
)
async def test_what_a_column_holds_is_told_at_once(said: str, told: str) -> None:
    async with planned(engine=Nobody()) as ada:
        await with_orders(ada)
        assert (await ada.say(said)).companion_message.startswith(told)


async def test_what_is_to_be_worked_out_is_still_planned() -> None:
    async with planned(engine=Nobody()) as ada:
        await with_orders(ada)
        for said in ("how many orders by region", "which region has the highest net amount?"):
            assert "The plan: " in (await ada.say(said)).companion_message
            await ada.say("stop")


async def test_a_yes_to_all_of_it_leaves_the_plan_with_all_of_it() -> None:
    async with planned(engine=Nobody()) as ada:
        await with_orders(ada)
        await ada.say("analyze the net amount by region in 2024")
        outside = await ada.say("only for 2030")
        agreed = await ada.say("looks good")

    assert outside.companion_message == "The data has nothing for 2030. Shall I take all of it?"
    assert agreed.companion_message.startswith("The plan as it is now: Net amount by Region\n")
    assert "2024" not in agreed.companion_message


async def test_a_change_that_binds_to_nothing_is_told_what_data_there_is() -> None:
    async with planned(bundled=BUNDLED) as ada:
        await ada.say("use the sample data")
        await ada.heard("The sample data is attached")
        told = await ada.say("try another approach")
        asked = await ada.say("what's in it?")

    assert told.classified_intent == "plan_continue"
    assert f"- {NAME}, 480 rows" in told.companion_message
    assert "Attach the data" not in told.companion_message
    assert f"What could be analyzed:\n- {NAME}, 480 rows" in asked.companion_message
