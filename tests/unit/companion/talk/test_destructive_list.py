"""Sixty sentences that could destroy something: none does what it does not say, and what one did is taken back."""

import json
from collections.abc import AsyncIterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from softrail.testing import FrozenClock, Said
from tests.unit.companion.talk.kit import Talk, companion_talk

FILE = Path(__file__).parents[3] / "data" / "destructive.jsonl"
FROZEN = "6f5df09b6680d4172bfd264f9c8ec5435f72924641408e79c312d6ab7478c80c"
LINES: list[Mapping[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
SAVED = (1, 2, 7, 8)
UNDERSTOOD = ("two directions", "plurals", "except", "repair")  #: kinds that say what is to be done


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


def test_the_sentences_are_those_that_were_frozen() -> None:
    assert sha256(FILE.read_bytes()).hexdigest() == FROZEN
    assert len(LINES) == 60


async def eight_notes(c: Talk) -> str:
    """A project with eight notes, of which 3 to 6 wait."""
    project = await c.project()
    for number in range(1, 9):
        state: Any = "saved" if number in SAVED else "waiting"
        await c.companion.notes.add(c.me, project, f"fact number {number}", state=state)
    return project


async def standing(c: Talk, project: str) -> dict[int, tuple[str, str]]:
    """Every note as it stands."""
    return {note.number: (note.state, note.text) for note in await c.notes(project)}


def changed(before: Mapping[int, tuple[str, str]], after: Mapping[int, tuple[str, str]]) -> dict[str, str]:
    """What became of which note."""
    return {str(n): state for n, (state, text) in after.items() if before.get(n) != (state, text)}


def ways(said: Said) -> list[str]:
    """The buttons of a question that was asked back."""
    return list(said.reply.suggested_actions) if said.process == "clarification" else []


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["message"][:45])
async def test_a_sentence_does_what_it_says_or_is_asked_about_and_can_be_taken_back(
    c: Talk, line: Mapping[str, Any]
) -> None:
    project = await eight_notes(c)
    origin = await standing(c, project)
    if "first" in line:
        await c.say(line["first"], project_id=project)
    before = await standing(c, project)
    said = await c.say(line["message"], project_id=project)
    done = await standing(c, project)
    means = {**line["means"]}

    assert changed(before, done) in ({}, means), "a wrong effect"
    if done == before and means:
        assert len(means) > 1 or ways(said), "a single thing that is understood is done"
        yes = await agreed(c, said, project, before, means)
        done = await standing(c, project)
        assert changed(before, done) == means, (said.text, yes)
    if not means:
        assert "Shall I" not in said.text or ways(said)[-1] == "No"
    if done != before:
        back = await c.say("undo that", project_id=project)
        assert back.effects == ["turn_undone"]
        assert await standing(c, project) == before, "undo restores each"
        again = await c.say("undo that", project_id=project)
        assert (again.effects, await standing(c, project)) == ([], before), "and does so once"
    assert {n: origin[n][1] for n in origin} == {n: before[n][1] for n in origin}


async def agreed(
    c: Talk, said: Said, project: str, before: Mapping[int, tuple[str, str]], means: Mapping[str, str]
) -> str:
    """Take the way that is offered and says what is meant."""
    found = ways(said)
    assert found, f"it was neither done nor asked about: {said.text}"
    withdrawn = ", ".join(f"#{n}" for n in means if means[n] == "withdrawn")
    chosen = next((way for way in found if way == f"Withdraw {withdrawn}"), "Yes")
    return (await c.say(chosen, project_id=project)).text


@pytest.mark.parametrize("message", ["save note 42 and withdraw note 43", "save note 4 and withdraw note 43"])
async def test_numbers_that_are_not_there_are_named(c: Talk, message: str) -> None:
    project = await eight_notes(c)
    before = await standing(c, project)
    said = await c.say(message, project_id=project)
    assert await standing(c, project) == before
    assert "There is no note #4" in said.text


async def test_a_yes_is_to_what_was_shown_and_to_nothing_asked_before(c: Talk) -> None:
    project = await eight_notes(c)
    before = await standing(c, project)
    await c.say("withdraw notes 1 and 2", project_id=project)
    await c.say("withdraw notes 7 and 8", project_id=project)
    await c.say("yes", project_id=project)
    assert changed(before, await standing(c, project)) == {"7": "withdrawn", "8": "withdrawn"}


async def test_what_was_shown_is_not_done_to_a_note_that_was_changed_meanwhile(c: Talk) -> None:
    project = await eight_notes(c)
    await c.say("withdraw notes 1 and 2", project_id=project)
    await c.companion.notes.change(c.me, project, 2, text="something that matters")
    said = await c.say("Yes", project_id=project)
    assert said.effects == []
    assert "was changed since then" in said.text


async def test_nothing_is_taken_back_that_something_was_built_on(c: Talk) -> None:
    project = await eight_notes(c)
    await c.say("withdraw note 7", project_id=project)
    await c.companion.notes.change(c.me, project, 7, state="saved")
    said = await c.say("undo that", project_id=project)
    assert said.effects == []
    assert said.text.startswith("#7 was changed since then")


async def test_only_the_turn_before_is_taken_back(c: Talk) -> None:
    project = await eight_notes(c)
    assert (await c.say("undo", project_id=project)).text.startswith("There is nothing to take back")
    await c.say("withdraw note 7", project_id=project)
    await c.say("how is it going?", project_id=project)
    assert (await c.say("undo", project_id=project)).effects == []
    assert (await standing(c, project))[7][0] == "withdrawn"


async def test_a_note_that_was_told_or_has_another_text_is_taken_back(c: Talk) -> None:
    project = await eight_notes(c)
    await c.say("remember that the fence is new", project_id=project)
    await c.say("undo that", project_id=project)
    assert (await standing(c, project))[9][0] == "withdrawn"
    changed_text = await c.say("change note 1 to nothing at all", project_id=project)
    assert changed_text.reply.suggested_actions == ["Undo that"]
    back = await c.say("undo that", project_id=project)
    assert back.text == "Taken back.\nNote #1 says again: fact number 1"
    assert (await standing(c, project))[1] == ("saved", "fact number 1")


@pytest.mark.parametrize(
    "answer", ["save it", "save", "yes, save it", "keep them", "yes save them", "delete it"]
)
async def test_what_names_another_deed_is_no_yes_and_means_no_other_note(c: Talk, answer: str) -> None:
    project = await eight_notes(c)
    await c.say("remember that it rains", project_id=project)
    before = await standing(c, project)
    wish = "save notes 3 and 4" if answer == "delete it" else "delete notes 3 and 4"
    assert (await c.say(wish, project_id=project)).pending == "clarify"
    said = await c.say(answer, project_id=project)
    assert (said.effects, await standing(c, project)) == ([], before)
