"""Claude fails in every way there is, and the whole application stays honest (F1, F2, F4, F5, F8 and F10 of the matrix)."""

import json
import logging
import time
from functools import partial
from typing import Any

import pytest

from softrail.models.circuit import Circuit
from softrail.turns.dispatcher import Dispatcher
from tests.integration.claude_server import NOTE, TALK, TROUBLE, UNCLEAR, App, claude_app
from tests.integration.companion_server import headers, person
from tests.messages_api import Fail, Line, Raw, Say, Silence, events

pytest.importorskip("anthropic")

AT_ONCE = {"retry-after-ms": "1"}
WELL = Say(text="Well.")
#: Every answer of the API without words that a person could be given.
WORDLESS: dict[str, Line] = {
    "408": Fail(status=408, headers=AT_ONCE),
    "429": Fail(status=429, headers=AT_ONCE),
    "429 that asks for a second": Fail(status=429, headers={"retry-after": "1"}),
    "429 that asks for an hour": Fail(status=429, headers={"retry-after": "3600"}),
    "500": Fail(status=500, headers=AT_ONCE),
    "503 without a word on when": Fail(status=503),
    "529": Fail(status=529, headers=AT_ONCE),
    "401": Fail(status=401),
    "400": Fail(status=400),
    "302": Fail(status=302, headers={"location": "http://169.254.169.254/latest"}),
    "silence": Silence(),
    "refusal": Say(text="", stop="refusal"),
    "empty": Say(text=""),
    "blank": Say(text=" \n\t "),
    "only a tool": Say(
        content=[{"type": "tool_use", "id": "t", "name": "erase", "input": {}}], stop="tool_use"
    ),
    "no json": Raw(body=b"<html>busy</html>", kind="text/html"),
    "no utf-8": Raw(body=b'{"content": [{"type": "text", "text": "\xff\xfe"}]}'),
    "more than ten megabytes": Say(text="a" * 10_600_000),
    "compressed": Raw(body=b"\x1f\x8b\x08", headers={"content-encoding": "gzip"}),
    "a huge header": Raw(body=b"{}", headers={"x-big": "a" * 500_000}),
    "cut after the head": Say(text="words", cut_after=0),
}


async def noted(app: App, message: str = "Barns are red", **more: Any) -> tuple[Any, Any]:
    """A turn with an effect while the model fails; its reply and its record."""
    reply = await app.say(message, NOTE, project_id=await app.project(), **more)
    return reply, await app.decision(reply)


@pytest.mark.usefixtures("quick_retries")
@pytest.mark.parametrize("line", [pytest.param(line, id=name) for name, line in WORDLESS.items()])
async def test_without_an_answer_what_was_done_is_listed_and_the_words_are_honest(line: Line) -> None:
    limit = 3.0
    async with claude_app(WELL, model_timeout=limit) as app:
        await app.say("the SDK is loaded by now")
        app.api.lines[:] = [line]
        before, began = len(app.api.requests), time.monotonic()
        reply, record = await noted(app)

        assert time.monotonic() - began <= limit + 20.0  # a busy machine; nobody waits for an hour
        assert reply["companion_message"].startswith("I've noted for FarmGuard: “Barns are red”.")
        assert reply["companion_message"].endswith("so that is the short answer.)")
        assert [effect["kind"] for effect in reply["side_effects"]] == ["note_saved"]
        assert 1 <= len(app.api.requests) - before <= 3
        assert record["model_calls"]  # twice where it might be that no tools are taken there
        for call in record["model_calls"]:
            assert not call["ok"]
            assert call["error"]
        assert ("respond", "fallback") in [(gate["gate"], gate["outcome"]) for gate in record["gates"]]


async def test_a_provider_that_cannot_be_reached_is_no_error_either() -> None:
    async with claude_app(WELL) as app:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
            reply, _ = await noted(app)
            (call,) = (await app.stored(reply)).model_calls

    assert reply["side_effects"][0]["kind"] == "note_saved"
    assert call.error == "The model claude-double could not be heard."


async def test_a_silent_classifier_leaves_no_second_wait_to_the_responder() -> None:
    async with claude_app(WELL, model_timeout=1.0) as app:
        await app.say("the SDK is loaded by now")
        app.api.lines[:], app.api.structured[:] = [Silence()], [Silence()]
        before = len(app.api.requests)
        reply = await app.say(UNCLEAR, None)

        assert len(app.api.requests) - before == 1  # nothing was left of the time for a second
    assert reply["companion_message"].startswith("I thought about it for too long and had to stop")


@pytest.mark.parametrize(
    "line",
    [Fail(status=529, headers=AT_ONCE), Fail(status=401), Say(text="no json"), Raw(body=b"[" * 10_000)],
    ids=["529", "401", "prose", "nested"],
)
async def test_a_failing_classifier_leaves_the_responder_its_turn(line: Line) -> None:
    async with claude_app(WELL, structured=[line]) as app:
        reply = await app.say(UNCLEAR, None)
        record = await app.decision(reply)

    assert (reply["companion_message"], reply["classified_intent"]) == ("Well.", TALK)
    assert record["tier"] in ("floor", "default")  # what was read without it stays


@pytest.mark.parametrize("recovers", [True, False])
async def test_all_calls_of_a_turn_together_are_tried_again_twice_at_most(recovers: bool) -> None:
    busy = Fail(status=529, headers=AT_ONCE)
    reading: list[Line] = [busy, Say(text="no json")] if recovers else [busy]
    async with claude_app(busy, structured=reading) as app:
        reply = await app.say(UNCLEAR, None)

        assert reply["companion_message"].startswith(TROUBLE)
        assert len(app.api.requests) == 2 + 2 + recovers  # and one call to repair an answer


async def test_an_answer_that_ran_out_of_room_is_kept_and_marked() -> None:
    async with claude_app(Say(text="First of all", stop="max_tokens")) as app:
        reply = await app.say("tell me everything")
        seen, streamed = await app.stream("tell me everything again")

    assert reply["companion_message"] == seen == streamed["companion_message"]
    assert seen == "First of all\n\n(My answer broke off here.)"


async def test_what_is_kept_of_a_broken_stream_is_what_was_seen_with_a_mark() -> None:
    text = "Zwölf Boxkämpfer jagen Viktor — über den großen Deich 🚣 und zurück"
    begins = events(Say(text=text)).index(b"Zw")
    outcomes = set()
    async with claude_app(WELL) as app:
        project = await app.project()
        for n, cut in enumerate([0, *range(begins - 10, begins + 191, 10)]):
            app.api.lines[:] = [Say(text=text, cut_after=cut)]
            seen, reply = await app.stream(f"fact number {n}", NOTE, project_id=project, turn_id=f"t{n}")
            assert reply["companion_message"] == seen
            assert [effect["kind"] for effect in reply["side_effects"]] == ["note_saved"]
            assert f"I've noted for FarmGuard: “fact number {n}”." in seen  # half an answer hides nothing
            if seen.startswith("I've noted"):
                outcomes.add("nothing")
            else:
                said, mark, *_ = seen.split("\n\n")
                assert text.startswith(said)
                assert mark == "(My answer broke off here.)"
                outcomes.add("kept")
            app.api.lines[:] = [WELL]
            _, again = await app.stream(f"fact number {n}", NOTE, project_id=project, turn_id=f"t{n}")
            assert again == reply  # a retry runs nothing again
            await app.say("the circuit stays closed while answers come between")
        ada = await person(app.store, "ada")
        notes = await app.companion.notes.list(ada.id, project, states=("waiting", "saved"))
        assert len(notes) == n + 1
    assert outcomes == {"nothing", "kept"}


@pytest.mark.parametrize("size", [1, 7, 64])
async def test_characters_split_between_packets_arrive_whole(size: int) -> None:
    text = "Zwölf 🚣 Deiche — größer"
    async with claude_app(Say(text=text, piece=size)) as app:
        seen, reply = await app.stream("tell me")

    assert seen == reply["companion_message"] == text


async def test_a_fallback_is_kept_as_one_and_never_shown_to_the_model_as_its_own_words() -> None:
    async with claude_app(Fail(status=529, headers=AT_ONCE), WELL) as app:
        app.api.lines[:] = [Fail(status=529, headers=AT_ONCE)]
        failed = await app.say("first words", turn_id="t1")
        app.api.lines[:] = [
            Say(content=[{"type": "tool_use", "id": "t", "name": "x", "input": {}}], stop="tool_use")
        ]
        await app.say("second words")
        app.api.lines[:] = [WELL]
        await app.say("third words")
        await app.say("fourth words")

        sent = app.api.requests[-1]["messages"]
        # What the project holds stands before what was said.
        assert [m["role"] for m in sent] == ["user", "user", "assistant", "user"]
        assert "third words" in json.dumps(sent[1])
        assert "Well." in json.dumps(sent[2])
        assert "trouble thinking" not in json.dumps(app.api.requests)
        # The same id again gets the same reply: a new try is a new turn.
        assert await app.say("first words", turn_id="t1") == failed
        assert failed["companion_message"].startswith(TROUBLE)


class Tick:
    """A clock of the circuits that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_provider_that_is_away_is_left_alone_and_asked_again_when_it_may_be_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Tick()
    monkeypatch.setattr("softrail.models.opening.Circuit", partial(Circuit, clock=clock))
    async with claude_app(Fail(status=529, headers=AT_ONCE)) as app:
        for n in range(3):
            await app.say(f"words {n}")
        asked = len(app.api.requests)
        assert asked == 9

        for n in range(10):  # nobody waits for it any more, and guided conversations go on
            assert (await app.say(f"more words {n}"))["companion_message"].startswith(TROUBLE)
        begun = await app.say("a booking app", "create_project")
        guided = await app.say("Court Finder", None, session_id=begun["session_id"])
        assert guided["process"]["state"] == "active"
        record = await app.stored(await app.say("why?"))
        assert "left alone for a moment" in record.model_calls[0].error
        assert record.cost_usd == 0
        assert len(app.api.requests) == asked

        app.api.lines[:] = [WELL]
        clock.now += 10.0
        assert (await app.say("are you back?"))["companion_message"] == "Well."
        assert (await app.say("for good?"))["companion_message"] == "Well."
    told = [r.getMessage() for r in caplog.records if r.name == "softrail.models.circuit"]
    assert len(told) == 2
    assert told[1] == "The model claude-double is back."


async def test_no_failure_is_an_error_in_the_log_or_says_what_a_person_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG, logger="softrail"):
        async with claude_app(Fail(status=400), Say(text="", stop="refusal"), Raw(body=b"null")) as app:
            for _ in range(3):
                await app.say("the canary sings")

    assert [r for r in caplog.records if r.levelno >= logging.ERROR] == []
    assert "canary" not in caplog.text


async def test_the_sdk_is_loaded_before_the_first_message_where_there_is_a_key() -> None:
    async with claude_app(WELL, bundled=()) as app:
        await app.dispatcher.warm()
        assert app.dispatcher.parts.model_keys._close.__self__._wire._http is not None  # type: ignore[attr-defined]
        assert app.api.requests == []


async def test_stopping_gives_the_connections_back() -> None:
    async with claude_app(WELL) as app:
        await app.say("hello to you")
        kept: Dispatcher = app.dispatcher
        http = kept.parts.model_keys._close.__self__._wire._http  # type: ignore[attr-defined] # looked at, not used
        assert not http.is_closed
        history = await app.client.get("/sessions", headers=headers("ada"))
        assert history.status_code == 200

    assert http.is_closed
