"""A yes, a no or an option for a question that nobody has asked: it is told where the message speaks of it, and else asked for."""

from datetime import datetime
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Complaint(Process, name="complaint", version=1):
    """A parcel that went wrong."""

    starts_on = ("complain about a parcel", "write a complaint")

    class Answers(BaseModel):
        trouble: Literal["never arrived", "damaged", "wrong item", "late", "rude driver"] = ask(
            "What went wrong?"
        )
        happened: datetime = ask("When did it happen?", label="time of it")
        worth: int = ask("What was it worth?")
        neighbour: bool = ask("Have you asked the neighbours?", label="neighbours asked")
        wish: Literal["money back", "a new one", "an apology"] = ask(
            "What do you want from us?", label="wish"
        )

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", effects=[Record("complaint", answers)])


class Course(Process, name="course", version=1):
    """A course for a group."""

    starts_on = ("plan a course", "new course plan")

    class Answers(BaseModel):
        topic: str = ask("What is the course about?")
        people: int = ask("How many people will come?")
        level: Literal["beginners", "intermediate", "advanced"] = ask("What level are they?")
        van: bool = ask("Do you have a driving licence?", label="driving licence")
        room: Literal["garden flat", "cellar", "attic room"] = ask("Which room shall it be?", label="room")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Planned.", effects=[Record("course", answers)])


async def begun(process: type[Process], said: str) -> dict[str, Any]:
    async with conversation(process, clock=FrozenClock()) as talk:
        heard = await talk.say(said, intent_hint=f"start_{process.name}")
        return await kept(talk, heard)


@pytest.mark.parametrize(
    "said",
    [
        "this morning around 9, the guy just chucked it over the fence",
        "yesterday at noon, my wife saw him kick it",
        "yesterday at noon, my husband opened the door and it was on the floor",
        "this morning at 9, the driver just dumped it by the bins",
        "yesterday at 10, the driver rang once and went",
    ],
)
async def test_what_tells_nothing_of_a_question_answers_it_not(said: str) -> None:
    answers, _ = await told(Complaint, "damaged", said)
    assert set(answers) == {"trouble", "happened"}
    assert answers["trouble"] == "damaged"


@pytest.mark.parametrize(
    ("said", "neighbour"),
    [
        ("yesterday at noon, and the neighbours know nothing", False),
        ("yesterday at noon, I have asked all my neighbours", True),
    ],
)
async def test_what_says_its_words_is_told(said: str, neighbour: bool) -> None:
    answers, words = await told(Complaint, "damaged", said)
    assert answers.get("neighbour") is neighbour
    assert "Neighbours asked:" in words


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("watercolours, the garden one", {"room": "garden flat"}),
        ("watercolours, it is about the garden", {}),
        ("watercolours, for complete beginners", {"level": "beginners"}),
        ("watercolours, I cannot drive", {"van": False}),
        ("watercolours, done it for 12 years", {}),
    ],
)
async def test_an_option_is_told_by_its_words_or_by_a_clause_alone(said: str, more: dict[str, Any]) -> None:
    answers, _ = await told(Course, said)
    assert {name: value for name, value in answers.items() if name != "topic"} == more


@pytest.mark.parametrize("said", ["course plan pls", "new course plan asap", "a new course plan pls"])
async def test_the_message_that_begins_it_tells_nothing_of_its_options(said: str) -> None:
    assert await begun(Course, said) == {}


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("plan a course for beginners pls", {"level": "beginners"}),
        ("I need a course plan for my advanced group", {"level": "advanced"}),
    ],
)
async def test_it_tells_those_that_it_names(said: str, more: dict[str, Any]) -> None:
    assert await begun(Course, said) == more


@pytest.mark.parametrize(
    "said",
    [
        "I never said anything about neighbours",
        "i didnt say that i asked the neighbours",
        "i never told you about neighbours",
    ],
)
async def test_what_was_not_said_is_no_no(said: str) -> None:
    answers, words = await told(Complaint, "damaged", said)
    assert set(answers) == {"trouble"}
    assert words.endswith("When did it happen?")
    _, words = await told(Complaint, "damaged", "yesterday at noon", "80", "yes", said)
    assert words.endswith("Have you asked the neighbours?")


@pytest.mark.parametrize(
    ("said", "people"), [("i didnt say 4 people, its 5", 5), ("I never said 4, I said 6 people", 6)]
)
async def test_what_is_right_is_told_with_it(said: str, people: int) -> None:
    answers, _ = await told(Course, "watercolours", "4", said)
    assert answers["people"] == people
