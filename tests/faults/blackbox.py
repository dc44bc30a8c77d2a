"""The black box: talks to a real server, kills it at random, and counts which promises were broken.

    python -m tests.faults.blackbox --turns 400 --kills 4 --seed 1

It knows nothing but HTTP while it runs; afterwards it reads the histories back through the server and the
effects from the database.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.faults.client import Acked, Client
from tests.faults.findings import Findings, Said, given_up
from tests.faults.server import Server
from tests.faults.talks import Line, talk

#: Makes trouble; returns when it struck, by the monotonic clock.
Trouble = Callable[[], Awaitable[float]]


@dataclass
class Report:
    """What a run did and found."""

    findings: Findings
    turns: int = 0
    kills: int = 0
    effects: int = 0
    given_up: int = 0  #: turns answered with words of failure after their third start
    seconds: float = 0.0
    client: Client | None = None
    recoveries: list[float] = field(default_factory=list)  #: seconds from the trouble to the next reply

    @property
    def worst(self) -> float:
        return max(self.recoveries, default=0.0)

    def __str__(self) -> str:
        assert self.client is not None
        seen = self.client.seen
        middle = sorted(self.recoveries)[len(self.recoveries) // 2] if self.recoveries else 0.0
        return (
            f"{self.turns} turns, {self.kills} kills, {self.effects} effects, {self.given_up} given up, {self.seconds:.0f} s: {self.findings}; "
            f"next reply after a kill {middle:.1f} s median, {self.worst:.1f} s worst; slowest turn {seen.slowest:.1f} s; "
            f"{seen.broken} broken connections, {seen.left} left early, {seen.doubled} doubled, {seen.streamed} streamed; "
            f"answers {dict(sorted(seen.statuses.items()))}"
        )


class BlackBox:
    """Conversations at once against some servers, with trouble in between."""

    def __init__(self, servers: Sequence[Server], *, seed: int, mischief: float = 0.05) -> None:
        self.servers = list(servers)
        self._rng = Random(seed)
        self.client = Client(servers, Random(seed + 1), mischief=mischief)

    async def run(
        self, *, turns: int, talks: int, kills: int, trouble: Trouble | None = None, each: int = 0
    ) -> Report:
        """Say about `turns` turns in `talks` conversations at once, with `kills` troubles spread over them.

        `each`: turns of one conversation, after which a new one takes its place; 0: all of its share.
        """
        begun, length = time.monotonic(), each or max(1, turns // talks)
        scripts = [talk(n, length, Random(self._rng.random())) for n in range(max(talks, turns // length))]
        total = sum(len(script) for script in scripts)
        report = Report(Findings(), turns=total, client=self.client)
        said: list[list[tuple[Line, Acked | None]]] = [[] for _ in scripts]
        waiting = list(range(len(scripts)))

        async def speak() -> None:
            while waiting:
                n = waiting.pop(0)
                await self._speak(f"p{n}", scripts[n], said[n])

        speakers = [asyncio.create_task(speak()) for _ in range(talks)]
        marks = sorted(self._rng.sample(range(total // 20, total * 19 // 20), kills))
        for mark in marks:
            while len(self.client.acked) < mark and not all(s.done() for s in speakers):  # noqa: ASYNC110
                await asyncio.sleep(0.002)
            struck = await (trouble or self._kill)()
            self.client.first_after = None
            report.kills += 1
            while self.client.first_after is None and not all(s.done() for s in speakers):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
            report.recoveries.append((self.client.first_after or time.monotonic()) - struck)
        await asyncio.gather(*speakers)
        await self._read_back(report, said)
        report.seconds = time.monotonic() - begun
        return report

    async def _speak(
        self, person: str, script: Sequence[Line], said: list[tuple[Line, Acked | None]]
    ) -> None:
        session_id = None
        for n, line in enumerate(script):
            request = {"message": line.message, "turn_id": f"{person}-{n}"}
            if session_id is not None:
                request["session_id"] = session_id
            acked = await self.client.turn(person, **request)
            said.append((line, acked))
            if acked is None:
                return
            session_id = acked.reply["session_id"]

    async def _kill(self) -> float:
        """End every server without a word, and start them again."""
        struck = time.monotonic()
        for server in self.servers:
            server.kill()
        await asyncio.gather(*(server.start() for server in self.servers))
        return struck

    async def _read_back(self, report: Report, talks: Sequence[Said]) -> None:
        findings, client = report.findings, self.client
        kept = [
            acked for acked in client.acked if not acked.given_up
        ]  # that one is run again, and may end well
        for acked in self._rng.sample(kept, min(len(kept), max(20, len(kept) // 20))):
            findings.reply_changed += not await client.again(acked)
        for n, said in enumerate(talks):
            if not said:
                continue
            exported = await client.get(f"p{n}", "/me/export")
            answered = [one for _, one in said if one is not None]
            findings.history([line.message for line, _ in said], answered, exported["sessions"])
            findings.places(said)
            report.given_up += given_up(said)
        findings.wire(client)
        report.effects = await findings.effects(self.servers[0].url, talks)

    async def close(self) -> None:
        await self.client.close()
        for server in self.servers:
            server.kill()


async def once(
    servers: Sequence[Server], *, seed: int, turns: int, kills: int, talks: int = 12, mischief: float = 0.05
) -> Report:
    """One run against servers that are started for it and killed after it."""
    box = BlackBox(servers, seed=seed, mischief=mischief)
    try:
        for server in servers:
            await server.start()
        return await box.run(turns=turns, talks=talks, kills=kills)
    finally:
        await box.close()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=400)
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--talks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--database", help="URL of a migrated database; omitted: a SQLite file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        url = given.database or f"sqlite:///{name}/softrail.db"
        server = Server(Path(name), url, workers=given.workers, as_people_do=True)
        report = asyncio.run(
            once([server], seed=given.seed, turns=given.turns, kills=given.kills, talks=given.talks)
        )
    print(report)
    raise SystemExit(0 if report.findings.clean else 1)


if __name__ == "__main__":
    main()
