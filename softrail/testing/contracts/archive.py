"""What every store promises about its archive: packed turns are read like others, and nothing else is packed."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from softrail.core.commits import Accepted, Archived
from softrail.core.people import Person
from softrail.core.ports import Store
from softrail.testing.contracts.outbox import mail
from softrail.testing.contracts.values import (
    AT,
    MakeStore,
    acceptance,
    contents,
    fresh,
    loaded,
    opened,
    row,
    someone,
    turn_on,
)

DAY = timedelta(days=1)


async def talked(store: Store, person: Person, session_id: str = "s1", *, turns: int = 6) -> None:
    """A session with that many turns, one a day."""
    snapshot = fresh(person, session_id)
    for n in range(turns):
        at = AT + n * DAY
        said = row(snapshot, f"{session_id}-t{n}", accepted_at=at, replied_at=at)
        await store.commit([turn_on(snapshot, said.turn_id, turn=said)])
        snapshot = await loaded(store, person, session_id)


async def packed(store: Store, before: datetime, session_id: str = "s1") -> int:
    """Everything older, packed; how many turns that was."""
    count = 0
    while (one := await store.archive(session_id, before)).turns:
        assert one.taken > 0
        assert one.kept > 0
        count += one.turns
    return count


async def everything(store: Store, person: Person, session_id: str = "s1") -> tuple[object, ...]:
    """All that can be read of a session's past."""
    items = await store.items(person.id, session_id=session_id, limit=200)
    assert await store.items(person.id, session_id=session_id, before=2**62, limit=200) == items
    assert (
        await store.items(person.id, session_id=session_id, before=8, limit=3)
        == [item for item in items if item.seq < 8][-3:]
    )
    turn_ids = dict.fromkeys(item.turn_id for item in items)
    records = [await store.decision(person.id, session_id, one) for one in turn_ids]
    lines = [(one.first, one.last) for one in await store.overviews(person.id, [session_id])]
    return items, records, lines, await store.decisions(person.id, session_id, limit=200)


async def pages(store: Store, person: Person, limit: int) -> Sequence[tuple[int, str, str]]:
    """The items of s1, so many at a time."""
    found: list[tuple[int, str, str]] = []
    while page := await store.items(
        person.id, session_id="s1", after=found[-1][0] if found else 0, limit=limit
    ):
        found += contents(page)
    return found


class ArchiveContract:
    """Packing, reading what was packed, and forgetting it."""

    async def test_what_is_archived_is_read_as_before(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")
        await talked(store, ada)
        before = await everything(store, ada)

        assert await packed(store, AT + 3 * DAY) == 3
        assert await everything(store, ada) == before
        assert await packed(store, AT + 5 * DAY) == 2
        assert await everything(store, ada) == before

        assert await everything(store, bob) == ([], [], [], [])
        assert await store.decision(bob.id, "s1", "s1-t0") is None
        assert await store.decision(ada.id, "s1", "never said") is None

    async def test_pages_of_any_size_run_on_from_the_archive(self, store: Store) -> None:
        ada = await someone(store)
        await talked(store, ada)
        whole = contents(await store.items(ada.id, session_id="s1"))
        await packed(store, AT + 2 * DAY)
        await packed(store, AT + 4 * DAY)

        for limit in (1, 2, 3, 5, 50):
            assert await pages(store, ada, limit) == whole
        records = await store.decisions(ada.id, "s1", after=3, limit=3)
        assert [seq for seq, _ in records] == [5, 7, 9]

    async def test_a_wholly_archived_session_goes_on_with_the_next_number(self, store: Store) -> None:
        ada = await someone(store)
        await talked(store, ada, turns=2)
        await packed(store, AT + 9 * DAY)

        await store.commit([turn_on(await loaded(store, ada), "again")])

        items = await store.items(ada.id, session_id="s1")
        assert [(item.seq, item.turn_id) for item in items[3:]] == [(4, "s1-t1"), (5, "again"), (6, "again")]

    async def test_what_waits_for_its_answer_is_not_packed(self, store: Store) -> None:
        ada = await someone(store)
        await talked(store, ada, turns=2)
        accepted = await store.accept(acceptance(await loaded(store, ada), "waits"))
        assert isinstance(accepted, Accepted)

        assert await packed(store, AT + 9 * DAY) == 2
        assert await store.archivable(AT + 9 * DAY) == []
        assert (await store.load(ada, "s1", "waits")).seen is not None

    async def test_an_effect_that_is_not_delivered_stays_and_a_delivered_one_goes_along(
        self, store: Store
    ) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        await opened(store, ada, effects=[mail(), mail("fax")])
        [fax] = await store.claim(await store.outbox(AT, 10, kinds=["fax"]), "w1")
        await store.delivered(fax)

        assert await packed(store, AT + DAY) == 1

        [left] = await store.outbox(AT, 10)
        assert left.kind == "mail"
        assert [one.key for one in await store.undelivered_of("s1", 1)] == [left.key]

    async def test_sessions_to_archive_are_found_page_by_page(self, store: Store) -> None:
        ada = await someone(store)
        for n in range(5):
            await talked(store, ada, f"s{n}", turns=n + 1)
        await store.open_session(fresh(ada, "s9").session)

        first = await store.archivable(AT + DAY, limit=3)
        rest = await store.archivable(AT + DAY, after=first[-1], limit=3)
        for session_id in (*first, *rest):
            await packed(store, AT + DAY, session_id)

        assert [*first, *rest] == ["s0", "s1", "s2", "s3", "s4"]
        assert await store.archivable(AT + DAY) == []
        assert await store.archivable(AT + 2 * DAY) == ["s1", "s2", "s3", "s4"]
        assert await store.archive("nobody's", AT + DAY) == Archived()

    async def test_an_archive_goes_with_its_session_and_with_its_person(self, store: Store) -> None:
        ada = await someone(store)
        for session_id in ("s1", "s2"):
            await talked(store, ada, session_id, turns=2)
            await packed(store, AT + 9 * DAY, session_id)

        assert await store.delete_session(ada.id, "s1")
        assert await store.items(ada.id, session_id="s1") == []
        assert await store.forgettable(AT + 9 * DAY) == ["s2"]
        await store.delete_person(ada.id)
        assert await store.forgettable(AT + 9 * DAY) == []

    async def test_what_is_forgotten_is_gone_and_the_rest_is_there(self, store: Store) -> None:
        ada = await someone(store)
        await talked(store, ada, turns=4)
        await packed(store, AT + DAY)
        await packed(store, AT + 3 * DAY)

        assert await store.forgettable(AT + DAY) == ["s1"]
        assert await store.forget("s1", AT + DAY) == 1

        assert await store.forgettable(AT + DAY) == []
        assert [item.seq for item in await store.items(ada.id, session_id="s1")] == [3, 4, 5, 6, 7, 8]
        assert await store.decision(ada.id, "s1", "s1-t0") is None


class SharedArchiveContract:
    """The archive over one database, with others at work."""

    async def test_two_who_archive_at_once_pack_each_turn_once(self, make_store: MakeStore) -> None:
        here, there = await make_store(), await make_store()
        ada = await someone(here)
        await talked(here, ada, turns=5)
        before = await everything(here, ada)

        done = await asyncio.gather(*(packed(store, AT + 9 * DAY) for store in (here, there)))

        assert sum(done) == 5
        assert await everything(there, ada) == before
