"""Several projects told in one message are several, what one of them is is no name, and a name before a sign is asked about."""

import json

import pytest

from softrail.testing import FrozenClock, conversation


async def told(*lines: str) -> tuple[list[str], str, list[str]]:
    """The names that are kept after that, the last words, and what is on buttons."""
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in ("set up my projects", *lines):
            said = await talk.say(line)
        [instance] = await talk.dispatcher.store.past(talk.person.id, "onboarding")
        names = [project["name"] for project in json.loads(instance.data)["data"]["projects"]]
        return names, said.text, list(said.reply.suggested_actions)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Rover, thats a lawn robot, and a second one called Mower", ["Rover", "Mower"]),
        ("i have three: Rover, Choir News and Old Mill", ["Rover", "Choir News", "Old Mill"]),
        ("there are two, Rover and Choir News", ["Rover", "Choir News"]),
        ("Rover - a lawn robot", ["Rover"]),
        ("Good, Bad, Ugly", ["Good, Bad, Ugly"]),
        (
            "It's called Greenway, we're turning the old railway line into a cycle path, "
            "me and about ten others from the council",
            ["Greenway"],
        ),
        ("it's called Greenway, and the other one is called Tin Whistle", ["Greenway", "Tin Whistle"]),
    ],
)
async def test_each_name_is_one(said: str, names: list[str]) -> None:
    assert (await told(said))[0] == names


@pytest.mark.parametrize(
    ("said", "name"),
    [("Bakery site - online orders", "Bakery site"), ("my thesis, about bees", "my thesis")],
)
async def test_what_stands_before_a_sign_is_asked_about(said: str, name: str) -> None:
    names, _, buttons = await told(said)
    assert names == []
    assert f"A project called {name}" in buttons
    assert (await told(said, f"A project called {name}"))[0] == [name]


async def test_what_has_no_name_is_asked_for_one() -> None:
    names, words, _ = await told("a robot for lawns, it mows")
    assert names == []
    assert words == "That sounds good. What is it called?"
