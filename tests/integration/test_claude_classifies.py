"""The classifier's model stage through the real SDK over real HTTP (F2 and F3 of the fault matrix)."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from softrail.classifier import Cascade
from softrail.core.intents import Intent, IntentDefinition
from softrail.models.claude import AnthropicModel
from softrail.prompts import Library
from tests.messages_api import Fail, Line, MessagesApi, Raw, Say, Silence, messages_api
from tests.structured_output import accepted

pytest.importorskip("anthropic")

#: Without examples nothing is sure, so every message is asked about.
INTENTS = [
    IntentDefinition(name="refund", description="They want their money back."),
    IntentDefinition(name="order_status", description="They ask where an order is."),
    IntentDefinition(name="general_conversation", description="Talk."),
]


@asynccontextmanager
async def classified(*lines: Line, timeout: float = 10.0) -> AsyncIterator[tuple[Intent, MessagesApi]]:
    async with messages_api(*lines) as api:
        model = AnthropicModel(api_key="key", base_url=api.url, timeout=timeout)
        cascade = Cascade(encoder="none", prompts=Library())
        intent = await cascade.classify("give me my money back", INTENTS, model=model)
        await model.aclose()
        yield intent, api


def said(**fields: Any) -> Say:
    return Say(text=json.dumps({"intent": "refund", "confidence": 0.9, **fields}))


async def test_one_call_bound_to_the_intents_decides() -> None:
    async with classified(said(parameters={}, alternative=None)) as (intent, api):
        assert (intent.name, intent.confidence, intent.tier) == ("refund", 0.9, "model")

    (request,) = api.requests
    schema = request["output_config"]["format"]["schema"]
    assert schema["properties"]["intent"]["enum"] == ["refund", "order_status", "general_conversation"]
    assert "They want their money back." in request["system"][0]["text"]
    assert "money back" not in request["system"][0]["text"].replace("They want their money back.", "")
    assert accepted(schema) == []


class Trip(BaseModel):
    when: int = Field(ge=0, description="The hour.")
    tags: list[str] = []


class Table(BaseModel):
    when: str
    pace: Literal["slow", "fast"] | None = None


async def test_intents_with_parameters_of_one_name_are_asked_for_their_own() -> None:
    intents = [
        IntentDefinition(name="book_trip", parameters=Trip),
        IntentDefinition(name="book_table", parameters=Table),
    ]
    answer = {"intent": "book_table", "confidence": 0.9, "parameters": {"when": "nine", "pace": None}}
    async with messages_api(Say(text=json.dumps({**answer, "alternative": None}))) as api:
        model = AnthropicModel(api_key="key", base_url=api.url, timeout=10)
        intent = await Cascade(encoder="none").classify("at nine, not too fast", intents, model=model)
        await model.aclose()

    schema = api.requests[0]["output_config"]["format"]["schema"]
    assert accepted(schema) == []
    trip, table, _ = schema["properties"]["parameters"]["anyOf"]
    assert trip["properties"]["when"]["description"] == "The hour. (minimum 0)"
    assert table["properties"]["pace"]["anyOf"][0] == {"enum": ["slow", "fast"]}
    assert (intent.name, intent.parameters, intent.missing) == ("book_table", {"when": "nine"}, ())


@pytest.mark.parametrize(
    "line",
    [
        Fail(status=401),
        Fail(status=529, headers={"retry-after-ms": "1"}),
        Silence(),
        Raw(body=b"garbage"),
        Raw(body=b"[" * 10_000),
        Say(text=""),
        Say(text="I would say it is a refund."),
        Say(text='Here you are: {"intent": "refund", "confidence": 0.9}'),
        Say(text="null"),
        Say(text="[" * 10_000),
        Say(text='{"intent": "refund", "confidence": 0.9', stop="max_tokens"),
        Say(text="I can't help with that.", stop="refusal"),
        Say(content=[{"type": "tool_use", "id": "t", "name": "x", "input": {}}], stop="tool_use"),
        said(intent="order_sushi"),
        said(confidence=7),
        said(confidence="NaN"),
        said(confidence=None),
        said(extra="key"),
        Say(text='{"intent": "refund", "confidence": 0.9, "parameters": {"x": "' + "a" * 10_000_000 + '"}}'),
    ],
    ids=lambda line: repr(line)[:60],
)
async def test_whatever_goes_wrong_is_general_conversation_at_zero(line: Line) -> None:
    timeout = 1.0 if isinstance(line, Silence) else 10.0
    async with classified(line, timeout=timeout) as (intent, _):
        assert (intent.name, intent.confidence, intent.tier) == ("general_conversation", 0.0, "default")
        assert intent.explanation
