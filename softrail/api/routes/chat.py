"""`POST /api/chat`: the door for `useChat` and whatever else speaks the AI SDK's UI message stream."""

from collections.abc import AsyncGenerator, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic_core import to_json

from softrail.api.border import read_json
from softrail.api.events import Event, EventStream
from softrail.api.parts import Parts
from softrail.api.protocols.telling import reply_id
from softrail.api.protocols.thread import Thread, lacking
from softrail.api.protocols.turns import Turns
from softrail.api.protocols.ui_messages import DONE, HEADERS, Answer, Part
from softrail.api.protocols.words import Said, extras, inline
from softrail.api.routes.sessions import item_view
from softrail.api.schemas import requests
from softrail.core.commits import Item
from softrail.core.errors import BadRequest
from softrail.core.people import Person


class UIMessage(BaseModel):
    """A message as the AI SDK keeps it; only the person's own are read."""

    model_config = ConfigDict(extra="ignore")

    id: str
    role: str
    parts: list[dict[str, Any]] = Field(default_factory=list)

    def said(self) -> Said:
        """What the person said with it. Raises BadRequest for a file that is not within it."""
        texts = [str(part.get("text", "")) for part in self.parts if part.get("type") == "text"]
        files = [
            inline(str(part.get("filename") or f"file-{n}"), str(part.get("url", "")), "messages")
            for n, part in enumerate(self.parts, 1)
            if part.get("type") == "file"
        ]
        return Said(self.id, "\n\n".join(text for text in texts if text.strip()), files)


EXAMPLE: dict[str, Any] = {
    "id": "chat-1",
    "messages": [{"id": "m1", "role": "user", "parts": [{"type": "text", "text": "let's do my standup"}]}],
}


class ChatBody(BaseModel):
    """What `useChat` sends."""

    model_config = ConfigDict(extra="ignore", json_schema_extra={"examples": [EXAMPLE]})

    id: str = Field(
        description="The chat: a session of yours, or any id of your own, which then is a session of yours."
    )
    messages: Annotated[list[UIMessage], WithJsonSchema({"type": "array", "items": {"type": "object"}})] = (
        Field(
            description="Those after the last answer that were not said yet are said, in order; the rest is only looked at."
        )
    )
    softrail: dict[str, Any] | None = Field(
        default=None,
        description="`project_id`, `intent_hint`, `answers` and `value`, as in `POST /converse`.",
    )


class Chat:
    """One answer to a client, begun and on its way."""

    def __init__(self, turns: Turns, missed: Sequence[Item]) -> None:
        self._turns = turns
        self._missed = missed

    async def events(self) -> AsyncGenerator[Event, None]:
        """The parts, then the end mark."""
        turns = self._turns
        answer = Answer(reply_id(turns.ids[-1]) if turns.ids else None)
        for part in answer.begin([item_view(item).model_dump(mode="json") for item in self._missed]):
            yield _event(part)
        async for turn_id, told in turns.told():
            for part in answer.of(told, turn_id):
                yield _event(part)
        if not answer.failed:
            for part in answer.finish(await turns.state()):
                yield _event(part)
        yield Event("", DONE)


#: What ends a stream whose access was taken back.
_OVER = Event("", to_json({"type": "error", "errorText": "The access was taken back."}).decode())


def _event(part: Part) -> Event:
    return Event("", to_json(part).decode())


def chat(parts: Parts) -> APIRouter:
    """The routes of the AI SDK."""
    router = parts.router("Protocols", 404, 413, 422, of_stream=True)

    async def begun(request: Request, person: Annotated[Person, parts.person]) -> Chat:
        """The answer, once its first turn is durable; errors before that are ordinary responses."""
        body = await read_json(request, ChatBody, parts.door_limit)
        thread = await Thread.of(parts, person, body.id)
        turns = Turns(parts, person, thread)
        said = unanswered(body.messages)
        new = await thread.requests(said, extras(body.softrail, "softrail")) if said else []
        if not new:
            turns.go_on()
        transcript = await thread.transcript(said)
        await turns.begin(new)
        known = {message.id for message in body.messages}
        known |= {transcript.id_of(i) for i in transcript.items if _is_answer_to(i, known, transcript.called)}
        return Chat(turns, lacking(transcript, known, running=set(turns.ids)))

    @router.post(
        "/api/chat",
        summary="Say something with the AI SDK",
        response_class=EventStream,
        status_code=200,
        openapi_extra=requests(ChatBody),
    )
    async def post_chat(request: Request, answer: Annotated[Chat, Depends(begun)]) -> Response:
        """The turn as a UI message stream. Leaving does not stop it; `POST /sessions/{id}/cancel` does."""
        return EventStream(answer.events(), follow=parts.follow(request), over=_OVER, headers=HEADERS)

    @router.get(
        "/api/chat/{chat_id}/stream",
        summary="Go on with a stream of the AI SDK",
        response_class=EventStream,
        status_code=200,
        responses={204: {"description": "Nothing runs there"}},
    )
    async def resume_chat(
        request: Request,
        chat_id: Annotated[str, Path(description="The chat.")],
        person: Annotated[Person, parts.person],
    ) -> Response:
        """The turn that runs in the chat on this worker, from its beginning; 204 where none does."""
        turns = Turns(parts, person, await Thread.of(parts, person, chat_id))
        if not turns.go_on():
            return Response(status_code=204)
        answer = Chat(turns, ())
        return EventStream(answer.events(), follow=parts.follow(request), over=_OVER, headers=HEADERS)

    return router


def unanswered(messages: Sequence[UIMessage]) -> list[Said]:
    """What the person said after the last answer. Raises BadRequest for a message that says nothing."""
    last = max((n for n, one in enumerate(messages) if one.role == "assistant"), default=-1)
    said = [one.said() for one in messages[last + 1 :] if one.role == "user"]
    if any(not one.text and not one.files for one in said):
        raise BadRequest("A message says nothing: it has no text and no file.", field="messages")
    return said


def _is_answer_to(item: Item, known: set[str], called: Any) -> bool:
    """The answer to a message that the client has: it stands in a message of the client's own making."""
    return item.role == "companion" and called.get(item.turn_id, item.turn_id) in known
