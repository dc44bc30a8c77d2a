"""Rows of the long fault tests about event streams: very many that are open, and readers that are slow."""

import asyncio
import resource
import socket
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import httpx2

from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, kilobytes, row
from tests.faults.hot import spread
from tests.faults.large import timed
from tests.faults.server import Server

KILOBYTES = 100.0  #: of the server's memory for each open stream
SPARE = 500  #: open files that are no streams
WARM = 100  #: streams that are open before anything is measured
AT_ONCE = 50  #: that are being opened
AT_A_TIME = 500  #: by one client, which lives as long as that takes


@row("I5")
async def very_many_open_streams(ground: Ground) -> Row:
    limit = open_files()
    wanted = ground.count(10_000, 4_000)  # fewer would bear what a busy worker takes once
    count = min(wanted, limit - SPARE)
    settings = {"SOFTRAIL_STREAM_LIMIT": str(count + WARM), "SOFTRAIL_CONNECTION_LIMIT": "0"}
    faults, seen = list[str](), Findings()
    async with ground.box(ground.sqlite(), environment=settings) as box:
        [server] = box.servers
        warm = await opened(server, WARM)
        await still_told(server, warm)  # from here on everything that a turn needs is loaded
        before = kilobytes(server.pid)
        streams = [one for some in batches(count) for one in await opened(server, some)]
        each = (kilobytes(server.pid) - before) / count
        told = len(warm)
        for some in range(0, count, AT_A_TIME):
            told += await still_told(server, streams[some : some + AT_A_TIME])
        for stream in (*warm, *streams):
            stream.writer.close()
    if each > KILOBYTES:
        faults.append(f"{each:.1f} KB each, not {KILOBYTES:g}")
    if told < count + WARM:
        faults.append(f"{count + WARM - told} streams were told nothing")
    fewer = "" if count == wanted else f" (of {wanted}: the machine allows {limit} open files)"
    return Row(
        name="I5",
        what="open event streams, each of a session of its own, one worker, SQLite",
        counts=f"{count} streams{fewer}, {told - WARM} of them told of an item then",
        found=seen,
        times=f"{each:.1f} KB of the server's memory each",
        faults=faults,
    )


def batches(count: int) -> Iterator[int]:
    while count > 0:
        yield min(count, AT_A_TIME)
        count -= AT_A_TIME


def open_files() -> int:
    """How many this process, and a server that it starts, may have open; as many as the machine allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Stream:
    """A client that follows a session."""

    def __init__(self, session: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.session = session
        self.reader = reader
        self.writer = writer


PERSON = {"X-Softrail-Person": "listener@example.org"}


def client(server: Server) -> httpx2.AsyncClient:
    """One that drops what it does not use before the server does: on a busy machine that would look like an end."""
    limits = httpx2.Limits(keepalive_expiry=1.0)
    return httpx2.AsyncClient(
        base_url=server.base, timeout=120, trust_env=False, headers=PERSON, limits=limits
    )


def asking(path: str, host: str) -> bytes:
    """A request as it goes over the wire: what follows has no client that would read ahead."""
    headers = {"Host": host, **PERSON}
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def opened(server: Server, count: int) -> list[Stream]:
    """So many streams, each of a new session."""
    parts, places = urlsplit(server.base), asyncio.Semaphore(AT_ONCE)

    async with client(server) as http:

        async def one() -> Stream:
            async with places:
                session = (await http.post("/sessions")).raise_for_status().json()["id"]
                reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=4096)
                writer.write(asking(f"/sessions/{session}/events", parts.netloc))
                head = await reader.readuntil(b"\r\n\r\n")
                if b" 200 " not in head.partition(b"\r\n")[0]:
                    raise RuntimeError(f"No stream: {head!r}")
                return Stream(session, reader, writer)

        return list(await asyncio.gather(*(one() for _ in range(count))))


async def still_told(server: Server, streams: list[Stream]) -> int:
    """How many of them are told of what is said in their sessions."""
    places = asyncio.Semaphore(AT_ONCE)
    async with client(server) as http:

        async def one(stream: Stream) -> bool:
            async with places:
                body = {"message": "/help", "session_id": stream.session}
                (await http.post("/converse", json=body)).raise_for_status()
                try:
                    async with asyncio.timeout(60):
                        await stream.reader.readuntil(b"event: item")
                except (TimeoutError, asyncio.IncompleteReadError):
                    return False
                return True

        return sum(await asyncio.gather(*map(one, streams)))


SLOW_KILOBYTES = 256.0  #: for each stream whose reader is slow
SLOWER = 1.2  #: times the 95th percentile of other clients without them, at most
SETTLED = 15.0  #: seconds after which the server has written what slow readers have room for
ITEMS = (
    600  #: said in each session that slow readers follow: more than the system takes off the server's hands
)
SESSIONS = 10  #: that they follow
TURNS = 1000  #: of another client, while they read and without them


@row("G3")
async def slow_readers(ground: Ground) -> Row:
    count, faults = 500, list[str]()  # fewer would bear what a busy worker takes once
    settings = {"SOFTRAIL_STREAM_LIMIT": str(count + WARM)}
    async with ground.box(ground.sqlite(), environment=settings) as box:
        [server] = box.servers
        async with client(server) as http:
            sessions = [await long_session(http) for _ in range(SESSIONS)]
            await percentile(http)  # from here on everything that a turn needs is loaded
            without = [await percentile(http)]
            before = kilobytes(server.pid)
            slow = [await slow_reader(server, sessions[n % SESSIONS]) for n in range(count)]
            reading = asyncio.create_task(a_byte_a_second(slow))
            await asyncio.sleep(SETTLED)
            beside = [await percentile(http) for _ in range(2)]
            each = (kilobytes(server.pid) - before) / count
            reading.cancel()
            for one in slow:
                one.close()
            without.append(await percentile(http))
    alone, more = min(without), min(beside)
    if each > SLOW_KILOBYTES:
        faults.append(f"{each:.1f} KB each, not {SLOW_KILOBYTES:g}")
    if more > alone * SLOWER:
        faults.append(f"{more * 1000:.1f} ms for others, not {alone * SLOWER * 1000:.1f}")
    return Row(
        name="G3",
        what="readers that take a byte a second of 9 MB of events, one worker, SQLite",
        counts=f"{count} readers, {2 * TURNS} turns of another client beside them",
        found=Findings(),
        times=f"{each:.1f} KB of the server's memory each; 95 % of the others' turns in {more * 1000:.1f} ms, without them in {alone * 1000:.1f} ms",
        faults=faults,
    )


async def long_session(http: httpx2.AsyncClient) -> str:
    """A session with much to read."""
    session = str((await http.post("/sessions")).raise_for_status().json()["id"])
    for n in range(ITEMS):
        body = {"message": f"/help {n} {'x' * 15_000}", "session_id": session}
        (await http.post("/converse", json=body)).raise_for_status()
    return session


async def slow_reader(server: Server, session: str) -> socket.socket:
    """Somebody who follows a session from its beginning, and has hardly room for what comes."""
    parts, loop = urlsplit(server.base), asyncio.get_running_loop()
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    reader.setblocking(False)
    await loop.sock_connect(reader, (parts.hostname, parts.port))
    await loop.sock_sendall(reader, asking(f"/sessions/{session}/events?after=0", parts.netloc))
    if await loop.sock_recv(reader, 12) != b"HTTP/1.1 200":
        raise RuntimeError("No stream.")
    return reader


async def a_byte_a_second(readers: list[socket.socket]) -> None:
    while True:
        for one in readers:
            with suppress(OSError):  # nothing is there yet, or the server has left it
                one.recv(1)
        await asyncio.sleep(1)


async def percentile(http: httpx2.AsyncClient) -> float:
    """Seconds in which 95 of 100 turns of another client are answered."""
    taken = list[float]()
    for _ in range(TURNS):
        with timed(taken):
            (await http.post("/converse", json={"message": "/help"})).raise_for_status()
    return spread(taken, 0.95)
