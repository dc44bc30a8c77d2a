"""What a process gives its client besides words."""

from typing import Any

from pydantic import BaseModel

from softrail import Ask, Done, Process, Turn, step
from softrail.testing import FrozenClock, conversation


class Card(BaseModel):
    title: str
    stars: int = 5


class Choosing(Process, name="choosing", version=1):
    """A hotel."""

    starts_on = ("find a hotel",)

    class Data(BaseModel):
        pass

    @step(first=True, goes_to=("chosen",))
    async def offered(self, said: Turn, data: Data) -> Ask:
        return Ask("Which one?", step="chosen", payload=[Card(title="Sea"), {"title": "Hill"}])

    @step()
    async def chosen(self, said: Turn, data: Data) -> Done:
        return Done("Booked.", payload=Card(title=said.message))


class Broken(Process, name="broken", version=1):
    """Gives what is no JSON."""

    starts_on = ("break it",)

    class Data(BaseModel):
        pass

    @step(first=True)
    async def ends(self, said: Turn, data: Data) -> Done:
        return Done("Over.", payload=object())


CARDS = [{"title": "Sea", "stars": 5}, {"title": "Hill"}]


async def test_the_payload_of_a_question_comes_while_it_is_open(frozen: FrozenClock) -> None:
    async with conversation(Choosing, clock=frozen) as talk:
        assert (await talk.say("find a hotel")).reply.payload == CARDS
        assert (await talk.say("/status")).reply.payload == CARDS
        assert (await talk.say("stop")).reply.payload is None
        assert (await talk.say("resume")).reply.payload == CARDS


async def test_the_payload_of_what_is_done_comes_once(frozen: FrozenClock) -> None:
    async with conversation(Choosing, clock=frozen) as talk:
        await talk.say("find a hotel")

        done = await talk.say("Sea")

        assert (done.text, done.reply.payload) == ("Booked.", {"title": "Sea", "stars": 5})
        assert (await talk.say("/status")).reply.payload is None


async def test_a_reply_without_one_has_no_such_field(frozen: FrozenClock) -> None:
    async with conversation(Choosing, clock=frozen) as talk:
        assert '"payload"' not in (await talk.say("/help")).raw
        assert '"payload"' in (await talk.say("find a hotel")).raw


async def test_what_is_no_json_fails_the_step(frozen: FrozenClock) -> None:
    async with conversation(Broken, clock=frozen) as talk:
        said = await talk.say("break it")

        told: Any = said.decision.trouble
        assert "its payload cannot be kept as JSON" in told
        assert said.reply.payload is None
