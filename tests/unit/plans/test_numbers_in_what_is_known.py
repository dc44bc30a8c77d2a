"""What a model says from its own knowledge has no number in it, however it is written."""

import random

import pytest

from softrail.plans.thinking.knowing import has_number, is_english

DIGITS = "0123456789٠١٢٣٤٥٦٧٨٩०१२３４５²½Ⅻ①"
WORDS = [
    "zero",
    "one",
    "seven",
    "eleven",
    "nineteen",
    "forty",
    "ninety",
    "hundred",
    "thousand",
    "million",
    "dozen",
    "half",
    "twice",
    "doubled",
    "percent",
    "tenfold",
    "zeros",
    "twentieth",
    "quintupled",
    "couple",
    "twen\u00adty",
    "sev\u200ben",
]
PHRASES = ("a third", "a quarter", "two-fifths", "an eighth of it, three eighths", "MCMXC", "XLV")
FRAMES = (
    "Revenue is {}.",
    "It was {} EUR in the North.",
    "Usually ({}) of them leave,",
    "{}",
    "The growth: {}; it is sure.",
    "About\u00a0{}\u200b of all.",
)


def lies() -> list[str]:
    """Five hundred sentences with a number in them; the same each time."""
    dice = random.Random(7)
    made = []
    for n in range(500):
        number = (
            "".join(dice.choice(DIGITS) for _ in range(dice.randint(1, 6))),
            dice.choice(WORDS),
            dice.choice(WORDS).upper(),
            dice.choice(PHRASES),
        )[n % 4]
        made.append(dice.choice(FRAMES).format(number))
    return made


def test_of_five_hundred_numbers_none_is_overlooked() -> None:
    assert [one for one in lies() if not has_number(one)] == []


@pytest.mark.parametrize(
    "said",
    [
        "Churn is the share of customers who leave in a period.",
        "Each quarter ends with its last month.",
        "The median is the middle value, which outliers do not move.",
        "Gross margin is what is left of revenue after the cost of goods.",
        "I would first look at the customers who came often.",
        "A CSV file keeps a table as text.",
        "",
    ],
)
def test_words_without_a_number_may_be_said(said: str) -> None:
    assert not has_number(said)


@pytest.mark.parametrize(
    "said", ["Es sind neunzehn Prozent.", "Il y en a vingt-trois chez nous.", "Son unas veinte."]
)
def test_in_another_language_nobody_would_see_a_number(said: str) -> None:
    assert not is_english(said)


def test_english_is_known_by_its_small_words() -> None:
    assert is_english("Churn is the share of customers who leave in a period.")
    assert is_english("Gross margin is what is left of revenue after the cost of goods.")
