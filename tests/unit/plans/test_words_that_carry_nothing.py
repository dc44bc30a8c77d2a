"""Small words around a wish about data are told from those that may say something, though nobody lists them."""

import pytest

from softrail.plans.forms.small_words import carry_nothing
from softrail.plans.forms.tokens import stem


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ("show me revenue per region pls", "pls"),
        ("revenue by region in 2024 tho", "tho"),
        ("umm units by region", "umm"),
        ("units by region lol", "lol"),
        ("can u show revenue by region", "u"),
        ("lets see cost by channel i guess", "guess"),
        ("lemme see units by product", "lemme"),
        ("gimme cost by channel", "gimme"),
        ("kinda want revenue by month", "kinda"),
        ("ok dude revenue by month", "dude"),
        ("PLS REVENUE BY REGION", "pls"),
    ],
)
def test_it_carries_nothing(message: str, word: str) -> None:
    assert carry_nothing(message, [stem(word)]) == [stem(word)]


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ("gross revenue by region", "gross"),
        ("revenue by region online", "online"),
        ("weekly revenue by region", "weekly"),
        ("revenue by region net", "net"),
        ("domestic revenue by region", "domestic"),
        ("active customers by region", "active"),
        ("revenue of women by region", "women"),
        ("revenue by pls", "pls"),  # behind “by” it is what the rows are split by
        ("revenue for mate", "mate"),
        ("revenue by region Lol", "lol"),  # a name has a capital
    ],
)
def test_it_may_say_something(message: str, word: str) -> None:
    assert carry_nothing(message, [stem(word)]) == []
