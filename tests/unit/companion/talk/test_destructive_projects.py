"""Sixty sentences that could take projects away: none does what it does not say, and what one did is taken back."""

import json
from collections.abc import AsyncIterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk
from tests.unit.companion.talk.world import furnished, standing

FILE = Path(__file__).parents[3] / "data" / "destructive_projects.jsonl"
FROZEN = "c0128aa5f4352b7f00a3556593f90649e5811e0de709c7a9b18ff2386db48855"
LINES: list[Mapping[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


def test_the_sentences_about_projects_are_those_that_were_frozen() -> None:
    assert sha256(FILE.read_bytes()).hexdigest() == FROZEN
    assert len(LINES) == 60


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["message"][:45])
async def test_a_sentence_about_projects_does_what_it_says_or_is_asked_about(
    c: Talk, line: Mapping[str, Any]
) -> None:
    world = await furnished(c)
    if "first" in line:
        await c.say(line["first"], project_id=world.here)
    before = await standing(c, world)
    said = await c.say(line["message"], project_id=world.here)
    done = await standing(c, world)
    wanted = world.after(before, line["means"])

    assert done in (before, wanted), "a wrong effect"
    if line["means"]:
        assert done == wanted or said.pending == "clarify", f"neither done nor asked about: {said.text}"
        if done != wanted:
            assert said.reply.suggested_actions[:2] == ["Yes", "No"]
            await c.say("Yes", project_id=world.here)
            assert await standing(c, world) == wanted, said.text
    if await standing(c, world) != before:
        back = await c.say("undo that", project_id=world.here)
        assert back.effects == ["turn_undone"], back.text
        assert await standing(c, world) == before, "undo restores each"


async def test_a_project_that_was_changed_meanwhile_stays_as_it_is(c: Talk) -> None:
    world = await furnished(c)
    await c.say("archive Marathon", project_id=world.here)
    await c.companion.projects.change(c.me, world.projects["Marathon"], name="Something Else")
    said = await c.say("Yes", project_id=world.here)
    assert (said.effects, said.text) == (
        [],
        "Marathon was changed since then, so I have done nothing. Say once more what you want.",
    )


async def test_what_somebody_else_changed_since_is_not_taken_back(c: Talk) -> None:
    world = await furnished(c)
    await c.say("rename Marathon to Half Marathon", project_id=world.here)
    await c.companion.projects.change(c.me, world.projects["Marathon"], name="Something Else")
    said = await c.say("undo that", project_id=world.here)
    assert said.effects == []
    assert "was changed since then" in said.text


async def test_only_owners_archive_and_viewers_change_no_name(c: Talk) -> None:
    world = await furnished(c)
    project = world.projects["Marathon"]
    await c.companion.projects.add_member(c.me, project, "other@example.org", "owner")
    await c.companion.projects.add_member(c.me, project, c.talk.person.email, "member")
    said = await c.say("archive Marathon", project_id=world.here)
    assert said.text == "Archiving Marathon and bringing it back is up to its owners."
    assert (await c.say("rename Marathon to Fun Run", project_id=world.here)).effects == ["project_changed"]


async def test_nothing_is_added_to_what_is_archived_until_it_is_back(c: Talk) -> None:
    world = await furnished(c)
    kept = await c.say("remember that the wheel turns", project_id=world.projects["Old Mill"])
    assert (kept.effects, "bring back Old Mill" in kept.text) == ([], True)
    await c.say("bring back Old Mill")
    assert (await c.say("remember that the wheel turns", project_id=world.projects["Old Mill"])).effects == [
        "note_saved"
    ]
