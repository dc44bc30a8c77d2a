import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from softrail import Done, Process, Turn, ask
from softrail.cli import app
from softrail.cli.migrating import tried
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


class Older(Process, name="trip", version=1):
    """Where to, and when."""

    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        city: str = ask("Which city?")
        day: str = ask("Which day?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Bon voyage.")


class Later(Process, name="trip", version=2):
    """Wants to know with whom, too."""

    on_new_version = "migrate"

    class Answers(BaseModel):
        city: str = ask("Which city?")
        day: str = ask("Which day?")
        people: int = ask("How many of you?", gt=0)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"Bon voyage, {answers.people}.")

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return {**data, "people": 0} if data.get("city") == "Oslo" else data, step


PARKED = {
    "gathering_city": ("plan a trip",),
    "gathering_day": ("plan a trip", "Bergen"),
    "confirming": ("plan a trip", "Oslo", "tomorrow"),
}


@pytest.mark.parametrize("leaves", [(), ("stop",)], ids=["left open", "paused"])
@pytest.mark.parametrize("elsewhere", [False, True], ids=["same session", "another session"])
@pytest.mark.parametrize("at", PARKED)
async def test_whoever_is_parked_goes_on_with_everything_kept_as_the_command_says(
    at: str, elsewhere: bool, leaves: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOFTRAIL_READER", "exact")
    url = f"sqlite:///{tmp_path}/t.db"
    async with conversation(Older, clock=FrozenClock(), store=open_store(url)) as talk:
        for words in (*PARKED[at], *leaves):
            await talk.say(words)
        person, session = talk.person, talk.session_id
    async with conversation(Later, clock=FrozenClock(), store=open_store(url)) as talk:
        [row] = await tried(talk.dispatcher, "trip")
        talk.person, talk.session_id = person, None if elsewhere else session
        open_elsewhere = elsewhere and not leaves
        if open_elsewhere:
            assert "open in another conversation" in (await talk.say("hello")).text
        said = await talk.say("yes" if open_elsewhere else "resume the trip")
        for _ in range(4):
            if said.step == "confirming":
                break
            value = {"gathering_city": "Oslo", "gathering_day": "tomorrow", "gathering_people": "3"}[
                said.step or ""
            ]
            said = await talk.say(value)
        assert "- People: 3" in said.text
        assert ("- City: Oslo" in said.text) == (at != "gathering_day")
        assert (await talk.say("yes")).text == "Bon voyage, 3."

    following = {"gathering_city": "city", "gathering_day": "day", "confirming": "people"}[at]
    assert row["outcome"] == f"goes on at gathering_{following}"
    assert row["says"]


def test_an_unknown_process_is_named_with_those_that_exist() -> None:
    told = CliRunner().invoke(app, ["migrate", "standdown"])

    assert told.exit_code == 1
    assert "standup" in told.stderr
