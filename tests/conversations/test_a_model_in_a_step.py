"""A step that extracts and asks a model, through the whole path of a turn: it is metered and on record."""

import json
from typing import Any

from pydantic import BaseModel

from softrail import Ask, Done, Process, Record, Turn, ask, step
from softrail.core.errors import ModelUnavailable
from softrail.core.outcomes import Outcome
from softrail.testing import Conversation, ScriptedModel
from tests.readers import reader


class Trip(BaseModel):
    to: str = ask("Where to?", description="the town to go to")
    season: str = ask("In which season?")


class Case(BaseModel):
    pass


class Travel(Process, name="travel", version=1):
    """A trip."""

    starts_on = ("book a trip",)

    @step(asks="Where would you like to go, and when?", extracts=Trip)
    async def trip(self, said: Turn, data: Case) -> Outcome:
        found = await said.extract(Trip)
        if isinstance(found, Ask):
            return found
        line = await said.ask_model("One friendly line.", data=found.model_dump(), name="line")
        return Done(line or "Booked.", effects=[Record("trip", found)])


SAID = "to Oslo, once the larches have turned"


def found(**values: str) -> str:
    acts = [{"act": "inform", "confidence": 0.9}]
    return json.dumps({"acts": acts, "values": [{"field": f, "words": w} for f, w in values.items()]})


async def asked(talk: Any, *lines: Any, line: Any = "Have fun.") -> Conversation:
    model = ScriptedModel({"extract": lines, "travel/line": [line]})
    c: Conversation = await talk(Travel, model=model)
    await c.say("book a trip")
    return c


async def test_the_model_fills_what_was_said_and_both_calls_are_on_record_with_their_tokens(
    talk: Any,
) -> None:
    c = await asked(talk, found(to="Oslo", season="once the larches have turned"))
    said = await c.say(SAID)

    assert said.text == "Have fun."
    assert await c.records("trip") == [{"to": "Oslo", "season": "once the larches have turned"}]
    calls = {call.purpose: call for call in said.decision.model_calls}
    assert list(calls) == ["extract", "travel/line"]
    assert all(call.ok and call.input_tokens and call.output_tokens for call in calls.values())


async def test_what_the_model_invents_is_asked_for(talk: Any) -> None:
    c = await asked(talk, found(to="Oslo", season="winter"))
    said = await c.say(SAID)

    assert (said.step, said.text) == ("trip_season", "To: Oslo.\n\nIn which season?")


async def test_a_model_that_is_away_costs_a_question_and_nothing_else(talk: Any) -> None:
    gone = ModelUnavailable("away")
    c = await asked(talk, gone, line=gone)
    said = await c.say(SAID)
    assert (said.step, said.text) == ("trip_season", "To: Oslo.\n\nIn which season?")
    assert [call.ok for call in said.decision.model_calls] == [False]
    assert (await c.say("in autumn")).text == "Booked."


async def test_the_same_turn_sent_again_asks_no_model_again(talk: Any) -> None:
    c = await asked(talk, found(to="Oslo", season="once the larches have turned"))
    first = await c.say(SAID, turn_id="t1")

    assert (await c.say(SAID, turn_id="t1")).raw == first.raw


UNSURE = {
    "Nettle Nettle": {"inform": 0.4, "leave": 0.3},
    "well, to Oslo then": {"inform": 0.4, "leave": 0.3},
}
VALUES = {
    "well, to Oslo then": {},
    "to nowhere": {},
    "to Oslo": {"town": "Oslo"},
    "Nettle Nettle": {"season": "Nettle Nettle"},
}


async def test_what_is_doubted_and_then_meant_as_the_answer_is_read_once_more(talk: Any) -> None:
    c = await talk(Travel, reader=reader(acts=UNSURE, values=VALUES))
    await c.say("book a trip")
    doubted = await c.say("well, to Oslo then")
    assert doubted.pending == "clarify"

    assert (await c.say(doubted.reply.pending.options[0])).text == "Where to?"


async def test_a_doubt_about_what_is_missing_is_settled_by_its_button(talk: Any) -> None:
    c = await talk(Travel, reader=reader(acts=UNSURE, values=VALUES))
    await c.say("book a trip")
    await c.say("to Oslo")
    doubted = await c.say("Nettle Nettle")
    assert "Nettle Nettle" in doubted.text
    assert "season" in doubted.text
    await c.say(doubted.reply.pending.options[0])

    assert await c.records("trip") == [{"to": "Oslo", "season": "Nettle Nettle"}]


async def test_who_asks_what_is_meant_is_told_and_asked_again(talk: Any) -> None:
    asks = {"what do you mean?": {"ask": 0.95}}
    c = await talk(Travel, reader=reader(acts=asks, values={**VALUES, "what do you mean?": {}}))
    await c.say("book a trip")
    await c.say("to nowhere")
    said = await c.say("what do you mean?")

    assert said.step == "trip_to"
    assert "the town to go to" in said.text
    assert said.text.endswith("Where to?")


async def test_starting_over_forgets_what_was_extracted(talk: Any) -> None:
    c = await talk(Travel, reader=reader(values=VALUES))
    await c.say("book a trip")
    await c.say("to Oslo")
    again = await c.say("start over")
    assert again.text.endswith("Where would you like to go, and when?")
    assert (await c.say("to nowhere")).step == "trip_to"
