"""`softrail outbox` and `softrail why` on a real database file: what is not delivered, and trying it again."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from softrail.cli import app
from softrail.core.clock import now
from softrail.core.effects import OutboxItem
from softrail.store import SqliteStore
from softrail.testing.contracts.outbox import mail
from softrail.testing.contracts.values import opened, someone

KEY = "s1:1:1"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOFTRAIL_DURABILITY", "normal")
    return tmp_path


def softrail(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, f"{result.output}\n{result.stderr}\n{result.exception!r}"
    assert "Traceback" not in result.output + result.stderr
    return result


def stored(*, aside: int, waiting: int) -> None:
    """A turn with so many effects of each sort."""

    async def make() -> None:
        store = SqliteStore("softrail.db", durability="normal")
        await store.start()
        ada = await someone(store)
        effects = [mail("fax", to="secret") for _ in range(aside + waiting)]
        await opened(store, ada, effects=effects, decision=DECISION)
        for item in (await store.outbox(now(), 100))[:aside]:
            await store.set_aside(item, "ConnectionError (desk.py, line 7).")
        await store.close()

    asyncio.run(make())


def left() -> list[OutboxItem]:
    async def look() -> list[OutboxItem]:
        store = SqliteStore("softrail.db")
        await store.start()
        found = list(await store.undelivered(1000))
        await store.close()
        return found

    return asyncio.run(look())


DECISION = json.dumps(
    {"id": "d", "turn_id": "s1-first", "session_id": "s1", "seq": 1, "at": "2026-03-02T09:30:00Z"}
)


def test_an_empty_outbox_says_so() -> None:
    assert softrail("outbox").stdout == "Everything is delivered.\n"
    assert json.loads(softrail("outbox", "--json").stdout) == []


def test_what_waits_is_no_finding_and_what_is_set_aside_is() -> None:
    stored(aside=0, waiting=1)
    assert softrail("outbox").stdout.startswith(f"{KEY}  fax  waits until 2026-03-02 09:30:00 UTC, 0 tries")

    softrail("outbox", "--limit", "0", code=2)


def test_what_is_set_aside_is_shown_with_its_reason_and_nothing_it_carries() -> None:
    stored(aside=1, waiting=2)

    shown = softrail("outbox", code=1).stdout

    assert shown.splitlines()[0] == f"{KEY}  fax  set aside after 1 try. ConnectionError (desk.py, line 7)."
    assert len(shown.splitlines()) == 3
    assert "secret" not in shown
    assert softrail("outbox", "--limit", "2", code=1).stdout.splitlines()[-1] == "… and more: --limit 20"
    found = json.loads(softrail("outbox", "--json", code=1).stdout)
    assert found[0] == {
        "key": KEY,
        "kind": "fax",
        "status": "failed",
        "tries": 1,
        "next_at": None,
        "error": "ConnectionError (desk.py, line 7).",
        "claimed_by": None,
        "instance_id": None,
    }


def test_what_was_set_aside_is_tried_again_when_it_is_asked_for() -> None:
    stored(aside=3, waiting=1)

    assert softrail("outbox", "--retry", KEY).stdout.startswith(f"To be tried again: {KEY}.")
    refused = softrail("outbox", "--retry", KEY, "--retry", "s1:1:2", code=1)
    assert refused.stderr.startswith(f"Nothing is set aside under {KEY}.")
    assert [(item.key, item.status) for item in left()][:1] == [("s1:1:3", "failed")]
    assert json.loads(softrail("outbox", "--retry", "all", "--json").stdout) == {
        "again": ["s1:1:3"],
        "unknown": [],
    }
    assert {(item.status, item.tries) for item in left()} == {("waiting", 0)}
    assert softrail("outbox", "--retry", "all").stdout == "Nothing is set aside.\n"
    softrail("outbox", "--retry", "all", "--retry", KEY, code=2)


def test_why_shows_what_of_the_turn_is_not_delivered_yet() -> None:
    stored(aside=1, waiting=0)

    told = softrail("why", "s1-first").stdout

    assert told.splitlines()[-2:] == [
        "Not delivered yet:",
        f"  {KEY}  fax  set aside after 1 try. ConnectionError (desk.py, line 7).",
    ]
    [row] = json.loads(softrail("why", "s1-first", "--json").stdout)["not_delivered"]
    assert row["status"] == "failed"
