"""Clients that leave something undone: half a request, a body that never ends, an answer that nobody reads."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from softrail.api.connections import Limits, Timed, most_connections

SHORT = Limits(header=0.2, body=0.2, stalled=0.2)
LONG = 1000 * 1000


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the whole body; `/large` answers more than any buffer holds, `/whole` in one piece; `/waits` never ends."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/whole":
        await send({"type": "http.response.body", "body": b"x" * 20 * LONG, "more_body": False})
        return
    for _ in range(500 if scope["path"] == "/large" else 0):
        await send({"type": "http.response.body", "body": b"x" * LONG, "more_body": True})
    await send({"type": "http.response.body", "body": b"begun", "more_body": True})
    if scope["path"] == "/waits":
        await asyncio.Event().wait()
    await send({"type": "http.response.body", "body": b"", "more_body": False})


class Strict(Timed):
    """With limits that a test can wait for."""

    limits = SHORT


class Upgraded(asyncio.Protocol):
    """A connection that speaks something else from its first request on."""

    def __init__(self, **_: object) -> None:
        pass

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")


@pytest.fixture
async def port() -> AsyncIterator[int]:
    config = uvicorn.Config(app, port=0, http=Strict, lifespan="off", log_config=None, ws=Upgraded)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - there is nothing to wait on
        await asyncio.sleep(0.01)
    yield int(server.servers[0].sockets[0].getsockname()[1])
    server.should_exit = server.force_exit = True
    await serving


@pytest.fixture
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a limit has passed is looked at all the time, where nobody is to be in time."""
    monkeypatch.setattr("softrail.api.connections._LOOK_EVERY", 0.05)


async def closed(reader: asyncio.StreamReader) -> bytes:
    """What came until the server closed the connection."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


@pytest.mark.usefixtures("looked_at_often")
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTT",
        b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf of it",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ],
    ids=["nothing", "half a line", "half the headers", "no body", "half a body", "half the chunks"],
)
async def test_half_a_request_is_not_waited_for(port: int, sent: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)

    assert b"200 OK" not in await closed(reader)
    writer.close()


WITHOUT_END = {
    "one header": b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: ",
    "an address": b"GET /",
    "headers behind a body": b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Long: ",
    "the next request's, while an answer goes on": b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: ",
}


@pytest.mark.parametrize("begun", [pytest.param(head, id=name) for name, head in WITHOUT_END.items()])
async def test_headers_that_have_no_end_are_not_kept(
    port: int, begun: bytes, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("httptools")  # without it the web server has this limit itself
    monkeypatch.setattr(Strict, "limits", Limits(header=1e9, body=1e9))
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    if "while" in request.node.callspec.id:
        writer.write(b"GET /waits HTTP/1.1\r\nHost: a\r\n\r\n")
        await reader.readuntil(b"begun")
    writer.write(begun)
    with suppress(ConnectionError):
        for _ in range(4):
            writer.write(b"x" * LONG)
            await writer.drain()
        writer.write(b" HTTP/1.1\r\nHost: a\r\n\r\n")
    async with asyncio.timeout(60):
        told = await closed(reader)

    assert b"200 OK" not in told
    writer.close()


@pytest.mark.parametrize("size", [1, 1000])
async def test_long_headers_and_many_small_chunks_are_taken(port: int, size: int) -> None:
    chunk = b"%x\r\n%s\r\n" % (size, b"x" * size)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nX-Long: " + b"x" * 60_000 + b"\r\n\r\n"
    )
    for _ in range(100_000 // size):
        writer.write(chunk)
    writer.write(b"0\r\nX-More: y\r\n\r\n")

    assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
    writer.close()


async def test_who_sends_too_long_headers_is_told(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: ".ljust(65_537, b"x"))  # none of it is left unread

    told = await closed(reader)

    assert told.startswith(b"HTTP/1.1 431 ")
    assert b"headers_too_large" in told
    writer.close()


@pytest.mark.usefixtures("looked_at_often")
async def test_the_half_of_a_second_request_is_not_waited_for(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
    writer.write(b"GET / HTTP/1.1\r\n")

    await closed(reader)
    writer.close()


@pytest.mark.usefixtures("looked_at_often")
async def test_a_reader_who_does_not_read_is_left(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    writer.write(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    while server_side(port):  # noqa: ASYNC110 - there is nothing to wait on
        await asyncio.sleep(0.05)

    got = await closed(reader)

    assert len(got) < 500 * LONG
    writer.close()


@pytest.mark.usefixtures("looked_at_often")
@pytest.mark.parametrize(
    "headers", [b"", b"Connection: close\r\n"], ids=["it stays open", "it would be closed"]
)
async def test_a_reader_who_does_not_read_the_end_of_an_answer_is_left(port: int, headers: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    writer.write(b"GET /whole HTTP/1.1\r\nHost: a\r\n" + headers + b"\r\n")
    await reader.readuntil(b"\r\n\r\n")

    async with asyncio.timeout(20):
        while any(one.server and one.server[1] == port for one in open_ones):  # noqa: ASYNC110 - nothing to wait on
            await asyncio.sleep(0.05)

    assert len(await closed(reader)) < 20 * LONG
    writer.close()


async def test_a_slow_reader_gets_the_end_of_an_answer_too(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    writer.write(b"GET /whole HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")

    assert len(await closed(reader)) >= 20 * LONG
    writer.close()


def server_side(port: int) -> bool:
    """Some connection to that port is open on the side of the server."""
    return any(
        not one.transport.is_closing() for one in list(open_ones) if one.server and one.server[1] == port
    )


open_ones: set[Timed] = set()


@pytest.fixture(autouse=True)
def noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections are noted while they are open."""
    made, lost = Timed.connection_made, Timed.connection_lost

    def connection_made(self: Timed, transport: asyncio.Transport) -> None:
        open_ones.add(self)
        made(self, transport)

    def connection_lost(self: Timed, exc: Exception | None) -> None:
        open_ones.discard(self)
        lost(self, exc)

    monkeypatch.setattr(Timed, "connection_made", connection_made)
    monkeypatch.setattr(Timed, "connection_lost", connection_lost)


@pytest.mark.usefixtures("looked_at_often")
async def test_an_answer_that_takes_long_is_waited_for(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /waits HTTP/1.1\r\nHost: a\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    await reader.readuntil(b"begun")

    await reader.read(2)  # the end of a chunk
    reading = asyncio.create_task(reader.read(1))
    await asyncio.wait({reading}, timeout=0.8)  # four times each limit
    over = reading.done()
    reading.cancel()
    writer.close()
    assert not over, "neither more nor the end"


@pytest.mark.usefixtures("looked_at_often")
async def test_a_connection_that_became_a_websocket_is_none_of_ours(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    assert b"101" in await reader.readuntil(b"\r\n\r\n")

    reading = asyncio.create_task(reader.read(1))
    await asyncio.wait({reading}, timeout=0.8)  # four times each limit
    over = reading.done()
    reading.cancel()
    writer.close()
    assert not over, "neither more nor the end"


async def test_one_connection_too_many_is_told_so(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Strict, "limits", replace(SHORT, connections=1, header=60.0))
    _, first = await asyncio.open_connection("127.0.0.1", port)
    first.write(b"GET /")
    await first.drain()
    while not open_ones:  # noqa: ASYNC110 - there is nothing to wait on
        await asyncio.sleep(0.01)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    told = await closed(reader)

    assert told.startswith(b"HTTP/1.1 503")
    assert b"too_many_connections" in told
    assert b"retry-after: 2" in told
    for one in (first, writer):
        one.close()


def test_there_are_never_more_connections_than_files_may_be_open() -> None:
    assert most_connections(5) == 5
    assert 0 < most_connections(10**12) < 10**12 or most_connections(10**12) == 10**12
