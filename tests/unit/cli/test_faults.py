"""What `softrail check` finds wrong with texts and intents."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, IntentDefinition, Process, Reroute, RouteResult, Turn, ask
from softrail.bootstrap import build, plugin_tables
from softrail.cli.faults import (
    example_faults,
    intent_faults,
    process_warnings,
    text_faults,
    vocabulary_faults,
)
from softrail.companion.wall import wall, wall_with
from softrail.core.errors import DefinitionError
from softrail.core.intents import Continue, Intent
from softrail.settings import Settings
from softrail.store import MemoryStore
from softrail.turns.dispatcher import Dispatcher

GOOD = ("one of them", "the second", "a third one", "number four", "and a fifth")


async def act(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult()


def application(*intents: IntentDefinition) -> Dispatcher:
    return build(Settings(), store=MemoryStore(), intents=intents, discover=False)


def written(folder: Path, **texts: str) -> Settings:
    for name, text in texts.items():
        area, _, rest = name.partition("__")
        (folder / area).mkdir(exist_ok=True)
        (folder / area / f"{rest}.v1.txt").write_text(text, encoding="utf-8")
    return Settings(prompts_dir=folder)


def test_an_intent_that_is_well_said_has_no_fault() -> None:
    fine = IntentDefinition(name="polish", description="They want shine.", examples=GOOD, handler=act)
    assert intent_faults(application(fine)) == []


@pytest.mark.parametrize(
    ("faulty", "reason"),
    [
        (IntentDefinition(name="polish", examples=GOOD, handler=act), "no description"),
        (IntentDefinition(name="polish", description="x", examples=GOOD[:4], handler=act), "4 examples"),
        (
            IntentDefinition(name="polish", description="x", examples=(*GOOD, "One of them!"), handler=act),
            "twice",
        ),
        (IntentDefinition(name="polish", description="x", examples=GOOD[:1], reply="Done."), "1 example;"),
        (IntentDefinition(name="polish", description="x", examples=GOOD, reply="x", bar=1.5), "from 0 to 1"),
        (IntentDefinition(name="polish", description="x", examples=GOOD, bar=float("nan")), "from 0 to 1"),
    ],
    ids=["description", "examples", "twice", "only a reply", "bar", "bar nan"],
)
def test_an_intent_of_which_too_little_is_said_is_named(faulty: IntentDefinition, reason: str) -> None:
    (fault,) = intent_faults(application(faulty))
    assert fault.path == "polish"
    assert reason in fault.message


def test_the_words_that_start_a_process_need_not_be_many_an_intent_that_starts_one_does() -> None:
    tidy = IntentDefinition(name="tidy", description="x", examples=GOOD[:1], process="standup")
    dispatcher = build(Settings(), store=MemoryStore(), intents=[tidy])

    assert dispatcher.registry.route("start_standup") is not None
    assert [str(fault) for fault in intent_faults(dispatcher)] == [
        "tidy: It has 1 example; it needs at least 5."
    ]


def test_a_sub_intent_without_its_primary_is_named() -> None:
    lone = IntentDefinition(name="polish.shoes", description="x", examples=GOOD, reply="Done.")
    whole = IntentDefinition(
        name="polish", description="x", examples=[f"{g} now" for g in GOOD], reply="Done."
    )

    assert [str(fault) for fault in intent_faults(application(lone))] == [
        "polish.shoes: It refines polish, which is not registered."
    ]
    assert intent_faults(application(lone, whole)) == []


def test_an_example_written_in_code_that_is_nearly_a_listed_message_is_named() -> None:
    copied = IntentDefinition(name="begin", description="x", examples=(*GOOD, "I want to start new projects"))

    found = example_faults(application(copied), Settings())

    assert [str(fault) for fault in found if fault.path == "begin"] == [
        "begin: The example 'I want to start new projects' is nearly the test message "
        "'I want to start a new project.'."
    ]


def test_an_example_that_two_intents_claim_is_a_fault() -> None:
    one = IntentDefinition(name="polish", description="x", examples=GOOD, handler=act)
    other = IntentDefinition(name="lace", description="x", examples=(*GOOD[1:], "no", "other"), handler=act)
    assert len(intent_faults(application(one, other))) == 4


def test_a_file_must_have_the_places_of_the_text_that_an_intent_brought(tmp_path: Path) -> None:
    lend = IntentDefinition(name="lend", reply="Until {until}.")
    settings = written(tmp_path, responder__lend="Take it, {name}.")

    found = [fault.message for fault in text_faults(settings, application(lend))]

    assert found == ["The place {until} is missing.", "The place {name} is not filled here."]


def test_a_file_must_have_the_places_of_the_sentence_that_a_step_says(tmp_path: Path) -> None:
    settings = written(tmp_path, clarification__question="{question}", processes__skipped="Fine.")
    dispatcher = build(Settings(), store=MemoryStore(), discover=True)

    found = [str(fault) for fault in text_faults(settings, dispatcher)]

    assert any("clarification/question.v1.txt: The place {options} is missing." in one for one in found)


def test_a_word_that_is_kept_from_people_is_found_in_what_an_intent_brings() -> None:
    wrong = IntentDefinition(
        name="lend", description="They want a specialist.", reply="One\nassertion.", label="An engagement"
    )

    found = {
        (fault.path, fault.line): fault.message for fault in vocabulary_faults(Settings(), application(wrong))
    }

    assert "assertion" in found["responder/lend", 2]
    assert "engagement" in found["lend", 1]
    assert "specialist" in found["lend", 2]


def test_words_of_the_operator_are_found_in_their_texts_and_in_ours(tmp_path: Path) -> None:
    (tmp_path / "wall.toml").write_text('[words]\n"guided" = "led"\n"synergy" = "effect"\n', encoding="utf-8")
    settings = written(tmp_path, replies__thanks="What a synergy.")

    found = [str(fault) for fault in vocabulary_faults(settings, application())]

    assert "replies/thanks v1:1: The word “synergy” is kept from people; use another." in found
    assert any(one.startswith("responder/general_conversation v1:1: The word “guided”") for one in found)


def test_the_wall_with_words_of_the_operator_keeps_ours_too(tmp_path: Path) -> None:
    (tmp_path / "wall.toml").write_text('[words]\n"net zero" = "neutral"\n', encoding="utf-8")

    both = wall_with(tmp_path)

    assert both.clean("A Net-Zero engagement").text == "A Neutral project"
    assert wall_with(None) is wall()
    assert wall_with(tmp_path / "elsewhere") is wall()


@pytest.mark.parametrize(
    "content",
    ["[words", '[words]\n"Synergy" = "effect"\n', '[words]\n"synergy" = ""\n', '[words]\n"synergy" = 3\n'],
    ids=["no toml", "capitals", "nothing instead", "no text"],
)
def test_a_wall_file_that_is_none_is_refused_by_name(tmp_path: Path, content: str) -> None:
    (tmp_path / "wall.toml").write_text(content, encoding="utf-8")

    with pytest.raises(DefinitionError, match=r"wall\.toml"):
        wall_with(tmp_path)


class Hidden(Process, name="hidden", version=1):
    """Nobody gets there."""

    offer_text = "Shall we?"

    class Answers(BaseModel):
        name: str = ask("Name?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("ok")


class Opens(Process, name="opens", version=1):
    """It names the other one."""

    starts_on = ("open it",)

    class Answers(BaseModel):
        name: str = ask("Name?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("ok", reroute=[Reroute(message="hidden", intent="hidden")])


def talking(*processes: type[Process], **more: Any) -> Dispatcher:
    return build(Settings(), store=MemoryStore(), processes=processes, discover=False, **more)


def test_a_process_that_nobody_can_start_is_warned_of_with_file_and_line() -> None:
    idle, lonely = process_warnings(talking(Hidden))

    assert idle.message.startswith(f"Process 'hidden' ({__name__}.Hidden) has offer_text, which does nothing")
    assert "can be started by nobody" in lonely.message
    assert "Give it starts_on" in lonely.message
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    assert lines[idle.line - 1].strip() == 'offer_text = "Shall we?"'
    assert lines[lonely.line - 1].startswith("class Hidden(")
    assert lonely.path.endswith("test_faults.py")


class Told(Opens, name="told", version=1):
    """It says what becomes of the answers."""

    becomes = "We alone see it."


def test_what_becomes_of_answers_is_warned_of_where_nobody_tells_it() -> None:
    [warned] = process_warnings(talking(Told))

    assert "says what it becomes, and nobody is there to tell it" in warned.message
    assert "Name it in the setting `bundled`." in warned.message
    assert (
        Path(__file__).read_text(encoding="utf-8").splitlines()[warned.line - 1].strip().startswith("becomes")
    )
    companion = build(Settings(), store=MemoryStore(plugins=plugin_tables(discover=False)), processes=[Told])
    assert process_warnings(companion) == []


def test_words_an_intent_a_handler_or_another_process_lead_to_a_process() -> None:
    async def opens(turn: Turn, intent: Intent) -> Continue:
        return Continue(process="hidden", otherwise=RouteResult())

    starts = IntentDefinition(name="go", description="x", examples=GOOD, process="hidden")
    carries = IntentDefinition(name="go", description="x", examples=GOOD, handler=opens)
    for application in (
        talking(Hidden, intents=[starts]),
        talking(Hidden, intents=[carries]),
        talking(Hidden, Opens),
    ):
        assert not any("started by nobody" in w.message for w in process_warnings(application))


def test_what_comes_with_softrail_has_nothing_to_be_warned_of() -> None:
    assert process_warnings(build(Settings(), store=MemoryStore(plugins=plugin_tables(discover=False)))) == []
