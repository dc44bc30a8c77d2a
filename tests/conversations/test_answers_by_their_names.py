"""“Today: the rollback” gives an answer by its name, at whatever question; a new value is read back."""

import pytest

from softrail.processes.builtin.standup import Standup
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept

TO_BLOCKERS = ("let's do my standup", "fixed the login bug", "ship the search")


async def _answers(*lines: str) -> tuple[str, dict[str, list[str]]]:
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (*TO_BLOCKERS, *lines):
            said = await talk.say(line)
        return said.text, await kept(talk, said)


async def test_more_of_a_list_is_read_back() -> None:
    text, answers = await _answers("today: the rollback")
    assert text.startswith("Today: ship the search; the rollback.")
    assert answers["today"] == ["ship the search", "the rollback"]


async def test_what_is_none_of_a_list_is_no_item_of_it() -> None:
    text, answers = await _answers("today: rollback, not search")
    assert text.startswith("Today: rollback.")
    assert answers["today"] == ["rollback"]


@pytest.mark.parametrize("none", ["nothing", "none"])
async def test_none_behind_a_name_empties_it(none: str) -> None:
    text, answers = await _answers(f"yesterday: {none}")
    assert text.startswith("Yesterday: none.")
    assert not answers.get("yesterday")


async def test_none_behind_the_name_of_the_open_answer_is_none_of_it() -> None:
    _, answers = await _answers("blockers: nothing at all")
    assert not answers.get("blockers")
