"""Rows of the long fault tests beside kills: ends in order, reading elsewhere, a full disk, clients that leave."""

import asyncio
import resource
import signal
import time
from pathlib import Path
from random import Random

from tests.faults.client import Acked, Client
from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, file_of, row, told

GRACE = 5.0  #: seconds that these servers give to what runs


@row("A7")
async def ended_in_order(ground: Ground) -> Row:
    faults: list[str] = []
    async with ground.box(ground.sqlite()) as box:

        async def end() -> float:
            [server] = box.servers
            struck = time.monotonic()
            code = await asyncio.to_thread(server.terminate)
            took = time.monotonic() - struck
            if code not in (0, -signal.SIGTERM):
                faults.append(f"exit code {code}")
            if took > 2 * GRACE:
                faults.append(f"ended after {took:.1f} s")
            await server.start()
            return struck

        turns, ends = ground.count(10_000, 400), ground.count(20, 2)
        report = await box.run(turns=turns, talks=200, kills=ends, each=20, trouble=end)
    return told("A7", "SIGTERM with 200 conversations under way, SQLite", report, faults=faults)


@row("A10")
async def read_elsewhere_at_once(ground: Ground) -> Row:
    found, turns = Findings(), ground.count(5_000, 100)
    async with ground.box(await ground.postgres(), servers=2) as box:
        one, other = box.servers
        says, reads = Client([one], Random(ground.seed)), Client([other], Random(ground.seed))
        session: dict[str, str] = {}
        for n in range(turns):
            acked = await says.turn("reader", message=f"I like tea {n}", turn_id=f"r{n}", **session)
            if acked is None:
                continue
            if n % max(2, turns // 20) == 0:  # it is dead before anybody could have written something later
                one.kill()
                await one.start()
            session = {"session_id": acked.reply["session_id"]}
            path = f"/sessions/{session['session_id']}/turns?after={acked.reply['seq'] - 1}"
            items = (await reads.get("reader", path))["items"]
            found.lost_acked += acked.reply["seq"] not in [item["seq"] for item in items]
        found.wire(says)
        await says.close()
        await reads.close()
    counts = f"{turns} turns, 20 kills right after the answer"
    return Row(name="A10", what="each turn read from another worker, PostgreSQL", counts=counts, found=found)


@row("C5")
async def no_space(ground: Ground) -> Row:
    url = ground.sqlite()
    file = file_of(url)
    async with ground.box(url) as box:

        async def fill() -> float:
            [server] = box.servers
            logged = Path(f"{file}-wal")
            size = max(path.stat().st_size for path in (file, logged) if path.exists())
            limits = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, limits[1]))
            await asyncio.sleep(1.0)
            struck = time.monotonic()
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)
            return struck

        turns, times = ground.count(5_000, 200), ground.count(50, 2)
        report = await box.run(turns=turns, talks=16, kills=times, each=100, trouble=fill)
    what = "no file may grow for a second (as on a full disk), SQLite"
    return told("C5", what, report)


async def nobody_dies(ground: Ground, name: str, workers: int) -> Row:
    """Four in five only wait in their step, the fifth holds a thread; nobody is killed."""
    people, turns = ground.count(400, 20), 8
    environment = {"SOFTRAIL_APP": "tests.faults.patient_app:make"}
    url = await ground.postgres()
    async with ground.box(url, workers=workers, environment=environment) as box:
        client, given_up = Client(box.servers, Random(ground.seed), connections=people, patience=300.0), 0
        found, kept = Findings(), list[tuple[str, list[str], list[Acked]]]()

        async def speak(n: int) -> None:
            person, session, acked = f"n{n}", dict[str, str](), list[Acked]()
            opening = "hold it with me" if n % 5 == 0 else "wait with me"
            sent = [opening, *(f"tea {n} {k}" for k in range(turns - 1))]
            for k, message in enumerate(sent):
                one = await client.turn(person, message=message, turn_id=f"{person}-{k}", **session)
                if one is None:
                    return
                acked.append(one)
                session = {"session_id": one.reply["session_id"]}
            kept.append((person, sent, acked))

        await asyncio.gather(*(speak(n) for n in range(people)))
        found.wire(client)
        slowest = client.seen.slowest
        for person, sent, acked in kept:
            given_up += sum(one.given_up for one in acked)
            found.history(sent, acked, (await client.get(person, "/me/export"))["sessions"])
        log = box.servers[0].log.read_text()
        await client.close()
    dead = log.count("declared dead") + log.count("no sign of life")
    statuses = ", ".join(
        f"{n} x {status}" for status, n in sorted(client.seen.statuses.items()) if status != 200
    )
    faults = [f"{given_up} given up"] if given_up else []
    return Row(
        name=name,
        what=f"{people} people at once, steps of 1 s, nobody is killed, {workers} workers, PostgreSQL",
        counts=f"{people * turns} turns, {given_up} given up, {dead} taken for dead",
        found=found,
        times=f"slowest turn {slowest:.1f} s{f'; not now: {statuses}' if statuses else ''}",
        faults=[*faults, "a worker was taken for dead"] if dead else faults,
    )


@row("N1")
async def nobody_dies_on_two(ground: Ground) -> Row:
    return await nobody_dies(ground, "N1", 2)


@row("N1b")
async def nobody_dies_on_four(ground: Ground) -> Row:
    return await nobody_dies(ground, "N1b", 4)


@row("G1")
async def clients_leave(ground: Ground) -> Row:
    async with ground.box(ground.sqlite(), mischief=0.4) as box:
        report = await box.run(turns=ground.count(10_000, 200), talks=16, kills=0, each=100)
    return told("G1", "clients leave, send twice, send nonsense, SQLite", report)
