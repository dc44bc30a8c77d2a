"""Offers: made on a greeting, once refused not made again, and never in the way."""

from datetime import timedelta

from pydantic import BaseModel

from softrail import Done, OfferPolicy, Process, Turn, ask
from softrail.testing import FrozenClock
from softrail.testing.plugin import Talk


class Tour(Process, name="tour", version=1):
    """Shows you around."""

    starts_on = ("show me around",)
    offers = OfferPolicy(cool_down=timedelta(hours=1), at_most=2)
    confirm = False

    class Answers(BaseModel):
        first: str = ask("What do you want to see first?", default="everything")

    async def offer_when(self, turn: Turn) -> bool:
        return True

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("That was it.")


class Broken(Process, name="broken", version=1):
    """Cannot say whether it wants to be offered."""

    priority = 1

    class Answers(BaseModel):
        word: str = ask("Word?")

    async def offer_when(self, turn: Turn) -> bool:
        raise SystemExit("no")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Done.")


async def test_one_that_cannot_say_does_not_keep_the_others_from_being_offered(talk: Talk) -> None:
    person = await talk(Broken, Tour)
    assert (await person.say("hi")).process == "tour"


async def test_a_refused_offer_waits_for_its_cool_down_in_every_session(
    talk: Talk, frozen: FrozenClock
) -> None:
    person = await talk(Tour)
    await person.say("hi")
    assert (await person.say("not now")).state == "declined"
    assert (await person.say("hi")).pending is None

    person.new_session()
    frozen.advance(minutes=59)
    assert (await person.say("hi")).pending is None
    frozen.advance(minutes=1)
    assert (await person.say("hi")).pending == "offer"
    await person.say("no thanks")
    person.new_session()
    frozen.advance(days=30)
    assert (await person.say("hi")).pending is None, "twice is the most"


async def test_never_is_for_good_and_shows_in_no_reply(talk: Talk, frozen: FrozenClock) -> None:
    person = await talk(Tour)
    await person.say("hi")
    said = await person.say("never ask me again")
    assert (said.state, said.step) == ("declined", "gathering_first")

    person.new_session()
    frozen.advance(days=400)
    assert (await person.say("hi")).pending is None
    assert (await person.say("show me around")).state == "active"


async def test_an_offer_nobody_answers_lapses_silently(talk: Talk) -> None:
    person = await talk(Tour)
    await person.say("hi")

    said = await person.say("two plus two is four")

    assert [t.dest for t in said.decision.transitions] == ["lapsed"]
    assert "around" not in said.text.split("You can say")[0]
    assert (await person.say("yes")).state is None, "a bare yes binds only to the question before it"


async def test_suggestions_stay_as_long_as_the_question(talk: Talk) -> None:
    person = await talk(Tour)
    assert (await person.say("show me around")).reply.suggested_actions == ["Skip"]
    assert (await person.say("/status")).reply.suggested_actions == ["Skip"]
    assert (await person.say("hello")).reply.suggested_actions == ["Skip"]


async def test_an_offer_left_standing_in_another_conversation_keeps_none_from_being_made(talk: Talk) -> None:
    person = await talk(Tour)
    await person.say("hi")
    person.new_session()

    assert (await person.say("hi")).state == "offered"
    assert (await person.say("yes")).state == "active"
