"""What goes on in the background of a session: in its detail, and in its events."""

import asyncio
import json

from pydantic import BaseModel

from softrail import Ask, Done, Process, Turn, step
from softrail.api.parts import Parts
from softrail.api.routes.live import Watch
from softrail.bootstrap import build
from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.turns import Request
from softrail.store import MemoryStore
from tests.integration.api_server import ADA, BOB, Served, served, settings


class Radio(Process, name="radio", version=1):
    """Plays while one talks."""

    starts_on = ("play the radio",)
    contract = "background"

    class Data(BaseModel):
        pass

    @step(asks="Louder?", takes_anything=True)
    async def playing(self, said: Turn, data: Data) -> Ask:
        return Ask("Louder it is.")


def told(server: Served, session_id: str, kind: str, run_id: str, done: float) -> None:
    server.dispatcher.progress.tell(session_id, kind, run_id, done, 10, "songs")


def test_a_session_tells_what_goes_on_in_the_background_and_how_far_it_is() -> None:
    with served(processes=[Radio]) as server:
        session_id = server.say("play the radio")["session_id"]
        detail = server.client.get(f"/sessions/{session_id}", headers=ADA).json()
        [radio] = detail["background"]
        assert (radio["process"], radio["step"], radio["progress"]) == ("radio", "playing", None)
        assert detail["process"] is None

        told(server, session_id, "radio", radio["run_id"], 3)
        told(server, session_id, "count", "r7", 1)
        told(server, "another", "count", "r8", 1)
        server.client.get("/healthz")  # what was told from this thread has come into the loop by then

        first, second = server.client.get(f"/sessions/{session_id}", headers=ADA).json()["background"]
        assert first["progress"]["done"] == 3
        assert first["progress"]["text"] == "songs"
        assert (second["process"], second["run_id"], second["step"]) == ("count", "r7", None)
        assert second["progress"]["total"] == 10
        assert server.client.get(f"/sessions/{session_id}", headers=BOB).status_code == 404

        server.dispatcher.progress.over("count", "r7")
        server.client.get("/healthz")
        assert len(server.client.get(f"/sessions/{session_id}", headers=ADA).json()["background"]) == 1


def test_a_session_with_nothing_in_the_background_says_so() -> None:
    with served() as server:
        session_id = server.say("hello")["session_id"]
        assert server.client.get(f"/sessions/{session_id}", headers=ADA).json()["background"] == []


async def test_who_follows_a_session_hears_how_far_it_is_between_its_items() -> None:
    dispatcher = build(settings(), store=MemoryStore(), discover=False)
    async with dispatcher:
        person = await dispatcher.store.ensure_person("ada@example.org", id="ada", at=now())
        session_id = json.loads(await dispatcher.converse(Request(message="hello"), person))["session_id"]

        async def nobody() -> Person:
            return person

        parts = Parts(dispatcher=dispatcher, asking=nobody, body_limit=1000, forget=lambda _: None)
        session = await dispatcher.store.session(person.id, session_id)
        assert session is not None
        watch = Watch(parts, person, session, after=2)
        await watch.begin()
        dispatcher.progress.tell(session_id, "count", "r1", 1, 2, "rows read")
        events = watch.events()

        async with asyncio.timeout(10):
            first = await anext(events)
            dispatcher.progress.tell(session_id, "count", "r2", 5)
            second = await anext(events)
            await dispatcher.converse(Request(message="hello again", session_id=session_id), person)
            third = await anext(events)
        await events.aclose()

        body = json.loads(first.data)
        assert (first.name, first.id) == ("process.progress", None)
        assert body.pop("at").endswith("Z")
        assert body == {"process": "count", "run_id": "r1", "done": 1, "total": 2, "text": "rows read"}
        assert json.loads(second.data)["run_id"] == "r2"
        assert (third.name, third.id) == ("item", "3")


class Slow(Process, name="slow", version=1):
    """Says something before it is done."""

    starts_on = ("be slow",)

    class Data(BaseModel):
        pass

    @step(first=True)
    async def slow(self, said: Turn, data: Data) -> Done:
        await said.say("One moment, please.")
        await GOES_ON.wait()
        return Done("Over.")


GOES_ON = asyncio.Event()


async def test_whoever_follows_a_session_reads_what_a_step_says_before_its_item_is_there() -> None:
    GOES_ON.clear()
    dispatcher = build(settings(), store=MemoryStore(), processes=[Slow], discover=False)
    async with dispatcher:
        person = await dispatcher.store.ensure_person("ada@example.org", id="ada", at=now())
        first = json.loads(await dispatcher.converse(Request(message="hello"), person))
        session = await dispatcher.store.session(person.id, first["session_id"])
        assert session is not None

        async def nobody() -> Person:
            return person

        parts = Parts(dispatcher=dispatcher, asking=nobody, body_limit=1000, forget=lambda _: None)
        watch = Watch(parts, person, session, after=2)
        await watch.begin()
        events = watch.events()
        told = asyncio.ensure_future(anext(events))
        run = dispatcher.submit(Request(message="be slow", session_id=session.id), person)
        async with asyncio.timeout(10):
            event = await told
            assert (event.name, event.id) == ("text.said", None)
            said = json.loads(event.data)
            assert said == {"turn_id": run.turn_id, "seq": 4, "text": "One moment, please."}
            assert not run.finished

            GOES_ON.set()
            items: list[dict[str, object]] = []
            while len(items) < 2:
                event = await anext(events)
                if event.name == "item":
                    items.append(json.loads(event.data))
            assert items[1]["seq"] == said["seq"]
            assert items[1]["content"] == "One moment, please.\n\nOver."
        await events.aclose()
