"""A process in the background asks a question; what is no answer to it goes its own way."""

from pydantic import BaseModel

from softrail import Ask, Process, Turn, step
from softrail.core.outcomes import Outcome
from softrail.processes.builtin.standup import Standup
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.conversations.kinds import Trip


class Heard(BaseModel):
    """What was taken as an answer."""

    words: list[str] = []


class Watch(Process, name="watch", version=1):
    """Watches a build while other talk goes on."""

    title = "the watch"
    contract = "background"
    starts_on = ("watch the build",)

    @step(asks="Which build?")
    async def which(self, said: Turn, data: Heard) -> Outcome:
        return Ask("Any other?", data=Heard(words=[*data.words, said.message]))


async def _watching(talk: Talk) -> Conversation:
    c = await talk(Watch, Standup, Trip)
    assert (await c.say("watch the build")).pending == "ask"
    return c


async def _heard(c: Conversation) -> list[str]:
    [instance] = await c.dispatcher.store.past(c.person.id, "watch")
    return [word for word in ("alpha", "weather", "stop", "standup") if word in instance.data]


async def test_its_answer_is_taken(talk: Talk) -> None:
    c = await _watching(talk)
    assert (await c.say("alpha")).text == "Any other?"
    assert await _heard(c) == ["alpha"]


async def test_it_can_be_paused_and_ended(talk: Talk) -> None:
    for words, state in (("stop", "suspended"), ("end the watch", "abandoned")):
        c = await _watching(talk)
        said = await c.say(words)
        assert (said.process, said.state, said.pending) == ("watch", state, None)


async def test_another_process_starts_by_name_and_it_runs_on_beneath(talk: Talk) -> None:
    c = await _watching(talk)

    said = await c.say("let's do my standup")

    assert (said.process, said.state) == ("standup", "active")
    assert "paused" not in said.text
    [watch] = await c.dispatcher.store.past(c.person.id, "watch")
    assert str(watch.state) == "active"
    ended = await c.say("stop the watch")
    assert "I've stopped the watch" in ended.text
    assert (ended.process, ended.state) == ("standup", "active")


async def test_what_is_clearly_something_else_is_answered_and_it_asks_again(talk: Talk) -> None:
    c = await _watching(talk)

    said = await c.say("what's the weather in Rome?")

    assert said.text == "I have no answer to that here.\n\nWhich build?"
    assert (said.process, said.state) == ("watch", "active")
    assert await _heard(c) == []
