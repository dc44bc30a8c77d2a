"""Every route of the application, as its OpenAPI document tells: what it wants in its path and its body."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.integration.api_server import served
from tests.integration.companion_server import memory

#: Ids of things that belong to somebody; whoever adds one says here what it is.
OWNED = frozenset(
    {
        "project_id",
        "session_id",
        "artifact_id",
        "attachment_id",
        "instance_id",
        "source_id",
        "file_id",
        "fact_id",
    }
)
#: What else stands in a path, with a value that leads to something.
GIVEN: Mapping[str, str] = {
    "number": "1",
    "email": "viewer@example.org",
    "turn_id": "turn-1",
    "name": "standup",
    "chat_id": "chat-1",
}


@dataclass(frozen=True, kw_only=True)
class Route:
    """One method of one path."""

    method: str
    path: str
    places: tuple[str, ...]  #: names in its path
    queries: tuple[str, ...]  #: names of its query parameters
    content: Mapping[str, Any]  #: bodies it takes, by media type

    def __str__(self) -> str:
        """As it stands in the documentation."""
        return f"{self.method} {self.path}"

    @property
    def owned(self) -> tuple[str, ...]:
        """The places in its path that take the id of something somebody owns."""
        return tuple(place for place in self.places if place in OWNED)

    @property
    def lenient(self) -> bool:
        """A protocol of somebody else's says what its body may have besides; what is there is ignored."""
        return self.path in ("/agui", "/api/chat")

    @property
    def keyed(self) -> bool:
        """It is for keys with a right of their own: whoever has none is told that before anything is read."""
        return self.path == "/tokens"

    def url(self, **ids: str) -> str:
        """Its path with these ids in it."""
        known = {**GIVEN, **ids}
        path = self.path
        for place in self.places:
            path = path.replace(f"{{{place}}}", known[place])
        return path

    @property
    def example(self) -> dict[str, Any] | None:
        """The documented example of its JSON body; None when it takes none."""
        told = self.content.get("application/json")
        if told is None:
            return None
        given = told.get("example") or told["schema"]["examples"][0]
        return dict(given)

    @property
    def body(self) -> dict[str, Any]:
        """What to send so that rights decide, and not what is wrong with the body."""
        if self.example is not None:
            return {"json": self.example}
        if "multipart/form-data" not in self.content:
            return {}
        fields = self.content["multipart/form-data"]["schema"]["properties"]
        files = {n: ("a.txt", b"a") for n, field in fields.items() if field.get("format") == "binary"}
        return {"files": files, "data": {n: "words" for n in fields if n not in files}}


@cache
def routes() -> tuple[Route, ...]:
    """All of them, the companion's too, but those of the inspector.

    Whoever may use that may see everything, as in local mode anybody may on the machine itself. That there is nothing
    for everybody else, byte for byte, `tests/integration/test_inspector.py` asks of each.
    """
    with served(store=memory()) as server:
        document = server.client.get("/openapi.json").json()
    return tuple(
        Route(
            method=method.upper(),
            path=path,
            places=tuple(p["name"] for p in told.get("parameters", ()) if p["in"] == "path"),
            queries=tuple(p["name"] for p in told.get("parameters", ()) if p["in"] == "query"),
            content=_whole(told.get("requestBody", {}).get("content", {}), document["components"]["schemas"]),
        )
        for path, methods in document["paths"].items()
        for method, told in methods.items()
        if told["tags"] != ["Inspector"]
    )


def _whole(content: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    """The bodies with the schemas that they name."""
    return {
        kind: {
            **told,
            "schema": schemas.get(told["schema"].get("$ref", "").rpartition("/")[2], told["schema"]),
        }
        for kind, told in content.items()
    }
