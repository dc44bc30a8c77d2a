"""What does not fit a JSON schema has its place and its sentence, and what fits has none."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import jsonschema_rs
import pytest
from pydantic import BaseModel, Field, TypeAdapter

from softrail.core.fitting import unfit
from softrail.processes.sentences import SENTENCES, places


class Size(Enum):
    """How large."""

    SMALL = "S"
    LARGE = "L"


#: Types of answers as their schemas tell them, but for formats: those a schema only notes.
TYPES: list[Any] = [
    *(
        str,
        int,
        float,
        bool,
        Decimal,
        Size,
        Literal["a", "b"],
        Literal["only"],
        Literal[1, 2],
        Literal[1, "a"],
        list[str],
    ),
    *(Annotated[int, Field(ge=1, le=8)], Annotated[float, Field(gt=0.5, lt=2)], int | None, dict[str, int]),
    *(
        Annotated[int, Field(multiple_of=3)],
        Annotated[str, Field(min_length=2, max_length=3)],
        int | list[str],
    ),
    *(Annotated[str, Field(pattern="^[ab]+$")], tuple[int, str]),
    *(set[str], Annotated[dict[str, int], Field(min_length=1, max_length=1)], dict[Literal["a"], int]),
    *(Annotated[list[Literal["a", "b"]], Field(min_length=1, max_length=2)], list[list[int]], Decimal | None),
    Annotated[Decimal, Field(ge=Decimal("0.5"), max_digits=4)],
]
VALUES: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        2,
        3,
        8,
        9,
        -1,
        0.5,
        0.51,
        1.0,
        1.99,
        2.0,
        4.5,
        10**6,
        "",
        "a",
        "b",
        "ab",
        "aba",
        "abab",
    ),
    *(
        "S",
        "M",
        "only",
        "1",
        "1.5",
        "x1",
        [],
        ["a"],
        ["b", "a"],
        ["a", "a"],
        ["a", "b", "a"],
        ["c"],
        [1],
        [1, "x"],
    ),
    *(
        ["x", 1],
        [1, "x", 2],
        [[1], [2]],
        [[1], ["a"]],
        [None],
        {},
        {"a": 1},
        {"b": 1},
        {"a": "x"},
        {"a": 1, "b": 2},
    ),
]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_every_value_that_does_not_fit_has_a_sentence(kind: Any) -> None:
    schema = TypeAdapter(kind).json_schema()
    for value in VALUES:
        wrong = unfit(schema, value)
        assert (wrong == []) is jsonschema_rs.is_valid(schema, value), value
        for one in wrong:
            assert set(places(SENTENCES[one.sentence])) <= set(one.values), (
                "a place of its sentence stays empty"
            )


class Guest(BaseModel):
    """Somebody who comes."""

    people: Annotated[int, Field(ge=1)]
    name: str = ""


@pytest.mark.parametrize(
    ("value", "where", "sentence"),
    [
        ({"people": 0}, ("people",), "greater_than_equal"),
        ({"people": "two"}, ("people",), "whole_number"),
        ({"name": "Ada"}, ("people",), "missing"),
        ({"people": 2, "name": 3}, ("name",), "text_wanted"),
        ({"people": 2, "age": 3}, ("age",), "not_usable"),
        ([], (), "not_usable"),
    ],
)
def test_what_does_not_fit_is_told_where_it_stands(value: Any, where: tuple[str, ...], sentence: str) -> None:
    schema = {**Guest.model_json_schema(), "additionalProperties": False}

    assert [(one.path, one.sentence) for one in unfit(schema, value)] == [(where, sentence)]
    assert [one.path for one in unfit({"items": schema}, [{"people": 1}, value])] == [(1, *where)]


@pytest.mark.parametrize(
    ("kind", "fine", "wrong", "sentence"),
    [
        (date, "2026-03-09", "tomorrow", "no_date"),
        (date, "2026-03-09", 20260309, "no_date"),
        (time, "08:30", "at eight", "no_time"),
        (datetime, "2026-03-09T18:00:00+01:00", "2026-03", "no_moment"),
        (timedelta, "PT2H", "two hours", "no_length"),
        (Annotated[date | None, Field()], None, "tomorrow", "no_date"),
        (Annotated[Decimal, Field(ge=1)], 2, 0.5, "greater_than_equal"),
        (int | list[str], 2, "two", "not_usable"),
        (int | list[int], 2, ["two"], "whole_number"),
    ],
)
def test_a_format_is_taken_as_an_answer_of_that_type_is(
    kind: Any, fine: Any, wrong: Any, sentence: str
) -> None:
    schema = TypeAdapter(kind).json_schema()

    assert unfit(schema, fine) == []
    assert [one.sentence for one in unfit(schema, wrong)] == [sentence]


@pytest.mark.parametrize(
    "schema",
    [True, None, {}, {"type": "stone"}, {"minLength": "x"}, {"pattern": "("}, {"anyOf": 7}, {"$ref": "#/x"}],
)
def test_what_is_not_known_of_a_schema_stands_against_nothing(schema: Any) -> None:
    assert unfit(schema, "words") == []


def test_a_pattern_that_takes_its_time_is_given_up() -> None:
    schema = {"type": "string", "pattern": r"(\w+)\1\1x$"}

    assert unfit(schema, "abc") != []
    assert unfit(schema, "ab" * 3_000) == []


def test_a_schema_that_points_elsewhere_asks_nobody() -> None:
    assert unfit({"$ref": "http://127.0.0.1:9/schema.json"}, "words") == []
