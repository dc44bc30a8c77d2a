"""What people say of a result besides another request: its rows, its share, a file of it, or just a moment."""

import pytest

from tests.integration.plan_server import Nobody, planned
from tests.integration.test_words_about_data import with_orders

pytestmark = pytest.mark.usefixtures("quick_data")


async def test_what_was_found_is_taken_along_as_files() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await ada.say("net amount by region")
        assert "not carried out yet" in (await ada.say("export it")).companion_message
        await ada.say("yes")
        await ada.heard("Done:")
        told = await ada.say("can I get that as a csv file?")
        assert told.classified_intent == "query.file"
        assert told.companion_message.startswith(
            "Here it is to take along:\n- Net amount by Region: /sessions/"
        )
        assert [one.kind for one in told.side_effects] == ["download_ready", "download_ready"]


async def test_of_a_number_there_is_nothing_to_take_along() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await ada.say("net amount in the north")
        await ada.say("yes")
        await ada.heard("Done:")
        assert "no table and no chart" in (await ada.say("download as csv")).companion_message


async def test_a_moment_is_asked_for_while_a_plan_runs_and_ends_nothing() -> None:
    async with planned(engine=Nobody()) as ada:
        await with_orders(ada)
        await ada.say("net amount by region")
        await ada.say("yes")
        for said in ("hold on", "wait a moment", "one sec, please"):
            told = await ada.say(said)
            assert told.companion_message.startswith("Take your time. The plan goes on meanwhile"), said
        run = (await ada.standing()).run
        assert run is not None
        assert run.state == "running"


async def test_the_rows_of_what_was_counted_are_listed() -> None:
    async with planned() as ada:
        await with_orders(ada)
        await ada.say("net amount in the north")
        await ada.say("yes")
        await ada.heard("Done:")
        shown = await ada.say("show me the rows")
        assert shown.companion_message.startswith("The plan as it is now: The rows, only North")
        await ada.say("yes")
        assert "The rows, only North:\n- " in (await ada.heard("Done: The rows")).content
