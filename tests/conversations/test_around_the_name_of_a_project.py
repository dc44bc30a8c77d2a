"""What people say around the name of a project is no part of it, and one more is no other name for the last."""

import pytest

from softrail.testing import FrozenClock, conversation
from tests.conversations.test_projects_that_are_counted import named


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("plus a cookbook", "a cookbook"),
        ("yes Mower too", "Mower"),
        ("and my thesis", "my thesis"),
        ("hm, wait, Mower", "Mower"),
        ("ok so Mower", "Mower"),
        ("well, Just Bread", "Just Bread"),
        ("oh sorry, and the other one is called Wedding", "Wedding"),
        ("no wait the wedding one is called Lena+Tom", "Lena+Tom"),
    ],
)
async def test_what_stands_around_a_name_is_left_out(said: str, name: str) -> None:
    assert (await named(said))[-1] == name


async def test_the_name_of_the_other_one_renames_none() -> None:
    assert await named("Bakery", "oh sorry, and the other one is called Wedding") == ["Bakery", "Wedding"]


@pytest.mark.parametrize(
    "said",
    [
        "no wait, not Rover",
        "hold on, wrong, Mower",
        "hang on, its called Bakery Online",
        "scrap Rover",
        "actually scratch Rover",
    ],
)
async def test_what_takes_a_name_back_is_asked_about(said: str) -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in ("set up my projects", "Rover"):
            await talk.say(line)
        assert "what to make of" in (await talk.say(said)).text
    assert await named("Rover", said) == ["Rover"]


@pytest.mark.parametrize(
    "said",
    [
        "Rover. oh and Mower as well",
        "the big one is Rover, then there is Mower",
        "well mainly Rover, a robot for lawns. besides that Choir News",
    ],
)
async def test_of_two_that_are_told_apart_none_is_lost_in_silence(said: str) -> None:
    assert await named(said) == []
    assert len(await named(said, "1")) == 2


@pytest.mark.parametrize("said", ["both", "two", "they are two"])
async def test_both_are_two(said: str) -> None:
    assert await named("Rover and Mower", said) == ["Rover", "Mower"]
