"""Rows of the long fault tests about time: odd calendars, events beside turns, workers whose clocks are apart."""

from softrail.store import SqlStore
from softrail.testing import FrozenClock
from tests.faults.calendars import FIXED, PROCESSES, faults_of, not_utc, silences
from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, row
from tests.faults.kit import worker


@row("D2")
async def odd_calendars(ground: Ground) -> Row:
    cases, faults = silences(ground.count(1_000, 40), seed=ground.seed), list[str]()
    with FrozenClock(cases[0].begins).installed() as clock:
        async with worker(ground.migrated(), *PROCESSES) as one:
            for n, silence in enumerate(cases):
                faults += await faults_of(one, clock, silence, f"p{n}")
            assert isinstance(one.store, SqlStore)
            faults += await not_utc(one.store, cases[0].begins, FIXED[-1])
    return Row(
        name="D2",
        what="silences across moved clocks, leap seconds, 2038, 9999, in zones of quarter hours, SQLite",
        counts=f"{len(cases)} silences",
        found=Findings(),
        faults=faults[:3],
    )
