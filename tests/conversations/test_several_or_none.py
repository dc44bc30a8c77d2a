"""Onboarding as the small model itself reads it: one project may be told, several, or none, and nothing on a guess."""

import pytest

from softrail.processes.builtin.onboarding import Onboarding
from softrail.reader import LayeredReader
from softrail.reader.learned import learned
from softrail.testing import Conversation, Said
from softrail.testing.plugin import Talk

NO_MORE = "What is the repository of Splash"
IN_DOUBT = "I'm not sure what to make of"


async def splash_is_told(talk: Talk) -> Conversation:
    patient = LayeredReader(learned, furthest="learned", limit=60)  # what is judged is what is read
    c = await talk(Onboarding, reader=patient)
    await c.say("set up my projects")
    assert "I've noted Splash." in (await c.say("it's called Splash, the website of the swimming club")).text
    return c


def options(said: Said) -> list[str]:
    assert said.reply.pending is not None
    return list(said.reply.pending.options)


@pytest.mark.parametrize(
    "words",
    ["none", "one is enough for now", "I think that's everything", "haha no", "we're done here", "enough"],
)
async def test_there_are_no_more_and_what_was_told_is_kept(talk: Talk, words: str) -> None:
    c = await splash_is_told(talk)
    said = await c.say(words)
    assert said.text.startswith(NO_MORE)
    assert said.state == "active"


@pytest.mark.parametrize("words", ["that's about it", "only that", "just the one"])
async def test_what_may_be_a_yes_or_no_more_is_asked_about(talk: Talk, words: str) -> None:
    c = await splash_is_told(talk)
    said = await c.say(words)
    assert said.text.startswith(IN_DOUBT)
    assert "That's all" in options(said)
    assert (await c.say("that's all")).text.startswith(NO_MORE)


async def test_another_name_or_another_project_is_asked_about(talk: Talk) -> None:
    c = await splash_is_told(talk)
    said = await c.say("hmm, that name is silly. just call it Dip")
    assert options(said)[:2] == ["A project called Dip", "Splash is really called Dip"]


async def test_a_yes_in_the_words_of_the_question_is_no_name(talk: Talk) -> None:
    c = await splash_is_told(talk)
    said = await c.say("yes another: tutoring kids in maths, called Sums")
    assert said.text.startswith("I've noted Sums.\n")


@pytest.mark.parametrize("words", ["yep", "another one, yes", "of course!"])
async def test_a_yes_asks_for_it(talk: Talk, words: str) -> None:
    c = await splash_is_told(talk)
    assert (await c.say(words)).text.startswith("Great. What is it called")
