"""A process that a slash word begins, and that lives on in the background when the person leaves it."""

from typing import ClassVar

import pytest
from pydantic import BaseModel

from softrail import Ask, IntentDefinition, Process, Release, Turn, Wait, step
from softrail.core.outcomes import Outcome
from softrail.testing import FrozenClock, conversation
from tests.conversations.kinds import Survey


class Load(BaseModel):
    where: str = ""


class Errand(Process, name="errand", version=1):
    """Fetches something while the talk goes on."""

    contract = "background"
    idle_timeout = None
    resumable = False
    leaves_by = "leaving"
    intents = (
        IntentDefinition(
            name="new_errand", description="Something to fetch.", offered="active", by_words=True
        ),
        IntentDefinition(name="ask_errand", description="May it?", offered="active", by_words=True),
    )
    slashes: ClassVar = {"fetch": "new_errand", "may": "ask_errand"}

    @step(first=True, intent="new_errand", goes_to=("running", "resting"))
    async def begin(self, said: Turn, data: Load) -> Outcome:
        where = said.intent.target if said.intent is not None else ""
        return Wait(say=f"Going to {where or 'nowhere'}.", step="running", data=Load(where=where))

    @step(goes_to=("resting",))
    async def running(self, said: Turn, data: Load) -> Outcome:
        return Release()

    @step()
    async def resting(self, said: Turn, data: Load) -> Outcome:
        return Release()

    @step(intent="ask_errand", contract="questions_pass")
    async def asking(self, said: Turn, data: Load) -> Outcome:
        return Ask("May I?", options=("Yes", "No"))

    @step(goes_to=("resting",))
    async def leaving(self, said: Turn, data: Load) -> Outcome:
        return Wait(say=f"Back from {data.where} ({said.leaves}).", step="resting")


async def test_a_slash_word_begins_it_with_what_follows(frozen: FrozenClock) -> None:
    async with conversation(Errand, clock=frozen) as talk:
        said = await talk.say("/fetch the harbour\nand back")

        assert said.text == "Going to the harbour\nand back."
        assert (said.state, said.step, said.intent) == ("active", "running", "new_errand")
        assert (await talk.say("/fetch the shop")).text == "Going to the shop."  # the same run
        instances = await talk.dispatcher.store.instances(talk.session_id or "")
        assert len(instances) == 1


async def test_a_slash_word_of_another_intent_begins_nothing(frozen: FrozenClock) -> None:
    async with conversation(Errand, clock=frozen) as talk:
        assert (await talk.say("/may")).text == "That is for the errand, which is not under way."


@pytest.mark.parametrize("words", ["stop", "/stop", "/cancel", "stop the errand"])
async def test_words_of_leaving_reach_it_where_nothing_is_in_front(words: str, frozen: FrozenClock) -> None:
    async with conversation(Errand, clock=frozen) as talk:
        await talk.say("/fetch milk")

        said = await talk.say(words)

        assert said.text.startswith("Back from milk (")
        assert (said.state, said.step) == ("active", "resting")


async def test_once_it_rests_words_of_leaving_are_what_they_always_were(frozen: FrozenClock) -> None:
    async with conversation(Errand, clock=frozen) as talk:
        before = (await talk.say("/stop")).text
        await talk.say("/fetch milk")
        await talk.say("stop")

        assert (await talk.say("/stop")).text == before
        assert (await talk.say("stop")).decision.owner == "free talk"


async def test_its_question_is_left_and_it_lives_on(frozen: FrozenClock) -> None:
    async with conversation(Errand, clock=frozen) as talk:
        await talk.say("/fetch milk")
        asked = await talk.say("/may")

        said = await talk.say("stop")

        assert (asked.pending, said.pending) == ("ask", None)
        assert (said.state, said.step) == ("active", "resting")


async def test_what_holds_the_session_is_left_first(frozen: FrozenClock) -> None:
    async with conversation(Errand, Survey, clock=frozen) as talk:
        await talk.say("/fetch milk")
        await talk.say(Survey.starts_on[0])

        said = await talk.say("stop")

        assert said.process == "survey"
        assert said.state == "suspended"
        assert (await talk.say("stop")).text == "Back from milk (escape)."
