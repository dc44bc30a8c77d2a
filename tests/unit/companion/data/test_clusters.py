"""Groups of notes: what belongs together stands together, the same way every time."""

import numpy as np

from softrail.companion.memory.clusters import MOST_GROUPS, by_meaning, by_words, telling

SOIL = [
    "Clay soil holds water for days.",
    "Sandy soils need water every day.",
    "The soil is tested in spring.",
]
PRICE = ["The price must stay under ten euros.", "Prices are shown without tax."]
ALONE = ["Ada prefers Tuesdays."]


def test_texts_that_share_words_stand_together_and_the_others_are_left() -> None:
    found = by_words([SOIL[0], PRICE[0], SOIL[1], ALONE[0], PRICE[1], SOIL[2]])

    assert [list(group) for group in found.groups] == [[0, 2, 5], [1, 4]]
    assert list(found.rest) == [3]


def test_the_same_texts_give_the_same_groups() -> None:
    texts = [f"note {n} on topic{n % 7} and matter{n % 5}" for n in range(200)]
    assert by_words(texts) == by_words(texts)


def test_every_text_stands_in_exactly_one_place_and_groups_are_bounded() -> None:
    texts = [f"topic{n % 300} speaks of topic{n % 300}" for n in range(900)]
    found = by_words(texts)

    assert sorted([*found.rest, *(at for group in found.groups for at in group)]) == list(range(900))
    assert len(found.groups) < MOST_GROUPS


def test_vectors_that_lie_close_stand_together() -> None:
    rows = np.array([[1, 0, 0], [0.96, 0.28, 0], [0, 1, 0], [0, 0.96, 0.28], [0, 0, 1]], dtype=np.float32)
    found = by_meaning(rows)

    assert [list(group) for group in found.groups] == [[0, 1], [2, 3]]
    assert list(found.rest) == [4]


def test_a_group_is_named_by_what_sets_it_apart() -> None:
    assert telling(SOIL, [*PRICE, *ALONE], most=2) == ["soil", "water"]


def test_texts_without_words_are_left() -> None:
    found = by_words(["…", "?", "42"])
    assert (list(found.groups), list(found.rest)) == ([], [0, 1, 2])
