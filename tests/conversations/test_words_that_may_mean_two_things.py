"""Words that may mean two things: both are on buttons, and either may be chosen in words."""

from datetime import date, time

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Visit(Process, name="visit", version=1):
    """A visit."""

    starts_on = ("come by",)

    class Answers(BaseModel):
        hour: time = ask("At what time?")
        people: int = ask("How many are you?")
        day: date = ask("On which day?")
        name: str = ask("Who are you?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    ("lines", "buttons", "chosen", "answer"),
    [
        (["half past six"], ["06:30", "18:30"], "18:30", ("hour", "18:30:00")),
        (["half past six"], ["06:30", "18:30"], "the evening one", ("hour", "18:30:00")),
        (["half past six"], ["06:30", "18:30"], "in the morning", ("hour", "06:30:00")),
        (["half past six"], ["06:30", "18:30"], "the second one", ("hour", "18:30:00")),
        (["half past six"], ["06:30", "18:30"], "19:00", ("hour", "19:00:00")),
        (["half seven in the evening"], ["18:30", "19:30"], "the first", ("hour", "18:30:00")),
        (["8 am", "3 or 4"], ["3", "4"], "4", ("people", 4)),
        (
            ["8 am", "3", "the 12th or the 13th of March"],
            ["Thursday, 12 March 2026", "Friday, 13 March 2026"],
            "Friday, 13 March 2026",
            ("day", "2026-03-13"),
        ),
        (
            ["8 am", "3", "4/3"],
            ["Wednesday, 4 March 2026", "Friday, 3 April 2026"],
            "the second",
            ("day", "2026-04-03"),
        ),
    ],
)
async def test_what_may_be_two_things_is_asked_with_both_on_buttons(
    lines: list[str], buttons: list[str], chosen: str, answer: tuple[str, object]
) -> None:
    async with conversation(Visit, clock=FrozenClock()) as talk:
        await talk.say("come by")
        for line in lines:
            said = await talk.say(line)
        assert said.reply.pending is not None
        assert list(said.reply.pending.options) == buttons

        chose = await talk.say(chosen)

        name, value = answer
        assert (await kept(talk, chose))[name] == value
