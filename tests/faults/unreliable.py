"""A language model that cannot be relied on: Claude's double, failing at random, or talking without end."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from tests.messages_api import Fail, Line, MessagesApi, Raw, Say

WELL: Final = "Well, well."
TIMEOUT: Final = 20.0  #: seconds a server waits for this model; a busy machine takes some to load the SDK
AT_ONCE: Final = {"retry-after-ms": "1"}
#: Ways to be away. After three calls in a row that find it away, nobody asks it for ten seconds: a whole test.
AWAY: Final[tuple[Line, ...]] = (
    Fail(status=500, headers=AT_ONCE),
    Fail(status=529, headers=AT_ONCE),
    Say(text=WELL, cut_after=0),
)
APART: Final = 12  #: answers between two of those, more than are asked for at once
#: Other ways to fail at once; asked again, the model may answer, so a failure is not always seen.
WAYS: Final[tuple[Line, ...]] = (
    Fail(status=401),
    Say(text=WELL, cut_after=700),
    Say(text=" "),
    Say(text=WELL, stop="refusal"),
    Raw(body=b"<html>busy</html>", kind="text/html"),
)
TALK: Final = Say(text=json.dumps({"intent": "general_conversation", "confidence": 0.9, "parameters": {}}))


def unreliable(rng: Random, *, share: float, answers: int) -> tuple[list[Line], list[Line]]:
    """What it says to so many questions: in words, and in structures; that share of both fails."""

    def drawn(good: Line) -> list[Line]:
        lines: list[Line] = []
        for _ in range(answers):
            away = not any(line in AWAY for line in lines[-APART:])
            fails = rng.choice((*AWAY, *WAYS) if away else WAYS)
            lines.append(fails if rng.random() < share else good)
        return lines

    return drawn(Say(text=WELL)), drawn(TALK)


def asking(api: MessagesApi, *, timeout: float = TIMEOUT) -> Mapping[str, str]:
    """The environment of a server that asks this double."""
    return {
        "ANTHROPIC_API_KEY": "the-key-of-the-double",
        "ANTHROPIC_BASE_URL": api.url,
        "SOFTRAIL_MODEL": "claude",
        "SOFTRAIL_MODEL_TIMEOUT": str(timeout),
    }


def endless(words: int, *, streamed: bool) -> Line:
    """A well-formed answer of so many words, in one body or in pieces of a thousand words."""
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-double"}
    usage = {"input_tokens": 11, "output_tokens": words}
    text = "word " * words
    if not streamed:
        block = [{"type": "text", "text": text}]
        whole = {**head, "content": block, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}
        return Raw(body=json.dumps(whole).encode())
    begun: dict[str, Any] = {
        **head,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    pieces = [text[at : at + 5_000] for at in range(0, len(text), 5_000)]
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        for piece in pieces
    ]
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *deltas,
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": usage,
        },
        {"type": "message_stop"},
    ]
    rows = (f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)
    return Raw(body="".join(rows).encode(), kind="text/event-stream")
