"""What is hardly a name yet is none: it is asked about before a project is called so."""

import pytest

from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept

UP_TO = ("I have an idea for a project", "it is about keeping bees on roofs")


@pytest.mark.parametrize(
    "remark",
    [
        "something with bees",
        "some kind of bee thing",
        "hmm let me think",
        "not sure yet, something with bees",
        "good question",
        "names are hard",
        "my wife will kill me if I choose wrong",
        "k",
    ],
)
async def test_a_remark_is_no_name(remark: str) -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in (*UP_TO, remark):
            said = await talk.say(line)

        assert "name" not in await kept(talk, said)
        assert said.step == "gathering_name"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Something Wild", "Something Wild"),
        ("working title Beehive", "Beehive"),
        ("something catchy, Beehive maybe", "Beehive"),
        ("The Bees Knees", "The Bees Knees"),
    ],
)
async def test_a_name_is_one(said: str, name: str) -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in (*UP_TO, said):
            last = await talk.say(line)

        assert (await kept(talk, last))["name"] == name
