"""Turns that wait, and turns that are stopped, seen from outside."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from pydantic import BaseModel

from softrail.api import create_app
from softrail.bootstrap import build
from softrail.core.outcomes import Ask, Outcome
from softrail.core.turns import Turn
from softrail.processes import Process, step
from softrail.store import MemoryStore
from tests.integration.api_server import ADA, settings

START = "start waiting"


class Gate:
    """Opened by the test; a step waits for it."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.opened = asyncio.Event()


class Waiting(Process, name="waiting", version=1):
    """Waits for the gate at every answer."""

    starts_on = (START,)

    class Data(BaseModel):
        """Nothing."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    @step(asks="Ready?")
    async def ready(self, said: Turn, data: Data) -> Outcome:
        """Waits, then asks again."""
        self._gate.entered.set()
        await self._gate.opened.wait()
        return Ask("And now?")


@asynccontextmanager
async def waiting(gate: Gate, **limits: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """A server whose process waits for the gate."""
    chosen = settings(accept_after=0.0, **limits)
    dispatcher = build(
        chosen, store=MemoryStore(), processes=[Waiting], services={Gate: gate}, discover=False
    )
    transport = httpx2.ASGITransport(create_app(dispatcher, chosen))
    async with (
        dispatcher,
        asyncio.timeout(20),
        httpx2.AsyncClient(transport=transport, base_url="http://localhost", headers=ADA) as client,
    ):
        yield client


async def test_a_turn_that_waits_too_long_is_503_and_its_id_gets_the_reply_later() -> None:
    gate = Gate()
    async with waiting(gate, wait_limit=0.01) as client:
        session = (await client.post("/converse", json={"message": START})).json()["session_id"]
        slow = asyncio.create_task(client.post("/converse", json={"message": "yes", "session_id": session}))
        await gate.entered.wait()
        behind = {"message": "second", "session_id": session, "turn_id": "behind"}

        busy = await client.post("/converse", json=behind)
        gate.opened.set()
        first, second = (await slow).json(), None
        while second is None or second.status_code == 503:
            second = await client.post("/converse", json=behind)

        assert busy.status_code == 503
        assert busy.json()["error"]["code"] == "session_busy"
        assert busy.json()["error"]["details"]["turn_id"] == "behind"
        assert int(busy.headers["retry-after"]) >= 1
        assert (first["seq"], second.json()["seq"]) == (3, 5)


async def test_cancelling_ends_the_running_turn_with_an_honest_reply() -> None:
    gate = Gate()
    async with waiting(gate) as client:
        session = (await client.post("/converse", json={"message": START})).json()["session_id"]
        running = asyncio.create_task(
            client.post("/converse", json={"message": "yes", "session_id": session})
        )
        await gate.entered.wait()

        first = await client.post(f"/sessions/{session}/cancel")
        stopped = await running
        again = await client.post(f"/sessions/{session}/cancel")

        assert (first.json(), again.json()) == ({"cancelled": True}, {"cancelled": False})
        assert stopped.status_code == 200
        assert "stopped that" in stopped.json()["companion_message"]
        assert not gate.opened.is_set()
