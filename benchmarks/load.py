"""A bounded load over HTTP, run as a process of its own so that it does not compete for the server's lock.

    python -m benchmarks.load URL --clients 32 --laps 4

Every client is one person with one connection kept open; a lap is one onboarding in a new session. Prints one
JSON object.
"""

import argparse
import asyncio
import json
import sys
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from benchmarks.talk import SAID, check_end


class Line:
    """One connection that is kept open."""

    def __init__(self, url: str, *headers: str) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._headers = "".join(f"{header}\r\n" for header in headers)

    async def open(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)

    async def post(self, path: str, body: dict[str, str]) -> bytes:
        """The body of the answer; anything but 200 raises."""
        raw = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\n{self._headers}"
            f"Content-Type: application/json\r\nContent-Length: {len(raw)}\r\n\r\n"
        )
        self._writer.write(head.encode() + raw)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        lines = answer.decode("latin-1").split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:"))
        answered = await self._reader.readexactly(length)
        if " 200 " not in lines[0]:
            raise RuntimeError(f"{lines[0]}: {answered[:500]!r}")
        return answered

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


class Client:
    """One person talking over one connection."""

    def __init__(self, url: str, name: str) -> None:
        self._person = f"{name}@example.org"
        self.line = Line(url, f"X-Softrail-Person: {self._person}")
        self._turns = 0
        self.seconds: list[float] = []

    async def lap(self) -> None:
        """One onboarding, every answer checked for its status and the last for its end."""
        session_id, raw = None, b""
        for message in SAID:
            self._turns += 1
            body = {"message": message, "turn_id": f"{self._person}-{self._turns}"}
            if session_id is not None:
                body["session_id"] = session_id
            began = perf_counter()
            raw = await self.line.post("/converse", body)
            self.seconds.append(perf_counter() - began)
            session_id = session_id or json.loads(raw)["session_id"]
        check_end(raw.decode())


async def load(url: str, clients: int, laps: int, name: str) -> dict[str, Any]:
    """All clients at once, after one lap of each that does not count."""
    people = [Client(url, f"{name}-{n}") for n in range(clients)]
    await asyncio.gather(*(client.line.open() for client in people))
    for client in people[: max(1, clients // 8)]:
        await client.lap()
        client.seconds.clear()
    began = perf_counter()
    await asyncio.gather(*(_laps(client, laps) for client in people))
    wall = perf_counter() - began
    for client in people:
        client.line.close()
    return {"wall": wall, "seconds": [second for client in people for second in client.seconds]}


async def _laps(client: Client, laps: int) -> None:
    for _ in range(laps):
        await client.lap()


def main() -> None:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--laps", type=int, default=4)
    parser.add_argument("--name", default="client")
    given = parser.parse_args()
    json.dump(asyncio.run(load(given.url, given.clients, given.laps, given.name)), sys.stdout)


if __name__ == "__main__":
    main()
