"""The suite for `softrail.core.ports.Store`.

Subclass `StoreContract` and give it two fixtures: `make_store`, a `MakeStore` that opens and starts a store
over a database that is empty at the beginning of each test, and `store`, one that is started already.
`SharedStoreContract` is for stores whose database others may open too.
"""

import asyncio

from softrail.core.commits import Accepted, Committed, Fenced, Moved, Taken
from softrail.core.instances import State
from softrail.core.ports import Store
from softrail.testing.contracts.archive import ArchiveContract, SharedArchiveContract
from softrail.testing.contracts.claims import ClaimContract, SharedClaimContract
from softrail.testing.contracts.leases import LeaseContract
from softrail.testing.contracts.moves import EffectContract, InstanceContract
from softrail.testing.contracts.outbox import OutboxContract, mail
from softrail.testing.contracts.parts import PartContract
from softrail.testing.contracts.reading import PeopleContract, ReadingContract, WorkerContract
from softrail.testing.contracts.turns import CommitContract, OnceContract
from softrail.testing.contracts.values import (
    AT,
    MakeStore,
    acceptance,
    answer_to,
    fresh,
    loaded,
    opened,
    row,
    running,
    someone,
    turn_on,
)


class StoreContract(
    CommitContract,
    OnceContract,
    LeaseContract,
    InstanceContract,
    EffectContract,
    OutboxContract,
    PeopleContract,
    WorkerContract,
    ClaimContract,
    ReadingContract,
    PartContract,
    ArchiveContract,
):
    """Everything a store promises on its own."""

    async def test_a_started_store_answers(self, store: Store) -> None:
        await store.check()


class SharedStoreContract(SharedClaimContract, SharedArchiveContract, StoreContract):
    """What two stores over one database promise together, as two workers or processes would use them."""

    async def test_what_one_committed_the_other_sees_at_once(self, make_store: MakeStore) -> None:
        here, there = await make_store(), await make_store()
        ada = await someone(here)
        snapshot = await opened(here, ada)
        assert await loaded(there, ada) == snapshot
        await there.commit([turn_on(snapshot, "t1")])

        assert (await loaded(here, ada)).session.rev == 2
        assert await here.commit([turn_on(snapshot, "t2")]) == [Moved(revision=2)]

    async def test_fences_hold_over_stores(self, make_store: MakeStore) -> None:
        here, there = await make_store(), await make_store()
        ada = await someone(here)
        await here.beat("w1", 0)
        snapshot = await opened(here, ada)
        assert await here.accept(acceptance(snapshot, "t1", "w1")) == Accepted(seq=3, fence=1)
        await there.beat("w2", 0)
        await there.remove_worker("w1")
        taken = await there.take("s1", "w2")
        assert isinstance(taken, Taken)

        assert await here.commit([answer_to(snapshot, row(snapshot, "t1"), 1)]) == [Fenced(fence=2)]
        [result] = await there.commit([answer_to(taken.snapshot, taken.waiting[0], taken.fence)])

        assert isinstance(result, Committed)

    async def test_races_of_two_stores_on_many_sessions_have_one_winner_each(
        self, make_store: MakeStore
    ) -> None:
        here, there = await make_store(), await make_store()
        ada = await someone(here)
        snapshots = [await opened(here, ada, f"s{n}") for n in range(10)]

        lists = await asyncio.gather(
            *(
                store.commit([turn_on(snapshot, f"t-{name}-{snapshot.session.id}")])
                for snapshot in snapshots
                for name, store in (("here", here), ("there", there))
            )
        )

        results = [result for results in lists for result in results]
        assert sum(isinstance(result, Committed) for result in results) == 10
        assert sum(result == Moved(revision=2) for result in results) == 10

    async def test_one_suspended_instance_is_resumed_in_one_of_two_sessions(
        self, make_store: MakeStore
    ) -> None:
        here, there = await make_store(), await make_store()
        ada = await someone(here)
        await opened(here, ada, instances=[running(fresh(ada), state=State.SUSPENDED, holds=False)])
        [asleep] = await here.suspended(ada.id)
        second, third = await opened(here, ada, "s2"), await opened(here, ada, "s3")

        lists = await asyncio.gather(
            *(
                store.commit(
                    [
                        turn_on(
                            snapshot,
                            f"t-{snapshot.session.id}",
                            instances=[
                                asleep.evolve(session_id=snapshot.session.id, state=State.ACTIVE, holds=True)
                            ],
                        )
                    ]
                )
                for store, snapshot in ((here, second), (there, third))
            )
        )

        assert sorted(type(results[0]).__name__ for results in lists) == ["Committed", "Moved"]
        kept = await here.instance("i1")
        assert kept is not None
        assert kept.rev == 2

    async def test_the_same_turn_sent_to_two_stores_is_committed_once(self, make_store: MakeStore) -> None:
        here, there = await make_store(), await make_store()
        ada = await someone(here)

        lists = await asyncio.gather(
            *(
                store.commit([turn_on(fresh(ada, f"s{n}"), "t1")])
                for n, store in enumerate((here, there, here, there))
            )
        )

        assert sorted(type(results[0]).__name__ for results in lists) == ["Committed"] + ["Seen"] * 3

    async def test_of_two_stores_that_claim_the_same_effects_each_gets_its_own(
        self, make_store: MakeStore
    ) -> None:
        here, there = await make_store(), await make_store()
        ada = await someone(here)
        await opened(here, ada, effects=[mail() for _ in range(20)])
        await here.beat("w1", 0)
        await there.beat("w2", 0)
        found = [await store.outbox(AT, 20) for store in (here, there)]

        claimed = await asyncio.gather(
            *(
                store.claim([item], worker)
                for pair in zip(*found, strict=True)
                for store, worker, item in ((here, "w1", pair[0]), (there, "w2", pair[1]))
            )
        )

        keys = [item.key for items in claimed for item in items]
        assert len(keys) == len(set(keys)) == 20
