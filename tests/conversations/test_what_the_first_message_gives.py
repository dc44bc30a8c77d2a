"""The message that asks for a process answers what it asks for in few words, and is read back."""

from datetime import date
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, Said, conversation
from tests.conversations.kept import kept


class Booking(Process, name="booking", version=1):
    """A table in the restaurant."""

    starts_on = ("book a table",)

    class Answers(BaseModel):
        guests: int = ask("How many are you?")
        day: date = ask("Which day?")
        room: Literal["inside", "garden"] = ask("Inside or in the garden?")
        outdoors: bool = ask("May the dog come along?")
        wishes: str = ask("Any wishes?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("booking", answers)])


async def begun(said: str, process: type[Process] = Booking) -> tuple[dict[str, Any], Said]:
    """What is kept after the first message, and what was said to it, on Monday, the 2nd of March 2026."""
    async with conversation(process, clock=FrozenClock()) as talk:
        heard = await talk.say(said, intent_hint=f"start_{process.name}")
        return await kept(talk, heard), heard


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I'd like to book a table for 4", {"guests": 4}),
        ("reserve a table for six people please", {"guests": 6}),
        ("can I get a table tomorrow, we are two", {"guests": 2, "day": "2026-03-03"}),
        ("could we book a table on Saturday", {"day": "2026-03-07"}),
    ],
)
async def test_numbers_and_days_are_not_asked_for_again(said: str, expected: dict[str, Any]) -> None:
    answers, heard = await begun(said)
    assert answers == expected
    assert all(word in heard.text for word in (["Guests:"] if "guests" in expected else ["Day:"]))


class Lamp(Process, name="lamp", version=1):
    """A lamp that is dark."""

    starts_on = ("report a lamp",)

    class Answers(BaseModel):
        since: date = ask("Since when?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", effects=[Record("lamp", answers)])


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("report a lamp that is out since 20 November", {"since": "2025-11-20"}),
        ("I'd like to report a lamp, since Friday", {"since": "2026-02-27"}),
    ],
)
async def test_they_are_read_as_the_question_would_read_them(said: str, expected: dict[str, Any]) -> None:
    answers, _ = await begun(said, Lamp)
    assert answers == expected


@pytest.mark.parametrize(
    "said", ["book a table", "I want a table for my mother", "book a table at Pier 7", "yes, book one"]
)
async def test_what_gives_none_begins_with_the_first_question(said: str) -> None:
    answers, heard = await begun(said)
    assert answers == {}
    assert heard.text.endswith("How many are you?")


async def test_an_author_who_reads_the_first_message_is_left_to_it() -> None:
    class Own(Booking, name="own_booking", version=1):
        """A table, read by its author."""

        starts_on = ("get me a table",)

        def prefill(self, said: Turn) -> dict[str, Any]:
            return {"guests": 9}

    answers, _ = await begun("I'd like to book a table for 4", Own)
    assert answers == {"guests": 9}


async def test_a_yes_to_an_offer_gives_nothing() -> None:
    class Offered(Booking, name="offered_booking", version=1):
        """A table that is offered."""

        starts_on = ("offer me a table",)

        async def offer_when(self, turn: Turn) -> bool:
            return True

    async with conversation(Offered, clock=FrozenClock()) as talk:
        await talk.say("hello")
        heard = await talk.say("yes, at 7 would be fine")
        assert await kept(talk, heard) == {}


class Application(Process, name="application", version=1):
    """Applies for a job."""

    starts_on = ("apply for a job",)

    class Answers(BaseModel):
        name: str = ask("What's your name?")
        badge: str = ask("What is your badge number?", pattern=r"^[A-Za-z]{2}\d{6}$", label="badge")
        contact: str = ask("What's the name of your last boss?", label="boss")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", effects=[Record("application", answers)])


class Contact(Process, name="contact", version=1):
    """Somebody to write to."""

    starts_on = ("add a contact",)

    class Answers(BaseModel):
        name: str = ask("What's the name of the contact?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("contact", answers)])


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("I'd like to apply for a job, my name is Tom Berger", "Tom Berger"),
        ("hello! my name is Jana Novak and I want to apply for a job", "Jana Novak"),
        ("I'm Sam Hill and I want to apply for a job", "Sam Hill"),
        ("i'm looking for a job", None),
        ("I want to apply for a job, I am very good", None),
    ],
)
async def test_whose_name_is_asked_for_may_have_said_it(said: str, name: str | None) -> None:
    answers, _ = await begun(said, Application)
    assert answers.get("name") == name


@pytest.mark.parametrize(
    "said", ["I'm Sam Hill and I want to add a contact", "my name is Sam, please add a contact"]
)
async def test_the_name_of_who_speaks_is_not_that_of_another(said: str) -> None:
    answers, _ = await begun(said, Contact)
    assert answers == {}


@pytest.mark.parametrize(
    ("said", "badge"),
    [
        ("I want to apply for a job, my badge is KL556677", "KL556677"),
        ("apply for a job, AB123456 or AB123457", None),
        ("apply for a job at once", None),
    ],
)
async def test_what_alone_has_the_form_that_is_asked_for_is_that(said: str, badge: str | None) -> None:
    answers, _ = await begun(said, Application)
    assert answers.get("badge") == badge
