"""What is told of a list is one of its items, or asked about, or surely something else: no clause of it goes without a word."""

import pytest
from pydantic import BaseModel

from softrail import Done, Option, Process, Turn, ask
from tests.conversations.kept import told


class Flat(Process, name="flat", version=1):
    """A search for a flat."""

    starts_on = ("find me a flat",)

    class Answers(BaseModel):
        must_haves: list[str] = ask("What must the flat have?", label="must-haves")
        rooms: int = ask("How many rooms do you need?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Adoption(Process, name="adoption", version=1):
    """The questionnaire of a shelter."""

    starts_on = ("adopt a pet",)

    class Answers(BaseModel):
        animal: str = ask(
            "Which animal do you want to adopt?", options=[Option(label="Dog"), Option(label="Bird")]
        )
        other_pets: list[str] = ask("Which pets do you have already?", default=[], label="other pets")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Claim(Process, name="claim", version=1):
    """A claim after a storm."""

    starts_on = ("report storm damage",)

    class Answers(BaseModel):
        damaged: list[str] = ask("What was damaged?", description="all things that the storm broke")
        windows: int = ask("How many windows are broken?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Physio(Process, name="physio", version=1):
    """An appointment with the physiotherapist."""

    starts_on = ("see the physio",)

    class Answers(BaseModel):
        parts: list[str] = ask("Which parts of the body hurt?", description="everything that hurts")
        pain: int = ask("How bad is the pain, from 1 to 10?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


@pytest.mark.parametrize(
    ("said", "items"),
    [
        (
            "a big kitchen. a lift. no carpets. and I won't live next to a school",
            ["a big kitchen", "a lift", "no carpets", "I won't live next to a school"],
        ),
        (
            "a washing machine connection. a lift. NO ground floor. and I'm not living above a pub again",
            ["a washing machine connection", "a lift", "NO ground floor", "I'm not living above a pub again"],
        ),
        ("a lift, a big kitchen. thanks for asking", ["a lift", "a big kitchen"]),
        ("a lift, a big kitchen. I hate these forms", ["a lift", "a big kitchen"]),
        ("a lift and parking and that's about all I need", ["a lift", "parking"]),
    ],
)
async def test_a_last_clause_is_one_more_item_unless_it_surely_does_something_else(
    said: str, items: list[str]
) -> None:
    answers, _ = await told(Flat, said)
    assert answers == {"must_haves": items}


@pytest.mark.parametrize(
    ("said", "items"),
    [
        (
            "two guinea pigs and an aquarium, the aquarium is my son's so that leaves with him, so just the guinea pigs",
            ["two guinea pigs"],
        ),
        ("a canary and two hamsters, the hamsters stay with my ex, so just the canary", ["a canary"]),
        ("a canary and a parrot. yes only the canary", ["a canary"]),
        ("a rabbit, a hamster, no wait just the hamster", ["a hamster"]),
        ("a cat, a hamster and a rabbit. Hmm no hamster, it has gone", ["a cat", "a rabbit"]),
    ],
)
async def test_what_the_last_clause_calls_once_more_is_all_that_is_meant(said: str, items: list[str]) -> None:
    answers, _ = await told(Adoption, "Bird", said)
    assert answers["other_pets"] == items


async def test_all_that_is_set_is_in_the_list() -> None:
    answers, _ = await told(Adoption, "Dog", "two hamsters", "set other pets to two rabbits, a cat and a dog")
    assert answers["other_pets"] == ["two rabbits", "a cat", "a dog"]


@pytest.mark.parametrize(
    "said", ["two windows and the shed, but that's not ours", "two windows and the shed but that's not ours"]
)
async def test_an_item_that_is_denied_by_pointing_at_it_is_asked_about(said: str) -> None:
    answers, asked = await told(Claim, said)
    assert (answers, asked) == (
        {},
        "Which of these is it? Damaged: two windows; Damaged: two windows; the shed",
    )
    answers, _ = await told(Claim, said, "Damaged: two windows")
    assert answers == {"damaged": ["two windows"]}


async def test_words_that_only_point_are_no_item() -> None:
    answers, _ = await told(Physio, "my shoulders - both of them - plus the elbow I broke last year")
    assert answers["parts"] == ["my shoulders", "the elbow I broke last year"]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("hip sorry knee", "Which of these is it? Parts: knee; Parts: hip; knee"),
        ("hip, neck I mean back", "Which of these is it? Parts: hip; back; Parts: hip; neck; back"),
    ],
)
async def test_an_item_put_right_without_a_sign_is_asked_about(said: str, asked: str) -> None:
    answers, words = await told(Physio, said)
    assert (answers, words) == ({}, asked)


async def test_what_an_item_stands_for_that_only_points_is_asked() -> None:
    answers, asked = await told(
        Adoption, "Dog", "two hamsters", "we have a cat as well, add it to other pets"
    )
    assert answers["other_pets"] == ["two hamsters"] or "cat" in asked
    assert "it" not in answers["other_pets"]
