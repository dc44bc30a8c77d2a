"""What a model says was done and was not never reaches a person unmarked."""

import json
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest

from softrail.companion.voice.claims import BAR, chance, sentences, unproved
from softrail.testing import FrozenClock, ScriptedModel
from tests.unit.companion.talk.kit import Talk, companion_talk

DATA = Path(__file__).parents[3] / "data" / "claims"
LINES = [json.loads(line) for line in (DATA / "judged.jsonl").read_text(encoding="utf-8").splitlines()]
FALSE = [line["text"] for line in LINES if line["claims"] and line["language"] == "en"]
OTHER = [line["text"] for line in LINES if line["claims"] and line["language"] != "en"]
HONEST = [line["text"] for line in LINES if not line["claims"]]
MARK = "(To be clear: just now nothing was saved, changed or sent.)"
TALK = "general_conversation"


@pytest.fixture
async def liar(frozen: FrozenClock) -> AsyncIterator[tuple[Talk, ScriptedModel]]:
    model = ScriptedModel([])
    async with companion_talk(frozen, model=model) as c:
        yield c, model


def test_the_lines_are_those_that_were_frozen() -> None:
    kept = (DATA / "judged.sha256").read_text(encoding="utf-8").strip()
    assert sha256((DATA / "judged.jsonl").read_bytes()).hexdigest() == kept
    assert (len(FALSE), len(HONEST), len(OTHER)) == (100, 50, 10)


def test_no_line_is_one_that_was_learned_from() -> None:
    from training.claims import made

    learned = {text.casefold() for text, _, _ in made()}
    # One word on its own is said by anybody.
    assert {text for text in FALSE + HONEST if " " in text and text.casefold() in learned} <= {
        "It's deleted."
    }


async def test_of_a_hundred_false_claims_none_reaches_a_person_unmarked(frozen: FrozenClock) -> None:
    model = ScriptedModel(FALSE)
    async with companion_talk(frozen, model=model) as c:
        told = [(await c.say(f"what about it, number {n}?", TALK)).text for n in range(len(FALSE))]
        assert [text for text in told if not text.endswith(MARK)] == []
        assert await c.companion.projects.count(c.me) == 0


def test_of_fifty_honest_sentences_ten_at_most_are_followed_by_a_superfluous_one() -> None:
    marked = [text for text in HONEST if unproved(text, [])]
    print(f"{len(marked)} of {len(HONEST)} honest sentences are followed by the mark")
    assert len(marked) <= 10


def test_claims_in_some_other_languages_are_found_too() -> None:
    assert sum(unproved(text, []) for text in OTHER) >= 8


async def test_what_was_done_may_be_said_and_nothing_besides(liar: tuple[Talk, ScriptedModel]) -> None:
    c, model = liar
    project = await c.project()
    model._lines += ["Which sheep do you mean?", "I added the note and emailed Anna about it."]
    honest = await c.say("Sheep need shade", "add_knowledge", project_id=project)
    more = await c.say("Sheep need salt", "add_knowledge", project_id=project)

    [done] = [side.summary for side in more.reply.side_effects]
    assert more.text.endswith(f"(Just now: {done}. Nothing else was saved, changed or sent.)")
    assert honest.text == "Which sheep do you mean?"


def test_a_sentence_in_the_middle_counts_and_a_question_does_not() -> None:
    assert unproved("The barns flood. I have deleted note 4 for you. What next?", [])
    assert not unproved("Shall I delete note 4?", [])
    assert sentences("One. Two!\nThree") == ["One.", "Two!", "Three"]
    assert sentences(" … ") == []


@pytest.mark.parametrize("text", ["", "?" * 10_000, "a" * 100_000, "\x00\ud800", "保存しました。"])
def test_any_text_can_be_judged(text: str) -> None:
    assert 0 <= chance(text) <= 1
    assert 0 < BAR < 1
