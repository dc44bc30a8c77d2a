"""A process that was paused for a day, for 90 days, for two years (row D5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from softrail import Process
from softrail.core.clock import now
from softrail.core.instances import State
from softrail.core.people import Person
from softrail.processes.builtin.onboarding import Onboarding
from softrail.processes.builtin.standup import Standup
from softrail.testing import FrozenClock
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import file_url, person_of, say, worker

PAUSES = {"a day": timedelta(days=1), "90 days": timedelta(days=90), "two years": timedelta(days=730)}


@dataclass(frozen=True, kw_only=True)
class Told:
    """What somebody tells a process before they leave, and what must come back of it."""

    process: type[Process]
    lines: tuple[str, ...]
    kept: str
    asks: str


TOLD = {
    "standup": Told(
        process=Standup,
        lines=("let's do my standup", "fixed the login bug"),
        kept="I have yesterday: fixed the login bug.",
        asks="What's planned for today?",
    ),
    "onboarding": Told(
        process=Onboarding,
        lines=("set up my projects", "HealthTrack"),
        kept="HealthTrack is saved.",
        asks="Do you have another project?",
    ),
}


async def left(one: Dispatcher, person: Person, told: Told, *, by_word: bool) -> str:
    """Tell it what is to be told, and leave it; the session."""
    session = (await say(one, person, told.lines[0])).session_id
    for line in told.lines[1:]:
        await say(one, person, line, session_id=session)
    if by_word:
        await say(one, person, "stop", session_id=session)
    return session


async def stay(one: Dispatcher, clock: FrozenClock, sessions: Sequence[str], *, until: timedelta) -> None:
    """To the last moment of that time all are paused, with all that was told."""
    before = [instance for session in sessions for instance in await one.store.instances(session)]
    begun = min(instance.handled_at for instance in before if instance.handled_at is not None)
    for share in (0, 0.5, 1):
        clock.set(max(now(), begun + share * until))
        await one.sweep()
        after = [instance for session in sessions for instance in await one.store.instances(session)]
        assert [(one.state, one.data) for one in after] == [(State.SUSPENDED, one.data) for one in before]


def told_so(words: str, told: Told, *, goes_on: bool) -> bool:
    """The words are those of a process that goes on with what it was told, or say why it does not."""
    if goes_on:
        return words.endswith(f"{told.kept}\n\n{told.asks}")
    return "too long ago: it has ended" in words and f"Say “{told.lines[0]}” to begin anew." in words


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("by_word", [True, False], ids=["by word", "by silence"])
@pytest.mark.parametrize("pause", PAUSES)
async def test_after_a_long_pause_a_process_goes_on_or_the_person_is_told_why_not(
    told: str, pause: str, by_word: bool, tmp_path: Path
) -> None:
    for kept in (timedelta(days=30), timedelta(days=1000)):
        (folder := tmp_path / str(kept.days)).mkdir()
        with FrozenClock().installed() as clock:
            async with worker(
                file_url(folder), TOLD[told].process, changed={"suspended_days": kept.days}
            ) as one:
                people = [await person_of(one, name) for name in ("here", "elsewhere")]
                sessions = [await left(one, person, TOLD[told], by_word=by_word) for person in people]
                clock.advance(hours=0 if by_word else 1)
                await one.sweep()
                await stay(one, clock, sessions, until=min(PAUSES[pause], kept))
                clock.set(now() + max(timedelta(0), PAUSES[pause] - kept) + timedelta(seconds=1))

                unswept = await say(one, people[0], "resume", session_id=sessions[0])
                await one.sweep()
                swept = await say(one, people[1], "resume")

                for reply in (unswept, swept):
                    assert told_so(reply.companion_message, TOLD[told], goes_on=PAUSES[pause] < kept)
