"""Several changes in one message: every clause gives its own, is asked about, or is something else; none is lost without a word."""

from datetime import date, time, timedelta
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Money, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Repair(Process, name="repair", version=1):
    """A bicycle that is brought to the workshop."""

    starts_on = ("have a bicycle repaired",)

    class Answers(BaseModel):
        owner: str = ask("Who owns the bicycle?", description="the name of the owner")
        broken: list[str] = ask("Which parts are broken?", label="parts")
        gears: int = ask("How many gears does it have?", ge=1)
        brought: date = ask("On which day will you bring it?", label="day")
        hour: time = ask("At what time?", label="hour")
        budget: Money = ask("What may it cost at most?", label="budget")
        ride: timedelta = ask("How long may the test ride be?", label="test ride")
        insured: bool = ask("Is it insured?", label="insured")
        contact: Literal["phone", "email", "letter"] = ask("How shall we reach you?")
        witness: str | None = ask("Did anyone see how it broke? If so, who?", default=None)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("We wait for it.", effects=[Record("repair", answers)])


BROUGHT = (
    *("Anna Berg", "chain; saddle", "7", "10 March", "10:00", "200 euros", "30 minutes", "no", "phone"),
    "skip",
)


def euros(amount: int) -> dict[str, str]:
    return {"amount": str(amount), "currency": "EUR"}


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("gears 21, budget 250 euros and test ride an hour", {"gears": 21, "budget": 250, "ride": "PT1H"}),
        ("it has 21 gears, and please reach me by letter", {"gears": 21, "contact": "letter"}),
        ("budget 300 euros; hour 11:30; insured", {"budget": 300, "hour": "11:30:00", "insured": True}),
        ("the owner is my sister Ida, and it has 24 gears", {"owner": "my sister Ida", "gears": 24}),
        ("email instead of phone and only ten minutes of test ride", {"contact": "email", "ride": "PT10M"}),
        ("it has 5 gears, and up to 90 for the budget", {"gears": 5, "budget": 90}),
        ("test ride 45 minutes, gears 3", {"ride": "PT45M", "gears": 3}),
        ("not 7 but 9 gears, and the day is the 11th of March", {"gears": 9, "brought": "2026-03-11"}),
        ("remove the saddle, contact by email", {"broken": ["chain"], "contact": "email"}),
        ("the day is wrong, it should be the 13th of March, and it has 5 gears", {"brought": "2026-03-13", "gears": 5}),
    ],
)  # fmt: skip
async def test_every_change_of_a_message_is_carried_out(said: str, changed: dict[str, Any]) -> None:
    before, _ = await told(Repair, *BROUGHT)
    after, _ = await told(Repair, *BROUGHT, said)

    if "budget" in changed:
        changed = changed | {"budget": euros(changed["budget"])}
    assert after == before | changed


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("thanks a lot, but it has 8 gears", {"gears": 8}),
        ("8 gears, and what does a new chain cost?", {"gears": 8}),
        ("I counted them again, there are 21 gears", {"gears": 21}),
    ],
)
async def test_what_is_no_change_is_none(said: str, changed: dict[str, Any]) -> None:
    before, _ = await told(Repair, *BROUGHT)
    after, _ = await told(Repair, *BROUGHT, said)
    assert after == before | changed


@pytest.mark.parametrize(
    ("said", "changed", "asks"),
    [
        ("9 gears, and the hour is another one", {"gears": 9}, "At what time?"),
    ],
)
async def test_an_answer_that_a_clause_only_calls_is_asked_for(
    said: str, changed: dict[str, Any], asks: str
) -> None:
    before, _ = await told(Repair, *BROUGHT)
    after, words = await told(Repair, *BROUGHT, said)
    assert after == before | changed
    assert asks in words


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("oh and the pedals, and 300 euros are ok", {"budget": euros(300), "broken": ["chain", "saddle", "pedals"]}),
        ("add a bell and a lamp, then 4 gears", {"gears": 4, "broken": ["chain", "saddle", "a bell", "a lamp"]}),
    ],
)  # fmt: skip
async def test_where_one_of_them_is_in_doubt_all_of_them_are_on_the_button(
    said: str, change: dict[str, Any]
) -> None:
    async with conversation(Repair, clock=FrozenClock()) as talk:
        for line in (Repair.starts_on[0], *BROUGHT):
            asked = await talk.say(line)
        before = await kept(talk, asked)

        asked = await talk.say(said)
        if asked.reply.pending is not None and "None of these" in asked.reply.pending.options:
            assert await kept(talk, asked) == before
            asked = await talk.say(asked.reply.pending.options[0])

        assert await kept(talk, asked) == before | change


@pytest.mark.parametrize(
    "said",
    [
        "the saddle hurts, but that's just me",
        "I'm happy with it, I hope the weather is good on the 10th",
        "wow, 200 euros is a lot, but ok",
    ],
)
async def test_remarks_of_several_clauses_change_nothing(said: str) -> None:
    before, _ = await told(Repair, *BROUGHT)
    after, _ = await told(Repair, *BROUGHT, said)
    assert after in (before, {})


@pytest.mark.parametrize(
    ("lines", "said", "expected"),
    [
        (6, "200 euros. and the gears are 21", {"budget": euros(200), "gears": 21}),
        (7, "half an hour, and the hour should be 11:00", {"ride": "PT30M", "hour": "11:00:00"}),
        (9, "by letter please, gears 3", {"contact": "letter", "gears": 3}),
    ],
)
async def test_a_change_beside_the_answer_is_carried_out(
    lines: int, said: str, expected: dict[str, Any]
) -> None:
    answers, _ = await told(Repair, *BROUGHT[: lines - 1], said)
    assert {name: answers.get(name) for name in expected} == expected
