"""A process has changed, or is gone, while a person was in it: the ways out say what is true."""

from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.bootstrap import build
from softrail.core.errors import DefinitionError
from softrail.registry.registry import Registry
from softrail.settings import Settings
from softrail.store import MemoryStore
from softrail.testing.plugin import Talk


class Old(Process, name="order", version=1):
    """An order, as it was."""

    title = "the order"
    starts_on = ("order it",)

    class Answers(BaseModel):
        """What it asked for."""

        what: str = ask("What?")
        many: int = ask("How many?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.")


class New(Process, name="order", version=2):
    """An order, as it is."""

    title = "the order"
    starts_on = ("order it",)
    on_new_version = "migrate"

    class Answers(BaseModel):
        """What it asks for."""

        what: str = ask("What thing?")
        size: str = ask("Which size?")

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return {"what": data.get("what")}, "gathering_size"

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.")


class Other(Process, name="other", version=1):
    """Something else that is installed."""

    starts_on = ("do the other",)

    class Answers(BaseModel):
        """What it asks for."""

        thing: str = ask("Which thing?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Did it.")


async def _then(talk: Talk, *installed: type[Process]) -> Any:
    store = MemoryStore()
    before = await talk(Old, store=store)
    await before.say("order it")
    await before.say("lamps")
    after = build(Settings(), store=store, processes=installed, discover=False)
    c = await talk(dispatcher=after)
    c.session_id = before.session_id
    return c


async def test_start_over_starts_over_in_the_new_version(talk: Talk) -> None:
    c = await _then(talk, New)

    said = await c.say("start over")

    assert (said.step, said.reply.process.version) == ("gathering_what", 2)
    assert "kept" not in said.text
    assert "lamps" not in (await c.say("stop")).text


async def test_an_escape_pauses_what_is_gone_and_says_so(talk: Talk) -> None:
    c = await _then(talk, Other)

    said = await c.say("stop")

    assert said.state == "suspended"
    assert said.text == "Okay, the order is paused and nothing is lost. Say “resume” to pick it up again."


async def test_leaving_what_is_gone_claims_nothing_about_what_was_told(talk: Talk) -> None:
    c = await _then(talk, Other)

    said = await c.say("cancel the order")

    assert (said.state, said.text) == ("abandoned", "Okay, I've stopped the order.")


async def test_that_it_cannot_be_resumed_is_said_once(talk: Talk) -> None:
    c = await _then(talk, Other)
    await c.say("stop")

    said = await c.say("resume")

    assert said.text.count("I can't go on with the order") == 1


def test_a_migrate_that_is_no_class_method_is_a_definition_error() -> None:
    class Wrong(New, name="wrong", version=2):
        """An order."""

        def migrate(self, data: dict[str, Any], *, from_version: int, step: str) -> Any:  # type: ignore[override] # wrong on purpose
            return data, step

    with pytest.raises(DefinitionError, match="class method"):
        Registry().register(Wrong)
