"""The OpenAPI document with a name for every body and every event of a stream, for clients that are made from it."""

from collections.abc import Sequence
from typing import Any, Final, Literal

from fastapi import FastAPI
from pydantic import BaseModel, Field, create_model
from pydantic.json_schema import models_json_schema

from softrail.api.failures import ErrorBody
from softrail.api.schemas import Described, Move, ProgressView, TurnItem
from softrail.core.decisions import TransitionView
from softrail.core.turns import SideEffect

_REF: Final = "#/components/schemas/{model}"
_TURN: Final = ("/converse/stream", "post")
_SESSION: Final = ("/sessions/{session_id}/events", "get")


class TurnAccepted(Described):
    """The turn is written down, and has its number."""

    session_id: str
    turn_id: str
    seq: int


class IntentClassified(Described):
    """What the message was taken for, where no process owned it."""

    intent: str | None
    confidence: float | None
    tier: str | None


class TextDelta(Described):
    """A further piece of the words."""

    text: str


class SessionMove(Move):
    """A move of a process in the session."""

    process: str
    instance_id: str


class Far(ProgressView):
    """How far something is that goes on while the conversation does."""

    process: str = Field(description="The process, or the kind of work.")
    run_id: str


class TextSaid(Described):
    """A whole text of a turn, said before the turn is over."""

    turn_id: str
    seq: int
    text: str


class TurnSuperseded(Described):
    """What was sent so far is void."""

    turn_id: str


def describe(app: FastAPI, reply: type[BaseModel]) -> None:
    """Have the application describe itself with these names; `reply` has the fields of plugins."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = plain()
            schemas = found.setdefault("components", {}).setdefault("schemas", {})
            _name_bodies(found["paths"], schemas)
            for (path, method), events in _streams(reply).items():
                if path in found["paths"]:
                    answer = found["paths"][path][method]["responses"]["200"]
                    answer["content"] = {"text/event-stream": _name_events(events, schemas)}
        return plain()

    app.openapi = openapi  # type: ignore[method-assign] # as FastAPI's own pages on it do


def _name_bodies(paths: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Bodies that an endpoint reads by itself stand under their names, once each."""
    for route in paths.values():
        for operation in route.values():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            title = body.get("schema", {}).get("title")
            if title is not None:
                schemas.setdefault(title, body["schema"])
                body["schema"] = {"$ref": _REF.format(model=title)}


def _name_events(events: Sequence[type[BaseModel]], schemas: dict[str, Any]) -> dict[str, Any]:
    _, made = models_json_schema([(event, "serialization") for event in events], ref_template=_REF)
    for name, schema in made.get("$defs", {}).items():
        schemas.setdefault(name, schema)
    return {"schema": {"oneOf": [{"$ref": _REF.format(model=event.__name__)} for event in events]}}


def _streams(reply: type[BaseModel]) -> dict[tuple[str, str], list[type[BaseModel]]]:
    """Each event of each stream: its name, its data as JSON, and its id where it has one."""
    turn: dict[str, tuple[str, type]] = {
        "TurnAcceptedEvent": ("turn.accepted", TurnAccepted),
        "ProcessTransitionEvent": ("process.transition", TransitionView),
        "IntentClassifiedEvent": ("intent.classified", IntentClassified),
        "TextDeltaEvent": ("text.delta", TextDelta),
        "SideEffectEvent": ("side_effect", SideEffect),
        "TurnCommittedEvent": ("turn.committed", reply),
        "TurnSupersededEvent": ("turn.superseded", TurnSuperseded),
        "ErrorEvent": ("error", ErrorBody),
    }
    session: dict[str, tuple[str, type]] = {
        "SessionItemEvent": ("item", TurnItem),
        "SessionTransitionEvent": ("process.transition", SessionMove),
        "SessionProgressEvent": ("process.progress", Far),
        "SessionTextEvent": ("text.said", TextSaid),
        "SessionErrorEvent": ("error", ErrorBody),
    }
    return {
        _TURN: [_event(title, name, data, "a turn's") for title, (name, data) in turn.items()],
        _SESSION: [_event(title, name, data, "a session's") for title, (name, data) in session.items()],
    }


def _event(title: str, name: str, data: type, whose: str) -> type[BaseModel]:
    fields: dict[str, Any] = {
        "event": (Literal[name], ...),
        "data": (data, Field(description="As JSON text.")),
        "id": (str | None, None),
    }
    return create_model(title, __doc__=f"`{name}` of {whose} stream.", **fields)
