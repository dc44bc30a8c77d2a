"""Files over HTTP: uploaded to a session, brought by a turn, downloaded, erased, exported."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import BaseModel
from sqlalchemy import func, select

from softrail import Attachment, Done, Process, Turn, ask, build, create_router
from softrail.settings import Settings
from softrail.store import MemoryStore, SqlStore
from softrail.store.tables import attachment_pieces, attachments
from tests.integration.api_server import ADA, BOB, Served, here, served, settings

PDF = b"%PDF-1.7 " + bytes(range(256)) * 4_000  # several pieces


class Signing(Process, name="signing", version=1):
    """A contract is sent."""

    starts_on = ("sign a contract",)
    confirm = False

    class Answers(BaseModel):
        doc: Attachment = ask("Send me the contract.", media=("application/pdf",))
        paper: bool = ask("On paper too?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        size = 0
        async for piece in turn.pieces(answers.doc):
            size += len(piece)
        return Done(f"{answers.doc}: {size} bytes.")


@pytest.fixture
def server() -> Iterator[Served]:
    with served(processes=[Signing]) as running:
        yield running


def begun(server: Served) -> str:
    return str(server.say("sign a contract")["session_id"])


def upload(server: Served, session: str, name: str = "contract.pdf", content: bytes = PDF) -> Any:
    return server.client.post(
        f"/sessions/{session}/attachments", files={"file": (name, content)}, headers=ADA
    )


def test_a_file_is_uploaded_and_answers_without_a_message(server: Served) -> None:
    session = begun(server)
    given = upload(server, session)
    assert given.status_code == 201
    file = given.json()
    assert (file["name"], file["media_type"], file["size"]) == ("contract.pdf", "application/pdf", len(PDF))

    body = {"session_id": session, "attachments": [file["id"]], "turn_id": "t1"}
    first, again = (server.client.post("/converse", json=body, headers=ADA) for _ in "12")

    assert first.status_code == 200, first.text
    assert first.content == again.content
    pending = first.json()["pending"]
    assert pending["choices"] == [{"label": "Yes", "hint": None}, {"label": "No", "hint": None}]
    form = {"session_id": session, "answers": pending["id"], "value": False}
    done = server.client.post("/converse", json=form, headers=ADA).json()
    assert done["companion_message"] == f"contract.pdf: {len(PDF)} bytes."
    turns = server.client.get(f"/sessions/{session}/turns", headers=ADA).json()["items"]
    assert [i["content"] for i in turns if i["role"] == "operator"] == [
        "sign a contract",
        "contract.pdf",
        "No",
    ]


def test_an_upload_that_is_sent_again_is_the_same_file(server: Served) -> None:
    session, other = begun(server), begun(server)

    def sent(key: str, here: str = session) -> Any:
        headers = {**ADA, "Idempotency-Key": key}
        form = {"file": ("contract.pdf", PDF)}
        return server.client.post(f"/sessions/{here}/attachments", files=form, headers=headers).json()

    first, again, second, elsewhere = sent("a"), sent("a"), sent("b"), sent("a", other)

    assert again == first
    assert len({first["id"], second["id"], elsewhere["id"]}) == 3
    listed = server.client.get(f"/sessions/{session}/attachments", headers=ADA).json()["items"]
    assert {one["id"] for one in listed} == {first["id"], second["id"]}
    assert server.client.post(
        f"/sessions/{session}/attachments",
        files={"file": ("x", b"")},
        headers={**ADA, "Idempotency-Key": "k" * 129},
    ).is_client_error


def test_what_was_said_has_the_files_that_came_with_it_until_they_are_erased(server: Served) -> None:
    session = begun(server)
    file = upload(server, session).json()
    body = {"session_id": session, "message": "here it is", "attachments": [file["id"]]}
    server.client.post("/converse", json=body, headers=ADA)

    def items() -> Any:
        return server.client.get(f"/sessions/{session}/turns", headers=ADA).json()["items"]

    known = {name: file[name] for name in ("id", "name", "media_type", "size")}
    assert [one["attachments"] for one in items()] == [[], [], [known], []]
    exported = server.client.get("/me/export", headers=ADA).json()["sessions"]
    [here] = [one for one in exported if one["id"] == session]
    assert [one["attachments"] for one in here["turns"]] == [[], [], [known], []]
    server.client.delete(f"/sessions/{session}/attachments/{file['id']}", headers=ADA)
    assert [one["attachments"] for one in items()] == [[], [], [], []]


def test_it_is_told_beforehand_how_large_a_file_may_be(server: Served) -> None:
    assert server.client.get("/me", headers=ADA).json()["upload_limit"] == 20_971_520


def test_a_stream_takes_files_too(server: Served) -> None:
    session = begun(server)
    file = upload(server, session).json()["id"]

    with server.client.stream(
        "POST", "/converse/stream", json={"session_id": session, "attachments": [file]}, headers=ADA
    ) as told:
        text = "".join(told.iter_text())

    assert "On paper too?" in text
    turns = server.client.get(f"/sessions/{session}/turns", headers=ADA).json()["items"]
    assert turns[2]["content"] == "contract.pdf"


def test_files_are_listed_downloaded_and_erased(server: Served) -> None:
    session = begun(server)
    path = f"/sessions/{session}/attachments"
    ids = [upload(server, session, name).json()["id"] for name in ("a.pdf", "b.html", "c.txt")]

    page = server.client.get(path, params={"limit": 2}, headers=ADA).json()
    rest = server.client.get(path, params={"before": page["next"]}, headers=ADA).json()
    assert [one["name"] for one in page["items"] + rest["items"]] == ["c.txt", "b.html", "a.pdf"]
    assert rest["next"] is None
    got = server.client.get(f"{path}/{ids[1]}/download", headers=ADA)
    assert got.content == PDF
    assert got.headers["content-disposition"].startswith('attachment; filename="b.html"')
    assert got.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in got.headers["content-security-policy"]
    assert server.client.delete(f"{path}/{ids[1]}", headers=ADA).status_code == 204
    assert server.client.delete(f"{path}/{ids[1]}", headers=ADA).status_code == 404
    assert server.client.get(f"{path}/{ids[1]}/download", headers=ADA).status_code == 404
    bad = server.client.get(path, params={"before": ids[1]}, headers=ADA)
    assert bad.status_code == 422


def test_a_file_of_others_is_like_one_that_does_not_exist(server: Served) -> None:
    session = begun(server)
    file = upload(server, session).json()["id"]
    other = server.client.post("/converse", json={"message": "sign a contract"}, headers=BOB).json()
    mine = other["session_id"]

    for given in (file, "no-such-file", "%00", "../x"):
        for here_, who in ((mine, BOB), (session, BOB), (begun(server), ADA)):
            body = {"message": "here", "session_id": here_, "attachments": [given], "turn_id": f"t-{given}"}
            answer = server.client.post("/converse", json=body, headers=who)
            assert answer.status_code == 404, (given, who)
            assert answer.json()["error"]["code"] == "not_found"
    body = {"session_id": mine, "answers": other["pending"]["id"], "value": file}
    refused = server.client.post("/converse", json=body, headers=BOB).json()
    assert "not there any more" in refused["companion_message"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "message"),
        ({"answers": "q"}, "message"),
        ({"message": " ", "attachments": ["a"]}, "message"),
        ({"message": "", "attachments": ["a"]}, "message"),
        ({"message": None, "attachments": ["a"]}, "message"),
        ({"attachments": []}, "message"),
        ({"attachments": "a", "message": "x"}, "attachments"),
        ({"attachments": None, "message": "x"}, "attachments"),
        ({"attachments": ["a", "a"]}, "attachments"),
        ({"attachments": [str(n) for n in range(11)]}, "attachments"),
        ({"value": 4}, "value"),
    ],
)
def test_what_says_nothing_or_cannot_be_brought_is_refused(
    server: Served, body: dict[str, Any], field: str
) -> None:
    session = begun(server)
    answer = server.client.post("/converse", json={"session_id": session, **body}, headers=ADA)
    assert answer.status_code == 422
    assert answer.json()["error"]["details"]["fields"][0]["field"].startswith(field)


def test_files_need_the_session_they_were_uploaded_to(server: Served) -> None:
    file = upload(server, begun(server)).json()["id"]
    answer = server.client.post("/converse", json={"attachments": [file]}, headers=ADA)
    assert answer.status_code == 422
    assert "session_id" in answer.json()["error"]["message"]


def test_a_file_over_the_limit_is_refused_and_nothing_of_it_stays() -> None:
    with served(processes=[Signing], chosen=settings(upload_limit=1_024)) as server:
        session = begun(server)
        refused = upload(server, session)
        assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too_large")
        assert upload(server, session, content=b"x" * 1_024).status_code == 201
        assert server.client.get(f"/sessions/{session}/attachments", headers=ADA).json()["items"][1:] == []
        bodies: list[dict[str, Any]] = [{"data": {"file": "words"}}, {"files": {"other": ("a", b"a")}}]
        for broken in (*bodies, {"json": {}}):
            answer = server.client.post(f"/sessions/{session}/attachments", headers=ADA, **broken)
            assert answer.status_code == 422


def rows(server: Served) -> tuple[int, int]:
    """How many files and pieces the database holds."""
    store = server.dispatcher.store
    assert isinstance(store, MemoryStore)

    def count(conn: Any) -> tuple[int, int]:
        of = [conn.scalar(select(func.count()).select_from(t)) for t in (attachments, attachment_pieces)]
        return of[0], of[1]

    return server.client.portal.call(store.read, count)  # type: ignore[union-attr] # it is open


def test_erasing_the_session_or_the_person_erases_the_bytes(server: Served) -> None:
    first, second = begun(server), begun(server)
    for session in (first, second):
        upload(server, session)
    assert rows(server) == (2, 8)

    server.client.delete(f"/sessions/{first}", headers=ADA)
    assert rows(server) == (1, 4)
    server.client.delete("/me", headers=ADA)
    assert rows(server) == (0, 0)


def test_an_export_tells_every_file(server: Served) -> None:
    session = begun(server)
    kept = upload(server, session, "наш договор.pdf").json()

    [told] = server.client.get("/me/export", headers=ADA).json()["sessions"]

    assert told["attachments"] == [kept]


def test_it_works_in_an_application_of_ones_own_without_the_bundled_parts() -> None:
    dispatcher = build(
        Settings(database_url="sqlite://", bundled=[]), store=MemoryStore(), processes=[Signing]
    )
    app = FastAPI()
    app.include_router(create_router(dispatcher, identity=lambda: "ada@example.org", upload_limit=2_000_000))
    assert isinstance(dispatcher.store, SqlStore)
    with here(app) as client:
        server = Served(client, dispatcher)
        session = begun(server)
        file = upload(server, session).json()["id"]
        said = client.post("/converse", json={"session_id": session, "attachments": [file]}).json()
        assert said["pending"]["prompt"] == "On paper too?"
