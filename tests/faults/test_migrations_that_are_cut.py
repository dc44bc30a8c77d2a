"""A migration that is cut between any two of its statements has not begun, and the next start makes it (row A8).

A file is migrated in one transaction; PostgreSQL, which others write into beside it, in one for each revision.
"""

from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from sqlalchemy import Connection

from softrail.store import upgrade
from softrail.store.schema import further
from tests.faults.old_schemas import PLUGINS, Held, bring, fill, held, within
from tests.faults.statements import Ended, watched
from tests.postgres import databases

#: One statement in so many is cut here; the long run kills processes at any of them.
EACH = {"sqlite": 20, "postgresql": 60}
END = 5  #: of the last ones each is, the COMMIT among them


@pytest.fixture
async def urls(where: str) -> AsyncIterator[list[str]]:
    """Three databases without tables that are nobody else's."""
    async with databases(where, "cut", "whole", "by_steps") as urls:
        yield urls


async def state(url: str) -> Held:
    return await within(url, held)


@pytest.mark.parametrize("of", [(), ("", "companion", "plans")], ids=["nothing", "first tables"])
async def test_a_migration_that_is_cut_anywhere_is_made_wholly_or_not_at_all(
    urls: list[str], of: tuple[str, ...]
) -> None:
    for url in urls:
        await within(url, lambda conn: old(conn, of))
    (url, whole, by_steps), kind = urls, urls[0].partition(":")[0]
    each = EACH[kind]
    with watched() as points:
        with points.ending(at=10_000):
            await upgrade(whole, plugins=PLUGINS)
        last = points.seen
        before, after = await state(url), await state(whole)
        between = await between_revisions(by_steps) if kind == "postgresql" else []
        made = list[bool]()
        for at in [*range(1, last - END, each), *range(last - END, last + 1)]:
            with points.ending(at), suppress(Ended):
                await upgrade(url, plugins=PLUGINS)
            found = await state(url)
            assert found in (before, *between, after), f"cut before statement {at} of {last} it is half made"
            made.append(found == after)
            if made[-1]:
                break  # what follows only looks

    # A revision that is made stays made on PostgreSQL: fewer cuts lie before the end.
    assert made.count(False) >= (last // each if kind == "sqlite" else 3)
    assert (await upgrade(url, plugins=PLUGINS)).standing == "current"
    assert await state(url) == after


async def between_revisions(url: str) -> list[Held]:
    """What the tables are after each revision of each part."""
    found = list[Held]()
    while await within(url, lambda conn: further(conn, PLUGINS)):
        found.append(await state(url))
    return found


def old(conn: Connection, of: tuple[str, ...]) -> None:
    """The first tables of the store and of plugins, with some rows."""
    for part in of:
        bring(conn, "0001", of=part)
    fill(conn, 3)
