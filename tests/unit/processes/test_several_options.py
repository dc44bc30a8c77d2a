"""A list of a few options as it is declared, read, kept and read again by a later version."""

from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.questions import Option
from softrail.core.turns import Turn
from softrail.processes import Process, ask, define
from softrail.processes.readers import Reading, reader_for
from softrail.processes.state import fitting, json_of, offered
from softrail.processes.telling import labels_of
from softrail.processes.unread import Unread


class Size(Enum):
    """Of a shirt."""

    SMALL = 1
    LARGE = 2


def reading() -> Reading:
    person = Person(id="p", email="p@example.org")
    return Reading.of(Turn(id="t", session_id="s", seq=1, person=person, message="", at=now()))


@pytest.mark.parametrize(
    ("annotation", "options", "message", "value"),
    [
        (list[Literal["tea", "milk"]], (), "milk and tea", ["milk", "tea"]),
        (list[Literal[1, 2]], (), "1 and 2", [1, 2]),
        (list[Size], (), "small, large", [Size.SMALL, Size.LARGE]),
        (list[Size] | None, (), "large", [Size.LARGE]),
        (list[str], (Option(label="Green tea", value="green"), Option(label="Milk")), "green tea", ["green"]),
        (list[int], (Option(label="36"), Option(label="38")), "all but 38", [36]),
        (list[Literal["tea", "milk"]], (Option(label="Milk", value="milk"),), "everything", ["milk"]),
    ],
)
def test_a_list_of_options_is_read_as_values_of_its_type(
    annotation: Any, options: tuple[Option, ...], message: str, value: list[Any]
) -> None:
    reader = reader_for(annotation, options)

    assert reader is not None
    assert (reader.kind, reader.chooses_several) == ("list", True)
    assert reader.read(message, reading()) == value


def test_what_is_no_option_names_those_there_are() -> None:
    reader = reader_for(list[Literal["tea", "milk"]])

    assert reader is not None
    with pytest.raises(Unread) as unread:
        reader.read("beer", reading())
    assert unread.value.sentence == "no_option"
    assert unread.value.values == {"options": "tea, milk"}


def test_what_is_not_all_an_option_names_those_that_are() -> None:
    reader = reader_for(list[Literal["tea", "milk"]])

    assert reader is not None
    with pytest.raises(Unread) as unread:
        reader.read("tea and beer", reading())
    assert unread.value.sentence == "some_options"
    assert unread.value.either == (Option(label="tea"),)
    assert unread.value.values == {"value": "tea", "options": "tea, milk"}


@pytest.mark.parametrize(
    ("annotation", "options"),
    [
        (list[bool], (Option(label="Yes"),)),
        (list[Literal["tea"]], (Option(label="Beer"),)),
        (dict[str, str], (Option(label="A"),)),
        (list[dict[str, str]], ()),
    ],
)
def test_options_that_are_no_values_of_the_type_have_no_reader(
    annotation: Any, options: tuple[Option, ...]
) -> None:
    assert reader_for(annotation, options) is None


def test_a_list_without_options_is_read_line_by_line_as_ever() -> None:
    reader = reader_for(list[str])

    assert reader is not None
    assert not reader.chooses_several
    assert reader.read("all but tea\ntea", reading()) == ["all but tea", "tea"]


class Shop(Process, name="shop", version=2):
    """What is ordered."""

    starts_on = ("order",)

    class Answers(BaseModel):
        """Of each shirt."""

        sizes: list[Size] = ask("Which sizes?")
        colours: list[str] = ask(
            "Which colours?", options=(Option(label="Dark red", value="red"), Option(label="Blue"))
        )

    async def complete(self, answers: Answers, turn: Turn) -> Any:
        return None


def test_of_an_older_state_only_what_is_an_option_still_is_taken() -> None:
    definition = define(Shop)

    def found(**values: Any) -> dict[str, Any]:
        return fitting(definition, values, reading(), beside={})

    assert found(sizes=[1, 2], colours=["red"]) == {"sizes": [1, 2], "colours": ["red"]}
    assert found(sizes=[1, 3], colours=["red", "green"]) == {}
    assert found(colours=["Blue", "red", "Blue"]) == {"colours": ["Blue", "red"]}


def test_what_is_kept_are_values_and_what_is_told_are_labels() -> None:
    colours = define(Shop).fields["colours"]

    assert offered(colours, ["red"], reading())
    assert not offered(colours, "red", reading())
    assert json_of(colours, ["red", "red"]) == ["red"]
    assert labels_of(colours, ["red", "green"]) == ["Dark red", "green"]
