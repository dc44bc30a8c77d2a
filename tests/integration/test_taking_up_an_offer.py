"""Words of one's own for what is on offer take it up; what is meant for something else does not."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from softrail.bootstrap import plugin_tables
from softrail.core.turns import Turn
from softrail.processes.builtin.onboarding import Onboarding
from softrail.processes.builtin.standup import Standup
from softrail.reader import LayeredReader
from softrail.reader.learned import learned
from softrail.settings import Settings
from softrail.testing import FrozenClock, MemoryStore, Said, conversation

LINES = Path(__file__).parents[1] / "data" / "offered"


async def said_to(process: str, message: str) -> Said:
    """What is answered to the message, said to the offer of that process in a conversation of its own."""
    store = MemoryStore(plugins=plugin_tables(discover=False))
    patient = LayeredReader(learned, furthest="learned", limit=60)  # what is judged is what is read
    async with conversation(
        clock=FrozenClock(), discover=True, store=store, settings=Settings(), reader=patient
    ) as talk:
        offer = await talk.say("hi")
        assert (offer.process, offer.pending) == (process, "offer")
        return await talk.say(message)


@pytest.fixture
def standups(monkeypatch: pytest.MonkeyPatch) -> None:
    """The standup is what is offered, as by somebody who derives from it."""

    async def always(self: Standup, turn: Turn) -> bool:
        return True

    async def never(self: Onboarding, turn: Turn) -> bool:
        return False

    monkeypatch.setattr(Standup, "offer_when", always)
    monkeypatch.setattr(Onboarding, "offer_when", never)


def of(name: str, process: str) -> list[str]:
    """The lines of a list that were said to the offer of that process."""
    rows = [json.loads(line) for line in (LINES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row["message"] for row in rows if row["offers"] == process]


def test_the_lists_are_those_that_were_frozen() -> None:
    for line in (LINES / "frozen.sha256").read_text().splitlines():
        digest, name = line.split()
        assert sha256((LINES / name).read_bytes()).hexdigest() == digest


async def test_most_words_of_ones_own_for_the_standup_on_offer_begin_it(standups: None) -> None:
    said = [await said_to("standup", message) for message in of("second", "standup")]

    assert sum(one.state == "active" for one in said) >= 10  # 12 of 12


async def test_the_daily_thing_is_the_standup_that_is_on_offer(standups: None) -> None:
    said = await said_to("standup", "can we do my daily thing")

    assert (said.process, said.state) == ("standup", "active")
    assert [move.trigger for move in said.decision.transitions] == ["accept"]


@pytest.mark.parametrize(
    "message",
    [
        "what is a standup good for?",
        "can you send the standup to my boss",
        "show me my last standup",
        "remember that yesterday the boiler broke",
        "how did the team do yesterday",
        "let's start a new project",
    ],
)
async def test_what_only_speaks_of_it_begins_nothing_that_was_offered(standups: None, message: str) -> None:
    said = await said_to("standup", message)

    assert not any(move.dest == "active" and move.process == "standup" for move in said.decision.transitions)


async def test_the_project_setup_on_offer_is_begun_in_other_words() -> None:
    said = [await said_to("onboarding", message) for message in of("first", "onboarding")]

    assert sum(one.state == "active" and one.process == "onboarding" for one in said) >= 6
