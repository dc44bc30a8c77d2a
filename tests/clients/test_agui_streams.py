"""Every kind of stream that the AG-UI door sends, recorded from a real server, is as the protocol wants it."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from uuid import uuid4

import httpx2
import pytest

from softrail.bootstrap import plugin_tables
from softrail.store import MemoryStore
from tests.agui_streams import faults
from tests.clients.conftest import LONGEST, CheckIn, Server, serving
from tests.integration.plan_server import Gates, hold, plan
from tests.slow_process import Gate, Slow

START: Final = "start the check-in"
PLAN: Final = "softrail.plan"
Declares = dict[str, str]


@pytest.fixture(params=[{"protocolVersion": "1.0"}, {}], ids=["1.0.0", "0.0.59"])
def declares(request: pytest.FixtureRequest) -> Declares:
    """What a client of that version says of the protocol; the older one says nothing."""
    found: Declares = request.param
    return found


@pytest.fixture
def planning() -> Iterator[Server]:
    """A server that can be let go on by a test, with plans."""
    gate, gates = Gate(), Gates()
    told: dict[str, Callable[[], object]] = {
        "/release": gate.open.release,
        **{f"/open/{name}": gates[name].opened.set for name in ("first", "second")},
    }
    chosen = {"bundled": ("plans",), "encoder": "none"}
    store = MemoryStore(plugins=plugin_tables())
    services: dict[type, Any] = {Gate: gate, Gates: gates}
    with serving(
        [CheckIn, Slow], services, told, store=store, discover=True, actions=[hold], chosen=chosen
    ) as one:
        yield one


class Page:
    """One thread of somebody's own. What it is sent is recorded by the server."""

    def __init__(self, server: Server, declares: Declares, thread: str = "") -> None:
        self._url = server.url
        self._declares = declares
        self._thread = thread or str(uuid4())
        self._who = {"X-Softrail-Person": f"{self._thread}@example.org"}
        self.props: dict[str, Any] = {}

    def ask(self, method: str, path: str) -> Any:
        response = httpx2.request(method, self._url + path, headers=self._who)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def until(self, session: str, *words: str) -> None:
        """Follow a session until something is told of it that has all these words in it."""
        url = f"{self._url}{session}/events?after=0"
        with httpx2.stream("GET", url, headers=self._who, timeout=LONGEST) as response:
            for line in response.iter_lines():
                if all(word in line for word in words):
                    return
        raise AssertionError(f"The session ended before it told {words}.")

    def stream(self, *words: str, **more: Any) -> Iterator[dict[str, Any]]:
        """Say words; the frames as they come."""
        messages = [{"id": str(uuid4()), "role": "user", "content": one} for one in words]
        body = {
            "threadId": self._thread,
            "runId": str(uuid4()),
            "messages": messages,
            "forwardedProps": {"softrail": self.props},
            **self._declares,
            **more,
        }
        with httpx2.stream(
            "POST", f"{self._url}/agui", json=body, headers=self._who, timeout=LONGEST
        ) as response:
            assert response.status_code == 200
            for line in response.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    def say(self, *words: str, **more: Any) -> list[dict[str, Any]]:
        return list(self.stream(*words, **more))

    def in_answer(
        self, *then: tuple[str, str], words: tuple[str, ...] = ("do the slow thing",)
    ) -> list[dict[str, Any]]:
        """Start the slow thing, and ask the server these once the first words of its answer are there."""
        frames = list[dict[str, Any]]()
        for frame in self.stream(*words):
            frames.append(frame)
            if frame["type"] == "TEXT_MESSAGE_CONTENT" and types(frames).count(frame["type"]) == 1:
                for method, path in then:
                    self.ask(method, path)
        return frames


def types(frames: list[dict[str, Any]]) -> list[str]:
    return [frame["type"] for frame in frames]


def texts(frames: list[dict[str, Any]]) -> list[str]:
    """What was said in a run, each under an id of its own."""
    found = dict[str, str]()
    for one in frames:
        if one["type"] == "TEXT_MESSAGE_CONTENT":
            found[one["messageId"]] = found.get(one["messageId"], "") + one["delta"]
    return list(found.values())


def snapshot(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = next(f["messages"] for f in frames if f["type"] == "MESSAGES_SNAPSHOT")
    return found


def taken_back(frames: list[dict[str, Any]]) -> bool:
    """Right after the words that were told first come all messages, without them."""
    at = types(frames).index("TEXT_MESSAGE_END")
    after = frames[at + 1]
    kept = [one["id"] for one in after.get("messages", [])]
    return after["type"] == "MESSAGES_SNAPSHOT" and frames[at]["messageId"] not in kept


def state(frames: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = next(f["snapshot"] for f in frames if f["type"] == "STATE_SNAPSHOT")
    return found


def checked(server: Server, number: int) -> None:
    """So many streams were recorded, and none has a fault."""
    streams = server.recorder.take()
    assert len(streams) == number
    assert [fault for one in streams for fault in faults(one)] == []


def test_free_talk_and_a_process_from_its_beginning_to_its_end(planning: Server, declares: Declares) -> None:
    page = Page(planning, declares)
    page.say("hello")
    page.say(START)
    assert state(page.say("100"))["process"]["progress"]["done"] == 0
    page.say("cancel")
    page.say("resume")
    page.say("7")
    assert "ACTIVITY_SNAPSHOT" in types(page.say("skip"))
    assert "MESSAGES_SNAPSHOT" in types(page.say())
    checked(planning, 8)


def test_questions_as_interrupts_and_every_way_out_of_them(planning: Server, declares: Declares) -> None:
    page = Page(planning, declares)
    page.props = {"interrupts": True}

    def asked(frames: list[dict[str, Any]]) -> str:
        return str(frames[-1]["outcome"]["interrupts"][0]["id"])

    first = asked(page.say(START))
    answer = {"interruptId": first, "status": "resolved", "payload": 7}
    second = asked(page.say(resume=[answer]))
    assert second == asked(page.say(resume=[answer]))
    assert page.say(resume=[{**answer, "payload": 8}])[-1]["code"] == "question_closed"
    assert state(page.say(resume=[{"interruptId": second, "status": "cancelled"}]))["suspended"]
    third = asked(page.say("resume"))
    left = page.say("cancel", resume=[{"interruptId": third, "status": "cancelled"}])
    assert state(left)["suspended"]
    checked(planning, 7)


def test_eight_messages_at_once_of_one_page_and_of_eight(planning: Server, declares: Declares) -> None:
    thread = str(uuid4())
    words = [START, "7", "skip", START, "cancel", "resume", "6", "skip"]
    frames = Page(planning, declares).say(*words)
    answered = [
        frame["messageId"].partition("/reply")[0] for frame in frames if frame["type"] == "TEXT_MESSAGE_END"
    ]
    assert (
        len(set(answered)) == 8
    )  # one that “cancel” stops may have begun to be answered: its words are told anew
    with ThreadPoolExecutor(8) as tabs:
        found = list(tabs.map(lambda n: Page(planning, declares, thread).say(words[n]), range(8)))
    assert {one[-1]["type"] for one in found} == {"RUN_FINISHED"}
    checked(planning, 9)


def test_a_turn_that_is_stopped_says_so_and_its_run_is_cancelled_where_the_client_knows_that(
    planning: Server, declares: Declares
) -> None:
    page = Page(planning, declares)
    page.props = {"interrupts": True}  # none is open: what was stopped asks nothing
    session = f"/sessions/{state(page.say('hello'))['session_id']}"
    frames = page.in_answer(("POST", f"{session}/cancel"), words=("do the slow thing", START))

    ended = {"type": "cancelled" if declares else "success"}
    assert frames[-1]["outcome"] == ended
    assert (state(frames)["process"], state(frames)["pending"]) == (None, None)
    assert texts(frames)[0] == "One moment."
    assert taken_back(frames)
    assert len(set(texts(frames)[1:])) == 1  # both say that they were stopped
    assert [frame["content"] for frame in snapshot(page.say())][-3::2] == texts(frames)[1:]
    assert page.say("hello")[-1]["outcome"] == {"type": "success"}
    checked(planning, 4)


def test_a_turn_that_is_stopped_leaves_the_open_question_as_it_was(
    planning: Server, declares: Declares
) -> None:
    page = Page(planning, declares)
    page.props = {"interrupts": True}
    asked = state(page.say(START))
    frames = page.in_answer(("POST", f"/sessions/{asked['session_id']}/cancel"))

    assert frames[-1]["outcome"]["type"] == ("cancelled" if declares else "interrupt")
    assert state(frames)["pending"] == asked["pending"]
    answer = {"interruptId": asked["pending"]["id"], "status": "resolved", "payload": 7}
    assert state(page.say(resume=[answer]))["process"]["progress"]["done"] == 1
    checked(planning, 3)


def test_a_plan_that_goes_on_is_told_as_a_whole_and_then_by_what_has_changed(
    planning: Server, declares: Declares
) -> None:
    page = Page(planning, declares)
    page.say(plan("first", "second"))
    session = f"/sessions/{state(page.say('yes'))['session_id']}"

    page.until(session, '"planning"', '"done":0.0')  # it is carried out beside the conversation
    frames = []
    for frame in page.stream("do the slow thing"):
        frames.append(frame)
        if types(frames).count("TEXT_MESSAGE_CONTENT") == 1 and frame["type"] == "TEXT_MESSAGE_CONTENT":
            page.ask("POST", "/open/first")
            page.until(session, '"planning"', '"done":1.0')
            page.ask("POST", "/release")

    [whole] = [f["content"] for f in frames if f.get("activityType") == PLAN and "content" in f]
    patches = [one for f in frames if f["type"] == "ACTIVITY_DELTA" for one in f["patch"]]
    assert (whole["process"], whole["done"], whole["total"]) == ("planning", 0, 2)
    assert {"op": "replace", "path": "/done", "value": 1} in patches
    assert "ACTIVITY_SNAPSHOT" in types(page.say())  # a reload shows it, too
    page.ask("POST", "/open/second")
    page.until(session, '"content"', "Done:")
    assert "Done:" in str(page.say())
    checked(planning, 5)


def test_what_goes_wrong_in_mid_answer_ends_the_run_as_an_error(planning: Server, declares: Declares) -> None:
    page = Page(planning, declares)
    session = f"/sessions/{state(page.say('hello'))['session_id']}"
    frames = page.in_answer(("DELETE", session), ("POST", "/release"))

    assert taken_back(frames)  # nothing of it could be kept
    assert types(frames)[-1] == "RUN_ERROR"
    checked(planning, 2)


@pytest.mark.parametrize(
    "broken",
    [
        [],
        [{"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x"}],
        [{"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"}],
        [{"type": "SOMETHING"}],
    ],
    ids=["no end", "no beginning of the words", "no end of the words", "no such event"],
)
def test_a_stream_that_is_wrong_would_be_noticed(broken: list[dict[str, Any]]) -> None:
    ids = {"threadId": "t", "runId": "r"}
    frames = [{"type": "RUN_STARTED", **ids}, *broken]
    ended = [*frames, {"type": "RUN_FINISHED", **ids}] if broken else frames
    assert faults("".join(f"data: {json.dumps(one)}\n\n" for one in ended).encode())
