"""The events of a turn as frames: each row of the table of both protocols."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from ag_ui.core import BaseEvent, UserMessage

from softrail.api.protocols.agui import Run, interrupt, usage_of
from softrail.api.protocols.telling import Told, plain_id
from softrail.api.protocols.ui_messages import Answer

REPLY = {"companion_message": "Two words."}
STATE: dict[str, Any] = {"pending": None, "last": {"turn_id": "t", "seq": 1, "decision_id": "d", "more": 0}}
OPEN = {
    "id": "i:1",
    "kind": "offer",
    "prompt": "Shall we?",
    "choices": [{"label": "Yes", "hint": None}, {"label": "Not now", "hint": None}],
    "schema": None,
    "expires_at": None,
}
PROGRESS = {"run_id": "r", "done": 1, "total": 4, "text": "", "at": "2026-01-05T09:00:00Z"}

Events = Sequence[tuple[str, dict[str, Any]]]


def plain(frames: Sequence[BaseEvent]) -> list[dict[str, Any]]:
    return [json.loads(frame.model_dump_json(by_alias=True)) for frame in frames]


def a_run(*events: tuple[str, dict[str, Any]], declared: bool = True, interrupts: bool = False) -> Run:
    run = Run("thread", "run", declared=declared, interrupts=interrupts)
    run.begin([UserMessage(id="t", content="Hello")], lacking=False)
    for name, data in events:
        run.of(Told(name, data), "t")
    return run


def agui(*events: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    run = a_run()
    return [frame for name, data in events for frame in plain(run.of(Told(name, data), "t"))]


def parts(*events: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    answer = Answer("t/reply")
    return [part for name, data in events for part in answer.of(Told(name, data), "t")]


def test_a_run_begins_with_what_was_said_where_the_client_lacks_it() -> None:
    said = [UserMessage(id="t", content="Hello")]
    whole, bare = (
        plain(Run("thread", "run", declared=d, interrupts=False).begin(said, lacking=d))
        for d in (True, False)
    )

    started = {"type": "RUN_STARTED", "threadId": "thread", "runId": "run"}
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "t", "role": "user", "content": "Hello"}]}
    assert whole == [{**started, "protocolVersion": "1.0"}, snapshot]
    assert bare == [started]


def test_an_answer_begins_with_its_id_and_the_items_that_the_client_lacks() -> None:
    start = [{"type": "start", "messageId": "t/reply"}, {"type": "start-step"}]

    assert Answer("t/reply").begin([]) == start
    missed = {"type": "data-missed", "data": {"items": [{"seq": 3}]}}
    assert Answer("t/reply").begin([{"seq": 3}]) == [*start, missed]
    assert Answer(None).begin([])[0] == {"type": "start"}


def test_what_is_accepted_moved_and_understood_is_told_by_its_name() -> None:
    data = {"a": 1}

    for name, part in (
        ("turn.accepted", {"type": "data-turn", "id": "t", "data": data}),
        ("process.transition", {"type": "data-process-transition", "data": data, "transient": True}),
        ("intent.classified", {"type": "data-intent-classified", "data": data, "transient": True}),
    ):
        assert agui((name, data)) == [{"type": "CUSTOM", "name": name, "value": data}]
        assert parts((name, data)) == [part]


def test_words_come_piece_by_piece_under_the_id_of_the_reply() -> None:
    pieces: Events = [
        ("text.delta", {"text": "Two "}),
        ("text.delta", {"text": "words."}),
        ("turn.committed", REPLY),
    ]

    own = "t/reply"
    assert agui(*pieces) == [
        {"type": "TEXT_MESSAGE_START", "messageId": own, "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": own, "delta": "Two "},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": own, "delta": "words."},
        {"type": "TEXT_MESSAGE_END", "messageId": own},
    ]
    assert parts(*pieces) == [
        {"type": "text-start", "id": own},
        {"type": "text-delta", "id": own, "delta": "Two "},
        {"type": "text-delta", "id": own, "delta": "words."},
        {"type": "text-end", "id": own},
    ]


def test_a_stored_reply_is_told_as_a_whole_and_one_without_words_not_at_all() -> None:
    assert [frame["type"] for frame in agui(("turn.committed", REPLY))] == [
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
    ]
    assert [p["type"] for p in parts(("turn.committed", REPLY))] == ["text-start", "text-delta", "text-end"]
    silent = ("turn.committed", {"companion_message": ""})
    assert (agui(silent), parts(silent)) == ([], [])


def test_space_around_the_words_makes_them_no_others() -> None:
    spaced: Events = [("text.delta", {"text": "Two words.\n"}), ("turn.committed", REPLY)]

    assert [frame["type"] for frame in agui(*spaced)][-1] == "TEXT_MESSAGE_END"
    assert len(agui(*spaced)) == len(parts(*spaced)) == 3


def test_what_was_said_in_vain_is_taken_back_and_said_anew_under_another_id() -> None:
    again: Events = [
        ("text.delta", {"text": "Wrong."}),
        ("turn.superseded", {}),
        ("text.delta", {"text": "Two words."}),
        ("turn.committed", REPLY),
    ]

    frames = agui(*again)
    assert [frame["type"] for frame in frames] == [
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "MESSAGES_SNAPSHOT"),
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"),
    ]
    assert frames[3]["messages"] == [{"id": "t", "role": "user", "content": "Hello"}]
    assert frames[4]["messageId"] == "t/reply/2"
    assert parts(*again)[2:5] == [
        {"type": "text-end", "id": "t/reply"},
        {"type": "data-superseded", "data": {"id": "t/reply"}},
        {"type": "text-start", "id": "t/reply/2"},
    ]
    assert agui(("turn.superseded", {})) == parts(("turn.superseded", {})) == []  # nothing was shown


def test_a_reply_with_other_words_than_were_shown_takes_those_back() -> None:
    frames = agui(("text.delta", {"text": "Something else"}), ("turn.committed", REPLY))

    assert [f["type"] for f in frames if "SNAPSHOT" in f["type"]] == ["MESSAGES_SNAPSHOT"]
    assert [f["delta"] for f in frames if "delta" in f] == ["Something else", "Two words."]


def test_what_was_done_ends_the_words_and_has_an_id_of_its_own() -> None:
    done = {"kind": "note_saved", "summary": "Saved a note", "ref": None}
    both: Events = [("side_effect", done), ("side_effect", done)]

    assert agui(*both) == [
        {
            "type": "ACTIVITY_SNAPSHOT",
            "messageId": f"t/effect/{n}",
            "activityType": "softrail.effect",
            "content": done,
        }
        for n in (1, 2)
    ]
    assert parts(*both) == [{"type": "data-effect", "id": f"t/effect/{n}", "data": done} for n in (1, 2)]


def test_long_work_is_told_as_a_whole_first_and_then_as_what_has_changed() -> None:
    further = {**PROGRESS, "done": 2}
    both: Events = [("process.progress", PROGRESS), ("process.progress", further)]

    first, second = agui(*both)
    assert (first["type"], first["activityType"], first["content"]) == (
        "ACTIVITY_SNAPSHOT",
        "softrail.plan",
        PROGRESS,
    )
    assert (second["type"], second["patch"]) == (
        "ACTIVITY_DELTA",
        [{"op": "replace", "path": "/done", "value": 2}],
    )
    assert parts(*both) == [{"type": "data-plan", "id": "r/plan", "data": one} for one in (PROGRESS, further)]


def test_long_work_is_told_as_a_whole_again_where_words_were_void_for_the_client_forgot_it() -> None:
    frames = agui(
        ("process.progress", PROGRESS),
        ("text.delta", {"text": "One"}),
        ("turn.superseded", {}),
        ("process.progress", PROGRESS),
    )

    assert [frame["type"] for frame in frames if frame["type"].startswith(("ACTIVITY", "MESSAGES"))] == [
        "ACTIVITY_SNAPSHOT",
        "MESSAGES_SNAPSHOT",
        "ACTIVITY_SNAPSHOT",
    ]


def test_a_run_ends_with_the_state_and_what_came_of_it() -> None:
    state, finished = plain(a_run().finish(STATE, usage=[{"model": "m", "input_tokens": 3}]))

    assert state == {"type": "STATE_SNAPSHOT", "snapshot": STATE}
    assert finished["outcome"] == {"type": "success"}
    assert finished["usage"] == [{"model": "m", "inputTokens": 3}]


def test_an_answer_ends_with_the_state_and_which_turn_it_was() -> None:
    assert Answer("t/reply").finish(STATE) == [
        {"type": "data-session", "id": "session", "data": STATE},
        {"type": "finish-step"},
        {"type": "finish", "messageMetadata": {"turn_id": "t", "seq": 1, "decision_id": "d"}},
    ]


@pytest.mark.parametrize(("declared", "outcome"), [(True, "cancelled"), (False, "success")])
def test_an_interrupted_turn_is_cancelled_for_clients_that_know_the_word(
    declared: bool, outcome: str
) -> None:
    run = Run("thread", "run", declared=declared, interrupts=False)

    assert plain(run.finish(STATE, interrupted=True))[-1]["outcome"]["type"] == outcome


def test_an_error_ends_the_words_and_nothing_comes_after_it() -> None:
    wrong = ("error", {"code": "session_busy", "message": "Later.", "details": {}})
    run = a_run(("text.delta", {"text": "Two"}))

    assert plain(run.of(Told(*wrong), "t")) == [
        {"type": "TEXT_MESSAGE_END", "messageId": "t/reply"},
        {"type": "RUN_ERROR", "message": "Later.", "code": "session_busy"},
    ]
    assert run.finish(STATE) == []
    answer = Answer("t/reply")
    assert answer.of(Told(*wrong), "t") == [{"type": "error", "errorText": "Later."}]
    assert answer.finish(STATE) == []


def test_an_open_question_ends_a_run_only_where_the_client_asked_for_interrupts() -> None:
    waiting = {**STATE, "pending": OPEN}

    asked = plain(a_run(interrupts=True).finish(waiting))[-1]["outcome"]
    assert plain(a_run().finish(waiting))[-1]["outcome"] == {"type": "success"}
    assert asked["type"] == "interrupt"
    assert asked["interrupts"] == [
        {
            "id": "i:1",
            "reason": "confirmation",
            "message": "Shall we?",
            "responseSchema": {"type": "string", "enum": ["Yes", "Not now"]},
            "metadata": {"softrail": {"kind": "offer", "choices": OPEN["choices"]}},
        }
    ]


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("ask", "input_required"),
        ("confirm", "confirmation"),
        ("offer", "confirmation"),
        ("approve", "confirmation"),
        ("clarify", "softrail:clarify"),
    ],
)
def test_each_kind_of_question_has_its_reason(kind: str, reason: str) -> None:
    schema = {"type": "string"}

    found = interrupt({**OPEN, "kind": kind, "schema": schema, "expires_at": "2026-01-05T09:00:00Z"})
    assert (found.reason, found.response_schema, found.expires_at) == (reason, schema, "2026-01-05T09:00:00Z")


def test_tokens_are_counted_by_model() -> None:
    call = {
        "model": "m",
        "input_tokens": 5,
        "output_tokens": 2,
        "cached_tokens": 1,
        "cache_write_tokens": 0,
    }

    assert [(u["model"], u["input_tokens"]) for u in usage_of([call, {**call, "model": "n"}, call])] == [
        ("m", 10),
        ("n", 5),
    ]


def test_words_of_a_later_attempt_are_the_same_message_in_a_transcript() -> None:
    assert [plain_id(one) for one in ("t/reply", "t/reply/2", "t", "a/reply/b")] == [
        *("t/reply", "t/reply", "t", "a/reply/b"),
    ]
