"""What is said beside an answer: a number that counts what is asked next, a yes behind it, a remark that changes nothing."""

from datetime import date, time
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.processes.builtin.standup import Standup
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Office(Process, name="office", version=1):
    """A place to work for somebody new."""

    starts_on = ("prepare a place",)

    class Answers(BaseModel):
        who: str = ask("Who is it for?")
        plan: Literal["small", "regular", "large"] = ask("Which plan would you like?")
        weeks: int = ask("How many weeks do you need it?")
        card: bool = ask("Do they have a card already?")
        floor: int = ask("Which floor would suit them?")
        first_day: date = ask("When is the first day?")
        comes_at: time = ask("When should they be here?")
        phone: str = ask("What number can we reach you on?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("office", answers)])


class Van(Process, name="van_hire", version=1):
    """A van for a day."""

    starts_on = ("hire a van",)

    class Answers(BaseModel):
        driver: str = ask("Who will drive?")
        licence_years: int = ask("For how many years have they had a licence?")
        size: Literal["small", "medium", "large"] = ask("Which size of van do you need?")
        day: date = ask("On which day do you need it?")
        abroad: bool = ask("Will you drive it abroad?")
        load: list[str] = ask("What will you carry?")
        trolley: bool = ask("Do you want a trolley with it?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("van_hire", answers)])


ALL = ("Ida", "regular", "6", "yes", "3", "9 March 2026", "half past nine", "0151 4402 118")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Ida", "the middle one will probably do"), {"plan": "regular"}),
        (("Ida", "large, and they'd like it for 12 weeks"), {"plan": "large", "weeks": 12}),
        (
            ("Ida", "the middle one will probably do; they start on the 9th of March"),
            {"plan": "regular", "first_day": "2026-03-09"},
        ),
        (("Ida", "small", "2 weeks, yes please"), {"weeks": 2}),
        (("Ida", "small, her daughter is nearly four"), {"plan": "small"}),
        (("Ida", "small", "6", "yes", "3", "9 March 2026", "half past nine"), {"comes_at": "09:30:00"}),
        (("Ida", "small", "6", "yes", "3", "9 March 2026", "quarter past two"), {"comes_at": "14:15:00"}),
    ],
)
async def test_each_answer_gets_what_is_said_of_it(
    lines: tuple[str, ...], expected: dict[str, object]
) -> None:
    answers, _ = await told(Office, *lines)
    asked = ("who", "plan") if len(lines) < 3 else ("who", "plan", "weeks")
    before = dict(zip(("who", "plan", "weeks", "card", "floor", "first_day"), lines[:-1], strict=False))
    assert {name: answers.get(name) for name in expected} == expected
    assert set(answers) <= {*asked, *before, *expected}


async def test_a_time_beside_an_answer_that_may_be_two_is_asked_with_both_on_buttons() -> None:
    async with conversation(Office, clock=FrozenClock()) as talk:
        for line in ("prepare a place", "Ida", "large", "6 weeks, she will be here from half past six"):
            said = await talk.say(line)
        assert said.reply.pending is not None
        assert list(said.reply.pending.options) == ["06:30", "18:30"]
        answers = await kept(talk, await talk.say("the morning one"))

    assert (answers["weeks"], answers["comes_at"]) == (6, "06:30:00")


async def test_a_number_in_a_remark_changes_no_other_answer() -> None:
    answers, _ = await told(Office, *ALL[:4], "floor 3, she is nearly forty")
    assert (answers["weeks"], answers["floor"]) == (6, 3)


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("please change it to five weeks, I talked to my boss", "weeks", 5),
        ("typo in the phone number, it must be 0151 4402 119", "phone", "0151 4402 119"),
        ("the phone was wrong its 0151 4402 119", "phone", "0151 4402 119"),
        ("the 9th is bad after all, the 16th would be better", "first_day", "2026-03-16"),
    ],
)
async def test_a_change_that_says_what_it_changes_is_carried_out(
    said: str, field: str, value: object
) -> None:
    async with conversation(Office, clock=FrozenClock()) as talk:
        await talk.say("prepare a place")
        for line in ALL:
            await talk.say(line)
        before = await kept(talk, await talk.say("what have I told you?"))
        answers = await kept(talk, await talk.say(said))

    assert answers == {**before, field: value}


async def test_a_remark_takes_the_place_of_no_answer_before() -> None:
    answers, _ = await told(
        Van, "Petra Lang", "17", "medium", "next friday. oh and we're going to Strasbourg with it"
    )
    assert (answers["driver"], answers["day"]) == ("Petra Lang", "2026-03-13")


async def test_a_fact_that_speaks_of_a_question_is_no_yes_to_it() -> None:
    answers, _ = await told(
        Van,
        "Petra Lang",
        "17",
        "medium",
        "saturday",
        "no",
        "a fridge and two beds. we've got our own trolley",
    )
    assert answers.get("trolley") is not True
    assert "a fridge" in answers["load"][0]


async def test_of_two_changes_the_second_is_no_more_lost_than_the_first() -> None:
    async with conversation(Office, clock=FrozenClock()) as talk:
        await talk.say("prepare a place")
        for line in ALL:
            await talk.say(line)
        answers = await kept(talk, await talk.say("Large please instead of regular. And make the floor 5."))

    assert (answers["plan"], answers["floor"]) == ("large", 5)


class Ride(Process, name="ride", version=1):
    """A train that somebody needs help at."""

    starts_on = ("ask for help",)

    class Answers(BaseModel):
        tag: str = ask("What is the number on your card?")
        day: date = ask("On what day do you travel?")
        leaves: time = ask("When does the train leave?")
        help: Literal["lift", "guide", "no preference"] = ask("What help do you need?")
        bags: int = ask("How many bags do you have?")
        alone: bool = ask("Do you travel alone?")
        why: str = ask("What is the journey for?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


CARD = "IT-4471"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("it-7719 if I can read that right",), {"tag": "it-7719"}),
        (("IT-4471",), {"tag": "IT-4471"}),
        ((CARD, "the thirteenth at quarter to five in the afternoon"), {"day": "2026-03-13", "leaves": "16:45:00"}),
        ((CARD, "the twenty-fourth please"), {"day": "2026-03-24"}),
        ((CARD, "the fifth would be best, around noon"), {"day": "2026-03-05", "bags": None}),
        ((CARD, "tomorrow", "12.07 and I need the lift, I can't do steps"), {"leaves": "12:07:00", "help": "lift"}),
        ((CARD, "tomorrow", "half past nine", "guide", "two", "my wife drives me, no"), {"alone": False}),
    ],
)  # fmt: skip
async def test_days_codes_and_what_stands_first_are_read_as_people_say_them(
    lines: tuple[str, ...], expected: dict[str, object]
) -> None:
    answers, _ = await told(Ride, *lines)
    assert {name: answers.get(name) for name in expected} == expected


async def test_the_day_beside_a_number_has_not_the_number_for_its_time() -> None:
    answers, _ = await told(
        Ride, CARD, "tomorrow", "9:30", "guide", "ten, my sister comes on Monday the 16th"
    )
    assert (answers["leaves"], answers["bags"]) == ("09:30:00", 10)


async def test_of_two_numbers_that_are_told_one_by_one_the_sum_is_on_a_button() -> None:
    async with conversation(Ride, clock=FrozenClock()) as talk:
        for line in ("ask for help", CARD, "tomorrow", "9:30", "guide"):
            await talk.say(line)
        said = await talk.say("two suitcases plus three rucksacks")

    assert said.reply.pending is not None
    assert said.reply.pending.options == ["5", "2", "3"]


@pytest.mark.parametrize(
    ("line", "bags"),
    [
        ("one suitcase plus one rucksack", 2),
        ("a suitcase and my guitar", 2),
        ("two suitcases and the pushchair", 3),
        ("just the rucksack", 1),
        ("just the rucksack, it's 70 litres", 1),
    ],
)
async def test_what_is_counted_one_by_one_is_added_up_and_read_back(line: str, bags: int) -> None:
    answers, words = await told(Ride, CARD, "tomorrow", "9:30", "guide", line)

    assert answers["bags"] == bags
    assert words.startswith(f"Bags: {bags}.")


@pytest.mark.parametrize("said", ["doesn't matter to me", "I really don't mind, whoever has time"])
async def test_who_does_not_mind_means_the_option_that_says_so_or_is_asked(said: str) -> None:
    answers, words = await told(Ride, CARD, "tomorrow", "9:30", said)
    assert answers.get("help", "no preference") == "no preference"
    assert "no preference" in words


async def test_what_answers_a_question_to_come_is_not_taken_for_this_one() -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in ("create a project", "a summer concert in the old orangery", "Orangery Evening"):
            await talk.say(line)
        said = await talk.say("It will be a success if every chair is taken and nobody faints from the heat.")
        answers = await kept(talk, said)

    assert said.text.startswith("I'll come back to that.")
    assert not {"who", "success"} & {*answers}


@pytest.mark.parametrize(
    ("today", "said", "kept"),
    [
        ("inventory in hall B", "wait, not hall B, is hall C", "inventory in hall C"),
        (
            "chase a flaky deploy with Ines",
            "no, flaky pipeline not flaky deploy",
            "chase a flaky pipeline with Ines",
        ),
        ("chase a flaky deploy with Ines", "with Inez, not Ines", "chase a flaky deploy with Inez"),
    ],
)
async def test_a_part_of_an_answer_that_is_put_right_keeps_the_rest(today: str, said: str, kept: str) -> None:
    answers, _ = await told(Standup, "unloaded 4 trucks", today, said)

    assert answers["today"] == [kept]


@pytest.mark.parametrize(
    ("said", "what"),
    [
        (
            "Then let us begin a project. We want to give a summer concert in the old orangery.",
            "to give a summer concert in the old orangery",
        ),
        (
            "I'd like to begin a new project. It's about a mobile workshop for windows.",
            "a mobile workshop for windows",
        ),
    ],
)
async def test_what_the_sentence_behind_the_wish_tells_is_the_description(said: str, what: str) -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        answers = await kept(talk, await talk.say(said))

    assert answers["what"] == what


@pytest.mark.parametrize(
    "said", ["yes that's it, create it", "ok save it", "that looks lovely, please go ahead"]
)
async def test_who_wants_it_created_is_asked_nothing_more_that_may_be_left_open(said: str) -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        for line in ("create a project", "a museum guide", "Muse", "tourists", "10 visits a day"):
            await talk.say(line)
        shown = await talk.say(said)

    assert shown.text.endswith("Shall I create it?")


@pytest.mark.parametrize(
    ("said", "load", "trolley"),
    [
        ("boxes, no trolley", ["boxes"], False),
        ("boxes, and I would like a trolley", ["boxes"], True),
        ("boxes and a sofa, no trolley", ["boxes", "a sofa"], False),
    ],
)
async def test_the_clause_of_a_yes_or_no_is_no_item(said: str, load: list[str], trolley: bool) -> None:
    answers, _ = await told(Van, "Ida", "6", "small", "9 March 2026", "no", said)
    assert answers["load"] == load
    assert answers["trolley"] is trolley


class Help(Process, name="help_at_a_fair", version=1):
    """Help at a fair."""

    starts_on = ("help at the fair",)

    class Answers(BaseModel):
        tasks: list[str] = ask("What would you do: baking, driving, selling?")
        licence: bool = ask("Do you have a driving licence?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


async def test_words_of_the_question_itself_answer_no_other() -> None:
    answers, _ = await told(Help, "baking. and NOT driving, I told them before")
    assert answers == {"tasks": ["baking"]}


async def test_the_same_words_are_no_two_answers() -> None:
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        await talk.say("I want to start something about sea glass")
        said = await talk.say("for beachcombers. oh and keep it under 200 euros")
        answers = await kept(talk, said)

    assert answers["who"] == "beachcombers"
    assert "name" not in answers
    assert said.text.endswith("What shall we call it?")
