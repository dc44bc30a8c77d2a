"""The projects of the onboarding are put right wherever it is asked of them, as an answer is: one more, one less, another name."""

import json

import pytest

from softrail.testing import FrozenClock, conversation

TO_THE_REPOSITORY = {1: ("no",), 2: ("no", "save")}


async def named(projects: tuple[str, ...], said: str, *, reviewed: bool) -> list[str]:
    """The names that are kept when that is said to the question for the first repository, or to the review."""
    before = (*projects, *TO_THE_REPOSITORY[len(projects)], *(("skip all",) if reviewed else ()))
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in ("set up my projects", *before, said):
            await talk.say(line)
        [instance] = await talk.dispatcher.store.past(talk.person.id, "onboarding")
        assert instance.state == "active"
        return [project["name"] for project in json.loads(instance.data)["data"]["projects"]]


@pytest.mark.parametrize(
    "said",
    [
        "one more: Choir News",
        "you forgot Choir News",
        "no, add Choir News",
        "looks good but i also have Choir News",
        "there's one missing, Choir News",
        "Choir News is missing",
    ],
)
async def test_the_review_hears_of_one_more(said: str) -> None:
    assert await named(("Rover",), said, reviewed=True) == ["Rover", "Choir News"]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("the name should be Rover 2", "Rover 2"),
        ("yes but call it Rover 2", "Rover 2"),
        ("its called Rover 2 btw", "Rover 2"),
        ("no the name is Marathon 2027", "Marathon 2027"),
        ("call it Marathon27 instead", "Marathon27"),
    ],
)
async def test_the_only_one_gets_another_name(said: str, name: str) -> None:
    assert await named(("Rover",), said, reviewed=True) == [name]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Mower is called Mower 2", ["Rover", "Mower 2"]),
        ("the second one should be called Mow It", ["Rover", "Mow It"]),
        ("drop Mower", ["Rover"]),
        ("remove the first one", ["Mower"]),
        ("add Lena+Tom as a project", ["Rover", "Mower", "Lena+Tom"]),
    ],
)
async def test_one_of_two_is_put_right(said: str, names: list[str]) -> None:
    assert await named(("Rover", "Mower"), said, reviewed=True) == names


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("the name is wrong, it's Rover 2", ["Rover 2"]),
        ("its called Rover 2 btw", ["Rover 2"]),
        ("call it Marathon27 instead", ["Marathon27"]),
        ("i also have Choir News", ["Rover", "Choir News"]),
        ("add Lena+Tom as a project", ["Rover", "Lena+Tom"]),
    ],
)
async def test_the_names_are_put_right_where_a_repository_is_asked_for(said: str, names: list[str]) -> None:
    assert await named(("Rover",), said, reviewed=False) == names


@pytest.mark.parametrize(
    "said",
    ["you forgot Choir News", "drop Mower"],
)
async def test_what_is_not_sure_there_is_asked(said: str) -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in ("set up my projects", "Rover", "Mower", "no", "save"):
            await talk.say(line)
        assert "I am not sure what is to change" in (await talk.say(said)).text


@pytest.mark.parametrize(
    "said", ["it's for big lawns only", "I like Mower", "hm", "wait, one more", "it's on github, acme/rover"]
)
async def test_nothing_is_added_or_renamed_by_anything_else(said: str) -> None:
    assert await named(("Rover", "Mower"), said, reviewed=True) == ["Rover", "Mower"]


async def test_what_is_wrong_at_the_repository_is_asked_with_everything_told() -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in ("set up my projects", "Rover", "no"):
            await talk.say(line)
        shown = await talk.say("wait, i have one more project")
        assert "What should be different?" in shown.text


async def test_save_it_at_the_repository_shows_everything_first() -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in ("set up my projects", "Rover", "no"):
            await talk.say(line)
        assert "Is that right?" in (await talk.say("ok save")).text
