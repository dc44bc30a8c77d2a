"""What is said around a value: a hedge leaves it, a bound is asked about unless it is asked for, what is left out is none."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from softrail.core.outcomes import Done
from softrail.core.people import Person
from softrail.core.turns import Turn
from softrail.processes import Money, Process, ask
from softrail.processes.readers import Reading, reader_for
from softrail.processes.spoken import whole
from softrail.processes.unread import Unread
from tests.unit.processes import bounds, spoken, voices
from tests.unit.processes.kit import Talk

TYPES: Final[dict[str, Any]] = {
    "time": time,
    "date": date,
    "number": Decimal,
    "length": timedelta,
    "money": Money,
}
TURN: Final = Turn(
    id="t",
    session_id="s",
    seq=1,
    person=Person(id="p", email="p@example.com"),
    message="",
    at=datetime.combine(spoken.TODAY, time(9), tzinfo=UTC),
)


def read(kind: str, question: str, said: str) -> Any:
    """The value, what is asked about, or why nothing is."""
    reader = reader_for(TYPES[kind])
    assert reader is not None
    try:
        return reader.read(said, Reading.of(TURN).asked(question, "answer"))
    except Unread as unread:
        either = tuple(one.value or one.label for one in unread.either)
        return spoken.Either(either) if either else unread.sentence


LINES: Final = [(kind, *line) for kind, lines in bounds.LINES.items() for line in lines]


@pytest.mark.parametrize(("kind", "question", "said", "meant"), LINES)
def test_a_bound_is_the_value_only_where_it_is_asked_for(
    kind: str, question: str, said: str, meant: Any
) -> None:
    found = read(kind, question, said)

    if meant == voices.ASKED:
        assert isinstance(found, str | spoken.Either)
    else:
        assert (str(found) if kind == "money" and not isinstance(found, spoken.Either) else found) == meant


LOWER: Final = (
    "at least {}",
    "no fewer than {}",
    "not less than {}",
    "{} or more",
    "{} at the very least",
    "min {}",
)
UPPER: Final = (
    "at most {}",
    "no more than {}",
    "up to {}",
    "{} max",
    "{} tops",
    "fewer than {}",
    "won't be more than {}",
)


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(st.integers(1, 900), st.sampled_from(["", " of us", " people"]), st.booleans())
def test_every_bound_of_a_number_is_asked_about_and_answers_the_question_for_its_end(
    number: int, behind: str, spelled: bool
) -> None:
    for asked, other, forms in (
        ("How many at least?", "How many at most?", LOWER),
        ("How many at most?", "How many at least?", UPPER),
    ):
        for form in forms:
            said = form.format(f"{spoken.spelled(number) if spelled else number}{behind}")
            assert read("number", asked, said) == number
            for question in (other, "How many come?"):
                assert read("number", question, said) == spoken.Either((f"{number}",))


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(
    st.integers(13, 23),
    st.sampled_from(["after {}", "from {} on", "not before {}", "{} or later", "{} at the earliest"]),
    st.sampled_from(["before {}", "until {}", "no later than {}", "{} at the latest"]),
)
def test_every_bound_of_a_time_is_asked_about_and_answers_the_question_for_its_end(
    hour: int, lower: str, upper: str
) -> None:
    at, asked = f"{hour}:00", spoken.Either((f"{hour}:00",))

    assert read("time", "At what time?", lower.format(at)) == asked
    assert read("time", "At what time?", upper.format(at)) == asked
    assert read("time", "From when?", lower.format(at)) == time(hour)
    assert read("time", "Until when?", upper.format(at)) == time(hour)
    assert read("time", "From when?", upper.format(at)) == asked
    assert read("time", "Until when?", lower.format(at)) == asked


@pytest.mark.parametrize(
    ("kind", "said", "meant"),
    [
        ("time", "before noon, at eleven", time(11)),
        ("time", "at 11, before noon", time(11)),
        ("date", "not before the 1st, the 3rd would be good", date(2026, 12, 3)),
        ("number", "more than ten, twelve I think", Decimal(12)),
        ("number", "twelve, 15 at most", Decimal(12)),
        ("number", "12, but fewer than 10 stay", spoken.Either(("12", "10"))),
    ],
)
def test_a_value_within_the_bounds_beside_it_is_meant(kind: str, said: str, meant: Any) -> None:
    assert read(kind, "What is it?", said) == meant


@pytest.mark.parametrize(
    ("kind", "said", "meant"),
    [
        ("date", "not Monday or Tuesday", "left_aside"),
        ("date", "any day but Monday and Tuesday", "left_aside"),
        ("date", "not Monday, Tuesday", date(2026, 12, 1)),
        ("date", "Tuesday rather than Monday", date(2026, 12, 1)),
        ("date", "Thursday until Saturday", spoken.Either(("2026-11-26", "2026-11-28"))),
        ("date", "never on a Monday", "left_aside"),
        ("date", "any day after the 10th", spoken.Either(("2026-12-10",))),
        ("date", "within a week", spoken.Either(("2026-12-02",))),
        ("date", "I'd rather come Friday than Saturday", date(2026, 11, 27)),
        ("date", "Saturday works, I can't make it Friday", spoken.Either(("2026-11-27", "2026-11-28"))),
        ("length", "longer than two hours", spoken.Either(("2 hours",))),
        ("number", "could you bump it up to 39", Decimal(39)),
        ("number", "raise the limit up to 50", Decimal(50)),
        ("number", "no older than 12", spoken.Either(("12",))),
        ("date", "why not Friday", date(2026, 11, 27)),
        ("time", "not at 3pm", "left_aside"),
        ("number", "not only 5", Decimal(5)),
        ("number", "everything but 13", "left_aside"),
    ],
)
def test_what_is_left_out_is_not_meant(kind: str, said: str, meant: Any) -> None:
    assert read(kind, "Which one?", said) == meant


@pytest.mark.parametrize(
    ("kind", "message", "marked", "all_of_it"),
    [
        ("time", "we could come after 5 pm I think", "5 pm", "after 5 pm"),
        ("time", "well, not before 9am please", "9am", "not before 9am"),
        ("date", "it is fine by Friday for us", "Friday", "by Friday"),
        ("date", "any day but the monday", "monday", "any day but the monday"),
        ("number", "there are ten people at most I guess", "ten", "ten people at most"),
        ("number", "just over ten", "ten", "ten"),
    ],
)
def test_a_place_is_widened_by_what_is_said_around_the_value(
    kind: str, message: str, marked: str, all_of_it: str
) -> None:
    start = message.index(marked)

    begin, end = whole(message, start, start + len(marked), kind, "en", "How many?")

    assert message[begin:end] == all_of_it


class Visit(Process, name="visit", version=1):
    """A visit, and what it may cost."""

    class Answers(BaseModel):
        """What is asked."""

        at: time = ask("At what time shall we come?")
        day: date = ask("Which day suits you?")
        price: Money = ask("What did the last one cost?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.at} {answers.day} {answers.price}")


async def test_a_bound_is_asked_back_with_its_value_on_a_button_which_is_then_kept() -> None:
    talk = Talk(Visit)
    await talk.start()

    asked = await talk.say("after 5 pm")
    assert asked.say == "Is it exactly 17:00?\n\nAt what time shall we come?"
    assert asked.question is not None
    assert [option.label for option in asked.question.options] == ["17:00"]
    await talk.say("17:00")

    assert (await talk.say("anything but Friday")).say == (
        "Not Friday, 6 March 2026, then. What is it instead?\n\nWhich day suits you?"
    )
    await talk.say("Thursday")
    assert (await talk.say("over 200 euro")).say == "Is it exactly 200 EUR?\n\nWhat did the last one cost?"

    shown = (await talk.say("200 EUR")).say
    assert "- At: 17:00\n- Day: Thursday, 5 March 2026\n- Price: 200 EUR" in shown
