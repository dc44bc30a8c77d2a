"""Where the same words may change two answers, the likelier is changed if it is the nearest in meaning, too."""

from collections.abc import Sequence

import pytest

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value
from softrail.reader.changes.by_meaning import is_torn, told_apart


def field(name: str, present: str) -> Field:
    return Field(name=name, label=name, wanted="text", question=f"{name}?", present=present, given=True)


PLACE = Place(wanted="confirm", fields=lambda: (field("milk", "whole"), field("caffeine", "regular")))


class Near:
    """Compares as it was told to, and remembers what with."""

    def __init__(self, **near: float) -> None:
        self.near = near
        self.asked: list[str] = []

    def alike(self, said: str, others: Sequence[str]) -> Sequence[float]:
        self.asked += [said, *others]
        return [self.near[other.split(":")[0]] for other in others]


def torn(first: str, second: str, *, placed: float = 1.0) -> Reading:
    rival = Value(field=second, text="decaf", confidence=0.93)
    value = Value(field=first, text="decaf", confidence=0.95, placed=placed, rivals=(rival,))
    command = Command(act="correct", confidence=0.95, layer="learned", values=(value,))
    return Reading(message="I want it to be decaf", commands=(command,))


def changed(reading: Reading) -> Value:
    [command] = reading.commands
    [value] = command.values
    return value


def test_two_readers_that_agree_are_believed() -> None:
    near = Near(milk=0.26, caffeine=0.38)

    found = changed(told_apart(torn("caffeine", "milk"), PLACE, near, Bars()))

    assert found.field == "caffeine"
    assert Bars().is_sure(found)
    assert near.asked == ["decaf", "caffeine: regular", "milk: whole"]


@pytest.mark.parametrize(
    ("first", "second", "milk"),
    [("milk", "caffeine", 0.26), ("caffeine", "milk", 0.3)],
    ids=["they differ", "hardly nearer"],
)
def test_where_they_do_not_agree_it_stays_a_question(first: str, second: str, milk: float) -> None:
    reading = torn(first, second)

    assert told_apart(reading, PLACE, Near(milk=milk, caffeine=0.38), Bars()) == reading


def test_what_is_unsure_for_another_reason_is_not_compared() -> None:
    reading = torn("caffeine", "milk", placed=0.2)

    assert not is_torn(changed(reading), Bars())
    assert told_apart(reading, PLACE, Near(), Bars()) == reading
