"""Every conversation here, written down as a script and played again, in a sandbox and as a test."""

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from softrail.replay.recorded import recorded
from softrail.replay.sandbox import Sandbox
from softrail.replay.writing import script
from tests.conversations.golden import HERE, TALKS
from tests.conversations.replaying import (
    everything,
    faults,
    half_an_hour_later,
    opened,
    played,
    sessions_of,
)


def talk(name: str) -> Path:
    return HERE / f"{name}.talk"


@pytest.mark.parametrize("name", [one.stem for one in TALKS])
async def test_a_conversation_goes_the_same_way_when_it_is_played_again(name: str) -> None:
    assert await faults(talk(name)) == []


async def test_work_that_was_done_in_another_conversation_is_no_part_of_a_script() -> None:
    async with played(talk("companion_groups")) as spoken:
        first = spoken.session_id
        spoken.new_session()
        for words in ("organise the notes of Barn", "show me the groups of Barn"):
            await spoken.say(words)
            await spoken.sweep()
        script = (await spoken.asked("GET", f"/inspect/sessions/{first}/talk")).text

    assert script.splitlines().count("sweep") == 1
    assert script.rstrip().endswith("model calls: 0")


async def test_time_passes_in_a_sandbox_and_nowhere_else() -> None:
    async with played(talk("late_answer")) as spoken:
        [*_, seen] = await sessions_of(spoken)
        kept = await recorded(spoken.dispatcher, everything(spoken), seen)
        first = kept.events[0]
        assert first.answered is not None
        begun = await recorded(spoken.dispatcher, everything(spoken), seen, until=first.answered.row.turn_id)
        outside, before = spoken.clock(), await spoken.dispatcher.store.instances(seen.overview.session.id)
        sandbox = Sandbox(spoken.dispatcher, begun)
        await sandbox.begin()
        assert sandbox.now == first.at

        report = await sandbox.advance(31 * 60)

        assert (report.suspended, sandbox.differences) == (1, [])
        said = await sandbox.say("resume")
        assert said.state == "active"
        await sandbox.end()
        assert spoken.clock() == outside
        assert await spoken.dispatcher.store.instances(seen.overview.session.id) == before
        assert (await spoken.dispatcher.sweep()).suspended == 0


async def test_a_turn_beside_a_sandbox_is_taken_at_its_own_time() -> None:
    async with played(talk("timeout_of_a_standup")) as spoken:
        spoken.new_session()
        begun = await spoken.say("start the standup")
        sandbox = await opened(spoken, begun.reply.session_id)

        passed, said = await asyncio.gather(
            half_an_hour_later(spoken, sandbox["id"]), spoken.say("fixed the login bug")
        )

        assert passed["suspended"] == 1
        assert (said.state, said.step) == ("active", "gathering_today")
        turns = await spoken.asked("GET", f"/sessions/{begun.reply.session_id}/turns")
        assert datetime.fromisoformat(turns.json()["items"][-1]["created_at"]) == spoken.clock()
        assert (await spoken.sweep()).suspended == 0


async def test_a_script_says_what_it_lacks_and_how_much_time_has_passed() -> None:
    async with played(talk("timeout_of_a_standup")) as spoken:
        [seen, *_] = await sessions_of(spoken)
        text = script(await recorded(spoken.dispatcher, everything(spoken), seen))

    assert text.startswith("# A conversation of 2026-03-02.\nclock: 2026-03-02 09:00:00\n")
    assert "\nsweep\n" in text
    assert "\nwait: " in text
    assert "\nmodel calls: 0\n" in text


async def test_a_script_has_what_was_said_at_once_and_no_words_that_nobody_said() -> None:
    texts = {}
    for name in ("said_at_once", "files_that_are_sent"):
        async with played(talk(name)) as spoken:
            *_, seen = await sessions_of(spoken)
            texts[name] = script(await recorded(spoken.dispatcher, everything(spoken), seen))

    assert "\nat once: One moment, please.\nprocess: pay completed paying\n" in texts["said_at_once"]
    files = texts["files_that_are_sent"]
    assert "\nfile: page.pdf 1000 bytes\n| here it is\nus: " in files
    assert "\nfile: late.pdf 8 bytes\nus: I am not asking for a file just now." in files
