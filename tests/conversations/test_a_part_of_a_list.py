"""What goes from a list that was told in one line, and what is no item of one that is asked for anew."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Pack(Process, name="pack", version=1):
    """Things to bring."""

    starts_on = ("let's pack",)

    class Answers(BaseModel):
        items: list[str] = ask("What is missing?", default=[])
        people: int = ask("How many people?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Packed.")


ITEMS = "laptop charger, tent pegs and a kettle"


@pytest.mark.parametrize("then", [(), ("4",)], ids=["in the middle", "at the summary"])
@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("drop the laptop one", ["tent pegs", "a kettle"]),
        ("take out the laptop", ["tent pegs", "a kettle"]),
        ("remove tent pegs", ["laptop charger", "a kettle"]),
        ("scratch the pegs", ["laptop charger", "a kettle"]),
        ("forget the kettle", ["laptop charger", "tent pegs"]),
        ("please delete the kettle", ["laptop charger", "tent pegs"]),
    ],
)
async def test_one_of_several_that_were_told_in_one_line_goes(
    then: tuple[str, ...], said: str, left: list[str]
) -> None:
    answers, words = await told(Pack, ITEMS, *then, said)

    assert answers["items"] == left
    assert all(item in words for item in left)


@pytest.mark.parametrize("item", ["a laptop", "the laptop of Dr. Morgan"])
@pytest.mark.parametrize("then", [(), ("4",)], ids=["in the middle", "at the summary"])
@pytest.mark.parametrize("said", ["k", "ok", "no", "nope", "hm", "y"])
async def test_what_says_nothing_is_no_item_of_a_list_that_is_asked_for_anew(
    item: str, then: tuple[str, ...], said: str
) -> None:
    answers, _ = await told(Pack, item, *then, "forget the laptop", said)

    assert answers["items"] == [item]


@pytest.mark.parametrize("said", ["k", "y", "ok"])
async def test_a_letter_that_agrees_is_no_item(said: str) -> None:
    answers, _ = await told(Pack, said)

    assert answers == {}


async def test_another_item_answers_a_list_that_is_asked_for_anew() -> None:
    answers, _ = await told(Pack, "a laptop", "forget the laptop", "a kettle")

    assert answers["items"] == ["a kettle"]


async def test_an_item_goes_by_one_word_of_it_where_it_names_one_thing() -> None:
    answers, _ = await told(Pack, "- a bit of rope for the boat\n- soap", "4", "take out the rope")

    assert answers["items"] == ["soap"]


async def test_what_else_an_item_names_is_not_lost_for_a_word_in_it() -> None:
    item = "tins of beans, rice, a bag of salt and whatever else is left"
    answers, words = await told(Pack, f"- {item}\n- soap", "4", "take out whatever")

    assert answers["items"] == [item, "soap"]
    assert "is more than that" in words
