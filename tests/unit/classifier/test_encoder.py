"""The bundled encoder by itself."""

import numpy as np
import pytest

from softrail.classifier.encoder import MiniLM


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
    ["", "\u200b", "?", "word " * 5_000, "\x00", "😀" * 300],
    ids=["empty", "invisible", "a sign", "endless", "a control", "pictures"],
)
def test_every_text_has_a_vector_of_length_one(encoder: MiniLM, text: str) -> None:
    (row,) = encoder.encode([text])

    assert row.shape == (768,)
    assert float(np.linalg.norm(row)) == pytest.approx(1.0, abs=1e-5)


def test_of_a_long_text_the_beginning_counts(encoder: MiniLM) -> None:
    start = "please cancel my order " * 100
    one, other = encoder.encode([start + "now", start + "and play some jazz"])

    assert one == pytest.approx(other, abs=1e-6)


def test_no_text_is_no_row(encoder: MiniLM) -> None:
    assert encoder.encode([]).shape == (0, 768)
