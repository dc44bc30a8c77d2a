"""What a project is called, of the words that were found for its name."""

import pytest

from softrail.processes.builtin.projects_told import Data, without_what_it_is, written_names


@pytest.mark.parametrize(
    ("found", "name"),
    [
        ("Lumen, lamp rental", "Lumen"),
        ("what in our guild, and there's Woolwatch", "Woolwatch"),
        ("the green thing, Petal", "Petal"),
        ("Lumen, Moth", "Lumen, Moth"),
        ("lamps, and there's Petal too", "lamps, and there's Petal too"),
        ("sorting seeds, mostly", "sorting seeds, mostly"),
    ],
)
def test_what_is_said_around_a_name_is_none_of_it(found: str, name: str) -> None:
    assert without_what_it_is(found) == name


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("There is also the matter of the bell ropes, though that is small", []),
        ("This is about kites, a club", []),
        ("There is also Harvest, a feast", ["Harvest"]),
        ("The Orchard is about apples", ["The Orchard"]),
    ],
)
def test_how_a_sentence_begins_is_no_name(said: str, names: list[str]) -> None:
    assert written_names(said, Data())[0] == names
