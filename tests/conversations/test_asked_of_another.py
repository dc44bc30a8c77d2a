"""Whoever is asked to decide changes nothing of what is asked for: that is for the one who asks."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Assign, Done, Process, Turn, ask, step
from softrail.testing import FrozenClock, Said, conversation


class Leave(Process, name="leave", version=1):
    """Days off that somebody else approves."""

    starts_on = ("I need some days off",)

    class Answers(BaseModel):
        first: date = ask("From which day on?")
        days: int = ask("How many days?")

    async def complete(self, answers: Answers, turn: Turn) -> Assign:
        wanted = {"who": turn.person.email, **answers.model_dump()}
        return Assign(
            "approve_leave", to="boss@example.org", prefill=wanted, then="decided", say="I have asked."
        )

    @step()
    async def decided(self, said: Turn, answers: Answers) -> Done:
        return Done("Approved." if said.result is not None and said.result.value else "Refused.")


class ApproveLeave(Process, name="approve_leave", version=1, confirm=False):
    """Decides about somebody's days off."""

    class Answers(BaseModel):
        who: str = ask("Who wants days off?")
        first: date = ask("From which day on?")
        days: int = ask("How many days?")
        agreed: bool = ask("{who} would like {days} days off from {first} on. Do you agree?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        assert (answers.who, answers.days) == ("sam@example.org", 3)
        assert answers.first == date(2026, 3, 9)
        return Done("I pass it on.", value=answers.agreed)


async def decided(*lines: str) -> tuple[Said, str]:
    """The last reply to the boss after those lines, and what the one who asked is told in the end."""
    async with conversation(Leave, ApproveLeave, clock=FrozenClock()) as talk:
        await talk.become("boss@example.org")
        await talk.say("hello")
        await talk.become("sam@example.org")
        for line in ("I need some days off", "2026-03-09", "3", "yes"):
            await talk.say(line)
        await talk.sweep()
        await talk.become("boss@example.org")
        await talk.newest_session()
        for line in ("yes", *lines):
            said = await talk.say(line)
        await talk.sweep()
        await talk.become("sam@example.org")
        return said, (await talk.newest_session()).text


@pytest.mark.parametrize(
    "said",
    [
        "make it 10 days",
        "change the days to 2",
        "days: 2",
        "from Tuesday on, not Monday",
        "change who to Robin",
        "he can have 5",
        "five days would be fine",
    ],
)
async def test_only_the_one_who_asks_can_change_what_is_asked_for(said: str) -> None:
    reply, told = await decided(said)

    assert reply.text.startswith("Only sam@example.org can change ")
    assert "would like 3 days off from Monday, 9 March 2026 on. Do you agree?" in reply.text
    assert told == "I have asked."
    assert (await decided(said, "yes"))[1] == "Approved."


@pytest.mark.parametrize(
    "said", ["10 days is too much", "yes, but only two days", "yes, if he is back by Friday", "only 2 days"]
)
async def test_what_is_no_yes_to_what_was_asked_for_is_asked_about(said: str) -> None:
    reply, told = await decided(said)

    assert reply.state == "active"
    assert told == "I have asked."


@pytest.mark.parametrize("said", ["start over", "back"])
async def test_nothing_that_was_asked_for_is_asked_of_whoever_decides(said: str) -> None:
    reply, _ = await decided(said)

    assert reply.text.endswith("Do you agree?")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("fine, enjoy", "Approved."),
        ("yes", "Approved."),
        ("no, we are short on staff that week", "Refused."),
        ("no", "Refused."),
    ],
)
async def test_a_plain_decision_is_one(said: str, told: str) -> None:
    assert (await decided(said))[1] == told
