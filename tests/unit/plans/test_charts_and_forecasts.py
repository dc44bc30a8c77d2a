"""What a chart is described as, and how a row of numbers is continued."""

from typing import Any

import pytest

from softrail.plans.data.charts import MOST_ROWS, Table, specification
from softrail.plans.data.faults import LimitReached, QueryRefused
from softrail.plans.data.forecasts import forecast


def table(rows: list[list[Any]], kind: str = "text", unit: str = "EUR") -> Table:
    columns = [{"name": "when", "kind": kind, "unit": ""}, {"name": "a.b[0]", "kind": "number", "unit": unit}]
    return Table({"columns": columns, "rows": rows})


def test_names_of_columns_are_titles_and_never_paths() -> None:
    drawn = specification(table([["x", "1.50"], ["y", None]]), "bar", "when", "a.b[0]", "{datum.x}")

    assert drawn["encoding"]["y"] == {"field": "y", "title": "a.b[0] (EUR)", "type": "quantitative"}
    assert drawn["data"] == {"values": [{"x": "x", "y": 1.5}, {"x": "y", "y": None}]}
    assert drawn["title"] == {"text": "{datum.x}"}
    assert drawn["encoding"]["x"]["type"] == "ordinal"


@pytest.mark.parametrize(
    ("kind", "chart", "wanted"),
    [("date", "line", "temporal"), ("number", "line", "ordinal"), ("number", "point", "quantitative"), ("text", "area", "ordinal")],
)  # fmt: skip
def test_the_axis_is_that_of_its_values(kind: str, chart: Any, wanted: str) -> None:
    value = {"date": "2024-02-13", "number": "2024", "text": "x"}[kind]
    drawn = specification(table([[value, "1"]], kind), chart, "when", "a.b[0]", "T")
    assert drawn["encoding"]["x"]["type"] == wanted


def test_a_series_has_a_colour_each() -> None:
    columns = [{"name": n, "kind": k, "unit": ""} for n, k in (("x", "text"), ("y", "number"), ("s", "text"))]
    drawn = specification(Table({"columns": columns, "rows": [["a", "1", "N"]]}), "line", "x", "y", "T", "s")
    assert drawn["data"] == {"values": [{"x": "a", "y": 1.0, "s": "N"}]}


def test_what_cannot_be_drawn_says_why() -> None:
    with pytest.raises(QueryRefused, match="has no column “z”"):
        specification(table([["x", "1"]]), "bar", "when", "z", "T")
    with pytest.raises(QueryRefused, match="“when” has no numbers"):
        specification(table([["x", "1"]]), "bar", "when", "when", "T")
    with pytest.raises(LimitReached):
        specification(table([["x", "1"]] * (MOST_ROWS + 1)), "bar", "when", "a.b[0]", "T")
    nothings: tuple[object, ...] = ({"columns": [], "rows": []}, {"a": 1}, 3)
    for nothing in nothings:
        with pytest.raises(QueryRefused):
            Table(nothing)


@pytest.mark.parametrize(
    ("kind", "rows", "wanted"),
    [
        ("number", [["2021", "1"], ["2022", "2"], ["2023", "3"]], [["2024", "4"], ["2025", "5"]]),
        ("date", [["2024-01-31", "1.0"], ["2024-02-29", "1.5"], ["2024-03-31", "2.0"]], [["2024-04-30", "2.5"], ["2024-05-31", "3.0"]]),
        ("date", [["2024-03-01", "1"], ["2024-01-01", "1"], ["2024-02-01", "1"]], [["2024-04-01", "1"], ["2024-05-01", "1"]]),
        ("date", [["2024-01-01", "1"], ["2024-01-08", "2"], ["2024-01-15", "3"]], [["2024-01-22", "4"], ["2024-01-29", "5"]]),
    ],
    ids=["years", "ends of months", "months in any order", "weeks"],
)  # fmt: skip
def test_a_trend_is_continued_by_the_step_of_its_points(kind: str, rows: Any, wanted: Any) -> None:
    value, told = forecast(table(rows, kind), "when", "a.b[0]", 2, "trend")
    assert value["rows"] == wanted
    assert "a straight line by least squares through 3 points" in told


def test_the_mean_stays_and_says_how_far_it_missed() -> None:
    value, told = forecast(table([["1", "1"], ["2", "3"], ["3", "5"]], "number"), "when", "a.b[0]", 1, "mean")
    assert value["rows"] == [["4", "3"]]
    assert "it missed the known points by 1 on average" in told


@pytest.mark.parametrize(
    ("kind", "rows", "why"),
    [
        ("number", [["2021", "1"], ["2022", "2"]], "needs 3 points"),
        ("number", [["2021", "1"], ["2022", "2"], ["2024", "3"]], "not evenly apart"),
        ("date", [["2024-01-01", "1"], ["2024-01-01", "2"], ["2024-01-01", "3"]], "not evenly apart"),
        ("text", [["a", "1"], ["b", "2"], ["c", "3"]], "neither dates nor numbers"),
    ],
    ids=["too few", "a gap", "the same day", "words"],
)
def test_what_cannot_be_continued_says_why(kind: str, rows: Any, why: str) -> None:
    with pytest.raises(QueryRefused, match=why):
        forecast(table(rows, kind), "when", "a.b[0]", 1, "trend")
