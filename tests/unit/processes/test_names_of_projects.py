"""What a project is called, of the words that were found for its name."""

import pytest

from softrail.processes.builtin.projects_told import without_what_it_is


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
