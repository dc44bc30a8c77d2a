"""The grammar of what people say for a number, an amount, a length, a time of day and a day, each wording with its value.

Every table crosses the kinds of wordings with some values. A value is what is stored; `Either` what is asked about, on
buttons; `NONE` says that nothing may be read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal

TODAY = date(2026, 11, 25)  # a Wednesday
NONE = None


@dataclass(frozen=True)
class Either:
    """One of these is meant, and nobody can tell which."""

    labels: tuple[str, ...]


TENS = {
    20: "twenty",
    30: "thirty",
    40: "forty",
    50: "fifty",
    60: "sixty",
    70: "seventy",
    80: "eighty",
    90: "ninety",
}
SMALL = dict(
    enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
)
ORDINALS = dict(
    enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        1,
    )
)
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def spelled(number: int, hyphen: str = "-") -> str:
    """A number below a million in words."""
    if number < 20:
        return SMALL[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return TENS[tens * 10] + (f"{hyphen}{SMALL[rest]}" if rest else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{SMALL[hundreds]} hundred" + (f" and {spelled(rest, hyphen)}" if rest else "")
    thousands, rest = divmod(number, 1000)
    joint = " and " if 0 < rest < 100 else " "
    return f"{spelled(thousands, hyphen)} thousand" + (f"{joint}{spelled(rest, hyphen)}" if rest else "")


def ordinal(day: int) -> str:
    """A day of a month in words."""
    if day in ORDINALS:
        return ORDINALS[day]
    tens, rest = divmod(day, 10)
    return "thirtieth" if day == 30 else f"{TENS[tens * 10]} {ORDINALS[rest]}"


def numbers() -> Iterator[tuple[str, Decimal | Either | None]]:
    """What is said to a question for a number."""
    for many in (3, 14, 40, 45, 88, 100, 101, 250, 999, 1200, 3456, 90_000, 120_005):
        yield f"{many}", Decimal(many)
        yield f"{many:,}", Decimal(many)
        yield f"about {many} I think", Decimal(many)
        for hyphen in "- ":
            yield spelled(many, hyphen), Decimal(many)
            yield f"just over {spelled(many, hyphen)}, roughly", Decimal(many)
    for said, meant in {
        **{f"{SMALL[n]} hundred": n * 100 for n in (2, 9, 12, 15, 19)},
        **{
            f"{many}{mark}": many * size
            for many in (2, 90)
            for mark, size in (("k", 1000), (" grand", 1000), (" thousand", 1000), (" million", 1_000_000))
        },
        **{
            f"{word} {unit}": many * size
            for word, many in (("a", 1), ("one", 1), ("two", 2), ("ten", 10))
            for unit, size in (
                ("hundred", 100),
                ("thousand", 1000),
                ("dozen", 12),
                ("million", 1_000_000),
                ("grand", 1000),
            )
        },
        "a couple": 2,
        "a couple of hundred": 200,
        "a couple thousand": 2000,
        "a couple of dozen": 24,
        "half a dozen": 6,
        "half a million": 500_000,
        "a million and a half": 1_500_000,
        "two and a half thousand": 2500,
        "one and a half million": 1_500_000,
        "1.5 million": 1_500_000,
        "90 000": 90_000,
        "1 250 000": 1_250_000,
        "1'200": 1200,
        "a fiver": 5,
        "a tenner": 10,
        "two tenners": 20,
        "minus five": -5,
        "minus 5": -5,
        "nineteen eighty eight": 1988,
        "twenty twelve": 2012,
        "the seven one should do": 7,
        "near a hundred in my father's day": 100,
        "just clicked over ninety thousand": 90_000,
    }.items():
        yield said, Decimal(meant)
    for said, parts in {
        "two and a half": "2.5",
        "one point five": "1.5",
        "three point two five": "3.25",
        "point five": "0.5",
        "three and a quarter": "3.25",
        "four and three quarters": "4.75",
        "2 1/2": "2.5",
        "2½": "2.5",
        "half a litre": "0.5",
        "3 and a half metres": "3.5",
        "1,5": "1.5",
        "0.125": "0.125",
    }.items():
        yield said, Decimal(parts)
    yield "1.200", Either(("1200", "1.200"))
    yield "12.000", Either(("12000", "12.000"))
    yield "two fifty", Either(("250", "2.50"))
    yield "one twenty", Either(("120", "1.20"))
    yield "three or four", Either(("3", "4"))
    yield "seven, no eight", Either(("7", "8"))
    yield "me and two friends", Either(("3", "2"))
    yield "eight adults plus my gran", Either(("9", "8"))
    yield "me plus 3", Either(("4", "3"))
    for said in (
        "a few",
        "a few hundred",
        "several thousand",
        "dozens",
        "hundreds of people",
        "twenty to four",
        "20 to 4",
        "quarter past 3",
        "half past seven",
        "at 7pm",
        "7 o'clock",
        "at 7:30",
        "two thirds of us",
        "a third of the twelve",
        "the second saturday in january",
        "on the 3rd of may",
        "April 12th",
        "12 April",
        "two weeks ago",
        "a year ago, or 2 years ago",
        "in 3 days",
        "5 minutes ago",
        "a good two decades",
        "flat 4",
        "12 Mill Lane",
        "apartment 3",
        "no one",
        "this one",
        "one moment",
    ):
        yield said, NONE


def money() -> Iterator[tuple[str, str | None]]:
    """What is said for an amount and its currency."""
    for many in (1, 5, 20, 45, 250, 1200):
        yield f"{spelled(many)} pounds", f"{many} GBP"
        yield f"£{many}", f"{many} GBP"
        yield f"{many} euro", f"{many} EUR"
        yield f"about {many} quid", f"{many} GBP"
        yield f"£{many}.50", f"{many}.50 GBP"
        yield f"{many} euros 50", f"{many}.50 EUR"
        yield f"{spelled(many)} dollars fifty", f"{many}.50 USD"
        yield f"{many} dollars and 5 cents", f"{many}.05 USD"
    yield from {
        "two grand in euros": "2000 EUR",
        "$5k": "5000 USD",
        "$2m": "2000000 USD",
        "€1.200": "1200 EUR",
        "1.200,50 €": "1200.50 EUR",
        "1,200.50 €": "1200.50 EUR",
        "a pound": "1 GBP",
        "a couple of hundred dollars": "200 USD",
        "half a million euro": "500000 EUR",
        "a few pounds": NONE,
        "a few hundred pounds": NONE,
        "forty": NONE,
    }.items()


def lengths() -> Iterator[tuple[str, timedelta | Either | None]]:
    """What is said for a length of time."""
    for many in (2, 5, 12, 25, 45, 90, 120):
        for unit in ("minute", "hour", "day", "week"):
            meant = timedelta(**{f"{unit}s": many})
            yield f"{many} {unit}s", meant
            yield f"{spelled(many)} {unit}s", meant
            yield f"{spelled(many, ' ')} {unit}s or so", meant
    half = timedelta(minutes=30)
    for many in (1, 2, 3):
        hours = timedelta(hours=many)
        word = SMALL[many]
        yield f"{word} and a half hours", hours + half
        yield f"{many}½ hours", hours + half
        yield f"{many} 1/2 hours", hours + half
        yield f"{many}.5 hours", hours + half
        yield f"{many}h30", hours + half
        yield f"{many}h 30m", hours + half
        yield f"{many} hr 30", hours + half
        yield f"{word} hours and a quarter", hours + half / 2
        yield f"{word} hours twenty five", hours + timedelta(minutes=25)
        yield f"{word} hours and forty-five minutes", hours + timedelta(minutes=45)
    others: dict[str, timedelta | Either | None] = {
        "an hour": 2 * half,
        "an hour and a half": 3 * half,
        "an hour and twenty": timedelta(minutes=80),
        "half an hour": half,
        "three quarters of an hour": timedelta(minutes=45),
        "3/4 of an hour": timedelta(minutes=45),
        "a quarter of an hour": half / 2,
        "a couple of hours": 4 * half,
        "half a day": timedelta(hours=12),
        "a week and a half": timedelta(days=10, hours=12),
        "a fortnight": timedelta(days=14),
        "one year": timedelta(days=365),
        "24 months": timedelta(days=720),
        "half a year": timedelta(days=183),
        "a year and a half": timedelta(days=548),
        "two and a half years": timedelta(days=913),
        "a couple of months": timedelta(days=60),
        "a year and two months": timedelta(days=425),
        "two months and a week": timedelta(days=67),
        "18 months to start with": timedelta(days=540),
        "six months or a year": Either(("180 days", "365 days")),
        "twenty minutes, or thirty": Either(("20 minutes", "30 minutes")),
        "an hour and three quarters": timedelta(minutes=105),
        "45 min to an hour": Either(("45 minutes", "1 hour")),
        "one week, maybe ten days": Either(("7 days", "10 days")),
        "a day or two": Either(("1 day", "2 days")),
        "2-3 hours": Either(("2 hours", "3 hours")),
        "two to three hours": Either(("2 hours", "3 hours")),
        "a few hours": NONE,
        "an hour, no, two hours": Either(("1 hour", "2 hours")),
        "at 5": NONE,
    }
    yield from others.items()


def _either(early: time) -> time | Either:
    """What an hour without its half of the day is, that of the morning: nine to eleven are of it."""
    if 9 <= early.hour <= 11:
        return early
    return Either((f"{early:%H:%M}", f"{early.replace(hour=early.hour + 12):%H:%M}"))


def times() -> Iterator[tuple[str, time | Either | None]]:
    """What is said for a time of day."""
    parts = {
        "in the morning": 0,
        "this morning": 0,
        "am": 0,
        "a.m.": 0,
        "in the evening": 12,
        "tonight": 12,
        "pm": 12,
    }
    for hour in (6, 7, 9, 10):
        word = SMALL[hour]
        for part, later in parts.items():
            at = hour + later
            whole, before = time(at), time(at - 1, 45)
            yield f"{hour} {part}", whole
            yield f"at {word} {part}", whole
            yield f"{hour}:45 {part}", time(at, 45)
            yield f"{hour}.45 {part}", time(at, 45)
            yield f"half past {word} {part}", time(at, 30)
            yield f"quarter past {hour} {part}", time(at, 15)
            yield f"a quarter to {word} {part}", before
            yield f"{word} thirty {part}", time(at, 30)
            yield f"{word} forty-five {part}", time(at, 45)
            yield f"{word} oh five {part}", time(at, 5)
            yield f"twenty to {word} {part}", time(at - 1, 40)
            yield f"twenty five to {hour} {part}", time(at - 1, 35)
            yield f"20 to {hour} {part}", time(at - 1, 40)
            yield f"ten past {word} {part}", time(at, 10)
            yield f"5 minutes to {hour} {part}", time(at - 1, 55)
            yield f"ten till {word} {part}", time(at - 1, 50)
            if part.startswith(("in", "this", "tonight")):
                yield f"{word} o'clock {part}", whole
                yield f"{hour}ish {part}", whole
                yield f"around {word}ish {part}", whole
        both = _either(time(hour))
        for said in (
            f"{hour}",
            word,
            f"at {hour}",
            f"around {word}",
            f"{hour}ish",
            f"{word}-ish",
            f"say {word}",
            f"{word} o'clock",
        ):
            yield said, both
        yield f"{word} thirty", _either(time(hour, 30))
        yield f"at {word} fifteen", _either(time(hour, 15))
        yield f"twenty to {word}", _either(time(hour - 1, 40))
        halves = (f"{hour - 1:02}:30", f"{hour:02}:30")
        late = (f"{hour + 11:02}:30", f"{hour + 12:02}:30")
        yield f"half {word}", Either(halves if hour == 10 else (*halves, *late))
        yield f"half {word} in the morning", Either((f"{hour - 1:02}:30", f"{hour:02}:30"))
        yield f"before work, so {hour}.45", time(hour, 45)
        yield f"after work, {hour}.30", time(hour + 12, 30)
        yield f"{word} after dinner", time(hour + 12)
        yield f"{word}, before breakfast", time(hour)
        yield f"tomorrow morning, {hour}", time(hour)
        yield f"good morning! at {word} please", both
        yield f"not before work, {hour}", both
    for hour in (13, 17, 20):
        yield f"at {hour}", time(hour)
        yield f"{hour}:30", time(hour, 30)
        yield f"{hour}h30", time(hour, 30)
        yield f"{hour}30", time(hour, 30)
        yield f"{SMALL.get(hour, TENS.get(hour))} thirty", time(hour, 30)
        yield f"ten past {hour}", time(hour, 10)
    more: dict[str, time | Either | None] = {
        "0745": time(7, 45),
        "quarter to 12 in the morning": time(11, 45),
        "twenty to twelve at night": time(23, 40),
        "ten to twelve": time(11, 50),
        "at three": time(15),
        "half past one": time(13, 30),
        "ten, I work nights": Either(("10:00", "22:00")),
        "ten to one in the afternoon": time(12, 50),
        '1 o"clock in the afternoon': time(13),
        "at 9 before noon": time(9),
        "noon": time(12),
        "12 noon": time(12),
        "midnight": time(0),
        "12:15": time(12, 15),
        "half past twelve": time(12, 30),
        "3 in the afternoon": time(15),
        "twenty to four in the afternoon": time(15, 40),
        "nine at night": time(21),
        "two at night": time(2),
        "5pm or 6pm": Either(("17:00", "18:00")),
        "8 or 9 in the evening": Either(("20:00", "21:00")),
        "seven-thirty in the evening": time(19, 30),
        "at five, so half past": NONE,
        "five minutes to midnight": time(23, 55),
        "between half past six and seven in the evening": Either(("18:30", "19:00")),
        "quarter past": NONE,
        "there are seven of us": NONE,
        "in 5 minutes": NONE,
        "at 12 Mill Lane": NONE,
        "flat 7": NONE,
        "in the morning": NONE,
        "between 7 and 8 pm": Either(("19:00", "20:00")),
        "7 to 9 pm": Either(("19:00", "21:00")),
        "7-9pm": Either(("19:00", "21:00")),
        "from ten to four": Either(("04:00", "10:00", "16:00", "22:00")),
        "between 7 and 8": Either(("07:00", "08:00", "19:00", "20:00")),
    }
    yield from more.items()


def days() -> Iterator[tuple[str, date | Either | None]]:
    """What is said for a day to come."""
    for day, month in ((3, 4), (12, 6), (21, 9), (22, 12), (30, 1)):
        name = MONTHS[month - 1]
        meant = date(2026 + (month < 12), month, day)
        mark = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day // 10 != 1 else 0, "th")
        for said in (
            f"{day} {name}",
            f"{name} {day}",
            f"the {day}{mark} of {name}",
            f"{name[:3]} {day}{mark}",
            f"{ordinal(day)} of {name}",
            f"{name} the {ordinal(day)}",
            f"{ordinal(day)} {name.lower()}",
        ):
            yield said, meant
            for year in ("2028", "twenty twenty eight", "two thousand and twenty eight", "'28"):
                yield f"{said} {year}", meant.replace(year=2028)
            yield f"{said}, 2028", meant.replace(year=2028)
        yield f"2028-{month:02}-{day:02}", date(2028, month, day)
        yield f"2028/{month:02}/{day:02}", date(2028, month, day)
        if day > 12:
            yield f"{day}/{month}/28", date(2028, month, day)
            yield f"{day}.{month}.2028", date(2028, month, day)
            yield f"{day}-{month}-2028", date(2028, month, day)
            yield f"{day} {month:02} 2028", date(2028, month, day)
    for name in WEEKDAYS:
        at = WEEKDAYS.index(name)
        following = TODAY + timedelta((at - 3) % 7 + 1)
        week = timedelta(7)
        for said in (
            name,
            f"on {name}",
            f"this coming {name}",
            f"{name[:3].lower()} after work",
            f"{name} before lunch",
        ):
            yield said, following
        for said in (
            f"a week on {name}",
            f"{name} week",
            f"a week from {name}",
            f"week on {name}",
            f"a week this {name}",
            f"1 week on {name}",
        ):
            yield said, following + week
        for said in (
            f"two weeks on {name}",
            f"a fortnight on {name}",
            f"{name} fortnight",
            f"2 weeks from {name}",
        ):
            yield said, following + 2 * week
        yield f"{name} the week after next", TODAY + timedelta(14 + at - 2)
        yield f"the {name} of next week", TODAY + timedelta(7 + at - 2)
        yield f"the {name} after Christmas", date(2026, 12, 25) + timedelta((at - 5) % 7 + 1)
        yield f"the {name} after the 14th", date(2026, 12, 14) + timedelta((at - 1) % 7 + 1)
        yield f"tomorrow I work. the {name} after that", TODAY + timedelta((at - 4) % 7 + 2)
        yield f"the {name} after the wedding", NONE
        yield f"the {name} before last", NONE
        yield f"the second {name}", NONE
        first = next(d for d in range(1, 8) if date(2027, 1, d).weekday() == at)
        for nth, ahead in (("first", 0), ("2nd", 7), ("second", 7), ("3rd", 14)):
            for joint in ("in", "of"):
                yield f"the {nth} {name} {joint} January", date(2027, 1, first + ahead)
        december = next(d for d in range(1, 8) if date(2026, 12, d).weekday() == at)
        yield f"the first {name} of next month", date(2026, 12, december)
    for said, ahead in {
        "today": 0,
        "tomorrow": 1,
        "the day after tomorrow": 2,
        "two days after tomorrow": 3,
        "a week today": 7,
        "a week tomorrow": 8,
        "tomorrow week": 8,
        "today week": 7,
        "a fortnight today": 14,
        "two weeks today": 14,
        "a week from today": 7,
        "a week from now": 7,
        "in a week": 7,
        "in a week's time": 7,
        "in a fortnight": 14,
        "in two weeks time": 14,
        "in ten days": 10,
        "in twenty five days": 25,
        "three days from now": 3,
        "a couple of days from now": 2,
        "the 28th of next month": 33,
        "the first of next month": 6,
        "the 30th of this month": 5,
        "the 10th of the month": 15,
        "the end of the month": 5,
        "the end of next month": 36,
    }.items():
        yield said, TODAY + timedelta(ahead)
    yield "my sister is here until the 5th, so the day after", date(2026, 12, 6)
    yield "not tomorrow but the day after", TODAY + timedelta(2)
    yield "not this saturday, the next one", NONE
    yield "in 2 or 3 weeks", NONE
    yield "christmas day next year", date(2027, 12, 25)
    yield "saturday in a fortnight", date(2026, 12, 12)
    for said in (
        "next Monday week",
        "the end of next week",
        "in a year and a half",
    ):
        yield said, NONE
    yield "the 1st Monday in the new year", date(2027, 1, 4)
    yield "the first saturday of the new year", date(2027, 1, 2)
    for said, at in {
        "wensday": 7,
        "frday": 2,
        "thrusday": 1,
        "saterday nxt week": 10,
        "on munday": 5,
    }.items():
        yield said, TODAY + timedelta(at)
    for said in ("sundry", "someday", "week 12", "the week of the 15th", "the monday of that week"):
        yield said, NONE
    yield "friday, two of us", TODAY + timedelta(2)
    yield "third of may nineteen seventy one", date(1971, 5, 3)
    yield "in two months", date(2027, 1, 25)
    yield "a year from today", date(2027, 11, 25)
    yield "3/4/28", Either(("2028-04-03", "2028-03-04"))
    yield "friday or saturday", Either(("2026-11-27", "2026-11-28"))
    for said in (
        "soon",
        "in may",
        "every week",
        "in 2.5 weeks",
        "we sat in the sun",
        "two may come",
        "in 12 hours",
        "at 7.45",
        "the second one",
        "next year",
        "three or four days",
        "a few days from now",
    ):
        yield said, NONE


def past_days() -> Iterator[tuple[str, date | Either | None]]:
    """What is said for a day that has been."""
    for day, month in ((3, 4), (12, 6), (22, 9), (30, 1)):
        name = MONTHS[month - 1]
        last = date(2026, month, day)
        for said in (
            f"{day} {name}",
            f"{name} {day}",
            f"{ordinal(day)} of {name}",
            f"the {ordinal(day)} of {name}",
        ):
            yield said, last
            for year, meant in {
                "eighty eight": 1988,
                "88": 1988,
                "'88": 1988,
                "1988": 1988,
                "nineteen eighty eight": 1988,
                "nineteen ninety": 1990,
                "ninety-nine": 1999,
                "two thousand": 2000,
                "two thousand and five": 2005,
                "two thousand five": 2005,
                "twenty oh five": 2005,
                "oh five": 2005,
                "05": 2005,
                "twelve": 2012,
                "twenty twelve": 2012,
                "thirty one": 1931,
            }.items():
                yield f"{said} {year}", last.replace(year=meant)
        if day > 12:
            for sign in "/.-":
                yield f"{day}{sign}{month}{sign}88", last.replace(year=1988)
                yield f"{day}{sign}{month:02}{sign}1988", last.replace(year=1988)
                yield f"{day}{sign}{month:02}{sign}31", last.replace(year=1931)
            yield f"{month}/{day}/88", last.replace(year=1988)
    for said, back in {
        "yesterday": 1,
        "the day before yesterday": 2,
        "two days ago": 2,
        "a week ago": 7,
        "a week ago today": 7,
        "a week ago yesterday": 8,
        "three weeks ago tomorrow": 20,
        "a fortnight ago": 14,
        "twenty one days ago": 21,
        "last friday": 5,
        "this past friday": 5,
        "the friday just gone": 5,
        "friday": 5,
        "friday last week": 5,
        "on friday of last week": 5,
    }.items():
        yield said, TODAY - timedelta(back)
    yield "march 2nd of last year", date(2025, 3, 2)
    for said in (
        "2 or 3 weeks ago",
        "yesterday week",
        "a week last Friday",
        "last Tuesday week",
    ):
        yield said, NONE
    yield "the year was 1999, june 5", date(1999, 6, 5)
    yield "must be two years ago to the day", date(2024, 11, 25)
    yield "a year ago today", date(2025, 11, 25)
    yield "six months ago", date(2026, 5, 25)
    yield "the 10th of last month", date(2026, 10, 10)
    for said in ("when I was 12", "years ago", "in 1988", "april 88"):
        yield said, NONE
