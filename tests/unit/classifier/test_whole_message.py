"""The bundled encoder and exemplars on messages of several sentences: every word of them has a place."""

from dataclasses import replace

import pytest
from pydantic import BaseModel

from softrail.classifier import Cascade, default_cache
from softrail.companion.catalogue import bundled_files
from softrail.core.intents import Intent, IntentDefinition

INTENTS = [d for catalogue in bundled_files() for d in catalogue.intents]
PLANS = ("query", "plan_new", "plan_continue", "control")


class Note(BaseModel):
    knowledge_text: str


class File(BaseModel):
    artifact_description: str


TAKES: dict[str, type[BaseModel]] = {"add_knowledge": Note, "request_download": File}


@pytest.fixture(scope="module")
def cascade() -> Cascade:
    return Cascade(cache=default_cache())


@pytest.fixture(scope="module")
def companion() -> list[IntentDefinition]:
    own = [d for d in INTENTS if d.name.partition(".")[0] not in PLANS]
    return [replace(d, parameters=TAKES.get(d.name)) for d in own]


def parts(intent: Intent) -> list[tuple[str, str]]:
    """Each wish with what is kept of it, else with its words."""
    return [(one.name, one.parameters.get("knowledge_text", one.text)) for one in (intent, *intent.also)]


@pytest.mark.parametrize(
    ("message", "wishes", "left"),
    [
        (
            "The budget is 20000 euros. The deadline is March 15th. How is the project going?",
            [
                ("add_knowledge", "The budget is 20000 euros. The deadline is March 15th"),
                ("ask_about_progress", "How is the project going?"),
            ],
            "",
        ),
        (
            "Note that the roof is red. The gate was painted blue. Show me my notes.",
            [
                ("add_knowledge", "the roof is red. The gate was painted blue"),
                ("ask_about_past_input", "Show me my notes."),
            ],
            "",
        ),
        (
            "Show me my notes. Our supplier sits in Graz. Download the report. It ships on Fridays.",
            [
                ("ask_about_past_input", "Show me my notes."),
                ("add_knowledge", "Our supplier sits in Graz. It ships on Fridays"),
                ("request_download", "Download the report."),
            ],
            "",
        ),
        (
            "Remember the deadline is May 3. Show me my notes. Download the report. Move the note about X to the"
            " other project.",
            [
                ("add_knowledge", "the deadline is May 3"),
                ("ask_about_past_input", "Show me my notes."),
                ("request_download", "Download the report."),
            ],
            "Move the note about X to the other project.",
        ),
        (
            "Show me my notes. I want to start a new project. Download the specification.",
            [
                ("ask_about_past_input", "Show me my notes."),
                ("create_project", "I want to start a new project."),
                ("request_download", "Download the specification."),
            ],
            "",
        ),
        (
            "Our supplier sits in Graz. Should I approve the draft?",
            [("add_knowledge", "Our supplier sits in Graz")],
            "Should I approve the draft?",
        ),
    ],
    ids=[
        "two facts",
        "an unclear fact",
        "facts apart",
        "four wishes",
        "a start in the middle",
        "a question left",
    ],
)
async def test_every_part_of_a_message_is_in_a_wish_or_left_over(
    cascade: Cascade,
    companion: list[IntentDefinition],
    message: str,
    wishes: list[tuple[str, str]],
    left: str,
) -> None:
    intent = await cascade.classify(message, companion)

    assert (parts(intent), intent.left_over) == (wishes, left)


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        (
            "Our shop opens at nine. Instead of invoices we send receipts.",
            "Our shop opens at nine. Instead of invoices we send receipts",
        ),
        (
            "Remember that the deadline is March 3. wait, I got that wrong. It's March 5.",
            "the deadline is March 5",
        ),
        (
            "Note that the roof is red. The deadline is May 3. I mean May 4.",
            "the roof is red. The deadline is May 4",
        ),
        (
            "The deadline is March 3. wait, I got that wrong. The bank closes on Fridays.",
            "The deadline is March 3. wait, I got that wrong. The bank closes on Fridays",
        ),
    ],
    ids=[
        "no correction",
        "its subject is kept",
        "only what is corrected",
        "both sides with the words between",
    ],
)
async def test_a_note_holds_what_is_true_after_a_correction_or_every_word(
    cascade: Cascade, companion: list[IntentDefinition], message: str, kept: str
) -> None:
    intent = await cascade.classify(message, companion)

    assert parts(intent) == [("add_knowledge", kept)]


async def test_a_corrected_wish_that_nobody_acts_on_is_one_on_what_was_meant(
    cascade: Cascade, companion: list[IntentDefinition]
) -> None:
    intent = await cascade.classify(
        "analyze sales. wait, I got that wrong. analyze revenue instead", companion
    )

    assert (intent.text, intent.also) == ("analyze revenue instead", ())
    assert "sales" not in str(intent.parameters)


@pytest.mark.parametrize(
    "message",
    [
        "I don't want to start a new project",
        "do not remember that the deadline is March 15th",
        'what does "finalize the project" mean',
        "is the draft good enough to approve?",
        "I like the draft. I don't want to approve it yet.",
    ],
)
async def test_an_act_that_is_denied_or_asked_about_is_talk_without_a_model(
    cascade: Cascade, companion: list[IntentDefinition], message: str
) -> None:
    intent = await cascade.classify(message, companion)

    assert intent.name.partition(".")[0] == "general_conversation"


async def test_a_note_of_many_sentences_or_many_words_is_kept_to_its_end(
    cascade: Cascade, companion: list[IntentDefinition]
) -> None:
    facts = " ".join(f"Pump {n} stands in hall {n}." for n in range(1, 15))
    lines = "\n".join(f"- the customer orders {n} pumps" for n in range(1, 120))

    for told in (facts, lines):
        intent = await cascade.classify(f"Remember that the pumps are new. {told}", companion)

        assert parts(intent) == [("add_knowledge", f"the pumps are new. {told}".removesuffix("."))]
