"""What may come in: bodies are read and checked here, the same for every database behind."""

import json
from typing import Annotated, Any, Final, TypeVar

from fastapi import Header, Request
from pydantic import BaseModel, ValidationError

from softrail.api.failures import TooLarge, refused
from softrail.core.border import checked, is_id, unusable
from softrail.core.errors import BadRequest, NotFound
from softrail.core.turns import Request as TurnRequest

Body = TypeVar("Body", bound=BaseModel)
_KEY: Final = "Idempotency-Key"
_THE_KEY: Final = "The same as `turn_id`; sending both with different values is refused."
IdempotencyKey = Annotated[str | None, Header(alias=_KEY, description=_THE_KEY)]

#: The same in words of OpenAPI, for an endpoint that takes it from the request itself, which is a hundred calls shorter.
KEY_PARAMETER: Final[dict[str, Any]] = {
    "name": _KEY,
    "in": "header",
    "required": False,
    "schema": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": _THE_KEY, "title": _KEY},
    "description": _THE_KEY,
}


async def read(request: Request, limit: int) -> bytes:
    """The whole body. Raises TooLarge as soon as more has come than `limit`, whatever the headers claim."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length[:20]) > limit:
        raise too_large(limit)
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise too_large(limit)
        pieces.append(piece)
    return b"".join(pieces)


def too_large(limit: int) -> TooLarge:
    """The refusal of a body that is larger than may come in."""
    return TooLarge(f"The body is over the limit of {limit} bytes.", limit=limit)


async def read_json(request: Request, model: type[Body], limit: int) -> Body:
    """The body as `model`. Raises BadRequest that names the field, never the value."""
    json_only(request)
    return parse(await read(request, limit), model)


def json_only(request: Request) -> None:
    """Raises BadRequest for a body that does not say it is JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        # A page of another origin can send a form or plain text without being asked; JSON it cannot.
        raise BadRequest("Send JSON, with the header Content-Type: application/json.", field="Content-Type")


def parse(raw: bytes, model: type[Body]) -> Body:
    """JSON text as `model`."""
    try:
        body = model.model_validate_json(raw)
        _NAMES.decode(raw.decode())
        return body
    except ValidationError as error:
        found: list[dict[str, Any]] = [
            dict(e) for e in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        raise refused(found) from None
    except RecursionError:
        raise BadRequest("The body is nested too deep.") from None


def _each_once(pairs: list[tuple[str, Any]]) -> None:
    """Raises BadRequest when a name stands there twice: which of the two is meant is not ours to guess."""
    names = set[str]()
    for name, _ in pairs:
        if name in names:
            raise unusable(name[:100], "it is there more than once")
        names.add(name)


#: Made once: `json.loads` makes a new one for every call that asks for anything unusual.
_NAMES: Final = json.JSONDecoder(object_pairs_hook=_each_once, parse_int=str)


def idempotency_key_of(request: Request) -> str | None:
    """The header, as it came."""
    return request.headers.get(_KEY)


def settled(request: TurnRequest, idempotency_key: str | None) -> TurnRequest:
    """The turn as it will be stored: checked, its id taken from the field or the header."""
    if idempotency_key is not None and idempotency_key != request.turn_id:
        if request.turn_id is not None:
            raise unusable("turn_id", "it differs from the header Idempotency-Key")
        request = request.model_copy(update={"turn_id": idempotency_key})
    return checked(request)


def known_id(text: str) -> str:
    """An id from a path; what cannot be one is answered like one that does not exist."""
    if not is_id(text):
        raise NotFound()
    return text


def bad_cursor() -> BadRequest:
    """The refusal of a `before` that no page of this list gave."""
    return unusable("before", "it is the `next` of no page of this list")


def clean_text(name: str, text: str, longest: int) -> str:
    """A short text that a person gave, without outer space."""
    text = text.strip()
    if not text or len(text) > longest or not text.isprintable():
        raise unusable(name, f"it must have 1 to {longest} printable characters")
    return text
