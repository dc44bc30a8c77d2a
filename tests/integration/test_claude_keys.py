"""People's own keys over HTTP: who pays, what is kept, and that the key is nowhere to be read."""

import asyncio
import json
import logging
from pathlib import Path

import pytest
from typer.testing import CliRunner

from softrail.bootstrap import plugin_tables
from softrail.cli import app as command_line
from softrail.core.clock import now
from softrail.models.vault import Vault
from softrail.store import MemoryStore, SqliteStore
from tests.integration.claude_server import OWN, SECRET, SYSTEM, TROUBLE, claude_app
from tests.integration.companion_server import headers
from tests.messages_api import Fail, Say

pytest.importorskip("anthropic")

WELL = Say(text="Well.")
PLAIN = "create a project"  #: words of an answer without a model, to somebody new


async def test_a_persons_turns_are_paid_with_their_own_key_and_others_with_the_systems() -> None:
    async with claude_app(WELL, secret_key=SECRET) as app:
        await app.say("hello to you")
        assert (await app.set_key()).status_code == 204
        own = await app.say("hello again")
        await app.stream("and once more")
        await app.say("hello to you", who="bob")

        assert app.api.keys == [SYSTEM, OWN, OWN, SYSTEM]
        assert (await app.decision(own))["model_calls"][0]["paid_by"] == "person"
        me = await app.me()
        assert me["model_key"] == "used"
        assert (me["model_use"]["tokens"], me["model_use"]["own_tokens"]) == (23, 46)
        assert (await app.me("bob"))["model_key"] == "none"


async def test_with_a_key_of_their_own_a_person_has_claude_where_the_system_has_no_model() -> None:
    async with claude_app(WELL, key=None, secret_key=SECRET) as app:
        assert PLAIN in (await app.say("I wonder about sheep"))["companion_message"]
        await app.set_key()

        assert (await app.say("I wonder about sheep"))["companion_message"] == "Well."
        assert PLAIN in (await app.say("I wonder about sheep", who="bob"))["companion_message"]
        assert app.api.keys == [OWN]
        ready = (await app.client.get("/readyz")).json()
        assert (ready["model"], ready["model_standing"]) == ("plain", None)


async def test_an_erased_key_is_gone_at_once_and_erasing_it_again_is_harmless() -> None:
    async with claude_app(WELL, secret_key=SECRET) as app:
        await app.set_key()
        for _ in range(2):
            gone = await app.client.delete("/me/model-key", headers=headers("ada"))
            assert gone.status_code == 204
        await app.say("hello to you")

        assert app.api.keys == [SYSTEM]
        assert (await app.me())["model_key"] == "none"
        assert await app.store.model_keys() == {}


async def test_who_erases_themselves_erases_their_key() -> None:
    async with claude_app(WELL, secret_key=SECRET) as app:
        await app.set_key()
        assert len(await app.store.model_keys()) == 1

        await app.client.delete("/me", headers=headers("ada"))

        assert await app.store.model_keys() == {}
        assert (await app.me())["model_key"] == "none"


async def test_changing_ones_name_keeps_the_key() -> None:
    async with claude_app(WELL, secret_key=SECRET) as app:
        await app.set_key()
        changed = await app.client.patch("/me", json={"display_name": "Ada"}, headers=headers("ada"))

        assert changed.json()["model_key"] == "used"
        await app.say("hello to you")
        assert app.api.keys == [OWN]


async def test_the_budget_of_the_system_is_not_for_turns_that_people_pay_themselves() -> None:
    async with claude_app(WELL, secret_key=SECRET, tokens_per_day=10) as app:
        await app.set_key()
        assert (await app.say("hello to you"))["companion_message"] == "Well."
        assert "used up" in (await app.say("hello to you", who="bob"))["companion_message"]


async def test_a_key_that_the_provider_refuses_falls_back_to_the_systems() -> None:
    async with claude_app(Fail(status=401), WELL, secret_key=SECRET) as app:
        await app.set_key()
        reply = await app.say("hello to you")

        assert reply["companion_message"] == "Well."
        assert app.api.keys == [OWN, SYSTEM]
        assert (await app.decision(reply))["model_calls"][0]["paid_by"] == "system"


async def test_a_busy_provider_of_one_person_is_not_asked_with_the_systems_key() -> None:
    async with claude_app(Fail(status=429, headers={"retry-after-ms": "1"}), secret_key=SECRET) as app:
        await app.set_key()
        for _ in range(3):
            assert (await app.say("hello to you"))["companion_message"].startswith(TROUBLE)
        assert set(app.api.keys) == {OWN}
        app.api.lines[:] = [WELL]
        # Their circuit is open, that of everybody else is not.
        assert (await app.say("hello to you"))["companion_message"].startswith(TROUBLE)
        assert (await app.say("hello to you", who="bob"))["companion_message"] == "Well."


async def test_a_server_without_a_secret_keeps_nothing_and_says_what_to_do() -> None:
    async with claude_app(WELL) as app:
        refused = await app.set_key()

        assert refused.status_code == 409
        assert refused.json()["error"]["code"] == "model_keys_off"
        assert "SOFTRAIL_SECRET_KEY" in refused.json()["error"]["message"]
        assert await app.store.model_keys() == {}


async def test_a_server_that_is_set_to_plain_takes_no_keys() -> None:
    async with claude_app(WELL, model="plain", secret_key=SECRET) as app:
        refused = await app.set_key()

        assert refused.json()["error"]["code"] == "model_keys_off"
        assert "SOFTRAIL_MODEL" in refused.json()["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [{}, {"key": None}, {"key": ""}, {"key": "short"}, {"key": "schlüssel-canary"}, {"key": "two words canary"},
     {"key": "line\r\nx-canary: 1"}, {"key": "canary" * 100}, {"key": 12345678}, {"key": OWN, "person_id": "x"}, []],
    ids=str,
)  # fmt: skip
async def test_what_cannot_be_a_key_is_refused_and_not_repeated(body: object) -> None:
    async with claude_app(WELL, secret_key=SECRET) as app:
        refused = await app.client.put("/me/model-key", json=body, headers=headers("ada"))

        assert refused.status_code == 422
        assert "canary" not in refused.text
        assert await app.store.model_keys() == {}


async def test_the_key_is_nowhere_to_be_read(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "talk.db", plugins=plugin_tables(discover=False))
    seen: list[str] = []
    with caplog.at_level(logging.DEBUG):
        async with claude_app(WELL, Fail(status=401), store=store, secret_key=SECRET) as app:
            seen.append((await app.set_key()).text)
            replies = [await app.say("hello to you"), await app.say("hello again")]
            seen += [json.dumps(replies), json.dumps([await app.decision(reply) for reply in replies])]
            for path in ("/me", "/me/export", "/openapi.json", "/readyz", "/healthz"):
                seen.append((await app.client.get(path, headers=headers("ada"))).text)
            seen.append(repr(app.dispatcher.parts) + repr(app.dispatcher.parts.model_keys))
            seen.append(repr([vars(k) for k in app.dispatcher.parts.model_keys._kept.values()]))  # type: ignore[attr-defined]
            assert {OWN, SYSTEM} <= set(app.api.keys)

    for text in [*seen, caplog.text]:
        assert OWN not in text
        assert SYSTEM not in text
        assert SECRET not in text
    assert OWN.encode() not in _bytes_in(tmp_path)


def _bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


def test_a_new_secret_takes_over_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = "o" * 40, "n" * 40
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOFTRAIL_DATABASE_URL", f"sqlite:///{tmp_path}/talk.db")
    terminal = CliRunner()

    def reseal(secrets: str) -> tuple[int, str]:
        monkeypatch.setenv("SOFTRAIL_SECRET_KEY", secrets)
        said = terminal.invoke(command_line, ["keys", "reseal"])
        return said.exit_code, said.output

    async def keep() -> None:
        store = SqliteStore(tmp_path / "talk.db", plugins=plugin_tables())
        await store.start()
        await store.ensure_person("ada@example.org", id="ada", at=now())
        await store.set_model_key("ada", Vault([old]).seal("ada", OWN))
        await store.close()

    asyncio.run(keep())
    assert reseal("") == (
        2,
        "There is no secret: set SOFTRAIL_SECRET_KEY to the new one, a comma, and the old one.\n",
    )
    assert reseal(new)[0] == 1
    assert reseal(f"{new},{old}") == (0, "Sealed anew: 1.\n")
    assert reseal(new) == (0, "Sealed anew: 1.\n")


async def test_people_of_a_store_in_memory_have_keys_too() -> None:
    store = MemoryStore(plugins=plugin_tables(discover=False))
    async with claude_app(WELL, store=store, secret_key=SECRET) as app:
        await app.set_key()
    async with claude_app(WELL, store=store, secret_key=f"{'n' * 40},{SECRET}") as app:
        await app.say("hello to you")
        assert app.api.keys == [OWN]
    async with claude_app(WELL, store=store, secret_key="n" * 40) as app:
        await app.say("hello to you")
        assert app.api.keys == [SYSTEM]
        assert (await app.me())["model_key"] == "unreadable"
