"""Times, moments, lengths of time, money and addresses, as people say them."""

import json
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import pytest
from pydantic import AnyUrl, BaseModel

from softrail.core.outcomes import Done
from softrail.core.people import Person
from softrail.core.turns import Turn
from softrail.processes import Money, Process, ask
from softrail.processes.spoken import (
    length_in_words,
    read_in_units,
    read_length,
    read_moment,
    read_money,
    read_time,
    unit_asked_for,
)
from softrail.processes.unread import Unread
from tests.unit.processes.kit import Talk

EN = "en"
MONDAY = date(2026, 3, 2)
NINE = datetime.combine(MONDAY, time(9), tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("17:30", time(17, 30)),
        ("5pm", time(17)),
        ("at 5 p.m., please", time(17)),
        ("around 7:15 am", time(7, 15)),
        ("07:15", time(7, 15)),
        ("noon", time(12)),
        ("at midnight", time(0)),
        ("half past six in the evening", time(18, 30)),
        ("quarter to 8 in the morning", time(7, 45)),
        ("six o'clock tonight", time(18)),
        ("at 18", time(18)),
        ("20", time(20)),
        ("12:05", time(12, 5)),
        ("12 am", time(0)),
        ("let's say 3 in the afternoon, at 3", time(15)),
        ("17h45", time(17, 45)),
        ("9 in the morning", time(9)),
        ("around eight in the evening", time(20)),
        ("saturday evening around eight", time(20)),
        ("evening, say 8:30", time(20, 30)),
        ("four in the afternoon", time(16)),
        ("10 at night", time(22)),
        ("1 at night", time(1)),
        ("7ish pm", time(19)),
        ("20 past 3 in the afternoon", time(15, 20)),
        ("twenty-five after nine in the morning", time(9, 25)),
        ("5 minutes past 17", time(17, 5)),
    ],
)
def test_a_time_of_day_is_found_in_words(said: str, meant: time) -> None:
    assert read_time(said, EN) == meant


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("half seven", "many_times"),
        ("half 7", "many_times"),
        ("soon", "no_time"),
        ("there are 5 of us", "no_time"),
        ("5pm or 6pm", "many_times"),
        ("25:00", "no_time"),
        ("", "no_time"),
    ],
)
def test_what_names_no_one_time_says_why(said: str, why: str) -> None:
    with pytest.raises(Unread) as unread:
        read_time(said, EN)
    assert unread.value.sentence == why


@pytest.mark.parametrize(
    ("said", "either"),
    [
        ("at 6", ["06:00", "18:00"]),
        ("at eight", ["08:00", "20:00"]),
        ("half past six", ["06:30", "18:30"]),
        ("quarter to nine", ["08:45", "20:45"]),
        ("half ten", ["09:30", "10:30"]),
        ("6:30", ["06:30", "18:30"]),
        ("half seven in the evening", ["18:30", "19:30"]),
        ("5pm or 6pm", ["17:00", "18:00"]),
        ("some time, two and three at night", ["02:00", "03:00"]),
    ],
)
def test_a_time_that_may_be_two_is_both(said: str, either: list[str]) -> None:
    with pytest.raises(Unread) as unread:
        read_time(said, EN)
    assert [option.label for option in unread.value.either] == either


@pytest.mark.parametrize(
    ("said", "question", "meant"),
    [
        ("half past nine", "When should they be here?", time(9, 30)),
        ("ten past eleven", "", time(11, 10)),
        ("20 past 3", "At what time?", time(15, 20)),
        ("8.30 would be perfect", "When will you bring your child in the morning?", time(8, 30)),
        ("half past six", "When do you get up?", time(6, 30)),
        ("eight", "For what time shall I book dinner?", time(20)),
        ("ten", "What time does the evening show begin?", time(22)),
        ("ten in the morning", "What time does the evening show begin?", time(10)),
    ],
)
def test_an_hour_is_of_the_half_of_the_day_that_the_question_names_or_that_people_mean(
    said: str, question: str, meant: time
) -> None:
    assert read_time(said, EN, question=question) == meant


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("ten", "When do you go to bed?"),
        ("nine", "When does your shift end?"),
        ("ten, I work nights", "When can we call?"),
        ("at 7", "At what time?"),
    ],
)
def test_an_hour_that_may_be_of_either_half_is_asked_about(said: str, question: str) -> None:
    with pytest.raises(Unread) as unread:
        read_time(said, EN, question=question)
    assert len(unread.value.either) == 2


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("tomorrow at 5pm", datetime(2026, 3, 3, 17, tzinfo=UTC)),
        ("2026-03-14 09:30", datetime(2026, 3, 14, 9, 30, tzinfo=UTC)),
        ("Friday, half past six in the evening", datetime(2026, 3, 6, 18, 30, tzinfo=UTC)),
        ("at 18:00 on March 15th", datetime(2026, 3, 15, 18, tzinfo=UTC)),
    ],
)
def test_a_moment_has_a_day_and_a_time_in_the_persons_zone(said: str, meant: datetime) -> None:
    assert read_moment(said, NINE, EN) == meant


@pytest.mark.parametrize(
    ("said", "why"), [("tomorrow", "no_time_yet"), ("at 5pm", "no_moment"), ("whenever", "no_moment")]
)
def test_half_a_moment_is_none(said: str, why: str) -> None:
    with pytest.raises(Unread) as unread:
        read_moment(said, NINE, EN)
    assert unread.value.sentence == why


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2 hours", timedelta(hours=2)),
        ("an hour and a half", timedelta(minutes=90)),
        ("two and a half hours", timedelta(minutes=150)),
        ("half an hour", timedelta(minutes=30)),
        ("90 min", timedelta(minutes=90)),
        ("1h30", timedelta(minutes=90)),
        ("1:30 h", timedelta(minutes=90)),
        ("2:15 hours", timedelta(minutes=135)),
        ("three days and 4 hours", timedelta(days=3, hours=4)),
        ("1.5 hours", timedelta(minutes=90)),
        ("a fortnight", timedelta(days=14)),
        ("three quarters of an hour, to be safe", timedelta(minutes=45)),
        ("a quarter of an hour", timedelta(minutes=15)),
        ("an hour and ten", timedelta(minutes=70)),
        ("two hours twenty", timedelta(minutes=140)),
        ("a full day", timedelta(days=1)),
    ],
)
def test_a_length_of_time_is_added_up(said: str, meant: timedelta) -> None:
    assert read_length(said, EN) == meant


@pytest.mark.parametrize(
    ("said", "either"),
    [
        ("10 to 15 minutes", ["10 minutes", "15 minutes"]),
        ("between two and three weeks", ["14 days", "21 days"]),
        ("two or three hours", ["2 hours", "3 hours"]),
        ("a month, maybe two", ["30 days", "60 days"]),
        ("an hour, no, 2 hours", ["1 hour", "2 hours"]),
    ],
)
def test_two_lengths_are_not_added_up_but_offered(said: str, either: list[str]) -> None:
    with pytest.raises(Unread) as unread:
        read_length(said, EN)
    assert unread.value.sentence == "many_lengths"
    assert [option.means for option in unread.value.either] == either


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (timedelta(minutes=90), "1 hour 30 minutes"),
        (timedelta(days=42), "42 days"),
        (timedelta(days=59, hours=12), "59 days 12 hours"),
        (timedelta(days=90), "90 days (3 months)"),
        (timedelta(days=365), "365 days (1 year)"),
        (timedelta(days=540), "540 days (18 months)"),
        (timedelta(days=728), "728 days (about 2 years)"),
        (timedelta(days=730), "730 days (2 years)"),
        (timedelta(days=1001), "1001 days (about 2 years 9 months)"),
    ],
)
def test_many_days_are_told_with_the_months_and_years_that_they_come_to(length: timedelta, told: str) -> None:
    assert length_in_words(length) == told


class Session(BaseModel):
    """Lengths that are asked for as numbers."""

    minutes: int = ask("How long will it be?")
    weeks: float = ask("How many weeks ahead?")
    paid_months: int = ask("For how long?")
    people: int = ask("How many people come to the two hour session?")


class Sessions(Process, name="sessions", version=1):
    """Asks for lengths as numbers."""

    Answers = Session

    async def complete(self, answers: Session, turn: Turn) -> Done:
        return Done(f"{answers.minutes} {answers.weeks} {answers.paid_months} {answers.people}")


async def test_a_length_is_counted_in_the_unit_that_is_asked_for() -> None:
    talk = Talk(Sessions)
    await talk.start()
    await talk.say("three quarters of an hour")
    await talk.say("10 days and 12 hours")
    await talk.say("a whole year")
    await talk.say("25, and all of it in an hour")
    assert (await talk.say("yes")).say == "45 1.5 12 25"


@pytest.mark.parametrize(
    ("question", "said", "many"),
    [
        ("How long is the shelf, in metres?", "80 centimetres", "0.8"),
        ("What does it weigh, in kilograms?", "350 grams", "0.35"),
        ("How much coal, in kilograms?", "half a tonne", "500"),
        ("How tall are you, in centimetres?", "1.85 m", "185"),
        ("How tall are you, in centimetres?", "one metre sixty-two", "162"),
        ("What is your height in inches?", "five foot four", "64"),
        ("How much rice in grams?", "a kilo and a half", "1500"),
        ("How much water, in millilitres?", "a quarter litre", "250"),
        ("How many miles is it?", "a mile and a quarter", "1.25"),
        ("How many nights?", "a week", "7"),
        ("For how many years?", "half a century", "50"),
        ("How long is it, in metres?", "12 metres", None),
        ("What was your bet, in pounds?", "a tenner", None),
    ],
)
def test_what_is_told_in_another_unit_is_counted_in_the_one_that_is_asked_for(
    question: str, said: str, many: str | None
) -> None:
    unit = unit_asked_for(question, "answer", EN)

    assert unit is not None
    assert read_in_units(said, unit, EN) == (Decimal(many) if many is not None else None)


@pytest.mark.parametrize("said", ["long", "5", "0 minutes", "9999999999 days", ""])
def test_no_length_is_none(said: str) -> None:
    with pytest.raises(Unread):
        read_length(said, EN)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("40 euro", Money(amount=Decimal(40), currency="EUR")),
        ("$3.50", Money(amount=Decimal("3.50"), currency="USD")),
        ("about twenty pounds", Money(amount=Decimal(20), currency="GBP")),
        ("1,200 CHF", Money(amount=Decimal(1200), currency="CHF")),
    ],
)
def test_money_has_an_amount_and_a_currency(said: str, meant: Money) -> None:
    assert read_money(said, EN) == meant


@pytest.mark.parametrize("said", ["40", "euro", "40 euro or 30 dollars", "10 euro, 20 euro"])
def test_money_without_one_of_them_is_none(said: str) -> None:
    with pytest.raises(Unread):
        read_money(said, EN)


class Meeting(Process, name="meeting", version=1):
    """Uses every one of them."""

    class Answers(BaseModel):
        at: datetime = ask("When?")
        length: timedelta = ask("How long?")
        lunch: time = ask("When is lunch?")
        fee: Money = ask("What does it cost?")
        page: AnyUrl = ask("Where is it announced?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        assert answers.at.utcoffset() is not None
        return Done(
            f"{answers.at:%d.%m. %H:%M} {answers.length} {answers.lunch} {answers.fee} {answers.page}"
        )


async def test_they_are_asked_for_told_and_kept_as_what_they_are() -> None:
    talk = Talk(Meeting, person=Person(id="p1", email="a@example.org", timezone="Europe/Berlin"))
    await talk.start()
    assert "At what time?" in (await talk.say("tomorrow")).say
    for said in ("tomorrow at 5pm", "an hour and a half", "noon", "40 euro"):
        await talk.say(said)
    summary = (await talk.say("see example.org/meet")).say
    for line in (
        "- At: Tuesday, 3 March 2026, 17:00",
        "- Length: 1 hour 30 minutes",
        "- Lunch: 12:00",
        "- Fee: 40 EUR",
        "- Page: https://example.org/meet",
    ):
        assert line in summary
    assert (await talk.say("yes")).say == "03.03. 17:00 1:30:00 12:00:00 40 EUR https://example.org/meet"


async def test_a_reader_of_an_authors_own_may_want_the_turn_and_may_wait() -> None:
    async def later(words_: str, turn: Turn) -> int:
        if not words_.isdigit():
            raise ValueError("A number, please.")
        return int(words_) + turn.at.year

    class Own(Process, name="own", version=1):
        confirm = False

        class Answers(BaseModel):
            year: int = ask("In how many years?", read=later)

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done(str(answers.year))

    talk = Talk(Own)
    await talk.start()
    assert (await talk.say("x")).say == "A number, please.\n\nIn how many years?"
    assert (await talk.say("4")).say == "2030"


class Visit(Process, name="visit", version=1):
    """A day, and what is to be said about it."""

    class Answers(BaseModel):
        day: date = ask("Which day?")
        others: list[date] = ask("Which other days?", default=[])
        note: str = ask("What for?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    "said",
    [
        "on Friday at 5pm",
        "Friday 17:30",
        "Friday evening",
        "five o'clock on Friday",
        "Friday at 5",
        "Friday noon",
    ],
)
async def test_a_time_said_with_a_day_is_not_dropped_without_a_word(said: str) -> None:
    talk = Talk(Visit)
    await talk.start()

    played = await talk.say(said)

    assert json.loads(talk.instance.data)["answers"] == {"day": "2026-03-06"}
    assert played.say == "I took the day; a time has no place there.\n\nWhich other days?"


class Table(Process, name="table", version=1):
    """A table, whose time is asked for by itself."""

    class Answers(BaseModel):
        """What is asked."""

        day: date = ask("Which day?")
        at: time = ask("At what time?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


async def test_a_time_that_has_a_question_of_its_own_is_not_called_one_without_a_place() -> None:
    talk = Talk(Table)
    await talk.start()

    played = await talk.say("Friday at 7")

    assert played.say == "I took the day; the time I ask for by itself.\n\nAt what time?"


@pytest.mark.parametrize(
    "said",
    ["Friday", "I am free on Friday", "around 6 March", "2026-03-06", "March 6th", "in 4 days", "6.3.2026"],
)
async def test_where_no_time_was_said_nothing_is_said_of_one(said: str) -> None:
    talk = Talk(Visit)
    await talk.start()

    assert (await talk.say(said)).say == ("Which other days?" if said != "6.3.2026" else NOT_CLEAR)


NOT_CLEAR = "Is that Friday, 6 March 2026 or Wednesday, 3 June 2026?\n\nWhich day?"


async def test_a_time_in_a_correction_or_in_a_list_of_days_is_told_too() -> None:
    talk = Talk(Visit)
    await talk.start()
    await talk.say("Friday")

    listed = await talk.say("Monday at noon\nTuesday")
    assert listed.say.startswith("I took the day; a time has no place there.")
    await talk.say("the plumber")
    changed = await talk.say("change day to Saturday at 9 am")

    assert changed.say.startswith("I've changed day. I took the day; a time has no place there.")
    assert json.loads(talk.instance.data)["answers"]["day"] == "2026-03-07"


async def test_a_time_that_another_answer_has_taken_is_not_left_over() -> None:
    talk = Talk(Visit)
    await talk.start()

    played = await talk.say("Day: Friday\nNote: call the plumber at 9 am")

    assert "has no place" not in played.say
    assert json.loads(talk.instance.data)["answers"] == {
        "day": "2026-03-06",
        "note": "call the plumber at 9 am",
    }


class Stay(Process, name="stay", version=1):
    """Asks for the ends of what people tell from one to another, and for a number of people."""

    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        free: time = ask("From when are you free?")
        there: time = ask("Until when are you there?")
        last: date = ask("Until which day do you stay?")
        call: time = ask("When may we call?")
        guests: int = ask("How many guests are there?")
        most: int = ask("How many guests at most?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(" ".join(str(value) for value in answers.model_dump().values()))


async def test_a_range_answers_a_question_for_one_of_its_ends_and_a_bound_a_question_for_a_bound() -> None:
    talk = Talk(Stay)
    await talk.start()
    await talk.say("from two to four in the afternoon")
    await talk.say("from 9 am to 5 pm")
    await talk.say("from the 12th to the 15th of May")
    await talk.say("noon")
    assert (await talk.say("at least five")).say == "Is it exactly 5?\n\nHow many guests are there?"
    await talk.say("5")

    assert (await talk.say("no more than 12")).say == "14:00:00 17:00:00 2026-05-15 12:00:00 5 12"


async def test_a_range_is_asked_about_where_no_end_of_it_is_asked_for() -> None:
    talk = Talk(Stay)
    await talk.start()
    for said in ("1 pm", "5 pm", "6 May"):
        await talk.say(said)

    asked = await talk.say("between 7 and 8 pm")

    assert asked.say.startswith("I found more than one time; which one is it?")
    assert asked.question is not None
    assert [option.label for option in asked.question.options] == ["19:00", "20:00"]
