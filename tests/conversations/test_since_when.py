"""A question that looks back is answered with a moment that has been; a day without its time is kept, and the time asked for."""

import datetime as dt
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Fault(Process, name="fault", version=1):
    """A machine that is broken."""

    starts_on = ("report a fault",)

    class Answers(BaseModel):
        since: dt.datetime = ask("Since when has it been like that?")
        photo: bool = ask("Is there a photo?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Reported.")


class Visit(Process, name="visit", version=1):
    """A visit."""

    starts_on = ("plan a visit",)

    class Answers(BaseModel):
        moment: dt.datetime = ask("When will you come?")
        alone: bool = ask("Alone?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Planned.")


async def after(*lines: str) -> tuple[Any, list[str], str]:
    """On Monday, the 2nd of March 2026, at nine."""
    async with conversation(Fault, clock=FrozenClock()) as talk:
        for line in ("report a fault", *lines):
            said = await talk.say(line)
        pending = said.reply.pending
        answers = await kept(talk, said)
        return answers.get("since"), list(pending.options) if pending is not None else [], said.text


@pytest.mark.parametrize(
    ("line", "since"),
    [
        ("friday 10pm", "2026-02-27T22:00"),
        ("sunday 8pm", "2026-03-01T20:00"),
        ("tuesday at 5pm", "2026-02-24T17:00"),
        ("on the 27th at 3pm", "2026-02-27T15:00"),
        ("last friday at noon", "2026-02-27T12:00"),
        ("about an hour ago", "2026-03-02T08:00"),
        ("half an hour ago", "2026-03-02T08:30"),
        ("an hour and a half ago", "2026-03-02T07:30"),
        ("20 minutes ago", "2026-03-02T08:40"),
        ("for two hours", "2026-03-02T07:00"),
        ("since about eight this morning", "2026-03-02T08:00"),
        ("monday 10pm", "2026-02-23T22:00"),
        ("3 days ago, 2pm", "2026-02-27T14:00"),
    ],
)
async def test_it_has_been(line: str, since: str) -> None:
    found, _, words = await after(line)

    assert found is not None
    assert found.startswith(since)
    assert words.startswith("Since: ")


@pytest.mark.parametrize(
    ("lines", "since"),
    [
        (("yesterday", "6pm"), "2026-03-01T18:00"),
        (("this morning", "at 6"), "2026-03-02T06:00"),
        (("since last friday night shift", "at 10"), "2026-02-27T22:00"),
        (("the 27th", "around noon"), "2026-02-27T12:00"),
        (("yesterday", "no, friday at 5pm"), "2026-02-27T17:00"),
    ],
)
async def test_the_day_is_kept_and_only_the_time_asked_for(lines: tuple[str, str], since: str) -> None:
    none, _, words = await after(lines[0])
    found, _, _ = await after(*lines)

    assert none is None
    assert "At what time?" in words
    assert found is not None
    assert found.startswith(since)


async def test_on_a_monday_it_is_asked_which_monday_is_meant() -> None:
    found, buttons, _ = await after("monday morning at 6")
    assert found is None
    assert buttons == ["Monday, 2 March 2026, 06:00", "Monday, 23 February 2026, 06:00"]

    found, _, _ = await after("monday morning at 6", "Monday, 2 March 2026, 06:00")
    assert found == "2026-03-02T06:00:00Z"


@pytest.mark.parametrize(
    ("line", "since"),
    [("make it thursday", "2026-02-26T22:00"), ("change since to 9pm", "2026-02-27T21:00")],
)
async def test_of_a_moment_that_is_put_right_the_rest_stays(line: str, since: str) -> None:
    found, _, _ = await after("friday 10pm", "no", line)

    assert found is not None
    assert found.startswith(since)


@pytest.mark.parametrize(
    ("line", "moment"), [("friday 10pm", "2026-03-06T22:00"), ("in half an hour", "2026-03-02T09:30")]
)
async def test_what_is_to_come_lies_ahead(line: str, moment: str) -> None:
    answers, _ = await told(Visit, line)

    assert answers["moment"].startswith(moment)
