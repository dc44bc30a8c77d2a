"""Server-sent events on the wire: the client that stays, the one that leaves, and long silence."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import pytest
from fastapi.sse import KEEPALIVE_COMMENT

from softrail.api.events import Event, EventStream

SCOPE: dict[str, Any] = {"type": "http", "asgi": {"spec_version": "2.3"}}


class Client:
    """An ASGI client that leaves when it has had enough pieces, or never."""

    def __init__(self, leaves_after: int | None = None) -> None:
        self.pieces: list[bytes] = []
        self._leaves_after = leaves_after
        self._gone = asyncio.Event()
        self._heard = asyncio.Condition()

    async def receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        await asyncio.sleep(0)
        if body := message.get("body"):
            async with self._heard:
                self.pieces.append(body)
                self._heard.notify_all()
        if self._leaves_after is not None and len(self.pieces) >= self._leaves_after:
            self._gone.set()
            await asyncio.Event().wait()  # what is sent to nobody waits until it is given up

    async def hears(self, piece: bytes) -> None:
        """Return when this piece arrives once more."""
        before = self.pieces.count(piece)
        async with self._heard:
            await self._heard.wait_for(lambda: self.pieces.count(piece) > before)


def counting(
    closed: asyncio.Event, between: Callable[[], Awaitable[None]] | None = None, until: int = 3
) -> AsyncGenerator[Event, None]:
    async def events() -> AsyncGenerator[Event, None]:
        try:
            for n in range(until):
                if between is not None:
                    await between()
                yield Event("count", str(n), id=str(n))
        finally:
            closed.set()

    return events()


async def test_events_arrive_in_order_with_their_ids() -> None:
    client, closed = Client(), asyncio.Event()
    await EventStream(counting(closed))(SCOPE, client.receive, client.send)
    assert client.pieces == [f"event: count\ndata: {n}\nid: {n}\n\n".encode() for n in range(3)]
    assert closed.is_set()


@pytest.mark.parametrize("leaves_after", [1, 2, 5])
async def test_a_client_that_leaves_while_a_piece_is_on_its_way_is_no_error(leaves_after: int) -> None:
    client, closed = Client(leaves_after), asyncio.Event()
    await EventStream(counting(closed, until=1_000))(SCOPE, client.receive, client.send)
    assert len(client.pieces) == leaves_after
    assert closed.is_set()


async def test_a_client_that_leaves_while_nothing_happens_ends_the_waiting() -> None:
    client, closed, never = Client(leaves_after=1), asyncio.Event(), asyncio.Event()

    async def silence() -> None:
        if client.pieces:
            await never.wait()

    await asyncio.wait_for(
        EventStream(counting(closed, silence))(SCOPE, client.receive, client.send), timeout=5
    )
    assert closed.is_set()


async def test_long_silence_is_filled_with_signs_of_life_and_loses_no_event() -> None:
    client, closed = Client(), asyncio.Event()

    async def a_while() -> None:
        await client.hears(KEEPALIVE_COMMENT)
        await client.hears(KEEPALIVE_COMMENT)

    await EventStream(counting(closed, a_while), ping_every=0.001)(SCOPE, client.receive, client.send)
    assert client.pieces.count(KEEPALIVE_COMMENT) >= 6
    assert [p for p in client.pieces if p != KEEPALIVE_COMMENT] == [
        f"event: count\ndata: {n}\nid: {n}\n\n".encode() for n in range(3)
    ]


async def test_what_goes_wrong_in_the_events_reaches_the_server() -> None:
    async def broken() -> AsyncGenerator[Event, None]:
        yield Event("count", "0")
        raise RuntimeError("the events broke")

    client = Client()
    with pytest.raises(RuntimeError, match="the events broke"):
        await EventStream(broken())(SCOPE, client.receive, client.send)
    assert client.pieces == [b"event: count\ndata: 0\n\n"]
