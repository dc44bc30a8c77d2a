"""Each row of the table of phases, and each of what is said while a plan runs: over HTTP, with a step that waits, on both databases."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from softrail.bootstrap import plugin_tables
from softrail.core.clock import now
from softrail.store import open_store, upgrade
from softrail.testing.contracts.counting import until
from tests.faults.kit import file_url
from tests.integration.api_server import ADA, Served, served, settings
from tests.integration.plan_server import Gates, hold, plan, sum_of

PRICE = sum_of("price", "12.50", unit="EUR")
PLAN = plan(PRICE)
SLOW = "<a plan that waits>"
OTHER = plan(sum_of("other", "2"), problem="Another")
CHANGED = plan(sum_of("price", "14", unit="EUR"), problem="Otherwise", word="replan")
#: What leads to a phase from the beginning; a word in angle brackets is something that happens.
TO = {
    "idle": ["/plan problem: x"],
    "awaiting_approval": [SLOW],
    "planning": [PLAN, "no"],
    "executing": [SLOW, "yes", "<at the gate>"],
    "failed": [SLOW, "yes", "<at the gate>", "<it fails>"],
}
ROWS = [
    ("idle", PLAN, "awaiting_approval", "Shall I go ahead?"),
    ("idle", "/plan problem: x", "idle", "Field required"),
    ("idle", CHANGED, "awaiting_approval", "Shall I go ahead?"),
    ("idle", "/retry", "idle", ""),
    ("planning", PLAN, "awaiting_approval", "Shall I go ahead?"),
    ("planning", CHANGED, "awaiting_approval", "Shall I go ahead?"),
    ("planning", "stop", "idle", "I've dropped the plan"),
    ("planning", "/facts", "planning", "Nothing is known yet."),
    ("planning", "/retry", "planning", ""),
    ("awaiting_approval", "y", "executing", "I've begun"),
    ("awaiting_approval", "no", "planning", "What should change?"),
    ("awaiting_approval", CHANGED, "awaiting_approval", "The plan as it is now: Otherwise"),
    ("awaiting_approval", OTHER, "awaiting_approval", "I've dropped the plan"),
    ("awaiting_approval", "stop", "idle", "I've dropped the plan"),
    ("awaiting_approval", "/facts", "awaiting_approval", "Nothing is known yet."),
    ("awaiting_approval", "/retry", "awaiting_approval", ""),
    ("executing", "<it opens>", "idle", "Done: Look into it"),
    ("executing", "<it fails>", "failed", "Step 2 failed"),
    ("executing", "stop", "idle", "I've stopped.\n✓ price\n○ slow"),
    ("executing", "/stop", "idle", "I've stopped."),
    ("executing", CHANGED, "awaiting_approval", "I've stopped for that.\n✓ price\n○ slow"),
    ("executing", OTHER, "executing", "“Another” comes next"),
    ("executing", "/facts", "executing", "- price: 12.50 EUR"),
    ("executing", "what is the price", "executing", "- price: 12.50 EUR"),
    ("executing", "how did you get that?", "executing", "price = 12.50 EUR"),
    ("executing", "status", "executing", "1 of 2 steps are done"),
    ("executing", "/proof", "executing", "once the plan is over"),
    ("executing", "/reset", "executing", "once the plan is over"),
    ("executing", "/redo", "executing", "once the plan is over"),
    ("executing", "/exit", "executing", "Shall I cancel it?"),
    ("executing", "/retry", "executing", ""),
    ("failed", "/retry", "executing", "I've begun"),
    ("failed", CHANGED, "awaiting_approval", "The plan as it is now: Otherwise"),
    ("failed", "start over", "idle", "I've given up that plan"),
    ("failed", OTHER, "awaiting_approval", "I've dropped the plan"),
    ("failed", "stop", "idle", ""),
    ("failed", "/facts", "failed", "- price: 12.50 EUR"),
]


class Talk:
    """One conversation of Ada's, with a gate of its own."""

    def __init__(self, server: Served, gates: Gates) -> None:
        self._server = server
        self._session = str(server.client.post("/sessions", headers=ADA).json()["id"])
        self._name = f"gate of {self._session}"
        self._gate = gates[self._name]

    def do(self, what: str) -> str:
        """Say it, or have it happen; what is said to that."""
        match what:
            case "<a plan that waits>":
                slow = {"id": "slow", "action": "hold", "arguments": {"name": self._name}, "needs": ["price"]}
                return self._say(plan(PRICE, slow))
            case "<at the gate>":
                self._later(self._gate.reached.wait)
                return ""
            case "<it opens>" | "<it fails>":
                self._gate.fails = "It is locked" if what == "<it fails>" else ""
                self._later(self._opened)
                told = self.told("Step 2 failed" if self._gate.fails else "Done: ")
                self._later(self._closed)  # what is tried again waits again
                return told
        return self._say(what)

    def _say(self, what: str) -> str:
        return str(self._server.say(what, self._session)["companion_message"])

    def plan(self) -> Any:
        """The plan as it is looked at."""
        return self._server.client.get(f"/sessions/{self._session}/plan", headers=ADA).json()

    def told(self, words: str) -> str:
        """An item of the companion's own that says so, once it is there."""
        found = list[str]()

        async def there() -> bool:
            items = self._server.dispatcher.store.items
            person = await self._server.dispatcher.store.ensure_person("ada@example.org", id="ada", at=now())
            every = await items(person.id, session_id=self._session)
            found[:] = [one.content for one in every if one.role == "companion" and words in one.content]
            return bool(found)

        self._later(until, there, 30)
        return found[-1]

    async def _opened(self) -> None:
        self._gate.opened.set()

    async def _closed(self) -> None:
        self._gate.opened.clear()

    def _later(self, function: Any, *args: Any) -> None:
        portal = self._server.client.portal
        assert portal is not None
        portal.call(function, *args)


@pytest.fixture(params=["file", "postgres"])
def talks(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Talk]]:
    """Begins conversations on one server."""
    if request.param == "postgres":
        url = str(request.getfixturevalue("empty_postgres_url"))
        asyncio.run(upgrade(url, plugins=plugin_tables()))
    else:
        url = file_url(tmp_path)
    gates, store = Gates(), open_store(url, plugins=plugin_tables())
    chosen = settings(database_url=url, bundled=("plans",), encoder="none", beat_interval=0.05)
    with served(store=store, chosen=chosen, actions=[hold], services={Gates: gates}) as server:
        yield lambda: Talk(server, gates)


def test_each_row_of_the_table_and_what_is_said_to_it(talks: Callable[[], Talk]) -> None:
    found = []
    for phase, what, _, says in ROWS:
        talk = talks()
        for before in TO[phase]:
            talk.do(before)
        assert talk.plan()["phase"] == phase
        told = talk.do(what)
        found.append((phase, what, talk.plan()["phase"], says if told and says in told else told))
        if found[-1][2] == "executing":
            talk.do("stop")
    assert found == ROWS


def test_what_waits_while_it_runs_comes_afterwards_in_its_order_and_the_last_plan_is_planned(
    talks: Callable[[], Talk],
) -> None:
    talk = talks()
    for one in (*TO["executing"], "/proof", plan(PRICE, problem="Not this one"), OTHER):
        talk.do(one)
    assert talk.plan()["queued"] == {"problem": "Another"}

    ended = talk.do("<it opens>")

    assert "From now on in proof mode." in ended
    assert "The plan: Another" in ended
    assert (talk.plan()["phase"], talk.plan()["mode"], talk.plan()["queued"]) == (
        "awaiting_approval",
        "proof",
        None,
    )
    talk.do("looks good")
    assert "- other: 2" in talk.told("Done: Another")
