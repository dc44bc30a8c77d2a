import asyncio
from datetime import UTC, datetime, timedelta

from softrail.core.clock import after, before, clock, clock_here, now, ticks

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LATER = datetime(2027, 1, 1, tzinfo=UTC)


async def test_a_clock_of_ones_own_reaches_what_was_begun_there_and_nothing_else() -> None:
    async def told() -> datetime:
        await asyncio.sleep(0)
        return now()

    with clock(lambda: MONDAY):
        outside = asyncio.create_task(told())
        with clock_here(lambda: LATER):
            inside = asyncio.create_task(told())
            thread = asyncio.to_thread(now)
            assert now() == LATER
            assert ticks() == LATER.timestamp()
            assert await thread == LATER
        assert now() == MONDAY
        assert ticks() == MONDAY.timestamp()
        assert (await outside, await inside) == (MONDAY, LATER)


def test_what_lies_beyond_all_calendars_is_their_end() -> None:
    assert after(MONDAY, timedelta(days=1)) == MONDAY + timedelta(days=1)
    assert before(MONDAY, timedelta(days=1)) == MONDAY - timedelta(days=1)
    assert after(MONDAY, timedelta.max) == datetime.max.replace(tzinfo=UTC)
    assert before(MONDAY, timedelta.max) == datetime.min.replace(tzinfo=UTC)
