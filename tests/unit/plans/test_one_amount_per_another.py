"""“Cost per unit” is a sum divided by a sum, as it is told; what after “per” may be split by as well is asked about."""

from collections.abc import Sequence

import pytest

from benchmarks.forms import schemas
from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.form import Form, Question
from softrail.plans.forms.grammar import read
from softrail.plans.forms.revising import revise
from softrail.plans.forms.steps import plan_of

KNOWN, TODAY = schemas()
COST = "sum of `Cost (EUR)` divided by sum of `Units`"
SPEND = "sum of `Spend (USD)` divided by sum of `Clicks`"


def form_of(sources: Sequence[Source], said: str, **chosen: str) -> Form:
    found = read(said, sources, today=TODAY, chosen=chosen)
    assert isinstance(found, Form), found
    return found


def measures(form: Form) -> list[str]:
    return [one.told() for one in form.measures]


def pieces(form: Form) -> list[str]:
    return [one.title for one in form.by]


@pytest.mark.parametrize(
    ("on", "said", "measured", "by"),
    [
        ("sales", "cost per unit by product", COST, ["Product"]),
        ("sales", "what is the cost per unit", COST, []),
        ("sales", "the average cost for each unit sold by region", COST, ["Region"]),
        ("sales", "per unit cost by channel", COST, ["Channel"]),
        ("sales", "cost divided by units by product", COST, ["Product"]),
        ("sales", "top 3 products by cost per unit", COST, ["Product"]),
        ("sales", "which product has the highest cost per unit", COST, ["Product"]),
        ("sales", "trend of cost per unit", COST, ["Date"]),
        ("sales", "compare cost per unit of North and South", COST, []),
        ("campaigns", "spend per click by channel and campaign", SPEND, ["Channel", "Campaign"]),
        ("campaigns", "cost per click and channel", SPEND, ["Channel"]),
        (
            "orders",
            "net amount per item by country",
            "sum of `Net amount` divided by sum of `Items`",
            ["Country"],
        ),
        ("web", "visits per unique visitor", "sum of `visits` divided by sum of `unique_visitors`", []),
    ],
)
def test_an_amount_per_another_amount_is_their_quotient(
    on: str, said: str, measured: str, by: list[str]
) -> None:
    form = form_of(KNOWN[on], said)

    assert measures(form) == [measured]
    assert pieces(form) == by
    assert measured in [one.means for one in form.reads]


@pytest.mark.parametrize(
    ("on", "said", "by"),
    [
        ("sales", "revenue per region", "Region"),
        ("sales", "revenue per month", "Date"),
        ("school", "days absent per pupil", "Pupil"),
        ("staff", "salary per age", "Age"),
        ("sales", "revenue by units", "Units"),
    ],
)
def test_what_people_split_by_is_still_split_by(on: str, said: str, by: str) -> None:
    form = form_of(KNOWN[on], said)

    assert pieces(form) == [by]
    assert "divided" not in measures(form)[0]


def test_two_quotients_stand_beside_each_other_and_beside_a_sum() -> None:
    form = form_of(KNOWN["sales"], "cost per unit and revenue per unit and units by product")

    assert measures(form) == [COST, "sum of `Revenue (EUR)` divided by sum of `Units`", "sum of `Units`"]


def test_the_plan_divides_and_says_so() -> None:
    plan = plan_of(form_of(KNOWN["sales"], "cost per unit by product"), KNOWN["sales"])

    total, rows = (step for step in plan.steps if step.action == "query")
    assert (total.called, rows.called) == ("Cost per Units", "Cost per Units by Product")
    assert all('nullif(sum("units")' in step.arguments["sql"] for step in (total, rows))


@pytest.mark.parametrize(
    "said",
    [
        "analyze median cost per unit by product",
        "share of cost per unit by region",
        "distribution of cost per unit",
        "unit cost by product",
    ],
)
def test_what_would_mean_nothing_divided_is_asked_about(said: str) -> None:
    assert isinstance(read(said, KNOWN["sales"], today=TODAY), Question)


def test_a_number_that_may_be_a_name_is_asked_about_and_then_both_ways_are_open() -> None:
    columns = (
        Column(title="Shop", name="shop", kind="text", values=("A", "B")),
        Column(title="Rent", name="rent", kind="number", whole=True, least="300", most="900"),
        Column(title="Floor", name="floor", kind="number", whole=True, least="1", most="9"),
    )
    table = DataTable(title="shops", name="shops", rows=9, columns=columns)
    shops = (Source(id="1", name="shops.csv", format="csv", sha256="0" * 64, bytes=1, tables=(table,)),)

    question = read("rent per floor by shop", shops, today=TODAY)

    assert isinstance(question, Question)
    divided, split = question.choices
    assert measures(form_of(shops, "rent per floor by shop", floor=divided.key)) == [
        "sum of `Rent` divided by sum of `Floor`"
    ]
    assert pieces(form_of(shops, "rent per floor by shop", floor=split.key)) == ["Floor", "Shop"]


@pytest.mark.parametrize(
    "said", ["per unit, please", "make it per unit", "for each unit", "show it per unit instead"]
)
def test_a_plan_becomes_one_per_unit(said: str) -> None:
    before = form_of(KNOWN["sales"], "cost by product")

    after = revise(before, said, KNOWN["sales"], today=TODAY)

    assert isinstance(after, Form)
    assert (measures(after), pieces(after)) == ([COST], ["Product"])
