"""What is said behind the yes to a summary is heard: kept before it is agreed to, answered after, or named as left."""

import pytest

from softrail.testing import FrozenClock, conversation

ATTIC = (
    "create a project called Attic, about clearing out the attic",
    *("me and my brother", "when the attic is empty", "plain", "500 euros", "that's all"),
)


async def said_to_the_summary(*lines: str) -> tuple[str, str]:
    """The last words of the companion, and how its description of a project stands."""
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in (*ATTIC, *lines):
            last = await talk.say(line)
        [instance] = await talk.dispatcher.store.past(talk.person.id, "seed_conversation")
        return last.text, str(instance.state)


@pytest.mark.parametrize(
    "said",
    [
        "yes and remember Tom has the key",
        "yes. remember that Tom has the key",
        "looks good, and keep in mind that Tom has the key",
    ],
)
async def test_what_is_told_is_kept_before_all_of_it_is_agreed_to(said: str) -> None:
    words, state = await said_to_the_summary(said)
    assert words.startswith("I've added that to notes.")
    assert "Tom has the key" in words
    assert state == "active"
    words, state = await said_to_the_summary(said, "yes")
    assert words.startswith("Attic is created.")
    assert state == "completed"


@pytest.mark.parametrize("said", ["ok create it and what can i do next", "yes, what can you do?"])
async def test_a_question_is_answered_when_it_is_done(said: str) -> None:
    words, _ = await said_to_the_summary(said, *(("yes",) if said.startswith("yes") else ()))
    assert "No project is being described" not in words
    assert "is created" in words


async def test_what_is_wished_and_not_done_is_named() -> None:
    words, state = await said_to_the_summary("yes and show my projects")
    assert state == "completed"
    assert "show my projects”. Say it again when you like." in words


@pytest.mark.parametrize(
    "said", ["yes, she will be happy", "perfect, thanks a lot", "perfect, Tom will love it"]
)
async def test_a_remark_is_a_remark(said: str) -> None:
    words, state = await said_to_the_summary(said)
    assert state == "completed"
    assert "Say it again" not in words


async def test_a_yes_with_something_more_to_tell_lets_nothing_be_done() -> None:
    words, state = await said_to_the_summary("ok and yesterday I also rang Mette")
    assert state == "active"
    assert "is created" not in words
