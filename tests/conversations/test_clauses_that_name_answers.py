"""One message tells several answers, clause by clause, and calls them by their names."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.processes.builtin.standup import Standup
from tests.conversations.kept import told


class Visit(Process, name="visit", version=1):
    """A visit at the doctor's."""

    starts_on = ("report a visit",)

    class Answers(BaseModel):
        complaint: str = ask("What is the complaint?")
        treatment: str = ask("Which treatment was given?")
        medicines: list[str] = ask("Which medicines were prescribed?", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("visit", answers)])


class Pitch(Process, name="pitch", version=1):
    """A product."""

    starts_on = ("pitch a product",)

    class Answers(BaseModel):
        description: str = ask("What does it do?")
        name: str = ask("What is it called?")
        audience: str = ask("Who is it for?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("pitch", answers)])


@pytest.mark.parametrize(
    ("said", "yesterday", "today"),
    [
        ("yesterday I met the landlord, today I call the bank", "met the landlord", "call the bank"),
        ("Yesterday I paid the rent. Today I'll call the bank.", "paid the rent", "call the bank"),
        ("painted the sign, and today the shelves", "painted the sign", "the shelves"),
        (
            "sorted the invoices yesterday and today I start the flyer",
            "sorted the invoices",
            "start the flyer",
        ),
        ("Yesterday: invoices. Today: flyer.", "invoices", "flyer"),
        ("yesterday: invoices, today: flyer", "invoices", "flyer"),
        ("fixed the heating; today: windows; no blockers", "fixed the heating", "windows"),
    ],
)
async def test_a_standup_is_told_in_one_breath(said: str, yesterday: str, today: str) -> None:
    answers, _ = await told(Standup, said)
    assert answers == {"yesterday": [yesterday], "today": [today]}


async def test_a_clause_without_a_name_goes_where_it_surely_belongs() -> None:
    answers, _ = await told(Standup, "done with the audit; today: payroll; blocked by the printer")
    assert answers == {
        "yesterday": ["done with the audit"],
        "today": ["payroll"],
        "blockers": ["blocked by the printer"],
    }


@pytest.mark.parametrize(
    ("process", "said", "expected"),
    [
        (
            Visit,
            "complaint is a sore knee, treatment was ice and rest",
            {"complaint": "a sore knee", "treatment": "ice and rest"},
        ),
        (
            Visit,
            "a stiff neck, and the treatment was a massage, medicines ibuprofen and a muscle relaxant",
            {
                "complaint": "a stiff neck",
                "treatment": "a massage",
                "medicines": ["ibuprofen", "a muscle relaxant"],
            },
        ),
        (
            Pitch,
            "it prints labels, the name is Labello and the audience is small shops",
            {"description": "it prints labels", "name": "Labello", "audience": "small shops"},
        ),
    ],
)
async def test_so_are_the_answers_of_any_process(
    process: type[Process], said: str, expected: dict[str, object]
) -> None:
    answers, _ = await told(process, said)
    assert answers == expected


async def test_what_there_is_none_of_is_not_asked() -> None:
    answers, _ = await told(Visit, "headaches since Monday, no medicines so far")
    assert answers == {"complaint": "headaches since Monday"}

    _, words = await told(Visit, "headaches since Monday, no medicines so far", "ice and rest")
    assert "medicines" not in words


@pytest.mark.parametrize(
    ("process", "said", "open_answer"),
    [
        (Visit, "she complains about her treatment by the neighbours", "complaint"),
        (Visit, "pain in the back after the treatment in March", "complaint"),
        (Pitch, "prints stamps with a date and a name", "description"),
    ],
)
async def test_a_name_that_is_a_word_of_an_answer_calls_nothing(
    process: type[Process], said: str, open_answer: str
) -> None:
    answers, _ = await told(process, said)
    assert list(answers) == [open_answer]


class Errand(Process, name="errand", version=1):
    """An errand; each of its answers is called by a word that people need for other things."""

    starts_on = ("plan an errand",)

    class Answers(BaseModel):
        plan: str = ask("What is the plan?")
        note: str = ask("Any note?")
        date: str = ask("When is it?")
        price: str = ask("What does it cost?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("fetch the chairs, the price is 40 euros", {"plan": "fetch the chairs", "price": "40 euros"}),
        (
            "fetch the chairs, note: the lift is broken, price: 40",
            {"plan": "fetch the chairs", "note": "the lift is broken", "price": "40"},
        ),
    ],
)
async def test_what_a_clause_calls_is_kept_without_asking_where_it_belongs(
    said: str, expected: dict[str, object]
) -> None:
    answers, _ = await told(Errand, said)
    assert answers == expected


@pytest.mark.parametrize(
    ("process", "said", "open_answer"),
    [
        (Visit, "headaches, the treatment for my back goes on", "complaint"),
        (Visit, "a rash since the new medicines, and the treatment room was cold", "complaint"),
        (Visit, "a cough, medicines cabinet was empty", "complaint"),
        (Pitch, "sells seeds, the audience grows every year", "description"),
        (Standup, "shipped the audit, today board looks fine", "yesterday"),
        (Errand, "ask for the price and the date of delivery", "plan"),
        (Errand, "get the keys and leave a note on the door", "plan"),
        (Errand, "call the landlord, name the problems and agree on a date", "plan"),
    ],
)
async def test_a_clause_that_says_more_than_an_answer_is_cut_off_nothing(
    process: type[Process], said: str, open_answer: str
) -> None:
    answers, _ = await told(process, said)
    kept = answers[open_answer]
    assert answers == {open_answer: [said] if isinstance(kept, list) else said}


async def test_names_of_answers_within_one_cut_off_nothing() -> None:
    said = "collects votes, audience questions and names of speakers"
    answers, words = await told(Pitch, said)
    assert answers == {"description": said}
    assert f"Description: {said}" in words


async def test_where_a_clause_may_belong_to_two_answers_nothing_of_it_is_lost() -> None:
    answers, words = await told(Standup, "cleaned up, the blockers board is new")

    assert answers == {}
    assert "Where does “the blockers board is new” belong?" in words
