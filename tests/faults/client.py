"""A client that does not give up: it sends a turn again, with the same id, until it has the reply or its session is lost."""

import asyncio
import contextlib
import gc
import json
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx2

from softrail.dialogue.sentences import SENTENCES
from tests.faults.server import Server

#: What no body may ever show.
LEAKS = (
    "Traceback",
    'File "',
    ".py",
    "sqlalchemy",
    "asyncpg",
    "sqlite3",
    "/home",
    "/root",
    "database is locked",
)
GAVE_UP = SENTENCES["gave_up"].encode()
GIVE_UP = 90.0  #: seconds for one turn, restarts of the server included


class Lost(Exception):
    """The session is not there any more: it will not come back, however often it is asked for."""


@dataclass(frozen=True, slots=True)
class Acked:
    """A turn that was acknowledged: what was sent, and the reply byte for byte."""

    person: str
    request: dict[str, str]
    body: bytes

    @property
    def reply(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def given_up(self) -> bool:
        """Words of failure after its third start: its script goes another way, and sent again it is run again."""
        return GAVE_UP in self.body


@dataclass
class Seen:
    """What happened on the wire, in counts."""

    statuses: Counter[int] = field(default_factory=Counter)
    broken: int = 0  #: connections that broke
    left: int = 0  #: times the client left before the answer
    doubled: int = 0  #: turns sent twice at once
    streamed: int = 0
    leaks: list[str] = field(default_factory=list)
    no_retry_after: int = 0  #: refused for now, and not told when to come again
    differing: int = 0  #: the same turn got two replies
    stuck: int = 0  #: turns given up
    slowest: float = 0.0


class Client:
    """Says turns to one or several servers of the same database."""

    def __init__(
        self,
        servers: Sequence[Server],
        rng: Random,
        *,
        mischief: float = 0.0,
        connections: int = 200,
        patience: float = GIVE_UP,
    ) -> None:
        self.seen = Seen()
        self.acked: list[Acked] = []
        self.first_after: float | None = None  #: when the first reply after `restarted` came
        self._servers = list(servers)
        self._rng = rng
        self._mischief = mischief
        limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=50)
        self._http = httpx2.AsyncClient(timeout=70.0, limits=limits, trust_env=False)
        self._next = 0
        self._patience = patience

    async def close(self) -> None:
        await self._http.aclose()
        await asyncio.sleep(0)
        with warnings.catch_warnings():
            # A connection that was opening when its server was killed is left to the collector by the library.
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()

    def _base(self) -> str:
        self._next += 1
        return self._servers[self._next % len(self._servers)].base

    async def turn(self, person: str, **request: str) -> Acked | None:
        """The reply to a turn, however often it has to be sent; None when it was given up."""
        begun, chance = time.monotonic(), self._rng.random()
        if chance < self._mischief:
            await self._leave(person, request)
        elif chance < 2 * self._mischief:
            twice = await asyncio.gather(*(self._until_answered(person, request) for _ in range(2)))
            self.seen.doubled += 1
            settled = [body for body in twice if body is None or GAVE_UP not in body]
            self.seen.differing += len(set(settled)) > 1
        elif chance < 2.5 * self._mischief:
            await self._nonsense(person)
        body = await self._until_answered(person, request, stream=chance > 1 - self._mischief)
        self.seen.slowest = max(self.seen.slowest, time.monotonic() - begun)
        if body is None:
            return None
        acked = Acked(person, request, body)
        self.acked.append(acked)
        return acked

    async def again(self, acked: Acked) -> bool:
        """Send an acknowledged turn once more; True when the reply is the same, byte for byte."""
        return await self._until_answered(acked.person, acked.request) == acked.body

    async def get(self, person: str, path: str) -> Any:
        """Read something back; waits for a server that is not there yet."""
        for _ in range(100):
            with contextlib.suppress(httpx2.TransportError):
                response = await self._http.get(self._base() + path, headers=_as(person))
                if response.status_code == 200:
                    return response.json()
                self._look(response)
            await asyncio.sleep(0.1)
        raise RuntimeError(f"{path} could not be read.")

    # -- one turn

    async def _until_answered(
        self, person: str, request: dict[str, str], *, stream: bool = False
    ) -> bytes | None:
        end = time.monotonic() + self._patience
        while time.monotonic() < end:
            try:
                body = await (self._streamed if stream else self._posted)(person, request)
            except httpx2.TransportError:
                self.seen.broken += 1
                body = None
            except Lost:
                break
            if body is not None:
                if self.first_after is None:
                    self.first_after = time.monotonic()
                return body
            await asyncio.sleep(0.02 + 0.05 * self._rng.random())
        self.seen.stuck += 1
        return None

    async def _posted(self, person: str, request: dict[str, str]) -> bytes | None:
        response = await self._http.post(self._base() + "/converse", json=request, headers=_as(person))
        self._found(response)
        return response.content if response.status_code == 200 else None

    async def _streamed(self, person: str, request: dict[str, str]) -> bytes | None:
        self.seen.streamed += 1
        url = self._base() + "/converse/stream"
        async with self._http.stream("POST", url, json=request, headers=_as(person)) as response:
            if response.status_code != 200:
                await response.aread()
                self._found(response)
                return None
            self.seen.statuses[200] += 1
            event = ""
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                elif line.startswith("data: ") and event == "turn.committed":
                    # The stream carries the reply's value; the bytes are those of the plain answer.
                    break
        return await self._posted(person, request)

    async def _leave(self, person: str, request: dict[str, str]) -> None:
        """Send it and go away before the answer, or just when it comes."""
        self.seen.left += 1
        with contextlib.suppress(TimeoutError, httpx2.TransportError):
            async with asyncio.timeout(0.02 * self._rng.random()):
                await self._http.post(self._base() + "/converse", json=request, headers=_as(person))

    async def _nonsense(self, person: str) -> None:
        body = self._rng.choice(
            (
                b"{",
                b"[]",
                b'{"message": 3}',
                b'{"message": "x", "fence": 9}',
                b'{"message": "\\ud800"}',
                b"\xff",
            )
        )
        headers = {**_as(person), "Content-Type": "application/json"}
        with contextlib.suppress(httpx2.TransportError):
            self._look(await self._http.post(self._base() + "/converse", content=body, headers=headers))

    def _found(self, response: httpx2.Response) -> None:
        self._look(response)
        if response.status_code == 404:
            raise Lost

    def _look(self, response: httpx2.Response) -> None:
        """Count the answer, and look for what no body may show."""
        self.seen.statuses[response.status_code] += 1
        if response.status_code in (429, 503):
            self.seen.no_retry_after += "Retry-After" not in response.headers
        if response.status_code != 200:
            found = [leak for leak in LEAKS if leak in response.text]
            if found:
                self.seen.leaks.append(f"{response.status_code} shows {found[0]!r}: {response.text[:200]}")


def _as(person: str) -> dict[str, str]:
    return {"X-Softrail-Person": f"{person}@example.org"}
