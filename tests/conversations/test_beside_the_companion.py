"""An application's own processes beside the bundled companion: what people came for is heard first, and it alone is spoken of."""

from collections.abc import AsyncIterator
from datetime import date
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Settings, Turn, ask
from softrail.testing import Conversation, FrozenClock, conversation


class Room(Process, name="room_booking", version=1):
    """Books a room at the guest house."""

    title = "the booking"
    names = ("room", "booking")
    becomes = "The front desk sees it, and nobody else."
    starts_on = ("book a room", "I'd like to stay the night", "a room for two")

    class Answers(BaseModel):
        day: date = ask("Which day do you arrive?", description="the day of the arrival")
        guests: int = ask("How many of you are there?", gt=0, le=6, description="how many guests come")
        view: Literal["garden", "street"] = ask("Would you like the garden or the street?")
        late: bool = ask("Will you arrive after ten?", description="whether they arrive late")
        name: str = ask("What name shall I put it under?", description="the name of who books")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Your room is booked.", effects=[Record("room_booking", answers)])


class Repair(Process, name="repair", version=1):
    """Has something in the house mended."""

    title = "the repair"
    names = ("repair", "fault")
    starts_on = ("report something broken", "the heating does not work", "something needs mending")

    class Answers(BaseModel):
        what: str = ask("What is broken?", description="what is broken")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Somebody will come.", effects=[Record("repair", answers)])


class Coal(Process, name="coal_order", version=1):
    """Orders coal for the winter."""

    title = "the coal order"
    names = ("order", "coal")
    starts_on = ("order coal", "I need coal", "send us some coal")

    class Answers(BaseModel):
        sacks: int = ask("How many sacks?", gt=0)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("The coal is ordered.", effects=[Record("coal_order", answers)])


@pytest.fixture
async def guest(frozen: FrozenClock) -> AsyncIterator[Conversation]:
    settings = Settings(bundled=("companion",), reading_limit=60.0)
    async with conversation(Room, Repair, Coal, clock=frozen, discover=True, settings=settings) as talk:
        yield talk


#: Words of projects, notes, standups and settings: nobody here has come for those.
OURS = ("project", "note", "standup", "PATCH", "reaches beyond")


def of_ours(text: str) -> list[str]:
    return [word for word in OURS if word in text]


@pytest.mark.parametrize(
    ("message", "process"),
    [
        ("can you get us a room for the weekend", "room_booking"),
        ("I want to book a double room for Saturday", "room_booking"),
        ("reserve a room for me, please, I'm coming on Friday", "room_booking"),
        ("I need a room for tonight", "room_booking"),
        ("order ten sacks of coal", "coal_order"),
        ("I'd like to buy some coal", "coal_order"),
        ("need more coal, next week if you can", "coal_order"),
        ("we are nearly out of coal", "coal_order"),
        ("would you have somewhere for us to sleep on Tuesday?", "room_booking"),
        ("any beds left for two of us?", "room_booking"),
        ("the heating in our room is not working", "repair"),
        ("I have to report a broken window", "repair"),
    ],
)
async def test_what_an_application_serves_begins_though_the_companion_declines_its_kind(
    guest: Conversation, message: str, process: str
) -> None:
    said = await guest.say(message)

    assert said.process == process
    assert of_ours(said.text) == []


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("the window is cracked", "The repair"),
        ("the toilet is blocked", "The repair"),
        ("we're out of coal again", "The coal order"),
        ("do you have a bed for the night", "The booking"),
        ("could we stay until Sunday", "The booking"),
    ],
)
async def test_what_may_well_be_meant_is_offered_beside_something_else(
    guest: Conversation, message: str, title: str
) -> None:
    said = await guest.say(message)

    assert said.reply.pending is not None
    assert [choice.label for choice in said.reply.pending.choices] == [title, "Something else"]


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("my key is broken off in the door", "The repair"),
        ("the tap broke", "The repair"),
        # Nobody says what for; who tells two answers of one hardly speaks of anything else.
        ("the four of us get there on 12 March, garden side please", "The booking"),
    ],
)
async def test_words_near_to_what_a_process_is_for_or_its_answers_are_asked_about(
    guest: Conversation, message: str, title: str
) -> None:
    said = await guest.say(message)

    assert said.reply.pending is not None, said.text
    assert title in [choice.label for choice in said.reply.pending.choices]


async def test_what_was_said_in_ones_own_words_is_not_lost_when_it_is_meant(guest: Conversation) -> None:
    await guest.say("the four of us get there on 12 March, garden side please")
    said = await guest.say("The booking")

    assert said.process == "room_booking"
    assert "12 March" in said.text
    assert "garden" in said.text


@pytest.mark.parametrize(
    "message",
    [
        "what a lovely morning",
        "tell me a joke",
        "translate “good night” into Greek",
        "play some jazz",
        "who won the match yesterday?",
        "thanks a lot",
    ],
)
async def test_talk_and_what_nobody_serves_begins_nothing(guest: Conversation, message: str) -> None:
    said = await guest.say(message)

    assert (said.process, said.reply.pending) == (None, None)


@pytest.mark.parametrize(
    "message",
    ["our breakfast was cold", "I am allergic to nuts", "my sister lives in Porto", "how is it going?"],
)
async def test_nobody_is_told_of_projects_who_has_come_for_something_else(
    guest: Conversation, message: str
) -> None:
    said = await guest.say(message)

    assert "You have no project" not in said.text
    assert "begin" not in said.text


async def test_who_complains_of_it_does_not_begin_it_anew(guest: Conversation) -> None:
    said = await guest.say("you booked the wrong room for us last time")

    assert said.process != "room_booking"


async def test_a_wish_of_the_companions_stays_its_own(guest: Conversation) -> None:
    assert (await guest.say("create a project")).process == "seed_conversation"


async def test_who_is_not_understood_hears_what_can_be_said_here(guest: Conversation) -> None:
    said = await guest.say("the blue one with the stripes over there")

    assert "book a room" in said.text
    assert "create a project" not in said.text


async def test_standups_are_not_spoken_of_where_nobody_holds_any(guest: Conversation) -> None:
    for message in ("what did I say in the standup yesterday", "hi again, where's my report"):
        said = await guest.say(message)
        assert "standup" not in said.text


IN_THE_MIDDLE = {
    "a day": (),
    "a number": ("8 December 2026",),
    "a choice": ("8 December 2026", "2"),
    "a yes or no": ("8 December 2026", "2", "garden"),
    "words": ("8 December 2026", "2", "garden", "no"),
}


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("a day", "first week of March"),
        ("a day", "what did I tell you"),
        ("a number", "it's on the list already"),
        ("a number", "what times are you open?"),
        ("a choice", "it isn't on the list"),
        ("a choice", "ok what happens now?"),
        ("a yes or no", "0171 555 123"),
        ("a yes or no", "got one already, where do I send it?"),
        ("a yes or no", "it's for five people"),
        ("a yes or no", "yes but can I still ring you then?"),
        ("words", "how do I upload the form?"),
    ],
)
async def test_in_the_middle_of_it_nothing_is_said_of_what_nobody_has_here(
    guest: Conversation, at: str, message: str
) -> None:
    await guest.say("book a room")
    for answer in IN_THE_MIDDLE[at]:
        await guest.say(answer)

    said = await guest.say(message)

    assert of_ours(said.text) == []
    assert said.step is not None


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("who sees this?", "The front desk sees it"),
        ("how many more questions are there?", "questions"),
        ("what's the weather tomorrow?", "no weather"),
        ("what can you do?", "Here is what you can ask for"),
        ("list all my projects", "You have no project yet"),
    ],
)
async def test_what_is_surely_asked_of_the_companion_there_is_answered(
    guest: Conversation, message: str, expected: str
) -> None:
    await guest.say("book a room")

    assert expected in (await guest.say(message)).text


async def test_what_is_served_is_not_declined_in_the_middle_of_it(guest: Conversation) -> None:
    await guest.say("order coal")

    said = await guest.say("where is my order?")

    assert "buy" not in said.text


@pytest.mark.parametrize("message", ["say that again", "one more", "could you repeat that?"])
async def test_the_question_comes_again_and_nothing_is_promised(guest: Conversation, message: str) -> None:
    await guest.say("book a room")

    said = await guest.say(message)

    assert said.text.endswith("Which day do you arrive?")
    assert "Of course" not in said.text
    assert "once more" not in said.text


@pytest.mark.parametrize("message", ["3, how many more questions are there", "is that important? 3"])
async def test_an_answer_beside_a_question_is_not_called_undone(guest: Conversation, message: str) -> None:
    for line in ("book a room", "2026-03-06"):
        await guest.say(line)
    said = await guest.say(message)

    assert said.text.endswith("Would you like the garden or the street?")
    assert "haven't acted" not in said.text


@pytest.mark.parametrize(
    ("message", "process"),
    [
        ("order coal, bill 7781, to the yard", "coal_order"),
        ("book a room, a quiet one, or wait, maybe one to the street", "room_booking"),
        ("report something broken, for my neighbour, no, for both of us actually", "repair"),
    ],
)
async def test_what_begins_with_the_words_of_a_process_begins_it_whatever_is_told_behind_them(
    guest: Conversation, message: str, process: str
) -> None:
    assert (await guest.say(message)).process == process


@pytest.mark.parametrize(
    "message",
    [
        "order coal, ah no, leave it",
        "book a room, no",
        "book a room, I changed my mind",
        "order coal, no wait, not yet",
    ],
)
async def test_what_is_taken_back_behind_them_begins_nothing(guest: Conversation, message: str) -> None:
    assert (await guest.say(message)).process in (None, "clarification")


@pytest.mark.parametrize("message", ["coal, 12 sacks by the 1st of march", "room, 2 guests, max 90 euros"])
async def test_what_the_companion_would_note_for_nobody_is_for_the_application(
    guest: Conversation, message: str
) -> None:
    said = await guest.say(message)

    assert said.process in ("coal_order", "room_booking")
    assert of_ours(said.text) == []


@pytest.mark.parametrize(
    "message",
    ["we need somewhere to live, 3 rooms, from april", "something has to be done about the garden, by may"],
)
async def test_no_project_is_begun_on_a_guess(guest: Conversation, message: str) -> None:
    said = await guest.say(message)

    assert said.process is None
    assert of_ours(said.text) == []


async def test_a_project_is_begun_by_who_says_so(guest: Conversation) -> None:
    assert (await guest.say("I want to start a project about bees")).process == "seed_conversation"
