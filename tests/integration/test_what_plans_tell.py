"""What plans say when there is nothing to show, when much is to be shown, and when somebody goes."""

import asyncio
import io

import pytest

from softrail.cli.chatting import Talk
from softrail.cli.console import Lines
from softrail.core.turns import Request
from tests.integration.plan_server import Planned, plan, planned, sum_of
from tests.integration.test_data_of_plans import ask, attach

pytestmark = pytest.mark.usefixtures("quick_data")

ORDERS = b"""Day,Region,Product,Net amount
2023-11-03,North,Tea,100.00
2024-02-04,South,Coffee,50.50
2024-11-05,North,Tea,20.00
"""
LONG = "SELECT region, sum(net_amount) AS revenue, count(*) AS orders FROM orders WHERE net_amount > 10 GROUP BY 1 ORDER BY 1"


async def test_filters_that_leave_no_rows_are_told_in_words_with_what_else_there_is() -> None:
    async with planned() as ada:
        await attach(ada, "orders.csv", ORDERS)
        await ada.say("net amount by region, only South, only Tea")
        await ada.say("yes")
        told = (await ada.heard("No rows are left")).content

        assert "there is none for which `Region` is South and `Product` is Tea" in told
        assert "- Region: “only North”" in told
        assert "- Product: “only Coffee”" in told
        assert "There are no rows in this table" not in told

        assert "The plan as it is now" in (await ada.say("only North")).companion_message
        await ada.say("yes")
        assert "120" in (await ada.heard("- North: 120")).content


async def test_an_answer_gives_the_tables_that_it_tells_and_no_other() -> None:
    async with planned() as ada:
        await attach(ada, "orders.csv", ORDERS)
        given: list[list[str]] = []
        asked = {
            "net amount by month": "2023-11: ",
            "net amount by product": "- Tea: ",
            "net amount by region": "- North: ",
        }
        for words, row in asked.items():
            await ada.say(words)
            await ada.say("yes")
            told = await ada.heard(row)
            tables = [one.ref or "" for one in told.side_effects if (one.ref or "").endswith(".csv")]
            assert {one.kind for one in told.side_effects} == {"download_ready"}
            given.append(tables)

        assert [len(one) for one in given] == [1, 1, 1]
        assert len({ref for one in given for ref in one}) == 3


async def test_a_whole_without_rows_says_so_too() -> None:
    async with planned() as ada:
        await attach(ada, "orders.csv", ORDERS)
        await ada.say("analyze net amount only South only Tea")
        await ada.say("yes")
        assert "`Product` is Tea" in (await ada.heard("No rows are left")).content


async def test_a_long_query_is_cut_where_the_plan_is_shown_and_told_whole_where_it_is_asked_for() -> None:
    async with planned() as ada:
        await attach(ada, "orders.csv", ORDERS)
        shown = await ada.say(plan(sum_of("one", "1"), ask("regions", LONG)))
        assert LONG not in shown.companion_message
        assert "“What does step 2 do?” tells a step whole." in shown.companion_message

        for words in ("what does step 2 do?", "tell me more about the second step"):
            told = await ada.say(words)
            assert told.classified_intent == "query.detail"
            assert f"2. regions: query, makes regions\n   sql: {LONG}" in told.companion_message
            assert await ada.phase() == "awaiting_approval"


async def test_who_goes_away_is_asked_about_a_plan_that_runs_and_it_goes_on() -> None:
    async with planned() as ada:
        await ada.say(plan("slow"))
        await ada.say("yes")
        await ada.gates.at("slow")

        for word in ("/exit", "/quit", "exit", "quit"):
            asked = await ada.say(word)
            assert "is still running. Shall I cancel it?" in asked.companion_message, word
            assert await ada.phase() == "executing"

        assert "I've stopped" in (await ada.say("cancel")).companion_message
        assert await ada.phase() == "idle"


async def test_the_terminal_tells_the_end_of_a_plan_when_it_happens_and_asks_before_it_leaves_one() -> None:
    async with planned() as ada:
        console = Typed(ada)
        await Talk(ada.dispatcher, ada.person, Request(message="-"), console).run()

    told = "\n".join(console.shown)
    assert "is still running. Shall I cancel it?" in told
    assert "/exit once more leaves" in told
    assert console.told_before_the_next_message


class Typed(Lines):
    """A person who gives a plan, wants to leave, stays until its end is told, and goes."""

    def __init__(self, ada: Planned) -> None:
        super().__init__(io.StringIO(), io.StringIO())
        self.shown: list[str] = []
        self.told_before_the_next_message = False
        self._ada = ada
        self._over = asyncio.Event()
        self._left = [plan("slow"), "yes", "/exit", "", "/exit"]

    async def read(self) -> str:
        message = self._left.pop(0)
        if not message:
            self._ada.gates["slow"].opened.set()
            async with asyncio.timeout(30):
                await self._over.wait()
            self.told_before_the_next_message = True
        return message

    def _write(self, text: str) -> None:
        self.shown.append(text)
        if "slow is through" in text:
            self._over.set()
