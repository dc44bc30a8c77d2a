"""The models give the same numbers on every processor, on those that add pairs of products in too little room as well."""

from collections.abc import Iterator
from importlib.resources import files

import numpy as np
import pytest
from numpy.typing import NDArray

from softrail import inference
from softrail.reader.learned import LearnedReader, loading, query

FORM = [query("text", "Who is it for?"), query("number", "How many people come?", present="12")]


class Saturating:
    """What a processor without instructions for it makes of the products: each pair is added in 16 bits."""

    def run(self, names: list[str], given: dict[str, NDArray[np.uint8]]) -> list[NDArray[np.int32]]:
        rows = given["rows"].astype(np.int32)
        weights = np.tile(np.array([127, -127], dtype=np.int32), (64, 8))
        pairs = (rows[:, :, None] * weights[None]).reshape(len(rows), 32, 2, 16).sum(axis=2)
        return [np.clip(pairs, -(2**15), 2**15 - 1).sum(axis=1)]


@pytest.fixture(autouse=True)
def tried_anew() -> Iterator[None]:
    inference.multiplies_exactly.cache_clear()
    yield
    inference.multiplies_exactly.cache_clear()


def settings_of(monkeypatch: pytest.MonkeyPatch, *, products: object) -> list[dict[str, str]]:
    """The settings with which models are opened from now on, while the products are tried as said."""
    opened = list[dict[str, str]]()
    real = inference._open

    def opening(folder: object, name: str, entries: dict[str, str]) -> object:
        if name == "products.onnx":
            return products
        opened.append(dict(entries))
        return real(folder, name, entries)  # type: ignore[arg-type]

    monkeypatch.setattr(inference, "_open", opening)
    return opened


def test_a_processor_that_saturates_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = settings_of(monkeypatch, products=Saturating())
    assert not inference.multiplies_exactly()
    inference.session(loading.folder(), "reader-minilm-l6-w8.onnx")
    assert opened == [{"session.x64quantprecision": "1"}]


def test_this_processor_is_tried_and_multiplies_or_is_told_how() -> None:
    exact = inference.multiplies_exactly()
    products = inference.session(files("softrail.inference"), "products.onnx")
    rows = np.full((2, 64), 255, dtype=np.uint8)
    [sums] = products.run(["sums"], {"rows": rows})
    assert np.abs(sums).min() == np.abs(sums).max() == 255 * 127 * 64, exact


def test_both_ways_of_multiplying_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    message = "our neighbours I think, and make it 14 rather than 12"
    fast = LearnedReader()
    before = fast.mark(message, FORM), fast.joint(message, FORM)
    inference.multiplies_exactly.cache_clear()
    opened = settings_of(monkeypatch, products=Saturating())
    careful = LearnedReader()
    assert (careful.mark(message, FORM), careful.joint(message, FORM)) == before
    assert len(opened) == 2
