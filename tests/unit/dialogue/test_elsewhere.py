"""Words that hardly answer the question and may be another answer: taken where that is sure, asked where it is not."""

from datetime import date

from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing.plugin import Talk
from tests.readers import reader


class Trip(Process, name="trip", version=1):
    """A trip: where to, for whom, and what to mind."""

    title = "your trip"
    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        """What a trip needs."""

        where: str = ask("Where do you want to go?", label="destination")
        guests: str = ask("Who comes along?", label="guests", names=("company",))
        wishes: list[str] = ask("What is to be minded?", label="wishes", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        """Nothing is booked."""
        return Done("Fine.")


LITTLE = {"inform": 0.3, "social": 0.1}
ACTS = {
    "my two aunts": LITTLE,
    "no stairs": LITTLE,
    "a quiet place": LITTLE,
    "change the company to Mia": {"correct": 0.8, "inform": 0.2},
    "what on earth": {"ask": 0.9},
}
VALUES = {
    "my two aunts": {"along": "my two aunts"},
    "no stairs": {"along": "no stairs", "minded": "no stairs"},
    "a quiet place": {"go?": "a quiet place", "minded": "a quiet place"},
    "what on earth": {"along": "what on earth"},
}


async def test_what_is_surely_another_answer_is_that_answer_and_is_read_back(talk: Talk) -> None:
    spoken = await talk(Trip, reader=reader(acts=ACTS, values=VALUES))
    await spoken.say("plan a trip")

    said = await spoken.say("my two aunts")

    assert said.text == "Guests: my two aunts.\n\nWhere do you want to go?"


async def test_what_may_be_two_answers_is_asked_with_both_on_buttons(talk: Talk) -> None:
    spoken = await talk(Trip, reader=reader(acts=ACTS, values=VALUES))
    await spoken.say("plan a trip")

    said = await spoken.say("no stairs")

    assert said.text == "Where does that belong? Guests: no stairs; Wishes: no stairs"
    assert said.reply.pending is not None
    assert said.reply.pending.options == ["Guests: no stairs", "Wishes: no stairs", "None of these"]

    chosen = await spoken.say("Wishes: no stairs")

    assert chosen.text == "Wishes: no stairs.\n\nWhere do you want to go?"


async def test_none_of_these_keeps_nothing(talk: Talk) -> None:
    spoken = await talk(Trip, reader=reader(acts=ACTS, values=VALUES))
    await spoken.say("plan a trip")
    await spoken.say("no stairs")

    said = await spoken.say("None of these")

    assert said.text == "Where do you want to go?"


async def test_an_open_answer_is_given_by_its_name(talk: Talk) -> None:
    spoken = await talk(Trip, reader=reader(acts=ACTS, values=VALUES))
    await spoken.say("plan a trip")

    said = await spoken.say("change the company to Mia")

    assert said.text == "Guests: Mia.\n\nWhere do you want to go?"


async def test_what_clearly_does_something_else_is_no_answer_to_anything(talk: Talk) -> None:
    spoken = await talk(Trip, reader=reader(acts=ACTS, values=VALUES))
    await spoken.say("plan a trip")

    said = await spoken.say("what on earth")

    assert "Guests" not in said.text
    assert said.text.endswith("Where do you want to go?")


async def test_an_answer_beside_which_another_is_called_by_its_name_is_asked_about(talk: Talk) -> None:
    acts = {"for the company, a map": {"inform": 0.7}}
    values = {"for the company, a map": {"go?": "a map", "minded": "a map", "along": "a map"}}
    spoken = await talk(Trip, reader=reader(acts=acts, values=values))
    await spoken.say("plan a trip")

    said = await spoken.say("for the company, a map")

    assert said.text == "Where does that belong? Guests: a map; Destination: a map"


class Visit(Process, name="visit", version=1):
    """A visit: its day, and what to bring."""

    title = "your visit"
    starts_on = ("plan a visit",)

    class Answers(BaseModel):
        """What a visit needs."""

        day: date = ask("On which day?", label="day")
        gifts: list[str] = ask("What do you bring?", label="gifts", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        """Nothing is kept."""
        return Done("Fine.")


async def test_an_answer_that_its_type_cannot_read_is_told_why_and_is_no_other_answer(talk: Talk) -> None:
    said_so = "the day after my birthday"
    acts, values = {said_so: {"inform": 0.9}}, {said_so: {"bring": said_so}}
    spoken = await talk(Visit, reader=reader(acts=acts, values=values))
    await spoken.say("plan a visit")

    said = await spoken.say(said_so)

    assert said.text.startswith("I can't tell which day that is.")
    assert said.text.endswith("On which day?")


BESIDE = {"Porto, no stairs": {"go?": "Porto", "along": "no stairs", "minded": "no stairs"}}
TELLS = {"Porto, no stairs": {"inform": 0.97, "inform_other": 0.95}}
UNSURE = {"Porto, no stairs": {"inform": 0.97, "inform_other": 0.5}}


async def test_what_stands_beside_an_answer_is_taken_with_it(talk: Talk) -> None:
    spoken = await talk(Trip, reader=reader(values=BESIDE, acts=TELLS))
    await spoken.say("plan a trip")

    said = await spoken.say("Porto, no stairs")

    assert "Destination: Porto." in said.text
    assert "Guests: no stairs." in said.text


async def test_where_it_belongs_is_asked_where_that_is_not_sure_and_one_tap_gives_both(talk: Talk) -> None:
    spoken = await talk(Trip, reader=reader(values=BESIDE, likely={"no stairs": 0.5}, acts=UNSURE))
    await spoken.say("plan a trip")

    said = await spoken.say("Porto, no stairs")

    assert said.text.startswith("Where does “no stairs” belong?")
    assert said.reply.pending is not None
    assert said.reply.pending.options == [
        "Destination: Porto, guests: no stairs",
        "Destination: Porto, wishes: no stairs",
        "Destination: Porto",
        "None of these",
    ]

    chosen = await spoken.say("Destination: Porto, wishes: no stairs")

    assert chosen.text.endswith("Who comes along?")
    assert "Destination: Porto." in chosen.text
    assert "Wishes: no stairs." in chosen.text


async def test_what_is_taken_back_without_a_name_is_asked_and_then_asked_for_again(talk: Talk) -> None:
    wrong = "that can't be right"
    spoken = await talk(Trip, reader=reader(acts={wrong: {"correct": 0.8}}, values={wrong: {}}))
    await spoken.say("plan a trip")
    await spoken.say("Porto")

    said = await spoken.say(wrong)

    assert said.text == "I am not sure what is to change. Is it this: destination: Porto?"
    assert said.reply.pending is not None
    assert said.reply.pending.options == ["Destination: Porto", "None of these"]

    again = await spoken.say("Destination: Porto")
    assert again.text == "Where do you want to go?"

    given = await spoken.say("Lisbon")
    assert "Destination: Lisbon." in given.text
    assert given.text.endswith("Who comes along?")
