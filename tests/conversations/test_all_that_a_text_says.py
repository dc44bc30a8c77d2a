"""A text is kept with all that is told of it; left out is what surely does something else."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Adopting(Process, name="adopting", version=1):
    """The questionnaire of a shelter."""

    starts_on = ("adopt a pet",)

    class Answers(BaseModel):
        experience: str = ask("What experience do you have with animals?")
        visit: date = ask("When would you like to visit the shelter?", label="day of the visit")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Guests(Process, name="guests", version=1):
    """Somebody who comes."""

    starts_on = ("add a guest",)

    class Answers(BaseModel):
        guest: str = ask(
            "Who is the appointment for?", description="the name of the person who will be treated"
        )
        day: date = ask("Which day would you like to come?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Ferry(Process, name="ferry", version=1):
    """A boat that gets a name."""

    starts_on = ("name a boat",)

    class Answers(BaseModel):
        name: str = ask("What is it called?", description="the name of the boat")
        seats: int = ask("How many seats has it?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Choir(Process, name="choir", version=1):
    """A choir that is founded."""

    starts_on = ("found a choir",)

    class Answers(BaseModel):
        singers: str = ask("Who will sing in it?")
        songs: list[str] = ask("Which songs will you sing?", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


@pytest.mark.parametrize(
    "said",
    [
        "we had two dogs when I was small, and later I worked at a kennel, so plenty",
        "I rode horses as a girl and my husband bred rabbits, so we know what we do",
        "a parrot and, for a while, a goat; oh and I trained as a vet",
    ],
)
async def test_every_clause_that_tells_something_is_kept(said: str) -> None:
    answers, _ = await told(Adopting, said)
    assert answers == {"experience": said.partition(", so")[0]}  # what rounds it off is none


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I bred rabbits for years. Thanks for asking!", "I bred rabbits for years"),
        ("a hamster as a kid. Sorry, my phone rang", "a hamster as a kid"),
        ("well, I worked at a kennel", "I worked at a kennel"),
    ],
)
async def test_what_surely_does_something_else_is_no_part_of_it(said: str, text: str) -> None:
    answers, _ = await told(Adopting, said)
    assert answers == {"experience": text}


async def test_what_another_answer_takes_is_no_part_of_it() -> None:
    answers, _ = await told(Adopting, "a dog for ten years, and the visit on friday please")
    assert answers == {"experience": "a dog for ten years", "visit": "2026-03-06"}


async def test_a_name_ends_where_it_ends_and_what_stands_beside_it_may_be_another_answer() -> None:
    answers, asked = await told(Choir, "the ladies of our street, Hallelujah and Blackbird please")
    assert "songs" in asked or answers.get("songs")


async def test_which_of_two_names_is_asked() -> None:
    answers, asked = await told(Ferry, "Pedal Pool maybe? or Street Wheels")
    assert (answers, asked) == ({}, "Which of these is it? Name: Pedal Pool; Name: Street Wheels")
    answers, _ = await told(Ferry, "Pedal Pool maybe? or Street Wheels", "Street Wheels")
    assert answers == {"name": "Street Wheels"}


@pytest.mark.parametrize(
    ("said", "name"), [("Trick or Treat", "Trick or Treat"), ("Rover, or whatever you like", "Rover")]
)
async def test_an_or_alone_makes_no_second_name(said: str, name: str) -> None:
    answers, _ = await told(Ferry, said)
    assert answers == {"name": name}


async def test_a_word_before_what_was_found_frames_it() -> None:
    answers, _ = await told(Guests, "me, Tom")
    assert answers == {"guest": "Tom"}
