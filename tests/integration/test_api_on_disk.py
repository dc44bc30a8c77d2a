"""The server and its database file: locked, unreadable, shared by two servers."""

import json
import sqlite3
from pathlib import Path

import pytest

from softrail.core.errors import SoftrailError
from softrail.store import open_store
from tests.integration.api_server import ADA, START, served


def test_a_locked_database_is_503_and_nothing_is_lost_when_it_is_free_again(tmp_path: Path) -> None:
    path = tmp_path / "locked.db"
    store = open_store(f"sqlite:///{path}", durability="normal", busy_timeout=0.05)
    with served(store=store) as server:
        session_id = server.say("hello")["session_id"]
        body = {"message": START, "session_id": session_id, "turn_id": "waits"}
        lock = sqlite3.connect(path, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            refused = server.client.post("/converse", json=body, headers=ADA)
            assert refused.status_code == 503
            assert int(refused.headers["retry-after"]) >= 1
            assert "database is locked" not in refused.text
        assert server.client.get(f"/sessions/{session_id}/turns", headers=ADA).status_code == 200
        lock.close()

        assert server.client.post("/converse", json=body, headers=ADA).json()["seq"] == 3


def test_a_retry_on_another_server_is_answered_with_the_same_bytes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    body = {"message": START, "turn_id": "once"}
    with served(store=open_store(url, durability="normal")) as one:
        first = one.client.post("/converse", json=body, headers=ADA)
        with served(store=open_store(url, durability="normal")) as other:
            again = other.client.post("/converse", json=body, headers=ADA)
            session_id = first.json()["session_id"]
            items = other.client.get(f"/sessions/{session_id}/turns", headers=ADA).json()["items"]

    assert again.content == first.content
    assert len(items) == 2


@pytest.mark.parametrize("where", ["missing/folder/x.db", ".", "text.db"])
def test_a_server_whose_database_cannot_be_opened_does_not_start(tmp_path: Path, where: str) -> None:
    (tmp_path / "text.db").write_text("no database " * 500)

    with pytest.raises(SoftrailError) as refused, served(store=open_store(f"sqlite:///{tmp_path / where}")):
        pass

    assert "\n" not in refused.value.message
    assert "Traceback" not in json.dumps(refused.value.message)
