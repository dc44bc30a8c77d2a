"""A request as Anthropic's Messages API takes it, with marks where its cache may keep what came before.

Anthropic reads a request in this order: tools, system text, messages. A mark says "up to here", and there are four at
most. They stand behind what is the same for everybody, behind the system text, and behind messages that are sent again. One that could not work, because too little stands before it, is left out.
"""

from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import to_json

from softrail.core.ports import Message, ModelRequest
from softrail.models.bounds import sendable

_CHARACTERS_A_TOKEN: Final = 4
_MARK: Final = {"cache_control": {"type": "ephemeral"}}


def body_of(request: ModelRequest, *, model: str, room: int, cache_from: int) -> Mapping[str, Any]:
    """The arguments of the call; `room`: tokens to think in, `cache_from`: what the model's cache keeps at the least."""
    tools = [
        {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}
        for tool in request.tools
    ]
    fewest = cache_from * _CHARACTERS_A_TOKEN
    before = sum(len(to_json(part)) for part in (tools, request.answer_schema) if part)  # both are read first
    body: dict[str, Any] = {"model": model, "max_tokens": request.max_tokens + room}
    if tools:
        body["tools"] = tools
    if system := _system(request, before, fewest):
        body["system"] = system
    body["messages"] = _messages(request, before + len(request.system), fewest)
    output: dict[str, Any] = {}
    if room:
        output["effort"] = "low"  # a turn of a conversation: quick words rather than long thoughts
    if request.answer_schema is not None:
        output["format"] = {"type": "json_schema", "schema": dict(request.answer_schema)}
    if output:
        body["output_config"] = output
    return body


def _system(request: ModelRequest, before: int, fewest: int) -> list[dict[str, Any]]:
    text, at = request.system, request.stable
    blocks = [text[:at], text[at:]] if 0 < at < len(text) else [text]
    found: list[dict[str, Any]] = []
    for block in blocks:
        before += len(block)
        if block.strip():
            mark = _MARK if before >= fewest else {}
            found.append({"type": "text", "text": sendable(block), **mark})
    return found


def _messages(request: ModelRequest, before: int, fewest: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for at, message in enumerate(request.messages, start=1):
        before += len(message.content)
        content = _content(message)
        if content and at in request.settled and before >= fewest:
            blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
            content = [*blocks[:-1], {**blocks[-1], **_MARK}]
        if content:
            found.append({"role": message.role, "content": content})
    return found


def _content(message: Message) -> str | list[dict[str, Any]]:
    """Its words, or blocks where it looks something up or says what was found; empty when it says nothing."""
    words = sendable(message.content) if message.content.strip() else ""
    blocks: list[dict[str, Any]] = [
        {"type": "tool_result", "tool_use_id": one.id, "content": sendable(one.text)}
        for one in message.results
    ]
    if words and (message.calls or blocks):
        blocks.append({"type": "text", "text": words})
    blocks += [
        {"type": "tool_use", "id": one.id, "name": one.name, "input": dict(one.arguments)}
        for one in message.calls
    ]
    return blocks or words
