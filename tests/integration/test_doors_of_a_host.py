"""The doors for frontends below a host's prefix, with its cookie: one person's conversations, and nobody else's."""

import json
from typing import Any, Final

import httpx2
import pytest

from tests.integration.api_server import START, CheckIn
from tests.integration.host_server import hosted

SLOWLY: Final = "do the slow thing"


class Told:
    """What a door told: its frames, and the bytes they came in."""

    def __init__(self, answer: httpx2.Response) -> None:
        assert answer.status_code == 200, answer.text
        self.raw = answer.text
        lines = [line.removeprefix("data: ") for line in answer.text.split("\n\n") if line]
        self.frames: list[dict[str, Any]] = [json.loads(line) for line in lines if line != "[DONE]"]

    @property
    def text(self) -> str:
        """The words of the answer, as they came piece by piece."""
        return "".join(frame["delta"] for frame in self.frames if "delta" in frame)

    @property
    def state(self) -> dict[str, Any]:
        """The session as it then stood."""
        kinds = {"STATE_SNAPSHOT": "snapshot", "data-session": "data"}
        found: dict[str, Any] = next(f[kinds[f["type"]]] for f in self.frames if f["type"] in kinds)
        return found


class Door:
    """One of the doors, as its clients use it."""

    def __init__(self, path: str) -> None:
        self.path = path

    def body(self, thread: str, words: str = "", message_id: str = "m1", **softrail: Any) -> dict[str, Any]:
        """What is sent to say something, or to be brought up to date."""
        if self.path == "/agui":
            said = [{"id": message_id, "role": "user", "content": words}] if words else []
            props = {"softrail": softrail} if softrail else {}
            return {"threadId": thread, "runId": "run", "messages": said, "forwardedProps": props}
        parts = [{"type": "text", "text": words}]
        sent = [{"id": message_id, "role": "user", "parts": parts}] if words else []
        return {"id": thread, "messages": sent, **({"softrail": softrail} if softrail else {})}

    async def say(self, browser: httpx2.AsyncClient, *said: str, **softrail: Any) -> Told:
        """One request, to its end."""
        return Told(await browser.post(self.path, json=self.body(*said, **softrail)))

    def slowly(self, browser: httpx2.AsyncClient, thread: str) -> Any:
        """A turn that takes its time, as a stream that is open meanwhile."""
        return browser.stream("POST", self.path, json=self.body(thread, SLOWLY, "slow"))


@pytest.fixture(params=["/agui", "/api/chat"])
def door(request: pytest.FixtureRequest) -> Door:
    return Door(request.param)


async def begun(stream: httpx2.Response) -> tuple[str, Any]:
    """What came until the turn said something at once; and what is to come."""
    pieces, came = stream.aiter_text(), ""
    while "One moment." not in came:
        came += await anext(pieces)
    return came, pieces


async def items(browser: httpx2.AsyncClient, session_id: str) -> list[str]:
    found = (await browser.get(f"/sessions/{session_id}/turns")).json()["items"]
    return [item["content"] for item in found]


async def test_a_turn_is_said_once_however_often_it_is_sent_with_a_cookie(door: Door) -> None:
    async with hosted([CheckIn]) as server, server.browser("ada") as ada:
        first = await door.say(ada, "thread", START)
        again = await door.say(ada, "thread", START)

        assert (first.text, first.state["process"]["name"]) == ("What did you do?", "check_in")
        assert (again.text, again.state) == (first.text, first.state)
        assert await items(ada, first.state["session_id"]) == [START, "What did you do?"]


async def test_an_open_question_is_answered_by_its_id_and_a_value_with_a_cookie(door: Door) -> None:
    async with hosted([CheckIn]) as server, server.browser("ada") as ada:
        asked = (await door.say(ada, "thread", START)).state["pending"]
        told = await door.say(ada, "thread", "tests", "m2", answers=asked["id"], value=["wrote tests"])

        assert told.state["process"]["progress"]["done"] == 1
        late = await door.say(ada, "thread", "Yes", "m3", answers=asked["id"])
        assert late.text.startswith("That question is no longer open")


async def test_an_interrupt_is_asked_for_and_answered_with_a_cookie() -> None:
    door = Door("/agui")
    async with hosted([CheckIn]) as server, server.browser("ada") as ada:
        [asked] = (await door.say(ada, "thread", START, interrupts=True)).frames[-1]["outcome"]["interrupts"]
        entry = {"interruptId": asked["id"], "status": "resolved", "payload": ["wrote tests"]}
        body = {**door.body("thread", interrupts=True), "resume": [entry]}
        answered = Told(await ada.post("/agui", json=body))

        assert answered.state["process"]["progress"]["done"] == 1
        assert answered.frames[-1]["outcome"]["type"] == "interrupt"
        again = Told(await ada.post("/agui", json=body))
        assert again.state["last"] == answered.state["last"]


async def test_a_turn_that_runs_is_gone_on_with_and_nothing_where_none_does(door: Door) -> None:
    async with hosted() as server, server.browser("ada") as ada:

        async def reload() -> httpx2.Response:
            if door.path == "/agui":
                return await ada.post("/agui", json=door.body("thread"))
            return await ada.get("/api/chat/thread/stream")

        nothing = await reload()
        assert nothing.status_code == 204 or Told(nothing).text == ""
        async with door.slowly(ada, "thread") as stream:
            _, rest = await begun(stream)
            async with _going_on(door, ada) as other:
                came, more = await begun(other)
                assert "All done." not in came
                server.gate.open.release()
                came += "".join([piece async for piece in more])
            first = "".join([piece async for piece in rest])

        assert "All done." in came
        assert "All done." in first
        after = await reload()
        assert after.status_code == 204 or "All done." in Told(after).raw


async def test_a_reload_in_mid_answer_brings_the_words_that_are_answered_and_all_that_waits(
    door: Door,
) -> None:
    async with hosted() as server, server.browser("ada") as ada:
        session = (await door.say(ada, "thread", "hello", "m0")).state["session_id"]
        async with door.slowly(ada, "thread") as stream:
            _, rest = await begun(stream)
            waiting = {"message": "hello again", "turn_id": "next", "session_id": session}
            async with ada.stream("POST", "/converse/stream", json=waiting):
                detail = (await ada.get(f"/sessions/{session}")).json()
                async with _going_on(door, ada) as other:
                    server.gate.open.release()
                    came = "".join([piece async for piece in other.aiter_text()])
            assert "".join([piece async for piece in rest])

        frames = [json.loads(line[6:]) for line in came.split("\n\n") if line.startswith("data: {")]
        [one, two] = detail["running"]
        assert (one["turn_id"], one["message"]) == ("slow", SLOWLY)
        assert (two["turn_id"], two["message"]) == ("next", "hello again")
        assert (await ada.get(f"/sessions/{session}")).json()["running"] == []
        said = await items(ada, session)
        assert said[-4::2] == [SLOWLY, "hello again"]
        told = "".join(frame["delta"] for frame in frames if "delta" in frame)
        assert told == said[-3] + said[-1]
        if door.path == "/agui":
            [shown] = [frame["messages"] for frame in frames if frame["type"] == "MESSAGES_SNAPSHOT"]
            assert [message["content"] for message in shown] == [*said[:2], SLOWLY, "hello again"]


def _going_on(door: Door, browser: httpx2.AsyncClient) -> Any:
    if door.path == "/agui":
        return browser.stream("POST", "/agui", json=door.body("thread"))
    return browser.stream("GET", "/api/chat/thread/stream")


async def test_a_session_of_another_is_nowhere_in_an_answer_while_a_turn_runs_in_it(door: Door) -> None:
    async with hosted([CheckIn]) as server, server.browser("ada") as ada, server.browser("bob") as bob:
        hers = (await door.say(ada, "thread", "the heron is mine")).state["session_id"]
        async with door.slowly(ada, "thread") as stream:
            _, rest = await begun(stream)
            for thread in (hers, "thread"):
                up_to_date = await bob.post(door.path, json=door.body(thread))
                said = await door.say(bob, thread, "hello", "slow")  # by the id of her message
                gone_on = await bob.get(f"/api/chat/{thread}/stream")

                assert said.state["session_id"] != hers
                assert (gone_on.status_code, gone_on.content) == (204, b"")
                for answer in (up_to_date.text, said.raw):
                    assert not any(one in answer for one in ("heron", "One moment.", "ada@"))
                    assert thread == hers or hers not in answer
                assert await items(bob, said.state["session_id"]) == ["hello", said.text]
            server.gate.open.release()
            assert "All done." in "".join([piece async for piece in rest])

        assert (await items(ada, hers))[2:] == [SLOWLY, "One moment.\n\nAll done."]
        assert (await bob.get(f"/sessions/{hers}")).status_code == 404


async def test_nobody_says_anything_without_the_cookie(door: Door) -> None:
    async with hosted() as server, server.browser("nobody") as nobody:
        for answer in (
            await nobody.post(door.path, json=door.body("thread", "hello")),
            await nobody.get("/api/chat/thread/stream"),
        ):
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
