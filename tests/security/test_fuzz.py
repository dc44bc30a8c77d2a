"""Sequences of requests made from the OpenAPI document, over a real connection: nothing breaks, leaks or outlives its end."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy  # noqa: F401 - Hypothesis looks at it, and the server in its thread may be half way through importing it
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from hypothesis.errors import FlakyStrategyDefinition
from hypothesis.stateful import run_state_machine_as_test
from schemathesis import checks, openapi

from softrail.api import create_app
from softrail.bootstrap import build
from softrail.classifier import PlainClassifier
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.keys import hash_key, new_key
from tests.integration.api_server import settings
from tests.integration.companion_server import founded, memory
from tests.security.kit import new_id

KEY = new_key()
#: `DELETE /me` ends the key that all other requests need; a stream of events does not end.
#: The one project that everybody starts with stays: a run that is repeated finds what the first one found.
LEFT_OUT = {"DELETE": ["/me", "/projects/{project_id}"], "GET": ["/sessions/{session_id}/events"]}


@contextmanager
def listening() -> Iterator[str]:
    """The application on a port of this machine, with one access key; its address."""
    store, chosen = memory(), settings()

    async def give() -> None:
        await store.start()
        ada = await store.ensure_person("ada@example.org", id=new_id(), at=now())
        hashed = hash_key(KEY)
        await store.add_key(AccessKey(id=new_id(), person_id=ada.id, name="k", hash=hashed, created_at=now()))
        await founded(store, ada, specification="# Harbor", notes=["The water is deep."])

    asyncio.run(give())
    app = create_app(build(chosen, store=store, classifier=PlainClassifier()), chosen)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def test_no_sequence_of_requests_breaks_the_server_or_uses_what_is_gone() -> None:
    asked: list[tuple[str, int]] = []
    ended = {"DELETE /sessions/{session_id}", "GET /projects/{project_id}"}
    with listening() as address:
        schema: schemathesis.BaseSchema = openapi.from_url(f"{address}/openapi.json")
        schema.config.update(headers={"Authorization": f"Bearer {KEY}"})
        for method, paths in LEFT_OUT.items():
            schema = schema.exclude(method=method, path=paths)
        # Where ids come from, and go to.
        schema = schema.include(path_regex=r"^/(sessions|projects|converse$)")

        class Sequences(schema.as_state_machine()):  # type: ignore[misc]
            """Requests whose ids come from the answers before."""

            def validate_response(self, response: Any, case: schemathesis.Case[Any], **kwargs: Any) -> None:
                asked.append((f"{case.method} {case.path}", response.status_code))
                case.validate_response(
                    response,
                    headers={"Authorization": f"Bearer {KEY}"},  # ours, and none that was drawn
                    checks=[
                        checks.not_a_server_error,
                        checks.status_code_conformance,
                        checks.content_type_conformance,
                        checks.use_after_free,
                        checks.ignored_auth,
                    ],
                )

        # Few are enough most of the time; the order of paths is not ours to choose.
        for examples in (12, 24, 48, 48, 48, 48):
            # What is drawn next hangs on ids that the server gave: where that differs from one run to the next, it is no
            # finding about the server, and more of them are tried.
            with suppress(FlakyStrategyDefinition):
                run_state_machine_as_test(
                    Sequences,
                    settings=hypothesis_settings(
                        max_examples=examples,
                        stateful_step_count=8,
                        deadline=None,
                        derandomize=True,
                        phases=[Phase.generate],
                        suppress_health_check=list(HealthCheck),
                        database=None,
                    ),
                )
            answered = {route for route, status in asked if status < 300}
            if ended <= answered:
                break
    assert len(asked) >= 50
    assert ended <= answered
