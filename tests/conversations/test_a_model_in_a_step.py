"""A step that extracts and asks a model, through the whole path of a turn: it is metered and on record."""

import json
from typing import Any

from pydantic import BaseModel

from softrail import Ask, Done, Process, Record, Turn, ask, step
from softrail.core.errors import ModelUnavailable
from softrail.core.outcomes import Outcome
from softrail.testing import Conversation, ScriptedModel


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
