import json
from pathlib import Path

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from softrail import Done, Process, Turn, ask
from softrail.cli import app
from softrail.store import open_store
from softrail.testing import FrozenClock, conversation


class Newer(Process, name="standup", version=2):
    """A standup of a version that is not installed."""

    starts_on = ("go",)

    class Answers(BaseModel):
        mood: str = ask("How are you?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Fine.")


async def _someone_is_in_the_middle(url: str) -> None:
    async with conversation(Newer, clock=FrozenClock(), store=open_store(url)) as person:
        await person.say("go")


def test_runs_of_other_versions_are_tried_and_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    url = f"sqlite:///{tmp_path}/t.db"
    asyncio.run(_someone_is_in_the_middle(url))
    monkeypatch.setenv("SOFTRAIL_DATABASE_URL", url)

    told = CliRunner().invoke(app, ["migrate", "standup"])
    rows = json.loads(CliRunner().invoke(app, ["migrate", "standup", "--json"]).stdout)

    assert told.exit_code == 0, told.output
    assert told.stdout == "v2 at gathering_mood: 1 waits for newer code\n"
    assert [(r["version"], r["state"], r["outcome"]) for r in rows] == [(2, "active", "waits for newer code")]


def test_an_unknown_process_is_named_with_those_that_exist() -> None:
    told = CliRunner().invoke(app, ["migrate", "standdown"])

    assert told.exit_code == 1
    assert "standup" in told.stderr
