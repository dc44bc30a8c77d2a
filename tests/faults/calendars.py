"""Silences across moments at which calendars are odd: each must end at its limit, and all that is stored is UTC."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from types import new_class
from zoneinfo import ZoneInfo

from pydantic import BaseModel
from sqlalchemy import BigInteger, select

from softrail import Ask, Process, Turn, step
from softrail.core.instances import State
from softrail.core.outcomes import Outcome
from softrail.store import SqlStore
from softrail.store.rows import moment
from softrail.store.tables import metadata
from softrail.testing import FrozenClock
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import person_of, say

#: Zones with half and quarter hours, with summers that move the clock by half an hour, and both ends of a day.
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Australia/Adelaide",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Africa/Casablanca",
)
LIMITS = {
    "quarter_hour": timedelta(minutes=15),
    "hour_and_a_half": timedelta(minutes=90),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
}
FIXED = (
    datetime(2015, 6, 30, 23, 59, 59, tzinfo=UTC),  # leap seconds came after these two
    datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC),
    datetime(2028, 2, 29, tzinfo=UTC),
    datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC),  # more seconds than 31 bits hold
    datetime(2100, 2, 28, 23, 59, 59, tzinfo=UTC),  # no leap year
    datetime(2106, 2, 7, 6, 28, 16, tzinfo=UTC),  # more than 32 bits hold
    datetime(9999, 6, 1, tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
)
YEARS = (2026, 2037, 2038)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?P<zone>Z|[+-]\d\d:?\d\d)?")


@dataclass(frozen=True, kw_only=True)
class Silence:
    """Somebody in a zone says nothing from that moment on, to a process that waits that long."""

    begins: datetime
    zone: str
    process: str
    swept: bool  #: the sweep finds that time is over; else the next message does

    @property
    def limit(self) -> timedelta:
        return LIMITS[self.process]


class Data(BaseModel):
    """What the processes keep."""

    said: list[str] = []


def patient(name: str, limit: timedelta) -> type[Process]:
    """A process that waits that long."""

    @step(asks="Next?", goes_to=("hear",), takes_anything=True)
    async def hear(self: Process, said: Turn, data: Data) -> Outcome:
        return Ask("Next?", data=Data(said=[*data.said, said.message]))

    body = {
        "__doc__": f"Waits {limit}.",
        "__module__": __name__,
        "Data": Data,
        "hear": hear,
        "starts_on": (opening(name),),
        "idle_timeout": limit,
    }
    return new_class(name.title(), (Process,), {"name": name, "version": 1}, lambda space: space.update(body))


def opening(process: str) -> str:
    """The words that begin it."""
    return f"wait for me, {process.replace('_', ' ')}"


PROCESSES = [patient(name, limit) for name, limit in LIMITS.items()]


@cache
def changes_of(zone: str) -> Sequence[datetime]:
    """The moments at which clocks of a zone are moved, in those years."""
    return [_change(zone, day) for year in YEARS for day in _days(year) if _moves(zone, day, day + _DAY)]


_DAY = timedelta(days=1)


def _days(year: int) -> Iterator[datetime]:
    day = datetime(year, 1, 1, tzinfo=UTC)
    while day.year == year:
        yield day
        day += _DAY


def _moves(zone: str, before: datetime, after: datetime) -> bool:
    local = ZoneInfo(zone)
    return before.astimezone(local).utcoffset() != after.astimezone(local).utcoffset()


def _change(zone: str, day: datetime) -> datetime:
    before, after = day, day + _DAY
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) / 2
        before, after = (before, middle) if _moves(zone, before, middle) else (middle, after)
    return after


def silences(count: int, seed: int) -> list[Silence]:
    """So many silences, the earliest first; each has such a moment in it."""
    rng, made = Random(seed), list[Silence]()
    for n in range(count):
        zone, process = rng.choice(ZONES), rng.choice(list(LIMITS))
        odd = FIXED[n // 3 % len(FIXED)] if n % 3 == 0 else rng.choice(changes_of(zone) or FIXED)
        begins = min(odd - rng.random() * LIMITS[process], FIXED[-1] - LIMITS[process] - timedelta(hours=15))
        made.append(Silence(begins=begins, zone=zone, process=process, swept=rng.random() < 0.5))
    return sorted(made, key=lambda one: one.begins)


async def faults_of(one: Dispatcher, clock: FrozenClock, silence: Silence, name: str) -> list[str]:
    """What is wrong with one silence: it must not end at its limit, and has to a second later."""
    clock.set(silence.begins)
    person = replace(await person_of(one, name), timezone=silence.zone)
    await one.store.update_person(person)
    session = (await say(one, person, opening(silence.process))).session_id
    found = list[str]()
    [instance] = await one.store.instances(session)
    if instance.due_at != silence.begins + silence.limit:
        found.append(f"{silence} is over at {instance.due_at}")

    clock.set(silence.begins + silence.limit)
    await one.sweep()
    [instance] = await one.store.instances(session)
    if instance.state is not State.ACTIVE:
        found.append(f"{silence} was over before its limit")

    clock.advance(seconds=1)
    if silence.swept:
        await one.sweep()
    else:
        await say(one, person, "here I am", session_id=session)
    moves = [str(move.trigger) for move in await one.store.transitions([instance.id])]
    if moves != ["start", "timeout", *([] if silence.swept else ["resume"])]:
        found.append(f"{silence} came to {moves}")
    return found


async def not_utc(store: SqlStore, first: datetime, last: datetime) -> list[str]:
    """Moments in the database that are not in UTC, or that nobody has lived through or looks forward to."""
    found = list[str]()
    for table in metadata.sorted_tables:
        rows = await store.read(lambda conn, table=table: conn.execute(select(table)).mappings().all())  # type: ignore[misc]
        for row in rows:
            for column in table.columns:
                value, where = row[column.name], f"{table.name}.{column.name}"
                if isinstance(column.type, BigInteger) and column.name.endswith("_at") and value is not None:
                    if not first <= moment(value) <= last:
                        found.append(f"{where}: {moment(value)}")
                elif isinstance(value, str):
                    found += [
                        f"{where}: {one[0]}"
                        for one in _MOMENT.finditer(value)
                        if one["zone"] not in ("Z", "+00:00")
                    ]
    return found
