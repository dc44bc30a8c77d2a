"""What is refused names the field that was sent, and nothing is done."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from softrail.store import SqlStore
from tests.integration.api_server import Served, served
from tests.integration.companion_server import founded, headers, memory, person

UNKNOWN = "01900000-0000-7000-8000-000000000000"


@pytest.fixture
def server() -> Iterator[Served]:
    with served(store=memory()) as running:
        yield running


@pytest.fixture
def project(server: Served) -> str:
    async def make() -> str:
        store = server.dispatcher.store
        assert isinstance(store, SqlStore)
        return await founded(store, await person(store, "ada"))

    return asyncio.run(make())


def asked(server: Served, method: str, path: str, **sent: Any) -> Any:
    return server.client.request(method, path, headers={**headers("ada"), **sent.pop("also", {})}, **sent)


def refused_for(response: Any) -> str:
    """The field that a refusal names."""
    assert response.status_code == 422, response.text
    details = response.json()["error"]["details"]
    return str(details["field"] if "field" in details else details["fields"][0]["field"])


@pytest.mark.parametrize("name", ["text", "state", "project_id"])
def test_null_is_nothing_a_note_can_become(server: Served, project: str, name: str) -> None:
    notes = f"/projects/{project}/notes"
    note = asked(server, "POST", notes, json={"text": "Clay holds water."}).json()

    for also in ({}, {"text": "Sand does not."}):
        assert refused_for(asked(server, "PATCH", f"{notes}/1", json={**also, name: None})) == name

    assert asked(server, "GET", notes).json()["items"] == [note]


@pytest.mark.parametrize("name", ["timezone", "locale"])
def test_null_is_no_time_zone_and_no_language(server: Served, name: str) -> None:
    before = asked(server, "PATCH", "/me", json={"timezone": "Asia/Tokyo", "locale": "en-GB"}).json()

    assert refused_for(asked(server, "PATCH", "/me", json={name: None})) == name

    assert asked(server, "GET", "/me").json() == before


@pytest.mark.parametrize("name", ["display_name", "companion_name"])
def test_null_takes_a_name_back(server: Served, name: str) -> None:
    asked(server, "PATCH", "/me", json={name: "Ada"})

    assert asked(server, "PATCH", "/me", json={name: None}).json()[name] is None


def test_null_is_no_model_key(server: Served) -> None:
    assert refused_for(asked(server, "PUT", "/me/model-key", json={"key": None})) == "key"


def test_one_unknown_state_among_known_ones_is_named_as_the_parameter_it_is(
    server: Served, project: str
) -> None:
    for states in (["foo"], ["saved", "foo"]):
        assert (
            refused_for(asked(server, "GET", f"/projects/{project}/notes", params={"state": states}))
            == "state"
        )


@pytest.mark.parametrize("name", ["query", "body", "path", "header"])
def test_a_field_with_the_name_of_a_place_is_named_as_well(server: Served, name: str) -> None:
    assert refused_for(asked(server, "POST", "/converse", json={"message": "hi", name: 1})) == name


def test_the_last_owner_is_named_as_they_were(server: Served, project: str) -> None:
    members = f"/projects/{project}/members"
    ada = {"email": "ada@example.org"}
    [owner] = asked(server, "GET", members).json()["items"]
    assert owner["email"] == ada["email"]

    assert refused_for(asked(server, "DELETE", f"{members}/{ada['email']}")) == "email"
    assert refused_for(asked(server, "POST", members, json={**ada, "role": "viewer"})) == "role"

    assert asked(server, "GET", members).json()["items"] == [owner]


@pytest.mark.parametrize("cursor", ["zzz", UNKNOWN, "", "\0", "a b", "9" * 5_000, "../x", "1; --"])
def test_a_list_cannot_be_read_on_from_nowhere(server: Served, project: str, cursor: str) -> None:
    for path in ("/sessions", f"/projects/{project}/artifacts"):
        assert refused_for(asked(server, "GET", path, params={"before": cursor})) == "before"
    session = asked(server, "POST", "/sessions").json()["id"]
    for path in (f"/projects/{project}/notes", f"/projects/{project}/turns", f"/sessions/{session}/turns"):
        after = cursor if not cursor.startswith("9") else "9" * 30
        assert refused_for(asked(server, "GET", path, params={"after": after})) == "after"


def test_a_file_of_another_project_of_ones_own_is_no_place_to_read_on_from(
    server: Served, project: str
) -> None:
    async def another() -> str:
        store = server.dispatcher.store
        assert isinstance(store, SqlStore)
        return await founded(store, await person(store, "ada"), specification="# Other")

    other = asyncio.run(another())
    [file] = asked(server, "GET", f"/projects/{other}/artifacts").json()["items"]

    here = asked(server, "GET", f"/projects/{project}/artifacts", params={"before": file["id"]})

    assert refused_for(here) == "before"


def test_who_is_not_in_a_project_learns_nothing_of_its_pages(server: Served, project: str) -> None:
    answers = [
        asked(server, "GET", f"/projects/{project}/artifacts", params=params, also=headers("eve"))
        for params in ({}, {"before": "zzz"}, {"before": UNKNOWN})
    ]

    assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[0].content)}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        pytest.param('{"message": "one", "message": "two"}', "message", id="a text"),
        pytest.param('{"message": "same", "message": "same"}', "message", id="the same text"),
        pytest.param('{"message": "one", "mess\\u0061ge": "two"}', "message", id="written differently"),
        pytest.param('{"message": "hi", "turn_id": null, "turn_id": "t"}', "turn_id", id="null first"),
        pytest.param(f'{{"message": {"9" * 4_000}, "message": "hi"}}', "message", id="a long number first"),
        pytest.param('{"message": {"a": 1, "a": {"b": [NaN]}}, "message": "hi"}', "a", id="an object first"),
    ],
)
def test_a_field_that_is_there_twice_is_refused(server: Served, body: str, name: str) -> None:
    also = {"Content-Type": "application/json"}

    assert refused_for(asked(server, "POST", "/converse", content=body, also=also)) == name

    assert asked(server, "GET", "/sessions").json()["items"] == []


def test_ids_are_compared_as_they_were_given(server: Served, project: str) -> None:
    """Ids are opaque: another spelling is another id, and answered like any that does not exist."""
    session = asked(server, "POST", "/sessions").json()["id"]
    for path, own in ((f"/projects/{project}", project), (f"/sessions/{session}", session)):
        assert asked(server, "GET", path).status_code == 200
        assert asked(server, "GET", path.replace(own, own.upper())).status_code == 404
