"""Steps and processes that outcomes name are looked for before anybody gets there; a name that hides its type is told."""

import datetime as dt
from collections.abc import Sequence
from datetime import date, time
from typing import Any

import pytest
from pydantic import BaseModel

from softrail.core.errors import DefinitionError
from softrail.core.outcomes import Assign, Call, Done, Goto, Outcome, Wait
from softrail.core.turns import Turn
from softrail.processes import Definition, Process, ask, define, step
from softrail.processes.mistakes import circles, unknown


class Empty(BaseModel):
    note: str = ""


class CallsNowhere(Process, name="wrong"):
    @step(asks="Which?", goes_to=("back",))
    async def begin(self, said: Turn, data: Empty) -> Call:
        return Call("other", then="bakc")

    @step()
    async def back(self, said: Turn, data: Empty) -> Done:
        return Done("x")


class AssignsWithoutTellingTheWay(Process, name="wrong"):
    @step(asks="Which?", goes_to=("other",))
    async def begin(self, said: Turn, data: Empty) -> Assign | Goto:
        return Goto("other") if said.message else Assign("other", to="x@example.org", then="back")

    @step(goes_to=("back",))
    async def other(self, said: Turn, data: Empty) -> Goto:
        return Goto("back")

    @step()
    async def back(self, said: Turn, data: Empty) -> Done:
        return Done("x")


class WaitsAtAQuestion(Process, name="wrong"):
    class Answers(BaseModel):
        name: str = ask("Name?")

    async def complete(self, answers: Answers, turn: Turn) -> Wait:
        return Wait(step="gathering_name")

    @step(on="paid")
    async def paid(self, said: Turn, data: Answers) -> Done:
        return Done("x")


class GoesToItself(Process, name="wrong"):
    @step(asks="Which?")
    async def begin(self, said: Turn, data: Empty) -> Outcome:
        return Goto("begin") if said.message else Done("x")


@pytest.mark.parametrize(
    ("process", "says"),
    [
        (CallsNowhere, "goes at 'begin' to step 'bakc', which does not exist. Did you mean 'back'?"),
        (
            AssignsWithoutTellingTheWay,
            "to step 'back', which is not in its goes_to. Name it there: goes_to=(",
        ),
        (WaitsAtAQuestion, "'gathering_name', which is no step of its own, as Wait needs. There are: paid."),
        (GoesToItself, "to step 'begin', which is not in its goes_to. Name it there: goes_to=('begin',)."),
    ],
    ids=["a step that is not there", "a way that is not told", "a question for a step", "itself"],
)
def test_a_step_that_cannot_be_reached_stops_the_start(process: type[Process], says: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        define(process)

    assert says in refused.value.message


class First(Process, name="first"):
    @step(goes_to=("end",))
    async def begin(self, said: Turn, data: Empty) -> Outcome:
        return self._part()

    def _part(self) -> Call:
        return Call("secnod", then="end")

    @step()
    async def end(self, said: Turn, data: Empty) -> Done:
        return Done("x")


class Second(First, name="second"):
    def _part(self) -> Call:
        return Call("third", then="end")


class Third(Process, name="third"):
    @step(goes_to=("end",))
    async def begin(self, said: Turn, data: Empty) -> Call:
        return Call("second", then="end")

    @step(goes_to=("end",), on="late")
    async def late(self, said: Turn, data: Empty) -> Assign:
        return Assign("forth", to="x@example.org", then="end")

    @step()
    async def end(self, said: Turn, data: Empty) -> Done:
        return Done("x")


def defined(*processes: type[Process]) -> Sequence[Definition]:
    return [define(one) for one in processes]


def test_a_process_that_is_called_and_not_there_is_named_with_the_nearest_and_its_line() -> None:
    [(first, called), *_] = unknown(defined(First, Second, Third))

    assert first.name == "first"
    assert called.what.startswith("calls 'secnod' in _part(), and no process of that name is registered.")
    assert called.what.endswith("Did you mean 'second'?")
    assert called.path == __file__
    assert called.line > 0


def test_a_process_that_is_assigned_and_not_there_is_named_with_those_that_are() -> None:
    [(_, assigned)] = unknown(defined(Third, Second))

    assert assigned.what == (
        "assigns 'forth' in late(), and no process of that name is registered. There are: second, third."
    )


def test_calls_in_a_circle_are_told_once_with_the_way_round() -> None:
    class Overridden(First, name="second"):
        async def begin(self, said: Turn, data: Empty) -> Outcome:
            return Call("third", then="end")

        begin = step(goes_to=("end",))(begin)

    [(who, circle)] = circles(defined(Overridden, Third))

    assert who.name == "second"
    assert circle.what.startswith("calls in a circle: second → third → second.")
    assert not circle.sure


def chain(number: int) -> type[Process]:
    source: dict[str, Any] = {}
    text = _LINK.format(number=number, following=number + 1)
    exec(text, {**globals(), "__name__": __name__}, source)  # noqa: S102 - a class without a file
    made: type[Process] = source[f"Link{number}"]
    return made


_LINK = """
class Link{number}(Process, name="link_{number}"):
    @step(goes_to=("end",))
    async def begin(self, said: Turn, data: Empty) -> Call:
        return Call("link_{following}", then="end")

    @step()
    async def end(self, said: Turn, data: Empty) -> Done:
        return Done("x")
"""


def test_where_there_is_no_source_nothing_is_claimed() -> None:
    assert list(unknown(defined(chain(1)))) == []
    assert list(circles(defined(chain(1)))) == []


def test_names_that_hide_their_types_are_told_as_such() -> None:
    with pytest.raises(DefinitionError) as hidden:

        class Hour(BaseModel):
            time: time = ask("When?")

    assert hidden.value.message.endswith(
        "Hour asks for 'time' with a type that is hidden: 'time' is the name of an answer there as well. Call the answer "
        "'time' something else, or write the type by its module, for example: import datetime as dt and dt.time."
    )

    with pytest.raises(DefinitionError, match="asks for 'date' with a type that is hidden: 'date'"):

        class Day(BaseModel):
            date: date | None = ask("Which day?", default=None)


def test_a_name_that_hides_the_type_of_another_is_told_with_both() -> None:
    with pytest.raises(DefinitionError, match="asks for 'later' with a type that is hidden: 'time'"):

        class Two(BaseModel):
            time: str = ask("When?")
            later: time | None = ask("And then?", default=None)  # type: ignore[valid-type] # the mistake


def test_a_name_that_hides_nothing_is_left_alone() -> None:
    class Fine(BaseModel):
        later: time = ask("When?")
        date: dt.date = ask("Which day?")
        time: str = ask("And in words?")

    assert list(Fine.model_fields) == ["later", "date", "time"]
