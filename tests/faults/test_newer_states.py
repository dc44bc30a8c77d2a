"""What a newer version has kept of a session and this one cannot read is refused and left alone (row H6)."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.api import create_app
from softrail.bootstrap import build
from softrail.core.instances import State
from softrail.core.outcomes import Outcome
from softrail.testing import FrozenClock
from tests.faults.ground import file_of
from tests.faults.kit import file_url, person_of, say, worker
from tests.integration.api_server import here, settings


class Walk(Process, name="walk", version=1):
    """Asks two things."""

    starts_on = ("take a walk with me",)

    class Answers(BaseModel):
        where: str = ask("Where?")
        when: str = ask("When?")

    async def complete(self, answers: Answers, turn: Turn) -> Outcome:
        return Done(f"To {answers.where}, {answers.when}.")


NEWER = {
    "a question of another kind": "UPDATE sessions SET pending = json_set(pending, '$.question.kind', 'hologram')",
    "a memo of another form": "UPDATE sessions SET memo = json_set(memo, '$.ended', 'at noon')",
    "a state that is not known": "UPDATE instances SET state = 'levitating'",
    "another reason to wake it": "UPDATE instances SET due_at = 1, due_kind = 'moonrise'",
    "a question of a kind that is not known": "UPDATE instances SET question = json_set(question, '$.kind', 'hologram')",
    "something it waits for": """UPDATE instances SET memo = '{"waits": "for the tide"}'""",
}


def client(path: Path) -> TestClient:
    chosen = settings(database_url=f"sqlite:///{path}", bundled=())
    return here(create_app(build(chosen, processes=[Walk], discover=False), chosen))


def rows(path: Path, session: str) -> list[tuple[Any, ...]]:
    """All that is kept of a session."""
    queries = ("sessions WHERE id = ?", "instances WHERE session_id = ?", "turns WHERE session_id = ?")
    with closing(sqlite3.connect(path)) as raw:
        return [row for query in queries for row in raw.execute(f"SELECT * FROM {query}", (session,))]  # noqa: S608


def understood(path: Path, session: str, before: Sequence[tuple[Any, ...]]) -> None:
    """The same in words that this version has: as good as the newer one coming back."""
    said, kept = before[:2]
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE sessions SET pending = ?, memo = ? WHERE id = ?", (*said[7:9], session))
        raw.execute(
            "UPDATE instances SET state = ?, question = ?, due_at = ?, due_kind = ?, memo = ? WHERE session_id = ?",
            (kept[7], kept[11], *kept[13:15], kept[20], session),
        )


@pytest.mark.parametrize("newer", NEWER.values(), ids=NEWER)
def test_a_session_that_a_newer_version_has_written_is_refused_and_left_alone(
    newer: str, tmp_path: Path
) -> None:
    path = tmp_path / "softrail.db"
    with client(path) as one:
        session = one.post("/converse", json={"message": "take a walk with me"}).json()["session_id"]
    before = rows(path, session)
    with closing(sqlite3.connect(path)) as raw, raw:
        assert raw.execute(newer).rowcount == 1
    changed = rows(path, session)
    turn = {"message": "to the sea", "session_id": session, "turn_id": "t"}
    with client(path) as older:
        for _ in range(4):  # as often as it takes to give a turn up
            refused = older.post("/converse", json=turn)
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "newer_state")
        assert refused.headers["Retry-After"] == "5"
        assert rows(path, session) == changed
        assert older.post("/converse", json={"message": "hello"}).status_code == 200
        assert older.get("/readyz").status_code == 200
    understood(path, session, before)
    with client(path) as back:
        assert back.post("/converse", json=turn).json()["companion_message"] == "When?"


async def test_a_sweep_leaves_what_it_cannot_read_and_does_the_rest(tmp_path: Path) -> None:
    url, sessions = file_url(tmp_path), list[str]()
    with FrozenClock().installed() as clock:
        async with worker(url, Walk) as one:
            for name in ("ada", "bo"):
                said = await say(one, await person_of(one, name), "take a walk with me")
                sessions.append(said.session_id)
            with closing(sqlite3.connect(file_of(url))) as raw, raw:
                raw.execute(
                    "UPDATE sessions SET memo = json_set(memo, '$.ended', 'at noon') WHERE id = ?",
                    sessions[:1],
                )
            clock.advance(days=1)

            assert (await one.sweep()).suspended == 1

            [left], [swept] = [await one.store.instances(session) for session in sessions]
            assert (left.state, swept.state) == (State.ACTIVE, State.SUSPENDED)
