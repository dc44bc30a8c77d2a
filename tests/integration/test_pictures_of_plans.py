"""Beside a finished result a picture of just that is wished for in whatever words; nowhere else is it looked for."""

import json
from pathlib import Path

import pytest

from softrail.plans.pictures import wants_a_picture
from softrail.settings import BUNDLED
from tests.integration.plan_server import Nobody, planned
from tests.integration.test_data_of_plans import attach
from tests.integration.test_words_about_data import ORDERS

pytestmark = pytest.mark.usefixtures("quick_data")

AROUND = Path(__file__).parents[1] / "data" / "around_a_plan"
LINES = [
    json.loads(line)
    for name in ("first", "second")
    for line in (AROUND / f"{name}.jsonl").read_text("utf-8").splitlines()
]


def test_a_wish_for_a_picture_is_told_from_all_else_that_is_said_around_a_plan() -> None:
    heard = {one["text"] for one in LINES if wants_a_picture(one["text"])}
    wished = {one["text"] for one in LINES if one["kind"] == "draw"}
    assert heard <= wished
    assert wished - heard == {"I prefer charts to lists"}


def test_a_question_that_a_document_may_answer_is_no_such_wish() -> None:
    for said in (
        "what does the graph show about refunds?",
        "which chart has the returns policy?",
        "is there a picture of the entrance?",
        "how many charts are in the report?",
        "draw up a plan for the move",
        "what does this mean",
        "show me the numbers",
    ):
        assert not wants_a_picture(said), said


async def test_a_picture_of_what_was_found_is_given_and_drawn_otherwise_where_that_is_said() -> None:
    async with planned(bundled=BUNDLED) as ada:
        await attach(ada, "orders.csv", ORDERS)
        await ada.say("net amount by region")
        await ada.say("yes")
        await ada.heard("Done: ")

        drawn = await ada.say("can I have that as a chart?")
        assert drawn.classified_intent == "query.chart"
        assert drawn.companion_message.startswith("Here it is drawn:\n- Net amount by Region, drawn: ")
        assert [one.kind for one in drawn.side_effects] == ["download_ready"]
        asked = await ada.say("what does this mean")
        assert not asked.companion_message.startswith("Here it is drawn")

        changed = await ada.say("show it as lines")
        assert "The plan as it is now: Net amount by Region" in changed.companion_message
        plan = (await ada.standing()).plan
        assert plan is not None
        assert [one.arguments["kind"] for one in plan.steps if one.action == "chart"] == ["line"]


async def test_of_a_single_number_it_is_said_that_there_is_nothing_to_draw() -> None:
    async with planned(bundled=BUNDLED) as ada:
        await attach(ada, "orders.csv", ORDERS)
        await ada.say("net amount in the north")
        await ada.say("yes")
        await ada.heard("Done: ")
        reply = await ada.say("plot that")
    assert reply.companion_message.startswith("There is nothing to draw in this")


async def test_before_there_is_a_result_no_picture_is_heard_of() -> None:
    async with planned(bundled=BUNDLED, engine=Nobody()) as ada:
        await attach(ada, "orders.csv", ORDERS)
        assert (await ada.say("show it as a picture")).classified_intent != "query.chart"
        await ada.say("net amount by region as lines")
        plan = (await ada.standing()).plan
        assert plan is not None
        assert [one.arguments["kind"] for one in plan.steps if one.action == "chart"] == ["line"]
        changed = await ada.say("as bars, please")
        assert changed.classified_intent == "plan_continue"
        plan = (await ada.standing()).plan
        assert plan is not None
        assert [one.arguments["kind"] for one in plan.steps if one.action == "chart"] == ["bar"]
