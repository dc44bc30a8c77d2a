"""`softrail.client` against the real server: what it says is said once, whatever happens on the way."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Final

import httpx2
import pytest

from softrail import Settings, build
from softrail.api import create_app
from softrail.client import Client, NoAnswer, Refused
from softrail.store import MemoryStore
from tests.integration.api_server import START, CheckIn

HERE: Final = ("127.0.0.1", 50000)
Failing = Callable[[httpx2.Request], httpx2.Response | None]


#: What comes of a stream of events before a proxy cuts it.
QUIET: Final = {
    "a sign of life": b": still here\n\n",
    "nothing": b"",
    "an item": b'event: item\ndata: {"seq": 7}\n\n',
}


class Network(httpx2.AsyncBaseTransport):
    """The way to a real application, on which things go wrong: each entry of `trouble` happens to one request."""

    def __init__(self, app: Any) -> None:
        self._there = httpx2.ASGITransport(app=app, client=HERE)
        self.trouble: list[str] = []
        self.sent: list[httpx2.Request] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.sent.append(request)
        kind = self.trouble.pop(0) if self.trouble else ""
        if kind == "no connection":
            raise httpx2.ConnectError("There is no way.")
        if kind.isdigit():
            error = {"code": "stopping", "message": "Not now.", "details": {}}
            headers = {"Retry-After": "0"}
            return httpx2.Response(int(kind), json={"error": error}, headers=headers)
        if kind == "a proxy":
            return httpx2.Response(502, text="<b>Bad gateway</b>")
        if kind in QUIET:
            return httpx2.Response(200, stream=Broken(QUIET[kind]))
        answer = await self._there.handle_async_request(request)
        if kind == "lost":
            await answer.aread()
            raise httpx2.ReadError("It broke off.")
        if kind == "slow":
            await answer.aread()
            raise httpx2.ReadTimeout("Nothing came.")
        if kind.startswith("after "):
            return httpx2.Response(200, headers=answer.headers, stream=Cut(answer, int(kind[6:])))
        return answer

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.sent]


class Broken(httpx2.AsyncByteStream):
    """A stream that breaks off after those bytes."""

    def __init__(self, told: bytes) -> None:
        self._told = told

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._told
        raise httpx2.ReadError("It broke off.")


class Cut(httpx2.AsyncByteStream):
    """A stream that breaks off after so many events."""

    def __init__(self, answer: httpx2.Response, most: int) -> None:
        self._answer = answer
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        whole = await self._answer.aread()
        for event in whole.split(b"\n\n")[: self._most]:
            yield event + b"\n\n"
        raise httpx2.ReadError("It broke off.")


@pytest.fixture
async def network() -> AsyncIterator[Network]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    dispatcher = build(settings, store=MemoryStore(), processes=[CheckIn], discover=False)
    async with dispatcher:
        yield Network(create_app(dispatcher, settings))


@pytest.fixture
def client(network: Network) -> Client:
    return Client("http://localhost", transport=network, wait=0.0, tries=4)


async def test_it_talks_and_looks_at_what_was_said(client: Client) -> None:
    first = await client.say(START)
    assert first.companion_message == "What did you do?"
    assert first.pending is not None
    second = await client.say(value=["the tests"], answers=first.pending.id, session_id=first.session_id)

    said = await client.turns(first.session_id)
    assert [item.seq for item in said.items] == [1, 2, 3, 4]
    end = await client.turns(first.session_id, before=2**62, limit=1)
    assert ([item.seq for item in end.items], end.next) == ([4], "4")
    assert (await client.session(first.session_id)).process is not None
    assert [one.id for one in (await client.sessions()).items] == [second.session_id]
    assert await client.cancel(first.session_id) is False
    await client.erase(first.session_id)
    with pytest.raises(Refused) as gone:
        await client.session(first.session_id)
    assert (gone.value.status, gone.value.code) == (404, "not_found")


@pytest.mark.parametrize("trouble", ["lost", "slow", "no connection", "503", "429", "a proxy"])
async def test_a_turn_is_sent_again_with_its_id_and_said_once(
    client: Client, network: Network, trouble: str
) -> None:
    network.trouble = [trouble, trouble]
    reply = await client.say(START)

    bodies = network.bodies()
    assert bodies == [bodies[0]] * 3
    assert bodies[0]["turn_id"] == reply.turn_id
    assert len((await client.turns(reply.session_id)).items) == 2


async def test_who_gives_up_may_ask_again_with_the_id(client: Client, network: Network) -> None:
    network.trouble = ["lost"] * 4
    with pytest.raises(NoAnswer, match="in 4 tries") as given_up:
        await client.say(START)
    reply = await client.say(START, turn_id=given_up.value.turn_id)

    assert len((await client.turns(reply.session_id)).items) == 2


@pytest.mark.parametrize(("status", "tries"), [("409", 1), ("422", 1), ("503", 4), ("429", 4)])
async def test_a_refusal_is_raised_at_once_unless_it_passes(
    client: Client, network: Network, status: str, tries: int
) -> None:
    network.trouble = [status] * 9
    with pytest.raises(Refused, match="Not now") as refused:
        await client.say(START)

    assert (refused.value.status, refused.value.code) == (int(status), "stopping")
    assert len(network.sent) == tries


async def test_a_value_that_does_not_fit_is_refused_with_its_path_and_the_reason(
    client: Client, network: Network
) -> None:
    asked = await client.say(START)
    assert asked.pending is not None
    here = {"answers": asked.pending.id, "session_id": asked.session_id}
    with pytest.raises(Refused) as said:
        await client.say(value=["the tests", 7], **here)
    with pytest.raises(Refused) as watched:
        _ = [event async for event in client.stream(value="the tests", **here)]

    assert (said.value.status, said.value.path, said.value.reason) == (422, "value.1", "I need text here.")
    assert (watched.value.path, watched.value.reason) == ("value", "I need a list here.")
    assert len(network.sent) == 3
    assert (await client.say(value=["the tests"], **here)).seq == 3


async def test_an_id_that_was_used_for_other_words_is_refused(client: Client) -> None:
    await client.say(START, turn_id="one")
    with pytest.raises(Refused) as refused:
        await client.say("something else", turn_id="one")
    assert (refused.value.code, refused.value.path, refused.value.reason) == ("turn_reused", "", "")


async def test_a_turn_is_watched_while_it_is_answered(client: Client) -> None:
    heard = [event async for event in client.stream(START)]

    assert heard[0].name == "turn.accepted"
    assert heard[-1].name == "turn.committed"
    assert heard[-1].data["companion_message"] == "What did you do?"


@pytest.mark.parametrize("trouble", ["after 0", "after 1", "after 2", "lost", "503", "no connection"])
async def test_a_stream_that_breaks_off_is_gone_on_with(
    client: Client, network: Network, trouble: str
) -> None:
    network.trouble = [trouble]
    heard = [event async for event in client.stream(START)]

    assert [event.name for event in heard].count("turn.accepted") <= 1
    assert heard[-1].data["companion_message"] == "What did you do?"
    assert network.bodies() == [network.bodies()[0]] * 2
    told = int(trouble.removeprefix("after ")) if trouble.startswith("after ") else 0
    assert network.sent[1].headers.get("Last-Event-ID") == (heard[told - 1].id if told else None)
    assert len((await client.turns(heard[-1].data["session_id"])).items) == 2


async def test_a_stream_that_never_ends_whole_is_given_up(client: Client, network: Network) -> None:
    network.trouble = ["after 0"] * 4
    with pytest.raises(NoAnswer) as given_up:
        _ = [event async for event in client.stream(START)]
    assert given_up.value.turn_id == network.bodies()[0]["turn_id"]


async def test_a_token_that_expired_is_renewed_once(network: Network) -> None:
    given: Iterator[str] = iter(["the first", "the second", "the third"])
    network.trouble = ["401", "", "401", "401"]

    async def token() -> str:
        return next(given)

    async with Client(
        "http://localhost", token=token, transport=network, headers={"X-Softrail-Person": "a@b.example"}
    ) as client:
        with pytest.raises(Refused) as refused:  # local mode knows no tokens
            await client.say(START)
        assert [request.headers["Authorization"] for request in network.sent] == [
            "Bearer the first",
            "Bearer the second",
        ]
        assert refused.value.status == 401


async def test_signs_that_end_lines_elsewhere_are_part_of_what_is_said(client: Client) -> None:
    told = "one\u2028two\u2029three\u0085four\x1cfive"
    await client.say(START)
    session = (await client.sessions()).items[0].id
    heard = [event async for event in client.stream(told, session_id=session)]
    assert heard[-1].name == "turn.committed"
    assert told in [item.content for item in (await client.turns(session)).items]


async def test_what_was_erased_by_a_try_whose_answer_was_lost_is_erased(
    client: Client, network: Network
) -> None:
    session = (await client.say(START)).session_id
    network.trouble = ["lost"]
    await client.erase(session)
    assert (await client.sessions()).items == []
    with pytest.raises(Refused) as refused:
        await client.erase(session)
    assert refused.value.status == 404


async def test_a_quiet_session_is_followed_however_often_a_proxy_cuts_the_stream(
    client: Client, network: Network
) -> None:
    network.trouble = ["a sign of life"] * 12 + ["an item"]
    async for event in client.follow("s1"):
        assert (event.name, event.data) == ("item", {"seq": 7})
        break
    assert len(network.sent) == 13


async def test_a_stream_that_gives_no_sign_of_life_is_given_up(client: Client, network: Network) -> None:
    network.trouble = ["nothing"] * 12
    with pytest.raises(NoAnswer):
        async for _ in client.follow("s1"):
            pass
    assert len(network.sent) == 4
