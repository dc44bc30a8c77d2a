"""What a turn changed in what processes keep, as the record tells it."""

from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.dialogue.changes import merge_patch
from softrail.testing.plugin import Talk


class Account(Process, name="account", version=1):
    """An account."""

    starts_on = ("open an account",)

    class Answers(BaseModel):
        """What is asked."""

        name: str = ask("Which name?")
        secret: str = ask("Which secret?", shown=False)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Opened.")


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({}, {}, {}),
        ({"a": 1}, {"a": 1, "b": [2]}, {"b": [2]}),
        ({"a": 1, "b": 2}, {"b": 3}, {"a": None, "b": 3}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1, "y": 3}}, {"a": {"y": 3}}),
        ({"a": {"x": 1}}, {"a": {"x": 1}}, {}),
    ],
    ids=["nothing", "added", "gone-and-changed", "within", "the-same"],
)
def test_a_patch_says_only_what_is_different(
    before: dict[str, Any], after: dict[str, Any], patch: dict[str, Any]
) -> None:
    assert merge_patch(before, after) == patch


async def test_the_record_tells_what_changed_and_never_what_is_not_shown(talk: Talk) -> None:
    c = await talk(Account)
    begun = await c.say("open an account")
    named = await c.say("Ada")
    hidden = await c.say("open sesame")

    assert begun.decision.changed == []
    assert [one.patch for one in named.decision.changed] == [{"answers": {"name": "Ada"}}]
    assert [one.patch for one in hidden.decision.changed] == [{"answers": {"secret": "…"}}]
    assert "sesame" not in hidden.decision.to_json()


async def test_each_gate_says_how_long_it_took(talk: Talk) -> None:
    said = await (await talk(Account)).say("open an account")

    assert all(gate.ms is not None and gate.ms >= 0 for gate in said.decision.gates)
