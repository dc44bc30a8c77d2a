"""Actions as plugins: found when they are installed, given to whoever asks for them."""

import sys
from pathlib import Path

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, action, step
from softrail.core.actions import Attempt
from softrail.registry.actions import Actions
from softrail.registry.discovery import discover_actions, found
from softrail.testing.plugin import Talk
from tests.house.machine import announce

PLUGIN = """
from softrail import action
from softrail.core.action_definition import define_action

@action
def polish(shoe: str) -> str:
    \"\"\"Polishes a shoe.\"\"\"
    return f"{shoe}, polished"

@action
def lace(shoe) -> str:
    \"\"\"Has no type.\"\"\"
    return shoe
"""
PROJECT = """
[project]
name = "shoe-actions"
version = "1.0"

[project.entry-points."softrail.actions"]
shoes = "shoe_actions"
gone = "shoe_actions_of_old"
"""


def test_installed_actions_are_found_and_faulty_ones_do_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shoe_actions.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    announce(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    actions = Actions()

    faults = discover_actions(actions, found(bundled=()))
    monkeypatch.delitem(sys.modules, "shoe_actions")

    assert [one.name for one in actions.all()] == ["polish"]
    about = [fault.partition(": ")[2] for fault in faults]
    assert faults[0].startswith(
        "Entry point 'gone' = 'shoe_actions_of_old' of shoe-actions 1.0 could not be imported: ModuleNotFound"
    )
    assert about[1].startswith("Action 'lace' (shoe_actions.lace) has the parameter 'shoe' without a type")
    assert len(faults) == 2


class Store(BaseModel):
    """What is in stock."""

    shoes: int = 3


@action(repeatable=True)
async def stock(store: Store) -> int:
    """Tells how many there are."""
    return store.shoes


class Asking(Process, name="asking", version=1):
    """Tells the stock."""

    starts_on = ("how many shoes",)

    @step(first=True)
    async def look(self, said: Turn, data: "Data", actions: Actions) -> Done:
        return Done(f"There are {await actions.get('stock').run({}, Attempt(key=said.id))}.")

    class Data(BaseModel):
        pass


Data = Asking.Data


async def test_a_step_may_run_an_action_and_its_services_are_those_of_the_application(talk: Talk) -> None:
    c = await talk(Asking, actions=[stock], services={Store: Store(shoes=7)})

    assert (await c.say("how many shoes")).text == "There are 7."
