"""`POST /agui`: threads, messages, reloads and interrupts, as any AG-UI client brings them."""

import base64
import json
from typing import Any

import pytest

from tests.agui_streams import faults
from tests.integration.api_server import ADA, BOB, START, Served, served

Message = dict[str, Any]


class Client:
    """What an AG-UI client keeps of a thread: its messages, as the frames change them."""

    def __init__(
        self, server: Served, thread: str = "thread", who: dict[str, str] = ADA, **props: Any
    ) -> None:
        self.server, self.thread, self.who = server, thread, who
        self.props = {"softrail": props} if props else {}
        self.messages: list[Message] = []
        self.frames: list[dict[str, Any]] = []

    def say(self, text: str, message_id: str = "", **more: Any) -> "Client":
        self.messages.append({"id": message_id or f"m{len(self.messages)}", "role": "user", "content": text})
        return self.run(**more)

    def post(self, **more: Any) -> Any:
        body = {
            "threadId": self.thread,
            "runId": "run",
            "protocolVersion": "1.0",
            "messages": self.messages,
            "forwardedProps": self.props,
            **more,
        }
        return self.server.client.post("/agui", json=body, headers=self.who)

    def run(self, **more: Any) -> "Client":
        response = self.post(**more)
        assert response.status_code == 200, response.text
        assert faults(response.content, response.headers["content-type"]) == []
        lines = response.text.split("\n\n")
        self.frames = [json.loads(line.removeprefix("data: ")) for line in lines if line]
        for frame in self.frames:
            if frame["type"] == "MESSAGES_SNAPSHOT":
                self.messages = list(frame["messages"])
            if frame["type"] == "TEXT_MESSAGE_START":
                self.messages.append({"id": frame["messageId"], "role": "assistant", "content": ""})
            if frame["type"] == "TEXT_MESSAGE_CONTENT":
                self.messages[-1]["content"] += frame["delta"]
        return self

    @property
    def types(self) -> list[str]:
        return [frame["type"] for frame in self.frames]

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = next(f["snapshot"] for f in self.frames if f["type"] == "STATE_SNAPSHOT")
        return found

    @property
    def outcome(self) -> dict[str, Any]:
        found: dict[str, Any] = self.frames[-1]["outcome"]
        return found

    @property
    def answer(self) -> str:
        return str(self.messages[-1]["content"])


def turns(server: Served, session_id: str) -> list[str]:
    """What was said in a session, from both sides."""
    items = server.client.get(f"/sessions/{session_id}/turns", headers=ADA).json()["items"]
    return [item["content"] for item in items]


def test_a_thread_is_a_session_that_nobody_else_comes_to() -> None:
    with served() as server:
        mine = Client(server).say(START).state["session_id"]
        again = Client(server)
        again.messages = [{"id": "other", "role": "user", "content": "wrote tests"}]
        assert again.run().state["session_id"] == mine
        assert Client(server, who=BOB).say("hello").state["session_id"] != mine
        # By the id of the session, too, it is only its owner's.
        assert Client(server, mine).run().state["session_id"] == mine
        assert Client(server, mine, BOB).say("hello").state["session_id"] != mine
        assert Client(server, "x" * 128).run().state["process"] is None
        assert Client(server, "x" * 129).post().status_code == 422


def test_a_message_that_is_sent_again_gets_its_reply_and_is_said_once() -> None:
    with served() as server:
        client = Client(server).say(START, "m1")
        client.messages = client.messages[:1]
        again = client.run()

        assert again.answer == "What did you do?"
        assert again.messages[-1]["id"] == "m1/reply"
        assert len(turns(server, client.state["session_id"])) == 2


def test_what_was_said_with_a_value_or_a_file_is_said_once_by_a_page_that_has_only_the_words() -> None:
    with served() as server:
        asked = Client(server).say(START).state
        body = {"answers": asked["pending"]["id"], "value": ["wrote tests", "read"], "turn_id": "value"}
        told = server.client.post("/converse", json={**body, "session_id": asked["session_id"]}, headers=ADA)
        page = Client(server).run()
        assert page.messages[-2]["id"] == "value"
        page.messages.pop()
        assert page.run().answer == told.json()["companion_message"]

        data = {"type": "data", "value": base64.b64encode(b"a,b\n").decode(), "mimeType": "text/csv"}
        file = {"type": "document", "source": data, "metadata": {"filename": "t.csv"}}
        sent = Client(server, "files")
        for n, parts in enumerate(([{"type": "text", "text": "look"}, file], [file])):
            sent.messages.append({"id": f"f{n}", "role": "user", "content": parts})
            sent.run()
        page = Client(server, "files").run()
        for words in ("t.csv", "look"):
            answer = page.messages.pop()["content"]
            assert page.messages[-1]["content"] == words
            page.run()
            assert page.messages[-1]["content"] == answer
            page.messages = page.messages[:2]

        assert len(turns(server, asked["session_id"])) == 4
        assert len(turns(server, sent.state["session_id"])) == 4


def test_an_edited_message_and_an_id_of_another_thread_are_new_turns() -> None:
    with served() as server:
        Client(server, "elsewhere").say("hello", "m1")
        client = Client(server).say(START, "m1")
        client.messages = []
        edited = client.say("cancel", "m1")

        assert edited.state["suspended"][0]["name"] == "check_in"
        assert turns(server, edited.state["session_id"])[::2] == [START, "cancel"]
        client.messages = client.messages[:1]
        assert client.run().state["last"]["turn_id"] == edited.state["last"]["turn_id"]


def test_eight_messages_of_one_run_are_said_in_their_order() -> None:
    with served() as server:
        client = Client(server)
        words = [START, *(f"thing {n}" for n in range(7))]
        for n, word in enumerate(words[:-1]):
            client.messages.append({"id": f"m{n}", "role": "user", "content": word})
        client.say(words[-1], "m7")

        assert turns(server, client.state["session_id"])[::2] == words
        assert client.types.count("TEXT_MESSAGE_START") == 8
        assert client.types[-1] == "RUN_FINISHED"


def test_a_reload_is_one_run_without_words() -> None:
    with served() as server:
        before = Client(server).say(START)
        fresh = Client(server).run()

        assert fresh.types == ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"]
        assert fresh.messages == before.messages
        assert fresh.state == before.state
        assert Client(server, "never used").run().messages == []


def test_what_was_said_elsewhere_in_the_thread_comes_with_the_next_run() -> None:
    with served() as server:
        client = Client(server).say(START)
        server.say("wrote tests", client.state["session_id"], turn_id="other-tab")

        assert "MESSAGES_SNAPSHOT" in client.say("skip").types
        assert {"other-tab", "other-tab/reply"} <= {message["id"] for message in client.messages}
        assert "MESSAGES_SNAPSHOT" not in client.say("no").types


def test_words_that_leave_pause_the_process_whatever_is_asked() -> None:
    with served() as server:
        client = Client(server).say(START).say("cancel")

        assert client.outcome == {"type": "success"}
        assert [one["name"] for one in client.state["suspended"]] == ["check_in"]
        assert [way["label"] for way in client.state["ways"]] == ["Resume", "Undo"]
        assert client.say("resume").state["process"]["state"] == "active"


def test_a_value_beside_words_that_its_question_cannot_take_is_refused_before_anything_is_said() -> None:
    with served() as server:
        client = Client(server).say(START)
        session, pending = client.state["session_id"], client.state["pending"]
        client.props = {"softrail": {"answers": pending["id"], "value": 5}}
        client.messages.append({"id": "five", "role": "user", "content": "5"})

        refused = client.post()

        assert (refused.status_code, field_of(refused)) == (422, "value")
        assert turns(server, session)[-1] == pending["prompt"]
        client.props = {"softrail": {"answers": pending["id"], "value": ["wrote tests"]}}
        assert client.run().state["process"]["progress"]["done"] == 1


def test_an_old_button_saves_nothing_and_is_told_why() -> None:
    with served() as server:
        client = Client(server).say(START).say("wrote tests")
        old = client.state["pending"]["id"]
        client.say("nothing")
        client.props = {"softrail": {"answers": old}}
        late = client.say("Yes")

        assert late.answer.startswith("That question is no longer open")
        assert late.state["last"]["side_effects"] == []
        assert late.state["pending"]["kind"] == "confirm"


def field_of(refused: Any) -> str:
    """The path of what could not be taken."""
    return str(refused.json()["error"]["details"]["fields"][0]["field"])


# -- interrupts, for clients that ask for them


def asked(server: Served, thread: str = "thread") -> Client:
    client = Client(server, thread, interrupts=True).say(START).say("wrote tests").say("skip")
    assert client.outcome["type"] == "interrupt"
    return client


def resume(client: Client, payload: Any = None, status: str = "resolved") -> list[dict[str, Any]]:
    entry = {"interruptId": client.outcome["interrupts"][0]["id"], "status": status}
    return [entry if payload is None else {**entry, "payload": payload}]


def test_a_question_is_answered_by_what_its_interrupt_wants() -> None:
    with served() as server:
        client = asked(server)
        [wanted] = client.outcome["interrupts"]
        assert wanted["reason"] == "confirmation"
        assert wanted["responseSchema"]["enum"] == [
            one["label"] for one in client.state["pending"]["choices"]
        ]

        done = client.run(resume=resume(client, wanted["responseSchema"]["enum"][0]))
        assert done.state["last"]["side_effects"][0]["kind"] == "check_in_saved"
        assert done.outcome == {"type": "success"}


def test_the_same_answer_again_gets_the_same_reply_and_another_one_an_error() -> None:
    with served() as server:
        client = asked(server)
        once = resume(client, "Yes")
        first = client.run(resume=once).state

        assert client.run(resume=once).state["last"] == first["last"]
        late = client.run(resume=[{**once[0], "payload": "No"}])
        assert (late.types[-1], late.frames[-1]["code"]) == ("RUN_ERROR", "question_closed")
        assert turns(server, first["session_id"])[-2] == "Yes"


def test_a_value_answers_a_question_that_has_a_form_for_it() -> None:
    with served() as server:
        client = Client(server, interrupts=True).say(START)
        once = resume(client, ["wrote tests", "read"])

        first = client.run(resume=once).state
        assert first["process"]["progress"]["done"] == 1
        assert client.run(resume=once).state["last"] == first["last"]


def test_a_payload_that_its_question_cannot_take_is_refused_with_path_and_reason_and_the_question_stays() -> (
    None
):
    with served() as server:
        client = Client(server, interrupts=True).say(START)
        session, said = client.state["session_id"], turns(server, client.state["session_id"])

        refused = client.post(resume=resume(client, ["wrote tests", 7]))

        assert (refused.status_code, field_of(refused)) == (422, "value.1")
        assert refused.json()["error"]["details"]["fields"][0]["reason"] == "I need text here."
        assert turns(server, session) == said
        assert client.run(resume=resume(client, ["wrote tests"])).state["process"]["progress"]["done"] == 1


def test_an_abandoned_question_pauses_its_process_and_words_instead_of_it_are_the_turn() -> None:
    with served() as server:
        alone = asked(server, "one")
        assert alone.run(resume=resume(alone, status="cancelled")).state["suspended"]

        worded = asked(server, "two")
        entry = resume(worded, status="cancelled")
        assert worded.say("cancel", resume=entry).state["suspended"]
        assert worded.messages[-2]["content"] == "cancel"

        typed = asked(server, "three")
        assert typed.say("stop").state["suspended"]


# -- what is refused


@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": "none"},
        {"messages": [{"id": "m", "role": "user", "content": " "}]},
        {"messages": [{"id": "m", "role": "user", "content": "x" * 16_001}]},
        {
            "messages": [{"id": "m", "role": "user", "content": "hi"}],
            "forwardedProps": {"softrail": {"x": 1}},
        },
        {
            "messages": [{"id": "m", "role": "user", "content": "hi"}],
            "forwardedProps": {"softrail": {"intent_hint": "unknown"}},
        },
    ],
    ids=["no-messages", "blank", "too-long", "unknown-field", "unknown-intent"],
)
def test_what_cannot_be_used_is_refused_before_anything_is_kept(wrong: dict[str, Any]) -> None:
    with served() as server:
        refused = Client(server).post(**wrong)

        assert (refused.status_code, "error" in refused.json()) == (422, True)
        assert server.client.get("/sessions", headers=ADA).json()["items"] == []


def test_a_project_of_another_is_not_there_before_anything_is_kept() -> None:
    with served() as server:
        client = Client(server, project_id="7a0c8b7e-9b7a-4f6e-8f4b-0d9c2f6b1a11")
        client.messages = [{"id": "m", "role": "user", "content": "hi"}]

        assert client.post().status_code == 404
        assert server.client.get("/sessions", headers=ADA).json()["items"] == []


def test_a_file_comes_within_its_message_once_and_no_address_is_fetched() -> None:
    with served() as server:
        data = base64.b64encode(b"a,b\n1,2\n").decode()

        def message(source: dict[str, str]) -> list[Message]:
            part = {"type": "document", "source": source, "metadata": {"filename": "table.csv"}}
            return [{"id": "m", "role": "user", "content": [{"type": "text", "text": "look"}, part]}]

        client = Client(server)
        for _ in range(2):
            client.messages = message({"type": "data", "value": data, "mimeType": "text/csv"})
            client.run()
        kept = server.client.get(f"/sessions/{client.state['session_id']}/attachments", headers=ADA).json()
        assert [(one["name"], one["size"]) for one in kept["items"]] == [("table.csv", 8)]
        client.messages = message({"type": "url", "value": "http://127.0.0.1:9/x.csv"})
        assert client.post().status_code == 422


def test_a_client_is_told_what_it_may_expect() -> None:
    with served() as server:
        found = server.client.get("/agui", headers=ADA).json()

        assert found["humanInTheLoop"]["interrupts"] is True
        assert found["transport"]["streaming"] is True
