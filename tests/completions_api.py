"""A double of an OpenAI-compatible server: it says what its script says, and breaks as told."""

import json
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from typing import Any

from tests.messages_api import MODEL, Line, MessagesApi, Say, listening

_STOPS = {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter", "tool_use": "tool_calls"}
_USAGE = {
    "prompt_tokens": 18,
    "completion_tokens": 5,
    "total_tokens": 23,
    "prompt_tokens_details": {"cached_tokens": 7},
}


class CompletionsApi(MessagesApi):
    """The running double: `url` is what a client takes as its base."""

    path = "/v1"

    def wants_structure(self, request: dict[str, Any]) -> bool:
        """Whether a request is for structured output."""
        return "response_format" in request

    def message(self, line: Say) -> dict[str, Any]:
        """A whole answer."""
        choice = {"index": 0, "message": _message(line), "finish_reason": _STOPS[line.stop]}
        return {**_head("chat.completion"), "choices": [choice], "usage": _USAGE}

    def events(self, line: Say) -> bytes:
        """The body of a streamed answer."""
        message = _message(line)
        words = (message["content"] or "").split(" ")
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        if message["content"]:
            deltas += [{"content": f" {word}" if n else word} for n, word in enumerate(words)]
        deltas += [{"tool_calls": [{"index": n, **c}]} for n, c in enumerate(message.get("tool_calls", ()))]
        chunks: list[dict[str, Any]] = [{"delta": delta, "finish_reason": None} for delta in deltas]
        chunks.append({"delta": {}, "finish_reason": _STOPS[line.stop]})
        rows = [
            {**_head("chat.completion.chunk"), "choices": [{"index": 0, **c}], "usage": None} for c in chunks
        ]
        rows.append({**_head("chat.completion.chunk"), "choices": [], "usage": _USAGE})
        body = "".join(f"data: {json.dumps(row, ensure_ascii=False)}\n\n" for row in rows)
        return (body + "data: [DONE]\n\n").encode()


def completions_api(
    *lines: Line, structured: Iterable[Line] = ()
) -> AbstractAsyncContextManager[MessagesApi]:
    """Within the block the double listens on a free port of this machine."""
    return listening(CompletionsApi(lines, structured=structured))


def _head(kind: str) -> dict[str, Any]:
    return {"id": "c1", "object": kind, "created": 1_772_442_000, "model": MODEL}


def _message(line: Say) -> dict[str, Any]:
    if line.content is None:
        return {"role": "assistant", "content": line.text}
    calls = [
        {
            "id": b["id"],
            "type": "function",
            "function": {"name": b["name"], "arguments": json.dumps(b["input"])},
        }
        for b in line.content
        if b["type"] == "tool_use"
    ]
    text = "".join(b["text"] for b in line.content if b["type"] == "text")
    return {"role": "assistant", "content": text or None, "tool_calls": calls}
