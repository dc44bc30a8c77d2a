"""`POST /converse` and its stream: the same turn, answered at once or as it happens."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Request, Response
from pydantic_core import to_json

from softrail.api.border import KEY_PARAMETER, IdempotencyKey, idempotency_key_of, read_json, settled
from softrail.api.events import Event, EventStream
from softrail.api.failures import ErrorView
from softrail.api.parts import Parts
from softrail.api.schemas import TurnBody, requests
from softrail.core.errors import BadRequest, SoftrailError
from softrail.core.people import Person
from softrail.core.turns import Request as TurnRequest
from softrail.turns.running import RunningTurn

COMMITTED: Final = "turn.committed"
LastEventId = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        description="The id of the last event that arrived; only what came after it is sent.",
    ),
]


class Stream:
    """The events of a turn for one client, from where it left off."""

    def __init__(self, run: RunningTurn, after: int) -> None:
        self._run = run
        self._after = after

    async def events(self) -> AsyncGenerator[Event, None]:
        """Every event after the client's last; ends with the whole reply, or with what went wrong."""
        last, committed = 0, False
        async for event in self._run.log.after(0):
            last, committed = event.id, event.name == COMMITTED
            if event.id > self._after:
                yield Event(event.name, _json(event.data), id=str(event.id))
        if committed and self._after <= last:
            return
        try:
            reply = await self._run.result()
        except SoftrailError as error:
            view = ErrorView(code=error.code, message=error.message, details=error.details)
            yield Event("error", _json({"error": view.model_dump()}))
        else:
            # It was answered before this stream began: the whole, once.
            yield Event(COMMITTED, reply, id=str(max(last, self._after) + 1))


def converse(parts: Parts) -> APIRouter:
    """The routes of a turn."""
    router = parts.router("Turns", 404, 413, 422)
    streams = parts.router("Turns", 404, 413, 422, of_stream=True)
    dispatcher = parts.dispatcher

    @router.post(
        "/converse",
        summary="Say something",
        response_model=parts.reply,
        openapi_extra=requests(TurnBody, KEY_PARAMETER),
    )
    async def post_turn(request: Request, person: Annotated[Person, parts.person]) -> Response:
        """One turn. With a `turn_id` it is safe to send again: the reply is the same, byte for byte."""
        body = await read_json(request, TurnRequest, parts.body_limit)
        turn = settled(body, idempotency_key_of(request))
        await dispatcher.check_value(turn, person)
        return Response(await dispatcher.converse(turn, person), media_type="application/json")

    async def started(
        request: Request,
        person: Annotated[Person, parts.person],
        idempotency_key: IdempotencyKey = None,
        last_event_id: LastEventId = None,
    ) -> Stream:
        """The turn's stream, once the turn is durable; errors before that are ordinary responses."""
        turn = settled(await read_json(request, TurnRequest, parts.body_limit), idempotency_key)
        after = event_number(last_event_id)
        if after is not None and turn.turn_id is None:
            raise BadRequest("To go on with a stream, send the turn_id of its turn again.", field="turn_id")
        run = None if after is None else await still_here(turn, person)
        if run is None:
            await dispatcher.check_value(turn, person)
            run = dispatcher.submit(turn, person, streaming=True)
            await run.accepted()
        return Stream(run, after or 0)

    async def still_here(turn: TurnRequest, person: Person) -> RunningTurn | None:
        """The stream of that very turn on this worker, if the person may see it now as they might then."""
        run = dispatcher.running(person.id, turn.turn_id or "")
        if run is None or run.request.hash != turn.hash:
            return None
        await dispatcher.admit(turn, person)
        return run if await parts.store.session(person.id, run.session_id) is not None else None

    @streams.post(
        "/converse/stream",
        summary="Say something and watch",
        response_class=EventStream,
        status_code=200,
        openapi_extra=requests(TurnBody),
    )
    async def stream_turn(request: Request, stream: Annotated[Stream, Depends(started)]) -> Response:
        """The same turn as server-sent events.

        `turn.accepted`, `process.transition`, `intent.classified`, `text.delta`, `side_effect`, `turn.committed`
        (the whole reply) and `turn.superseded` (what was sent so far is void); `error` in place of the reply when
        the turn could not be answered here. Leaving does not stop the turn.
        Send the same request again with `Last-Event-ID` for the rest.
        """
        return EventStream(stream.events(), follow=parts.follow(request))

    router.routes.extend(streams.routes)
    return router


def event_number(last_event_id: str | None) -> int | None:
    """The number a client gives back; None when it gives none."""
    if last_event_id is None or last_event_id == "":
        return None
    if not (last_event_id.isascii() and last_event_id.isdigit() and len(last_event_id) <= 15):
        raise BadRequest("Last-Event-ID must be the id of an event, a number.", field="Last-Event-ID")
    return int(last_event_id)


def _json(data: Any) -> str:
    return to_json(data).decode("utf-8")
