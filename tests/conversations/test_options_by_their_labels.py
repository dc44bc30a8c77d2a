"""An option is told by its label, whatever value a process receives."""

from typing import Any

from pydantic import BaseModel

from softrail import Done, Option, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation

PLACES = (
    Option(label="Airport", value="airport"),
    Option(label="Old town", value="oldtown", words=("city centre", "downtown")),
)


class Rental(Process, name="rental", version=1):
    """Rents a car."""

    starts_on = ("rent a car",)
    confirm = True

    class Answers(BaseModel):
        place: str = ask("Where would you like to pick up the car?", options=PLACES)
        days: int = ask("For how many days?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("rental", answers)])


async def told(*said: str) -> tuple[list[str], list[dict[str, Any]]]:
    async with conversation(Rental, clock=FrozenClock()) as talk:
        texts = [(await talk.say(words)).text for words in said]
        kept = await talk.records("rental")
    return texts, kept


async def test_it_is_summed_up_by_its_label_and_kept_as_its_value() -> None:
    texts, kept = await told("rent a car", "downtown", "3", "yes")

    assert "- Place: Old town" in texts[2]
    assert [one["place"] for one in kept] == ["oldtown"]


async def test_a_change_of_it_that_is_asked_about_says_both_labels() -> None:
    texts, _ = await told("rent a car", "downtown", "3", "hm maybe the airport is better")

    assert "oldtown" not in "".join(texts)


async def test_what_was_told_so_far_has_its_label() -> None:
    texts, _ = await told("rent a car", "downtown", "what have I told you so far?")

    assert "Place: Old town" in texts[-1]
