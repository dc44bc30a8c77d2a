"""Steps of one's own, as people talk to them: what is likely is asked, what is none of it too, and nothing is lost."""

from typing import Any

from pydantic import BaseModel

from softrail import Ask, Done, Goto, Process, Turn, ask, step
from softrail.core.outcomes import Outcome
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.readers import reader


class Nothing(BaseModel):
    """No data."""


class Trip(Process, name="trip", version=1):
    """A trip: where to, how, and a word about it."""

    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        """What is asked."""

        place: str = ask("Where to?")
        size: int = ask("How many come?", gt=0, lt=50, names=("number",))

    confirm_step = "how"

    @step(asks="Train or bus, for {size}?", options=("Train", "Bus"), goes_to=("word",))
    async def how(self, said: Turn, data: Answers) -> Outcome:
        return Goto("word", say=f"By {str(said.choice).lower()}.")

    @step(asks="A word about it?", skippable=True)
    async def word(self, said: Turn, data: Answers) -> Outcome:
        return Done(f"{data.place} for {data.size}: {'nothing' if said.skipped else said.message}.")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("never")


ACTS = {
    "whatever is on rails": {"inform": 0.97},
    "the quick one perhaps": {"inform": 0.45},
    "hm so so": {"unclear": 0.9},
    "make it 12": {"correct": 0.95},
    "I leave that to you": {"open": 0.95},
}
VALUES = {
    "whatever is on rails": {"option": "rails", "Train or bus": "rails"},
    "make it 12": {"How many": "12"},
    "hm so so": {},
}


async def at(talk: Talk, *words: str, **given: Any) -> Conversation:
    spoken = await talk(Trip, reader=reader(**({"acts": ACTS, "values": VALUES} | given)))
    for said in ("plan a trip", "Oslo", "4", *words):
        await spoken.say(said)
    return spoken


async def test_what_may_be_none_of_the_options_is_told_the_options(talk: Talk) -> None:
    spoken = await at(talk)

    said = await spoken.say("hm so so")

    assert said.text == "Please choose one of these: Train, Bus.\n\nTrain or bus, for 4?"
    assert said.reply.suggested_actions == ["Train", "Bus"]
    assert (await spoken.say("bus")).text == "By bus.\n\nA word about it?"


async def test_back_skip_and_a_change_work_as_in_answers(talk: Talk) -> None:
    spoken = await at(talk)

    changed = await spoken.say("change the number to 12")
    assert changed.text == "I've changed size.\n\nTrain or bus, for 12?"
    refused = await spoken.say("change size to 90")
    assert refused.text == "It must be less than 50.\n\nTrain or bus, for 12?"
    skipped = await spoken.say("skip")
    assert skipped.text == "I can't do without this one.\n\nTrain or bus, for 12?"
    back = await spoken.say("go back")
    assert back.text == "How many come?"
    await spoken.say("5")
    asked = await spoken.say("train")
    assert asked.text == "By train.\n\nA word about it?"
    assert "Skip" in asked.reply.suggested_actions
    assert (await spoken.say("skip")).text == "Oslo for 5: nothing."


async def test_the_same_in_other_words_is_read(talk: Talk) -> None:
    spoken = await at(talk, "train")

    assert (await spoken.say("make it 12")).text == "Size: 12.\n\nA word about it?"
    assert (await spoken.say("I leave that to you")).text == "Oslo for 12: nothing."


async def test_a_pause_in_between_keeps_the_way_back(talk: Talk) -> None:
    spoken = await at(talk, "train", "stop")

    assert (await spoken.say("resume")).text.endswith("A word about it?")
    assert (await spoken.say("go back")).text == "Train or bus, for 4?"


class Gate(Process, name="gate", version=1):
    """Three options of which one is sometimes meant in other words."""

    starts_on = ("open the gate",)

    @step(asks="Which gate?", options=("North", "South", "Harbour"))
    async def which(self, said: Turn, data: Nothing) -> Outcome:
        return Done(f"{said.choice} opens.") if said.choice else Ask("?")


MEANT = reader(
    acts={"where the ships are": {"inform": 0.97}, "perhaps the south": {"inform": 0.4}},
    values={"where the ships are": {"North, South": "ships"}, "perhaps the south": {"Which": "south"}},
    chosen={"where the ships are": {"Harbour": 0.9}},
)


async def test_an_option_that_is_likely_meant_is_asked_about_and_a_yes_chooses_it(talk: Talk) -> None:
    for words, option in (("where the ships are", "Harbour"), ("perhaps the south", "South")):
        spoken = await talk(Gate, reader=MEANT)
        await spoken.say("open the gate")

        asked = await spoken.say(words)

        assert asked.text == f"Did you mean “{option}”?"
        assert asked.reply.pending is not None
        assert asked.reply.pending.options == ["Yes", "No"]
        assert (await spoken.say("sure")).text == f"{option} opens."


async def test_a_no_to_it_asks_the_question_again_and_another_option_is_taken_at_once(talk: Talk) -> None:
    spoken = await talk(Gate, reader=MEANT)
    await spoken.say("open the gate")
    await spoken.say("where the ships are")

    assert (await spoken.say("no")).text == "Which gate?"
    await spoken.say("where the ships are")
    assert (await spoken.say("North")).text == "North opens."


async def test_an_option_called_by_its_own_word_in_a_sentence_is_taken_at_once(talk: Talk) -> None:
    words = "I would say harbour is where we ought to be going first of all today"
    own = reader(acts={words: {"inform": 0.97}}, values={words: {"Which": "harbour"}})
    spoken = await talk(Gate, reader=own)
    await spoken.say("open the gate")

    assert (await spoken.say(words)).text == "Harbour opens."
