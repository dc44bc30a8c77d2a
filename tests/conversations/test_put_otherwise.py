"""What was told is put otherwise at the summary: moved, swapped, exchanged, emptied; what is not certain is asked about."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.processes.builtin.standup import Standup
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told

DONE = ["fixed the printer", "wrote the notes and the budget"]
PLANNED = ["report", "call Bob", "mail the invoices"]
LISTS = ("\n".join(DONE), "\n".join(PLANNED), "waiting for legal")


async def standup(message: str) -> tuple[list[str], list[str], list[str]]:
    answers, _ = await told(Standup, *LISTS, message)
    return answers.get("yesterday", []), answers.get("today", []), answers.get("blockers", [])


async def asked(message: str, *lists: str) -> list[str]:
    """The buttons of what is asked at the summary; nothing is kept meanwhile."""
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (Standup.starts_on[0], *(lists or LISTS)):
            before = await talk.say(line)
        were = await kept(talk, before)
        said = await talk.say(message)
        assert await kept(talk, said) == were
        assert said.reply.pending is not None
        return said.reply.pending.options or []


BLOCKED = ["waiting for legal"]


@pytest.mark.parametrize(
    ("message", "lists"),
    [
        (
            "move the report to yesterday",
            ([*DONE, "report"], ["call Bob", "mail the invoices"], BLOCKED),
        ),
        ("push call Bob to blockers", (DONE, ["report", "mail the invoices"], [*BLOCKED, "call Bob"])),
        (
            "move the budget to today",
            (["fixed the printer", "wrote the notes"], [*PLANNED, "the budget"], BLOCKED),
        ),
        (
            "move the last one of today to yesterday",
            ([*DONE, "mail the invoices"], ["report", "call Bob"], BLOCKED),
        ),
        ("move everything from today to blockers", (DONE, [], [*BLOCKED, *PLANNED])),
        ("swap yesterday and today", (PLANNED, DONE, BLOCKED)),
        ("I mixed up today and yesterday", (PLANNED, DONE, BLOCKED)),
        ("yesterday and today are the wrong way round", (PLANNED, DONE, BLOCKED)),
        ("legal isn't a blocker", (DONE, PLANNED, [])),
        ("call Bob is tomorrow, not today", (DONE, ["report", "mail the invoices"], BLOCKED)),
        (
            "the printer wasn't yesterday, it's for today",
            (["wrote the notes and the budget"], [*PLANNED, "fixed the printer"], BLOCKED),
        ),
        ("scrap today", (DONE, [], BLOCKED)),
        ("please clear the blockers", (DONE, PLANNED, [])),
        ("get rid of everything under yesterday", ([], PLANNED, BLOCKED)),
        ("rename Bob to Rob", (DONE, ["report", "call Rob", "mail the invoices"], BLOCKED)),
        (
            "rename the report to quarterly report",
            (DONE, ["quarterly report", "call Bob", "mail the invoices"], BLOCKED),
        ),
        (
            "take the printer out and put scanner",
            (["fixed the scanner", DONE[1]], PLANNED, BLOCKED),
        ),
        ("can you fix the spelling of Bob, it's Bop", (DONE, ["report", "call Bop", PLANNED[2]], BLOCKED)),
        ("almost. blockers: the key", (DONE, PLANNED, [*BLOCKED, "the key"])),
        ("looks good but today: gym", (DONE, [*PLANNED, "gym"], BLOCKED)),
        ("not quite. add gym to today", (DONE, [*PLANNED, "gym"], BLOCKED)),
    ],
)
async def test_the_lists_are_as_they_were_said_to_be(
    message: str, lists: tuple[list[str], list[str], list[str]]
) -> None:
    assert await standup(message) == lists


@pytest.mark.parametrize(
    ("message", "options"),
    [
        (
            "actually the call was yesterday",
            ["Today without call Bob, yesterday: call Bob as well"],
        ),
        (
            "the second one of today is actually a blocker",
            ["Today without call Bob, blockers: call Bob as well"],
        ),
        ("put the report under blockers", ["Today without report, blockers: report as well"]),
        (
            "move the printer thing to today",
            ["Yesterday without fixed the printer, today: fixed the printer as well"],
        ),
        ("move the flaky test to blockers", ["Blockers: flaky test as well"]),
        ("mailing invoices is tomorrow, not today", ["Today without mail the invoices"]),
        ("shorten the report", ["Today: report; call Bob; mail the invoices"]),
    ],
)
async def test_what_is_not_certain_is_asked_about(message: str, options: list[str]) -> None:
    assert await asked(message) == [*options, "None of these"]


async def test_a_name_that_stands_in_two_places_is_asked_about_with_both() -> None:
    assert await asked("rename Bob to Rob", "talked to Bob", "call Bob", "none") == [
        "Yesterday: talked to Rob instead of talked to Bob, today: call Rob instead of call Bob",
        "None of these",
    ]


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("please reorder today", "What's planned for today?"),
        ("edit yesterday", "What did you work on yesterday?"),
        ("swap", "What should I change?"),
    ],
)
async def test_a_deed_is_no_item(message: str, question: str) -> None:
    answers, words = await told(Standup, *LISTS, message)

    assert answers == {"yesterday": DONE, "today": PLANNED, "blockers": BLOCKED}
    assert question in words


@pytest.mark.parametrize("message", ["replace the lamp in the hall", "update the docs"])
async def test_what_may_be_something_to_do_is_offered_as_that(message: str) -> None:
    assert any(message in option for option in await asked(message))


@pytest.mark.parametrize("message", ["move the desks to the office", "swap shifts"])
async def test_where_a_list_is_asked_for_it_is_an_item(message: str) -> None:
    answers, _ = await told(Standup, "called Bob", message)

    assert answers == {"yesterday": ["called Bob"], "today": [message]}


class Ride(Process, name="ride", version=1):
    """A ride in a taxi."""

    starts_on = ("book a ride",)

    class Answers(BaseModel):
        start: str = ask("Where do you start?", names=("pickup",))
        goal: str = ask("Where do you want to go?", names=("destination",))
        seats: int = ask("How many seats?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


async def test_two_answers_of_words_are_swapped() -> None:
    answers, _ = await told(Ride, "Harbour Road", "the old mill", "3", "swap the pickup and the destination")

    assert answers == {"start": "the old mill", "goal": "Harbour Road", "seats": 3}


async def test_a_word_of_an_answer_is_exchanged_and_one_of_a_type_is_not() -> None:
    answers, _ = await told(Ride, "Harbour Road", "the old mill", "3", "change Harbour to Harvest")
    assert answers == {"start": "Harvest Road", "goal": "the old mill", "seats": 3}

    answers, _ = await told(Ride, "Harbour Road", "the old mill", "3", "change the seats to 4")
    assert answers == {"start": "Harbour Road", "goal": "the old mill", "seats": 4}


@pytest.mark.parametrize(
    ("message", "item"),
    [
        ("can i add that i also need to mail the letters?", "mail the letters"),
    ],
)
async def test_what_may_come_to_either_of_two_lists_is_not_guessed(message: str, item: str) -> None:
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (Standup.starts_on[0], "fixed the printer", "report, mail Ann", "legal"):
            await talk.say(line)
        said = await talk.say(message)
        answers = await kept(talk, said)

    assert item not in answers["yesterday"]


async def test_the_last_item_of_a_list_goes_once_it_is_agreed_to() -> None:
    assert await asked("legal was yesterday", "called Bob", "write the report", "legal") == [
        "Blockers without legal, yesterday: legal as well",
        "None of these",
    ]
    answers, _ = await told(Standup, "called Bob", "write the report", "legal", "legal was yesterday", "yes")

    assert answers == {"yesterday": ["called Bob", "legal"], "today": ["write the report"]}


async def test_what_is_surely_told_of_one_list_calls_no_other_wrong() -> None:
    answers, _ = await told(Standup, "fixed the printer", "report, mail Ann", "legal", "I also called Bob")

    assert answers == {
        "yesterday": ["fixed the printer", "called Bob"],
        "today": ["report", "mail Ann"],
        "blockers": ["legal"],
    }
