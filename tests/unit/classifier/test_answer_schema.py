"""What a model's answer is bound to: each intent's own parameters, in what structured outputs accept."""

from collections.abc import Callable
from datetime import date
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from softrail.classifier.answer_schema import (
    MOST_OPTIONAL,
    MOST_UNIONS,
    answer_schema,
    fields_of,
    unions,
)
from softrail.core.intents import IntentDefinition
from tests.structured_output import accepted

NULL = {"type": "null"}


class Size(Enum):
    small = "small"
    large = "large"


class Stop(BaseModel):
    street: str = Field(description="The street, without the town.")
    floor: int | None = None


class Node(BaseModel):
    name: str
    children: list["Node"] = []


class Everything(BaseModel):
    """A parameter of each kind."""

    when: date = Field(description="The day.")
    count: int = Field(ge=1, le=8, description="How many ride along.")
    tags: list[str] = Field(max_length=3)
    size: Size
    pace: Literal["slow", "fast"] = Field(description="How fast.")
    stop: Stop = Field(description="Where to stop.")
    stops: list[Stop] = []
    pair: tuple[int, str]
    nick: str | None = None
    either: int | dict[str, int]
    code: str = Field(pattern="^[A-Z]{3}$")
    anything: Any = None


class Unsayable(BaseModel):
    """What structured outputs have no form for, and one thing they have."""

    free: dict[str, int]
    node: Node
    word: str


def parameters(*models: type[BaseModel] | None) -> dict[str, Any]:
    definitions = [IntentDefinition(name=f"intent_{i}", parameters=m) for i, m in enumerate(models)]
    schema = answer_schema([d.name for d in definitions], definitions)
    assert accepted(schema) == []
    found: dict[str, Any] = schema["properties"]["parameters"]
    return found


def test_two_intents_with_a_parameter_of_one_name_have_each_its_own() -> None:
    class Number(BaseModel):
        when: int

    class Text(BaseModel):
        when: str

    one, two, neither = parameters(Number, Text, None)["anyOf"]

    assert one["properties"] == {"when": {"anyOf": [{"type": "integer"}, NULL]}}
    assert two["properties"] == {"when": {"anyOf": [{"type": "string"}, NULL]}}
    assert [one["description"], two["description"]] == [
        "The parameters of intent_0.",
        "The parameters of intent_1.",
    ]
    assert neither == NULL


def test_every_kind_of_parameter_keeps_its_type_its_values_and_its_description() -> None:
    stop = {
        "type": "object",
        "properties": {
            "street": {"type": "string", "description": "The street, without the town."},
            "floor": {"anyOf": [{"type": "integer"}, NULL]},
        },
        "required": ["street", "floor"],
        "additionalProperties": False,
    }

    assert fields_of(Everything) == {
        "when": {"type": "string", "format": "date", "description": "The day."},
        "count": {"type": "integer", "description": "How many ride along. (minimum 1, maximum 8)"},
        "tags": {"type": "array", "items": {"type": "string"}, "description": "(maxItems 3)"},
        "size": {"enum": ["small", "large"]},
        "pace": {"enum": ["slow", "fast"], "description": "How fast."},
        "stop": {**stop, "description": "Where to stop."},
        "stops": {"type": "array", "items": stop},
        "pair": {
            "type": "array",
            "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "description": "(minItems 2, maxItems 2)",
        },
        "nick": {"anyOf": [{"type": "string"}, NULL]},
        "either": {"anyOf": [{"type": "integer"}]},
        "code": {"type": "string", "description": "(pattern ^[A-Z]{3}$)"},
        "anything": {"type": "string"},
    }
    parameters(Everything)


def test_what_cannot_be_said_is_left_out_and_the_rest_is_asked_for() -> None:
    assert list(fields_of(Unsayable)) == ["word"]
    assert fields_of(Node) == {"name": {"type": "string"}}


def test_a_type_without_a_schema_costs_its_intent_the_question_and_nothing_else() -> None:
    class Odd(BaseModel):
        called: Callable[[], None]
        word: str

    shown = parameters(Odd, Stop)["anyOf"][:-1]

    assert fields_of(Odd) == {}
    assert [s["description"] for s in shown] == ["The parameters of intent_1."]


@pytest.mark.parametrize("count", [1, 3, 10, 40])
def test_however_many_parameters_there_are_the_request_is_not_refused(count: int) -> None:
    class Five(BaseModel):
        a: str
        b: int
        c: str | None = None
        d: list[str]
        e: float

    found = parameters(*[Five] * count)

    shown = found["anyOf"][:-1]
    assert unions(found) <= MOST_UNIONS - 1
    assert sum(len(s["properties"]) - len(s["required"]) for s in shown) <= MOST_OPTIONAL
    assert len(shown) >= min(count, 5)


def test_without_parameters_there_is_an_object_without_fields() -> None:
    assert parameters(None)["properties"] == {}
