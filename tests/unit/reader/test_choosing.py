"""The choosing model with its real weights: what it promises whatever is offered and said."""

from hashlib import sha256
from pathlib import Path

import pytest

import softrail.reader.learned
from softrail.reader.learned import LearnedReader, learned
from softrail.reader.learned.choosing import FILE

MODEL = Path(softrail.reader.learned.__file__).parent / "model"
APPLIANCES = ("dishwasher", "washing machine", "fridge", "oven")
WHICH = "Which appliance is broken?"


@pytest.fixture(scope="module")
def reader() -> LearnedReader:
    found = learned()
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("asks", "options", "message", "meant"),
    [
        (WHICH, APPLIANCES, "the thing that keeps my milk cold", "fridge"),
        (WHICH, APPLIANCES, "my plates come out as greasy as they went in", "dishwasher"),
        ("Do you still have the receipt?", ("yes", "no"), "threw it out ages ago", "no"),
        ("Have you switched it off and on again?", ("yes", "no"), "three times, nothing helped", "yes"),
    ],
)
def test_what_is_meant_in_other_words_is_likeliest(
    reader: LearnedReader, asks: str, options: tuple[str, ...], message: str, meant: str
) -> None:
    likely = reader.choose(message, asks, options).options
    assert options[likely.index(max(likely))] == meant
    assert max(likely) > 0.6


def test_what_is_no_answer_means_no_option(reader: LearnedReader) -> None:
    for message in ("my name is Tom", "how long will a repair take?"):
        assert reader.choose(message, WHICH, APPLIANCES).aside > 0.5, message
    assert reader.choose("no idea, honestly", WHICH, APPLIANCES).open > 0.5


def test_a_yes_to_what_was_asked_is_none_to_another_question(reader: LearnedReader) -> None:
    asks = "Shall we take the old one away?"
    assert reader.choose("yes please", asks, ("yes", "no")).options[0] > 0.8
    assert reader.choose("yes please", asks, ("yes", "no"), beside=True).options[0] < 0.5


@pytest.mark.parametrize("message", ["", " ", "…", "冷蔵庫です", "x" * 5_000, "fridge " * 500])
@pytest.mark.parametrize("offered", [2, 12, 300])
def test_they_are_shares_of_all_that_may_be_meant(reader: LearnedReader, message: str, offered: int) -> None:
    options = [f"option {at}" for at in range(offered)]
    found = reader.choose(message, "", options)
    assert len(found.options) == offered
    assert sum((*found.options, found.open, found.none, found.aside)) == pytest.approx(1.0)
    assert min(found.options) >= 0.0


def test_a_reading_is_the_same_each_time(reader: LearnedReader) -> None:
    told = "it leaks, and I am Ada"
    assert reader.choose(told, WHICH, APPLIANCES) == LearnedReader().choose(told, WHICH, APPLIANCES)


def test_its_card_names_its_file() -> None:
    assert sha256((MODEL / FILE).read_bytes()).hexdigest() in (MODEL / "CHOOSING.md").read_text()
