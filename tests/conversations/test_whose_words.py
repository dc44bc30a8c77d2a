"""Whose words are: what a clause says of an answer that it calls is for that one alone, and what is offered can be the answer."""

from datetime import date, time
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Option, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Adoption(Process, name="adoption", version=1):
    """An animal that finds a home."""

    starts_on = ("adopt a pet",)

    class Answers(BaseModel):
        animal: str = ask(
            "Which animal do you want to adopt?",
            options=[
                Option(label="Dog", value="dog"),
                Option(label="Cat", value="cat"),
                Option(label="Small animal", value="small", words=("rabbit", "hamster")),
            ],
        )
        household: int = ask("How many people live in your household?", ge=1)
        other_pets: list[str] = ask("Which pets do you have already?", label="other pets")
        experience: str = ask("What experience do you have with animals?")
        policy: str = ask("What is your policy number?", pattern=r"^[A-Z]{2}\d{6}$", label="policy number")
        visit: date = ask("When would you like to visit the shelter?", label="day of the visit")
        call_at: time | None = ask("At what time may we call you?", default=None, label="time of the call")
        witness: str | None = ask("Who can speak for you? If nobody, skip.", default=None, label="guarantor")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Thank you.", effects=[Record("adoption", answers)])


ADOPTED = ("Dog", "3", "two hamsters", "had a dog as a child", "AB123456", "12 March", "skip", "skip")


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("other pets is one cat", {"other_pets": ["one cat"]}),
        ("change other pets to Biscuit and a cat", {"other_pets": ["Biscuit", "a cat"]}),
        ("change the experience to sixteen years with a cat", {"experience": "sixteen years with a cat"}),
        ("the guarantor is Olga Meyer", {"witness": "Olga Meyer"}),
        ("there is a guarantor: Olga Meyer", {"witness": "Olga Meyer"}),
        ("I'd rather have a cat", {"animal": "cat"}),
        ("a cat, not a dog", {"animal": "cat"}),
        ("change the animal to cat", {"animal": "cat"}),
    ],
)
async def test_what_is_said_of_an_answer_by_its_name_changes_that_alone(
    said: str, changed: dict[str, Any]
) -> None:
    before, _ = await told(Adoption, *ADOPTED)
    after, _ = await told(Adoption, *ADOPTED, said)
    assert after == before | changed


@pytest.mark.parametrize(
    "said", ["we also have a cat", "we have got a cat as well", "oh no wait add my nans cat", "add a cat"]
)
async def test_what_comes_to_what_there_is_takes_the_place_of_no_option(said: str) -> None:
    answers, words = await told(Adoption, *ADOPTED, said)
    assert answers["animal"] == "dog"
    assert answers["other_pets"] != ["two hamsters"] or "ther pets: " in words


@pytest.mark.parametrize(
    "said", ["add the letter box to the pets", "cat instead of cat", "household 4 or so, I think"]
)
async def test_no_button_has_what_can_be_no_answer(said: str) -> None:
    async with conversation(Adoption, clock=FrozenClock()) as talk:
        for line in (Adoption.starts_on[0], *ADOPTED, said):
            asked = await talk.say(line)
    offers = asked.reply.pending.options if asked.reply.pending is not None else []
    assert not [offer for offer in offers if "olicy" in offer or "Dog instead of Dog" in offer]


@pytest.mark.parametrize("said", ["call me at 17:00", "5 pm"])
async def test_a_value_that_only_an_empty_answer_can_have_is_for_that(said: str) -> None:
    async with conversation(Adoption, clock=FrozenClock()) as talk:
        for line in (Adoption.starts_on[0], *ADOPTED, said):
            asked = await talk.say(line)
        offers = asked.reply.pending.options if asked.reply.pending is not None else []
        asked = await talk.say(offers[0]) if "None of these" in offers else asked
        assert (await kept(talk, asked))["call_at"] == "17:00:00"


async def test_the_words_of_an_option_are_no_item() -> None:
    answers, _ = await told(Adoption, *ADOPTED, "a hamster")
    assert answers["other_pets"] == ["two hamsters"]
