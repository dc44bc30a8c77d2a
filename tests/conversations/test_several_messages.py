"""A step may say several messages in one turn."""

from pydantic import BaseModel

from softrail import Ask, Done, Goto, Process, Turn, step
from softrail.testing import FrozenClock, conversation


class Welcome(Process, name="welcome", version=1):
    """A welcome."""

    starts_on = ("welcome me",)

    class Data(BaseModel):
        pass

    @step(first=True, goes_to=("asks",))
    async def greets(self, said: Turn, data: Data) -> Goto:
        return Goto("asks", say=["Hello.", "I am new here."])

    @step(goes_to=("named",))
    async def asks(self, said: Turn, data: Data) -> Ask:
        return Ask("Who are you?", say=("One thing first.",), step="named")

    @step()
    async def named(self, said: Turn, data: Data) -> Done:
        return Done(f"Good to see you, {said.message}.")


class Broken(Process, name="broken", version=1):
    """Says what is no text."""

    starts_on = ("break it",)

    class Data(BaseModel):
        pass

    @step(first=True, goes_to=("ends",))
    async def begins(self, said: Turn, data: Data) -> Goto:
        return Goto("ends", say=["fine", 7])  # type: ignore[list-item] # on purpose

    @step()
    async def ends(self, said: Turn, data: Data) -> Done:
        return Done("Over.")


async def test_each_text_is_a_message_and_the_whole_stays(frozen: FrozenClock) -> None:
    async with conversation(Welcome, clock=frozen) as talk:
        said = await talk.say("welcome me")

        assert said.reply.messages == ["Hello.", "I am new here.", "One thing first.", "Who are you?"]
        assert said.text == "\n\n".join(said.reply.messages)


async def test_a_reply_of_one_message_has_no_such_field(frozen: FrozenClock) -> None:
    async with conversation(Welcome, clock=frozen) as talk:
        await talk.say("welcome me")

        said = await talk.say("Robin")

        assert said.text == "Good to see you, Robin."
        assert '"messages"' not in said.raw


async def test_what_is_no_text_among_them_fails_the_step(frozen: FrozenClock) -> None:
    async with conversation(Broken, clock=frozen) as talk:
        said = await talk.say("break it")

        assert "which is not text" in (said.decision.trouble or "")
        assert said.reply.messages is None
