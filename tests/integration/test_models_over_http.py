"""Every provider over real HTTP, against a double of it that breaks in every way the fault matrix lists (F1, F4, F5)."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest

from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Message, ModelAnswer, ModelRequest
from tests.messages_api import MODEL, Fail, Line, MessagesApi, Raw, Say, Silence
from tests.providers import PROVIDERS, Asked, Provider

REQUEST = ModelRequest(
    purpose="respond", system="You help.", messages=[Message(role="user", content="hello")]
)
AT_ONCE = {"retry-after-ms": "1"}

pytestmark = pytest.mark.parametrize("provider", PROVIDERS, ids=[p.name for p in PROVIDERS])


@asynccontextmanager
async def asked(
    provider: Provider, *lines: Line, timeout: float = 10.0, retries: int = 2
) -> AsyncIterator[tuple[Asked, MessagesApi]]:
    async with provider.api(*lines) as api:
        model = provider.model(api_key="key", base_url=api.url, timeout=timeout, retries=retries)
        await model.warm()  # loads the SDK, which takes seconds
        try:
            yield model, api
        finally:
            await model.aclose()


async def test_an_answer_comes_with_what_it_cost(provider: Provider) -> None:
    async with asked(provider, Say(text="Good day.")) as (model, api):
        answer = await model.answer(REQUEST)

    assert answer == ModelAnswer(
        text="Good day.", model=MODEL, input_tokens=18, output_tokens=5, cached_tokens=7
    )
    assert provider.said(api.requests[0]) == [("system", "You help."), ("user", "hello")]
    assert api.keys == ["key"]


async def test_a_talk_is_sent_in_its_order(provider: Provider) -> None:
    talk = [("user", "hello"), ("assistant", "Good day."), ("user", "and now?")]
    request = ModelRequest(
        purpose="respond", system="You help.", messages=[Message(role=r, content=c) for r, c in talk]
    )
    async with asked(provider, Say(text="Now.")) as (model, api):
        await model.answer(request)

    assert provider.said(api.requests[0]) == [("system", "You help."), *talk]


async def test_a_schema_is_sent_as_structured_output(provider: Provider) -> None:
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    request = ModelRequest(purpose="classify", system="", messages=REQUEST.messages, answer_schema=schema)
    async with asked(provider, Say(text="{}")) as (model, api):
        await model.answer(request)

    assert provider.schema(api.requests[0]) == schema
    assert provider.said(api.requests[0]) == [("user", "hello")]


async def test_text_that_is_no_valid_unicode_is_sent_all_the_same(provider: Provider) -> None:
    request = ModelRequest(purpose="respond", system="", messages=[Message(role="user", content="a\ud800b")])
    async with asked(provider, Say(text="fine")) as (model, api):
        await model.answer(request)

    assert provider.said(api.requests[0]) == [("user", "a?b")]


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
async def test_a_busy_server_is_asked_three_times_in_all(provider: Provider, status: int) -> None:
    async with asked(provider, Fail(status=status, headers=AT_ONCE)) as (model, api):
        with pytest.raises(ModelUnavailable) as raised:
            await model.answer(REQUEST)

    assert len(api.requests) == 3
    assert raised.value.details["status"] == status


@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_a_refusal_of_the_request_is_not_asked_again(provider: Provider, status: int) -> None:
    async with asked(provider, Fail(status=status)) as (model, api):
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)

    assert len(api.requests) == 1


async def test_a_server_that_recovers_is_believed(provider: Provider) -> None:
    async with asked(
        provider, Fail(status=529, headers=AT_ONCE), Fail(status=429, headers=AT_ONCE), Say(text="Now.")
    ) as (
        model,
        api,
    ):
        assert (await model.answer(REQUEST)).text == "Now."

    assert len(api.requests) == 3


@pytest.mark.parametrize(
    "line", [Silence(), Fail(status=429, headers={"retry-after": "30"})], ids=["silence", "429"]
)
async def test_the_call_ends_at_its_limit_whatever_the_server_asks_for(
    provider: Provider, line: Line
) -> None:
    async with asked(provider, line, timeout=0.5) as (model, _):
        began = time.monotonic()
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)
        with pytest.raises(ModelUnavailable):
            await anext(aiter(model.stream(REQUEST)))

    assert time.monotonic() - began < 25.0  # a busy machine; one pause that was asked for would be longer


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:9", "http://does-not-exist.invalid", "https://127.0.0.1:{port}"],
    ids=["refused", "dns", "tls"],
)
async def test_a_server_that_cannot_be_reached_is_unavailable(provider: Provider, url: str) -> None:
    async with provider.api(Say(text="unheard")) as api:
        port = str(urlsplit(api.url).port)
        model = provider.model(api_key="key", base_url=url.replace("{port}", port), timeout=10.0, retries=0)
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
async def test_an_answer_without_usable_words_is_unavailable(provider: Provider, line: Line) -> None:
    async with asked(provider, line) as (model, _):
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)
        with pytest.raises(ModelUnavailable):
            [piece async for piece in model.stream(REQUEST)]


async def test_a_refusal_is_no_answer_but_words_already_streamed_are_kept_and_marked(
    provider: Provider,
) -> None:
    async with asked(provider, Say(text="I would rather not.", stop="refusal")) as (model, _):
        with pytest.raises(ModelUnavailable):
            await model.answer(REQUEST)
        last = [piece async for piece in model.stream(REQUEST)][-1]

    assert isinstance(last, ModelAnswer)
    assert (last.text, last.complete) == ("I would rather not.", False)


@pytest.mark.parametrize("streamed", [False, True])
async def test_an_answer_that_ran_out_of_room_is_kept_and_marked(provider: Provider, streamed: bool) -> None:
    async with asked(provider, Say(text="First of all", stop="max_tokens")) as (model, _):
        pieces = [p async for p in model.stream(REQUEST)] if streamed else [await model.answer(REQUEST)]

    last = pieces[-1]
    assert isinstance(last, ModelAnswer)
    assert (last.text, last.complete) == ("First of all", False)


async def test_a_stream_gives_its_pieces_and_then_the_whole(provider: Provider) -> None:
    async with asked(provider, Say(text="one two three")) as (model, _):
        pieces = [piece async for piece in model.stream(REQUEST)]

    assert pieces[:-1] == ["one", " two", " three"]
    assert pieces[-1] == ModelAnswer(
        text="one two three", model=MODEL, input_tokens=18, output_tokens=5, cached_tokens=7
    )


async def test_a_stream_that_breaks_anywhere_keeps_exactly_what_was_seen(provider: Provider) -> None:
    text = "Zwölf Boxkämpfer jagen Viktor — über den großen Deich 🚣 und zurück"
    body = provider.streamed(Say(text=text))
    full, begins = len(body), body.index(b"Zw")
    cuts = [
        *range(begins - 40, begins + 161),
        *range(0, full, 97),
    ]  # k = 0..200 around the text, and all along
    outcomes = set()
    async with asked(provider, *(Say(text=text, cut_after=k) for k in cuts)) as (_, api):
        quick = provider.model(api_key="key", base_url=api.url, retries=0)
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


async def test_a_reader_that_leaves_early_closes_the_connection(provider: Provider) -> None:
    async with asked(provider, Say(text="word " * 1000)) as (model, _):
        stream = model.stream(REQUEST)
        assert await anext(aiter(stream)) == "word"
        await stream.aclose()  # type: ignore[attr-defined]  # the port promises an iterator, this one is a generator


async def test_a_turn_that_is_cancelled_stays_cancelled(provider: Provider) -> None:
    async with asked(provider, Silence()) as (model, _):
        task = asyncio.create_task(model.answer(REQUEST))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
