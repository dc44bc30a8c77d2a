import pytest
from pydantic import BaseModel, Field

from softrail.classifier.extract import keeps, parameters, target, unframed
from softrail.core.intents import IntentDefinition
from softrail.core.parameters import validated


class Note(BaseModel):
    knowledge_text: str = Field(min_length=1)


class Download(BaseModel):
    artifact_description: str


class Booking(BaseModel):
    city: str
    nights: int = Field(ge=1)
    breakfast: bool = False


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Remember that the deadline is March 15th.", "the deadline is March 15th."),
        ("ok, could you please note down that Maria owns it", "Maria owns it"),
        ("note: the wifi is bad", "the wifi is bad"),
        ("btw our budget got cut to 40k", "our budget got cut to 40k"),
        ("The pump is old.", "The pump is old."),
        ("the note about prices is wrong", "the note about prices is wrong"),
    ],
)
def test_a_note_is_kept_without_what_only_carries_it(said: str, kept: str) -> None:
    assert unframed(said) == kept


def test_the_one_text_an_intent_needs_is_taken_from_the_message() -> None:
    assert parameters(Note, "Remember that the deadline is March 15th.") == {
        "knowledge_text": "the deadline is March 15th"
    }
    assert parameters(Download, "Can I get the latest artifact?") == {
        "artifact_description": "latest artifact"
    }


@pytest.mark.parametrize("said", ["remember this", "please download it", "note:"])
def test_a_message_that_says_nothing_of_it_gives_nothing(said: str) -> None:
    assert parameters(Note, said) == {}


def test_what_is_needed_and_not_there_is_named_and_what_is_wrong_is_dropped() -> None:
    assert validated(Booking, {"city": "Oslo"}) == ({"city": "Oslo"}, ("nights",))
    assert validated(Booking, {"city": "Oslo", "nights": 0}) == ({"city": "Oslo"}, ("nights",))
    assert validated(Booking, {"city": "Oslo", "nights": 2, "unknown": 1}) == (
        {"city": "Oslo", "nights": 2},
        (),
    )
    assert validated(Booking, {"city": None}) == ({}, ("city", "nights"))


@pytest.mark.parametrize(
    ("name", "said", "about"),
    [
        ("plan_new", "analyze revenue instead", "revenue"),
        ("plan_new.compare", "please compare north and south", "north and south"),
        ("query.lookup", "what did we find about the north region?", "north region"),
        ("plan_continue", "also include the costs", "include the costs"),
        ("add_knowledge", "remember the costs", ""),
    ],
)
def test_the_target_is_what_it_is_about(name: str, said: str, about: str) -> None:
    assert target(name, said) == about


def test_an_intent_of_one_text_whose_examples_ask_to_keep_it_keeps_what_is_said() -> None:
    def intent(model: type[BaseModel] | None, *examples: str) -> IntentDefinition:
        return IntentDefinition(name="x", parameters=model, examples=examples)

    assert keeps(intent(Note, "the roof leaks", "remember that it is red"))
    assert not keeps(intent(Note, "the roof leaks"))
    assert not keeps(intent(Download, "save the table to my computer", "keep me posted"))
    assert not keeps(intent(Booking, "remember that I booked"))
    assert not keeps(intent(None, "remember that it is red"))
