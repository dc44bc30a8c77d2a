"""At the question of a step of one's own: back, skip, a change of an answer, and what is none of its options."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from pydantic import BaseModel

from softrail.core.effects import Record
from softrail.core.outcomes import Ask, Done, Goto, Outcome
from softrail.core.questions import Option
from softrail.core.turns import Turn
from softrail.processes import Process, Wrong, ask, check, step
from softrail.processes.state import raw
from tests.readers import FakeMarker
from tests.unit.processes.kit import MONDAY, Talk


class Case(BaseModel):
    """A table for tonight."""

    guests: int = 0
    side: str = ""
    wishes: list[str] = []


class Table(Process, name="table", version=1):
    """Steps that ask on entry, one that asks by itself, and one whose answer another gets."""

    @step(asks="For how many?", goes_to=("side",))
    async def guests(self, said: Turn, data: Case) -> Outcome:
        if not said.message.isdigit():
            return Ask("A number, please. For how many?")
        return Goto("side", data=data.model_copy(update={"guests": int(said.message)}))

    @step(
        asks="Inside or outside, for {guests}?",
        options=("Inside", Option(label="Outside", value="out")),
        goes_to=("wishing",),
    )
    async def side(self, said: Turn, data: Case) -> Outcome:
        return Goto("wishing", data=data.model_copy(update={"side": said.choice}))

    @step(goes_to=("wished",))
    async def wishing(self, said: Turn, data: Case) -> Outcome:
        return Ask("What do you wish for?", step="wished", skippable=True)

    @step(goes_to=("booking",))
    async def wished(self, said: Turn, data: Case) -> Outcome:
        if said.skipped:
            return Goto("booking")
        data.wishes.append(said.message)
        return Ask("What else?", data=data, skippable=True)

    @step(asks="Shall I book it?", options=("Yes", "No"))
    async def booking(self, said: Turn, data: Case) -> Outcome:
        return Done(f"{said.choice}: {data.guests} {data.side} {data.wishes}")


async def at(process: type[Process], *words: str, **more: Any) -> Talk:
    talk = Talk(process, **more)
    await talk.start()
    for word in words:
        await talk.say(word)
    return talk


def kept(talk: Talk) -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(talk.instance.data)["data"]
    return data


# -- back


async def test_back_asks_the_question_before_and_keeps_what_it_captured() -> None:
    talk = await at(Table, "4")

    back = await talk.say("go back")

    assert (back.step, back.say) == ("guests", "For how many?")
    assert kept(talk)["guests"] == 4
    assert (await talk.say("5")).say == "Inside or outside, for 5?"


async def test_back_from_the_first_question_says_so_and_asks_it_again() -> None:
    talk = await at(Table)

    assert (await talk.say("go back")).say == (
        "There is no question before this one that I can go back to.\n\nFor how many?"
    )


async def test_a_question_that_was_repeated_is_one_question() -> None:
    talk = await at(Table, "many", "lots", "4")

    assert (await talk.say("back")).step == "guests"
    assert (await talk.say("back")).say.startswith("There is no question before")


async def test_an_answer_given_anew_replaces_the_one_before_it_in_a_loop() -> None:
    talk = await at(Table, "4", "inside", "flowers", "candles")
    assert kept(talk)["wishes"] == ["flowers", "candles"]

    assert (await talk.say("go back")).say == "What else?"
    assert kept(talk)["wishes"] == ["flowers", "candles"]
    await talk.say("music")
    assert kept(talk)["wishes"] == ["flowers", "music"]

    for question in ("What else?", "What do you wish for?", "Inside or outside, for 4?"):
        assert (await talk.say("go back")).say == question
    await talk.say("b")
    assert kept(talk) == {"guests": 4, "side": "out", "wishes": []}


async def test_back_goes_on_working_after_a_pause() -> None:
    talk = await at(Table, "4", "inside")
    await talk.resume(after=timedelta(days=2))

    assert (await talk.say("go back")).step == "side"


async def test_nobody_goes_back_behind_what_is_done() -> None:
    class Paid(Process, name="paid", version=1):
        @step(asks="How much?", goes_to=("thanks",))
        async def amount(self, said: Turn, data: Case) -> Outcome:
            return Goto("thanks", effects=[Record("payment", {"amount": said.message})])

        @step(asks="Anything else?")
        async def thanks(self, said: Turn, data: Case) -> Outcome:
            return Done("Bye.")

    talk = await at(Paid, "40")

    assert (await talk.say("go back")).say == (
        "There is no question before this one that I can go back to.\n\nAnything else?"
    )


async def test_a_default_of_a_question_gone_back_to_waits_its_whole_time_again() -> None:
    class Patient(Process, name="patient", version=1):
        @step(goes_to=("last",))
        async def first(self, said: Turn, data: Case) -> Outcome:
            return Ask("Which?", step="last", default_after=timedelta(hours=1))

        @step()
        async def last(self, said: Turn, data: Case) -> Outcome:
            return Ask("Sure?", data=data.model_copy(update={"side": said.message}))

    talk = await at(Patient, "left")
    talk.at = MONDAY + timedelta(hours=5)

    back = await talk.say("go back")

    assert back.question is not None
    assert (back.say, back.question.expires_at) == ("Which?", MONDAY + timedelta(hours=6))


async def test_a_long_trail_and_large_data_never_make_a_step_fail() -> None:
    class Loop(Process, name="loop", version=1):
        @step(asks="More?", goes_to=("more",))
        async def more(self, said: Turn, data: Case) -> Outcome:
            data.wishes.append("x" * 6_000)
            return Ask("More?", data=data)

    talk = await at(Loop, *["go"] * 40)

    assert len(kept(talk)["wishes"]) == 40
    assert len(talk.instance.data) < 280_000
    assert "There is no question" in (await talk.say("go back")).say


async def test_a_clarification_gets_even_these_words() -> None:
    class Unclear(Process, name="unclear", version=1):
        @step()
        async def asking(self, said: Turn, data: Case) -> Outcome:
            return Ask(f"{said.message} {said.choice}?", kind="clarify", options=("A", "B"))

    talk = await at(Unclear)

    assert (await talk.say("go back")).say == "go back None?"


# -- skip


async def test_skip_is_told_to_a_step_that_may_be_skipped_and_refused_by_any_other() -> None:
    talk = await at(Table)

    assert (await talk.say("skip")).say == "I can't do without this one.\n\nFor how many?"
    await talk.say("4")
    wishing = await talk.say("inside")
    assert wishing.suggested_actions == ("Skip",)
    assert (await talk.say("skip")).step == "booking"


async def test_words_that_mean_skip_are_read_as_skip() -> None:
    marker = FakeMarker(acts={"you choose": {"open": 0.95}, "none of that": {"negate": 0.9}})

    class Choice(Process, name="choice", version=1):
        @step(asks="Red or blue?", options=("Red", "Blue"), skippable=True)
        async def colour(self, said: Turn, data: Case) -> Outcome:
            return Done(f"{said.choice} {said.skipped}")

    assert (await (await at(Choice, marker=marker)).say("you choose")).say == "None True"
    assert (await (await at(Choice, marker=marker)).say("none of that")).say == "None True"
    talk = await at(Table, marker=marker)
    assert (await talk.say("you choose")).say == "I can't do without this one.\n\nFor how many?"


async def test_an_answer_with_a_default_can_be_skipped_where_a_step_asks_for_it() -> None:
    class Own(Process, name="own", version=1):
        class Answers(BaseModel):
            size: str = ask("Which size?", default="small")

        @step(asks="Well, which size?", goes_to=("gathering",))
        async def gathering_size(self, said: Turn, data: Answers) -> Outcome:
            return Goto("gathering", data=data.model_copy(update={"size": said.message}))

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done(answers.size)

    talk = await at(Own)
    assert (await talk.say("skip")).step == "confirming"
    assert (await talk.say("yes")).say == "small"


# -- options


async def test_what_is_none_of_the_options_is_asked_again_and_the_step_is_not_run() -> None:
    talk = await at(Table, "4")
    before = kept(talk)

    again = await talk.say("on the roof")

    assert again.say == "Please choose one of these: Inside, Outside.\n\nInside or outside, for 4?"
    assert (again.step, kept(talk)) == ("side", before)
    await talk.say("outside please")
    assert kept(talk)["side"] == "out"


async def test_yes_and_no_are_asked_for_in_the_words_of_every_yes_no_question() -> None:
    marker = FakeMarker(acts={"I guess that works": {"affirm": 0.9}, "hm": {"unclear": 0.9}})
    talk = await at(Table, "4", "inside", "skip", marker=marker)

    assert (await talk.say("hm")).say == "Please answer yes or no.\n\nShall I book it?"
    assert (await talk.say("I guess that works")).say == "Yes: 4 Inside []"


async def test_takes_anything_hands_other_words_to_the_step_too() -> None:
    class Open(Process, name="open", version=1):
        @step(asks="Which door?", options=("Red", "Blue"), takes_anything=True)
        async def door(self, said: Turn, data: Case) -> Outcome:
            return Ask(f"{said.message} {said.choice}?", options=("Red", "Blue"))

    talk = await at(Open)

    assert (await talk.say("the garden gate")).say == "the garden gate None?"
    assert (await talk.say("red")).say == "red Red?"


async def test_what_a_step_looks_for_besides_its_options_reaches_it() -> None:
    class Room(Process, name="room", version=1):
        @step(asks="Which room?", options=("Red", "Blue"), reads={"guests": "how many people come"})
        async def room(self, said: Turn, data: Case) -> Outcome:
            return Done(f"{said.choice} {said.values.get('guests')}")

    words = "one where five of us fit"
    acts = {words: {"inform": 0.4, "inform_other": 0.9}}
    marker = FakeMarker(acts=acts, values={words: {"how many": "five"}})

    assert (await (await at(Room, marker=marker)).say(words)).say == "None five"


# -- changes of answers


class Trip(Process, name="trip", version=1):
    """Answers, then a question of its own before the summary is agreed to."""

    class Answers(BaseModel):
        age: int = ask("How old are you?", gt=0, lt=150)
        place: str = ask("Where to?")

    @check("age", goes_to=("guide",))
    async def grown(self, answers: Answers, turn: Turn) -> Wrong | Goto | None:
        if answers.age < 12:
            return Wrong("age", "That is too young.")
        return Goto("guide") if answers.age < 18 else None

    @step(asks="Who comes with you, at {age}?", goes_to=("gathering",))
    async def guide(self, said: Turn, data: Answers) -> Outcome:
        return Goto("gathering", say=f"With {said.message}.")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.age} {answers.place}")


class Booking(Process, name="booking", version=1):
    """A question of its own in the middle of the answers."""

    confirm_step = "agreed"

    class Answers(BaseModel):
        age: int = ask("How old are you?", gt=0, lt=150)
        meal: str = ask("Which meal?", default="any")

    @check("age")
    async def grown(self, answers: Answers, turn: Turn) -> Wrong | None:
        return Wrong("age", "That is too young.") if answers.age < 12 else None

    @step(asks="Book it for someone of {age}?", options=("Yes", "No"), goes_to=("reason",))
    async def agreed(self, said: Turn, data: Answers) -> Outcome:
        return Done("Booked.") if said.choice == "Yes" else Goto("reason")

    @step(asks="Why not?")
    async def reason(self, said: Turn, data: Answers) -> Outcome:
        return Done(f"Not at {data.age}: {said.message}.")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("never")


def answers(talk: Talk) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(talk.instance.data)["answers"]
    return found


async def test_a_change_applies_to_the_answers_and_the_steps_question_tells_it_anew() -> None:
    talk = await at(Booking, "30", "soup")

    changed = await talk.say("change age to 20")

    assert changed.say == "I've changed age.\n\nBook it for someone of 20?"
    assert (changed.step, answers(talk)) == ("agreed", {"age": 20, "meal": "soup"})
    assert (await talk.say("yes")).say == "Booked."


async def test_a_change_that_cannot_be_used_says_why_and_the_answer_stays() -> None:
    talk = await at(Booking, "30", "soup")

    refused = await talk.say("change age to 200")

    assert refused.say == "It must be less than 150.\n\nBook it for someone of 30?"
    assert answers(talk)["age"] == 30


async def test_a_change_that_a_check_refuses_is_asked_for_and_then_the_step_asks_again() -> None:
    talk = await at(Booking, "30", "soup", "no")

    refused = await talk.say("change age to 5")
    assert refused.say.endswith("That is too young.\n\nHow old are you?")
    assert (await talk.say("6")).say == "That is too young.\n\nHow old are you?"
    again = await talk.say("40")

    assert (again.step, again.say) == ("reason", "Why not?")
    assert (await talk.say("too dear")).say == "Not at 40: too dear."


async def test_an_answer_that_is_only_called_wrong_is_asked_for_and_back_returns() -> None:
    words = "the age is wrong"
    marker = FakeMarker(acts={words: {"correct": 0.9}}, values={words: {}})
    talk = await at(Booking, "30", "soup", "no", marker=marker)

    assert (await talk.say(words)).say == "How old are you?"
    assert (await talk.say("go back")).say == "Why not?"
    assert answers(talk)["age"] == 30


async def test_a_change_in_other_words_is_read_back() -> None:
    words = "oh, I turn 31 today"
    marker = FakeMarker(acts={words: {"correct": 0.9}}, values={words: {"age": "31"}})
    talk = await at(Booking, "30", "soup", "no", marker=marker)

    assert (await talk.say(words)).say == "Age: 31.\n\nWhy not?"


async def test_an_answer_to_a_step_changes_no_other_answer() -> None:
    marker = FakeMarker(acts={"35 is too old": {"inform": 0.9}}, values={"35 is too old": {"age": "35"}})
    talk = await at(Booking, "30", "soup", "no", marker=marker)

    assert (await talk.say("35 is too old")).say == "Not at 30: 35 is too old."


async def test_back_from_a_step_asks_for_the_answer_before_it_whose_check_led_there() -> None:
    talk = await at(Trip, "15")
    assert talk.instance.step == "guide"

    assert (await talk.say("go back")).say == "How old are you?"
    assert answers(talk)["age"] == 15
    assert (await talk.say("5")).say == "That is too young.\n\nHow old are you?"
    assert (await talk.say("30")).say == "Where to?"


async def test_back_from_the_answers_leads_to_the_step_before_them() -> None:
    class Led(Trip, name="led", version=1):
        @step(asks="Who are you?", goes_to=("gathering", "guide"), first=True)
        async def hello(self, said: Turn, data: Case) -> Outcome:
            return Goto("gathering", data=Case(side=said.message))

    talk = await at(Led, "Ada", "30")

    for question in ("How old are you?", "Who are you?"):
        assert (await talk.say("go back")).say == question
    assert kept(talk)["side"] == "Ada"
    assert (await talk.say("Bea")).say == "Where to?"
    assert (await talk.say("Oslo")).step == "confirming"
    assert (kept(talk)["side"], answers(talk)) == ("Bea", {"age": 30, "place": "Oslo"})


async def test_a_step_that_puts_its_question_for_another_puts_it_anew() -> None:
    class Told(Booking, name="told", version=1):
        @step(goes_to=("sure", "reason"))
        async def agreed(self, said: Turn, data: Booking.Answers) -> Outcome:
            return Ask(f"Book for {data.age}?", step="sure", kind="confirm", options=("Yes", "No"))

        @step()
        async def sure(self, said: Turn, data: Booking.Answers) -> Outcome:
            return Done(f"{said.choice} for {data.age}.")

    talk = await at(Told, "30", "soup")

    assert (await talk.say("change age to 20")).say == "I've changed age.\n\nBook for 20?"
    stops = json.loads(talk.instance.data)["trail"]
    assert [stop.get("question", {}).get("prompt") for stop in stops] == [None, None, "Book for 20?"]
    assert (await talk.say("yes")).say == "Yes for 20."


async def test_a_yes_is_never_to_words_that_tell_an_older_answer() -> None:
    class Old(Booking, name="old", version=1):
        @step(goes_to=("reason",))
        async def agreed(self, said: Turn, data: Booking.Answers) -> Outcome:
            if said.choice == "Yes":
                return Done(f"Booked for {data.age}.")
            return Ask(f"Book for {data.age}?", kind="confirm", options=("Yes", "No"))

    talk = await at(Old, "30", "soup")

    refused = await talk.say("change age to 20")
    assert refused.say == "I can't change age while I ask this.\n\nBook for 30?"
    assert answers(talk)["age"] == 30
    assert (await talk.say("go back")).say == "Which meal?"


async def test_starting_over_forgets_the_questions_asked() -> None:
    talk = await at(Booking, "30", "soup", "no")
    stops = json.loads(talk.instance.data)["trail"]
    assert [stop["step"] for stop in stops] == ["gathering_age", "gathering_meal", "agreed", "reason"]

    await talk.start()

    assert len(json.loads(talk.instance.data)["trail"]) == 1


async def test_going_back_changes_nothing_in_what_is_remembered_of_the_same_text() -> None:
    talk = await at(Table, "4", "Inside")
    before = talk.instance

    assert (await talk.say("go back")).step == "side"
    gone_back = talk.instance.data
    talk.instance = before

    assert (await talk.say("go back")).step == "side"
    assert talk.instance.data == gone_back
    assert json.loads(before.data) == raw(before.data)


async def test_a_state_that_was_kept_with_another_way_of_writing_times_goes_on() -> None:
    talk = await at(Table, "4", "Inside")
    state = json.loads(talk.instance.data)
    for stop in state["trail"]:
        stop["at"] = stop["at"].replace("+00:00", "Z")
    talk.instance = talk.instance.evolve(data=json.dumps(state))

    assert (await talk.say("go back")).say == "Inside or outside, for 4?"
