"""What `softrail why` tells of answers: what was kept, what was not understood, what it took, and no secret."""

from collections.abc import AsyncIterator

import pytest
from pydantic import BaseModel

from softrail import Ask, Done, Goto, Process, Record, Turn, Wrong, ask, check, step
from softrail.api.decisions import shown
from softrail.cli.explaining import explain
from softrail.core.clock import now, ticks
from softrail.core.outcomes import Outcome
from softrail.testing import Conversation, FrozenClock, Said, conversation

SECRET = "Rumpel4711"
CLOCK = FrozenClock()


class Bank:
    """Takes 400 ms for an answer, and fails for one account."""

    async def balance(self, account: str) -> int:
        CLOCK.advance(milliseconds=400)
        if account == "broken":
            raise ConnectionError("no line")
        return 1000


class Data(BaseModel):
    tries: int = 0


def careful(words: str) -> str:
    if words.startswith("Key"):
        raise KeyError(words)
    if len(words) < 6:
        raise ValueError(f"{words} is too short")
    return words


class Payment(Process, name="payment", version=1):
    """Pays somebody."""

    starts_on = ("pay somebody",)

    class Answers(BaseModel):
        who: str = ask("Who gets it?")
        amount: int = ask("How much?", gt=0, lt=100_000)
        note: str = ask("What for?", default="")
        pin: str = ask("Your PIN?", shown=False, read=careful)

    @step(asks="Which account?", goes_to=("gathering",), first=True)
    async def account(self, said: Turn, data: Data, bank: Bank) -> Outcome:
        await bank.balance(said.message)
        if said.message == "?":
            return Ask("Which one?")
        return Goto("gathering")

    @check("amount")
    async def affordable(self, answers: Answers, turn: Turn, bank: Bank) -> Wrong | None:
        return (
            Wrong("amount", "That is more than you have.")
            if answers.amount > await bank.balance("")
            else None
        )

    @check("pin")
    async def right(self, answers: Answers, turn: Turn) -> Wrong | None:
        return Wrong("pin", f"{answers.pin} is wrong.") if answers.pin[:2] == "No" else None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        CLOCK.advance(milliseconds=20)
        return Done("Paid.", effects=[Record("payment", {"who": answers.who})])


@pytest.fixture
async def talk() -> AsyncIterator[Conversation]:
    async with conversation(Payment, clock=CLOCK, services={Bank: Bank()}) as spoken:
        await spoken.say("pay somebody")
        yield spoken


async def told(talk: Conversation, said: Said) -> str:
    [row] = await talk.dispatcher.store.turn_anywhere(said.reply.turn_id)
    return "\n".join(explain(row, said.decision))


async def at_the_pin(talk: Conversation) -> None:
    for words in ("savings", "Ada", "100", "skip"):
        await talk.say(words)


async def test_an_answer_is_told_with_the_words_it_was_read_from_and_who_read_it(talk: Conversation) -> None:
    await talk.say("savings")
    said = await talk.say("it goes to Ada Lovelace")

    [kept] = said.decision.captured
    assert (kept.process, kept.field, kept.how, kept.old, kept.new) == (
        "payment",
        "who",
        "given",
        None,
        "Ada Lovelace",
    )
    assert kept.span is not None
    assert "it goes to Ada Lovelace"[slice(*kept.span)] == kept.text == "Ada Lovelace"
    assert kept.by == "learned"
    assert kept.likely is not None
    lines = await told(talk, said)
    assert (
        "payment.who: nothing → “Ada Lovelace”, from “Ada Lovelace” (letters 12 to 23), by the small model at"
        in lines
    )


async def test_a_correction_is_told_with_the_value_before(talk: Conversation) -> None:
    for words in ("savings", "Ada", "100"):
        await talk.say(words)
    said = await talk.say("actually, the amount is 120")

    [kept] = said.decision.captured
    assert (kept.field, kept.old, kept.new, kept.text) == ("amount", "100", "120", "120")
    assert "payment.amount: “100” → “120”, from “120”" in await told(talk, said)


async def test_what_is_left_out_is_told(talk: Conversation) -> None:
    for words in ("savings", "Ada", "100"):
        await talk.say(words)
    skipped = await talk.say("skip")

    assert [(c.field, c.how, c.new, c.by) for c in skipped.decision.captured] == [
        ("note", "left out", None, "exact")
    ]
    assert "payment.note left out, by exact words" in await told(talk, skipped)


async def test_an_answer_that_cannot_be_used_is_told_with_what_the_person_heard(talk: Conversation) -> None:
    await talk.say("savings")
    await talk.say("Ada")
    said = await talk.say("-5")

    assert said.decision.captured == []
    [refused] = said.decision.refused
    assert (refused.field, refused.why, refused.text) == ("amount", "greater_than", "-5")
    assert refused.told in said.text
    assert "payment.amount (greater_than): “-5”: " in await told(talk, said)


async def test_what_a_check_refuses_is_told_with_the_check(talk: Conversation) -> None:
    await talk.say("savings")
    await talk.say("Ada")
    said = await talk.say("5000")

    assert [(r.field, r.why, r.told) for r in said.decision.refused] == [
        ("amount", "affordable", "That is more than you have.")
    ]
    assert [(c.how, c.old, c.new) for c in said.decision.captured] == [
        ("given", None, "5000"),
        ("taken back", "5000", None),
    ]
    assert "payment.amount taken back, it was “5000”" in await told(talk, said)


async def test_why_an_answer_was_not_understood_is_told_with_its_likelihood_and_the_bar(
    talk: Conversation,
) -> None:
    await talk.say("savings")
    await talk.say("Ada")
    said = await talk.say("hmm, what did the others give, I wonder")

    assert said.decision.captured == []
    [heard] = said.decision.heard
    assert (heard.wanted, heard.field, heard.shown) == ("number", "amount", True)
    inform = {act.act: act for act in heard.read}
    assert all(act.likely < act.needs for name, act in inform.items() if name == "inform")
    lines = await told(talk, said)
    assert "The question wanted:  a number (amount)" in lines
    assert "is needed" in lines


async def test_a_secret_is_in_no_record_and_in_no_explanation(talk: Conversation) -> None:
    await at_the_pin(talk)
    for words in (
        "4711",  # too short, says the author, in words that repeat it
        f"hmm, could it be {SECRET}, or what was it, I forget",
        f"Key{SECRET}",
        f"No{SECRET}",
        SECRET,
        f"actually, the pin is {SECRET}-2",
        "yes",
    ):
        said = await talk.say(words)
        record, lines = said.decision.to_json(), await told(talk, said)
        for told_to in (record, lines):
            assert "4711" not in told_to, words
            assert "Rumpel" not in told_to, words
        if said.text != "Paid.":
            assert "(not shown: an answer that nobody is to see)" in lines, words


async def test_what_was_kept_of_a_secret_is_that_it_was(talk: Conversation) -> None:
    await at_the_pin(talk)
    said = await talk.say(SECRET)

    [kept] = said.decision.captured
    assert (kept.field, kept.how, kept.shown) == ("pin", "given", False)
    assert (kept.old, kept.new, kept.text, kept.span) == (None, None, None, None)
    assert "payment.pin given (not shown), by" in await told(talk, said)


async def test_how_long_steps_and_checks_took_is_told_with_their_services(talk: Conversation) -> None:
    step_ran = await talk.say("savings")
    await talk.say("Ada")
    checked = await talk.say("100")

    assert [(t.what, t.milliseconds, t.services, t.failed) for t in step_ran.decision.took] == [
        ("Step 'account' of process 'payment'", 400.0, ["Bank"], "")
    ]
    assert [(t.what, t.milliseconds, t.services) for t in checked.decision.took] == [
        ("Check 'affordable' of process 'payment'", 400.0, ["Bank"])
    ]
    assert "     400.0 ms  Step 'account' of process 'payment', with Bank" in await told(talk, step_ran)


async def test_a_step_that_fails_is_told_with_its_time(talk: Conversation) -> None:
    said = await talk.say("broken")

    [took] = said.decision.took
    assert (took.milliseconds, took.failed) == (400.0, "raised")
    assert ", with Bank, and failed (raised)" in await told(talk, said)


async def test_over_http_nothing_is_told_of_code_that_ran(talk: Conversation) -> None:
    said = await talk.say("savings")
    assert said.decision.took
    assert shown(said.decision.to_json())["took"] == []


def test_a_stopped_clock_stops_the_time_that_things_take() -> None:
    with CLOCK.installed():
        began, at = ticks(), now()
        assert ticks() == began
        CLOCK.advance(seconds=2)
        assert ticks() - began == (now() - at).total_seconds() == 2.0
    free = ticks()
    assert ticks() >= free
