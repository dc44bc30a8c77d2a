"""What is told by the way of a question that is still to come is put with it, and kept when it is agreed to."""

from datetime import date, time

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import Conversation, FrozenClock, conversation
from tests.conversations.kept import kept


class Position(Process, name="position", version=1):
    """Somebody who is wanted."""

    starts_on = ("advertise a position",)

    class Answers(BaseModel):
        start: date = ask("When does it begin?")
        salary: int = ask("What is the salary?")
        place: str = ask("Where is it?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Theft(Process, name="theft", version=1):
    """Something that was stolen."""

    starts_on = ("report a theft", "something was stolen")

    class Answers(BaseModel):
        what: str = ask("What happened?")
        day: date = ask("When did it happen?")
        value: int = ask("What was it worth, in euros?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Visit(Process, name="visit", version=1):
    """A visit at the practice."""

    starts_on = ("book a visit", "I need an appointment")

    class Answers(BaseModel):
        patient: str = ask("Who is the visit for?")
        since: date = ask("Since when does it hurt?")
        day: date = ask("Which day would you like to come?")
        at: time = ask("At what time?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


async def salary_told(talk: Conversation) -> None:
    """The first question is answered, and the next one along with it, not surely enough to be kept."""
    await talk.say("advertise a position")
    reply = await talk.say("march 15, 60000 per year")

    assert reply.text == (
        "Start: Sunday, 15 March 2026. I think you have told me that already: is it 60000?\n\nWhat is the salary?"
    )
    assert reply.reply.pending is not None
    assert list(reply.reply.pending.options) == ["60000"]
    assert await kept(talk, reply) == {"start": "2026-03-15"}  # it stands for nothing yet


@pytest.mark.parametrize("agreed", ["yes", "60000", "that's right", "yes please"])
async def test_what_was_told_already_is_kept_when_it_is_agreed_to(agreed: str) -> None:
    async with conversation(Position, clock=FrozenClock()) as talk:
        await salary_told(talk)
        reply = await talk.say(agreed)

        assert await kept(talk, reply) == {"start": "2026-03-15", "salary": 60000}


async def test_a_no_to_it_asks_what_it_is_instead() -> None:
    async with conversation(Position, clock=FrozenClock()) as talk:
        await salary_told(talk)
        reply = await talk.say("no")

        assert reply.text == "Not 60000, then. What is it instead?\n\nWhat is the salary?"
        assert reply.reply.pending is not None
        assert not reply.reply.pending.options


@pytest.mark.parametrize("said", ["58000", "no, 58000", "58 thousand actually"])
async def test_another_value_takes_its_place(said: str) -> None:
    async with conversation(Position, clock=FrozenClock()) as talk:
        await salary_told(talk)
        reply = await talk.say(said)

        assert await kept(talk, reply) == {"start": "2026-03-15", "salary": 58000}


async def test_it_is_put_once_and_gone_when_all_is_begun_anew() -> None:
    async with conversation(Position, clock=FrozenClock()) as talk:
        await salary_told(talk)
        await talk.say("start over")
        reply = await talk.say("march 15")

        assert reply.text.endswith("What is the salary?")
        assert "already" not in reply.text


async def test_a_day_in_a_sentence_that_is_the_answer_is_put_with_the_question_for_it() -> None:
    async with conversation(Theft, clock=FrozenClock()) as talk:
        await talk.say("report a theft")
        reply = await talk.say("my bike was stolen last Saturday outside the station")

        assert await kept(talk, reply) == {"what": "my bike was stolen last Saturday outside the station"}
        assert reply.text.endswith(
            "I think you have told me that already: is it Saturday, 28 February 2026?\n\nWhen did it happen?"
        )
        reply = await talk.say("yes")
        assert await kept(talk, reply) == {
            "what": "my bike was stolen last Saturday outside the station",
            "day": "2026-02-28",
        }


async def test_a_part_of_what_is_answered_is_no_answer_to_a_question_of_the_same_kind() -> None:
    async with conversation(Visit, clock=FrozenClock()) as talk:
        for said in ("book a visit", "Tom"):
            await talk.say(said)
        reply = await talk.say("since the 14th of February")

        assert reply.text.endswith("Which day would you like to come?")
        assert "already" not in reply.text


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("book a visit for next tuesday at 10:30", {"day": "2026-03-10", "at": "10:30:00"}),
        (
            "I need an appointment on Friday at 4, my back has been hurting since January 12",
            {"since": "2026-01-12", "day": "2026-03-06", "at": "16:00:00"},
        ),
        (
            "I need an appointment, my knee hurts since the 14th, can I come next Tuesday at 10:30?",
            {"since": "2026-02-14", "day": "2026-03-10", "at": "10:30:00"},
        ),
    ],
)
async def test_a_first_message_tells_of_any_question_what_it_surely_tells(
    said: str, answers: dict[str, str]
) -> None:
    async with conversation(Visit, discover=True, clock=FrozenClock()) as talk:
        reply = await talk.say(said)

        assert await kept(talk, reply) == answers  # and it is read back
        assert reply.text.count(".") >= len(answers)
        assert reply.text.endswith("Who is the visit for?")


async def test_of_two_days_each_is_kept_for_its_own_answer_and_put_for_no_other() -> None:
    async with conversation(Visit, discover=True, clock=FrozenClock()) as talk:
        begun = await talk.say("book a visit, next thursday morning, my neck hurts since monday")
        assert await kept(talk, begun) == {"since": "2026-02-23", "day": "2026-03-12"}
        reply = await talk.say("Tom")

        assert reply.reply.pending is not None
        assert list(reply.reply.pending.options) == []


class Report(Process, name="report", version=1):
    """A report of damage."""

    starts_on = ("report damage",)

    class Answers(BaseModel):
        windows: int = ask("How many windows are broken?")
        hour: time = ask("At what time, roughly?")
        witness: str | None = ask("Did anyone see it? If so, who?", default=None)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


@pytest.mark.parametrize("said", ["my wife saw it from the kitchen", "the neighbours, the Kowalskis"])
async def test_an_answer_to_a_question_to_come_waits_for_it(said: str) -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        await talk.say("report damage")
        reply = await talk.say(said)

        assert reply.text == "I'll come back to that.\n\nHow many windows are broken?"
        assert await kept(talk, reply) == {}

        await talk.say("2")
        reply = await talk.say("11 pm")
        assert f"is it “{said}”?" in reply.text

        reply = await talk.say("yes")
        assert await kept(talk, reply) == {"windows": 2, "hour": "23:00:00", "witness": said}


async def test_what_waits_is_no_more_than_offered() -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        for said in ("report damage", "my wife saw it from the kitchen", "2", "11 pm"):
            await talk.say(said)
        reply = await talk.say("skip")

        assert await kept(talk, reply) == {"windows": 2, "hour": "23:00:00"}


@pytest.mark.parametrize("said", ["no idea", "my dog died", "that's wrong", "why do you ask?", "quite a few"])
async def test_what_answers_no_question_for_sure_waits_for_none(said: str) -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        await talk.say("report damage")
        reply = await talk.say(said)

        assert "come back to that" not in reply.text
        assert await kept(talk, reply) == {}


@pytest.mark.parametrize("said", ["it was the wind", "the wind did it"])
async def test_one_thing_that_hardly_answers_how_many_is_asked_about(said: str) -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        await talk.say("report damage")
        reply = await talk.say(said)

        assert await kept(talk, reply) == {}
