"""A field that is renamed without a new version: the run begins afresh, and the developer is told what to do."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.store import MemoryStore
from softrail.testing.plugin import Talk


class Contact(Process, name="contact", version=1):
    """How to reach you."""

    starts_on = ("change my contact",)

    class Answers(BaseModel):
        name: str = ask("What is your name?")
        phone: str = ask("What is your phone number?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Renamed(Process, name="contact", version=1):
    """The same, with another name for the first answer."""

    starts_on = ("change my contact",)

    class Answers(BaseModel):
        full_name: str = ask("What is your full name?")
        phone: str = ask("What is your phone number?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


async def test_the_run_is_not_closed_and_the_record_says_what_to_do(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    before = await talk(Contact, store=store)
    await before.say("change my contact")
    await before.say("Ada Lovelace")

    after = await talk(Renamed, store=store)
    after.session_id = before.session_id
    said = await after.say("0151 4402 118")

    assert said.text == (
        "There is a new version of the contact, so we start it afresh.\n\nWhat is your full name?"
    )
    assert said.state == "active"
    told = "does not ask for name any more, and a run of that version has it"
    assert told in (said.decision.trouble or "")
    assert "say version=2" in caplog.text
