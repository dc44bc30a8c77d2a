"""The answers of a trip in words that look like a denial, a list or a change, and are none, or not for certain."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Trip(Process, name="trip", version=1):
    """A trip."""

    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        destination: str = ask("Where to?")
        guests: int = ask("How many guests?")
        pets: bool = ask("Are there pets?")
        day: date = ask("Which day?")
        food: str = ask("What food?", names=("diet",))
        wishes: list[str] = ask("Any wishes?", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


UP_TO = {
    "destination": (),
    "guests": ("Lisbon",),
    "day": ("Lisbon", "2", "no"),
    "food": ("Lisbon", "2", "no", "5 may"),
    "wishes": ("Lisbon", "2", "no", "5 may", "vegan"),
    "summary": ("Lisbon", "2", "no", "5 may", "vegan", "a quiet room"),
}


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("destination: Main Street, No. 5", "destination", "Main Street, No. 5"),
        ("Destination: Hauptstr. 3, no. 7", "destination", "Hauptstr. 3, no. 7"),
        ("Diet: no meat, no fish", "food", "no meat, no fish"),
        ("Diet: vegetarian, no nuts", "food", "vegetarian, no nuts"),
        ("Food: the tofu, not that one with soy", "food", "the tofu, not that one with soy"),
    ],
)
@pytest.mark.parametrize("asked", ["destination", "guests", "food", "summary"])
async def test_a_labelled_answer_may_say_what_it_is_without(
    asked: str, said: str, field: str, value: object
) -> None:
    before, _ = await told(Trip, *UP_TO[asked])
    answers, _ = await told(Trip, *UP_TO[asked], said)

    assert answers == {**before, field: value}


@pytest.mark.parametrize("taken_back", ["Porto, not that", "Porto, no, not this", "Porto, not that one"])
async def test_a_labelled_answer_that_takes_itself_back_leaves_the_others(taken_back: str) -> None:
    answers, words = await told(Trip, f"Food: vegan, not gluten\nDestination: {taken_back}\nGuests: 4")

    assert answers == {"food": "vegan, not gluten", "guests": 4}
    assert words.endswith("Where to?")


@pytest.mark.parametrize("wrong", ["Lisbon was a mistake", "there is a typo", "no wait, that was wrong"])
async def test_what_is_wrong_is_asked_again_and_forgotten_by_nobody(wrong: str) -> None:
    async with conversation(Trip, clock=FrozenClock()) as talk:
        for line in (Trip.starts_on[0], "Lisbon", wrong):
            said = await talk.say(line)

        assert said.text == "Where to?"
        said = await talk.say("undo")
        assert await kept(talk, said) == {"destination": "Lisbon"}


async def test_the_one_that_is_called_wrong_is_the_one_that_is_asked_again() -> None:
    async with conversation(Trip, clock=FrozenClock()) as talk:
        for line in (Trip.starts_on[0], *UP_TO["food"], "Lisbon was a mistake"):
            said = await talk.say(line)

        assert said.text == "Where to?"
        said = await talk.say("Porto")
        assert (await kept(talk, said))["destination"] == "Porto"


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("any day but Monday", "Monday, 9 March 2026"),
        ("never on friday", "Friday, 6 March 2026"),
    ],
)
async def test_a_denied_day_is_left_aside_and_is_no_other_answer(said: str, day: str) -> None:
    before, _ = await told(Trip, *UP_TO["day"])
    answers, words = await told(Trip, *UP_TO["day"], said)

    assert answers == before
    assert words == f"Not {day}, then. What is it instead?\n\nWhich day?"


async def test_what_is_called_by_its_name_may_hold_a_denied_day() -> None:
    answers, words = await told(Trip, *UP_TO["day"], "wishes: any day but Monday")

    assert answers["wishes"] == ["any day but Monday"]
    assert words == "Which day?"


@pytest.mark.parametrize("said", ["1. 2. 2027", "1. we meet at 2. pm"])
async def test_a_day_or_a_time_is_no_list_of_two(said: str) -> None:
    answers, _ = await told(Trip, *UP_TO["wishes"], f"wishes: {said}")

    assert len(answers["wishes"]) == 1


@pytest.mark.parametrize(
    ("asked", "said", "destination"),
    [
        ("destination", "Main Street, No. 5", "Main Street, No. 5"),
        ("summary", "change destination to Lisbon, no. 7", "Lisbon, no. 7"),
    ],
)
async def test_the_number_of_a_house_is_no_number_of_guests(asked: str, said: str, destination: str) -> None:
    before, _ = await told(Trip, *UP_TO[asked])
    answers, _ = await told(Trip, *UP_TO[asked], said)

    assert answers == {**before, "destination": destination}
