"""The long fault tests: `make soak`, or `python -m tests.faults.soak --rows A1,B3 --share 0.1`.

Prints a table of what was survived, as it stands in docs/reference/durability.md. `--share` scales the counts,
and `--rows M2` runs one row.
Ends with 1 when any promise was broken.
"""

import argparse
import asyncio
import signal
import tempfile
import time
from pathlib import Path
from random import Random

import asyncpg
from hypothesis.stateful import RuleBasedStateMachine

from tests.faults import (  # noqa: F401 - their rows
    soak_backups,
    soak_fleet,
    soak_hanging,
    soak_more,
    soak_plans,
    soak_power,
    soak_size,
    soak_store,
    soak_streams,
    soak_time,
)
from tests.faults.blackbox import Report
from tests.faults.client import Client
from tests.faults.cutting import CuttingProxy
from tests.faults.findings import Findings
from tests.faults.ground import ROWS, Ground, Row, row, slow, told
from tests.faults.hot import add, hot_session, hot_sessions
from tests.faults.machines import STEPS, broken
from tests.faults.unreliable import asking, unreliable
from tests.messages_api import messages_api
from tests.unit.dialogue.test_registry_machine import RegistryMachine
from tests.unit.processes.test_guards_machine import Guards

LEASE = 2.0  #: seconds without a sign of life after which these servers give a worker up
ACCEPTING = {"SOFTRAIL_ACCEPT_AFTER": "0"}  #: every turn is written down first, so a kill finds held sessions


@row("A1")
async def kills_on_sqlite(ground: Ground) -> Row:
    async with ground.box(ground.sqlite()) as box:
        turns, kills = ground.count(10_000, 200), ground.count(60, 2)
        report = await box.run(turns=turns, talks=16, kills=kills, each=100)
    return told("A1", "kill -9, SQLite, one worker", report, faults=slow(report, 3))


@row("A2")
async def kills_on_postgres(ground: Ground) -> Row:
    async with ground.box(await ground.postgres(), workers=2) as box:
        turns, kills = ground.count(10_000, 200), ground.count(60, 2)
        report = await box.run(turns=turns, talks=16, kills=kills, each=100)
    return told("A2", "kill -9 of the group, PostgreSQL, two workers", report, faults=slow(report, 6.5))


async def one_of(ground: Ground, workers: int) -> Report:
    async with ground.box(await ground.postgres(), workers=workers, environment=ACCEPTING) as box:

        async def kill_one() -> float:
            [server] = box.servers
            alive, struck = server.workers(), time.monotonic()
            if alive:
                server.signal_worker(Random(len(box.client.acked)).choice(alive), signal.SIGKILL)
            while len(server.workers()) < workers:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            return struck

        turns, kills = ground.count(5_000, 200), ground.count(30, 2)
        return await box.run(turns=turns, talks=16, kills=kills, each=100, trouble=kill_one)


@row("A3")
async def one_worker_of_two(ground: Ground) -> Row:
    report = await one_of(ground, 2)
    return told("A3", "kill -9 of one worker of two, PostgreSQL", report)


@row("A3b")
async def one_worker_of_four(ground: Ground) -> Row:
    report = await one_of(ground, 4)
    return told("A3b", "kill -9 of one worker of four, PostgreSQL", report)


@row("A4")
async def a_worker_that_sleeps(ground: Ground) -> Row:
    async with ground.box(await ground.postgres(), servers=2, environment=ACCEPTING) as box:

        async def stop_and_wake() -> float:
            server, struck = box.servers[0], time.monotonic()
            server.signal_worker(server.pid, signal.SIGSTOP)
            await asyncio.sleep(2.5 * LEASE)
            server.signal_worker(server.pid, signal.SIGCONT)
            return struck

        turns, stops = ground.count(3_000, 200), ground.count(20, 2)
        report = await box.run(turns=turns, talks=16, kills=stops, each=100, trouble=stop_and_wake)
    return told("A4", "SIGSTOP longer than the lease, then SIGCONT, one of two workers", report)


@row("B2")
async def hot_session_on_two_workers(ground: Ground) -> Row:
    found, rounds = Findings(), ground.count(20, 2)
    for servers in (2, 4):
        async with ground.box(await ground.postgres(), servers=servers) as box:
            client = Client(box.servers, Random(ground.seed))
            found = add(found, await hot_session(client, person="hot", rounds=rounds, at_once=64))
            await client.close()
    counts = f"64 at once x {rounds} rounds, 2 and 4 workers"
    return Row(name="B2", what="one session over workers, PostgreSQL", counts=counts, found=found)


@row("B3")
async def many_sessions_at_once(ground: Ground) -> Row:
    sessions = ground.count(1_000, 20)
    async with ground.box(await ground.postgres(), servers=2) as box:
        client = Client(box.servers, Random(ground.seed))
        found = await hot_sessions(client, sessions=sessions, turns=8, at_once=16)
        slowest = client.seen.slowest
        await client.close()
    return Row(
        name="B3",
        what="sessions with 8 turns each, two workers, PostgreSQL",
        counts=f"{sessions} sessions, 16 of them at once",
        found=found,
        times=f"slowest turn {slowest:.1f} s",
    )


@row("B8")
async def the_holder_dies(ground: Ground) -> Row:
    async with ground.box(await ground.postgres(), servers=2, environment=ACCEPTING) as box:

        async def kill_one() -> float:
            await asyncio.sleep(LEASE + 1.5)  # what the last one held is taken over by now
            server, struck = box.servers[len(box.client.acked) % 2], time.monotonic()
            server.kill()
            await server.start()
            return struck

        turns, kills = ground.count(5_000, 200), ground.count(100, 2)
        report = await box.run(turns=turns, talks=16, kills=kills, each=100, trouble=kill_one)
    assert report.client is not None
    slowest, limit = report.client.seen.slowest, LEASE + 0.5 + 1.0  # two beats of the one who watches
    faults = [f"a turn took {slowest:.1f} s, not {limit:g}"] if slowest > limit else []
    return told("B8", "the worker that holds sessions dies, one of two, PostgreSQL", report, faults=faults)


@row("C1")
async def postgres_restarts(ground: Ground) -> Row:
    async with ground.box(await ground.postgres(), servers=2) as box:

        async def restart() -> float:
            await asyncio.sleep(2)
            struck = time.monotonic()
            await ground.restart_postgres()
            return struck

        turns, kills = ground.count(5_000, 200), ground.count(20, 2)
        report = await box.run(turns=turns, talks=16, kills=kills, each=100, trouble=restart)
    return told("C1", "PostgreSQL restarted with `-m immediate` under load", report)


@row("C2")
async def connections_are_terminated(ground: Ground) -> Row:
    url = await ground.postgres()
    name = url.partition("?")[0].rpartition("/")[2]
    one = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid() "
        "ORDER BY random() LIMIT 1"
    )
    async with ground.box(url, servers=2) as box:
        conn = await asyncpg.connect(url.replace(f"/{name}?", "/postgres?"))

        async def terminate() -> float:
            struck = time.monotonic()
            await conn.execute(one, name)
            return struck

        turns, kills = ground.count(5_000, 200), ground.count(200, 10)
        report = await box.run(turns=turns, talks=16, kills=kills, each=100, trouble=terminate)
        await conn.close()
    return told("C2", "`pg_terminate_backend` on connections at random", report)


@row("C3")
async def nobody_knows_the_outcome(ground: Ground) -> Row:
    url = await ground.postgres()
    folder = Path(tempfile.mkdtemp(prefix="sr", dir=ground.folder))
    proxy = CuttingProxy(url, folder, seed=ground.seed, share=0.05)
    await proxy.start()
    try:
        async with ground.box(proxy.url) as box:
            report = await box.run(turns=ground.count(5_000, 200), talks=16, kills=0, each=100)
    finally:
        await proxy.stop()
    report.kills = proxy.cuts
    return told("C3", "connection cut between COMMIT and its answer", report)


@row("F7")
async def a_model_that_fails(ground: Ground) -> Row:
    words, structured = unreliable(Random(ground.seed), share=0.2, answers=20_000)
    async with (
        messages_api(*words, structured=structured) as api,
        ground.box(ground.sqlite(), environment=asking(api)) as box,
    ):
        turns, kills = ground.count(5_000, 200), ground.count(30, 2)
        report = await box.run(turns=turns, talks=16, kills=kills, each=100)
    return told("F7", "a fifth of a model's answers fails, and kill -9, SQLite", report)


async def walked(
    ground: Ground, name: str, what: str, machine: type[RuleBasedStateMachine], *, full: int
) -> Row:
    walks = ground.count(full, 2)
    faults = await asyncio.to_thread(broken, machine, walks=walks)
    counts = f"{walks} walks, up to {STEPS} steps each"
    return Row(name=name, what=what, counts=counts, found=Findings(), faults=faults)


@row("M1")
async def the_registry_against_its_model(ground: Ground) -> Row:
    what = "the registry against a model of it, two workers, one person"
    return await walked(ground, "M1", what, RegistryMachine, full=2_000)


@row("M2")
async def guards_against_every_answer(ground: Ground) -> Row:
    what = "guards, every way to bring an answer, a world that changes"
    return await walked(ground, "M2", what, Guards, full=200)


async def run(names: list[str], *, seed: int, share: float) -> list[Row]:
    """Run the rows one after the other, printing each as it ends."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="softrail-soak-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # noqa: ASYNC240 - nothing else runs yet
        ground = Ground(Path(folder), seed=seed, share=share)
        try:
            for name in names:
                begun = time.monotonic()
                done = await ROWS[name](ground)
                rows.append(done)
                print(done, f"<!-- {time.monotonic() - begun:.0f} s -->", flush=True)
        finally:
            ground.close()
    return rows


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", default=",".join(ROWS), help="which rows, comma separated")
    parser.add_argument("--share", type=float, default=1.0, help="scale of all counts")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    names = given.rows.split(",")
    unknown = [name for name in names if name not in ROWS]
    if unknown:
        parser.error(f"there is no row {unknown[0]!r}; there are {', '.join(ROWS)}")
    print("| Row | What | Counts | Result | Times |\n|---|---|---|---|---|", flush=True)
    rows = asyncio.run(run(names, seed=given.seed, share=given.share))
    if left := [name for name in ROWS if name not in names]:
        print(f"\nNot run: {', '.join(left)}.")
    raise SystemExit(0 if all(done.passed for done in rows) else 1)


if __name__ == "__main__":
    main()
