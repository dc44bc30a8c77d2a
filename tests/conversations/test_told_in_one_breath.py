"""Several answers, a change that denies what was there, and what is taken back: said as people say it."""

from datetime import date, time
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.processes.builtin.standup import Standup
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Stay(Process, name="stay", version=1):
    """A stay at a house by the sea."""

    starts_on = ("plan a stay",)

    class Answers(BaseModel):
        guest: str = ask("Who is it for?")
        nights: int = ask("How many nights?")
        arrives: date = ask("From which day?")
        room: Literal["attic", "garden", "harbour"] = ask("Which room?")
        dog: bool = ask("Is there a dog?")
        note: str = ask("Anything else?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("stay", answers)])


class Damage(Process, name="damage", version=1):
    """What was broken, and when."""

    starts_on = ("report a damage",)

    class Answers(BaseModel):
        happened_on: date = ask("When did it happen?")
        from_day: date = ask("From which day do you need a car?")
        until_day: date = ask("Until which day?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Ida. 3 nights, the garden room",), {"guest": "Ida", "nights": 3, "room": "garden"}),
        (("Ida", "4, and we have no dog"), {"guest": "Ida", "nights": 4, "dog": False}),
        (("Ida", "two; harbour please"), {"guest": "Ida", "nights": 2, "room": "harbour"}),
        (("Ida, no dog with us",), {"guest": "Ida", "dog": False}),
    ],
)
async def test_a_clause_that_answers_another_question_is_that_answer(
    lines: tuple[str, ...], expected: dict[str, object]
) -> None:
    answers, _ = await told(Stay, *lines)
    assert answers == expected


@pytest.mark.parametrize(
    "said",
    ["Ida, she is always so kind to us", "Ida. Lovely weather by the way", "Ida, hopefully without rain"],
)
async def test_a_remark_is_no_note_that_nobody_has_asked_for(said: str) -> None:
    answers, _ = await told(Stay, said)
    assert "note" not in answers


async def test_a_yes_or_no_that_words_and_model_read_differently_is_left_to_its_question() -> None:
    answers, _ = await told(Stay, "Ida", "3, it's so loud when the dog barks so please mind the dog")
    assert answers.get("dog") is not False


@pytest.mark.parametrize(
    ("change", "guest"),
    [("it's Ada not Ida", "Ada"), ("not Ida, Ada", "Ada"), ("should say Ada, not Ida, my mistake", "Ada")],
)
async def test_a_change_that_denies_the_old_value_takes_its_place(change: str, guest: str) -> None:
    answers, words = await told(Stay, "Ida", change)

    assert answers == {"guest": guest}
    assert words.endswith("How many nights?")


async def test_a_change_beside_an_answer_leaves_the_answer() -> None:
    answers, _ = await told(Stay, "Ida", "it's Ada not Ida. 4 nights")
    assert answers == {"guest": "Ada", "nights": 4}


async def test_what_is_wrong_is_asked_again_where_yes_or_no_is_asked_and_is_no_no() -> None:
    answers, words = await told(Stay, "Ida", "3", "3 May", "attic", "oh, I think the nights were wrong")

    assert "dog" not in answers
    assert words.endswith("How many nights?")


async def test_which_is_wrong_is_asked_where_it_may_be_several() -> None:
    async with conversation(Stay, clock=FrozenClock()) as talk:
        for line in ("plan a stay", "Ida", "3", "3 May", "attic", "wait, I made a mistake"):
            said = await talk.say(line)

        assert said.reply.pending is not None
        assert len(said.reply.pending.options) > 2
        assert (await kept(talk, said))["guest"] == "Ida"


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("friday", "2026-02-27"),
        ("on the 20th", "2026-02-20"),
        ("20 November", "2025-11-20"),
        ("25.2.", "2026-02-25"),
    ],
)
async def test_a_question_for_what_has_been_is_answered_by_a_day_that_has_been(said: str, day: str) -> None:
    answers, _ = await told(Damage, said)
    assert answers == {"happened_on": day}


async def test_an_end_is_after_its_beginning() -> None:
    answers, _ = await told(Damage, "yesterday", "28 March", "the 4th")
    assert answers["until_day"] == "2026-04-04"


async def test_a_changed_day_stays_in_its_month() -> None:
    answers, _ = await told(Damage, "yesterday", "28 April", "change from day to the 30th")
    assert answers["from_day"] == "2026-04-30"


async def test_two_days_in_one_breath_are_read_together() -> None:
    answers, _ = await told(Damage, "yesterday", "from 28 March until the 4th")
    assert (answers["from_day"], answers["until_day"]) == ("2026-03-28", "2026-04-04")


async def test_what_stands_behind_a_clause_that_is_cut_is_not_swallowed() -> None:
    answers, words = await told(Stay, "Ida, 3 nights, actually forget it, I want to stop")
    assert answers == {}
    assert "pause the stay" in words


@pytest.mark.parametrize("said", ["Ada or Ida, both are fine", "either Ada or Ida, I have to ask"])
async def test_two_names_of_which_either_will_do_deny_none(said: str) -> None:
    answers, _ = await told(Stay, "Ida", said)
    assert answers["guest"] == "Ida"


async def test_a_word_of_a_long_answer_that_is_denied_changes_it_not() -> None:
    problem = "the sink in the kitchen of the owner leaks"
    answers, _ = await told(Repair, problem, "I'm not the owner, I'm Ann Kay")
    assert answers["problem"] == problem


class Repair(Process, name="repair", version=1):
    """What is to be repaired, for whom."""

    starts_on = ("report a repair",)

    class Answers(BaseModel):
        problem: str = ask("What is broken?")
        name: str = ask("What is your name?")
        tools: list[str] = ask("Which tools are needed?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


async def test_what_is_wrong_at_the_summary_is_asked_again_and_nothing_is_emptied() -> None:
    async with conversation(Repair, clock=FrozenClock()) as talk:
        for line in ("report a repair", "the sink leaks", "Ann Kay", "a wrench", "wait, I made a mistake"):
            said = await talk.say(line)
        assert said.reply.pending is not None
        button = next(option for option in said.reply.pending.options if option.startswith("Tools"))

        again = await talk.say(button)
        assert again.text == "Which tools are needed?"
        assert (await kept(talk, again))["tools"] == ["a wrench"]


@pytest.mark.parametrize("said", ["nothing", "none at all", "not that I know of"])
async def test_nothing_is_an_answer_where_one_may_be_left_out_and_takes_nothing_back(said: str) -> None:
    answers, words = await told(Stay, "Ida", "3", "3 May", "attic", "no", said)
    assert answers["guest"] == "Ida"
    assert "Is that right?" in words


async def test_a_word_that_calls_an_answer_wrong_is_not_its_new_value() -> None:
    answers, words = await told(Stay, "Ida", "wait the guest was wrong")
    assert answers == {"guest": "Ida"}
    assert words.endswith("Who is it for?")


@pytest.mark.parametrize("said", ["not a wrench, a hammer", "no not that", "that was wrong too"])
async def test_what_is_asked_again_is_emptied_by_no_words_that_only_deny(said: str) -> None:
    answers, words = await told(Repair, "the sink leaks", "Ann Kay", "a wrench", "tools are wrong", said)
    assert answers["tools"]
    assert "nothing" not in words


async def test_what_may_take_an_answer_back_is_asked_about() -> None:
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (
            "let's do my standup",
            "fixed the fence and fed the hens",
            "the gate is for tomorrow actually",
        ):
            said = await talk.say(line)
        assert said.reply.pending is not None
        assert list(said.reply.pending.options) == [
            "Yesterday: fixed the fence; fed the hens",
            "None of these",
        ]


async def test_an_option_that_nobody_asked_for_yet_is_read_back() -> None:
    answers, words = await told(Stay, "Ida", "the harbour room")

    assert answers == {"guest": "Ida", "room": "harbour"}
    assert words == "Room: harbour.\n\nHow many nights?"


@pytest.mark.parametrize(
    "said", ["guest was wrong, it's Noa", "the guest bit is wrong, it is Noa", "wait, make that Noa, not Ida"]
)
async def test_what_is_called_wrong_by_its_name_never_becomes_another_answer(said: str) -> None:
    answers, _ = await told(Stay, "Ida", "3", "17 March", "harbour", "no", said)

    assert answers.get("note", "") == ""
    assert answers["guest"] in ("Ida", "Noa")


class Visit(Process, name="visit", version=1):
    """A visit by a plumber."""

    starts_on = ("book a visit",)

    class Answers(BaseModel):
        day: date = ask("On which day?")
        at: time = ask("At what time?")
        leaking: bool = ask("Is water leaking?")
        room: Literal["kitchen", "cellar", "garden"] = ask("Which room is it in?")
        minutes: int = ask("How many minutes may it take?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


async def test_a_time_that_may_be_two_costs_the_day_beside_it_nothing_and_is_on_buttons() -> None:
    async with conversation(Visit, clock=FrozenClock()) as talk:
        await talk.say("book a visit")
        said = await talk.say("22 april at 6:30")
        answers = await kept(talk, said)

    assert answers == {"day": "2026-04-22"}
    assert said.reply.pending is not None
    assert said.reply.pending.options == ["06:30", "18:30"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("on friday, and yes it is leaking", {"leaking": True}),
        ("friday would do, but it isn't leaking right now", {"leaking": False}),
        ("friday please, it's the door down in the cellar", {"room": "cellar"}),
        ("friday, half an hour at most", {"minutes": 30}),
    ],
)
async def test_a_clause_beside_a_day_answers_the_question_whose_words_or_type_it_has(
    line: str, expected: dict[str, object]
) -> None:
    answers, _ = await told(Visit, line)
    assert answers == {"day": "2026-03-06", **expected}


class Fault(Process, name="fault", version=1):
    """What is broken, what was tried, and what it cost."""

    starts_on = ("report a fault",)

    class Answers(BaseModel):
        shop: str = ask("Where did you buy it?")
        paid: int = ask("What did you pay for it?")
        score: int = ask("How happy were you with it, from 1 to 10?")
        tried: list[str] = ask("What have you tried already?")
        calls: time = ask("When can we call you?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("fault", answers)])


async def test_an_amount_of_money_answers_the_question_for_one() -> None:
    answers, _ = await told(Fault, "it's from Amsel, 129 euros")
    assert answers == {"shop": "Amsel", "paid": 129}


@pytest.mark.parametrize(
    "said",
    [
        "oh and we also tried a different cable",
        "oh and tried a new cable, too",
        "also tried: a different cable",
    ],
)
async def test_what_also_is_comes_to_the_list_without_a_question(said: str) -> None:
    answers, _ = await told(Fault, "Amsel", "129", "7", "a restart", said)
    assert len(answers["tried"]) == 2
    assert answers["tried"][0] == "a restart"
    assert "cable" in answers["tried"][1]


@pytest.mark.parametrize(
    "said", ["we tried a different cable", "not only that, we also never tried a restart"]
)
async def test_what_may_come_to_the_list_or_replace_it_is_asked_about(said: str) -> None:
    answers, _ = await told(Fault, "Amsel", "129", "7", "a restart", said)
    assert answers["tried"] == ["a restart"]


class Snow(Process, name="snow", version=1):
    """Where snow is cleared."""

    starts_on = ("clear my snow",)

    class Answers(BaseModel):
        address: str = ask("Which property is it?")
        metres: int = ask("How many metres of pavement are there?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("snow", answers)])


@pytest.mark.parametrize(
    "said", ["its the corner house at Birkenstr. 40", "Lindenstr. 7b", "the house at Am Hang no. 12"]
)
async def test_the_number_behind_the_point_of_a_street_is_of_the_street(said: str) -> None:
    answers, _ = await told(Snow, said)
    assert set(answers) == {"address"}
    assert answers["address"].rpartition(" ")[2] == said.rpartition(" ")[2]


async def test_a_number_behind_a_sentence_answers_the_question_for_one() -> None:
    answers, _ = await told(Snow, "Lindenstr. 7b, 20 metres")
    assert answers == {"address": "Lindenstr. 7b", "metres": 20}


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("looks good but yesterday should say three tickets, please", {"yesterday": ["three tickets"]}),
        ("ok but blockers should be the vpn", {"blockers": ["the vpn"]}),
        ("yes, but add the printer guy to today", {"today": ["code reviews", "the printer guy"]}),
    ],
)
async def test_a_yes_with_a_change_behind_it_changes_that_and_shows_it_again(
    said: str, changed: dict[str, list[str]]
) -> None:
    answers, reply = await told(Standup, "the invoice export", "code reviews", "none", said)
    assert answers == {"yesterday": ["the invoice export"], "today": ["code reviews"], **changed}
    assert reply.endswith("Is that right?")
