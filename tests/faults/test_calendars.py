"""Clocks that are moved for summer, leap seconds, 2038, 9999 and zones of quarter hours (row D2)."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, Wait, ask, step
from softrail.core.instances import State
from softrail.core.outcomes import Outcome
from softrail.store import SqlStore
from softrail.testing import FrozenClock
from tests.faults.calendars import FIXED, PROCESSES, faults_of, not_utc, silences
from tests.faults.kit import file_url, person_of, say, worker


@pytest.fixture
def far_from_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine is in a zone of quarter hours with a summer of its own."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Pacific/Chatham")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("far_from_utc")
async def test_wherever_and_whenever_a_silence_ends_at_its_limit_and_all_that_is_stored_is_utc(
    tmp_path: Path,
) -> None:
    cases = silences(40, seed=1)
    with FrozenClock(cases[0].begins).installed() as clock:
        async with worker(file_url(tmp_path), *PROCESSES) as one:
            for n, silence in enumerate(cases):
                assert await faults_of(one, clock, silence, f"p{n}") == []

            assert isinstance(one.store, SqlStore)
            assert await not_utc(one.store, cases[0].begins, FIXED[-1]) == []


class Tomorrow(Process, name="tomorrow", version=1):
    """Waits until the same time tomorrow, as the person's own clock has it."""

    starts_on = ("come back tomorrow",)

    class Data(BaseModel):
        over: bool = False

    @step(goes_to=("wait",))
    async def wait(self, said: Turn, data: Data) -> Outcome:
        if said.origin == "timer":
            return Done("It is tomorrow.")
        return Wait(say="See you.", until=said.at.astimezone(said.person.zone) + timedelta(days=1))


@pytest.mark.parametrize(
    ("night", "hours"),
    [("2026-03-28T21:00+01:00", 23), ("2026-10-24T21:00+02:00", 25)],
    ids=["spring", "autumn"],
)
async def test_the_same_time_tomorrow_is_an_hour_nearer_or_farther_when_clocks_are_moved(
    night: str, hours: int, tmp_path: Path
) -> None:
    begins = datetime.fromisoformat(night)
    with FrozenClock(begins).installed() as clock:
        async with worker(file_url(tmp_path), Tomorrow) as one:
            person = replace(await person_of(one), timezone="Europe/Berlin")
            await one.store.update_person(person)
            session = (await say(one, person, "come back tomorrow")).session_id
            assert isinstance(one.store, SqlStore)
            assert await not_utc(one.store, begins, begins + timedelta(hours=hours)) == []

            clock.advance(hours=hours)
            assert (await one.sweep()).defaulted == 0
            clock.advance(seconds=1)
            assert (await one.sweep()).defaulted == 1
            [instance] = await one.store.instances(session)
            assert instance.state is State.COMPLETED


class Kept(Process, name="kept", version=1):
    """Keeps what it is told for ever, and believes it as long."""

    starts_on = ("keep this",)
    retention = freshness = timedelta.max

    class Answers(BaseModel):
        what: str = ask("What?")
        where: str = ask("Where?")

    async def complete(self, answers: Answers, turn: Turn) -> Outcome:
        return Done(f"{answers.what} is kept in {answers.where}.")


async def test_what_is_kept_for_ever_can_be_paused_and_taken_up_again(tmp_path: Path) -> None:
    with FrozenClock().installed() as clock:
        async with worker(file_url(tmp_path), Kept) as one:
            person = await person_of(one)
            session = (await say(one, person, "keep this")).session_id
            await say(one, person, "a ring", session_id=session)
            clock.advance(minutes=31)
            assert (await one.sweep()).suspended == 1

            clock.advance(days=365_000)
            assert (await one.sweep()).expired == 0
            reply = await say(one, person, "resume", session_id=session)

            assert reply.companion_message.endswith("I have what: a ring.\n\nWhere?"), reply.companion_message
