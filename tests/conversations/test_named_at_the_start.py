"""A name that the message gives already that starts a process is not asked for again."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Contact(Process, name="contact", version=1):
    """Somebody to send money to."""

    starts_on = ("add a contact", "save a new contact")

    class Answers(BaseModel):
        name: str = ask("What is their name?")
        number: str = ask("What is their account number?", pattern=r"^\d{8}$")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Transfer(Process, name="transfer", version=1):
    """Sends money."""

    starts_on = ("send money", "I want to send money to somebody", "send some money")

    class Answers(BaseModel):
        recipient: str = ask("Who gets it?")
        note: str = ask("What is it for?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Sent.")


async def begun(said: str) -> tuple[dict[str, object], str]:
    """What is kept of the message that starts it, and what is said to that."""
    async with conversation(Contact, Transfer, discover=True, clock=FrozenClock()) as talk:
        reply = await talk.say(said)
        return await kept(talk, reply), reply.text


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("add a contact named Ada", {"name": "Ada"}),
        ("send money to Ada", {"recipient": "Ada"}),
        ("send some money to Ada Lovelace please", {"recipient": "Ada Lovelace"}),
    ],
)
async def test_a_name_in_the_first_message_is_kept_and_read_back(said: str, answers: dict[str, str]) -> None:
    found, words = await begun(said)

    assert found == answers
    assert words.startswith(": ".join([next(iter(answers)).title(), *answers.values()]))


@pytest.mark.parametrize(
    "said",
    [
        "add a contact",
        "send money",
        "Send Money",
        "please add a new Contact",
        "I want to send money to my landlord",
        "hi, I'm Sam and I want to send money",
        "hello, Sam here, I want to send money",
    ],
)
async def test_what_is_no_name_of_theirs_is_not_taken_for_one(said: str) -> None:
    found, _ = await begun(said)

    assert found == {}
