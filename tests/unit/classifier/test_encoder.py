"""The bundled encoder by itself."""

import numpy as np
import pytest

from softrail.classifier import Cascade, default_cache
from softrail.classifier.encoder import MiniLM
from tests.unit.classifier.fakes import SIX


@pytest.fixture(scope="module")
def encoder() -> MiniLM:
    return MiniLM()


def test_what_means_the_same_is_closer_than_what_shares_words(encoder: MiniLM) -> None:
    asked, same, other = encoder.encode(
        ["how do I cancel my order", "I want to call off the purchase", "how do I cook my order of pasta"]
    )

    assert float(asked @ same) > float(asked @ other)


@pytest.mark.parametrize(
    "text",
    ["", "\u200b", "?", "word " * 5_000, "\x00", "😀" * 300, "the roof \ud800 leaks", "\udcff"],
    ids=[
        "empty",
        "invisible",
        "a sign",
        "endless",
        "a control",
        "pictures",
        "half a pair inside",
        "half a pair",
    ],
)
def test_every_text_has_a_vector_of_length_one(encoder: MiniLM, text: str) -> None:
    (row,) = encoder.encode([text])

    assert row.shape == (768,)
    assert float(np.linalg.norm(row)) == pytest.approx(1.0, abs=1e-5)


def test_half_of_a_surrogate_pair_hides_nothing_of_the_sentence_it_is_in(encoder: MiniLM) -> None:
    clean, torn, other = encoder.encode(
        ["remember that the roof leaks", "remember that \udcff the roof leaks", "call me a taxi"]
    )

    assert float(clean @ torn) > 0.8 > float(clean @ other)


def test_a_clause_of_a_message_is_computed_once_and_its_vector_is_nobody_elses_to_change() -> None:
    encoder, runs = MiniLM(), []
    tokenizer, session = encoder._load()

    class Counting:
        def run(self, *given: object) -> object:
            runs.append(given)
            return session.run(*given)

    encoder._loaded = tokenizer, Counting()
    first = encoder.encode(["show my notes", "save note 4", "show my notes"])
    before = first.copy()
    first[:] = 0.0

    assert (encoder.encode(["save note 4", "show my notes"]) == before[[1, 0]]).all()
    assert len(runs) == 2


async def test_a_sentence_with_half_of_a_surrogate_pair_is_read_like_any_other() -> None:
    for said in ("I need a taxi to the \ud800 station", "taxi \udfff to the airport. Also \udcff rain?"):
        assert (await Cascade(cache=default_cache()).classify(said, SIX)).candidates[0].intent == "call_taxi"


def test_of_a_long_text_the_beginning_counts(encoder: MiniLM) -> None:
    start = "please cancel my order " * 100
    one, other = encoder.encode([start + "now", start + "and play some jazz"])

    assert one == pytest.approx(other, abs=1e-6)


def test_no_text_is_no_row(encoder: MiniLM) -> None:
    assert encoder.encode([]).shape == (0, 768)
