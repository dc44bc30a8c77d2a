"""Several things left open: one answer serves them all, and what is told for a parameter is checked."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from softrail import Clarify, IntentDefinition, Option, RouteResult, Turn
from softrail.core.intents import Intent, Reading
from softrail.processes.builtin.clarification import Clarification
from softrail.testing import Conversation
from softrail.testing.plugin import Talk

PROJECTS = ("Alpha", "Beta")


class Payment(BaseModel):
    amount: int = Field(gt=0, description="how much, in euros")
    who: str = Field(description="who gets it")
    way: Literal["card", "transfer"] = Field(description="how it is paid")


class Shop:
    """Handlers that note what they were given."""

    def __init__(self) -> None:
        self.noted: list[tuple[str, str]] = []
        self.paid: list[Mapping[str, Any]] = []

    async def note(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        if turn.project_id is None:
            readings = [
                Reading(option=Option(label=name), intent="note", project_id=name) for name in PROJECTS
            ]
            return Clarify(question="Which project?", options=readings)
        self.noted.append((turn.project_id, turn.message))
        return RouteResult(text=f"Noted for {turn.project_id}: {turn.message}.")

    async def pay(self, turn: Turn, intent: Intent) -> RouteResult:
        self.paid.append(intent.parameters)
        return RouteResult(text="Paid.")


async def _open(talk: Talk, shop: Shop) -> Conversation:
    note = IntentDefinition(name="note", description="Note it.")
    pay = IntentDefinition(name="pay", description="Pay.", parameters=Payment, examples=["pay the invoice"])
    return await talk(Clarification, intents=[(note, shop.note), (pay, shop.pay)])


async def test_one_answer_serves_everything_that_waited_for_it_in_order(talk: Talk) -> None:
    shop = Shop()
    c = await _open(talk, shop)
    await c.say("the door is green", intent_hint="note")
    await c.say("the roof is red", intent_hint="note")
    said = await c.say("Beta")
    assert shop.noted == [("Beta", "the door is green"), ("Beta", "the roof is red")]
    assert said.text == "Noted for Beta: the door is green.\n\nNoted for Beta: the roof is red."
    assert said.pending is None


async def test_the_same_said_twice_is_done_once(talk: Talk) -> None:
    shop = Shop()
    c = await _open(talk, shop)
    for _ in range(2):
        await c.say("the door is green", intent_hint="note")
    await c.say("A")
    assert shop.noted == [("Alpha", "the door is green")]


async def test_what_is_left_without_an_answer_is_named(talk: Talk) -> None:
    shop = Shop()
    c = await _open(talk, shop)
    await c.say("the door is green", intent_hint="note")
    await c.say("it rains a lot here")
    said = await c.say("and it is cold")
    assert "I've set this aside, as it stayed open: “the door is green”." in said.text
    assert (said.pending, shop.noted) == (None, [])


async def test_another_question_does_not_swallow_the_first_without_a_word(talk: Talk) -> None:
    shop = Shop()
    c = await _open(talk, shop)
    await c.say("the door is green", intent_hint="note")
    said = await c.say("pay the invoice", intent_hint="pay")
    await c.say("pay it", intent_hint="pay")
    assert shop.noted == []
    assert said.pending in (None, "clarify")


async def test_values_are_asked_for_one_after_the_other_and_checked(talk: Talk) -> None:
    shop = Shop()
    c = await _open(talk, shop)
    asked = await c.say("pay the invoice")
    assert asked.text == "I need one more thing before I can do that: how much, in euros?"
    assert (await c.say("Anna")).text == "I can't use “Anna” for that. I still need: how much, in euros."
    assert "who gets it?" in (await c.say("20")).text
    choosing = await c.say("Anna")
    assert "how it is paid?" in choosing.text
    assert choosing.reply.suggested_actions[:2] == ["card", "transfer"]
    assert (await c.say("transfer")).text == "Paid."
    assert shop.paid == [{"amount": 20, "who": "Anna", "way": "transfer"}]


async def test_nobody_is_kept_in_a_question_that_they_cannot_answer(talk: Talk) -> None:
    shop = Shop()
    c = await _open(talk, shop)
    await c.say("pay the invoice")
    said = [await c.say("plenty"), await c.say("a lot"), await c.say("heaps")]
    assert said[-1].text == "I can't use “heaps” for that either, so I've let it go. Nothing was changed."
    assert (said[-1].pending, shop.paid) == (None, [])
