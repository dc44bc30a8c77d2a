"""Turns of the whole application with Claude: how many calls, what they send first, what they cost."""

import asyncio
import json
from decimal import Decimal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from softrail.bootstrap import plugin_tables
from softrail.cli import app as command_line
from softrail.core.turns import Request
from softrail.store import SqliteStore
from tests.integration.claude_server import NOTE, TALK, UNCLEAR, claude_app
from tests.integration.companion_server import headers, person
from tests.messages_api import MODEL, Say

pytest.importorskip("anthropic")

PRICES = f"""
[{MODEL}]
input = "3"
output = "15"
cache_write = "3.75"
cache_read = "0.30"
"""


def read_as(intent: str) -> Say:
    return Say(
        text=json.dumps({"intent": intent, "confidence": 0.9, "parameters": None, "alternative": None})
    )


async def test_a_free_turn_costs_two_calls_at_most() -> None:
    async with claude_app(Say(text="Well."), structured=[read_as(TALK)]) as app:
        reply = await app.say(UNCLEAR, None)
        assert reply["companion_message"] == "Well."
        purposes = [call["purpose"] for call in (await app.decision(reply))["model_calls"]]
        assert purposes == ["classify", "respond"]
        assert len(app.api.requests) == 2


async def test_a_hint_or_a_sure_example_saves_the_first_and_a_guided_turn_both() -> None:
    async with claude_app(Say(text="Noted."), structured=[read_as(TALK)]) as app:
        project = await app.project()
        await app.say("anything", TALK)
        assert len(app.api.requests) == 1
        sure = await app.say("remember that our budget is twenty thousand euros", None, project_id=project)
        assert sure["classified_intent"] == NOTE
        assert len(app.api.requests) == 2
        begun = await app.say("a booking app", "create_project")
        await app.say("Muse", None, session_id=begun["session_id"])
        assert len(app.api.requests) == 2


async def test_what_stays_is_sent_first_and_is_the_same_bytes_until_it_changes() -> None:
    async with claude_app(Say(text="Noted.")) as app:
        project = await app.project()
        await app.say("first words", TALK, project_id=project)
        await app.say("how is it going?", "ask_about_progress", project_id=project)
        ada = await person(app.store, "ada")
        await app.companion.notes.add(ada.id, project, "Barns are red")
        await app.say("second words", TALK, project_id=project)

        first, asked, noted = app.api.requests
        assert all(block["cache_control"] == {"type": "ephemeral"} for block in first["system"])
        # Tools, rules and persona are shared by all turns, what the project holds until it holds something else.
        assert [first[part] for part in ("tools", "system")] == [noted[part] for part in ("tools", "system")]
        assert asked["messages"][0] == first["messages"][0] != noted["messages"][0]
        # What people wrote stands among the messages.
        assert "Barns are red" in str(noted["messages"][0])
        assert "Barns are red" not in str(noted["system"])


async def test_what_a_turn_used_and_cost_is_in_its_record_and_summed_per_day(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(PRICES)
    async with claude_app(Say(text="Well."), prices_file=tmp_path / "prices.toml") as app:
        reply = await app.say("hello to you", TALK, turn_id="t1")
        record = await app.decision(reply)

        (call,) = record["model_calls"]
        assert (call["input_tokens"], call["output_tokens"], call["cached_tokens"]) == (18, 5, 7)
        cost = Decimal("0.0001101")  # 11 at 3, 7 at 0.30, 5 at 15, per million
        assert Decimal(call["cost_usd"]) == Decimal(record["cost_usd"]) == cost
        assert call["paid_by"] == "system"
        await app.stream("and again")
        use = (await app.me())["model_use"]
        assert (use["tokens"], use["own_tokens"], use["limit"]) == (46, 0, None)
        assert Decimal(use["cost_usd"]) == 2 * cost
        assert (await app.me("bob"))["model_use"]["tokens"] == 0


async def test_why_tells_what_the_calls_used_and_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prices.toml").write_text(PRICES)
    monkeypatch.setenv("SOFTRAIL_DATABASE_URL", f"sqlite:///{tmp_path}/talk.db")
    store = SqliteStore(tmp_path / "talk.db", plugins=plugin_tables())
    async with claude_app(Say(text="Well."), store=store, prices_file=tmp_path / "prices.toml") as app:
        await app.say("hello to you", turn_id="t1")
        app.api.lines[:] = [Say(text="", stop="refusal")]
        await app.say("hello again", turn_id="t2")

    def why(turn_id: str) -> str:
        return CliRunner().invoke(command_line, ["why", turn_id]).output

    told = await asyncio.to_thread(why, "t1")
    assert "respond by claude-double: 18 tokens in (7 from the cache), 5 out, 0.0001101 US dollars" in told
    assert "What they cost:  0.0001101 US dollars" in told
    refused = await asyncio.to_thread(why, "t2")
    assert "failed. The model claude-double declined to answer, 18 tokens in" in refused


async def test_the_cost_of_a_model_without_a_price_is_not_known() -> None:
    async with claude_app(Say(text="Well.")) as app:
        record = await app.decision(await app.say("hello to you"))
        assert (record["cost_usd"], record["model_calls"][0]["cost_usd"]) == (None, None)
        use = (await app.me())["model_use"]
        assert (use["tokens"], use["cost_usd"]) == (23, None)


async def test_a_model_that_thinks_first_is_given_room_for_it_and_told_to_be_quick() -> None:
    async with claude_app(Say(text="Well."), claude_model="claude-sonnet-5-5") as app:
        await app.say("hello to you")
        (request,) = app.api.requests
        assert request["max_tokens"] > 1024
        assert request["output_config"] == {"effort": "low"}


async def test_of_a_hundred_turns_at_once_no_more_is_asked_than_the_budget_holds() -> None:
    async with claude_app(Say(text="At last."), tokens_per_day=5_000) as app:
        ada = await person(app.store, "ada")
        runs = [
            app.dispatcher.submit(Request(message=f"turn {n}", intent_hint=TALK), ada) for n in range(100)
        ]
        replies = [json.loads(await run.result()) for run in runs]

        answered = [r for r in replies if r["companion_message"] == "At last."]
        refused = [r for r in replies if "used up what I may spend" in r["companion_message"]]
        assert len(answered) == len(app.api.requests) >= 1
        assert len(answered) + len(refused) == 100
        use = (await app.me())["model_use"]
        assert use["tokens"] == 23 * len(answered) <= use["limit"] == 5_000
        record = await app.decision(refused[0])
        assert record["cost_usd"] == "0"
        # Others have their own budget, and so does the next day of this person.
        assert (await app.say("hello", who="bob"))["companion_message"] == "At last."


async def test_a_spent_budget_stops_no_guided_conversation() -> None:
    async with claude_app(Say(text="unheard"), tokens_per_day=10) as app:
        refused = await app.say("hello to you")
        assert refused["companion_message"].startswith("I have used up what I may spend")
        assert "set up my projects" in refused["suggested_actions"]  # what needs no model is still offered
        begun = await app.say("a booking app", "create_project")
        assert begun["process"]["name"] == "seed_conversation"
        assert app.api.requests == []
        history = await app.client.get(f"/sessions/{begun['session_id']}/turns", headers=headers("ada"))
        assert len(history.json()["items"]) == 2
