"""`POST /agui`: the door for AG-UI clients, such as CopilotKit and assistant-ui."""

from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Depends, Request, Response
from pydantic_core import to_json

from softrail.api.border import json_only, read
from softrail.api.events import Event, EventStream
from softrail.api.parts import Parts
from softrail.core.people import Person

if TYPE_CHECKING:
    from softrail.api.protocols.agui_door import Door

#: What ends a stream whose access was taken back.
_OVER: Final = Event(
    "",
    to_json({"type": "RUN_ERROR", "code": "unauthorized", "message": "The access was taken back."}).decode(),
)
BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "description": "The `RunAgentInput` of AG-UI 1.0.",
                    "required": ["threadId", "runId", "messages"],
                    "properties": {
                        "threadId": {"type": "string", "maxLength": 128},
                        "runId": {"type": "string"},
                        "messages": {"type": "array", "items": {"type": "object"}},
                        "forwardedProps": {"type": "object"},
                        "resume": {"type": "array", "items": {"type": "object"}},
                    },
                    "examples": [
                        {
                            "threadId": "thread-1",
                            "runId": "run-1",
                            "messages": [{"id": "m1", "role": "user", "content": "let's do my standup"}],
                        }
                    ],
                }
            }
        },
    }
}


def agui(parts: Parts) -> APIRouter:
    """The routes of AG-UI. Its package is loaded when it is first needed."""
    router = parts.router("Protocols", 404, 413, 422)
    streams = parts.router("Protocols", 404, 413, 422, of_stream=True)

    @router.get("/agui", summary="What an AG-UI client may expect")
    async def get_capabilities(_: Annotated[Person, parts.person]) -> dict[str, Any]:
        """The `AgentCapabilities` of the protocol."""
        from softrail.api.protocols.agui_door import capabilities

        return capabilities()

    async def begun(request: Request, person: Annotated[Person, parts.person]) -> "Door":
        """The run, once its first turn is durable; errors before that are ordinary responses."""
        json_only(request)
        raw = await read(request, parts.door_limit)
        from softrail.api.protocols.agui_door import Door

        return await Door.begun(parts, person, raw)

    @streams.post(
        "/agui",
        summary="Say something with AG-UI",
        response_class=EventStream,
        status_code=200,
        openapi_extra=BODY,
    )
    async def post_run(request: Request, door: Annotated[Any, Depends(begun)]) -> Response:
        """A run as AG-UI's events. Leaving does not stop its turn; `POST /sessions/{id}/cancel` does.

        With nothing new to say it brings the client up to date: what was said, the state, the rest of a turn that runs.
        """
        return EventStream(door.events(), follow=parts.follow(request), over=_OVER)

    router.routes.extend(streams.routes)
    return router
