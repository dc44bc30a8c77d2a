"""What only servers of the kind of OpenAI's do, and how one is chosen by settings."""

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from softrail import Settings, build
from softrail.core.errors import DefinitionError, ModelUnavailable
from softrail.core.ports import Message, Model, ModelAnswer, ModelRequest
from softrail.models import open_models
from softrail.models.compatible import OpenAIModel
from softrail.settings import SettingsError, load_settings
from softrail.store import MemoryStore
from softrail.testing import FrozenClock, conversation
from tests.completions_api import completions_api
from tests.messages_api import MODEL, Fail, Line, MessagesApi, Raw, Say

REQUEST = ModelRequest(purpose="respond", system="", messages=[Message(role="user", content="hello")])
OWN = "a-key-of-their-own"


@asynccontextmanager
async def served(*lines: Line, **given: Any) -> AsyncIterator[tuple[OpenAIModel, MessagesApi]]:
    async with completions_api(*lines) as api:
        model = OpenAIModel(**{"model": MODEL, "api_key": "key", "base_url": api.url, **given})
        await model.warm()
        try:
            yield model, api
        finally:
            await model.aclose()


def whole(message: dict[str, Any], **choice: Any) -> Raw:
    """A whole answer with a message of any kind."""
    choices = [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop", **choice}]
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": MODEL, "choices": choices}
    return Raw(body=json.dumps(body).encode())


def chunks(*deltas: dict[str, Any], stop: str | None) -> Raw:
    """A streamed answer; `stop` None: it ends without a word."""
    rows: list[dict[str, Any]] = [{"delta": delta, "finish_reason": None} for delta in deltas]
    rows += [{"delta": {}, "finish_reason": stop}] if stop else []
    sent = [
        {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": MODEL,
            "choices": [{"index": 0, **r}],
        }
        for r in rows
    ]
    body = "".join(f"data: {json.dumps(one)}\n\n" for one in sent)
    return Raw(body=body.encode(), kind="text/event-stream")


async def test_a_refusal_instead_of_an_answer_is_no_answer() -> None:
    refused = whole({"content": None, "refusal": "I would rather not."})
    async with served(refused, refused) as (model, _):
        with pytest.raises(ModelUnavailable, match="declined to answer"):
            await model.answer(REQUEST)
    streamed = chunks({"refusal": "I would rather not."}, stop="stop")
    async with served(streamed) as (model, _):
        with pytest.raises(ModelUnavailable, match="declined to answer"):
            [piece async for piece in model.stream(REQUEST)]


async def test_a_stream_that_ends_without_saying_why_is_half_an_answer() -> None:
    async with served(chunks({"content": "First of"}, {"content": " all"}, stop=None)) as (model, _):
        last = [piece async for piece in model.stream(REQUEST)][-1]

    assert isinstance(last, ModelAnswer)
    assert (last.text, last.complete) == ("First of all", False)


async def test_a_server_that_gives_no_reason_and_no_usage_is_heard() -> None:
    async with served(whole({"content": "Good day."}, finish_reason=None)) as (model, _):
        answer = await model.answer(REQUEST)

    assert (answer.text, answer.complete, answer.input_tokens) == ("Good day.", True, 0)


async def test_what_a_model_thinks_is_not_what_it_says() -> None:
    thought = whole({"content": "<think>They greet me.</think>Good day."})
    async with served(thought) as (model, _):
        assert (await model.answer(REQUEST)).text.strip() == "Good day."


async def test_an_error_inside_a_stream_is_unavailable() -> None:
    row = {"error": {"message": "overloaded", "type": "server_error", "code": 503}}
    line = Raw(body=f"data: {json.dumps(row)}\n\n".encode(), kind="text/event-stream")
    async with served(line) as (model, _):
        with pytest.raises(ModelUnavailable):
            [piece async for piece in model.stream(REQUEST)]


async def test_the_limit_has_the_name_that_every_server_knows_and_a_key_is_not_needed() -> None:
    async with served(Say(text="Good day."), api_key=None) as (model, api):
        await model.answer(REQUEST)

    [request] = api.requests
    assert request["max_tokens"] == REQUEST.max_tokens
    assert api.keys == ["none"]


async def test_tries_are_counted_and_a_turn_may_have_none_left() -> None:
    busy = Fail(status=429, headers={"retry-after-ms": "1"})
    async with served(busy, Say(text="Now.")) as (model, _):
        assert (await model.answer(REQUEST)).retries == 1
    async with served(busy) as (model, api):
        last = ModelRequest(purpose="respond", system="", messages=REQUEST.messages, retries=0)
        with pytest.raises(ModelUnavailable) as raised:
            await model.answer(last)

    assert len(api.requests) == 1
    assert raised.value.details["retries"] == 0


async def test_a_persons_own_key_pays_over_the_same_connections() -> None:
    async with served(Say(text="Good day.")) as (model, api):
        answers = await asyncio.gather(model.answer(REQUEST), model.paid_by(OWN).answer(REQUEST))

    assert [a.paid_by for a in answers] == ["system", "person"]
    assert sorted(api.keys) == [OWN, "key"]
    assert OWN not in repr(model.paid_by(OWN))


@pytest.mark.parametrize(
    "line",
    [
        Raw(body=b"{}", headers={"content-encoding": "gzip"}),
        Raw(body=b'{"a": "' + b"x" * 11_000_000 + b'"}'),
    ],
    ids=["compressed", "too long"],
)
async def test_what_nobody_asked_for_is_not_read(line: Line) -> None:
    async with served(line, retries=0) as (model, _):
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)


async def test_what_people_say_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    canary = "canary-4711"
    said = ModelRequest(purpose="respond", system="", messages=[Message(role="user", content=canary)])
    async with served(Say(text=canary), Fail(status=400)) as (model, _):
        await model.answer(said)
        with pytest.raises(ModelUnavailable):
            await model.answer(said)

    assert canary not in caplog.text


# -- chosen by settings


async def test_a_server_of_ones_own_phrases_free_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    async with completions_api(Say(text="Hello from here.")) as api:
        settings = Settings(model="openai", openai_model=MODEL, openai_url=api.url, encoder="none")
        dispatcher = build(settings, store=MemoryStore(), discover=False)
        async with conversation(clock=FrozenClock(), dispatcher=dispatcher) as talk:
            said = await talk.say("hello there", intent_hint="general_conversation")

    assert said.text == "Hello from here."
    [call] = said.decision.model_calls
    assert (call.model, call.input_tokens, call.output_tokens, call.cost_usd) == (MODEL, 18, 5, None)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({}, "SOFTRAIL_OPENAI_MODEL to what your server calls its model"),
        ({"openai": "m"}, "needs a key or a server: set OPENAI_API_KEY, or SOFTRAIL_OPENAI_URL"),
    ],
    ids=["no name", "no key"],
)
def test_what_is_missing_is_said_at_the_start(
    chosen: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(DefinitionError, match=told):
        open_models("openai", timeout=1.0, **chosen)


def test_key_and_address_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    models = open_models("openai", timeout=1.0, openai="some-model")
    system: Model = models.system
    assert system.name == "some-model"

    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    assert open_models("openai", timeout=1.0, openai="other").system.name == "other"


def test_an_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOFTRAIL_OPENAI_URL", "localhost:11434")
    with pytest.raises(SettingsError, match=r"SOFTRAIL_OPENAI_URL.*must begin with http:// or https://"):
        load_settings()


def test_the_library_is_loaded_at_the_first_call_and_not_before() -> None:
    code = (
        "import sys\nfrom softrail.models import open_models\n"
        "open_models('openai', timeout=1.0, openai='m', base_url='http://127.0.0.1:9')\n"
        "print({'openai', 'pydantic_ai', 'anthropic'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
