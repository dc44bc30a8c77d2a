"""What a script cannot say: a house that is away, one that is full, and deliveries in another order."""

from datetime import date, time

from softrail.plugin import OutboxItem
from softrail.testing.plugin import Talk

from table import BookATable, House


class Away(House):
    """A house whose book cannot be read until it is back."""

    def __init__(self) -> None:
        super().__init__()
        self.back = False

    async def free(self, day: date) -> list[time]:
        if not self.back:
            raise ConnectionError("the book is away")
        return await super().free(day)


class Full(House):
    """A house that is full on 3 March."""

    async def free(self, day: date) -> list[time]:
        return [] if day == date(2026, 3, 3) else await super().free(day)


def item(kind: str) -> OutboxItem:
    return OutboxItem(
        key="s:1:0",
        person_id="p",
        session_id="s",
        seq=1,
        n=0,
        kind=kind,
        payload={"booking": "s:1", "day": "2026-03-03", "hour": "19:00:00"},
        tries=0,
    )


async def test_a_look_up_that_fails_is_told_and_keeps_what_was_answered(talk: Talk) -> None:
    house = Away()
    c = await talk(BookATable, services={House: house})
    await c.say("book a table")
    await c.say("tomorrow")

    said = await c.say("7 pm")

    assert "I can't check that just now." in said.text
    assert said.text.endswith("For how many? The table has six seats.")
    house.back = True
    assert (await c.say("2")).text == "On what name?"
    assert "- Time: 19:00" in (await c.say("Robin")).text
    assert (await c.say("yes")).effects == ["table_held"]


async def test_nothing_is_held_as_long_as_the_house_is_away(talk: Talk) -> None:
    house = Away()
    house.back = True
    c = await talk(BookATable, services={House: house})
    for words in ("book a table", "tomorrow", "7 pm", "2", "Robin"):
        await c.say(words)
    house.back = False

    said = await c.say("yes")

    assert "I can't check that just now." in said.text
    assert (said.step, said.effects) == ("confirming", [])
    house.back = True
    assert (await c.say("yes")).effects == ["table_held"]


async def test_a_day_that_is_full_is_asked_for_again(talk: Talk) -> None:
    c = await talk(BookATable, services={House: Full()})
    await c.say("book a table")
    await c.say("tomorrow")

    said = await c.say("7 pm")

    assert said.text == "There is nothing free on that day.\n\nWhich day?"
    assert (await c.say("on Wednesday")).text.endswith("For how many? The table has six seats.")


async def test_a_hold_that_comes_after_the_giving_back_holds_nothing() -> None:
    house = House()

    await house.give_back(item("table_free"))
    await house.hold(item("table_held"))

    assert time(19) in await house.free(date(2026, 3, 3))
