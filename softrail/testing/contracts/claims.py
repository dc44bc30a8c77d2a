"""What every store promises about claims: one driver of a run, known by a fence, missed when it is gone."""

import asyncio

from softrail.core.execution import Claim
from softrail.core.ports import Store
from softrail.testing.contracts.values import MakeStore


async def claimed(store: Store, run_id: str = "r1", worker: str = "w1") -> Claim:
    """A claim that must be given."""
    claim = await store.claim_run("count", run_id, worker)
    assert claim is not None
    return claim


class ClaimContract:
    """Claims on runs of long work."""

    async def test_a_run_is_claimed_by_one_living_worker(self, store: Store) -> None:
        await store.beat("w1", 0)
        await store.beat("w2", 0)

        first = await claimed(store)

        assert (first.kind, first.run_id, first.worker) == ("count", "r1", "w1")
        assert await store.claim_run("count", "r1", "w2") is None
        assert await store.claim_run("count", "r1", "w1") is None
        assert await store.claim_stands(first)
        assert list(await store.claims_of("w1")) == [first.fence]
        assert await store.claims_of("w2") == {}

    async def test_a_claim_that_an_earlier_try_may_have_made_is_given_to_its_worker_alone(
        self, store: Store
    ) -> None:
        await store.beat("w1", 0)
        await store.beat("w2", 0)
        first = await claimed(store)

        again = await store.claim_run("count", "r1", "w1", mine=True)
        assert again is not None
        assert again.fence == first.fence
        assert await store.claim_run("count", "r1", "w2", mine=True) is None

    async def test_kinds_of_work_do_not_meet(self, store: Store) -> None:
        await store.beat("w1", 0)
        one = await claimed(store)
        other = await store.claim_run("sort", "r1", "w1")

        assert other is not None
        assert await store.claims_of("w1") == {one.fence: 0, other.fence: 0}

    async def test_a_dead_workers_run_is_abandoned_and_claimed_under_a_higher_fence(
        self, store: Store
    ) -> None:
        await store.beat("w1", 0)
        await store.beat("w2", 0)
        old = await claimed(store)
        assert await store.abandoned_runs(["count"], 10) == []

        await store.remove_worker("w1")

        assert not await store.claim_stands(old)  # already before anyone has taken it over
        assert await store.claims_of("w1") == {}
        assert await store.abandoned_runs(["count", "sort"], 10) == [("count", "r1")]
        assert await store.abandoned_runs(["sort"], 10) == []
        new = await claimed(store, worker="w2")
        assert new.fence > old.fence
        assert await store.abandoned_runs(["count"], 10) == []

    async def test_what_a_lost_claim_gives_up_is_not_the_new_one(self, store: Store) -> None:
        await store.beat("w1", 0)
        await store.beat("w2", 0)
        old = await claimed(store)
        await store.remove_worker("w1")
        new = await claimed(store, worker="w2")

        assert await store.drop_claim(old, 0) is None
        await store.hand_on_run(old)

        assert await store.claim_stands(new)
        assert await store.abandoned_runs(["count"], 10) == []

    async def test_a_dropped_run_is_free_and_its_next_fence_is_higher(self, store: Store) -> None:
        await store.beat("w1", 0)
        old = await claimed(store)

        assert await store.drop_claim(old, 0) is None

        assert not await store.claim_stands(old)
        assert await store.abandoned_runs(["count"], 10) == []
        assert (await claimed(store)).fence > old.fence

    async def test_a_run_that_was_woken_meanwhile_is_not_dropped(self, store: Store) -> None:
        await store.beat("w1", 0)
        await store.beat("w2", 0)
        claim = await claimed(store)
        assert await store.claim_run("count", "r1", "w2", wake=False) is None
        assert await store.claims_of("w1") == {claim.fence: 0}

        assert await store.claim_run("count", "r1", "w2") is None

        assert await store.claims_of("w1") == {claim.fence: 1}
        assert await store.drop_claim(claim, 0) == 1
        assert await store.claim_stands(claim)
        assert await store.drop_claim(claim, 1) is None

    async def test_who_drives_runs_can_be_told_without_claiming_them(self, store: Store) -> None:
        await store.beat("w1", 0)
        await store.beat("w2", 0)
        both = {("count", "r1"), ("count", "r2")}
        assert not await store.wake_runs(both)
        assert await store.driven_runs(["count"]) == set()
        claim, other = await claimed(store), await claimed(store, "r2", "w2")

        assert await store.wake_runs([("count", "r1"), ("sort", "r2"), ("count", "r3")]) == {("count", "r1")}

        assert await store.claims_of("w1") == {claim.fence: 1}
        assert await store.claims_of("w2") == {other.fence: 0}
        assert await store.wake_runs(both) == both
        assert await store.driven_runs(["count"]) == both
        assert await store.driven_runs(["sort"]) == set()

        await store.remove_worker("w1")
        await store.hand_on_run(other)

        assert not await store.wake_runs(both)
        assert await store.driven_runs(["count"]) == set()

    async def test_a_run_that_is_handed_on_can_be_claimed_at_once(self, store: Store) -> None:
        await store.beat("w1", 0)
        await store.beat("w2", 0)
        old = await claimed(store)

        await store.hand_on_run(old)

        assert not await store.claim_stands(old)
        assert await store.abandoned_runs(["count"], 10) == [("count", "r1")]
        assert (await claimed(store, worker="w2")).fence > old.fence

    async def test_abandoned_runs_come_in_portions_the_oldest_first(self, store: Store) -> None:
        await store.beat("w1", 0)
        for n in range(4):
            await claimed(store, f"r{n}")
        await store.remove_worker("w1")

        assert await store.abandoned_runs(["count"], 3) == [("count", f"r{n}") for n in range(3)]


class SharedClaimContract:
    """Claims over two stores on one database."""

    async def test_races_for_runs_have_one_winner_each(self, make_store: MakeStore) -> None:
        stores = {"w1": await make_store(), "w2": await make_store()}
        for worker, store in stores.items():
            await store.beat(worker, 0)

        found = await asyncio.gather(
            *(
                store.claim_run("count", f"r{n}", worker)
                for n in range(10)
                for worker, store in stores.items()
            )
        )

        won = [claim for claim in found if claim is not None]
        assert sorted(claim.run_id for claim in won) == sorted(f"r{n}" for n in range(10))
        assert len({claim.fence for claim in won}) == 10
