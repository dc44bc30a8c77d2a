"""The Anthropic SDK over real HTTP, against a double that breaks in every way the fault matrix lists (F1, F4, F5)."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Message, ModelAnswer, ModelRequest
from softrail.models.claude import AnthropicModel
from tests.messages_api import MODEL, Fail, Line, MessagesApi, Raw, Say, Silence, events, messages_api

pytest.importorskip("anthropic")

REQUEST = ModelRequest(
    purpose="respond", system="You help.", messages=[Message(role="user", content="hello")]
)
AT_ONCE = {"retry-after-ms": "1"}


@asynccontextmanager
async def claude(*lines: Line, timeout: float = 10.0) -> AsyncIterator[tuple[AnthropicModel, MessagesApi]]:
    async with messages_api(*lines) as api:
        model = AnthropicModel(model=MODEL, api_key="key", base_url=api.url, timeout=timeout)
        try:
            yield model, api
        finally:
            await model.aclose()


async def test_an_answer_comes_with_what_it_cost() -> None:
    async with claude(Say(text="Good day.")) as (model, api):
        answer = await model.answer(REQUEST)

    assert answer == ModelAnswer(
        text="Good day.", model=MODEL, input_tokens=18, output_tokens=5, cached_tokens=7
    )
    assert api.requests[0]["messages"] == [{"role": "user", "content": "hello"}]
    assert api.requests[0]["system"][0]["cache_control"] == {"type": "ephemeral"}


async def test_a_schema_is_sent_as_structured_output() -> None:
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    request = ModelRequest(purpose="classify", system="", messages=REQUEST.messages, answer_schema=schema)
    async with claude(Say(text="{}")) as (model, api):
        await model.answer(request)

    assert api.requests[0]["output_config"] == {"format": {"type": "json_schema", "schema": schema}}
    assert "system" not in api.requests[0]


async def test_text_that_is_no_valid_unicode_is_sent_all_the_same() -> None:
    request = ModelRequest(purpose="respond", system="", messages=[Message(role="user", content="a\ud800b")])
    async with claude(Say(text="fine")) as (model, api):
        await model.answer(request)

    assert api.requests[0]["messages"][0]["content"] == "a?b"


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
async def test_a_busy_server_is_asked_three_times_in_all(status: int) -> None:
    async with claude(Fail(status=status, headers=AT_ONCE)) as (model, api):
        with pytest.raises(ModelUnavailable) as raised:
            await model.answer(REQUEST)

    assert len(api.requests) == 3
    assert raised.value.details["status"] == status


@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_a_refusal_of_the_request_is_not_asked_again(status: int) -> None:
    async with claude(Fail(status=status)) as (model, api):
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)

    assert len(api.requests) == 1


async def test_a_server_that_recovers_is_believed() -> None:
    async with claude(
        Fail(status=529, headers=AT_ONCE), Fail(status=429, headers=AT_ONCE), Say(text="Now.")
    ) as (
        model,
        api,
    ):
        assert (await model.answer(REQUEST)).text == "Now."

    assert len(api.requests) == 3


@pytest.mark.parametrize(
    "line", [Silence(), Fail(status=429, headers={"retry-after": "30"})], ids=["silence", "429"]
)
async def test_the_call_ends_at_its_limit_whatever_the_server_asks_for(line: Line) -> None:
    async with claude(line, timeout=0.5) as (model, _):
        await asyncio.gather(
            model.answer(REQUEST), return_exceptions=True
        )  # loads the SDK, which takes seconds
        began = time.monotonic()
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)
        with pytest.raises(ModelUnavailable):
            await anext(aiter(model.stream(REQUEST)))

    assert time.monotonic() - began < 2 * 0.5 + 1.0


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:9", "http://does-not-exist.invalid", "https://127.0.0.1:{port}"],
    ids=["refused", "dns", "tls"],
)
async def test_a_server_that_cannot_be_reached_is_unavailable(url: str) -> None:
    async with messages_api(Say(text="unheard")) as api:
        port = api.url.rpartition(":")[2]
        model = AnthropicModel(api_key="key", base_url=url.replace("{port}", port), timeout=10.0, retries=0)
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)
        await model.aclose()


@pytest.mark.parametrize(
    "line",
    [
        Say(text=""),
        Say(text=" \n\t "),
        Say(text="", stop="refusal"),
        Say(content=[{"type": "tool_use", "id": "t1", "name": "delete", "input": {}}], stop="tool_use"),
        Raw(body=b"not json"),
        Raw(body=b"null"),
        Raw(body=b'{"content": null}'),
        Raw(body=b"\xff\xfe\x00"),
        Raw(body=b""),
        Raw(body=b"[" * 10_000),
    ],
    ids=["empty", "blank", "refusal", "tool", "prose", "null", "no content", "bytes", "nothing", "nested"],
)
async def test_an_answer_without_usable_words_is_unavailable(line: Line) -> None:
    async with claude(line) as (model, _):
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)
        with pytest.raises(ModelUnavailable):
            [piece async for piece in model.stream(REQUEST)]


async def test_a_refusal_is_no_answer_but_words_already_streamed_are_kept_and_marked() -> None:
    async with claude(Say(text="I would rather not.", stop="refusal")) as (model, _):
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)
        last = [piece async for piece in model.stream(REQUEST)][-1]

    assert isinstance(last, ModelAnswer)
    assert (last.text, last.complete) == ("I would rather not.", False)


@pytest.mark.parametrize("streamed", [False, True])
async def test_an_answer_that_ran_out_of_room_is_kept_and_marked(streamed: bool) -> None:
    async with claude(Say(text="First of all", stop="max_tokens")) as (model, _):
        pieces = [p async for p in model.stream(REQUEST)] if streamed else [await model.answer(REQUEST)]

    last = pieces[-1]
    assert isinstance(last, ModelAnswer)
    assert (last.text, last.complete) == ("First of all", False)


async def test_a_stream_gives_its_pieces_and_then_the_whole() -> None:
    async with claude(Say(text="one two three")) as (model, _):
        pieces = [piece async for piece in model.stream(REQUEST)]

    assert pieces[:-1] == ["one", " two", " three"]
    assert pieces[-1] == ModelAnswer(
        text="one two three", model=MODEL, input_tokens=18, output_tokens=5, cached_tokens=7
    )


async def test_a_stream_that_breaks_anywhere_keeps_exactly_what_was_seen() -> None:
    text = "Zwölf Boxkämpfer jagen Viktor — über den großen Deich 🚣 und zurück"
    full = len(_streamed_body(text))
    begins = _streamed_body(text).index(b"Zw")
    cuts = [
        *range(begins - 40, begins + 161),
        *range(0, full, 97),
    ]  # k = 0..200 around the text, and all along
    outcomes = set()
    async with claude(*(Say(text=text, cut_after=k) for k in cuts)) as (_, api):
        quick = AnthropicModel(model=MODEL, api_key="key", base_url=api.url, retries=0)
        for _ in cuts:
            seen = ""
            try:
                async for piece in quick.stream(REQUEST):
                    if isinstance(piece, ModelAnswer):
                        assert piece.text == seen
                        assert text.startswith(seen)
                        assert piece.complete == (seen == text and piece.output_tokens == 5)
                        outcomes.add("complete" if piece.complete else "kept")
                    else:
                        seen += piece
            except ModelUnavailable:
                assert not seen
                outcomes.add("nothing")
        await quick.aclose()

    assert outcomes >= {"kept", "nothing"}
    assert len(api.requests) == len(cuts)


async def test_a_reader_that_leaves_early_closes_the_connection() -> None:
    async with claude(Say(text="word " * 1000)) as (model, _):
        stream = model.stream(REQUEST)
        assert await anext(aiter(stream)) == "word"
        await stream.aclose()  # type: ignore[attr-defined]  # the port promises an iterator, this one is a generator


async def test_a_turn_that_is_cancelled_stays_cancelled() -> None:
    async with claude(Silence()) as (model, _):
        task = asyncio.create_task(model.answer(REQUEST))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


def _streamed_body(text: str) -> bytes:
    return events(Say(text=text))


def test_the_double_speaks_the_format_of_the_api() -> None:
    rows = [row for row in _streamed_body("a b").decode().splitlines() if row.startswith("data: ")]

    assert [json.loads(row[6:])["type"] for row in rows] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
