"""What a turn finds over time itself is treated as if a sweep had found it before."""

from softrail.processes.builtin.standup import Standup
from softrail.testing.plugin import Talk
from tests.conversations.kinds import Tour, Trip


async def test_a_greeting_offers_what_timed_out_just_now_before_any_fresh_offer(talk: Talk) -> None:
    c = await talk(Standup, Tour)
    await c.say("let's do my standup")
    c.advance(days=3)

    said = await c.say("hello")

    assert (said.process, said.state, said.pending) == ("standup", "suspended", "offer")


async def test_an_answer_after_the_retention_is_not_taken(talk: Talk) -> None:
    for days, process, state in ((10, "trip", "active"), (11, "trip", "expired")):
        c = await talk(Trip)
        await c.say("plan a trip")
        c.advance(days=days)

        said = await c.say("Lisbon")

        [instance, *_] = await c.dispatcher.store.past(c.person.id, process)
        assert str(instance.state) == state
        assert (said.process == "trip") == (state == "active")


async def test_starting_again_abandons_the_run_that_timed_out_just_now(talk: Talk) -> None:
    c = await talk(Standup)
    await c.say("let's do my standup")
    c.advance(days=1)

    said = await c.say("let's do my standup")

    assert "set aside" in said.text
    states = sorted(str(i.state) for i in await c.dispatcher.store.past(c.person.id, "standup"))
    assert states == ["abandoned", "active"]
