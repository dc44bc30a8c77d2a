"""Intents as plugins: checked when they are registered, found when they are installed."""

import sys
from pathlib import Path
from typing import Any

import pytest

from softrail import IntentDefinition, RouteResult, Turn
from softrail.bootstrap import build
from softrail.core.errors import DefinitionError
from softrail.core.intents import Candidate, Clarify, Intent
from softrail.processes.builtin.clarification import Clarification
from softrail.registry.discovery import discover
from softrail.registry.registry import Registry
from softrail.settings import Settings
from softrail.store import MemoryStore
from softrail.testing.plugin import Talk
from tests.house.machine import announce

PLUGIN = """
from softrail import IntentDefinition, RouteResult

async def act(turn, intent):
    return RouteResult(text="done")

GOOD = IntentDefinition(name="polish_shoes", handler=act)
BAD = IntentDefinition(name="Polish Shoes", handler=act)

def register(registry):
    registry.register_intent(IntentDefinition(name="lace_shoes"), act)
"""
PROJECT = """
[project]
name = "shoe-care"
version = "1.0"
[project.entry-points."softrail.intents"]
good = "shoe_care:GOOD"
bad = "shoe_care:BAD"
function = "shoe_care:register"
"""


async def act(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text="done")


def plain(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text="done")


@pytest.mark.parametrize(
    ("faulty", "reason"),
    [
        (IntentDefinition(name="Polish Shoes"), "small letters"),
        (IntentDefinition(name="a.b.c"), "small letters"),
        (IntentDefinition(name="polish", examples="polish my shoes"), "not a list of texts"),
        (IntentDefinition(name="polish", parameters=dict), "not a Pydantic model"),  # type: ignore[arg-type]
        (IntentDefinition(name="polish", handler=plain), "no `async def` function"),  # type: ignore[arg-type]
        (IntentDefinition(name="polish", handler=act, process="standup"), "choose one"),
    ],
    ids=["name", "dots", "examples", "parameters", "handler", "two ends"],
)
def test_an_intent_that_could_only_fail_later_is_refused(faulty: IntentDefinition, reason: str) -> None:
    with pytest.raises(DefinitionError, match=reason):
        Registry().register_intent(faulty)


def test_an_intent_names_its_own_handler() -> None:
    registry = Registry()

    registry.register_intent(IntentDefinition(name="polish", handler=act))

    route = registry.route("polish")
    assert route is not None
    assert route.handler is act
    assert registry.acts("polish")
    assert not registry.acts("greeting")


async def test_build_takes_intents_with_their_handler_and_pairs_alike() -> None:
    own = IntentDefinition(name="polish", handler=act)
    dispatcher = build(
        Settings(),
        store=MemoryStore(),
        intents=[own, (IntentDefinition(name="lace"), act)],
        discover=False,
    )

    assert dispatcher.registry.acts("polish")
    assert dispatcher.registry.acts("lace")


def test_an_installed_intent_is_found_and_a_faulty_one_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shoe_care.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    announce(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry()

    faults = discover(registry)
    monkeypatch.delitem(sys.modules, "shoe_care")

    assert registry.acts("polish_shoes")
    assert registry.acts("lace_shoes")
    (fault,) = [fault for fault in faults if "shoe_care" in fault]
    assert fault.startswith(
        "Entry point 'bad' = 'shoe_care:BAD' of shoe-care 1.0: The intent 'Polish Shoes' needs a name"
    )


class Torn:
    """Finds two readings of everything."""

    async def classify(self, message: str, candidates: Any, **more: Any) -> Intent:
        readings = [Candidate(intent=name, confidence=0.75) for name in ("polish", "lace")]
        return Intent(name="polish", confidence=0.75, tier="exemplars", candidates=readings, ambiguous=True)


async def test_two_readings_are_offered_by_their_labels_and_a_label_sent_back_decides(talk: Talk) -> None:
    async def polish(turn: Turn, intent: Intent) -> RouteResult | Clarify:
        return RouteResult(text=f"polished: {turn.message}")

    c = await talk(
        Clarification,
        IntentDefinition(
            name="polish", description="They want shine.", label="Have them polished", handler=polish
        ),
        IntentDefinition(name="lace", description="They want laces.", handler=act),
        classifier=Torn(),
    )

    asked = await c.say("do my shoes")

    assert asked.reply.suggested_actions[:2] == ["Have them polished", "Lace"]
    assert "A) Have them polished\nB) Lace: They want laces.\n" in asked.text
    assert (await c.say("Have them polished")).text == "polished: do my shoes"
