"""A turn that says which question it answers: one that is no longer open consents to nothing."""

from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import Conversation, FrozenClock, Said, conversation

STALE = "That question is no longer open, so I have done nothing with your answer."


class Standup(Process, name="standup", version=1):
    """A daily check-in."""

    starts_on = ("start the standup",)

    class Answers(BaseModel):
        today: str = ask("What will you do today?")

    async def offer_when(self, turn: Turn) -> bool:
        return True

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Saved.", effects=[Record("standup", answers)])


class Trip(Process, name="trip", version=1):
    """A journey."""

    starts_on = ("plan a trip",)
    confirm = False

    class Answers(BaseModel):
        abroad: bool = ask("Is it abroad?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"Abroad: {answers.abroad}.")


def id_of(said: Said) -> str:
    assert said.question_id is not None
    return said.question_id


async def at_the_summary(talk: Conversation) -> tuple[str, Said]:
    """An offer was taken up, and its standup is about to be saved."""
    offered = await talk.say("hi")
    assert offered.pending == "offer"
    await talk.say("yes", answers=id_of(offered))
    asked = await talk.say("the login page")
    assert asked.pending == "confirm"
    return id_of(offered), asked


async def test_the_yes_of_an_old_offer_saves_nothing(frozen: FrozenClock) -> None:
    async with conversation(Standup, clock=frozen) as talk:
        offer, asked = await at_the_summary(talk)

        said = await talk.say("Yes", answers=offer)

        assert said.text.startswith(STALE)
        assert asked.reply.pending is not None
        assert asked.reply.pending.prompt in said.text
        assert (said.effects, said.pending, said.step) == ([], "confirm", asked.step)
        assert await talk.records("standup") == []
        assert [(g.gate, g.outcome) for g in said.decision.gates if g.gate == "question"] == [
            ("question", "stale")
        ]


async def test_what_is_open_keeps_its_id_and_can_be_answered(frozen: FrozenClock) -> None:
    async with conversation(Standup, clock=frozen) as talk:
        offer, asked = await at_the_summary(talk)
        again = await talk.say("Yes", answers=offer)
        assert again.question_id == asked.question_id

        assert (await talk.say("Yes", answers=id_of(again))).effects == ["standup_saved"]


async def test_an_old_no_leaves_nothing(frozen: FrozenClock) -> None:
    async with conversation(Standup, clock=frozen) as talk:
        offer, _ = await at_the_summary(talk)

        for old in ("Not now", "No", "no thanks", "end the standup", "start over", "resume"):
            said = await talk.say(old, answers=offer)
            assert (said.text.startswith(STALE), said.state, said.pending) == (True, "active", "confirm"), old


async def test_the_not_now_of_an_old_offer_pauses_nothing(frozen: FrozenClock) -> None:
    async with conversation(Standup, clock=frozen) as talk:
        offered = await talk.say("hi")
        await talk.say("yes")

        said = await talk.say("Not now", answers=id_of(offered))

        assert (said.text, said.state) == (f"{STALE}\n\nWhat will you do today?", "active")


async def test_ways_out_count_all_the_same(frozen: FrozenClock) -> None:
    async with conversation(Standup, clock=frozen) as talk:
        offer, _ = await at_the_summary(talk)

        assert "/help" in (await talk.say("/help", answers=offer)).text
        assert (await talk.say("stop", answers=offer)).state == "suspended"


async def test_an_old_question_of_the_same_process_is_not_the_one_that_is_open(frozen: FrozenClock) -> None:
    async with conversation(Standup, clock=frozen) as talk:
        first = await talk.say("start the standup")
        await talk.say("the login page")

        said = await talk.say("the logout page", answers=id_of(first))

        assert said.text.startswith(STALE)
        assert "the logout page" not in said.text
        assert "the login page" in said.text


async def test_where_nothing_is_open_the_sentence_is_all(frozen: FrozenClock) -> None:
    async with conversation(Trip, clock=frozen) as talk:
        asked = await talk.say("plan a trip")
        await talk.say("yes", answers=id_of(asked))

        said = await talk.say("Yes", answers=id_of(asked))

        assert (said.text, said.pending) == (STALE, None)


async def test_a_question_keeps_its_id_while_it_is_open_and_gets_another_when_it_is_asked_anew(
    frozen: FrozenClock,
) -> None:
    async with conversation(Standup, Trip, clock=frozen) as talk:
        offered = await talk.say("hi")
        assert (await talk.say("/status")).question_id == offered.question_id

        asked = await talk.say("plan a trip")
        await talk.say("stop")
        anew = await talk.say("resume")

        assert len({offered.question_id, asked.question_id, anew.question_id}) == 3
        assert (await talk.say("yes", answers=id_of(asked))).text.startswith(STALE)


async def test_a_stale_answer_leaves_undo_as_it_was(frozen: FrozenClock) -> None:
    async with conversation(Trip, clock=frozen) as talk:
        asked = await talk.say("plan a trip")
        await talk.say("stop")
        await talk.say("yes", answers=id_of(asked))

        assert (await talk.say("undo")).step == asked.step


async def test_an_answer_that_comes_late_still_answers_its_question(frozen: FrozenClock) -> None:
    async with conversation(Trip, clock=frozen) as talk:
        asked = await talk.say("plan a trip")
        frozen.advance(hours=2)

        assert (await talk.say("yes", answers=id_of(asked))).text.endswith("Abroad: True.")


async def test_what_is_left_of_a_message_that_answered_is_not_stale(frozen: FrozenClock) -> None:
    async with conversation(Standup, Trip, clock=frozen) as talk:
        offered = await talk.say("hi")

        said = await talk.say("plan a trip", answers=id_of(offered))

        assert "Is it abroad?" in said.text
        assert STALE not in said.text
