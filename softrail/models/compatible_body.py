"""A request as pydantic-ai takes it, and what it read from an answer besides text.

Servers of this kind need no marks: those that cache keep the longest beginning they have seen before.
"""

from collections.abc import Sequence
from typing import Any

from softrail.core.ports import ModelRequest
from softrail.core.tools import ToolCall
from softrail.models.bounds import called, offered, sendable
from softrail.models.compatible_wire import Library


def messages_of(library: Library, request: ModelRequest) -> list[Any]:
    """The system text, then the messages in their order."""
    kinds = library.messages
    sent: list[Any] = []
    if request.system.strip():
        sent.append(kinds.ModelRequest(parts=[kinds.SystemPromptPart(sendable(request.system))]))
    for message in request.messages:
        parts: list[Any] = [
            kinds.ToolReturnPart(tool_name=one.name, content=sendable(one.text), tool_call_id=one.id)
            for one in message.results
        ]
        words = sendable(message.content)
        assistant = message.role == "assistant"
        if words.strip():
            parts.append(kinds.TextPart(words) if assistant else kinds.UserPromptPart(words))
        parts += [
            kinds.ToolCallPart(tool_name=one.name, args=dict(one.arguments), tool_call_id=one.id)
            for one in message.calls
        ]
        if parts:
            sent.append(kinds.ModelResponse(parts=parts) if assistant else kinds.ModelRequest(parts=parts))
    return sent


def tools_of(library: Library, request: ModelRequest) -> list[Any]:
    """What may be looked up."""
    return [
        library.tools.ToolDefinition(
            name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters)
        )
        for tool in request.tools
    ]


def calls_of(response: Any, request: ModelRequest) -> Sequence[ToolCall]:
    """What a model wants to look up."""
    parts = response.parts if response is not None else ()
    calls = [called(p.tool_call_id, p.tool_name, p.args) for p in parts if p.part_kind == "tool-call"]
    return [call for call in calls if call.name in offered(request)]
