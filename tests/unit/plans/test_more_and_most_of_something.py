"""“Older than 50”, “the hottest month”, “between 10 and 20”: what something is more, most or so much of."""

import pytest

from benchmarks.forms import schemas, told
from softrail.plans.forms.form import Form, Question
from softrail.plans.forms.grammar import read

KNOWN, TODAY = schemas()


def heard(on: str, said: str, **chosen: str) -> Form | Question | None:
    return read(said, KNOWN[on], today=TODAY, chosen=chosen, surely=True)


def bound(on: str, said: str, **chosen: str) -> dict[str, object]:
    found = heard(on, said, **chosen)
    assert isinstance(found, Form), (said, found)
    return told(found)


@pytest.mark.parametrize(
    ("on", "said", "where"),
    [
        ("staff", "how many people are older than 55 per site", ["Age > 55"]),
        ("staff", "employees younger than 25", ["Age < 25"]),
        ("stock", "number of items cheaper than 2 euros", ["unit_price < 2"]),
        (
            "stock",
            "items more expensive than 100 in Rotterdam",
            ["unit_price > 100", "warehouse is Rotterdam"],
        ),
        ("weather", "rain on days colder than 0 degrees", ["temperature (°C) < 0"]),
        ("clinic", "visits with waits longer than 45 minutes by doctor", ["Waiting time (min) > 45"]),
        ("clinic", "visits with waits longer than 2 hours by doctor", ["Waiting time (min) > 120"]),
        ("tickets", "tickets that took more than 3 days, by agent", ["response_hours > 72"]),
        ("staff", "employees earning over 90k by site", ["Salary (EUR) > 90000"]),
    ],
)
def test_what_rows_are_more_or_less_of(on: str, said: str, where: list[str]) -> None:
    assert bound(on, said)["where"] == where


@pytest.mark.parametrize(
    ("on", "said", "where"),
    [
        ("sales", "revenue of sales with 10 to 20 units", ["Units >= 10 and <= 20"]),
        ("sales", "revenue by region for between 1,000 and 2,000 units", ["Units >= 1000 and <= 2000"]),
        (
            "weather",
            "rain in Kiel with wind from 20 to 40",
            ["station is Kiel", "wind (km/h) >= 20 and <= 40"],
        ),
        ("orders", "orders with 5–10 items", ["Items >= 5 and <= 10"]),
        (
            "clinic",
            "visits with waiting times of 1 to 2 hours by doctor",
            ["Waiting time (min) >= 60 and <= 120"],
        ),
        ("staff", "average rating of employees aged from 30 to 40", None),
    ],
)
def test_between_two_numbers(on: str, said: str, where: list[str] | None) -> None:
    if where is None:
        assert isinstance(heard(on, said), Question)
    else:
        assert bound(on, said)["where"] == where


def test_years_are_no_numbers_of_things() -> None:
    assert bound("sales", "revenue from 2023 to 2024 by region")["where"] == [
        "Date from 2023-01-01 to 2024-12-31"
    ]


@pytest.mark.parametrize("said", ["units not between 10 and 20", "revenue by region between 20 and 10 units"])
def test_what_no_two_limits_say_is_asked_about(said: str) -> None:
    assert isinstance(heard("sales", said), Question)


def test_a_duration_that_is_no_round_number_of_its_unit_is_asked_about() -> None:
    assert isinstance(heard("tickets", "tickets that took more than 100 minutes, by agent"), Question)


@pytest.mark.parametrize(
    ("on", "said", "by", "measure", "n", "least"),
    [
        ("weather", "hottest month in Ulm", "month of date", "mean temperature (°C)", 1, None),
        ("weather", "the coldest days of 2023", "day of date", "mean temperature (°C)", 10, True),
        ("weather", "wettest station", "station", "sum rain (mm)", 1, None),
        ("stock", "show me the cheapest items in Hamburg", "item", "mean unit_price", 10, True),
        ("staff", "the oldest employee in Porto", "Employee", "mean Age", 1, None),
        ("staff", "who is the youngest in Finance?", "Employee", "mean Age", 1, True),
        ("clinic", "which doctor has the longest waits?", "Doctor", "mean Waiting time (min)", 1, None),
        ("sales", "peak month for units", "month of Date", "sum Units", 1, None),
        ("sales", "largest region by revenue", "Region", "sum Revenue (EUR)", 1, None),
        ("sales", "lowest cost product in 2024", "Product", "sum Cost (EUR)", 1, True),
        ("sales", "highest average revenue region", "Region", "mean Revenue (EUR)", 1, None),
    ],
)
def test_what_is_most_of_something(
    on: str, said: str, by: str, measure: str, n: int, least: bool | None
) -> None:
    found = bound(on, said)
    assert (found["form"], found["by"], found["measures"], found["n"], found.get("least")) == (
        "top",
        [by],
        [measure],
        n,
        least,
    )


def test_the_highest_of_a_number_is_one_row_of_it() -> None:
    assert bound("sales", "highest revenue by region")["measures"] == ["max Revenue (EUR)"]
    assert bound("clinic", "longest waiting time per doctor")["measures"] == ["max Waiting time (min)"]


def test_what_nobody_has_a_column_of_is_asked_about() -> None:
    assert isinstance(heard("sales", "the oldest product"), Question)
    assert isinstance(heard("school", "pupils taller than 150"), Question)


def test_one_of_the_best_of_each_is_asked_for() -> None:
    found = heard("staff", "oldest employee per department")
    assert isinstance(found, Question)
    assert found.why == "one_of"


def test_of_two_who_is_older_is_told_by_their_average() -> None:
    assert bound("staff", "is Engineering older than Support?")["measures"] == ["mean Age"]


def test_an_amount_for_each_row_is_its_average() -> None:
    assert bound("sales", "revenue per sale by region")["measures"] == ["mean Revenue (EUR)"]
    assert bound("clinic", "fee per visit and doctor")["measures"] == ["mean Fee (CHF)"]


@pytest.mark.parametrize(
    "said", ["units in the second half of the year", "units in the first half", "units in H2 by region"]
)
def test_of_which_year_a_half_is_is_asked(said: str) -> None:
    question = heard("sales", said)
    assert isinstance(question, Question)
    assert [one.key for one in question.choices] == ["2023", "2024"]
    where = bound("sales", said, **{question.about: "2023"})["where"]
    assert where in (["Date from 2023-07-01 to 2023-12-31"], ["Date from 2023-01-01 to 2023-06-30"])


def test_half_a_year_has_six_months() -> None:
    assert bound("sales", "revenue in H2 2024")["where"] == ["Date from 2024-07-01 to 2024-12-31"]
    assert bound("sales", "revenue, H1 2024 vs H2 2024")["sides"] == [
        "Date from 2024-01-01 to 2024-06-30",
        "Date from 2024-07-01 to 2024-12-31",
    ]


def test_from_one_numbered_value_to_another_are_those_between() -> None:
    assert bound("budget", "marketing actual, Q1 to Q3")["where"] == [
        "Cost centre is Marketing",
        "Quarter is Q1, Q2, Q3",
    ]
    assert bound("budget", "budget for Q1 and Q3")["where"] == ["Quarter is Q1, Q3"]
    assert isinstance(heard("school", "score for 7a to 8b"), Question)


def test_a_word_of_a_name_is_of_the_name() -> None:
    assert bound("web", "how many unique visitors did we have each month")["measures"] == [
        "sum unique_visitors"
    ]


def test_what_drops_is_not_left_out() -> None:
    assert isinstance(heard("web", "visits drop from November to December?"), Question)
    assert bound("sales", "drop the shop: revenue by region")["where"] == ["Channel is not Shop"]
