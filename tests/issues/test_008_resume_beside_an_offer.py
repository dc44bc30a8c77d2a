"""A fresh offer is open while something is paused: "resume" is for what is paused."""

from softrail.processes.builtin.standup import Standup
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.conversations.kinds import Tour, Trip


async def _offered_the_tour(talk: Talk) -> Conversation:
    c = await talk(Standup, Tour, Trip)
    await c.say("let's do my standup")
    await c.say("stop")
    assert (await c.say("hello")).pending == "offer"  # to resume, once per suspension
    await c.say("it rains")
    assert (await c.say("hello")).process == "tour"
    return c


async def test_resume_picks_up_what_is_paused_and_the_offer_lapses(talk: Talk) -> None:
    c = await _offered_the_tour(talk)

    said = await c.say("resume")

    assert (said.process, said.state) == ("standup", "active")
    [tour] = await c.dispatcher.store.past(c.person.id, "tour")
    assert str(tour.state) == "lapsed"


async def test_the_one_that_is_named_is_resumed_whatever_was_offered(talk: Talk) -> None:
    c = await talk(Standup, Trip)
    await c.say("let's do my standup")
    await c.say("plan a trip")
    c.advance(minutes=1)
    await c.say("stop")
    c.new_session()
    offered = await c.say("hello")
    assert (offered.process, offered.pending) == ("trip", "offer")

    said = await c.say("resume the standup")

    assert (said.process, said.state, said.pending) == ("standup", "active", "ask")
