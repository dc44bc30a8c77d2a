"""Routes of which FastAPI prepares nothing: what makes one, and what does not."""

from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.openapi.models import HTTPBearer
from fastapi.testclient import TestClient

from softrail.api.asking import Asked, OwnIdentity
from softrail.api.direct import DirectRoute
from softrail.core.people import Person

ADA = Person(id="ada", email="ada@example.org")


class Known(OwnIdentity):
    """Everybody is Ada."""

    def __init__(self) -> None:
        self.model, self.scheme_name = HTTPBearer(), "Known"

    async def __call__(self, request: Request) -> Person:
        return ADA


async def allowed(_: Request, person: Any) -> Person:
    return ADA if isinstance(person, Person) else Person(id="other", email="other@example.org")


def prepared(endpoint: Any) -> bool:
    """FastAPI looks for what the endpoint takes."""
    route = DirectRoute("/", endpoint, methods=["POST"])
    return "get_request_handler" in route.handler().__qualname__


def test_an_endpoint_that_takes_the_request_and_one_of_our_own_identities_is_called_at_once() -> None:
    async def told(request: Request, person: Annotated[Person, Depends(Asked(Known(), allowed))]) -> Response:
        return Response(f"{request.method} {person.email}")

    assert not prepared(told)
    app = FastAPI()
    app.router.routes.append(DirectRoute("/", told, methods=["POST"]))
    assert TestClient(app).post("/").text == "POST ada@example.org"
    assert app.openapi()["paths"]["/"]["post"]["security"] == [{"Known": []}]


def test_what_takes_or_gives_anything_else_is_prepared_by_fastapi() -> None:
    async def team() -> Person:
        return ADA

    async def of_a_team(request: Request, person: Annotated[Person, Depends(team)]) -> Response:
        return Response()

    async def with_a_limit(
        request: Request, person: Annotated[Person, Depends(Asked(Known(), allowed))], limit: int = 3
    ) -> Response:
        return Response()

    async def of_a_value(
        request: Request, person: Annotated[Person, Depends(Asked(Known(), allowed))]
    ) -> dict[str, str]:
        return {}

    assert all(prepared(endpoint) for endpoint in (of_a_team, with_a_limit, of_a_value))
