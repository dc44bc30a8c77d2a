"""`turn.extract(…)`: what is found is kept, what is missing is asked for, and then the step runs again."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, model_validator

from softrail import Ask, Done, Goto, Process, Record, Turn, ask, step
from softrail.core.errors import DefinitionError, StepFailed
from softrail.core.outcomes import Outcome
from softrail.core.reading import Place
from softrail.processes import NotUsable, define
from tests.readers import FakeMarker, reader
from tests.unit.processes.kit import Talk


class Trip(BaseModel):
    to: str = ask("Where to?", description="the town to go to")
    day: date = ask("Which day?")
    seats: int = ask("How many of you?", gt=0, lt=9)
    car: Literal["van", "bus"] | None = Field(default=None, description="the kind of car")


class Case(BaseModel):
    tries: int = 0


class Travel(Process, name="travel", version=1):
    @step(asks="Where would you like to go?", extracts=Trip)
    async def trip(self, said: Turn, data: Case) -> Outcome:
        found = await said.extract(Trip)
        if isinstance(found, Ask):
            return found
        if found.to == "Atlantis":
            return Ask("Nobody goes there any more. Where else?")
        return Done(f"{found.seats} to {found.to}.", effects=[Record("trip", found)])


WHOLE = "to Oslo on Friday, three of us"
VALUES: Mapping[str, Mapping[str, str]] = {
    WHOLE: {"town": "Oslo", "Which day": "Friday", "How many": "three"},
    "Oslo": {"town": "Oslo"},
    "to Oslo with thirty": {"town": "Oslo", "How many": "thirty"},
    "to Oslo with thirty on Friday": {"town": "Oslo", "How many": "thirty", "Which day": "Friday"},
    "two to Atlantis on Friday": {"town": "Atlantis", "Which day": "Friday", "How many": "two"},
    "to Rome by bus": {"town": "Rome", "kind of car": "bus"},
}


def travel(process: type[Process] = Travel) -> Talk:
    return Talk(process, marker=FakeMarker(values=VALUES), reader=reader(values=VALUES))


async def test_everything_that_is_wanted_is_found_in_one_message() -> None:
    talk = travel()
    await talk.start()
    done = await talk.say(WHOLE)

    assert (done.end, done.say) == ("completed", "3 to Oslo.")
    assert done.effects == (Record("trip", {"to": "Oslo", "day": "2026-03-06", "seats": 3, "car": None}),)


async def test_what_is_missing_is_asked_for_and_then_the_step_runs_again_with_all_of_it() -> None:
    talk = travel()
    await talk.start()
    asked = await talk.say("Oslo")
    assert (asked.step, asked.say) == ("trip_day", "To: Oslo.\n\nWhich day?")
    noted = await talk.say("friday")
    assert (noted.say, noted.why) == ("How many of you?", "trip: captured day")
    done = await talk.say("3")

    assert (done.end, done.say) == ("completed", "3 to Oslo.")
    assert json.loads(done.data).get("extracted") is None


async def test_a_value_that_cannot_be_used_is_asked_for_with_the_reason_and_the_others_are_kept() -> None:
    talk = travel()
    await talk.start()
    asked = await talk.say("to Oslo with thirty on Friday")

    assert asked.step == "trip_seats"
    assert asked.say.startswith("To: Oslo.")
    assert "It must be less than 9." in asked.say
    assert (await talk.say("2")).say == "2 to Oslo."


async def test_the_questions_for_what_is_missing_know_back_and_corrections() -> None:
    talk = travel()
    await talk.start()
    await talk.say("Oslo")
    await talk.say("friday")
    assert (await talk.say("back")).step == "trip_day"
    await talk.say("saturday")
    assert (await talk.say("actually, to is Rome")).say.startswith("I've changed to.")
    done = await talk.say("2")

    [record] = done.effects
    assert isinstance(record, Record)
    assert record.data == {"to": "Rome", "day": "2026-03-07", "seats": 2, "car": None}


async def test_what_cannot_be_left_out_is_not_skipped_and_a_no_in_the_middle_declines_nothing() -> None:
    talk = travel()
    await talk.start()
    await talk.say("Oslo")
    for words in ("skip", "no"):
        again = await talk.say(words)
        assert (again.end, again.step) == (None, "trip_day")


async def test_what_has_a_default_alone_is_found_and_not_asked_for() -> None:
    talk = travel()
    await talk.start()
    await talk.say("to Rome by bus")
    await talk.say("friday")
    done = await talk.say("3")

    [record] = done.effects
    assert isinstance(record, Record)
    assert isinstance(record.data, dict)
    assert record.data["car"] == "bus"


async def test_a_step_that_asks_again_keeps_what_it_has_and_a_new_value_takes_the_place_of_the_old() -> None:
    talk = travel()
    await talk.start()
    again = await talk.say("two to Atlantis on Friday")
    assert (again.step, again.say) == ("trip", "Nobody goes there any more. Where else?")

    assert (await talk.say("Oslo")).say == "2 to Oslo."


async def test_a_paused_run_goes_on_at_the_missing_value() -> None:
    talk = travel()
    await talk.start()
    await talk.say("Oslo")
    resumed = await talk.resume(after=timedelta(days=1))
    assert resumed.say.endswith("Which day?")

    await talk.say("friday")
    assert (await talk.say("2")).say == "2 to Oslo."


class Later(Process, name="later", version=1):
    """The message that led here is the one that is read."""

    @step(asks="What is it about?", goes_to=("trip",))
    async def topic(self, said: Turn, data: Case) -> Outcome:
        return Goto("trip")

    @step(extracts=Trip)
    async def trip(self, said: Turn, data: Case) -> Outcome:
        found = await said.extract(Trip)
        return replace(found, data=Case(tries=1)) if isinstance(found, Ask) else Done(f"{found.to}.")


async def test_a_step_that_is_reached_reads_the_message_that_led_there() -> None:
    talk = travel(Later)
    await talk.start()
    assert (await talk.say(WHOLE)).say == "Oslo."


async def test_a_step_may_keep_its_data_beside_the_question_for_what_is_missing() -> None:
    talk = travel(Later)
    await talk.start()
    asked = await talk.say("Oslo")

    assert asked.step == "trip_day"
    assert json.loads(asked.data)["data"] == {"tries": 1}


async def test_without_any_reader_everything_is_asked_for() -> None:
    talk = Talk(Later)
    await talk.start()
    assert (await talk.say(WHOLE)).say == "Where to?"
    await talk.say("Oslo")
    await talk.say("friday")
    assert (await talk.say("3")).say == "Oslo."


class Hours(BaseModel):
    begin: int = ask("From which hour?", ge=0, le=24)
    end: int = ask("Until which hour?", ge=0, le=24)

    @model_validator(mode="after")
    def _in_order(self) -> "Hours":
        if self.end <= self.begin:
            raise NotUsable("end", "It ends after it begins.")
        return self


class Open(Process, name="open", version=1):
    @step(asks="When is it open?", extracts=Hours)
    async def hours(self, said: Turn, data: Case) -> Outcome:
        found = await said.extract(Hours)
        return found if isinstance(found, Ask) else Done(f"{found.begin} to {found.end}.")


async def test_values_that_do_not_fit_together_send_the_person_to_the_one_that_is_named() -> None:
    talk = Talk(Open)
    await talk.start()
    await talk.say("early")
    await talk.say("9")
    wrong = await talk.say("8")
    assert (wrong.step, wrong.say) == ("hours_end", "It ends after it begins.\n\nUntil which hour?")

    assert (await talk.say("17")).say == "9 to 17."


async def test_what_an_older_version_has_extracted_and_no_longer_fits_is_asked_for_again() -> None:
    talk = travel()
    await talk.start()
    await talk.say("Oslo")
    state = json.loads(talk.instance.data)
    state["extracted"]["trip"]["answers"]["to"] = ["a", "list"]
    state["extracted"]["gone"] = state["extracted"]["trip"]
    talk.instance = talk.instance.evolve(data=json.dumps(state))

    assert (await talk.say("friday")).say == "Where to?"


class Loose(Process, name="loose", version=1):
    @step(asks="What?")
    async def what(self, said: Turn, data: Case) -> Outcome:
        found = await said.extract(Trip)
        return found if isinstance(found, Ask) else Done("Fine.")


async def test_a_model_that_the_step_does_not_declare_is_refused_with_what_to_write() -> None:
    talk = Talk(Loose)
    await talk.start()
    with pytest.raises(StepFailed, match=r"extracts Trip, which is not declared: @step\(extracts=Trip\)\."):
        await talk.say("Oslo")


async def test_a_turn_outside_of_a_process_says_where_its_doors_are() -> None:
    with pytest.raises(StepFailed, match="where no process plays"):
        await Talk(Travel).turn("hello").extract(Trip)


class NoQuestion(BaseModel):
    to: str


class Unreadable(BaseModel):
    when: datetime | int = ask("When?")


class Nothing(BaseModel):
    thing: object = None


class Twice(BaseModel):
    to: str = ask("Where to?", names=("place",))
    place: str = ask("Which place?")


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (NoQuestion, "whose 'to' has neither a question nor a default"),
        (Unreadable, "which no reader knows"),
        (Twice, "calls both 'to' and 'place' 'place'"),
        (Nothing, "which has no field that can be read"),
        ("Trip", "It is a pydantic model"),
    ],
    ids=["no question", "no reader", "names twice", "nothing", "no model"],
)
def test_what_a_step_cannot_extract_is_said_at_registration(model: Any, told: str) -> None:
    class Wrong(Process, name="wrong", version=1):
        @step(asks="What?", extracts=model)
        async def what(self, said: Turn, data: Case) -> Outcome:
            return Done("")

    with pytest.raises(DefinitionError, match=told):
        define(Wrong)


def test_the_questions_for_what_is_missing_are_steps_of_the_graph_and_texts_that_can_be_changed() -> None:
    definition = define(Travel)

    assert ("trip", "is missing", "trip_day") in definition.edges()
    assert ("trip_day", "answer", "trip") in definition.edges()
    assert ("trip", "done", "[*]") in definition.edges()
    assert definition.texts()["travel/trip_day"] == "Which day?"


def test_a_step_of_the_name_of_such_a_question_is_refused() -> None:
    class Wrong(Process, name="wrong", version=1):
        @step(asks="What?", extracts=Trip, goes_to=("trip_day",))
        async def trip(self, said: Turn, data: Case) -> Outcome:
            return Done("")

        @step(asks="Which?")
        async def trip_day(self, said: Turn, data: Case) -> Outcome:
            return Done("")

    with pytest.raises(DefinitionError, match="'trip_day', which is what the step 'trip' asks with"):
        define(Wrong)


def test_the_reader_is_told_what_is_wanted_and_what_is_there() -> None:
    talk = Talk(Travel)
    instance = talk.instance.evolve(step="trip")
    place = talk.conductor.placed(talk.definition, instance, talk.turn("x"), Place())

    assert place.wanted == "own"
    assert place.wants == ("to", "day", "seats")
    assert [f.name for f in place.fields()] == ["to", "day", "seats", "car"]
