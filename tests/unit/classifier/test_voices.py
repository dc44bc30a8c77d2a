"""What people say besides the examples: learned from, taken for nothing else, and never in an author's way."""

from pathlib import Path

import numpy as np
import pytest

from softrail.classifier.heads import Heads
from softrail.core.intents import IntentDefinition
from tests.unit.classifier.fakes import ORDERS, TAXI, WEATHER, BagOfWords

TALK = IntentDefinition(name="general_conversation", description="Talk.", examples=("nice to see you",))
BUYING = IntentDefinition(
    name="general_conversation.buying",
    description="They want something bought.",
    examples=("buy me a new kettle",),
    voices=("order a pizza for me", "purchase eleven folding chairs", "get my watch repaired"),
)


def texts(*definitions: IntentDefinition) -> set[str]:
    head = Heads(BagOfWords(), None, strangers=0.1).known(definitions).head
    assert head is not None
    return {one.text for one in head.exemplars}


def test_the_head_learns_from_them_as_from_examples() -> None:
    assert {"buy me a new kettle", *BUYING.voices} <= texts(TALK, BUYING)


def test_talk_that_is_what_an_author_serves_is_left_out() -> None:
    learned = texts(TALK, BUYING, ORDERS, TAXI, WEATHER)

    assert "order a pizza for me" not in learned
    assert {"purchase eleven folding chairs", "get my watch repaired"} <= learned
    assert set(ORDERS.examples) <= learned


def test_whoever_has_voices_takes_nothing_from_others() -> None:
    served = IntentDefinition(
        name="order_pizza", description="They want a pizza.", examples=ORDERS.examples, voices=("pizza, now",)
    )

    assert "order a pizza for me" in texts(TALK, BUYING, served)


def test_a_message_that_is_one_of_them_is_no_example() -> None:
    known = Heads(BagOfWords(), None, strangers=0.1).known((TALK, BUYING))

    assert known.exactly("Buy me a new kettle!") == ("general_conversation.buying", "buy me a new kettle")
    assert known.exactly("purchase eleven folding chairs") is None


def test_at_the_next_start_no_vector_is_looked_up_for_it(tmp_path: Path) -> None:
    intents = (TALK, BUYING, ORDERS, TAXI, WEATHER)
    before = Heads(BagOfWords(), tmp_path, strangers=0.1).known(intents).head
    encoder = BagOfWords()

    after = Heads(encoder, tmp_path, strangers=0.1).known(intents).head

    assert before is not None
    assert after is not None
    assert after.exemplars == before.exemplars
    assert not encoder.encoded


@pytest.mark.parametrize("kept", [b"torn", None])
def test_what_is_kept_of_it_and_cannot_be_used_is_made_anew(tmp_path: Path, kept: bytes | None) -> None:
    intents = (TALK, BUYING, ORDERS, TAXI, WEATHER)
    before = Heads(BagOfWords(), tmp_path, strangers=0.1).known(intents).head
    for file in tmp_path.glob("numbers-*.npz"):
        if kept is None:
            np.savez(file, numbers=np.zeros(1))
        else:
            file.write_bytes(kept)

    after = Heads(BagOfWords(), tmp_path, strangers=0.1).known(intents).head

    assert before is not None
    assert after is not None
    assert after.exemplars == before.exemplars
