"""What a plan computes: decimal numbers over facts, and nothing that could reach anything else."""

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softrail.plans.arithmetic import DEEPEST, LONGEST, NotComputable, computed, names_in

FACTS = {"price": "12.50", "count": 3, "share": 0.2, "ready": True, "name": "Ada"}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("price * count", "37.50"),
        ("0.1 + 0.2", "0.3"),
        ("-(1 + 2) * 3", "-9"),
        ("7 // 2 + 7 % 2", "4"),
        ("1e3 / 4", "250"),
        ("2 ** 10", "1024"),
        ("round(10 / 3, 2)", "3.33"),
        ("max(price, 13, count)", "13"),
        ("mean(1, 2, 6)", "3"),
        ("sqrt(2) ** 2", "1.999999999999999999999999999"),
        ("9007199254740993 + 0", "9007199254740993"),
    ],
)
def test_numbers_are_decimal_and_exact(expression: str, value: str) -> None:
    assert computed(expression, FACTS) == Decimal(value)


@pytest.mark.parametrize(
    ("expression", "holds"), [("price > 12 >= count", True), ("count == 4", False), ("ready", True)]
)
def test_a_comparison_is_true_or_false(expression: str, holds: bool) -> None:
    assert computed(expression, FACTS) is holds


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("__import__('os')", "There is no function '__import__'"),
        ("price.real", "is not understood"),
        ("(lambda: 1)()", "is not understood"),
        ("[1, 2]", "is not understood"),
        ("'text'", "is not understood"),
        ("price if ready else 1", "is not understood"),
        ("f'{price}'", "is not understood"),
        ("sum(*price)", "is not understood"),
        ("total + 1", "There is no fact 'total' here. There are: "),
        ("name + 1", "The fact 'name' is no number."),
        ("ready + 1", "is true or false"),
        ("1 / (count - 3)", "It divides by zero."),
        ("10 ** 10 ** 10", "A power is at most 1000."),
        ("1e999999 * 1e999999", "The result is too large."),
        ("sqrt(0 - 1)", "It has no value"),
        ("0x1f", "is no decimal number"),
        ("1 +", "is no expression"),
        ("", f"An expression has 1 to {LONGEST} characters."),
        ("1" * (LONGEST + 1), f"An expression has 1 to {LONGEST} characters."),
        ("-" * (DEEPEST + 1) + "1", f"It is nested more than {DEEPEST} deep."),
        ("(" * 900 + "1", "is no expression"),
        ("round(1, 2, 3)", "round() takes"),
        ("abs(1, 2)", "abs() takes one number"),
        ("max()", "max() was given nothing."),
    ],
)
def test_what_cannot_be_computed_says_why(expression: str, why: str) -> None:
    with pytest.raises(NotComputable) as told:
        computed(expression, FACTS)
    assert why in str(told.value)


def test_the_facts_an_expression_needs_are_found_without_computing_it() -> None:
    assert names_in("max(a, b) / (c - 1)") == {"a", "b", "c"}  # with 1 for c it would divide by zero


@given(st.text(max_size=60))
def test_no_text_does_anything_but_give_a_value_or_a_sentence(expression: str) -> None:
    with suppress(NotComputable):
        assert isinstance(computed(expression, FACTS), Decimal | bool)
