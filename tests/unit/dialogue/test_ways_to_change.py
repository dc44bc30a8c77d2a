"""A change that is not sure is put as the ways to read it, and there is always one."""

from softrail.core.reading import Bars, Command, Reading, Value
from softrail.dialogue.view import ways_to_change


def changes(*values: Value) -> Reading:
    return Reading(
        message="",
        commands=tuple(Command(act="correct", values=(value,), layer="learned") for value in values),
    )


def test_each_rival_is_a_way_of_its_own() -> None:
    goal = Value(field="goal", text="Rome")
    start = Value(field="start", text="Rome", rivals=(goal,))
    assert ways_to_change(changes(start), Bars()) == [(start,), (goal,)]


def test_of_an_answer_that_is_told_twice_the_first_counts() -> None:
    first, second = Value(field="goal", text="Rome"), Value(field="goal", text="Roma")
    assert ways_to_change(changes(first, second), Bars()) == [(first,)]
