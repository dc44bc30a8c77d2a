"""“The machine is lathe 2” changes an answer by its name where its type reads that; of words it is asked."""

import datetime as dt
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Report(Process, name="report", version=1):
    """Reports a machine that is broken."""

    starts_on = ("report a machine",)

    class Answers(BaseModel):
        machine: str = ask("Which machine?", options=("Lathe 1", "Lathe 2", "Belt sander", "Belt saw"))
        day: dt.date = ask("Since which day?")
        reporter: str = ask("Who reports it?")
        photo: bool = ask("Will you send a photo later?")
        parts: list[str] = ask("Which parts are missing?", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Reported.")


UP_TO_PHOTO = ("report a machine", "Belt saw", "1 march 2026", "Eva")


@pytest.mark.parametrize(
    ("message", "name", "value"),
    [
        ("the machine is the sander, sorry", "machine", "Belt sander"),
        ("the machine is lathe 2", "machine", "Lathe 2"),
        ("the day was 28 february 2026", "day", "2026-02-28"),
    ],
)
async def test_what_its_type_reads_is_changed_and_read_back(message: str, name: str, value: Any) -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        for line in (*UP_TO_PHOTO, message):
            said = await talk.say(line)
        answers = await kept(talk, said)
        assert answers[name] == value
        assert "photo" not in answers
        assert said.text.startswith(f"{name.capitalize()}: ")


async def test_words_are_asked_about() -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        for line in (*UP_TO_PHOTO, "the reporter is Bergmann"):
            said = await talk.say(line)
        answers = await kept(talk, said)
        assert answers["reporter"] in ("Eva", "Bergmann")
        assert answers["reporter"] == "Bergmann" or "reporter: Bergmann instead of Eva" in said.text


@pytest.mark.parametrize("message", ["is the machine lathe 2?", "the machine is where it was"])
async def test_what_its_type_does_not_read_changes_nothing(message: str) -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        for line in (*UP_TO_PHOTO, message):
            said = await talk.say(line)
        assert (await kept(talk, said))["machine"] == "Belt saw"


async def test_the_name_of_an_answer_is_no_item_of_it() -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        for line in (*UP_TO_PHOTO, "no, and no parts"):
            said = await talk.say(line)
        assert (await kept(talk, said)).get("parts", []) == []
