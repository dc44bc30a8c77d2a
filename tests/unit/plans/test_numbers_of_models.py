"""A model that lies about what was found: none of its numbers reaches a person."""

import random

import pytest

from softrail.plans.thinking.guard import holds

FOUND = [
    "Revenue, in all: 141704.21 EUR.",
    "Revenue by Region:",
    "- North: 45566.19 EUR",
    "- South: 32100.50 EUR",
    "- West: 64037.52 EUR",
    "- Orders of May: 480",
]
PLAN = "Revenue by Region Read sales.csv"
LINES = {"North": "45566.19 EUR", "South": "32100.50 EUR", "West": "64037.52 EUR"}
SHAPES = ("Revenue in {name} is {number}.", "{name}: {number}", "The result for {name} was {number}.")
IN_WORDS = (
    "forty-five thousand EUR",
    "one hundred EUR",
    "a dozen EUR",
    "fünfhundert EUR",
    "half",
    "twice that",
    "XLV EUR",
)
DATES = ("2024-05-01", "1 May 2024", "May 5", "05.05.2024", "the 3rd", "10:30")


@pytest.mark.parametrize(
    "said",
    [
        "North: 45566.19 EUR",
        "Revenue in North is 45566.19 EUR. Revenue in South is 32100.50 EUR.",
        "The result for West was 64037.52 EUR.",
        "Orders of May: 480",
    ],
)
def test_what_the_facts_say_may_be_said(said: str) -> None:
    assert holds(said, FOUND, PLAN)


def lies() -> list[str]:
    """Five hundred sentences of a liar, of six kinds; the same each time."""
    dice, found = random.Random(11), list[str]()
    while len(found) < 500:
        name = dice.choice(list(LINES))
        shape, true = dice.choice(SHAPES), LINES[name]
        digits, _, unit = true.partition(" ")
        match len(found) % 6:
            case 0:  # a changed digit
                at = dice.choice([n for n, one in enumerate(digits) if one.isdigit()])
                other = dice.choice([one for one in "0123456789" if one != digits[at]])
                wrong = f"{digits[:at]}{other}{digits[at + 1 :]} {unit}"
            case 1:  # rounded
                wrong = dice.choice(
                    (f"{round(float(digits))}", f"{round(float(digits), 1)}", f"about {digits}")
                )
                wrong = dice.choice((f"{wrong} {unit}", f"{round(float(digits) / 1000)}k {unit}"))
                wrong = wrong if "32100.5 " not in wrong else f"32100 {unit}"
            case 2:  # another's number
                wrong = LINES[dice.choice([one for one in LINES if one != name])]
            case 3:  # a percentage made up
                wrong = dice.choice(
                    (
                        f"{dice.randint(1, 99)} %",
                        f"{dice.randint(1, 99)} percent",
                        f"{true}, {dice.randint(1, 99)} % more",
                    )
                )
            case 4:  # in words
                wrong = dice.choice(IN_WORDS)
            case _:  # a date
                wrong = dice.choice(DATES)
        found.append(shape.format(name=name, number=wrong))
    return found


def test_of_five_hundred_wrong_numbers_none_is_let_through() -> None:
    told = lies()
    assert len(told) == 500
    assert [one for one in told if holds(one, FOUND, PLAN)] == []
    mixed = [f"Revenue in North is 45566.19 EUR. {one}" for one in told]
    assert [one for one in mixed if holds(one, FOUND, PLAN)] == []


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Revenue in North is not 45566.19 EUR.",
        "Revenue in North is 45566.19 USD.",
        "Revenue in North is 45566.19 EUR per day.",
        "Revenue in North is 45566.19% of it.",
        "Revenue in North is 45566.19 EUR more.",
        "North is the highest.",
        "North and South: 45566.19 EUR",
        "North made 45566.19 EUR and South 45566.19 EUR.",
        "Revenue is 45566.19 EUR.",
        "North: -45566.19 EUR",
        "North: 45,566.19 EUR",
        "North: ４５５６６.19 EUR",
        "North: 45566.19² EUR",
        "North: .45566.19 EUR",
        "North: - 45566.19 EUR",
        "North: _45566.19 EUR",
        "North: '45566.19 EUR",
        "North: 45566.19 EUR <b>",
    ],
)
def test_what_is_beside_the_facts_is_refused(said: str) -> None:
    assert not holds(said, FOUND, PLAN)


def test_of_a_line_with_several_numbers_none_is_said_for_none_can_be_told_apart() -> None:
    found = ["Revenue: 100 EUR in January, 80 EUR in February", "Orders: 7"]
    assert not holds("Revenue was 100 EUR in February.", found, "Revenue")
    assert not holds("Revenue was 100 EUR in January.", found, "Revenue")
    assert holds("Orders: 7", found, "Revenue")
