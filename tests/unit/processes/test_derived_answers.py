"""The steps that follow from a pydantic model of answers."""

import json
from datetime import date, timedelta
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, field_validator, model_validator

from softrail.core.effects import Record
from softrail.core.errors import StepFailed
from softrail.core.outcomes import Ask, Done, Goto, Outcome
from softrail.core.turns import Turn
from softrail.processes import NotUsable, Process, Wrong, ask, check, step
from tests.unit.processes.kit import MONDAY, Talk, Texts


class Standup(Process, name="standup", version=1):
    """A daily check-in."""

    class Answers(BaseModel):
        yesterday: list[str] = ask("What did you work on yesterday?", default=[])
        today: list[str] = ask("What's planned for today?", default=[], names=("plan",))
        blockers: list[str] = ask("Any blockers?", default=[], names=("blocker",), skip_words=("none",))

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Saved.", effects=[Record("standup", answers)])


async def at_the_summary() -> Talk:
    talk = Talk(Standup)
    await talk.start()
    await talk.say("- fixed login\n- reviewed the search PR")
    await talk.say("ship v2")
    await talk.say("none")
    return talk


def answers(talk: Talk) -> Any:
    return json.loads(talk.instance.data)["answers"]


async def test_each_answer_is_asked_for_confirmed_and_handed_to_complete() -> None:
    talk = Talk(Standup)
    assert (await talk.start()).say == "What did you work on yesterday?"
    assert (await talk.say("- fixed login\n- reviewed the search PR")).say == "What's planned for today?"
    assert (await talk.say("ship v2")).step == "gathering_blockers"

    summary = await talk.say("waiting for a review")

    assert summary.step == "confirming"
    assert summary.question is not None
    assert (summary.question.kind, summary.question.tail) == ("confirm", True)
    for words in ("fixed login", "reviewed the search PR", "ship v2", "waiting for a review"):
        assert words in summary.say
    done = await talk.say("looks good")
    assert (done.end, done.say) == ("completed", "Saved.")
    assert done.effects == (
        Record(
            "standup",
            {
                "yesterday": ["fixed login", "reviewed the search PR"],
                "today": ["ship v2"],
                "blockers": ["waiting for a review"],
            },
        ),
    )


async def test_an_answer_remembers_when_and_from_which_turn_it_came() -> None:
    talk = Talk(Standup)
    await talk.start()
    await talk.say("fixed login")
    captured = json.loads(talk.instance.data)["captured"]
    assert captured == {
        "yesterday": {"at": MONDAY.isoformat().replace("+00:00", "Z"), "seq": 5, "turn_id": "t5"}
    }


async def test_a_skipped_answer_keeps_its_default_and_is_not_asked_again() -> None:
    talk = Talk(Standup)
    started = await talk.start()
    assert started.suggested_actions == ("Skip",)
    assert (await talk.say("skip")).step == "gathering_today"
    summary = await talk.say("that's all")
    assert summary.step == "confirming"
    assert summary.say.count("nothing") == 3


async def test_words_before_a_done_word_are_kept() -> None:
    talk = Talk(Standup)
    await talk.start()
    summary = await talk.say("fixed login. that's all")
    assert summary.step == "confirming"
    assert answers(talk) == {"yesterday": ["fixed login"]}


async def test_go_back_asks_the_question_before_and_the_next_answer_replaces_the_old() -> None:
    talk = Talk(Standup)
    await talk.start()
    await talk.say("fixed login")
    assert (await talk.say("go back")).step == "gathering_yesterday"
    assert (await talk.say("fixed logout")).step == "gathering_today"
    assert answers(talk) == {"yesterday": ["fixed logout"]}


async def test_an_earlier_answer_is_corrected_at_any_time_and_the_open_question_stays() -> None:
    talk = Talk(Standup)
    await talk.start()
    await talk.say("fixed login")
    played = await talk.say("actually, yesterday is fixed logout")
    assert played.step == "gathering_today"
    assert "What's planned for today?" in played.say
    assert answers(talk) == {"yesterday": ["fixed logout"]}


async def test_a_correction_of_what_is_being_asked_is_its_answer() -> None:
    talk = Talk(Standup)
    await talk.start()
    await talk.say("skip")
    await talk.say("actually, today is writing docs")
    assert answers(talk)["today"] == ["writing docs"]


async def test_no_to_the_first_question_declines_and_later_means_nothing() -> None:
    talk = Talk(Standup)
    await talk.start()
    assert (await talk.say("no thanks")).end == "declined"

    talk = Talk(Standup)
    await talk.start()
    await talk.say("fixed login")
    assert (await talk.say("no")).step == "gathering_blockers"
    assert answers(talk) == {"yesterday": ["fixed login"]}


@pytest.mark.parametrize(
    ("message", "field", "now"),
    [
        ("add blocker waiting for the key", "blockers", ["waiting for the key"]),
        ("change today to writing docs", "today", ["writing docs"]),
        ("remove search PR", "yesterday", ["fixed login"]),
        ("remove 1 from yesterday", "yesterday", ["reviewed the search PR"]),
    ],
    ids=["add", "change", "remove by words", "remove by number"],
)
async def test_the_summary_is_edited_in_words(message: str, field: str, now: list[str]) -> None:
    talk = await at_the_summary()
    shown = await talk.say(message)
    assert shown.step == "confirming"
    assert answers(talk)[field] == now
    assert all(item in shown.say for item in now)
    assert (await talk.say("yes")).end == "completed"


async def test_no_to_the_summary_asks_what_to_change_and_a_field_name_asks_it_again() -> None:
    talk = await at_the_summary()
    asked = await talk.say("no")
    assert asked.step == "confirming"
    assert "change" in asked.say
    assert (await talk.say("today")).step == "gathering_today"
    assert (await talk.say("write docs")).step == "confirming"
    assert answers(talk)["today"] == ["write docs"]


async def test_start_over_forgets_everything() -> None:
    talk = await at_the_summary()
    played = await talk.say("start over")
    assert played.step == "gathering_yesterday"
    assert json.loads(played.data)["captured"] == {}


class Booking(Process, name="booking", version=1):
    """Books a room."""

    confirm = False

    class Size(Enum):
        SMALL = "small"
        BIG = "big_hall"

    class Answers(BaseModel):
        day: date = ask("Which day?")
        until: date = ask("Until when? (from {day})")
        people: int = ask("How many people?", gt=0, le=40)
        size: "Booking.Size" = ask("Which room?")
        snacks: bool = ask("Snacks?")
        note: str | None = ask("A note?", default=None, max_length=10)

        @model_validator(mode="after")
        def in_order(self) -> "Booking.Answers":
            if self.until < self.day:
                raise NotUsable("until", "It would end before it begins.")
            return self

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.people} people, {answers.size.name}, snacks {answers.snacks}")


Booking.Answers.model_rebuild()


async def test_readers_give_values_of_the_fields_types() -> None:
    talk = Talk(Booking)
    await talk.start()
    assert (await talk.say("tomorrow")).say == "Until when? (from Tuesday, 3 March 2026)"
    await talk.say("next Friday")
    rooms = await talk.say("about 12 people")
    assert rooms.question is not None
    assert [o.label for o in rooms.question.options] == ["small", "big hall"]
    assert (await talk.say("b")).step == "gathering_snacks"
    assert (await talk.say("yes please")).step == "gathering_note"
    done = await talk.say("skip")
    assert done.say == "12 people, BIG, snacks True"


async def test_a_refused_answer_is_explained_and_asked_again() -> None:
    talk = Talk(Booking)
    await talk.start()
    refused = await talk.say("whenever")
    assert refused.step == "gathering_day"
    assert "date" in refused.say
    assert "Which day?" in refused.say
    await talk.say("2026-03-10")
    await talk.say("2026-03-11")
    assert "at most 40" in (await talk.say("50")).say
    assert (await talk.say("40")).step == "gathering_size"


async def test_a_required_answer_cannot_be_skipped_and_is_named_by_that_is_all() -> None:
    talk = Talk(Booking)
    assert (await talk.start()).suggested_actions == ()
    assert (await talk.say("skip")).step == "gathering_day"
    await talk.say("2026-03-10")
    asked = await talk.say("that's all")
    assert asked.step == "gathering_until"
    assert "until, people, size, snacks" in asked.say


async def test_a_model_validator_sends_the_person_to_the_field_it_names() -> None:
    talk = Talk(Booking)
    await talk.start()
    for words in ("2026-03-10", "2026-03-09", "5", "small", "no"):
        await talk.say(words)
    asked = await talk.say("skip")
    assert asked.step == "gathering_until"
    assert "It would end before it begins." in asked.say
    assert (await talk.say("2026-03-12")).end == "completed"


async def test_no_is_an_answer_to_a_yes_or_no_question_even_if_it_is_the_first() -> None:
    class Simple(Process, name="simple", version=1, confirm=False):
        class Answers(BaseModel):
            ready: bool = ask("Ready?")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done(str(answers.ready))

    talk = Talk(Simple)
    await talk.start()
    assert (await talk.say("no")).say == "False"


async def test_a_reader_of_ones_own_tells_the_person_why() -> None:
    def hex_code(words: str) -> str:
        if not words.startswith("#"):
            raise ValueError("a colour begins with #")
        return words.lower()

    class Paint(Process, name="paint", version=1):
        class Answers(BaseModel):
            colour: str = ask("Which colour?", read=hex_code)

            @field_validator("colour")
            @classmethod
            def not_black(cls, value: str) -> str:
                if value == "#000":
                    raise ValueError("black is sold out")
                return value

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("ok")

    talk = Talk(Paint)
    await talk.start()
    assert "a colour begins with #" in (await talk.say("red")).say
    assert "Black is sold out." in (await talk.say("#000")).say
    assert (await talk.say("#FFF")).step == "confirming"
    assert answers(talk) == {"colour": "#fff"}


async def test_what_the_first_message_says_is_not_asked_for_if_it_is_valid() -> None:
    class Setup(Process, name="setup", version=1):
        class Answers(BaseModel):
            name: str = ask("Its name?")
            size: Literal["small", "big"] = ask("Its size?")

        def prefill(self, said: Turn) -> dict[str, Any]:
            return {"name": said.message.split()[-1], "size": "huge"}

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("ok")

    talk = Talk(Setup)
    assert (await talk.start("set up my project called Atlas")).step == "gathering_size"
    assert answers(talk) == {"name": "Atlas"}


async def test_resume_goes_to_the_first_missing_answer_and_tells_what_is_kept() -> None:
    talk = Talk(Standup)
    await talk.start()
    await talk.say("fixed login")
    played = await talk.resume(after=timedelta(days=3))
    assert played.step == "gathering_today"
    assert "fixed login" in played.say
    assert played.say.endswith("What's planned for today?")


async def test_answers_older_than_the_freshness_limit_are_asked_again_on_resume() -> None:
    class Fresh(Standup, name="fresh", version=1):
        freshness = timedelta(hours=8)

    talk = Talk(Fresh)
    await talk.start()
    await talk.say("fixed login")
    talk.at += timedelta(hours=5)
    await talk.say("ship v2")
    played = await talk.resume(after=timedelta(hours=3, seconds=1))
    assert played.step == "gathering_yesterday"
    assert answers(talk) == {"today": ["ship v2"]}


async def test_at_exactly_the_freshness_limit_an_answer_is_still_good() -> None:
    class Fresh(Standup, name="fresh", version=1):
        freshness = timedelta(hours=8)

    talk = Talk(Fresh)
    await talk.start()
    await talk.say("fixed login")
    assert (await talk.resume(after=timedelta(hours=8))).step == "gathering_today"


async def test_asking_again_changes_nothing() -> None:
    talk = Talk(Standup)
    await talk.start()
    await talk.say("fixed login")
    again = await talk.conductor.again(talk.definition, talk.instance, talk.turn("what's the weather?"))
    assert (again.say, again.step) == ("What's planned for today?", "gathering_today")
    assert again.data == talk.instance.data


async def test_a_file_may_replace_a_question_and_its_version_is_noted() -> None:
    talk = Talk(Standup, prompts=Texts({"standup/yesterday": "Yesterday?"}))
    played = await talk.start()
    assert played.say == "Yesterday?"
    assert played.prompts == ("standup/yesterday@1 sha256:00000000",)


async def test_words_of_a_person_that_look_like_a_place_stay_as_typed() -> None:
    class Echo(Process, name="echo", version=1):
        class Answers(BaseModel):
            first: str = ask("First?")
            second: str = ask("And after {first}?")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("ok")

    talk = Talk(Echo)
    await talk.start()
    assert (await talk.say("{second} {0} %s")).say == "And after {second} {0} %s?"


async def test_a_step_of_ones_own_may_follow_an_answer_and_give_others() -> None:
    class Order(Process, name="order", version=1):
        confirm = False

        class Answers(BaseModel):
            number: str = ask("Which order?")
            reason: str = ask("Why?")
            city: str = ask("Where?")

        @check("number", goes_to=("look",))
        async def there(self, answers: Answers, turn: Turn) -> Wrong | Goto | None:
            if answers.number == "0":
                return Wrong("number", "No such order.")
            return None if hasattr(answers, "reason") else Goto("look")

        @step(goes_to=("gathering",))
        async def look(self, said: Turn, data: Answers) -> Outcome:
            data.reason = f"known for {data.number}"
            return Goto("gathering", say="Found it.", data=data)

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done(f"{answers.reason} in {answers.city}")

    talk = Talk(Order)
    await talk.start()
    assert (await talk.say("0")).say == "No such order.\n\nWhich order?"
    asked = await talk.say("7")
    assert (asked.step, asked.say) == ("gathering_city", "Found it.\n\nWhere?")
    assert (await talk.say("Oslo")).say == "known for 7 in Oslo"


async def test_stored_answers_that_no_longer_fit_cannot_be_read() -> None:
    talk = Talk(Booking)
    await talk.start()
    for stored in (
        '{"schema":2,"answers":{}}',
        "not json",
        '{"schema":1,"answers":{"people":99}}',
        '{"schema":1,"answers":{"gone":1}}',
    ):
        broken = talk.instance.evolve(data=stored)
        with pytest.raises(StepFailed) as failed:
            await talk.conductor.answer(talk.definition, broken, talk.turn("5"))
        assert failed.value.kind == "unreadable"
        assert talk.conductor.kept(talk.definition, broken) == ""


async def test_a_step_of_ones_own_may_take_the_place_of_the_summary() -> None:
    class Short(Process, name="short", version=1):
        confirm_step = "checking"

        class Answers(BaseModel):
            name: str = ask("Name?")

        @step(asks="Is it {name}?")
        async def checking(self, said: Turn, data: Answers) -> Outcome:
            return await self.complete(data, said) if said.message == "yes" else Ask("Then what?")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done(f"Hello {answers.name}")

    talk = Talk(Short)
    await talk.start()
    assert (await talk.say("Ann")).say == "Is it Ann?"
    assert (await talk.say("yes")).say == "Hello Ann"


def throw(error: BaseException) -> Any:
    raise error


@pytest.mark.parametrize(
    "error",
    [RuntimeError("no"), SystemExit(1), KeyboardInterrupt(), RecursionError(), MemoryError()],
    ids=lambda error: type(error).__name__,
)
async def test_whatever_the_other_code_of_a_process_raises_is_a_failed_step(error: BaseException) -> None:
    class Broken(Process, name="broken", version=2):
        on_new_version = "migrate"

        class Answers(BaseModel):
            first: str = ask("First?", read=lambda words: throw(error) if words == "bad" else words)
            second: str = ask("Second?")

            @field_validator("second")
            @classmethod
            def fine(cls, value: str) -> str:
                return str(throw(error)) if value == "bad" else value

        async def summary(self, answers: Answers, turn: Turn) -> str | None:
            return str(throw(error)) if answers.second == "sum" else None

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            raise error

        @classmethod
        def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
            raise error

    talk = Talk(Broken)
    await talk.start()
    for good, bad in (("good", ["bad"]), ("good", ["bad", "sum"]), ("yes", ["yes"])):
        for words in bad:
            before = talk.instance
            with pytest.raises(StepFailed) as failed:
                await talk.say(words)
            assert failed.value.kind == "raised"
            assert talk.instance == before
        if good != "yes":
            await talk.say(good)
    with pytest.raises(StepFailed):
        await talk.conductor.migrate(talk.definition, talk.instance, talk.turn(""))


class Insured(Process, name="insured", version=1):
    """Two questions for yes or no."""

    class Answers(BaseModel):
        abroad: bool = ask("Do you live abroad?")
        card: bool = ask("A card, too?", default=False)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.abroad} {answers.card}")


async def test_a_yes_no_question_has_yes_and_no_as_its_options_wherever_it_is_asked() -> None:
    talk = Talk(Insured)
    asked = [await talk.start(), await talk.resume(), await talk.say("perhaps")]
    await talk.say("Yes")
    asked.append(await talk.say("go back"))
    await talk.say("sure")
    await talk.say("nope")
    asked.append(await talk.say("abroad"))

    for played in asked:
        assert played.question is not None
        assert [option.label for option in played.question.options] == ["Yes", "No"]
    assert asked[2].say == "Please answer yes or no.\n\nDo you live abroad?"
    assert answers(talk) == {"abroad": True, "card": False}


async def test_yes_and_no_may_be_called_otherwise_and_are_chosen_by_their_place_too() -> None:
    talk = Talk(Insured, prompts=Texts({"processes/option_yes": "Aye", "processes/option_no": "Nay"}))
    await talk.start()
    await talk.say("Aye")
    await talk.say("2")

    assert answers(talk) == {"abroad": True, "card": False}
    assert (await talk.say("yes")).say == "True False"


async def test_a_step_that_asks_for_a_yes_or_no_in_its_own_way_shows_both() -> None:
    class Own(Insured, name="own", version=1):
        @step(asks="Abroad, really?", goes_to=("gathering",))
        async def gathering_abroad(self, said: Turn, data: Insured.Answers) -> Outcome:
            return Goto("gathering", data=data.model_copy(update={"abroad": said.choice == "yes"}))

    own = Talk(Own)
    started = await own.start()

    assert started.question is not None
    assert [option.label for option in started.question.options] == ["Yes", "No"]
    await own.say("yes please")
    assert answers(own) == {"abroad": True}


async def test_an_item_that_holds_far_more_than_the_words_is_not_taken_out_for_them() -> None:
    talk = Talk(Standup)
    await talk.start()
    for said in ("finish the export and maybe call Ben", "write docs", "none"):
        await talk.say(said)

    told = await talk.say("remove Ben")

    assert "“Remove 1 from yesterday” takes all of it out" in told.say
    assert answers(talk)["yesterday"] == ["finish the export and maybe call Ben"]
    await talk.say("remove 1 from yesterday")
    assert answers(talk)["yesterday"] == []
