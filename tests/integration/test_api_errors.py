"""Every row of the list of errors: the status, the one shape, and nothing done."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from softrail.core.errors import StoreUnavailable
from softrail.core.ports import ModelRequest
from softrail.store import MemoryStore
from tests.integration.api_server import ADA, BOB, Served, served, settings


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


def shape(response: Any) -> dict[str, Any]:
    """The error of a response, after its shape was checked."""
    body = response.json()
    assert list(body) == ["error"]
    assert list(body["error"]) == ["code", "message", "details"]
    assert not any(
        word in response.text for word in ("Traceback", "softrail.", "pydantic", "SELECT", 'File "')
    )
    return dict(body["error"])


BAD_FIELDS = {
    "blank message": {"message": " \n\t "},
    "invisible message": {"message": "\u200b\u2060"},
    "empty message": {"message": ""},
    "no message": {},
    "message too long": {"message": "a" * 16_001},
    "message is a number": {"message": 7},
    "message is null": {"message": None},
    "NUL in the message": {"message": "a\0b"},
    "unknown field": {"message": "hi", "role": "admin"},
    "person_id in the body": {"message": "hi", "person_id": "p1"},
    "seq in the body": {"message": "hi", "seq": 1},
    "project is no uuid": {"message": "hi", "project_id": "atlas"},
    "turn id too long": {"message": "hi", "turn_id": "x" * 129},
    "turn id not printable": {"message": "hi", "turn_id": "a\nb"},
    "turn id empty": {"message": "hi", "turn_id": ""},
    "turn id with NUL": {"message": "hi", "turn_id": "a\0"},
    "hint not printable": {"message": "hi", "intent_hint": "\u0007"},
    "a list": [1],
    "a text": "hi",
}


@pytest.mark.parametrize("body", [pytest.param(b, id=i) for i, b in BAD_FIELDS.items()])
@pytest.mark.parametrize("path", ["/converse", "/converse/stream"])
def test_a_bad_field_is_422_and_stores_nothing(server: Served, path: str, body: Any) -> None:
    response = server.client.post(path, json=body, headers=BOB)

    assert response.status_code == 422
    assert shape(response)["code"] == "bad_request"
    assert server.client.get("/sessions", headers=BOB).json() == {"items": [], "next": None}


def test_the_longest_message_is_taken_and_comes_back_as_sent(server: Served) -> None:
    message = "é😀" * 8_000

    reply = server.say(message)

    [said, _] = server.client.get(f"/sessions/{reply['session_id']}/turns", headers=ADA).json()["items"]
    assert said["content"] == message


def test_the_refused_value_is_not_repeated(server: Served) -> None:
    response = server.client.post("/converse", json={"message": "hi", "secret_word": "hunter2"}, headers=ADA)

    assert shape(response)["details"]["fields"][0]["field"] == "secret_word"
    assert "hunter2" not in response.text


def test_an_unknown_hint_is_422_and_lists_the_known_ones(server: Served) -> None:
    response = server.client.post("/converse", json={"message": "hi", "intent_hint": "nope"}, headers=ADA)

    assert response.status_code == 422
    error = shape(response)
    assert error["code"] == "unknown_intent"
    assert "start_check_in" in error["details"]["known"]


def test_a_reused_turn_id_with_another_body_is_422(server: Served) -> None:
    first = server.say("hello", turn_id="reused")

    again = server.client.post("/converse", json={"message": "bye", "turn_id": "reused"}, headers=ADA)

    assert again.status_code == 422
    assert shape(again)["code"] == "turn_reused"
    items = server.client.get(f"/sessions/{first['session_id']}/turns", headers=ADA).json()["items"]
    assert len(items) == 2


def test_the_same_turn_id_of_another_person_is_another_turn(server: Served) -> None:
    server.say("hello", turn_id="shared")

    other = server.client.post("/converse", json={"message": "secret", "turn_id": "shared"}, headers=BOB)

    assert other.status_code == 200
    assert other.json()["seq"] == 1


def test_a_retry_is_answered_with_the_same_bytes_in_field_or_header(server: Served) -> None:
    body = {"message": "hello", "session_id": server.say("hi")["session_id"]}

    first = server.client.post("/converse", json={**body, "turn_id": "again"}, headers=ADA)
    field = server.client.post("/converse", json={**body, "turn_id": "again"}, headers=ADA)
    header = server.client.post("/converse", json=body, headers={**ADA, "Idempotency-Key": "again"})

    assert first.content == field.content == header.content


def test_a_header_that_differs_from_the_turn_id_is_422(server: Served) -> None:
    response = server.client.post(
        "/converse", json={"message": "hi", "turn_id": "one"}, headers={**ADA, "Idempotency-Key": "two"}
    )

    assert response.status_code == 422


def test_what_is_not_yours_is_answered_like_what_does_not_exist(server: Served) -> None:
    mine = server.say("hello")["session_id"]
    answers = []
    for session_id in (mine, str(uuid4()), "no/such", "\u0000", "x" * 500):
        for body in ({"message": "hi", "session_id": session_id}, {"message": "a", "session_id": session_id}):
            response = server.client.post("/converse", json=body, headers=BOB)
            headers = {k: v for k, v in response.headers.items() if k not in ("date", "x-request-id")}
            answers.append((response.status_code, response.content, tuple(headers.items())))

    assert {status for status, _, _ in answers} == {404}
    assert len(set(answers)) == 1


def test_a_project_that_is_not_yours_is_404_before_anything_else(server: Served) -> None:
    body = {"message": "hi", "project_id": str(uuid4()), "intent_hint": "nope"}

    response = server.client.post("/converse", json=body, headers=BOB)

    assert response.status_code == 404
    assert shape(response)["message"] == "There is no such thing here."


def test_an_unknown_address_and_a_wrong_method_have_the_shape(server: Served) -> None:
    assert shape(server.client.get("/nope"))["code"] == "not_found"
    wrong = server.client.get("/converse")
    assert wrong.status_code == 405
    assert wrong.headers["allow"] == "POST"
    assert shape(wrong)["code"] == "method_not_allowed"
    for method in ("HEAD", "OPTIONS", "TRACE", "PUT"):
        assert server.client.request(method, "/converse").status_code == 405


def test_a_body_that_is_no_json_type_is_422(server: Served) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", None):
        headers = {**ADA, **({"Content-Type": kind} if kind else {})}
        response = server.client.post("/converse", content=b'{"message": "hi"}', headers=headers)
        assert response.status_code == 422, kind
        assert "application/json" in shape(response)["message"]


class Away(MemoryStore):
    """A store whose database is away as soon as `gone` is set."""

    gone = False

    async def load(self, *args: Any, **kwargs: Any) -> Any:
        if self.gone:
            raise StoreUnavailable("The database is locked by another program.")
        return await super().load(*args, **kwargs)

    async def check(self) -> None:
        if self.gone:
            raise StoreUnavailable("The database is locked by another program.")
        await super().check()


def test_a_store_that_is_away_is_503_with_retry_after_and_recovers() -> None:
    store = Away()
    with served(store=store) as server:
        server.say("hello")
        store.gone = True
        for path in ("/converse", "/converse/stream"):
            response = server.client.post(path, json={"message": "hi", "turn_id": "later"}, headers=ADA)
            assert response.status_code == 503
            assert int(response.headers["retry-after"]) >= 1
            assert shape(response)["code"] == "store_unavailable"
        assert server.client.get("/readyz").status_code == 503
        assert server.client.get("/healthz").status_code == 200
        store.gone = False
        assert server.say("hi", turn_id="later")["seq"] == 1


def test_a_stopping_server_is_503_with_retry_after() -> None:
    with served() as server:
        server.dispatcher.stopping = True
        for path in ("/converse", "/converse/stream"):
            response = server.client.post(path, json={"message": "hi"}, headers=ADA)
            assert response.status_code == 503
            assert "retry-after" in response.headers
            assert shape(response)["code"] == "stopping"
        assert server.client.get("/readyz").status_code == 503
        server.dispatcher.stopping = False


def test_too_many_requests_are_429_with_retry_after_and_do_not_touch_others() -> None:
    with served(chosen=settings(rate_limit=2)) as server:
        server.say("one")
        server.say("two")
        third = server.client.post("/converse", json={"message": "three"}, headers=ADA)
        assert third.status_code == 429
        assert 1 <= int(third.headers["retry-after"]) <= 60
        assert shape(third)["code"] == "too_many_requests"
        assert server.client.post("/converse", json={"message": "mine"}, headers=BOB).status_code == 200


class Broken(MemoryStore):
    """A store with a fault of its own."""

    async def sessions(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("secret table name")


def test_a_fault_of_ours_shows_an_id_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    with served(store=Broken()) as server:
        response = server.client.get("/sessions", headers=ADA)

    assert response.status_code == 500
    error = shape(response)
    assert "secret" not in response.text
    assert "RuntimeError" not in response.text
    assert error["details"]["fault"] in caplog.text


class Silent:
    """A language model that is never there."""

    name = "silent"

    async def answer(self, request: ModelRequest) -> Any:
        from softrail.core.errors import ModelUnavailable

        raise ModelUnavailable("no route to host")

    async def stream(self, request: ModelRequest) -> Any:
        yield await self.answer(request)


def test_a_model_failure_is_no_error() -> None:
    with served(model=Silent()) as server:
        reply = server.say("tell me about tomatoes")

    assert "trouble thinking" in reply["companion_message"]
    assert "no route to host" not in json.dumps(reply)
