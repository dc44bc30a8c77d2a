"""Checks, conditions and the border of values: nothing unsafe reaches `complete`."""

import json
from datetime import date
from decimal import Decimal
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail.core.errors import StepFailed
from softrail.core.outcomes import Ask, Done, Goto, Outcome
from softrail.core.turns import Turn
from softrail.processes import Process, Wrong, ask, check, step
from tests.unit.processes.kit import MONDAY, Talk


class Bank:
    """A balance that can change, and a line that can be down."""

    def __init__(self, balance: str = "1000") -> None:
        self.balance = Decimal(balance)
        self.down = False
        self.asked = 0

    async def left(self) -> Decimal:
        self.asked += 1
        if self.down:
            raise ConnectionError("no line")
        return self.balance


class Transfer(Process, name="transfer", version=1):
    """Sends money, and never more than there is."""

    class Answers(BaseModel):
        recipient: str = ask("Who gets it?")
        amount: Decimal = ask("How much?", gt=0)
        note: str | None = ask("A note?", default=None)

    def __init__(self, bank: Bank) -> None:
        self.bank = bank

    @check("amount")
    async def affordable(self, answers: Answers, turn: Turn, bank: Bank) -> Wrong | None:
        if answers.amount > await bank.left():
            return Wrong("amount", "That is more than you have.")
        return None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        assert answers.amount <= self.bank.balance
        self.bank.balance -= answers.amount
        return Done(f"Sent {answers.amount} to {answers.recipient}.")


def transfer(balance: str = "1000") -> tuple[Talk, Bank]:
    bank = Bank(balance)
    return Talk(Transfer, services={Bank: bank}), bank


async def told(talk: Talk, *messages: str) -> str:
    await talk.start()
    say = ""
    for message in messages:
        say = (await talk.say(message)).say
    return say


@pytest.mark.parametrize(
    "walk",
    [
        ("Ada", "5000"),
        ("Ada", "10", "skip", "change the amount to 5000"),
        ("Ada", "10", "skip", "amount: 5000"),
        ("Ada", "10", "change amount to 5000"),
        ("Ada", "10", "back", "5000"),
        ("Ada", "5000, that's all"),
    ],
)
async def test_an_answer_that_a_check_refuses_is_asked_again_whichever_way_it_came(
    walk: tuple[str, ...],
) -> None:
    talk, bank = transfer()
    assert "That is more than you have." in await told(talk, *walk)
    assert talk.instance.step == "gathering_amount"
    assert (await talk.say("yes")).end is None
    await talk.say("20")
    if talk.instance.step == "gathering_note":
        await talk.say("skip")
    assert (await talk.say("yes")).say == "Sent 20 to Ada."
    assert bank.balance == 980


async def test_what_a_prefill_or_a_resume_brings_is_checked_too() -> None:
    talk, bank = transfer()
    begun = await talk.start(prefill={"recipient": "Ada", "amount": Decimal(5000)})
    assert "That is more than you have." in begun.say
    assert talk.instance.step == "gathering_amount"

    talk, bank = transfer()
    await told(talk, "Ada", "900", "skip")
    bank.balance = Decimal(100)
    assert "Sent" not in (await talk.resume()).say
    refused = await talk.say("yes")
    assert refused.end is None
    assert "That is more than you have." in refused.say


async def test_a_check_is_asked_once_about_the_same_answers_and_once_more_before_the_end() -> None:
    talk, bank = transfer()
    await told(talk, "Ada", "20", "skip")
    assert bank.asked == 1
    await talk.say("change the recipient to Bo")
    assert bank.asked == 1
    await talk.say("change the amount to 30")
    assert bank.asked == 2
    assert (await talk.say("yes")).say == "Sent 30 to Bo."
    assert bank.asked == 3


async def test_what_cannot_be_checked_is_kept_and_said_and_nothing_is_done_unchecked() -> None:
    talk, bank = transfer()
    bank.down = True
    await talk.start()
    await talk.say("Ada")
    played = await talk.say("20")
    assert played.say == "I can't check that just now.\n\nA note?"
    assert "affordable" in played.trouble
    bank.down = False
    assert (await talk.say("skip")).trouble == ""
    bank.down = True
    refused = await talk.say("yes")
    assert (refused.end, talk.instance.step) == (None, "confirming")
    assert refused.say.startswith("I can't check that just now.\n\nHere is what I have:")
    bank.down = False
    assert (await talk.say("yes")).say == "Sent 20 to Ada."


async def test_without_a_summary_what_cannot_be_checked_is_asked_for_once_more() -> None:
    bank = Bank()

    class Quick(Transfer, name="quick", version=1):
        confirm = False

    talk = Talk(Quick, services={Bank: bank})
    bank.down = True
    assert (await told(talk, "Ada", "20", "skip")).startswith("I can't check that just now.")
    assert talk.instance.step == "gathering_note"
    bank.down = False
    assert (await talk.say("skip")).say == "Sent 20 to Ada."


async def test_a_check_may_lead_to_a_step_and_have_answers_forgotten() -> None:
    class Order(Process, name="order", version=1):
        class Answers(BaseModel):
            item: str = ask("Which item?")
            count: int = ask("How many?")

        @check("item", "count", goes_to=("other",))
        async def in_stock(self, answers: Answers, turn: Turn) -> Goto | None:
            if answers.count > 3:
                return Goto("other", say="There are only three.", forget=("count",))
            return None

        @step(asks="Three, then?", goes_to=("gathering",))
        async def other(self, said: Turn, answers: Answers) -> Outcome:
            if said.message == "no":
                return Goto("gathering", forget=("item",))
            answers.count = 3
            return Goto("gathering", data=answers)

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done(f"{answers.count} x {answers.item}")

    talk = Talk(Order)
    assert await told(talk, "lamp", "5") == "There are only three.\n\nThree, then?"
    assert (await talk.say("no")).say == "Which item?"
    assert (await talk.say("chair")).say == "How many?"
    assert (await talk.say("9")).say == "There are only three.\n\nThree, then?"
    assert "Count: 3" in (await talk.say("fine")).say
    assert (await talk.say("yes")).say == "3 x chair"


class Visit(Process, name="visit", version=1):
    """Asks for an age only where it is given."""

    class Answers(BaseModel):
        name: str = ask("Who comes?")
        give_age: bool = ask("May I ask your age?")
        age: int | None = ask("How old are you?", default=None, gt=0, lt=150, when=lambda a: a.give_age)
        pass_: str | None = ask("Which pass?", default=None, label="pass", when=lambda a: a.age < 18)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.name} {answers.age} {answers.pass_}")


async def test_an_answer_is_asked_for_only_when_it_applies() -> None:
    assert "Age: nothing" in await told(talk := Talk(Visit), "Ada", "no")
    assert (await talk.say("yes")).say == "Ada None None"
    assert await told(talk := Talk(Visit), "Ada", "yes") == "How old are you?"
    assert (await talk.say("12")).say == "Which pass?"


async def test_what_does_not_apply_any_more_is_left_out_and_said_so() -> None:
    talk = Talk(Visit)
    assert "Is that right?" in await told(talk, "Ada", "yes", "12", "blue")
    changed = await talk.say("change give age to no")
    assert "I've left out age" in changed.say
    assert "I've left out pass" in changed.say
    assert (await talk.say("yes")).say == "Ada None None"


async def test_what_comes_to_apply_is_asked_for_before_the_end() -> None:
    talk = Talk(Visit)
    await told(talk, "Ada", "no")
    assert "How old are you?" in (await talk.say("change give age to yes")).say
    await talk.say("40")
    assert (await talk.say("yes")).say == "Ada 40 None"


async def test_back_passes_over_what_does_not_apply() -> None:
    class Long(Visit, name="long", version=1):
        class Answers(Visit.Answers):
            last: str = ask("And?")

    talk = Talk(Long)
    assert await told(talk, "Ada", "no", "back") == "May I ask your age?"


@pytest.mark.parametrize(
    "given",
    [
        {"age": 934},
        {"age": "old"},
        {"age": -1},
        {"age": float("nan")},
        {"age": [1]},
        {"size": "huge"},
        {"size": 3},
        {"name": ""},
        {"name": 7},
        {"day": "someday"},
        {"tags": "one, two, three"},
        {"tags": ["x"] * 9},
        {"colour": "green"},
    ],
    ids=str,
)
@pytest.mark.parametrize("way", ["step", "prefill", "migrate"])
async def test_what_code_gives_is_judged_like_what_a_person_says(way: str, given: dict[str, Any]) -> None:
    class Form(Process, name="form", version=2):
        on_new_version = "migrate"

        class Answers(BaseModel):
            city: str = ask("Which city?")
            age: int = ask("How old?", gt=0, lt=150)
            size: Literal["small", "large"] = ask("Which size?")
            name: str = ask("Who?", min_length=2)
            day: date = ask("Which day?")
            tags: list[str] = ask("Tags?", max_length=5)
            colour: str = ask("Which colour?", options=("red", "blue"))

        @step(asks="Ready?", goes_to=("gathering",), first=True)
        async def ready(self, said: Turn, answers: Answers) -> Outcome:
            values = {"city": "Oslo", **given}
            return Goto("gathering", data=type(answers).model_construct(set(values), **values))

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            assert 0 < answers.age < 150
            assert answers.colour == "red"
            return Done("ok")

        @classmethod
        def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
            return {"city": "Oslo", **given}, "confirming"

    talk = Talk(Form)
    [wrong] = given
    if way == "step":
        await talk.start()
        played = await talk.say("go")
        assert wrong in played.trouble or "cannot be kept" in played.trouble
    elif way == "prefill":
        await talk.start(prefill={"city": "Oslo", **given})
        await talk.say("go")  # the step's own values come on top
    else:
        old = talk.instance.evolve(
            version=1, step="confirming", data='{"schema":1,"answers":{"city":"Bergen"}}', handled_at=MONDAY
        )
        data, at = await talk.conductor.migrate(talk.definition, old, talk.turn(""))
        talk.instance = old.evolve(version=2, step=at, data=data)
        await talk.say("yes")  # parked at the summary: what is missing now is asked for
    for _ in range(8):
        if talk.instance.step == "confirming":
            break
        field = talk.instance.step.removeprefix("gathering_")
        assert field != "city"
        good = {"age": "30", "size": "small", "name": "Ada", "day": "2026-04-01", "tags": "a, b"}
        await talk.say({**good, "colour": "red"}[field])
    assert (await talk.say("yes")).say == "ok"


async def test_a_missing_answer_says_its_name() -> None:
    class Early(Process, name="early", version=1):
        class Answers(BaseModel):
            first: str = ask("First?")
            second: str = ask("Second?")

        @check("first")
        async def looks_ahead(self, answers: Answers, turn: Turn) -> Wrong | None:
            return Wrong("first", "No.") if answers.second else None

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("ok")

    await (talk := Talk(Early)).start()
    played = await talk.say("a")
    assert played.say == "I can't check that just now.\n\nSecond?"
    assert "'second' has not been answered yet" in played.trouble
    assert (await talk.say("b")).say == "No.\n\nFirst?"


async def test_a_check_that_gives_nonsense_is_its_author_s_fault() -> None:
    class Odd(Process, name="odd", version=1):
        class Answers(BaseModel):
            first: str = ask("First?")

        @check("first")
        async def odd(self, answers: Answers, turn: Turn) -> Any:
            second, nowhere = "second", "nowhere"  # written out, they would be found at registration
            return {"a": Wrong(second, "No."), "b": Goto(nowhere), "c": Ask("What?"), "d": "no"}[
                answers.first
            ]

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("ok")

    for word, why in {"a": "'second'", "b": "goes_to", "c": "goes_to", "d": "returned a str"}.items():
        talk = Talk(Odd)
        await talk.start()
        played = await talk.say(word)
        assert (played.end, why in played.trouble) == (None, True), played


def test_an_argument_that_ask_does_not_have_is_named_with_the_one_that_was_meant() -> None:
    with pytest.raises(TypeError, match=r"no argument 'lable'\. Did you mean label="):
        ask("Name?", lable="name")
    with pytest.raises(TypeError, match="@check"):
        ask("Name?", then="look")


async def test_forgetting_what_is_not_asked_for_is_a_fault() -> None:
    class Forgetful(Process, name="forgetful", version=1):
        class Answers(BaseModel):
            first: str = ask("First?")

        @step(asks="Ready?", goes_to=("gathering",), first=True)
        async def ready(self, said: Turn, answers: Answers) -> Outcome:
            frist = "frist"  # written out, it would be found at registration
            return Goto("gathering", forget=(frist,))

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("ok")

    talk = Talk(Forgetful)
    await talk.start()
    with pytest.raises(StepFailed, match="forgets 'frist', which is not asked for"):
        await talk.say("go")


async def test_a_check_that_forgets_what_is_not_asked_for_is_at_fault_and_nothing_is_forgotten() -> None:
    names = ("first", "secnd")  # written out in the check, it would be found at registration

    class Forgetful(Process, name="forgetful", version=1):
        class Answers(BaseModel):
            first: str = ask("First?")
            second: str = ask("Second?")

        @check("first")
        async def forgets(self, answers: Answers, turn: Turn) -> Goto | None:
            return Goto("gathering", forget=names)

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("ok")

    talk = Talk(Forgetful)
    await talk.start()
    played = await talk.say("a")

    assert "forgets 'secnd', which is not asked for. It asks for: first, second." in played.trouble
    assert json.loads(played.data)["answers"] == {"first": "a"}
    assert played.say == "I can't check that just now.\n\nSecond?"


async def test_an_answer_that_a_step_takes_back_is_not_judged_once_more() -> None:
    class Shop(Process, name="shop", version=1):
        class Answers(BaseModel):
            item: str = ask("Which item?")

        @check("item", goes_to=("unknown",))
        async def known(self, answers: Answers, turn: Turn) -> Goto | None:
            return Goto("unknown") if answers.item == "moon" else None

        @step(asks="We have no {item}. Shall we get one?", options=("Yes", "No"), goes_to=("gathering",))
        async def unknown(self, said: Turn, answers: Answers) -> Outcome:
            return Goto("gathering", forget=("item",))

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("ok")

    talk = Talk(Shop)
    await talk.start()
    assert (await talk.say("moon")).step == "unknown"

    played = await talk.say("no")

    assert (played.step, json.loads(played.data)["answers"]) == ("gathering_item", {})


async def test_what_is_not_shown_is_in_no_summary_and_not_read_back() -> None:
    class Safe(Process, name="safe", version=1):
        class Answers(BaseModel):
            name: str = ask("Name?")
            pin: str = ask("PIN?", shown=False)

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("ok")

    talk = Talk(Safe)
    assert "1234" not in await told(talk, "Ada", "1234")
    assert "1234" not in (await talk.resume()).say
