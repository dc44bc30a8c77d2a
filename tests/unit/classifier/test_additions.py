import logging
from pathlib import Path

import pytest

from softrail.bootstrap import build
from softrail.classifier import Bars, Cascade
from softrail.classifier.additions import with_additions, with_voices
from softrail.core.intents import IntentDefinition
from softrail.settings import Settings
from softrail.store import MemoryStore

GREET = IntentDefinition(name="greet", description="A greeting.", examples=("hello there", "oi"), reply="Hi.")
ASK = IntentDefinition(name="ask", description="A question.", examples=("who are you",), bar=0.9)


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_examples_are_added_once_and_bars_and_descriptions_replaced(tmp_path: Path) -> None:
    one = file(
        tmp_path, "one.yaml", "primary_intents:\n  greet:\n    examples: [Hello THERE!, salutations]\n"
    )
    two = file(
        tmp_path,
        "two.yaml",
        "primary_intents:\n  greet:\n    bar: 0.6\n    examples: [salutations, ahoy]\n  ask:\n    description: Asked.\n",
    )

    greet, ask = with_additions([GREET, ASK], [one, two])

    assert (greet.examples, greet.bar, greet.reply) == (
        ("hello there", "oi", "salutations", "ahoy"),
        0.6,
        "Hi.",
    )
    assert (ask.examples, ask.bar, ask.description) == (("who are you",), 0.9, "Asked.")


def test_a_plugin_tells_what_people_say_for_an_intent_of_anybody() -> None:
    more = {"greet": ("oi!", "good day to you"), "nobodys": ("…",)}

    (greet,) = with_voices([GREET, ASK], more)

    assert (greet.examples, greet.voices) == (("hello there", "oi"), ("good day to you",))
    assert greet.reply == "Hi."


def test_only_what_changes_comes_back(tmp_path: Path) -> None:
    path = file(tmp_path, "more.yaml", "primary_intents:\n  ask:\n    bar: 0.7\n")

    assert [intent.name for intent in with_additions([GREET, ASK], [path])] == ["ask"]
    assert with_additions([GREET, ASK], []) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "primary_intents:\n  great:\n    bar: 0.7\n",
            "more.yaml:2: No intent named 'great' is registered. Did you",
        ),
        ("primary_intents: [", "more.yaml:1: It is not YAML"),
        ("primary_intents:\n  greet:\n    bar: 7\n", "more.yaml:3: The bar of greet must be a number"),
    ],
    ids=["unknown name", "no YAML", "bar"],
)
def test_what_cannot_be_used_is_passed_over_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, said: str
) -> None:
    with caplog.at_level(logging.WARNING):
        found = with_additions([GREET], [file(tmp_path, "more.yaml", text)])

    assert all(intent == GREET for intent in found)
    assert said in caplog.text


async def test_an_assistant_reads_by_the_files_and_bars_of_its_settings(tmp_path: Path) -> None:
    path = file(tmp_path, "more.yaml", "primary_intents:\n  greet:\n    examples: [top of the morning]\n")
    settings = Settings(
        intents_files=(path,), encoder="none", cache_dir=tmp_path, bar=0.9, bar_floor=0.4, strangers=0.3
    )
    parts = build(settings, store=MemoryStore(), intents=[GREET, ASK], discover=False).parts

    read = await parts.classifier.classify("top of the morning", parts.registry.intents())

    assert isinstance(parts.classifier, Cascade)
    assert parts.classifier.bars == Bars(bar=0.9, floor=0.4)
    assert (read.name, read.confidence, read.tier) == ("greet", 1.0, "exemplars")
    route = parts.registry.route("greet")
    assert route is not None
    assert route.intent.reply == "Hi."
