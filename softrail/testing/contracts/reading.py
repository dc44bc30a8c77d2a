"""What every store promises about people, workers, and what is read or erased outside the path of a turn."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from softrail.core.commits import AccessKey, Signs, TurnCommit
from softrail.core.effects import Record
from softrail.core.errors import BadRequest, NotFound
from softrail.core.keys import Right
from softrail.core.ports import Store
from softrail.testing.contracts.values import (
    AT,
    acceptance,
    answer_to,
    contents,
    fresh,
    loaded,
    opened,
    own_item,
    row,
    running,
    someone,
    started,
    turn_on,
)


class PeopleContract:
    """People and keys."""

    async def test_a_person_is_made_once_per_address(self, store: Store) -> None:
        first = await store.ensure_person("ada@example.org", id="p1", at=AT)

        assert await store.ensure_person("ada@example.org", id="p2", at=AT) == first
        assert await store.person("p1") == first
        assert await store.person("p2") is None

    async def test_what_a_person_changes_is_kept(self, store: Store) -> None:
        ada = replace(await someone(store), display_name="Ada 🦊", timezone="Asia/Kathmandu", locale="de")

        await store.update_person(ada)

        assert await store.person(ada.id) == ada
        assert (await opened(store, ada)).person == ada

    async def test_a_change_of_nobody_or_to_a_taken_address_is_refused(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")

        with pytest.raises(BadRequest):
            await store.update_person(replace(bob, email=ada.email))
        with pytest.raises(NotFound):
            await store.update_person(replace(bob, id="nobody", email="nobody@example.org"))

        assert await store.person(bob.id) == bob

    async def test_a_key_is_found_by_its_hash_with_its_person_until_it_is_revoked(self, store: Store) -> None:
        ada = await someone(store)
        key = AccessKey(
            id="k1", person_id=ada.id, name="laptop", hash="h1", created_at=AT, rights=(Right.INSPECT,)
        )
        await store.add_key(key)

        assert await store.key_by_hash("h1") == replace(key, person=ada)
        assert await store.key_by_hash("h2") is None
        assert set(await store.keys_in_use(["h1", "h2"])) == {"h1"}
        assert await store.revoke_key("k1", at=AT)
        assert set(await store.keys_in_use(["h1", "h2"])) == set()
        assert await store.revoke_key("k1", at=AT + timedelta(days=1))
        assert not await store.revoke_key("k2", at=AT)

        assert await store.keys() == [replace(key, person=ada, revoked_at=AT)]

    async def test_that_a_key_was_ever_made_outlives_keys_and_people(self, store: Store) -> None:
        ada = await someone(store)
        before = await store.keyed()
        await store.add_key(AccessKey(id="k", person_id=ada.id, name="", hash="h", created_at=AT))
        made = await store.keyed()
        await store.delete_person(ada.id)

        assert (before, made, await store.keyed()) == (False, True, True)
        assert await store.keys() == []

    async def test_a_sealed_model_key_is_kept_as_it_is_until_it_is_replaced_or_erased(
        self, store: Store
    ) -> None:
        ada, bob = await someone(store), await someone(store, "bob")
        assert await store.model_key(ada.id) is None
        assert not ada.has_model_key

        assert await store.set_model_key(ada.id, "sealed-1")
        known = await store.person(ada.id)
        assert known == replace(ada, has_model_key=True)
        await store.update_person(replace(ada, display_name="Ada"))

        assert await store.model_key(ada.id) == "sealed-1"
        assert await store.model_key(bob.id) is None
        assert await store.model_keys() == {ada.id: "sealed-1"}
        assert not await store.set_model_key(ada.id, "late", was="another")
        assert await store.set_model_key(ada.id, "sealed-2", was="sealed-1")
        assert await store.model_key(ada.id) == "sealed-2"
        assert await store.set_model_key(ada.id, None)
        assert await store.model_keys() == {}

    async def test_nobody_has_no_model_key(self, store: Store) -> None:
        assert await store.model_key("nobody") is None
        with pytest.raises(NotFound):
            await store.set_model_key("nobody", "sealed")


class WorkerContract:
    """Workers."""

    async def test_a_worker_beats_until_it_is_removed(self, store: Store) -> None:
        assert not await store.beat("w1", 4)
        assert await store.beat("w1", 0)
        assert await store.beat("w1", 1)
        assert await store.workers() == {"w1": 1}

        assert not await store.remove_worker("w1", beat=0)
        assert await store.remove_worker("w1", beat=1)

        assert not await store.beat("w1", 2)
        assert await store.workers() == {}

    async def test_the_leases_of_a_worker_are_known_until_it_is_removed(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        await opened(store, ada)
        await opened(store, ada, "s2")
        await store.take("s1", "w1")
        await store.accept(acceptance(await loaded(store, ada, "s2"), "t", "w1"))
        assert await store.leases("w1") == {"s1": 1, "s2": 1}
        assert await store.stranded(10) == []

        await store.remove_worker("w1")

        assert await store.leases("w1") == {}
        assert await store.stranded(10) == ["s2"]

    async def test_a_pulse_beats_and_sees_what_there_is(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        await store.beat("w2", 0)
        await opened(store, ada)
        await store.take("s1", "w1")

        async def pulses() -> tuple[Signs, Signs, Signs]:
            async with store.beside() as workers:
                return (
                    await workers.pulse("w1", 3),
                    await workers.pulse("w2", 1),
                    await workers.pulse("gone", 9),
                )

        one, two, gone = await asyncio.to_thread(asyncio.run, pulses())

        assert (one.registered, dict(one.leases), one.beats["w2"]) == (True, {"s1": 1}, 0)
        assert (two.registered, dict(two.leases), two.beats["w1"]) == (True, {}, 3)
        assert (gone.registered, dict(gone.leases), dict(gone.beats)) == (False, {}, {"w1": 3, "w2": 1})
        assert await store.workers() == {"w1": 3, "w2": 1}

    async def test_another_thread_sees_and_shows_who_lives(self, store: Store) -> None:
        await store.beat("w1", 0)

        async def beats() -> tuple[bool, Mapping[str, int], Mapping[str, int], bool]:
            async with store.beside() as workers:
                beaten = await workers.beat("w1", 7)
                return (
                    beaten,
                    await workers.workers(),
                    await workers.leases("w1"),
                    await workers.remove_worker("w1", 7),
                )

        assert await asyncio.to_thread(asyncio.run, beats()) == (True, {"w1": 7}, {}, True)
        assert await store.workers() == {}


class ReadingContract:
    """Items, sessions, and what is erased."""

    async def test_items_come_in_order_page_by_page(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.commit([own_item(snapshot, "plan")])
        await store.commit([turn_on(await loaded(store, ada), "t2")])

        everything = [
            (1, "operator", "s1-first says"),
            (2, "companion", "s1-first is answered"),
            (3, "companion", "plan is answered"),
            (4, "operator", "t2 says"),
            (5, "companion", "t2 is answered"),
        ]
        for size in (1, 2, 3, 5):
            seen: list[tuple[int, str, str]] = []
            while page := await store.items(
                ada.id, session_id="s1", after=seen[-1][0] if seen else 0, limit=size
            ):
                assert len(page) <= size
                seen += contents(page)
            assert seen == everything
            back: list[tuple[int, str, str]] = []
            while page := await store.items(
                ada.id, session_id="s1", before=back[0][0] if back else 9, limit=size
            ):
                assert len(page) <= size
                back = [*contents(page), *back]
            assert back == everything
        assert await store.items("someone-else", session_id="s1") == []
        assert await store.items("someone-else", session_id="s1", before=9) == []

    async def test_an_unfinished_turn_hides_what_comes_after_it(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada, turn=row(fresh(ada), "t0", project_id="p"))
        for n in (1, 2):
            accepted = acceptance(snapshot, f"t{n}")
            await store.accept(replace(accepted, turn=replace(accepted.turn, project_id="p")))
        taken = await store.take("s1", "w1", force=True)
        assert taken is not None
        first, second = (replace(row(snapshot, f"t{n}", project_id="p"), seq=1 + 2 * n) for n in (1, 2))

        await store.commit([answer_to(snapshot, second, taken.fence, keep_lease=True)])
        hidden = [await store.items(ada.id, session_id="s1"), await store.items(ada.id, project_id="p")]
        await store.commit([answer_to(await loaded(store, ada), first, taken.fence)])

        assert [[item.seq for item in items] for items in hidden] == [[1, 2], [1, 2]]
        for items in (
            await store.items(ada.id, session_id="s1"),
            await store.items(ada.id, project_id="p"),
        ):
            assert [item.seq for item in items] == [1, 2, 3, 4, 5, 6]

    async def test_items_of_a_project_come_from_all_sessions_of_the_person(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")
        for n, person in enumerate([ada, bob, ada]):
            snapshot = fresh(person, f"s{n}")
            said = row(snapshot, f"t{n}", project_id="p", accepted_at=AT - timedelta(minutes=n))
            await opened(store, person, f"s{n}", turn=said)
        await opened(store, ada, "s3")

        found = await store.items(ada.id, project_id="p")
        assert [(item.session_id, item.seq) for item in found] == [("s2", 1), ("s2", 2), ("s0", 1), ("s0", 2)]
        assert await store.items(ada.id, project_id="p", after=1, limit=2) == found[1:3]

    async def test_sessions_are_listed_newest_first_page_by_page(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")
        for n in range(5):
            at = AT + timedelta(minutes=n // 2)
            await store.open_session(fresh(ada, f"s{n}").session.evolve(created_at=at))
        await opened(store, bob, "s9")

        first = await store.sessions(ada.id, before=None, limit=3)
        rest = await store.sessions(ada.id, before=first[-1].id, limit=3)

        assert [session.id for session in [*first, *rest]] == ["s4", "s3", "s2", "s1", "s0"]
        assert await store.sessions(ada.id, before="s9", limit=3) == []

    async def test_an_opened_session_is_there_before_its_first_turn(self, store: Store) -> None:
        ada = await someone(store)
        await store.open_session(fresh(ada).session)
        snapshot = await loaded(store, ada)
        assert snapshot.session.rev == 1

        await store.commit([turn_on(snapshot, "t1")])

        assert (await loaded(store, ada)).session.next_seq == 3
        assert await store.session("someone-else", "s1") is None

    async def test_a_deleted_session_leaves_nothing_but_records(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")
        instance = running(fresh(ada))
        await opened(
            store, ada, instances=[instance], transitions=[started(instance)], effects=[Record("r", {}, "k")]
        )
        await opened(store, ada, "s2", instances=[running(fresh(ada, "s2"), "i2")])
        assert not await store.delete_session(bob.id, "s1")

        assert await store.delete_session(ada.id, "s1")

        assert not await store.delete_session(ada.id, "s1")
        assert (await store.load(ada, "s1", "s1-first")).seen is None
        assert await store.decision(ada.id, "s1", "s1-first") is None
        assert await store.instance("i1") is None
        assert await store.transitions(["i1"]) == []
        assert await store.items(ada.id, session_id="s1") == []
        assert (await store.get(ada.id, "r", "k")) is not None
        assert (await loaded(store, ada, "s2")).holder is not None

    async def test_a_deleted_person_takes_everything_along(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")
        await store.add_key(AccessKey(id="k", person_id=ada.id, name="", hash="h", created_at=AT))
        await store.set_model_key(ada.id, "sealed")
        await opened(store, ada, effects=[Record("r", {}, "k")], instances=[running(fresh(ada))])
        await opened(store, bob, "s2", effects=[Record("r", {}, "k")])

        await store.delete_person(ada.id)

        assert await store.person(ada.id) is None
        assert await store.key_by_hash("h") is None
        assert await store.model_keys() == {}
        assert await store.get(ada.id, "r", "k") is None
        assert await store.turn_anywhere("s1-first") == []
        assert await store.instance("i1") is None
        assert await store.get(bob.id, "r", "k") is not None
        assert (await store.load(bob, "s2")).snapshot is not None

    async def test_what_a_timer_changes_needs_no_turn_and_keeps_its_records(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        for n in range(2):
            change = TurnCommit(turn=None, session=snapshot.session, effects=[Record("tick", {"n": n})])
            await store.commit([change])
            snapshot = await loaded(store, ada)

        assert [record.data for record in await store.list(ada.id, "tick")] == [{"n": 0}, {"n": 1}]
