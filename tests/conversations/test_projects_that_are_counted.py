"""Projects that are counted, in one line or in several, are as many as were counted."""

import json

import pytest

from softrail.testing import FrozenClock, conversation


async def named(*lines: str) -> list[str]:
    """The names that the onboarding keeps of those lines."""
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in ("set up my projects", *lines):
            await talk.say(line)
        [instance] = await talk.dispatcher.store.past(talk.person.id, "onboarding")
        return [project["name"] for project in json.loads(instance.data)["data"]["projects"]]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("1. Atlas 2. Borealis 3. Comet", ["Atlas", "Borealis", "Comet"]),
        ("1) Atlas 2) Borealis", ["Atlas", "Borealis"]),
        ("1.Atlas 2.Borealis 3.Comet", ["Atlas", "Borealis", "Comet"]),
        ("(1) Atlas, (2) Borealis and (3) Comet", ["Atlas", "Borealis", "Comet"]),
        ("1. Atlas\n2. Borealis", ["Atlas", "Borealis"]),
        ("a) Atlas b) Borealis", ["Atlas", "Borealis"]),
        ("we have two: 1. Atlas 2. Borealis", ["Atlas", "Borealis"]),
        ("1. Atlas, the map of maps 2. Borealis - northern lights", ["Atlas", "Borealis"]),
    ],
)
async def test_each_that_is_counted_is_one(said: str, names: list[str]) -> None:
    assert await named(said) == names


@pytest.mark.parametrize("said", ["Q3 report", "Version 2.0", "Beehive"])
async def test_a_name_with_a_number_is_one(said: str) -> None:
    assert await named(said) == [said]


async def test_more_may_be_counted_later() -> None:
    assert await named("Atlas", "1. Borealis 2. Comet") == ["Atlas", "Borealis", "Comet"]
