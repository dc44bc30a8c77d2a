"""The OpenAPI document: true, complete, and no request made from it breaks the server."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from schemathesis import checks, openapi
from starlette.types import Receive, Scope, Send

from softrail.api import create_app
from softrail.api.schemas import TurnBody
from softrail.bootstrap import build
from softrail.classifier import PlainClassifier
from softrail.core.border import LONGEST_MESSAGE, LONGEST_TURN_ID
from softrail.core.turns import Request
from tests.integration.api_server import CheckIn, Served, served, settings
from tests.integration.companion_server import memory


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


def test_the_documented_body_of_a_turn_is_the_one_that_is_read() -> None:
    assert set(TurnBody.model_fields) == set(Request.model_fields)
    schema = TurnBody.model_json_schema()["properties"]
    assert schema["message"]["maxLength"] == LONGEST_MESSAGE
    assert schema["turn_id"]["anyOf"][0]["maxLength"] == LONGEST_TURN_ID


def test_every_route_documents_its_errors_and_who_may_ask(server: Served) -> None:
    document = server.client.get("/openapi.json").json()
    open_routes = {"/healthz", "/readyz"}

    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation["summary"], where
            if path in open_routes:
                continue
            assert operation["security"] == [{"AccessKey": []}], where
            refused = (
                "404" if path.startswith("/inspect") else "401"
            )  # for whoever may not look nothing is there
            assert {refused, "429", "503"} <= operation["responses"].keys(), where
    reply = document["components"]["schemas"]["Reply"]["properties"]
    assert {"companion_message", "pending", "decision_id"} <= reply.keys()


class EachTimeNew:
    """A new application for every start, as the fuzzer starts and stops one for every request."""

    def __init__(self) -> None:
        self._app = self._made()

    def _made(self) -> FastAPI:
        chosen = settings(hosts=("testserver",))  # as the fuzzer calls it
        return create_app(
            build(chosen, store=memory(), processes=[CheckIn], classifier=PlainClassifier()), chosen
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            self._app = self._made()
        await self._app(scope, receive, send)


schema = openapi.from_asgi("/openapi.json", EachTimeNew())


@schema.exclude(path="/sessions/{session_id}/events").parametrize()
@hypothesis_settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_made_from_the_document_breaks_the_server(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(
        checks=[checks.not_a_server_error, checks.content_type_conformance, checks.status_code_conformance]
    )


def test_every_body_and_every_event_of_a_stream_has_a_name() -> None:
    with served() as server:
        document = server.client.get("/openapi.json").json()

        schemas, paths = document["components"]["schemas"], document["paths"]
        body = paths["/converse"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert body == {"$ref": "#/components/schemas/TurnBody"}

        def events(operation: dict[str, Any]) -> list[str]:
            told = operation["responses"]["200"]["content"]["text/event-stream"]["schema"]["oneOf"]
            names = [one["$ref"].rpartition("/")[2] for one in told]
            return [schemas[name]["properties"]["event"]["const"] for name in names]

        assert events(paths["/converse/stream"]["post"]) == [
            *("turn.accepted", "process.transition", "intent.classified", "text.delta", "side_effect"),
            *("turn.committed", "turn.superseded", "error"),
        ]
        assert events(paths["/sessions/{session_id}/events"]["get"]) == [
            *("item", "process.transition", "process.progress", "text.said", "error"),
        ]
        references = set(re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', json.dumps(document)))
        assert references <= set(schemas)
        assert '"#/$defs' not in json.dumps(document)
