"""Sessions, processes and decisions as a frontend reads them."""

from collections.abc import Iterator

import pytest

from tests.integration.api_server import ADA, BOB, START, Served, served


@pytest.fixture
def server() -> Iterator[Served]:
    with served() as running:
        yield running


def test_sessions_are_listed_newest_first_in_pages(server: Served) -> None:
    made = [server.client.post("/sessions", headers=ADA).json()["id"] for _ in range(5)]

    first = server.client.get("/sessions?limit=3", headers=ADA).json()
    rest = server.client.get(f"/sessions?limit=3&before={first['next']}", headers=ADA).json()

    assert [s["id"] for s in first["items"] + rest["items"]] == made[::-1]
    assert rest["next"] is None
    assert server.client.get("/sessions", headers=BOB).json()["items"] == []


def test_an_opened_session_takes_turns(server: Served) -> None:
    opened = server.client.post("/sessions", headers=ADA)
    assert opened.status_code == 201
    assert opened.json()["created_at"].endswith("Z")

    reply = server.say("hello", opened.json()["id"])

    assert (reply["session_id"], reply["seq"]) == (opened.json()["id"], 1)


def test_opening_a_session_takes_no_fields(server: Served) -> None:
    assert server.client.post("/sessions", json={}, headers=ADA).status_code == 201
    assert server.client.post("/sessions", json={"person_id": "x"}, headers=ADA).status_code == 422


def test_a_session_tells_who_holds_it_what_is_pending_and_what_is_suspended(server: Served) -> None:
    session_id = server.say(START)["session_id"]

    held = server.client.get(f"/sessions/{session_id}", headers=ADA).json()
    server.say("stop", session_id)
    paused = server.client.get(f"/sessions/{session_id}", headers=ADA).json()

    assert held["process"]["name"] == "check_in"
    assert held["process"]["state"] == "active"
    assert held["pending"]["prompt"] == "What did you do?"
    assert held["suspended"] == []
    assert paused["process"] is None
    assert [p["state"] for p in paused["suspended"]] == ["suspended"]


def test_turns_come_in_order_and_in_pages(server: Served) -> None:
    session_id = server.say(START)["session_id"]
    server.say("fixed login", session_id)

    first = server.client.get(f"/sessions/{session_id}/turns?limit=3", headers=ADA).json()
    rest = server.client.get(f"/sessions/{session_id}/turns?after={first['next']}", headers=ADA).json()

    items = first["items"] + rest["items"]
    assert [i["seq"] for i in items] == [1, 2, 3, 4]
    assert [i["role"] for i in items] == ["operator", "companion"] * 2
    assert items[2]["content"] == "fixed login"
    assert items[0]["classified_intent"] is None
    assert items[0]["turn_id"] == items[1]["turn_id"]
    assert rest["next"] is None


def test_processes_come_with_every_move_they_made(server: Served) -> None:
    session_id = server.say(START)["session_id"]
    server.say("stop", session_id)

    [run] = server.client.get(f"/sessions/{session_id}/processes", headers=ADA).json()["items"]

    assert [(m["source"], m["trigger"], m["dest"]) for m in run["transitions"]] == [
        (None, "start", "active"),
        ("active", "escape", "suspended"),
    ]
    assert [m["seq"] for m in run["transitions"]] == [1, 3]


def test_the_decision_of_a_turn_says_who_owned_it(server: Served) -> None:
    session_id = server.say(START, turn_id="start/1")["session_id"]
    server.say("fixed login", session_id, turn_id="answer")

    found = server.client.get(f"/sessions/{session_id}/decisions/answer", headers=ADA).json()

    assert found["owner"] == "check_in"
    assert found["model_calls"] == []
    slashed = server.client.get(f"/sessions/{session_id}/decisions/start/1", headers=ADA)
    assert slashed.status_code == 200
    assert server.client.get(f"/sessions/{session_id}/decisions/nope", headers=ADA).status_code == 404


def test_an_erased_session_is_gone_for_good(server: Served) -> None:
    session_id = server.say(START, turn_id="gone")["session_id"]

    assert server.client.delete(f"/sessions/{session_id}", headers=ADA).status_code == 204

    for path in ("", "/turns", "/processes", "/decisions/gone"):
        assert server.client.get(f"/sessions/{session_id}{path}", headers=ADA).status_code == 404
    assert server.client.delete(f"/sessions/{session_id}", headers=ADA).status_code == 404
    body = {"message": "still there?", "session_id": session_id}
    assert server.client.post("/converse", json=body, headers=ADA).status_code == 404


def test_cancelling_when_nothing_runs_is_harmless(server: Served) -> None:
    session_id = server.say("hello")["session_id"]

    for _ in range(2):
        answer = server.client.post(f"/sessions/{session_id}/cancel", headers=ADA)
        assert answer.json() == {"cancelled": False}


def test_kinds_of_processes_are_listed_with_their_steps(server: Served) -> None:
    [kind] = server.client.get("/processes", headers=ADA).json()["items"]
    detail = server.client.get("/processes/check_in", headers=ADA).json()

    assert (kind["name"], kind["version"], kind["contract"]) == ("check_in", 1, "exclusive")
    assert kind["idle_timeout"] == 1800
    assert [s["name"] for s in detail["steps"]] == ["gathering_done", "gathering_next", "confirming"]
    assert detail["first_step"] == "gathering_done"
    assert "stateDiagram" in detail["diagram"]
    unknown = server.client.get("/processes/nope", headers=ADA)
    assert unknown.status_code == 404
    assert "check_in" in unknown.json()["error"]["message"]


def test_a_list_of_sessions_says_what_each_is_about_and_whether_it_waits() -> None:
    with served() as server:
        talk = server.say(START)["session_id"]
        server.say("hello, I am looking for a rather long title that no list has room for at all, I think")

        newest, oldest = server.client.get("/sessions", headers=ADA).json()["items"]

        assert newest["title"] == "hello, I am looking for a rather long title that no list…"
        assert (newest["process"], newest["waits"]) == (None, False)
        assert newest["last_message"]
        assert (oldest["title"], oldest["last_message"]) == (START, "What did you do?")
        assert (oldest["process"]["title"], oldest["waits"]) == ("the check in", True)
        named = server.client.patch(f"/sessions/{talk}", json={"title": " Friday "}, headers=ADA).json()
        server.say("things", talk)
        assert (named["title"], server.client.get(f"/sessions/{talk}", headers=ADA).json()["title"]) == (
            "Friday",
            "Friday",
        )
        back = server.client.patch(f"/sessions/{talk}", json={"title": None}, headers=ADA)
        assert back.json()["title"] == START


def test_what_cannot_be_a_title_is_refused_and_the_session_of_another_is_not_there() -> None:
    with served() as server:
        talk = f"/sessions/{server.say(START)['session_id']}"

        bodies: list[dict[str, object]] = [{"title": " "}, {"title": "a\nb"}, {"title": "x" * 101}, {}]
        codes = [server.client.patch(talk, json=body, headers=ADA).status_code for body in bodies]
        assert codes == [422] * 4
        assert server.client.patch(talk, json={"title": "mine"}, headers=BOB).status_code == 404


def test_a_long_history_is_read_from_its_end() -> None:
    with served() as server:
        talk = server.say(START)["session_id"]
        for words in ("wrote", "skip", "yes"):
            said = server.say(words, talk)

        turns = f"/sessions/{talk}/turns"
        first = server.client.get(turns, params={"before": 100, "limit": 3}, headers=ADA).json()
        rest = server.client.get(turns, params={"before": first["next"], "limit": 9}, headers=ADA).json()

        assert [item["seq"] for item in first["items"]] == [6, 7, 8]
        assert ([item["seq"] for item in rest["items"]], rest["next"]) == ([1, 2, 3, 4, 5], None)
        last = first["items"][-1]
        assert (last["side_effects"], last["decision_id"]) == (said["side_effects"], said["decision_id"])
        assert last["side_effects"][0]["kind"] == "check_in_saved"
        both = server.client.get(turns, params={"before": 5, "after": 1}, headers=ADA)
        assert both.status_code == 422
