"""How values of facts are read by people."""

from decimal import Decimal
from typing import Any

import pytest

from softrail.plans.showing import digits, shown


@pytest.mark.parametrize(
    ("number", "wanted"),
    [
        ("33.750", "33.75"),
        ("12.50", "12.50"),
        ("33.7000", "33.70"),
        ("5", "5"),
        ("5.0000", "5.00"),
        ("2.5", "2.5"),
        ("0.125", "0.125"),
        ("1E+30", "1E+30"),
    ],
)
def test_zeros_that_say_nothing_are_left_out_and_money_keeps_its_two_places(number: str, wanted: str) -> None:
    assert digits(Decimal(number)) == wanted


CLAIM: dict[str, Any] = {
    "claim": "It grew",
    "cases": 4,
    "against": 0,
    "unknown": 0,
    "columns": [],
    "rows": [],
}
REGION, REVENUE = (
    {"name": "region", "kind": "text", "unit": ""},
    {"name": "revenue", "kind": "number", "unit": "EUR"},
)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (CLAIM | {"verdict": "holds"}, "“It grew” holds, in all 4 cases"),
        (CLAIM | {"verdict": "holds", "cases": 1}, "“It grew” holds"),
        (
            CLAIM | {"verdict": "does not hold", "against": 1, "columns": [REGION], "rows": [["South"]]},
            "“It grew” does not hold, in 1 of 4 cases:\n  - South",
        ),
        (
            CLAIM | {"verdict": "cannot be told", "cases": 0},
            "“It grew” cannot be told: there is nothing to look at",
        ),
        (
            {"columns": [REGION, REVENUE], "rows": [["South", "99.000"], ["North", None]]},
            "\n  - South, revenue: 99.00 EUR\n  - North, revenue: –",
        ),
        (
            {"columns": [REGION], "rows": [[str(n)] for n in range(12)]},
            "".join(f"\n  - {n}" for n in range(10)) + "\n  - … and 2 more",
        ),
        ({"columns": [REGION], "rows": []}, "no rows"),
        ({"a": 1}, '{"a": 1}'),
    ],
    ids=[
        "holds",
        "one case",
        "does not hold",
        "nothing to look at",
        "a table",
        "many rows",
        "no rows",
        "anything else",
    ],
)
def test_data_is_shown_as_lines(value: dict[str, Any], wanted: str) -> None:
    assert shown(value, "data") == wanted
