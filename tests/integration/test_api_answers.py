"""`answers` of `POST /converse`: which question a turn answers."""

from collections.abc import Iterator

import pytest

from softrail.core.turns import Request
from tests.integration.api_server import ADA, START, Served, served


@pytest.fixture
def server() -> Iterator[Served]:
    with served() as running:
        yield running


def test_a_reply_and_its_session_name_the_open_question_alike(server: Served) -> None:
    asked = server.say(START)

    session = server.client.get(f"/sessions/{asked['session_id']}", headers=ADA).json()

    assert asked["pending"]["id"]
    assert session["pending"] == asked["pending"]


def test_an_old_question_is_answered_with_200_and_the_open_one(server: Served) -> None:
    first = server.say(START)
    here = first["session_id"]
    open_now = server.say("the login", here, answers=first["pending"]["id"])["pending"]
    assert open_now["id"] != first["pending"]["id"]

    reply = server.say("the logout", here, answers=first["pending"]["id"], turn_id="late")

    assert "no longer open" in reply["companion_message"]
    assert open_now["prompt"] in reply["companion_message"]
    assert reply["pending"] == open_now
    decision = server.client.get(f"/sessions/{here}/decisions/late", headers=ADA).json()
    assert {"question": "stale"}.items() <= {g["gate"]: g["outcome"] for g in decision["gates"]}.items()


def test_a_turn_id_holds_for_one_answered_question(server: Served) -> None:
    first = server.say(START)
    body = {"message": "the login", "session_id": first["session_id"], "turn_id": "t1"}
    kept = server.say(**body, answers=first["pending"]["id"])

    assert server.say(**body, answers=first["pending"]["id"]) == kept
    other = server.client.post("/converse", json=body, headers=ADA)
    assert (other.status_code, other.json()["error"]["code"]) == (422, "turn_reused")


@pytest.mark.parametrize("answers", ["", "  ", "x" * 129, "\n", 7])
def test_what_cannot_be_an_id_of_a_question_is_refused(server: Served, answers: object) -> None:
    response = server.client.post("/converse", json={"message": "yes", "answers": answers}, headers=ADA)

    assert response.status_code == 422
    assert response.json()["error"]["details"]["fields"][0]["field"] == "answers"


def test_a_value_is_checked_against_the_schema_that_the_question_shows(server: Served) -> None:
    first = server.say(START)
    here, pending = first["session_id"], first["pending"]
    assert pending["schema"]["type"] == "array"

    again = server.say("…", here, answers=pending["id"], value=["the login", 7])["pending"]
    assert again["prompt"] == pending["prompt"]
    taken = server.say("…", here, answers=again["id"], value=["the login", "the logout"])

    assert taken["pending"]["prompt"] == "What is next?"


@pytest.mark.parametrize("also", [{}, {"answers": None}])
def test_a_value_alone_is_refused(server: Served, also: dict[str, object]) -> None:
    response = server.client.post("/converse", json={"message": "x", "value": 1, **also}, headers=ADA)

    assert response.status_code == 422
    assert response.json()["error"]["details"]["fields"][0]["field"] == "value"


def test_a_request_without_it_has_the_hash_and_the_stored_form_it_always_had() -> None:
    plain = Request(message="hi", turn_id="t")

    assert plain.hash == "419672dd8134ee5b757c05e42d5ffd90e331169785d6d77d94ab2c0516227e67"
    assert "answers" not in plain.model_dump_json()
    assert Request(message="hi", answers="a:1").hash != plain.hash
