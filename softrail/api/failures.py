"""The one table from errors to HTTP statuses, and the one shape an error has outside."""

import logging
import math
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from pydantic_core import to_json
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import compile_path, get_name

from softrail.api.origins import make_safe
from softrail.core.errors import (
    BadRequest,
    ConversationError,
    Forbidden,
    ModelKeysOff,
    NotFound,
    ServiceError,
    SoftrailError,
    TokensOff,
    TooManySandboxes,
    TooManyTurns,
    TurnReused,
    UnknownIntent,
    UnknownProcess,
    UnknownSignal,
)

log = logging.getLogger(__name__)


class Unauthorized(SoftrailError):
    """No credentials, or bad ones; which of the two is not told."""

    code = "unauthorized"


class TokenExpired(Unauthorized):
    """The token was good, and is over: whoever has it asks for a new one."""

    code = "token_expired"


class WrongHost(SoftrailError):
    """The request names a host that is none of this server's."""

    code = "wrong_host"


class TooLarge(SoftrailError):
    """The body is over the limit."""

    code = "too_large"


class TooMany(ServiceError):
    """This person has asked too often in the last minute."""

    code = "too_many_requests"

    def __init__(self, message: str, *, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


#: The first class in this order that an error is an instance of gives its status.
STATUSES: Final[Mapping[type[SoftrailError], int]] = {
    Unauthorized: 401,
    Forbidden: 403,
    NotFound: 404,
    UnknownProcess: 404,
    ModelKeysOff: 409,
    TokensOff: 409,
    TooManySandboxes: 409,
    TooLarge: 413,
    WrongHost: 421,
    TurnReused: 422,
    UnknownIntent: 422,
    UnknownSignal: 422,
    BadRequest: 422,
    ConversationError: 422,
    TooMany: 429,
    TooManyTurns: 429,
    ServiceError: 503,  # SessionBusy, StoreUnavailable, ModelUnavailable, NotReady, Stopping
}

_PLAIN: Final = {
    400: ("bad_request", "The request cannot be read."),
    401: ("unauthorized", ""),  # "": the words of whoever raised it
    403: ("forbidden", ""),
    404: ("not_found", "There is no such thing here."),
    405: ("method_not_allowed", "This address does not take that method."),
    413: ("too_large", "The body is over the limit."),
}


class ErrorView(BaseModel):
    """What went wrong, for programs (`code`, `details`) and for people (`message`)."""

    code: str = Field(examples=["not_found"])
    message: str = Field(examples=["There is no such thing here."])
    details: dict[str, Any] = Field(default_factory=dict)


class ErrorBody(BaseModel):
    """The body of every error."""

    error: ErrorView


_MEANINGS: Final = {
    401: "No credentials, or bad ones",
    403: "You may see it, but not change it",
    404: "No such thing, or it is not yours",
    409: "This server is not set up for it, or has as many as it may",
    413: "The body is over the limit",
    422: "A field is not usable; `details.fields` tells of each its path (`field`) and why (`reason`)",
    429: "Too many requests; see Retry-After",
    503: "Not now; see Retry-After",
}


def documented(*statuses: int, of_stream: bool = False) -> dict[int | str, dict[str, Any]]:
    """Those errors as OpenAPI describes them; `of_stream`: of a route that otherwise answers with events.

    The first brings the shape with it, and the others name it: FastAPI builds what reads a model anew for every
    response that has one, which was most of the time an application took to be made.
    """
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{ErrorBody.__name__}"}}}
    found: dict[int | str, dict[str, Any]] = {
        status: {"content": content, "description": _MEANINGS[status]} for status in statuses
    }
    if not of_stream:
        found[statuses[0]] = {"model": ErrorBody, "description": _MEANINGS[statuses[0]]}
    return found


def status_of(error: SoftrailError) -> int:
    """Its status; 500 for what should never reach a client."""
    return next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 500)


def body_of(code: str, message: str, details: Mapping[str, Any] | None = None) -> bytes:
    """The body of an error."""
    return to_json({"error": {"code": code, "message": message, "details": dict(details or {})}})


def answer(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> Response:
    """An error as a response."""
    return Response(body, status_code=status, media_type="application/json", headers=dict(headers or {}))


def response_to(error: SoftrailError) -> Response:
    """What a client gets for an error of ours."""
    status = status_of(error)
    if status == 500:
        return unexpected(error)
    if isinstance(error, NotFound):
        error = NotFound()  # what is not yours and what does not exist are one and the same answer
    headers = {}
    if isinstance(error, ServiceError):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return answer(status, body_of(error.code, error.message, error.details), headers)


def unexpected(error: BaseException) -> Response:
    """A fault of ours: the log gets everything under an id, the client only the id."""
    fault = secrets.token_hex(6)
    log.error("Unexpected error %s", fault, exc_info=error)
    return answer(500, body_of("internal", "Something went wrong on our side.", {"fault": fault}))


def refused(errors: list[dict[str, Any]]) -> BadRequest:
    """Pydantic's errors as one of ours."""
    message, fields = _sentence(errors)
    return BadRequest(message, fields=fields)


def _sentence(errors: list[dict[str, Any]]) -> tuple[str, list[dict[str, str]]]:
    fields = []
    for error in errors[:20]:
        where = [str(part) for part in error["loc"]]
        reason = str(error["msg"]).removeprefix("Value error, ")
        fields.append({"field": ".".join(where)[:100], "reason": reason[:300]})
    first = fields[0]
    if errors[0]["type"] == "json_invalid":
        return f"The body is no usable JSON. {first['reason']}.", []
    if errors[0]["type"] == "extra_forbidden":
        return f"There is no field {first['field']!r} here.", fields
    name = f"The field {first['field']!r}" if first["field"] else "The request"
    return f"{name} is not usable: {first['reason']}.", fields


def _named(loc: Sequence[Any]) -> Sequence[Any]:
    """The parameter as the client named it: without where it stands, and without which of its values it is."""
    where, *name = loc
    return name if where == "body" else name[:1]


def plain_response(error: StarletteHTTPException) -> Response:
    """An error of the framework itself, or one that a team's own identity dependency raised."""
    code, message = _PLAIN.get(error.status_code, ("error", ""))
    return answer(error.status_code, body_of(code, message or str(error.detail)), error.headers)


class SoftrailRoute(APIRoute):
    """A route whose errors have our shape, and whose answers are safe in a browser, also in an application that is not ours.

    What FastAPI makes of its endpoint (validators, dependencies, the form of the answer) is worked out when it is first
    asked for: a server has dozens of routes, that work was most of its start, and many a route is never called.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **given: Any) -> None:
        self._given = (endpoint, given)
        self.path, self.name = path, given.get("name") or get_name(endpoint)
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.methods = {method.upper() for method in given.get("methods") or ["GET"]}

    def __getattr__(self, name: str) -> Any:
        given = self.__dict__.pop("_given", None)
        if given is None:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}.")
        endpoint, options = given
        super().__init__(self.path, endpoint, **options)
        return getattr(self, name)

    def handler(self) -> Callable[[Request], Awaitable[Response]]:
        """What answers a request, or raises: FastAPI, which prepares what the endpoint takes."""
        return super().get_route_handler()

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with errors turned into responses, and all of them made safe."""
        handle = self.handler()

        async def guarded(request: Request) -> Response:
            try:
                return await handle(request)
            except SoftrailError as error:
                return response_to(error)
            except RequestValidationError as error:
                return response_to(refused([{**e, "loc": _named(e["loc"])} for e in error.errors()]))
            except StarletteHTTPException as error:
                return plain_response(error)
            except ClientDisconnect:
                return Response(status_code=400)  # nobody is there to read it, and nothing went wrong
            except Exception as error:
                return unexpected(error)

        async def safe(request: Request) -> Response:
            answer = await guarded(request)
            make_safe(answer.headers)  # before it is sent: a stream begins with its headers
            return answer

        return safe
