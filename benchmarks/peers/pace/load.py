"""The six turns over HTTP, from a process of its own so that it does not compete for the server's lock.

python -m benchmarks.peers.pace.load URL /turn --clients 32 --laps 4
"""

import argparse
import asyncio
import json
import sys
from time import perf_counter

from benchmarks.load import Line
from benchmarks.peers.pace.stage import ASKED, BOOKED, SAID


class Client:
    """One person, with one connection; a lap is a session."""

    def __init__(self, url: str, path: str, name: str) -> None:
        self._path, self._name, self._laps = path, name, 0
        self.line = Line(url, f"X-Softrail-Person: {name}@example.org")

    async def lap(self) -> None:
        """The six turns of one session, every answer looked at."""
        self._laps += 1
        session = None if self._path == "/converse" else f"{self._name}-{self._laps}"
        for place, (message, wanted) in enumerate(zip(SAID, (*ASKED, BOOKED), strict=True)):
            body = {"message": message}
            if self._path == "/converse":
                body |= {"turn_id": f"{self._name}-{self._laps}-{place}"}
                body |= {"session_id": session} if session else {}
            else:
                body |= {"session": str(session)}
            answered = json.loads(await self.line.post(self._path, body))
            session = session or answered["session_id"]
            heard = answered.get("companion_message") or answered["text"]
            if wanted not in heard:
                raise RuntimeError(f"To {message!r} the answer was {heard!r}, and not {wanted!r}.")


async def load(url: str, path: str, clients: int, laps: int) -> dict[str, float]:
    """All at once, after one lap of one of them."""
    people = [Client(url, path, f"client-{n}") for n in range(clients)]
    for client in people:
        await client.line.open()
    await people[0].lap()
    began = perf_counter()
    await asyncio.gather(*(_laps(client, laps) for client in people))
    wall = perf_counter() - began
    for client in people:
        client.line.close()
    return {"turns": clients * laps * len(SAID), "wall": wall}


async def _laps(client: Client, laps: int) -> None:
    for _ in range(laps):
        await client.lap()


def main() -> None:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("path")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--laps", type=int, default=4)
    given = parser.parse_args()
    json.dump(asyncio.run(load(given.url, given.path, given.clients, given.laps)), sys.stdout)


if __name__ == "__main__":
    main()
