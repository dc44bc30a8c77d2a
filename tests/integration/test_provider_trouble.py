"""Forty kinds of trouble with a provider, over real connections and both ways to ask one: never worse than without a model."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import count
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from softrail.bootstrap import plugin_tables
from softrail.companion.plugin import Companion
from softrail.models.circuit import PAUSE, Circuit
from softrail.settings import Settings
from softrail.store import MemoryStore, SqlStore
from tests.integration.claude_server import served
from tests.integration.companion_server import founded, headers, person
from tests.integration.model_server import settings_for
from tests.messages_api import Fail, Line, MessagesApi, Raw, Say, Silence
from tests.providers import PROVIDERS, Provider

pytest.importorskip("anthropic")
pytest.importorskip("openai")

SOON = {"retry-after-ms": "1"}
LIMIT = 10.0  #: seconds for all calls of a turn: none of these kinds waits so long, however busy the machine
SHORT = 0.3  #: the same where the time runs out in any case
TOOL = [{"type": "tool_use", "id": "t", "name": "erase", "input": {}}]
KEPT = "the barns are painted red"

KINDS: Mapping[str, Line] = {
    "400": Fail(status=400),
    "401": Fail(status=401),
    "402": Fail(status=402),
    "403": Fail(status=403),
    "404": Fail(status=404),
    "405": Fail(status=405),
    "408": Fail(status=408, headers=SOON),
    "409": Fail(status=409, headers=SOON),
    "413": Fail(status=413),
    "418": Fail(status=418),
    "422": Fail(status=422),
    "429": Fail(status=429, headers=SOON),
    "429 for ten seconds": Fail(status=429, headers={"retry-after": "10"}),
    "429 for an hour": Fail(status=429, headers={"retry-after": "3600"}),
    "429 until a date": Fail(status=429, headers={"retry-after": "Wed, 21 Oct 2076 07:28:00 GMT"}),
    "429 until nobody knows when": Fail(status=429, headers={"retry-after": "soon"}),
    "500": Fail(status=500, headers=SOON),
    "501": Fail(status=501, headers=SOON),
    "502": Fail(status=502, headers=SOON),
    "503": Fail(status=503, headers={"retry-after": "30"}),
    "504": Fail(status=504, headers=SOON),
    "529": Fail(status=529, headers=SOON),
    "301": Fail(status=301, headers={"location": "http://169.254.169.254/latest"}),
    "302": Fail(status=302, headers={"location": "/elsewhere"}),
    "204": Fail(status=204),
    "silence": Silence(),
    "refusal": Say(text="", stop="refusal"),
    "refusal with words": Say(text="I cannot help with that.", stop="refusal"),
    "empty": Say(text=""),
    "blank": Say(text=" \n\t "),
    "only a tool": Say(content=TOOL, stop="tool_use"),
    "html": Raw(body=b"<html>busy</html>", kind="text/html"),
    "null": Raw(body=b"null"),
    "a list": Raw(body=b"[]"),
    "nested": Raw(body=b"[" * 10_000),
    "no utf-8": Raw(body=b'{"content": [{"type": "text", "text": "\xff\xfe"}]}'),
    "more than ten megabytes": Say(text="a" * 10_600_000),
    "compressed": Raw(body=b"\x1f\x8b\x08", headers={"content-encoding": "gzip"}),
    "a huge header": Raw(body=b"{}", headers={"x-big": "a" * 500_000}),
    "cut after the head": Say(text="words", cut_after=0),
    "cut in the middle": Say(text="words and more words", cut_after=40),
}
RUNS_OUT = {"silence", "a huge header", "cut after the head", "cut in the middle"}
CLOSED = {"400", "401", "402", "403", "404", "405", "413", "422"}


class Running:
    """An application, asked over HTTP as one person."""

    def __init__(self, client: httpx2.AsyncClient, store: SqlStore, companion: Companion) -> None:
        self.client = client
        self.store = store
        self.companion = companion
        self.who = "ada"

    async def say(self, message: str, hint: str | None = None, **more: Any) -> Any:
        """One turn; its reply."""
        body = {"message": message, **({"intent_hint": hint} if hint else {}), **more}
        response = await self.client.post("/converse", json=body, headers=headers(self.who))
        assert response.status_code == 200, response.text
        return response.json()

    async def notes(self, project: str) -> list[str]:
        """What is kept in a project."""
        owner = await person(self.store, self.who)
        found = await self.companion.notes.list(owner.id, project, states=("waiting", "saved"))
        return [note.text for note in found]


@asynccontextmanager
async def running(provider: Provider | None, line: Line | None = None) -> AsyncIterator[Running]:
    """The application with a provider in trouble; None: without a model."""
    if provider is None:
        async with _serving(Settings(model="plain", encoder="none", sweep_interval=3600.0)) as app:
            yield app
        return
    assert line is not None
    async with provider.api(line) as api:
        with pytest.MonkeyPatch.context() as patch:
            async with _serving(settings_for(provider, api, patch, model_timeout=LIMIT)) as app:
                yield app


@asynccontextmanager
async def _serving(settings: Settings) -> AsyncIterator[Running]:
    store = MemoryStore(plugins=plugin_tables(discover=False))
    async with served(settings, store) as (client, dispatcher):
        await dispatcher.parts.model_keys.warm()
        yield Running(client, store, dispatcher.registry.service(Companion))


async def played(app: Running) -> tuple[dict[str, Any], list[str]]:
    """What a person hears who tells a fact, asks for it, and just talks; and what is kept."""
    project = await founded(app.store, await person(app.store, app.who), name="FarmGuard")
    heard = {
        "told": await app.say(f"remember that {KEPT}", project_id=project),
        "asked": await app.say("what have I told you about the barns?", project_id=project),
        "unclear": await app.say("could the thing with the barns be put somewhere", project_id=project),
        "talk": await app.say("I wonder what sheep dream of", "general_conversation"),
    }
    return heard, await app.notes(project)


def acted(reply: Any) -> list[str]:
    """What a reply says was done."""
    return [effect["kind"] for effect in reply["side_effects"]]


class Asked:
    """The applications that ask one provider, one for each limit; every kind of trouble meets a person of its own."""

    def __init__(self, provider: Provider, patch: pytest.MonkeyPatch, stack: AsyncExitStack) -> None:
        self._provider = provider
        self._patch = patch
        self._stack = stack
        self._running: dict[float, tuple[Running, MessagesApi]] = {}
        self._number = count(1)
        self._later = 0.0
        patch.setattr("softrail.models.opening.Circuit", partial(Circuit, clock=self._time))

    def _time(self) -> float:
        return time.monotonic() + self._later

    async def meeting(self, kind: str) -> Running:
        """An application whose provider was well until now, and is in that trouble from now on."""
        limit = SHORT if kind in RUNS_OUT else LIMIT
        if limit not in self._running:
            api = await self._stack.enter_async_context(self._provider.api(Say(text="Well.")))
            settings = settings_for(self._provider, api, self._patch, model_timeout=limit)
            self._running[limit] = (await self._stack.enter_async_context(_serving(settings)), api)
        app, api = self._running[limit]
        app.who = f"ada{next(self._number)}"
        api.lines[:] = [Say(text="Well.")]
        for _ in range(100):  # once, but for a machine so busy that the time runs out
            self._later += PAUSE  # what was away may be asked again
            await app.say("I wonder what sheep dream of", "general_conversation")
            if (await app.client.get("/readyz")).json()["model_standing"] == "answers":
                break
        api.lines[:] = [KINDS[kind]]
        return app


@pytest_asyncio.fixture(
    scope="module", loop_scope="module", params=PROVIDERS, ids=[p.name for p in PROVIDERS]
)
async def asked(request: pytest.FixtureRequest) -> AsyncIterator[Asked]:
    """Each provider, asked by applications that stay."""
    with pytest.MonkeyPatch.context() as patch:
        async with AsyncExitStack() as stack:
            yield Asked(request.param, patch, stack)


@pytest.mark.usefixtures("quick_retries")
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("kind", KINDS)
async def test_no_trouble_of_a_provider_makes_an_answer_worse_than_none(
    asked: Asked, kind: str, plainly: tuple[dict[str, Any], list[str]]
) -> None:
    app = await asked.meeting(kind)
    began = time.monotonic()
    heard, kept = await played(app)
    spent = time.monotonic() - began

    plain, _ = plainly
    assert spent < 60.0  # a busy machine; nobody waits for an hour
    assert kept == [KEPT]  # nothing lost, nothing doubled
    for name in ("told", "asked", "unclear"):
        assert acted(heard[name]) == acted(plain[name])
        assert heard[name]["classified_intent"] == plain[name]["classified_intent"]
    for name in ("told", "asked"):
        found, why = plain[name]["companion_message"], heard[name]["companion_message"]
        assert why.startswith(found), "what was found comes first"
        assert why.removeprefix(found).strip().startswith("("), "and then why that is all"
    assert "remember that" in heard["talk"]["companion_message"]  # what works all the same
    said = [reply["companion_message"] for reply in heard.values()]
    assert not any("going wrong" in text for text in said)
    if kind in CLOSED:
        assert "whoever runs this place" in heard["talk"]["companion_message"]


@pytest.fixture(scope="module")
def plainly() -> tuple[dict[str, Any], list[str]]:
    """The same without a model."""

    async def alone() -> tuple[dict[str, Any], list[str]]:
        async with running(None) as app:
            return await played(app)

    return asyncio.run(alone())


@pytest.mark.parametrize("provider", PROVIDERS, ids=[p.name for p in PROVIDERS])
@pytest.mark.parametrize(
    ("status", "standing"), [(401, "key_refused"), (404, "closed"), (529, "away")], ids=str
)
async def test_readiness_names_what_became_of_the_last_call(
    provider: Provider, status: int, standing: str
) -> None:
    async with running(provider, Fail(status=status, headers=SOON)) as app:
        before = (await app.client.get("/readyz")).json()
        await app.say("I wonder what sheep dream of", "general_conversation")
        after = (await app.client.get("/readyz")).json()

    assert (before["status"], before["model_standing"]) == ("ready", "unasked")
    assert (after["status"], after["model_standing"]) == ("ready", standing)


@pytest.mark.parametrize("provider", PROVIDERS, ids=[p.name for p in PROVIDERS])
async def test_a_wait_that_is_longer_than_what_is_left_is_not_begun(provider: Provider) -> None:
    async with provider.api(Fail(status=429, headers={"retry-after": "10"})) as api:
        with pytest.MonkeyPatch.context() as patch:
            async with _serving(settings_for(provider, api, patch, model_timeout=LIMIT)) as app:
                reply = await app.say("I wonder what sheep dream of", "general_conversation")

    assert len(api.requests) == 1
    assert "trouble thinking" in reply["companion_message"]  # it was away, and not slow


@pytest.mark.parametrize("provider", PROVIDERS, ids=[p.name for p in PROVIDERS])
async def test_an_unusable_reading_is_repaired_once(provider: Provider) -> None:
    right = {"intent": "ask_about_progress", "confidence": 0.9, "parameters": None, "alternative": None}
    reading = [Say(text='{"intent": "sing"}'), Say(text=json.dumps(right))]
    async with provider.api(Say(text="All is well."), structured=reading) as api:
        with pytest.MonkeyPatch.context() as patch:
            async with _serving(settings_for(provider, api, patch, model_timeout=LIMIT)) as app:
                reply = await app.say("could the thing with the barns be put somewhere")

    assert reply["classified_intent"] == "ask_about_progress"
    told = [text for _, text in provider.said(api.requests[1])]
    assert any('{"intent": "sing"}' in text for text in told)
    assert "cannot be used: confidence: Field required" in told[-1]
