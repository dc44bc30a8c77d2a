"""Words are read over data beside the event loop, each once, and what one turn has to wait for holds no other."""

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date

import pytest

from softrail.plans.aside import AT_ONCE, Aside
from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.choices import alike, choices_for, may_be_alike
from softrail.plans.forms.form import Form, Question
from softrail.plans.forms.vocabulary import vocabulary
from softrail.plans.readings import Readings, Said
from softrail.testing.contracts.counting import until

TODAY = date(2026, 11, 26)


def shops(id: str = "s1") -> tuple[Source, ...]:
    columns = (
        Column(title="Revenue", name="revenue", kind="number"),
        Column(title="Region", name="region", kind="text", values=("North", "South", "Southern islands")),
    )
    table = DataTable(title="shops", name="shops", rows=3, columns=columns)
    return (Source(id=id, name="shops.csv", format="csv", sha256="0" * 64, bytes=9, tables=(table,)),)


@pytest.fixture
async def aside() -> AsyncIterator[Aside]:
    made = Aside()
    yield made
    await made.stop(1)


async def test_while_something_is_worked_out_the_event_loop_goes_on(aside: Aside) -> None:
    said = threading.Event()
    waiting = asyncio.ensure_future(aside.run(said.wait, 30))
    said.set()  # by the loop itself, which would never come here if it were held
    assert await waiting is True


async def test_no_more_than_a_few_are_worked_out_at_once_and_what_nobody_waits_for_is_not_begun(
    aside: Aside,
) -> None:
    go_on, begun = threading.Event(), list[int]()

    def work(n: int) -> int:
        begun.append(n)
        go_on.wait(30)
        return n

    tasks = [asyncio.ensure_future(aside.run(work, n)) for n in range(AT_ONCE + 1)]

    async def all_begun() -> bool:
        return len(begun) == AT_ONCE

    await until(all_begun, 30)
    tasks[-1].cancel()
    with pytest.raises(asyncio.CancelledError):
        await tasks[-1]  # before any of the others ends: nobody waits for it then
    go_on.set()
    assert await asyncio.gather(*tasks[:-1]) == list(range(AT_ONCE))
    assert begun == list(range(AT_ONCE))


async def test_what_is_wrong_is_raised_to_who_waits(aside: Aside) -> None:
    with pytest.raises(ZeroDivisionError):
        await aside.run(lambda: 1 / 0)


async def test_a_message_is_weighed_and_planned_from_one_reading(aside: Aside) -> None:
    readings, said = Readings(aside), "revenue by region, sorted nicely"
    bound = await readings.words(Said(said, shops(), TODAY))
    found, plan = await readings.heard(Said(said, shops(), TODAY, surely=True))

    assert bound == 2
    assert isinstance(found, Question)
    assert plan is None
    assert readings.done == 1


async def test_data_that_was_attached_again_and_words_that_were_chosen_are_read_anew(aside: Aside) -> None:
    readings, said = Readings(aside), "revenue by region"
    for sources in (shops(), shops("s2"), shops()):
        found, plan = await readings.heard(Said(said, sources, TODAY, surely=True))
        assert isinstance(found, Form)
        assert plan is not None
    await readings.heard(Said(said, shops(), TODAY, chosen={"revenue": "rows"}, surely=True))
    assert readings.done == 3


async def test_a_change_is_read_of_the_form_it_changes(aside: Aside) -> None:
    readings = Readings(aside)
    form, _ = await readings.heard(Said("revenue by region", shops(), TODAY, surely=True))
    assert isinstance(form, Form)

    said = Said("only north", shops(), TODAY, before=form)
    new, changed = await readings.intent(said)
    kept, plan = await readings.heard(replace(said, surely=True))

    assert new is None
    assert isinstance(changed, Form)
    assert [one.values for one in changed.where] == [("North",)]
    assert kept == changed
    assert plan is not None


@pytest.mark.parametrize("said", ["north", "Southern", "isles", "a", "the southern islands of it all"])
def test_a_value_that_its_length_rules_out_is_none_that_is_like_a_word(said: str) -> None:
    [source] = shops()
    values = [v for column in source.tables[0].columns for v in column.values]
    assert [v for v in values if alike(said, v) > 0.5] == [
        v for v in values if may_be_alike(said, v) and alike(said, v) > 0.5
    ]
    found = {one.key for one in choices_for(vocabulary(source, source.tables[0]), "filter", said)}
    assert found == {f"region={v}" for v in values if alike(said, v) > 0.5}
