"""What answers is heard first, whatever stands beside it; the companion says something only to what asks by itself."""

from datetime import date, time
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Settings, Turn, ask
from softrail.testing import FrozenClock, Said, conversation
from tests.conversations.kept import kept

BEFORE = ("book a session", "20 November 2026", "6", "no", "email", "2 December 2026", "10:00")


class Session(Process, name="session", version=1):
    """Books a session."""

    starts_on = ("book a session",)

    class Answers(BaseModel):
        since: date = ask("Since when does it hurt?")
        pain: int = ask("How bad is the pain, from 1 to 10?", ge=1, le=10)
        referral: bool = ask("Do you have a referral from a doctor?")
        contact: Literal["phone", "email", "letter"] = ask("How shall we contact you?")
        day: date = ask("Which day would you like to come?")
        at: time = ask("At what time?")
        remarks: str = ask("What else shall we know?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("session", answers)])


async def said(answers: int, message: str) -> tuple[Said, Any]:
    """What is answered to the message behind so many answers, and what is kept then."""
    chosen = Settings(bundled=("companion",))
    async with conversation(Session, discover=True, settings=chosen, clock=FrozenClock()) as talk:
        for line in (*BEFORE[: answers + 1], message):
            found = await talk.say(line)
        return found, await kept(talk, found)


@pytest.mark.parametrize(
    ("answers", "message", "field", "value"),
    [
        (0, "since Sunday, why do you ask?", "since", "2026-03-01"),
        (1, "five, is that a lot?", "pain", 5),
        (3, "email, do you read that?", "contact", "email"),
        (3, "letter. who pays for that?", "contact", "letter"),
        (3, "why do you ask? phone", "contact", "phone"),
        (5, "11, is that ok?", "at", "11:00:00"),
    ],
)
async def test_the_answer_is_kept_where_a_question_stands_beside_it(
    answers: int, message: str, field: str, value: object
) -> None:
    _, found = await said(answers, message)
    assert found[field] == value


@pytest.mark.parametrize(
    "message", ["which day is free?", "is it raining?", "is 10 free?", "since when do you need that?"]
)
async def test_a_question_alone_answers_nothing(message: str) -> None:
    found, told = await said(4, message)
    assert found.text.endswith("Which day would you like to come?")
    assert "day" not in told


async def test_nothing_is_said_to_what_only_stands_beside_the_answer() -> None:
    found, told = await said(1, "six and a bit, if that is how one counts")
    assert "no answer" not in found.text
    assert told["pain"] == 6


async def test_nobody_says_how_it_is_outside_in_the_middle_of_a_process() -> None:
    found, _ = await said(4, "which day is free?")
    assert "outside" not in found.text


@pytest.mark.parametrize("message", ["evening", "morning", "afternoon"])
async def test_a_part_of_the_day_is_no_greeting_where_a_time_is_asked_for(message: str) -> None:
    found, _ = await said(5, message)
    assert found.text.startswith("I need a time of day")


@pytest.mark.parametrize("message", ["good evening", "hello"])
async def test_a_greeting_is_one(message: str) -> None:
    found, _ = await said(5, message)
    assert found.text.startswith("Hello.")


@pytest.mark.parametrize(
    "message", ["I do have a referral, I just found it", "my doctor gave me a referral after all"]
)
async def test_what_changes_another_answer_by_its_name_asks_for_no_person(message: str) -> None:
    _, found = await said(4, message)
    assert found["referral"] is True


@pytest.mark.parametrize("message", ["sorry, yes to the referral", "I have a referral after all"])
async def test_what_may_change_it_is_asked(message: str) -> None:
    found, _ = await said(4, message)
    assert "referral: yes instead of no" in found.text


@pytest.mark.parametrize(
    "message", ["can I speak to a person?", "I want to talk to somebody about the referral"]
)
async def test_who_wants_a_person_is_heard(message: str) -> None:
    found, told = await said(4, message)
    assert "no person here" in found.text
    assert told["referral"] is False


@pytest.mark.parametrize(
    ("answers", "message", "referral"),
    [
        (1, "6, referral yes", True),
        (1, "6; referral: no", False),
        (1, "8 out of 10 and before you ask no, no referral", False),
        (1, "8, no referral", False),
        (0, "20 November, referral yes", True),
    ],
)
async def test_a_yes_or_no_by_the_name_of_a_question_still_to_come_is_kept(
    answers: int, message: str, referral: bool
) -> None:
    _, found = await said(answers, message)
    assert found["referral"] is referral


@pytest.mark.parametrize("message", ["8, is a referral needed? yes or no", "8, who gives me a referral?"])
async def test_who_only_asks_about_it_answers_nothing(message: str) -> None:
    _, found = await said(1, message)
    assert "referral" not in found


@pytest.mark.parametrize(
    "message",
    ["five but who reads this", "five, I wonder how many questions are left"],
)
async def test_what_somebody_wants_to_know_beside_it_is_told_without_a_question_mark(message: str) -> None:
    found, told = await said(1, message)
    assert told["pain"] == 5
    assert "database" in found.text or "questions are still open" in found.text
