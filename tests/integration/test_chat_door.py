"""`POST /api/chat`: the AI SDK's messages as turns, and its stream to go on with."""

import base64
import json
from typing import Any

from tests.integration.api_server import ADA, START, Served, served

Message = dict[str, Any]


def user(text: str, message_id: str, *files: dict[str, str]) -> Message:
    return {"id": message_id, "role": "user", "parts": [{"type": "text", "text": text}, *files]}


def post(server: Served, *messages: Message, chat: str = "chat", **more: Any) -> Any:
    body = {"id": chat, "messages": messages, "trigger": "submit-message", **more}
    return server.client.post("/api/chat", json=body, headers=ADA)


def parts(server: Served, *messages: Message, **more: Any) -> list[dict[str, Any]]:
    response = post(server, *messages, **more)
    assert response.status_code == 200, response.text
    assert response.headers["x-vercel-ai-ui-message-stream"] == "v1"
    lines = [line.removeprefix("data: ") for line in response.text.split("\n\n") if line]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def text(found: list[dict[str, Any]]) -> str:
    return "".join(part["delta"] for part in found if part["type"] == "text-delta")


def session(found: list[dict[str, Any]]) -> dict[str, Any]:
    state: dict[str, Any] = next(part["data"] for part in found if part["type"] == "data-session")
    return state


def assistant(found: list[dict[str, Any]]) -> Message:
    return {
        "id": found[0]["messageId"],
        "role": "assistant",
        "parts": [{"type": "text", "text": text(found)}],
    }


def test_a_message_is_a_turn_and_its_answer_has_the_id_of_the_turn() -> None:
    with served() as server:
        found = parts(server, user(START, "m1"))

        assert (found[0]["messageId"], text(found)) == ("m1/reply", "What did you do?")
        assert found[-1]["messageMetadata"]["turn_id"] == "m1"
        assert session(found)["process"]["name"] == "check_in"


def test_a_retry_and_a_regeneration_get_the_stored_reply() -> None:
    with served() as server:
        first = parts(server, user(START, "m1"))
        again = parts(server, user(START, "m1"), trigger="regenerate-message", messageId="m1/reply")

        assert text(again) == text(first)
        assert again[-1] == first[-1]


def test_cancel_pauses_the_process() -> None:
    with served() as server:
        first = parts(server, user(START, "m1"))
        left = parts(server, user(START, "m1"), assistant(first), user("cancel", "m2"))

        assert [one["name"] for one in session(left)["suspended"]] == ["check_in"]
        assert "data-missed" not in [part["type"] for part in left]


def test_what_the_client_lacks_comes_first() -> None:
    with served() as server:
        first = parts(server, user(START, "m1"))
        server.say("wrote tests", session(first)["session_id"], turn_id="elsewhere")

        found = parts(server, user(START, "m1"), assistant(first), user("skip", "m2"))
        missed = next(part["data"]["items"] for part in found if part["type"] == "data-missed")
        assert [item["turn_id"] for item in missed] == ["elsewhere", "elsewhere"]


def test_an_old_button_saves_nothing_and_is_told_why() -> None:
    with served() as server:
        first = parts(server, user(START, "m1"))
        old = session(first)["pending"]["id"]
        server.say("wrote tests", session(first)["session_id"])
        server.say("skip", session(first)["session_id"])

        late = parts(server, user("Yes", "m9"), softrail={"answers": old})
        assert text(late).startswith("That question is no longer open")
        assert session(late)["last"]["side_effects"] == []


def test_a_file_comes_within_its_message_and_no_address_is_fetched() -> None:
    with served() as server:
        content = base64.b64encode(b"a,b\n").decode()
        file = {"type": "file", "mediaType": "text/csv", "filename": "t.csv"}
        found = parts(server, user("look", "m1", {**file, "url": f"data:text/csv;base64,{content}"}))

        here = f"/sessions/{session(found)['session_id']}/attachments"
        kept = server.client.get(here, headers=ADA).json()["items"]
        assert [(one["name"], one["size"]) for one in kept] == [("t.csv", 4)]
        assert post(server, user("x", "m2", {**file, "url": "http://127.0.0.1:9/"})).status_code == 422


def test_what_cannot_be_used_is_an_ordinary_error() -> None:
    with served() as server:
        assert post(server, user(" ", "m1")).json()["error"]["code"] == "bad_request"
        assert post(server, user("hi", "m1"), softrail={"interest": 1}).status_code == 422
        assert server.client.post("/api/chat", content="{}", headers=ADA).status_code == 422
        assert server.client.get("/sessions", headers=ADA).json()["items"] == []


def test_nothing_runs_where_there_is_nothing_to_go_on_with() -> None:
    with served() as server:
        parts(server, user(START, "m1"))

        assert server.client.get("/api/chat/chat/stream", headers=ADA).status_code == 204
