"""What is told of all pieces together: running totals, changes, ranks, the rest, shares, and rows that have nothing."""

from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.forms import schemas, told
from softrail.plans.choosing import options_of
from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.form import Choice, Form, Question
from softrail.plans.forms.grammar import read
from softrail.plans.forms.revising import revise
from softrail.plans.forms.steps import plan_of

KNOWN, TODAY = schemas()
JOBS = (
    Source(
        id="jobs",
        name="jobs.csv",
        format="csv",
        sha256="0" * 64,
        bytes=1,
        tables=(
            DataTable(
                title="jobs",
                name="jobs",
                rows=320,
                columns=(
                    Column(title="Job", name="job", kind="text"),
                    Column(
                        title="Shipped on",
                        name="shipped_on",
                        kind="date",
                        least="2024-01-02",
                        most="2024-12-20",
                        empty=31,
                    ),
                    Column(title="Crew", name="crew", kind="text", values=("Blue", "Green", "Red")),
                    Column(title="Hours", name="hours", kind="number", least="0.5", most="12.0"),
                    Column(
                        title="Discount (EUR)",
                        name="discount",
                        kind="number",
                        unit="EUR",
                        least="0",
                        most="40",
                        empty=12,
                    ),
                    Column(title="Damaged", name="damaged", kind="boolean"),
                ),
            ),
        ),
    ),
)


def found(said: str, on: str = "sales", **chosen: str) -> Form | Question | None:
    return read(said, JOBS if on == "jobs" else KNOWN[on], today=TODAY, chosen=chosen, surely=True)


def bound(said: str, on: str = "sales", **chosen: str) -> Mapping[str, Any]:
    form = found(said, on, **chosen)
    assert isinstance(form, Form), form
    return told(form)


def asked(said: str, on: str = "sales") -> Question:
    question = found(said, on)
    assert isinstance(question, Question), question
    return question


def changed(before: str, said: str) -> Mapping[str, Any]:
    form = found(before)
    assert isinstance(form, Form), form
    again = revise(form, said, KNOWN["sales"], today=TODAY)
    assert isinstance(again, Form), again
    return told(again)


@pytest.mark.parametrize(
    ("said", "by"),
    [
        ("cumulative revenue by week", ["week of Date"]),
        ("running total of revenue", ["month of Date"]),
        ("revenue per month and region as a running total", ["month of Date", "Region"]),
        ("accumulated revenue by region", ["month of Date", "Region"]),
    ],
)
def test_what_adds_up_is_told_so_far_along_time(said: str, by: list[str]) -> None:
    form = bound(said)
    assert (form["along"], form["by"], form["measures"]) == ("running", by, ["sum Revenue (EUR)"])


@pytest.mark.parametrize(
    "said",
    ["cumulative average revenue", "cumulative revenue per unit", "cumulative revenue, north against south"],
)
def test_what_does_not_add_up_is_not_told_so_far(said: str) -> None:
    assert asked(said).why == "no_use"


@pytest.mark.parametrize(
    ("said", "by"),
    [
        ("revenue month over month", ["month of Date"]),
        ("yoy change in revenue", ["year of Date"]),
        ("quarter on quarter revenue growth by region", ["quarter of Date", "Region"]),
        ("revenue by month with the change to the month before", ["month of Date"]),
        ("how does revenue do compared to the previous quarter", ["quarter of Date"]),
    ],
)
def test_each_piece_of_time_is_told_beside_the_one_before(said: str, by: list[str]) -> None:
    form = bound(said)
    assert (form["along"], form["by"]) == ("change", by)


@pytest.mark.parametrize(
    "said",
    [
        "growth of revenue from 2023 to 2024",
        "by how much did revenue rise from 2023 to 2024?",
        "drop in revenue between 2023 and 2024",
        "change in revenue 2023 to 2024",
        "revenue 2024 minus 2023",
    ],
)
def test_what_has_grown_is_the_later_time_beside_the_earlier(said: str) -> None:
    sides = [f"Date from {year}-01-01 to {year}-12-31" for year in (2024, 2023)]
    assert bound(said)["sides"] == sides


def test_growth_of_no_two_times_is_asked_with_both_readings() -> None:
    question = asked("revenue growth by region")
    assert [one.key for one in question.choices] == ["change", "trend"]
    assert bound("revenue growth", **{question.about: "change"})["along"] == "change"
    assert bound("revenue growth", **{question.about: "trend"})["form"] == "trend"


def test_two_pieces_of_time_are_not_both_followed() -> None:
    assert asked("yoy revenue by quarter").why == "one_of"


@pytest.mark.parametrize(
    ("said", "sides"),
    [
        ("revenue in Q3 or Q4 2024", ["2024-07-01 to 2024-09-30", "2024-10-01 to 2024-12-31"]),
        ("units in March versus April 2024", ["2024-03-01 to 2024-03-31", "2024-04-01 to 2024-04-30"]),
    ],
)
def test_a_year_that_is_said_once_is_that_of_both_times(said: str, sides: list[str]) -> None:
    assert bound(said)["sides"] == [f"Date from {one}" for one in sides]


def test_a_time_within_the_one_year_that_is_said_is_of_that_year() -> None:
    assert bound("revenue in 2024 except Q4")["where"][1] == "Date not from 2024-10-01 to 2024-12-31"
    assert asked("revenue in Q4").why == "which_year"


@pytest.mark.parametrize(
    "said",
    [
        "revenue by region as % of total",
        "percent of revenue by region",
        "revenue by region with percentages",
        "each region's share of revenue",
    ],
)
def test_a_percentage_of_all_pieces_is_their_share(said: str) -> None:
    assert bound(said)["form"] == "share"


def test_percent_behind_a_number_is_no_share() -> None:
    assert bound("what if revenue rises 10 percent")["percent"] == "10"


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("top 3 products by revenue and the rest", {"n": 3, "rest": True}),
        ("second best product by revenue", {"n": 1, "place": 2}),
        ("rank products by revenue", {}),
        ("products sorted by revenue, smallest first", {"least": True}),
    ],
)
def test_pieces_are_ranked_with_what_is_left_of_them(said: str, rest: Mapping[str, Any]) -> None:
    kept = {name: value for name, value in bound(said).items() if name in ("n", "rest", "place", "least")}
    assert kept == rest
    assert bound(said)["form"] == "top"


@pytest.mark.parametrize(
    "said",
    [
        "revenue of north against the rest",
        "revenue of north and all other regions",
        "north vs everyone else on revenue",
    ],
)
def test_one_thing_and_the_rest_are_set_beside_each_other(said: str) -> None:
    assert bound(said)["sides"] == ["Region is North", "Region is not North"]


@pytest.mark.parametrize(
    "said", ["neither of those", "never", "the rest of my day is empty", "no, neither", "things change"]
)
def test_what_names_nothing_of_the_data_is_no_request(said: str) -> None:
    assert read(said, JOBS, today=TODAY) is None
    form = found("hours by crew", "jobs")
    assert isinstance(form, Form)
    assert revise(form, said, JOBS, today=TODAY) is None


def test_the_rest_of_nothing_that_is_named_is_asked_about() -> None:
    assert asked("revenue of the other regions").why == "no_use"


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("jobs not yet shipped", "Shipped on is empty"),
        ("unshipped jobs by crew", "Shipped on is empty"),
        ("hours of jobs that were shipped", "Shipped on is not empty"),
        ("hours of undamaged jobs", "Damaged is not true"),
        ("hours of jobs that were never damaged", "Damaged is not true"),
        ("hours where crew isn't blue", "Crew is not Blue"),
        ("how many jobs are there where discount is empty", "Discount (EUR) is empty"),
        ("hours neither red nor blue", "Crew is not Blue, Red"),
    ],
)
def test_what_is_not_so_and_what_has_nothing_is_found(said: str, where: str) -> None:
    assert bound(said, "jobs")["where"] == [where]


@pytest.mark.parametrize(
    ("said", "is_not"), [("jobs without a discount", ""), ("hours of jobs with a discount", "not ")]
)
def test_nothing_or_a_nought_is_asked_where_both_may_be(said: str, is_not: str) -> None:
    question = asked(said, "jobs")
    assert [one.label for one in question.choices] == [
        f"Discount (EUR) is {is_not}{what}" for what in ("empty", "0", "empty or 0")
    ]
    either = bound(said, "jobs", **{question.about: "either"})
    assert either["where"] == [f"Discount (EUR) is {is_not}empty or 0"]


def test_per_what_may_be_a_row_is_asked() -> None:
    question = asked("hours per job", "jobs")
    assert [one.label for one in question.choices] == ["The average of all rows", "Each Job by itself"]
    assert bound("hours per job", "jobs", **{question.about: "rows"})["measures"] == ["mean Hours"]


def test_how_many_of_an_amount_by_another_name_is_asked() -> None:
    assert [one.key for one in asked("how many sales were there").choices] == ["rows", "revenue_eur"]


@pytest.mark.parametrize(
    ("before", "said", "means"),
    [
        ("revenue by month", "cumulative, please", {"along": "running"}),
        ("cumulative revenue by month", "by region", {"along": "running", "by": ["month of Date", "Region"]}),
        ("revenue by month", "month over month", {"along": "change"}),
        ("revenue by product", "just the top 2", {"form": "top", "n": 2}),
        ("revenue by product", "smallest first", {"form": "top", "least": True}),
        ("top 3 products by revenue", "and the rest?", {"rest": True, "n": 3}),
        ("revenue by product", "as a share of the total", {"form": "share"}),
        ("revenue by product", "what percentage is that?", {"form": "share"}),
        ("revenue by product", "hold on, by region", {"by": ["Region"]}),
        ("revenue in the north", "and the others?", {"sides": ["Region is North", "Region is not North"]}),
        ("revenue in 2024 by region", "only Q4", {"where": ["Date from 2024-10-01 to 2024-12-31"]}),
    ],
)
def test_a_later_word_tells_it_so(before: str, said: str, means: Mapping[str, Any]) -> None:
    form = changed(before, said)
    assert {name: form.get(name) for name in means} == means


@pytest.mark.parametrize(
    "said", ["minus 2023", "and the difference to 2023", "what's the growth to the year before?"]
)
def test_a_difference_to_another_time_sets_both_beside_each_other(said: str) -> None:
    sides = [f"Date from {year}-01-01 to {year}-12-31" for year in (2024, 2023)]
    assert changed("revenue in 2024", said)["sides"] == sides


def test_or_another_value_is_asked_whether_instead_or_too() -> None:
    form = found("revenue in the north")
    assert isinstance(form, Form)
    question = revise(form, "or the south?", KNOWN["sales"], today=TODAY)
    assert isinstance(question, Question)
    assert [one.label for one in question.choices] == ["North and South", "South instead"]
    for key, where in (("also", "Region is North, South"), ("instead", "Region is South")):
        again = revise(form, "or the south?", KNOWN["sales"], today=TODAY, chosen={question.about: key})
        assert isinstance(again, Form)
        assert told(again)["where"] == [where]


def test_another_time_is_of_the_same_dates() -> None:
    form = found("hours of jobs shipped in March 2024", "jobs")
    assert isinstance(form, Form)
    again = revise(form, "and in April?", JOBS, today=TODAY)
    assert isinstance(again, Form)
    assert told(again)["where"] == ["Shipped on from 2024-04-01 to 2024-04-30"]


def test_what_pieces_come_to_is_told_by_steps_of_their_own_names() -> None:
    form = found("cumulative revenue by month")
    assert isinstance(form, Form)
    plan = plan_of(form, KNOWN["sales"])
    assert plan.problem == "Revenue so far by Month"
    assert [step.id for step in plan.steps][2:] == [
        "revenue_running_by_month",
        "revenue_running_by_month_chart",
    ]
    assert plan.steps[-1].arguments["y"] == "Revenue so far"


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (("Q4 2023", "Q4 2024", "Q4 of every year"), ({"2023"}, {"2024"}, {"of every year", "every year"})),
        (("North (Clinic)", "North (Referred from)"), ({"clinic"}, {"referred from", "referred"})),
        (
            ("The average of all rows", "Each Job by itself"),
            ({"the average", "average", "average of all rows"}, {"each job"}),
        ),
        (("Revenue", "Units"), (set(), set())),
    ],
)
def test_a_choice_is_made_by_what_no_other_has(labels: tuple[str, ...], words: tuple[set[str], ...]) -> None:
    choices = tuple(Choice(label=label, key=label) for label in labels)
    options = options_of(Question(about="?", why="several", what="filter", choices=choices))
    places = {"number one", "number two", "number three", "the former", "the latter"}
    assert tuple(set(option.words) - places for option in options) == words


def test_what_is_left_out_is_chosen_by_no_word_of_its_label() -> None:
    choices = (
        Choice(label="Hours spent", key="hours"),
        Choice(label="Leave out “hours”, “team”", key="-hours|team"),
    )
    options = options_of(Question(about="hours", why="no_fit", what="measure", choices=choices))
    assert not {"team", "hours"} & set(options[1].words)
