"""Nothing secret, and nothing of anybody else, stands in an answer, a log line, a figure, a description or an export."""

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from softrail.api.logs import JsonLines, PlainLines
from softrail.api.metrics import TurnMetrics
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.effects import Effect
from softrail.core.errors import ModelUnavailable
from softrail.core.intents import Intent, IntentDefinition, RouteResult
from softrail.core.keys import hash_key, new_key
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.core.turns import Turn
from softrail.models import PlainModel
from softrail.settings import Settings
from softrail.store import open_store
from tests.integration.api_server import served, settings
from tests.integration.companion_server import headers
from tests.integration.test_api_hostile import BODIES, TEXTS
from tests.security.kit import LEAKS, Obedient, World, companion_server, new_id
from tests.security.routes import routes

SECRETS = {
    "provider": "sk-ant-canary-5b21",
    "vault": "canary-vault-0d93-0123456789abcdef0123456789",
    "database": "canary-database-77e1",
    "own": "sk-own-canary-31c8",
}
SAID = "canary-said-99b7"


class Lines(logging.Handler):
    """Keeps every log line as the server would write it, at the lowest level."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(JsonLines())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture(scope="module")
def lines() -> Iterator[Lines]:
    handler, root = Lines(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.fixture(scope="module")
def world(lines: Lines) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", SECRETS["provider"])
        chosen = settings(encoder="none", secret_key=SecretStr(SECRETS["vault"]), metrics=True)
        metrics = TurnMetrics()
        with companion_server(
            model=Obedient(), chosen=chosen, metrics=metrics, on_turn=[metrics.observe]
        ) as server:
            yield World(server)


def everything(world: World) -> list[str]:
    """What Bob gets from every route there is, however badly he asks."""
    client, bob, found = world.client, headers("bob"), []
    for route in routes():
        if route.path.endswith("/events") or str(route) in ("DELETE /me", "GET /me/export"):
            continue
        for given in (world.secret, world.own, "'") if route.owned else ("",):
            answer = client.request(
                route.method, route.url(**dict.fromkeys(route.owned, given)), headers=bob, **route.body
            )
            found.append(f"{dict(answer.headers)} {answer.text}")
    for body in BODIES.values():
        kind = {"Content-Type": "application/json"}
        found.append(client.post("/converse", content=body, headers={**bob, **kind}).text)
    for text in TEXTS.values():
        found.append(world.say("bob", text, project_id=world.own).text)
    for path in ("/metrics", "/openapi.json", "/me/export", "/healthz", "/readyz", "/nowhere", "/docs"):
        found.append(client.get(path, headers=bob).text)
    return found


@pytest.fixture(scope="module")
def answers(world: World) -> list[str]:
    world.client.put("/me/model-key", json={"key": SECRETS["own"]}, headers=headers("ada"))
    world.say("bob", f"remember that my safe word is {SAID}", project_id=world.own)
    return everything(world)


def test_no_answer_holds_a_secret_or_anything_of_somebody_else(answers: list[str]) -> None:
    assert len(answers) > 150
    for secret in (*SECRETS.values(), World.CANARY):
        assert [a[:300] for a in answers if secret in a] == []


def test_no_answer_shows_an_inside(answers: list[str], world: World) -> None:
    described = {world.client.get(path).text for path in ("/openapi.json", "/docs")}
    plain = [a for a in answers if a not in described]
    # What Bob said himself may come back to him: only our own words are looked at.
    said = sorted((*TEXTS.values(), *map(json.dumps, TEXTS.values())), key=len, reverse=True)
    for answer in plain:
        if "companion_message" in answer or "content" in answer:
            continue
        for text in said:
            answer = answer.replace(text, "")
        assert [leak for leak in LEAKS if leak in answer] == [], answer[:500]


def test_no_log_line_holds_a_secret_or_what_was_said(lines: Lines, answers: list[str]) -> None:
    assert len(lines.lines) > 100
    for secret in (*SECRETS.values(), World.CANARY, SAID):
        assert [line for line in lines.lines if secret in line] == []
    for text in TEXTS.values():
        if len(text) > 20:
            assert [line for line in lines.lines if json.dumps(text)[1:-1] in line] == []


def test_every_log_line_is_one_object_of_ours(lines: Lines, answers: list[str]) -> None:
    for line in lines.lines:
        assert line.isascii()
        assert "\n" not in line
        assert {"at", "level", "logger", "message"} <= json.loads(line).keys()


@pytest.mark.parametrize("text", [pytest.param(t, id=name) for name, t in TEXTS.items()])
def test_no_text_forges_a_log_line(text: str) -> None:
    record = logging.makeLogRecord({"name": "x", "msg": "turn %s", "args": (text,), "levelname": "INFO"})

    [line] = JsonLines().format(record).split("\n")
    assert json.loads(line)["message"] == f"turn {text}"
    assert json.loads(line)["level"] == "INFO"
    assert len(re.split(r"[\n\r]", PlainLines().format(record))) == 1


def test_a_database_that_is_away_tells_its_password_to_nobody(lines: Lines) -> None:
    url = f"postgresql://someone:{SECRETS['database']}@127.0.0.1:1/nowhere"
    chosen = settings(database_url=url)
    assert SECRETS["database"] not in f"{chosen!r} {chosen}"

    async def start() -> str:
        store = open_store(url)
        try:
            await store.start()
        except Exception as error:
            logging.getLogger("test").error("It did not start.", exc_info=error)
            return f"{error} {error!r} {store!r}"
        raise AssertionError("there is no database")

    assert SECRETS["database"] not in asyncio.run(start())
    assert [line for line in lines.lines if SECRETS["database"] in line] == []


def test_an_access_key_is_in_no_answer_and_no_line(lines: Lines) -> None:
    key = new_key()
    with companion_server() as server:

        async def give() -> None:
            store = server.dispatcher.store
            ada = await store.ensure_person("ada@example.org", id=new_id(), at=now())
            hashed = hash_key(key)
            await store.add_key(
                AccessKey(id=new_id(), person_id=ada.id, name="k", hash=hashed, created_at=now())
            )

        asyncio.run(give())
        mine = {"Authorization": f"Bearer {key}"}
        wrong = {"Authorization": f"Bearer {key}x"}
        told = [
            server.client.get(path, headers=h).text for path in ("/me", "/me/export") for h in (mine, wrong)
        ]
        server.client.post("/converse", json={"message": "hello"}, headers=mine)
    for secret in (key, hash_key(key)):
        assert not any(secret in text for text in (*told, *lines.lines))


class Broken:
    """A language model with a fault that quotes what it was given."""

    name = "broken"

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        raise RuntimeError(f"401 for {SECRETS['provider']} in /usr/lib/model.py")

    async def stream(self, request: ModelRequest) -> Any:
        yield await self.answer(request)


class Away(Broken):
    """A language model that cannot be had, and says more about it than anybody may know."""

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        raise ModelUnavailable(f"401 for {SECRETS['provider']} in /usr/lib/model.py")


async def broken(turn: Turn, intent: Intent) -> RouteResult:
    """A handler with a fault of its own."""
    raise FileNotFoundError(f"/etc/{SECRETS['provider']}.py")


async def unkeepable(turn: Turn, intent: Intent) -> RouteResult:
    """A handler whose effect has a fault inside the commit."""
    effect = Effect(kind="note_saved", summary="Kept", payload={"sqlite": "x"})
    return RouteResult(side_effects=[effect], text="Kept.")


FAULTS = {"general_conversation": "a model", "broken": "a handler", "unkeepable": "an effect"}


@pytest.mark.parametrize("path", ["/converse", "/converse/stream"])
@pytest.mark.parametrize("intent", [pytest.param(intent, id=what) for intent, what in FAULTS.items()])
def test_a_fault_shows_no_inside_in_its_answer_record_or_export(path: str, intent: str) -> None:
    own = [(IntentDefinition(name=h.__name__), h) for h in (broken, unkeepable)]
    with companion_server(model=Broken(), intents=own) as server:
        body = {"message": "what do you think?", "intent_hint": intent, "turn_id": "t"}
        answer = server.client.post(path, json=body, headers=headers("bob"))
        [session] = server.client.get("/sessions", headers=headers("bob")).json()["items"]
        where = (f"/sessions/{session['id']}/decisions/t", f"/sessions/{session['id']}/turns", "/me/export")
        told = [answer.text, *(server.client.get(path, headers=headers("bob")).text for path in where)]

    assert answer.status_code == 200
    assert '"trouble":"Something went wrong' in told[1]
    for text in told:
        assert SECRETS["provider"] not in text
        assert [leak for leak in LEAKS if leak in text] == []


def test_why_a_model_was_not_to_be_had_is_not_told_outside() -> None:
    with companion_server(model=Away()) as server:
        body = {"message": "what do you think?", "intent_hint": "general_conversation", "turn_id": "t"}
        reply = server.client.post("/converse", json=body, headers=headers("bob")).json()
        path = f"/sessions/{reply['session_id']}/decisions/t"
        record = server.client.get(path, headers=headers("bob")).json()
        exported = server.client.get("/me/export", headers=headers("bob")).text

    assert [call["error"] for call in record["model_calls"]] == ["It gave no usable answer."]
    for text in (json.dumps(reply), json.dumps(record), exported):
        assert SECRETS["provider"] not in text
        assert [leak for leak in LEAKS if leak in text] == []


def test_settings_show_no_secret_and_a_wrong_value_is_not_repeated() -> None:
    chosen = Settings(secret_key=SecretStr(SECRETS["vault"]), database_url="sqlite:///x.db")
    assert SECRETS["vault"] not in f"{chosen!r} {chosen}"
    with served(model=PlainModel(), chosen=settings(docs=False, metrics=False)) as server:
        for path in ("/docs", "/openapi.json", "/metrics", "/redoc"):
            assert server.client.get(path).status_code == 404
