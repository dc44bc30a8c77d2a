"""Two values in one breath: "from Monday to Friday" answers from when and until when, each as it was meant."""

from datetime import date, datetime, time

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Leave(Process, name="leave", version=1):
    """Days off."""

    starts_on = ("days off",)

    class Answers(BaseModel):
        start: date = ask("From which day are you away?")
        end: date = ask("Until which day?")
        cover: str = ask("Who covers for you?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


class Journey(Process, name="journey", version=1):
    """A journey, with a question between the days."""

    starts_on = ("a journey",)

    class Answers(BaseModel):
        leave: date = ask("When do you want to leave?")
        where: str = ask("Where would you like to go?")
        back: date = ask("When are you coming back?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


class Shift(Process, name="shift", version=1):
    """Hours of work."""

    starts_on = ("hours of work",)

    class Answers(BaseModel):
        begins: time = ask("When do you begin?")
        ends: time = ask("When do you end?")
        where: str = ask("In which shop?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


class Move(Process, name="move", version=1):
    """From one flat to the next."""

    starts_on = ("move house",)

    class Answers(BaseModel):
        origin: str = ask("Which city do you move from?")
        destination: str = ask("Which city do you move to?")
        boxes: int = ask("How many boxes are there?")
        comes: date = ask("Which day shall we come?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        ("from monday to friday", "2026-03-09", "2026-03-13"),
        ("thursday until saturday", "2026-03-05", "2026-03-07"),
        ("friday to monday", "2026-03-06", "2026-03-09"),
        ("3 May to 7 May", "2026-05-03", "2026-05-07"),
        ("3 to 7 May", "2026-05-03", "2026-05-07"),
        ("3-7 May", "2026-05-03", "2026-05-07"),
        ("May 28 till June 2", "2026-05-28", "2026-06-02"),
        ("the 3rd until the 7th of May", "2026-05-03", "2026-05-07"),
        ("between the 3rd and the 7th of may", "2026-05-03", "2026-05-07"),
        ("2026-05-03 to 2026-05-09", "2026-05-03", "2026-05-09"),
        ("I'd like to be away from the 30th of april to 4 may please", "2026-04-30", "2026-05-04"),
    ],
)
async def test_two_days_are_from_when_and_until_when(line: str, start: str, end: str) -> None:
    answers, _ = await told(Leave, line)

    assert answers == {"start": start, "end": end}


async def test_two_days_belong_together_whatever_is_asked_in_between() -> None:
    answers, _ = await told(Journey, "we'd be gone from april 6 to april 13")

    assert answers == {"leave": "2026-04-06", "back": "2026-04-13"}


async def test_what_stands_beside_them_is_read_as_well() -> None:
    answers, _ = await told(Leave, "friday to sunday, Omar does my work")

    assert answers == {"start": "2026-03-06", "end": "2026-03-08", "cover": "Omar"}


@pytest.mark.parametrize(
    ("line", "begins", "ends"),
    [
        ("9 to 11 am", "09:00", "11:00"),
        ("8am-4pm", "08:00", "16:00"),
        ("from 9:30 till 17:00", "09:30", "17:00"),
        ("22:00 to 06:30", "22:00", "06:30"),
    ],
)
async def test_two_times_share_what_is_said_once(line: str, begins: str, ends: str) -> None:
    assert (await told(Shift, line))[0] == {"begins": f"{begins}:00", "ends": f"{ends}:00"}


@pytest.mark.parametrize("line", ["from 9 to 5", "nine to half past five"])
async def test_hours_that_may_be_of_the_morning_or_the_evening_are_asked_for_again(line: str) -> None:
    assert (await told(Shift, line))[0] == {}


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("from Lyon to Porto, roughly forty boxes", {"origin": "Lyon", "destination": "Porto", "boxes": 40}),
        ("Lyon to Porto", {"origin": "Lyon", "destination": "Porto"}),
        (
            "from 14 Mill Lane to 3 Castle Street",
            {"origin": "14 Mill Lane", "destination": "3 Castle Street"},
        ),
        ("we are going from New York to Los Angeles", {"origin": "New York", "destination": "Los Angeles"}),
        ("from Ghent", {"origin": "Ghent"}),
        ("to Porto", {"destination": "Porto"}),
    ],
)
async def test_two_names_are_from_where_and_to_where(line: str, answers: dict[str, object]) -> None:
    assert (await told(Move, line))[0] == answers


async def test_a_deed_after_to_is_no_place() -> None:
    answers, _ = await told(Move, "from Ghent, and I have 20 boxes to carry")

    assert answers["origin"] == "Ghent"
    assert "destination" not in answers


async def test_the_first_of_two_is_changed_where_it_was_another() -> None:
    assert (await told(Move, "Ghent", "from Bruges to Oslo"))[0]["origin"] == "Bruges"
    assert (await told(Leave, "monday", "from tuesday to thursday"))[0] == {
        "start": "2026-03-10",  # of the week of the Monday that it was
        "end": "2026-03-12",
    }


async def test_one_day_among_others_takes_no_second_one() -> None:
    answers, _ = await told(Move, "Ghent", "Oslo", "30", "between monday and friday")

    assert "comes" not in answers, "it is asked which"


class Stay(Process, name="stay", version=1):
    """A room."""

    starts_on = ("book a room",)

    class Answers(BaseModel):
        start: datetime = ask("From when do you stay?")
        end: date = ask("Until which day?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


async def test_a_moment_and_a_day_are_not_held_against_each_other(caplog: pytest.LogCaptureFixture) -> None:
    answers, words = await told(Stay, "from friday at 5pm to monday")

    assert "end" not in answers
    assert "?" in words, "it is asked for"
    assert "could not read" not in caplog.text


async def test_days_of_a_week_that_is_told_before_them_are_asked_for() -> None:
    answers, words = await told(Leave, "the week after next, monday to thursday")

    assert answers == {}
    assert "more than one date" in words
