"""Every word that forms are made with comes to something, or is asked about: none is passed over."""

import pytest

from benchmarks.forms import files, read_from, schemas, told
from softrail.plans.forms.form import Form, Question
from softrail.plans.forms.grammar import read
from softrail.plans.forms.revising import revise

KNOWN, TODAY = schemas()


def heard(on: str, said: str, **chosen: str) -> Form | Question | None:
    return read(said, KNOWN[on], today=TODAY, chosen=chosen, surely=True)


def bound(on: str, said: str, **chosen: str) -> dict[str, object]:
    found = heard(on, said, **chosen)
    assert isinstance(found, Form), (said, found)
    return told(found)


def asked(on: str, said: str) -> Question:
    found = heard(on, said)
    assert isinstance(found, Question), (said, found)
    return found


@pytest.mark.parametrize(
    ("on", "said", "where"),
    [
        ("sales", "revenue by product, not in the north", ["Region is not North"]),
        ("sales", "units excluding those of the west", ["Region is not West"]),
        ("sales", "revenue by channel but not from espresso", ["Product is not Espresso"]),
        ("sales", "revenue that isn't from the south", ["Region is not South"]),
        ("sales", "revenue everywhere but in the north", ["Region is not North"]),
        ("sales", "units by product, except in Q4 2024", ["Date not from 2024-10-01 to 2024-12-31"]),
        ("sales", "no, not in the shop: units", ["Channel is not Shop"]),
        ("web", "visits not from mobile in Mexico", ["device is not mobile", "country is Mexico"]),
        ("sales", "cost without those above 100 units", ["Units <= 100"]),
        ("clinic", "fees of visits that weren't with doctor Abel", ["Doctor is not Abel"]),
        ("tickets", "tickets not closed yet, per agent", ["closed_at is empty"]),
    ],
)
def test_what_is_left_out_is_left_out_whatever_stands_between(on: str, said: str, where: list[str]) -> None:
    assert bound(on, said)["where"] == where


@pytest.mark.parametrize(
    ("on", "said"),
    [
        ("sales", "revenue before and after June 2024"),
        ("sales", "not just the north: revenue by region"),
        ("sales", "no online sales, just revenue by region"),
        ("sales", "I don't want online. revenue by region"),
        ("web", "visits except USA mobile"),
        ("sales", "revenue without espresso above 10 units"),
    ],
)
def test_a_word_that_nothing_comes_of_is_asked_about(on: str, said: str) -> None:
    assert asked(on, said)


@pytest.mark.parametrize(
    ("said", "measures"),
    [
        ("average and median revenue by region", ["mean Revenue (EUR)", "median Revenue (EUR)"]),
        ("smallest and largest cost per product", ["min Cost (EUR)", "max Cost (EUR)"]),
        ("min, max and mean units by region", ["min Units", "max Units", "mean Units"]),
        ("total number of units by region", ["sum Units"]),
    ],
)
def test_several_ways_to_sum_up_are_all_told(said: str, measures: list[str]) -> None:
    assert bound("sales", said)["measures"] == measures


@pytest.mark.parametrize(
    ("on", "said"),
    [
        ("staff", "highest average salary by department"),
        ("orders", "how many orders per customer on average"),
        ("sales", "average number of sales per month"),
        ("sales", "average total revenue per product"),
    ],
)
def test_of_two_ways_to_sum_up_one_number_neither_is_dropped(on: str, said: str) -> None:
    assert asked(on, said)


@pytest.mark.parametrize("said", ["average daily revenue", "average revenue per day", "the mean weekly cost"])
def test_what_is_averaged_is_asked_where_each_piece_of_time_has_a_total(said: str) -> None:
    question = asked("sales", said)
    total, rows = question.choices
    assert bound("sales", said, **{question.about: total.key})["measures"][0].startswith("sum ")  # type: ignore[index]
    assert bound("sales", said, **{question.about: rows.key})["measures"][0].startswith("mean ")  # type: ignore[index]


def test_what_never_adds_up_is_averaged_without_a_word() -> None:
    assert bound("weather", "average daily temperature in Kiel")["by"] == ["day of date"]
    assert bound("sales", "average revenue by month")["measures"] == ["mean Revenue (EUR)"]


@pytest.mark.parametrize(
    "said",
    [
        "best product per region by revenue",
        "which product made the most revenue in each region",
        "3 best products of each year by units",
        "top 5 products by revenue per channel",
    ],
)
def test_the_best_of_each_is_asked_for_one_of_them(said: str) -> None:
    assert asked("sales", said).why == "one_of"


@pytest.mark.parametrize(
    ("said", "sides"),
    [
        (
            "how does 2024 revenue compare to the year before",
            ["2024-01-01 to 2024-12-31", "2023-01-01 to 2023-12-31"],
        ),
        (
            "units in Q1 2024 against the previous quarter",
            ["2024-01-01 to 2024-03-31", "2023-10-01 to 2023-12-31"],
        ),
        (
            "cost, January 2024 versus one month earlier",
            ["2024-01-01 to 2024-01-31", "2023-12-01 to 2023-12-31"],
        ),
        (
            "revenue in May 2023 compared to the following month",
            ["2023-05-01 to 2023-05-31", "2023-06-01 to 2023-06-30"],
        ),
        (
            "units in Q3 2024 vs the same quarter a year earlier",
            ["2024-07-01 to 2024-09-30", "2023-07-01 to 2023-09-30"],
        ),
        (
            "units in June 2024 vs the same month last year",
            ["2024-06-01 to 2024-06-30", "2023-06-01 to 2023-06-30"],
        ),
    ],
)
def test_a_time_beside_another_is_counted_from_that_one(said: str, sides: list[str]) -> None:
    assert bound("sales", said)["sides"] == [f"Date from {one}" for one in sides]


@pytest.mark.parametrize("said", ["revenue 2024 vs last year", "revenue in Q3 2024 vs the previous month"])
def test_a_time_is_not_set_beside_itself_nor_beside_another_kind(said: str) -> None:
    assert asked("sales", said)


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("revenue from March 2024 on", "Date from 2024-03-01"),
        ("revenue from March 2024 onwards by product", "Date from 2024-03-01"),
        ("revenue on or after 2024-02-10", "Date from 2024-02-10"),
        ("units no later than June 2023", "Date to 2023-06-30"),
        ("units by the end of 2023", "Date to 2023-12-31"),
    ],
)
def test_where_a_time_begins_or_ends(said: str, where: str) -> None:
    assert bound("sales", said)["where"] == [where]


def test_rows_that_count_for_one_of_two_reasons_are_asked_about() -> None:
    assert asked("orders", "gross amount where items > 10 or net amount > 1000").about == "or"
    assert asked("weather", "rain with wind below 10 or wind above 50").about == "or"
    assert bound("sales", "units in the north or east by product")["by"] == ["Product"]


def test_a_share_of_which_it_is_not_clear_what_is_the_whole_is_asked_about() -> None:
    assert asked("sales", "what percentage of units north espresso").what == "group"
    assert bound("sales", "what percentage of units in the north was espresso")["by"] == ["Product"]
    assert asked("sales", "share of online in revenue by region")
    assert bound("sales", "what share of revenue comes from the north?")["by"] == ["Region"]
    assert bound("sales", "share of online revenue by region")["where"] == ["Channel is Online"]


def test_in_percent_is_a_share() -> None:
    assert bound("sales", "revenue by region in percent")["form"] == "share"
    assert bound("sales", "how many percent of units are from each product")["form"] == "share"


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("but not in the north", ["Region is not North"]),
        ("no online sales please", None),
        ("no online", ["Channel is not Online"]),
        ("no, online", ["Channel is Online"]),
        ("no only online", ["Channel is Online"]),
    ],
)
def test_what_a_change_leaves_out_is_left_out(said: str, where: list[str] | None) -> None:
    before = heard("sales", "revenue by product")
    assert isinstance(before, Form)
    changed = revise(before, said, KNOWN["sales"], today=TODAY)
    assert (told(changed)["where"] if isinstance(changed, Form) else None) == where


@pytest.mark.parametrize(
    ("on", "said"),
    [
        ("sales", "which products sold less than 100 units"),
        ("sales", "regions with revenue over 5000"),
        ("web", "which pages have a bounce rate of at least 60 percent"),
    ],
)
def test_whether_rows_or_totals_are_so_much_is_asked(on: str, said: str) -> None:
    question = asked(on, said)
    assert question.why == "of_rows"
    assert bound(on, said, **{question.about: question.choices[0].key})["where"]


def test_a_number_that_names_something_is_no_limit() -> None:
    assert asked("tickets", "agents with more than 1000 tickets")


@pytest.mark.parametrize(
    "said",
    [
        "revenue north 2023 versus south 2024",
        "revenue of espresso online versus decaf in the shop",
        "distribution of average revenue by region",
        "trend of revenue in percent",
        "is the average revenue in the north higher than the median in the south?",
        "verify that revenue did not fall in 2024",
        "verify that the north is not the best region",
    ],
)
def test_what_no_form_tells_is_asked_about(said: str) -> None:
    assert asked("sales", said)


def test_what_is_said_not_to_be_more_is_at_most_as_much() -> None:
    claim = bound("sales", "verify that revenue in the north isn't higher than in the south")["claim"]
    assert claim == "Region is North <= Region is South"


@pytest.mark.parametrize(
    "said",
    [
        "top 3 products by revenue and units",
        "share of revenue by region and channel",
        "distribution of units and revenue",
        "predict revenue by region",
        "predict revenue and units",
    ],
)
def test_what_a_form_has_no_room_for_is_asked_for_one_at_a_time(said: str) -> None:
    assert asked("sales", said).why == "one_of"


def test_a_change_for_which_a_form_has_no_room_is_none() -> None:
    for before, change in (
        ("share of revenue by region", "also by channel"),
        ("predict revenue", "by region"),
    ):
        form = heard("sales", before)
        assert isinstance(form, Form)
        assert revise(form, change, KNOWN["sales"], today=TODAY) is None


def test_two_numbers_side_by_side_in_pieces_are_told_in_pieces() -> None:
    found = bound("sales", "put revenue and cost side by side per month")
    assert (found["form"], found["by"]) == ("compare", ["month of Date"])


@pytest.mark.parametrize(
    ("on", "said"),
    [
        ("web", "where do our visitors come from"),
        ("web", "time on page for tablet vs desktop"),
        ("tickets", "average time to close by agent"),
    ],
)
def test_where_and_how_much_time_are_asked_about(on: str, said: str) -> None:
    assert asked(on, said)


@pytest.mark.parametrize(
    ("before", "said", "part", "now"),
    [
        ("revenue by product for 2024", "the previous year", "where", ["Date from 2023-01-01 to 2023-12-31"]),
        ("revenue in Q1 2024", "the quarter before", "where", ["Date from 2023-10-01 to 2023-12-31"]),
        (
            "revenue for 2024",
            "compared to the year before",
            "sides",
            ["Date from 2024-01-01 to 2024-12-31", "Date from 2023-01-01 to 2023-12-31"],
        ),
        (
            "revenue by product",
            "average and median",
            "measures",
            ["mean Revenue (EUR)", "median Revenue (EUR)"],
        ),
        ("top 3 products by revenue", "by units", "measures", ["sum Units"]),
        ("top 3 products by revenue", "in each region", None, None),
    ],
)
def test_what_a_change_says_is_all_of_it_and_seen_from_the_plan(
    before: str, said: str, part: str | None, now: list[str] | None
) -> None:
    form = heard("sales", before)
    assert isinstance(form, Form)
    changed = revise(form, said, KNOWN["sales"], today=TODAY)
    assert (told(changed)[part] if part and isinstance(changed, Form) else changed) == now


LIBRARY, GYM = (read_from(*files()[name]) for name in ("library", "gym"))


def test_a_claim_about_two_years_of_a_column_of_years_has_both() -> None:
    found = read("did loans go up from 2019 to 2021?", LIBRARY, today=TODAY)
    assert isinstance(found, Form)
    assert told(found)["claim"] == "Year is 2021 > Year is 2019"


def test_per_year_has_a_total_also_where_years_are_a_column() -> None:
    found = read("average loans per year", LIBRARY, today=TODAY)
    assert isinstance(found, Question)
    assert found.choices[0].label == "The total of each year"


def test_per_visit_is_not_by_the_date_of_it() -> None:
    assert isinstance(read("average minutes per visit by class", GYM, today=TODAY, surely=True), Question)
