"""What columns are good for is told by what stands in them: numbers of rows, marks, and words that lead to something."""

from collections.abc import Mapping, Sequence
from datetime import date

import pytest

from benchmarks.forms import read_from, told
from softrail.plans.data.profile import Source
from softrail.plans.forms.form import Form, Question
from softrail.plans.forms.grammar import read
from softrail.plans.forms.revising import revise

TODAY = date(2025, 6, 15)


def table(name: str, head: str, rows: Sequence[str]) -> tuple[Source, ...]:
    return read_from(f"{name}.csv", "\n".join([head, *rows]).encode())


TICKETS = table(
    "tickets",
    "Ticket,Opened,Closed,Team,Status,CSAT,Priority,Answered after (min)",
    [
        f"{n},2024-{n % 12 + 1:02}-05,{'' if n % 4 == 0 else f'2024-{n % 12 + 1:02}-09'},"
        f"{('Tech', 'Sales', 'IT')[n % 3]},{'open' if n % 4 == 0 else 'closed'},{n % 5 + 1},{n % 3 + 1},{n * 7 % 200}"
        for n in range(1, 41)
    ],
)
GATES = table(
    "gates",
    "Date,Gate,Direction,temp_c,rain_mm,Passed",
    [
        f"2024-{n % 12 + 1:02}-1{n % 9},{'AB'[n % 2]},{('in', 'out')[n % 2]},{n % 9}.5,{n % 4},{n}"
        for n in range(24)
    ],
)
GIFTS = table(
    "gifts",
    "Donation,Date,Donor,Amount (EUR),Refunded",
    [
        f"{1000 + n},202{3 + n % 2}-0{n % 9 + 1}-11,{('Ada', 'Bo', 'Cy')[n % 3]},{n % 7 * 10 + 5},{('no', 'yes')[n % 5 == 0]}"
        for n in range(36)
    ],
)


def found(
    said: str, on: tuple[Source, ...] = TICKETS, chosen: Mapping[str, str] | None = None
) -> Form | Question | None:
    return read(said, on, today=TODAY, chosen=chosen, surely=True)


def bound(
    said: str, on: tuple[Source, ...] = TICKETS, chosen: Mapping[str, str] | None = None
) -> dict[str, object]:
    form = found(said, on, chosen)
    assert isinstance(form, Form), (said, form)
    return told(form)


def asked(said: str, on: tuple[Source, ...] = TICKETS) -> Question:
    question = found(said, on)
    assert isinstance(question, Question), (said, question)
    return question


def test_numbers_of_rows_are_counted_and_never_summed_up() -> None:
    assert bound("how many tickets per team") == {
        "form": "analyze",
        "measures": ["count Ticket"],
        "by": ["Team"],
    }
    assert bound("how many donations", GIFTS)["measures"] == ["count Donation"]
    assert [one.key for one in asked("sum of donations by donor", GIFTS).choices][:2] == [
        "amount_eur",
        "rows",
    ]


def test_numbers_in_any_order_number_rows_only_where_there_are_many() -> None:
    few = table("few", "Pieces,Shop", ["3,A", "1,B", "2,A", "5,B", "4,A", "6,B"])
    assert not few[0].tables[0].columns[0].numbering
    many = table("many", "Order,Shop", [f"{n * 7 % 40},A" for n in range(40)])
    assert many[0].tables[0].columns[0].numbering
    nothing = table("nothing", "Order,Shop", [",A", ",B"])
    assert not nothing[0].tables[0].columns[0].numbering


def test_how_many_of_something_stays_a_sum_though_its_numbers_follow_each_other() -> None:
    rising = table("rising", "Week,Units,Shop", [f"{n},{n},A" for n in range(1, 9)])
    assert bound("units by shop", rising)["measures"] == ["sum Units"]


@pytest.mark.parametrize(
    ("said", "on", "measure"),
    [
        ("CSAT by team", TICKETS, "mean CSAT"),
        ("temperature by gate", GATES, "mean temp_c"),
        ("rain by gate", GATES, "sum rain_mm"),
    ],
)
def test_marks_and_temperatures_are_averaged(said: str, on: tuple[Source, ...], measure: str) -> None:
    assert bound(said, on)["measures"] == [measure]


def test_small_numbers_of_which_nothing_says_what_they_are_are_asked_about() -> None:
    question = asked("priority by team")
    assert [one.label for one in question.choices] == [
        "Average Priority",
        "Sum Priority",
        "Number of different Priority",
    ]
    assert bound("priority by team", chosen={question.about: "mean"})["measures"] == ["mean Priority"]
    assert bound("priority by team", chosen={question.about: "count"})["measures"] == ["count Priority"]
    assert bound("average priority by team")["measures"] == ["mean Priority"]


def test_a_word_that_leads_to_a_time_is_no_value() -> None:
    assert "Direction is in" not in str(bound("how many passed in March 2024", GATES))
    assert bound("passed in by gate", GATES)["where"] == ["Direction is in"]
    assert bound("passed going out", GATES)["where"] == ["Direction is out"]


def test_a_value_to_the_letter_comes_before_a_title_that_is_like_it() -> None:
    assert bound("how many tickets are still open")["where"] == ["Status is open"]
    assert bound("what percentage of tickets is open")["by"] == ["Status"]
    assert bound("CSAT in IT")["where"] == ["Team is IT"]


def test_rows_with_that_very_number() -> None:
    assert bound("how many tickets with a csat of 1")["where"] == ["CSAT is 1"]
    assert bound("tickets with csat 1 or 2 by team")["where"] == ["CSAT is 1, 2"]
    assert bound("tickets with priority 1 by team")["where"] == ["Priority is 1"]
    assert "where" not in bound("top 5 teams by csat")


def test_within_so_long_is_a_limit_of_what_takes_time_and_asked_where_that_is_not_named() -> None:
    assert bound("how many tickets were answered within 2 hours")["where"] == ["Answered after (min) <= 120"]
    assert [one.key for one in asked("how many tickets were closed within a day").choices] == [
        "answered_after_min"
    ]
    assert asked("how many donations within a week", GIFTS).why == "no_fit"


def test_days_are_counted_by_no_form() -> None:
    assert asked("how many days did it rain", GATES).said == "days"


def test_a_season_is_asked_about_with_its_months() -> None:
    question = found("amount in spring by donor", GIFTS)
    assert isinstance(question, Question)
    assert [one.label for one in question.choices] == [
        "spring 2023 (March to May)",
        "spring 2024 (March to May)",
        "spring of every year",
    ]
    every = bound("amount in spring by donor", GIFTS, chosen={question.about: "every"})
    assert every["where"] == ["month of Date is 3, 4, 5"]
    winter = found("amount last winter by donor", GIFTS)
    assert isinstance(winter, Question)
    assert winter.choices[1].label == "last winter 2024 (December 2023 to February 2024)"


def test_a_percentage_of_rows_is_told_of_all_answers() -> None:
    assert bound("what percentage of donations was refunded", GIFTS) == {
        "form": "share",
        "measures": ["count Donation"],
        "by": ["Refunded"],
    }
    of_one = bound("what percentage of the tech tickets is open")
    assert (of_one["by"], of_one["where"]) == (["Status"], ["Team is Tech"])


def test_a_percentage_of_a_yes_in_each_piece_is_asked_about_and_the_share_of_those_who_said_it_is_not() -> (
    None
):
    assert asked("what percentage of donations was refunded by donor", GIFTS).why == "one_of"
    assert bound("share of refunded donations by donor", GIFTS)["by"] == ["Donor"]


def test_how_many_of_what_numbers_each_row_are_so_is_one_number() -> None:
    assert "by" not in bound("which tickets are open, just the number")
    closed = bound("how many tickets were closed in March 2024")
    assert closed["where"] == ["Closed from 2024-03-01 to 2024-03-31"]


def test_what_is_higher_in_one_is_held_against_all_others() -> None:
    assert bound("is CSAT higher in Tech")["claim"] == "Team is Tech > Team is not Tech"
    assert bound("is CSAT higher in IT than in Sales")["claim"] == "Team is IT > Team is Sales"


def test_money_is_money_whatever_its_column_is_called() -> None:
    assert bound("who gave the most", GIFTS)["measures"] == ["sum Amount (EUR)"]
    assert bound("how much did Ada give", GIFTS)["where"] == ["Donor is Ada"]
    assert bound("how many people", GIFTS)["measures"] == ["count Donor"]


def test_rows_are_listed_where_they_are_shown_and_counted_where_they_are_counted() -> None:
    assert bound("which tickets are open")["form"] == "rows"
    assert bound("show me the tickets with a csat of 1")["form"] == "rows"
    assert bound("show me how many tickets are open")["form"] == "analyze"
    assert bound("show me the open tickets by team")["form"] == "analyze"


def test_the_words_of_what_is_listed_are_told() -> None:
    form = found("which tickets are open")
    assert isinstance(form, Form)
    assert [(one.said, one.means) for one in form.reads] == [
        ("open", "`Status` is open"),
        ("", "number of rows"),
    ]


def changed(before: str, said: str, on: tuple[Source, ...]) -> dict[str, object]:
    form = found(before, on)
    assert isinstance(form, Form)
    after = revise(form, said, on, today=TODAY)
    assert isinstance(after, Form), after
    return told(after)


def test_what_is_told_is_set_beside_another_time_shared_out_and_listed() -> None:
    compared = changed("amount in 2024", "compare with 2023", GIFTS)
    assert compared["sides"] == ["Date from 2024-01-01 to 2024-12-31", "Date from 2023-01-01 to 2023-12-31"]
    shared = changed("how many tech tickets are open", "what percentage is that", TICKETS)
    assert (shared["form"], shared["by"], shared["where"]) == ("share", ["Status"], ["Team is Tech"])
    assert changed("how many tickets are open", "show me the rows", TICKETS)["form"] == "rows"
    assert changed("list the open tickets", "by team", TICKETS) == {
        "form": "analyze",
        "measures": ["count rows"],
        "by": ["Team"],
        "where": ["Status is open"],
    }
