"""What people say who name a bound, a range, a choice or what it is not, in several voices: written before any of it was read.

Each line is a question, what is said, and what is meant: the value, `Either` what is asked about on buttons, or `ASKED`:
nothing may be stored. What only hedges one value is that value; what the question asks for is its answer.
"""

from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any, Final

from tests.unit.processes.spoken import Either
from tests.unit.processes.voices import ASKED

LINES: Final[dict[str, list[tuple[str, str, Any]]]] = {
    "time": [
        ("What time shall we come?", "after 5 pm", Either(("17:00",))),
        ("What time shall we come?", "anytime after half past four in the afternoon", Either(("16:30",))),
        ("What time shall we come?", "not before noon", Either(("12:00",))),
        ("What time shall we come?", "no later than 9am please", Either(("09:00",))),
        ("What time shall we come?", "16:00 at the earliest", Either(("16:00",))),
        ("What time shall we come?", "from 14:30 onwards", Either(("14:30",))),
        ("What time shall we come?", "until 8 in the evening", Either(("20:00",))),
        ("What time shall we come?", "between 2pm and 4pm", Either(("14:00", "16:00"))),
        ("What time shall we come?", "either 17:00 or 18:00", Either(("17:00", "18:00"))),
        ("What time shall we come?", "any time except 13:00", ASKED),
        ("What time shall we come?", "3 pm or later", Either(("15:00",))),
        ("What time shall we come?", "just after 6 pm", time(18)),
        ("What time shall we come?", "not at 3pm, at 4pm", time(16)),
        ("What time shall we come?", "after school, say 15:45", time(15, 45)),
        ("What time shall we come?", "not before 6pm, make it half six in the evening", ASKED),
        ("From what time are you in?", "after 5pm", time(17)),
        ("From what time are you in?", "not before ten in the morning", time(10)),
        ("Until when may we call?", "no later than 21:00", time(21)),
        ("Until when may we call?", "till nine at night", time(21)),
        ("By what time must it be there?", "before 7 am", time(7)),
    ],
    "date": [
        ("Which day suits you?", "no earlier than the 3rd", Either(("2026-12-03",))),
        ("Which day suits you?", "by Friday", Either(("2026-11-27",))),
        ("Which day suits you?", "by Thursday, maybe Friday", Either(("2026-11-26", "2026-11-27"))),
        ("Which day suits you?", "anything but Friday", ASKED),
        ("Which day suits you?", "not Monday", ASKED),
        ("Which day suits you?", "any day except the 14th", ASKED),
        ("Which day suits you?", "not Tuesday but Wednesday", date(2026, 12, 2)),
        ("Which day suits you?", "after the 10th of December", Either(("2026-12-10",))),
        ("Which day suits you?", "Monday at the latest", Either(("2026-11-30",))),
        ("Which day suits you?", "from Tuesday on", Either(("2026-12-01",))),
        ("Which day suits you?", "the 9th or the 10th, let's say the 10th", date(2026, 12, 10)),
        ("Which day suits you?", "around the 12th", date(2026, 12, 12)),
        ("Which day suits you?", "in about a fortnight", date(2026, 12, 9)),
        ("Which day suits you?", "Dec 3 or 4", Either(("2026-12-03", "2026-12-04"))),
        ("When is it due?", "by Friday", date(2026, 11, 27)),
        ("When must it be finished?", "no later than the 20th of December", date(2026, 12, 20)),
        ("By when do you need it?", "before the 20th", Either(("2026-12-20",))),
        ("From which day are you free?", "from Monday", date(2026, 11, 30)),
        ("From which day are you free?", "not before next Tuesday", date(2026, 12, 1)),
        ("From which day are you free?", "by Friday", Either(("2026-11-27",))),
    ],
    "number": [
        ("How many people are coming?", "ten at most", Either(("10",))),
        ("How many people are coming?", "two or three", Either(("2", "3"))),
        ("How many people are coming?", "between 20 and 30", Either(("20", "30"))),
        ("How many people are coming?", "fewer than a dozen", Either(("12",))),
        ("How many people are coming?", "no less than 8", Either(("8",))),
        ("How many people are coming?", "15 max", Either(("15",))),
        ("How many people are coming?", "20 tops, so 20", Decimal(20)),
        ("How many people are coming?", "anything but 13", ASKED),
        ("How many people are coming?", "not 14 but 40", Decimal(40)),
        ("How many people are coming?", "around 40", Decimal(40)),
        ("How many people are coming?", "say ten", Decimal(10)),
        ("How many people are coming?", "six or seven, call it seven", Decimal(7)),
        ("How many people are coming?", "a hundred, give or take", Decimal(100)),
        ("How many people are coming?", "30 or more", Either(("30",))),
        ("How many at most?", "at most ten", Decimal(10)),
        ("How many at most?", "not more than 12", Decimal(12)),
        ("How many at most?", "at least 4", Either(("4",))),
        ("How many do you need at least?", "no fewer than 6", Decimal(6)),
    ],
    "length": [
        ("How long will it take?", "about a fortnight", timedelta(14)),
        ("How long will it take?", "at least two hours", Either(("2 hours",))),
        ("How long will it take?", "less than 45 minutes", Either(("45 minutes",))),
        ("How long will it take?", "half an hour at the most", Either(("30 minutes",))),
        ("How long may it take at most?", "90 minutes tops", timedelta(minutes=90)),
    ],
    "money": [
        ("What did it cost?", "over 200 euro", Either(("200 EUR",))),
        ("What did it cost?", "roughly 40 pounds", "40 GBP"),
        ("What is your budget?", "up to 50 dollars", "50 USD"),
    ],
}
