"""What stands behind a name is kept where it surely belongs, or asked about; it becomes no part of the name."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Idea(Process, name="idea", version=1):
    """An idea for something new."""

    starts_on = ("pitch an idea",)

    class Answers(BaseModel):
        name: str = ask("What is it called?")
        about: str = ask("What does it do?")
        audience: str = ask("Who is it for?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    ("said", "name", "what"),
    [
        ("Nettle: recipe costing", "Nettle", "recipe costing"),
        ("Pantry: shopping lists", "Pantry", "shopping lists"),
        ("Toolshed, tool lending for streets", "Toolshed", "tool lending for streets"),
        ("Gull's Nest (a holiday flat manager)", "Gull's Nest", "a holiday flat manager"),
        ("Larder: meal plans", "Larder", "meal plans"),
    ],
)
async def test_what_it_is_is_kept_or_asked_about(said: str, name: str, what: str) -> None:
    async with conversation(Idea, clock=FrozenClock()) as talk:
        await talk.say("pitch an idea")
        answered = await talk.say(said)
        answers = await kept(talk, answered)
        assert what in answered.text
        assert answers in ({}, {"name": name, "about": what})
        if not answers:
            assert answered.text.startswith(f"Where does “{what}” belong? Name: {name}")


@pytest.mark.parametrize("said", ["Dune: Part Two", "Area 51", "Night Owl", "Jules and Jim"])
async def test_a_name_alone_is_one(said: str) -> None:
    async with conversation(Idea, clock=FrozenClock()) as talk:
        await talk.say("pitch an idea")
        assert await kept(talk, await talk.say(said)) == {"name": said}
