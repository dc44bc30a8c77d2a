"""Row 7: a free turn with a language model, beside the time that the model itself takes.

The model is a double of the Messages API on a socket of this machine, which thinks no time at all: what is left is
the SDK, the connection, and Softrail.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from anthropic import AsyncAnthropic

from benchmarks.companion import founded
from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from benchmarks.talk import somebody, sqlite_url
from softrail import Settings, build
from softrail.core.people import Person
from softrail.core.turns import Request
from softrail.turns.dispatcher import Dispatcher
from tests.messages_api import MODEL, MessagesApi, Say, messages_api

SAID = (
    "The soil decides it: sand wants water every day, clay once a week. Which of the two do your fields have?"
)
SURE = "remember that our budget is twenty thousand euros"
WARMING = 3  #: turns that do not count
_VARIABLES = ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY")


async def speaking(folder: Path, sizes: Sizes) -> list[Row]:
    """Ours and the double's own, in turns."""
    url = sqlite_url(folder, "speaking")
    await prepare(url)
    settings = Settings(database_url=url, model="claude", claude_model=MODEL)
    async with messages_api(Say(text=SAID)) as api, _pointed_at(api.url), build(settings) as dispatcher:
        person = await somebody(dispatcher)
        client, bare = AsyncAnthropic(max_retries=0), _Taken()
        hinted, read, sdk = _Taken(), _Taken(), _Taken()
        project = await founded(dispatcher, person)
        for number in range(-WARMING, sizes.conversations):
            taken = (
                (hinted, await _turn(dispatcher, person, number, project, "general_conversation")),
                (read, await _turn(dispatcher, person, number, project, None)),
                (sdk, await _by_sdk(client, api)),
                (bare, await _bare(api)),
            )
            for one, times in taken if number >= 0 else ():
                one.add(*times)
        await client.close()
    return [
        _row("7 first streamed word of a free turn, with a hint", hinted.first, sdk.first, bare.first),
        _row("7 the whole free turn, with a hint", hinted.whole, sdk.whole, bare.whole),
        _row("7 the whole free turn, read by the examples", read.whole, sdk.whole, bare.whole),
    ]


@dataclass
class _Taken:
    """Times to the first word and to the end."""

    first: Samples = field(default_factory=Samples)
    whole: Samples = field(default_factory=Samples)

    def add(self, first: float, whole: float) -> None:
        self.first.seconds.append(first)
        self.whole.seconds.append(whole)


@asynccontextmanager
async def _pointed_at(url: str) -> AsyncIterator[None]:
    before = {name: os.environ.get(name) for name in _VARIABLES}
    os.environ.update(dict(zip(_VARIABLES, (url, "the-key-of-nobody"), strict=True)))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


async def _turn(
    dispatcher: Dispatcher, person: Person, number: int, project_id: str, hint: str | None
) -> tuple[float, float]:
    """Seconds to the first word that a stream shows, and to the committed reply."""
    request = Request(message=SURE, intent_hint=hint, turn_id=f"{hint}-{number}", project_id=project_id)
    began, first = perf_counter(), 0.0
    run = dispatcher.submit(request, person, streaming=True)
    async for event in run.log.after():
        if event.name == "text.delta" and not first:
            first = perf_counter() - began
    raw = await run.result()
    ended = perf_counter() - began
    if SAID not in raw:
        raise RuntimeError(f"The model was not heard: {raw}")
    return first, ended


async def _by_sdk(client: AsyncAnthropic, api: MessagesApi) -> tuple[float, float]:
    """The same request as the last one, through the SDK and nothing else."""
    sent = {name: value for name, value in api.requests[-1].items() if name != "stream"}
    began, first = perf_counter(), 0.0
    async with client.messages.stream(**sent) as stream:
        async for _ in stream.text_stream:
            first = first or perf_counter() - began
    return first, perf_counter() - began


async def _bare(api: MessagesApi) -> tuple[float, float]:
    """The double's own: the same request, sent by hand."""
    body = json.dumps(api.requests[-1]).encode()
    port = int(api.url.rpartition(":")[2])
    began, first = perf_counter(), 0.0
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    )
    async for line in reader:
        if b"text_delta" in line and not first:
            first = perf_counter() - began
    writer.close()
    return first, perf_counter() - began


def _row(name: str, ours: Samples, sdk: Samples, bare: Samples) -> Row:
    return Row(
        name=name,
        ours=f"p50 {ms(ours.p50)}, p99 {ms(ours.p99)}",
        floor=f"double: p50 {ms(bare.p50)}, by the SDK {ms(sdk.p50)}",
        ratio=ours.p50 / sdk.p50,
        spread=middle(a / b for a, b in zip(ours.seconds, sdk.seconds, strict=True)),
    )
