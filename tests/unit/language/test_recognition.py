"""Which language a message is written in."""

import json
from pathlib import Path

import pytest

from softrail.classifier.evaluate import read_labelled
from softrail.language import language
from softrail.language.recognition import Recognition

DATA = Path(__file__).parents[2] / "data" / "classifier"
LINES = [json.loads(line) for line in (DATA / "open_world.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("code", ["de", "fr", "es", "it", "pt", "nl"])
def test_frozen_messages_in_six_languages_are_known_for_what_they_are(code: str) -> None:
    said = [line["text"] for line in LINES if line.get("language") == code]

    assert len(said) == 4
    assert [language().other(text) for text in said] == [code] * 4


def test_no_frozen_message_in_english_is_taken_for_another_language() -> None:
    said = [line["text"] for line in LINES if "language" not in line]
    said += [message.text for message in read_labelled(DATA / "own_messages.jsonl")]

    assert len(said) > 600
    assert [text for text in said if language().other(text)] == []


@pytest.mark.parametrize("said", ["Actually, also include Q3", "q4_revenue?"])
def test_letters_beside_a_number_are_no_words_of_a_language(said: str) -> None:
    assert language().other(said) == ""


@pytest.mark.parametrize("said", ["", "???", "12345", "um", "Marta", "東京はどうですか"])
def test_what_says_nothing_about_its_language_is_not_said_to_be_foreign(said: str) -> None:
    assert language().other(said) == ""


def test_a_language_is_learned_from_a_text_in_it() -> None:
    told = Recognition({"en": "the cat and the dog are here", "xx": "zul qox vriz, kwel bozq"})

    assert told.other("zul vriz") == "xx"
    assert told.other("the dog") == ""
