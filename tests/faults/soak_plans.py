"""Rows of the long fault tests about plans: killed, and stopped, at each of ten steps; and whatever is said in 50 messages."""

import asyncio

from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, row
from tests.faults.killed_plans import POINTS, STEPS, Engine, Looked, killed_plans
from tests.faults.stopped_plans import PLACES, stopped_plans
from tests.integration.test_plan_machine import play

MESSAGES = 50  #: of a conversation in which anything is said
AT_ONCE = 1.0  #: seconds after which nothing of a plan that was stopped may run any more


def some(ground: Ground) -> list[str]:
    """The points of this row: all of them, or a share that is spread over the plan."""
    count = ground.count(len(POINTS), 3)
    return [POINTS[n * len(POINTS) // count] for n in range(count)]


async def killed(
    ground: Ground, name: str, what: str, url: str, *, workers: int, engine: Engine = "embedded"
) -> Row:
    looked, points = Looked(), some(ground)
    folder = ground.folder / f"plans-{name}"
    folder.mkdir()
    async with killed_plans(url, folder, engine) as plans:
        for point in points:
            await plans.killed_at([point], looked, workers=workers)
    counts = f"{len(points)} plans of {len(STEPS)} steps, a kill in each"
    return Row(name=name, what=what, counts=counts, found=looked.found, faults=looked.faults)


@row("L1")
async def a_kill_at_each_step(ground: Ground) -> Row:
    url = ground.migrated()
    what = "kill -9 at six places of each step of a plan, SQLite, one worker after the other"
    return await killed(ground, "L1", what, url, workers=1)


@row("L1b")
async def a_kill_at_each_step_of_one_of_two(ground: Ground) -> Row:
    what = "the same on PostgreSQL, two workers: the other takes the plan over"
    return await killed(ground, "L1b", what, await ground.postgres(), workers=2)


@row("L1c")
async def a_kill_at_each_step_of_one_of_two_under_dbos(ground: Ground) -> Row:
    what = "the same, and DBOS hands the plan to the other"
    return await killed(ground, "L1c", what, await ground.postgres(), workers=2, engine="dbos")


async def stopped(ground: Ground, name: str, what: str, url: str, engine: Engine = "embedded") -> Row:
    looked, times = Looked(), list[float]()
    steps = STEPS[: ground.count(len(STEPS))]
    async with stopped_plans(url, engine) as plans:
        for on in (0, 1):
            for step in steps:
                times += [await plans.stopped(place, step, looked, on=on) for place in PLACES]
    late = [f"{took:.2f} s until nothing ran" for took in times if took > AT_ONCE]
    return Row(
        name=name,
        what=what,
        counts=f"{len(times)} plans of {len(STEPS)} steps",
        found=looked.found,
        times=f"nothing runs after {sorted(times)[len(times) // 2]:.2f} s median, {max(times):.2f} s worst",
        faults=[*looked.faults, *late],
    )


@row("L2")
async def a_stop_at_each_step(ground: Ground) -> Row:
    what = "“stop” before, in and after each step of a plan, SQLite, on its worker and on another one"
    return await stopped(ground, "L2", what, ground.migrated())


@row("L2b")
async def a_stop_at_each_step_on_postgres(ground: Ground) -> Row:
    return await stopped(ground, "L2b", "the same on PostgreSQL", await ground.postgres())


@row("L2c")
async def a_stop_at_each_step_under_dbos(ground: Ground) -> Row:
    return await stopped(ground, "L2c", "the same, with DBOS", await ground.postgres(), "dbos")


@row("L8")
async def whatever_is_said(ground: Ground) -> Row:
    talks, faults = ground.count(200, 2), list[str]()
    try:
        await asyncio.to_thread(play, talks, MESSAGES)
    except Exception as error:
        told = [str(error) or type(error).__name__, *getattr(error, "__notes__", ())]
        faults.append(" ".join(" ".join(told).split()))
    return Row(
        name="L8",
        what="whatever is said to plans, a standup in between, weeks that pass: phases move as their table says",
        counts=f"{talks} conversations of {MESSAGES} messages",
        found=Findings(),
        faults=faults,
    )
