from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from softrail.classifier.cache import Cache, head_key
from softrail.classifier.encoder import MiniLM
from softrail.classifier.head import Exemplar, Head, fit, share, spoken
from softrail.classifier.heads import Heads, heads
from softrail.classifier.lexical import Lexical, pieces
from softrail.classifier.linear import (
    Rows,
    Weights,
    fit_logistic,
    fit_logits,
    fit_shares,
    logits_of,
    softmax,
    temperature,
)
from softrail.classifier.scope import Known
from softrail.classifier.trial import neighbourhoods
from softrail.core.intents import IntentDefinition
from tests.unit.classifier.fakes import SIX, BagOfWords

EXEMPLARS = [Exemplar(d.name, text) for d in SIX for text in d.examples]
MESSAGES = ["a taxi to the airport please", "rain on Sunday", "pizza with cheese", "that is a nice idea"]


def answers(head: Head) -> list[tuple[str, list[float], float]]:
    return [
        (head.intents[int(s.probabilities.argmax())], s.probabilities.tolist(), s.in_scope)
        for s in head.scores(MESSAGES)
    ]


def test_a_regression_finds_what_separates_two_classes() -> None:
    rows = np.array([[0.0, 1.0], [0.1, 0.9], [1.0, 0.0], [0.9, 0.2]], dtype=np.float32)
    labels = np.array([0, 0, 1, 1])

    found = softmax(logits_of(rows, fit_logits(rows, labels, 2)))

    assert found.argmax(axis=1).tolist() == labels.tolist()
    assert found.sum(axis=1) == pytest.approx(np.ones(4), abs=1e-5)


def test_labels_with_many_rows_weigh_no_more_than_labels_with_few() -> None:
    rows = np.array([[1.0]] * 50 + [[-1.0]], dtype=np.float32)
    labels = np.array([0] * 50 + [1])

    chance = softmax(logits_of(np.zeros((1, 1), dtype=np.float32), fit_logits(rows, labels, 2)))

    assert chance[0, 0] == pytest.approx(0.5, abs=0.02)


def test_a_temperature_tells_timid_logits_from_bold_ones() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, 600)
    clear = rng.standard_normal((600, 3)).astype(np.float32)
    clear[np.arange(600), labels] += 2.0

    assert temperature(clear * np.float32(0.5), labels) == pytest.approx(
        2 * temperature(clear, labels), rel=0.1
    )


def test_a_logistic_recovers_the_chances_it_is_shown() -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(-2, 2, 5000)
    happened = (rng.uniform(size=5000) < 1 / (1 + np.exp(-(3 * x - 1)))).astype(float)

    found = fit_logistic(x, happened, np.ones(5000))

    assert found.slope == pytest.approx(3, rel=0.15)
    assert found.offset == pytest.approx(-1, rel=0.2)


def test_a_voice_that_is_right_gets_louder_and_one_that_guesses_quieter() -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 3, 600)
    voices = rng.standard_normal((600, 3, 2)).astype(np.float32)
    voices[np.arange(600), labels, 0] += 3.0

    right, guessing = fit_shares(voices, labels, (0.5, 0.5))

    assert right > 0.8
    assert abs(guessing) < 0.2


def test_without_evidence_voices_keep_their_usual_shares() -> None:
    nothing = np.zeros((0, 3, 2), dtype=np.float32)

    assert fit_shares(nothing, np.zeros(0, dtype=np.int64), (0.7, 0.3)).tolist() == pytest.approx([0.7, 0.3])


@pytest.mark.parametrize(
    ("width", "each"),
    [(4, 6), (40, 6), (150, 60)],
    ids=["more texts than numbers", "more numbers than texts", "many of both"],
)
def test_closeness_is_what_its_definition_says(width: int, each: int) -> None:
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(3), each)
    rows = rng.standard_normal((3 * each, width)).astype(np.float32)
    asked = rng.standard_normal((5, width)).astype(np.float32)
    known = Known.of(rows, labels, 3)

    centre, exemplar, relative = known.closeness(asked, known.likeness(asked)).T

    means = np.stack([rows[labels == i].mean(axis=0) for i in range(3)])
    within = _shrunk_inverse(rows - means[labels], 0.5)
    total = _shrunk_inverse(rows - rows.mean(axis=0), 0.3)
    far = [min((a - m) @ within @ (a - m) for m in means) for a in asked]
    away = [(a - rows.mean(axis=0)) @ total @ (a - rows.mean(axis=0)) for a in asked]
    assert relative == pytest.approx(np.array(away) - np.array(far), rel=1e-3, abs=1e-3)
    assert centre == pytest.approx((asked @ (means / np.linalg.norm(means, axis=1, keepdims=True)).T).max(1))
    assert exemplar == pytest.approx((asked @ (rows / np.linalg.norm(rows, axis=1, keepdims=True)).T).max(1))


def _shrunk_inverse(around: Rows, shrink: float) -> Weights:
    covariance = around.astype(np.float64).T @ around / len(around)
    ball = np.eye(len(covariance)) * np.trace(covariance) / len(covariance)
    return np.asarray(np.linalg.inv((1 - shrink) * covariance + shrink * ball), dtype=np.float64)


def test_products_in_the_space_of_words_are_those_of_the_weighted_words() -> None:
    texts = [e.text for e in EXEMPLARS] * 2  # each word is in several texts, some in many

    space, rows = Lexical.learn(texts)

    words = np.zeros((len(texts), len(space.vocabulary)))
    for row, text in zip(words, texts, strict=True):
        for part in pieces(text):
            weights = {space.vocabulary[name]: 1 + np.log(n) for name, n in part.items()}
            at = list(weights)
            found = np.array(list(weights.values())) * space.rarity[at]
            row[at] = found / np.linalg.norm(found) * np.sqrt(0.5)
    assert rows @ rows.T == pytest.approx(words @ words.T, abs=2e-3)
    assert space.encode(texts) == pytest.approx(rows, abs=1e-6)


def test_neighbourhoods_keep_alike_intents_together_in_equal_parts() -> None:
    middle = np.eye(3, dtype=np.float32)
    centres = np.concatenate([middle + np.float32(0.01 * i) for i in range(4)])
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)

    group = neighbourhoods(centres, 3)

    assert sorted(np.bincount(group).tolist()) == [4, 4, 4]
    assert len({tuple(group[i::3]) for i in range(3)}) == 3
    assert all(len(set(group[i::3].tolist())) == 1 for i in range(3))


def test_the_head_answers_and_two_fits_of_the_same_exemplars_agree_to_the_last_digit() -> None:
    one, other = fit(EXEMPLARS, BagOfWords()), fit(EXEMPLARS, BagOfWords())

    assert [name for name, _, _ in answers(one)] == [
        "call_taxi",
        "weather",
        "order_pizza",
        "general_conversation",
    ]
    assert answers(one) == answers(other)


def test_the_less_a_text_shares_the_less_it_is_in_scope() -> None:
    head = fit(EXEMPLARS, BagOfWords())
    near, half, far = head.scores(
        ["call a taxi to the airport", "a taxi, zebra and ledger", "zebra quantum ledger"]
    )

    assert near.in_scope > half.in_scope > far.in_scope


def test_what_a_text_scores_does_not_depend_on_its_neighbours() -> None:
    head = fit(EXEMPLARS, BagOfWords())

    alone = head.scores(MESSAGES[:1])[0].probabilities
    assert head.scores(MESSAGES)[0].probabilities == pytest.approx(alone, abs=1e-6)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_few_intents_and_single_examples_can_be_fitted(count: int) -> None:
    few = [Exemplar(f"intent_{i}", f"example number {'abcde'[i]}") for i in range(count)]

    assert len(fit(few, BagOfWords()).scores(["example"])[0].probabilities) == count


def test_of_too_many_exemplars_every_intent_gives_an_even_share() -> None:
    many = [Exemplar("big", f"text {i}") for i in range(30_000)] + [Exemplar("small", "one text")]

    kept = share(many)

    assert 5_000 < sum(e.intent == "big" for e in kept) <= 10_000
    assert sum(e.intent == "small" for e in kept) == 1


def test_a_head_of_many_exemplars_compares_with_an_even_share_of_them_and_still_knows_all() -> None:
    many = [Exemplar("count", f"number {i}") for i in range(5_000)] + [
        Exemplar(e.intent, e.text) for e in EXEMPLARS
    ]

    head = fit(many, BagOfWords())

    assert len(head.exemplars) == len(many)
    assert 500 < len(head.known.directions) < 1_000
    assert [name for name, _, _ in answers(head)][:3] == ["call_taxi", "weather", "order_pizza"]


def test_the_illustration_is_an_exemplar_of_its_intent_never_its_name() -> None:
    named = [*EXEMPLARS, Exemplar("zebra_ledger", "quantum"), Exemplar("zebra_ledger", "quark")]

    nearest = fit(named, BagOfWords()).scores(["zebra ledger"])[0].nearest

    assert nearest["zebra_ledger"] in ("quantum", "quark")


def test_a_name_is_spoken_as_words() -> None:
    assert spoken("plan_new.compare") == "plan new compare"


def test_a_kept_head_answers_as_the_fitted_one(tmp_path: Path) -> None:
    cache, encoder = Cache(tmp_path), BagOfWords()
    head = fit(EXEMPLARS, encoder)
    key = head_key(EXEMPLARS, encoder, 0.10)
    cache.save_head(key, head)

    kept = cache.load_head(key, EXEMPLARS, encoder)

    assert kept is not None
    assert answers(kept) == answers(head)


def test_a_changed_exemplar_encoder_or_share_of_strangers_is_another_head() -> None:
    encoder = BagOfWords()
    keys = {
        head_key(EXEMPLARS, encoder, 0.10),
        head_key(EXEMPLARS[1:], encoder, 0.10),
        head_key(EXEMPLARS, None, 0.10),
        head_key(EXEMPLARS, encoder, 0.20),
        head_key([*EXEMPLARS[:-1], Exemplar("weather", EXEMPLARS[-1].text)], encoder, 0.10),
    }

    assert len(keys) == 5


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 torn", b"\x00" * 500])
def test_a_torn_file_in_the_cache_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    cache, encoder = Cache(tmp_path), BagOfWords()
    key = head_key(EXEMPLARS, encoder, 0.10)
    cache.save_head(key, fit(EXEMPLARS, encoder))
    for file in tmp_path.iterdir():
        file.write_bytes(content)

    assert cache.load_head(key, EXEMPLARS, encoder) is None


def damaged(arrays: dict[str, np.ndarray[Any, Any]], name: str, how: str) -> np.ndarray[Any, Any]:
    whole = arrays[name]
    if how == "no number":
        return np.full_like(whole, np.nan)
    if how == "narrow":
        return whole[..., :-1]
    if how == "short":
        return whole[:-1]
    return whole.astype(np.int32) if whole.dtype.kind == "f" else whole + 10_000


HEAD_PARTS = (
    *("weights0", "weights1", "rarity", "words", "order", "starts", "directions", "centres"),
    *("pull", "spread", "bend", "lean"),
)
WHOLE_NUMBERS = ("order", "starts")
WRONG = [
    (part, how)
    for part in HEAD_PARTS
    for how in ("no number", "short", "narrow", "other")
    if how != "no number" or part not in WHOLE_NUMBERS
]


@pytest.mark.parametrize(("part", "how"), WRONG)
def test_a_head_whose_parts_do_not_fit_is_fitted_anew_with_one_warning(
    part: str, how: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    encoder = BagOfWords()
    before = answers(fitted(encoder, tmp_path))
    (file,) = tmp_path.glob("head-*.npz")
    arrays = dict(np.load(file))
    np.savez(file, **{**arrays, part: damaged(arrays, part, how)})

    assert answers(fitted(encoder, tmp_path)) == before
    assert [r.levelname for r in caplog.records] == ["WARNING"]
    assert file.name in caplog.text

    caplog.clear()
    assert answers(fitted(encoder, tmp_path)) == before
    assert not caplog.records


@pytest.mark.parametrize("how", ["no number", "narrow", "short", "other"])
def test_kept_vectors_that_are_not_this_encoders_are_computed_anew(
    how: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = answers(fitted(BagOfWords(), tmp_path))
    (head,) = tmp_path.glob("head-*.npz")
    head.unlink()
    (file,) = tmp_path.glob("vectors-*.npz")
    arrays = dict(np.load(file))
    np.savez(file, **{**arrays, "rows": damaged(arrays, "rows", how)})

    assert answers(fitted(BagOfWords(), tmp_path)) == before
    assert [r.levelname for r in caplog.records] == ["WARNING"]


def test_kept_vectors_of_another_model_under_the_same_name_are_noticed(tmp_path: Path) -> None:
    class Turned(BagOfWords):
        def encode(self, texts: Sequence[str]) -> Rows:
            return np.ascontiguousarray(super().encode(texts)[:, ::-1])

    Cache(tmp_path).remembering(BagOfWords()).encode(MESSAGES)

    rows = Cache(tmp_path).remembering(Turned()).encode(MESSAGES)

    assert rows == pytest.approx(Turned().encode(MESSAGES))


def fitted(encoder: BagOfWords, folder: Path) -> Head:
    """The head of the exemplars, out of the cache where it is there."""
    head = Heads(encoder, folder, strangers=0.10).known(SIX).head
    assert head is not None
    return head


def test_of_workers_that_want_the_same_head_at_once_one_fits_it_for_all(tmp_path: Path) -> None:
    reached, go_on = Event(), Event()

    class Slow(BagOfWords):
        def encode(self, texts: Sequence[str]) -> Rows:
            reached.set()
            go_on.wait(60)
            return super().encode(texts)

    other = BagOfWords()
    with ThreadPoolExecutor(2) as pool:  # a lock of a file keeps threads apart as it does processes
        first = pool.submit(Heads(Slow(), tmp_path, strangers=0.10).known, SIX)
        assert reached.wait(60)
        second = pool.submit(Heads(other, tmp_path, strangers=0.10).known, SIX)
        go_on.set()
        assert first.result().head is not None
        assert second.result().head is not None

    assert other.encoded == []
    assert [file.suffix for file in tmp_path.iterdir()] == [".npz", ".npz"]


def test_a_set_that_is_ready_is_given_while_another_is_fitted() -> None:
    reached, go_on = Event(), Event()

    class Slow(BagOfWords):
        def encode(self, texts: Sequence[str]) -> Rows:
            if any("sushi" in text for text in texts):
                reached.set()
                go_on.wait(10)
            return super().encode(texts)

    sets = Heads(Slow(), None, strangers=0.10)
    ready = sets.known(SIX)
    sushi = IntentDefinition(name="sushi", examples=tuple(f"sushi {n}" for n in ("one", "two", "three")))
    with ThreadPoolExecutor(1) as beside:
        fitting = beside.submit(sets.known, [*SIX, sushi])
        try:
            assert reached.wait(10)
            assert sets.known(SIX) is ready
            assert not fitting.done()
        finally:
            go_on.set()
        assert fitting.result(10).definitions[-1] is sushi


def test_an_application_that_is_made_again_finds_the_sets_of_the_one_before(tmp_path: Path) -> None:
    before = heads(None, tmp_path, strangers=0.10).known(SIX)
    anew = [replace(one) for one in SIX]
    for kept in tmp_path.glob("head-*"):
        kept.unlink()  # what lies on disk is not what it is found by

    after = heads(None, tmp_path, strangers=0.10).known(anew)

    assert after.head is before.head
    assert all(one is other for one, other in zip(after.definitions, anew, strict=True))
    assert list(tmp_path.glob("head-*.npz")) == []


@pytest.mark.parametrize("other", ["an example", "a name", "the share of strangers", "the folder"])
def test_a_set_that_differs_in_anything_is_made_by_itself(other: str, tmp_path: Path) -> None:
    before = heads(None, tmp_path, strangers=0.10).known(SIX)
    first, *rest = SIX
    changed = {
        "an example": replace(first, examples=(*first.examples, "a rickshaw please")),
        "a name": replace(first, name="rides"),
    }.get(other, first)

    folder = tmp_path / "other" if other == "the folder" else tmp_path
    strangers = 0.20 if other == "the share of strangers" else 0.10

    assert heads(None, folder, strangers=strangers).known([changed, *rest]).head is not before.head


def test_whoever_brings_an_encoder_shares_its_sets_with_nobody() -> None:
    encoder = BagOfWords()

    assert heads(encoder, None, strangers=0.10) is not heads(encoder, None, strangers=0.10)


def test_vectors_are_computed_once_for_each_text(tmp_path: Path) -> None:
    first, second = BagOfWords(), BagOfWords()
    before = Cache(tmp_path).remembering(first).encode(["one", "two", "one"])

    after = Cache(tmp_path).remembering(second).encode(["two", "one", "three"])

    assert first.encoded == ["one", "two"]
    assert second.encoded == ["three"]
    assert after[1] == pytest.approx(before[0])


def test_a_folder_that_cannot_be_written_costs_time_and_nothing_else(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    cache = Cache(blocked / "below")

    cache.save_head("k" * 64, fit(EXEMPLARS, BagOfWords()))
    assert cache.remembering(BagOfWords()).encode(["one"]).shape == (1, 64)
    assert cache.load_head("k" * 64, EXEMPLARS, BagOfWords()) is None


class AsWideAsTheBundled:
    """Has the name of the bundled encoder, and vectors as wide as those that come with it."""

    id = MiniLM.id

    def encode(self, texts: Sequence[str]) -> Rows:
        return np.full((len(texts), 768), 0.5, dtype=np.float32)


def test_vectors_that_are_kept_beside_the_bundled_ones_and_narrower_are_made_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    encoder = Cache(tmp_path).remembering(AsWideAsTheBundled())
    encoder.encode(["a kettle that sings"])
    [file] = tmp_path.glob("vectors-*.npz")
    arrays = dict(np.load(file))
    np.savez(file, **{**arrays, "rows": arrays["rows"][:, :4]})

    found = encoder.encode(["a kettle that sings", "a pan that does not"])

    assert found.shape == (2, 768)
    assert [r.levelname for r in caplog.records] == ["WARNING"]
    assert encoder.encode(["a kettle that sings"]).shape == (1, 768)
    assert len(caplog.records) == 1
