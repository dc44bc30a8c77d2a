import logging
from pathlib import Path
from typing import Any

import pytest

from softrail.core.intents import Intent, IntentDefinition
from softrail.core.ports import Words
from softrail.models import PlainModel, ScriptedModel
from softrail.prompts import BroughtTexts, Library, PlainResponder
from tests.unit.prompts.test_responder import said

BORROW = IntentDefinition(
    name="borrow_tool", reply="The {tool} is yours until {until}.", instruction="Say when it is due."
)


async def answer(prompts: BroughtTexts, found: dict[str, Any] | None, model: Any = None) -> Words:
    read = Intent(name="borrow_tool", confidence=1.0, tier="exemplars")
    data = {} if found is None else {"operation_data": found}
    return await PlainResponder(prompts).respond(said(), read, data, model=model or PlainModel())


async def test_the_reply_of_an_intent_is_filled_with_what_its_handler_found() -> None:
    words = await answer(BroughtTexts(Library(), [BORROW]), {"tool": "ladder", "until": "9 March", "fee": 0})

    assert words.text == "The ladder is yours until 9 March."
    assert [ref.partition(" ")[0] for ref in words.prompts][-1] == "responder/borrow_tool@1"


async def test_what_was_found_is_never_looked_at_again() -> None:
    words = await answer(BroughtTexts(Library(), [BORROW]), {"tool": "{until}", "until": None})

    assert words.text == "The {until} is yours until ."


async def test_a_file_of_the_operator_takes_the_place_of_an_intents_text(tmp_path: Path) -> None:
    (tmp_path / "responder").mkdir()
    (tmp_path / "responder" / "borrow_tool.v2.txt").write_text("Take the {tool}.", encoding="utf-8")

    prompts = BroughtTexts(Library(overrides=tmp_path), [BORROW])

    assert (await answer(prompts, {"tool": "saw", "until": "9 March"})).text == "Take the saw."
    found = prompts.get("responder/borrow_tool")
    assert found is not None
    assert found.version == 2


async def test_a_reply_with_a_place_that_nothing_was_found_for_does_not_fail_the_turn(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        words = await answer(BroughtTexts(Library(), [BORROW]), {"tool": "saw"})

    assert words.text == "Here is what I found.\ntool: saw"
    assert "responder/borrow_tool" in caplog.text


async def test_an_intent_that_only_has_something_to_say_says_it() -> None:
    hours = IntentDefinition(name="borrow_tool", reply="The shed is open from 9 to 5.")

    assert (await answer(BroughtTexts(Library(), [hours]), None)).text == "The shed is open from 9 to 5."


async def test_a_model_is_told_the_instruction() -> None:
    model = ScriptedModel(["It is due on 9 March."])

    words = await answer(BroughtTexts(Library(), [BORROW]), {"tool": "saw", "until": "9 March"}, model)

    assert words.text == "It is due on 9 March."
    assert model.requests[0].system.endswith("Say when it is due.")
    assert "instructions/borrow_tool@1" in " ".join(words.prompts)


def test_texts_that_no_intent_brought_are_those_of_the_library() -> None:
    prompts = BroughtTexts(Library(), [BORROW])

    assert prompts.render("responder/done", done="x") == Library().render("responder/done", done="x")
    assert prompts.render("nothing/like_it", "as {it} stands", it="this") == "as this stands"
    assert prompts.get("nothing/like_it") is None
