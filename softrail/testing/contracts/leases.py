"""What every store promises about leases: accepted turns, their order, and the one worker that may write."""

from softrail.core.commits import Accepted, Committed, Fenced, Moved, Occupied, Seen, Taken, TurnCommit
from softrail.core.instances import State
from softrail.core.ports import Store
from softrail.core.questions import Pending, Question
from softrail.core.sessions import Memo, Undo
from softrail.testing.contracts.values import (
    acceptance,
    answer_to,
    fresh,
    loaded,
    opened,
    own_item,
    row,
    running,
    someone,
    turn_on,
)


async def begun(store: Store, worker: str) -> int:
    """How often the oldest turn of s1 counts as begun, now that this worker begins it."""
    taken = await store.take("s1", worker, force=True)
    assert isinstance(taken, Taken)
    return taken.waiting[0].starts


class LeaseContract:
    """Accepted turns, their order, and the one worker that may write."""

    async def test_an_accepted_turn_takes_the_lease_of_a_free_session(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)

        result = await store.accept(acceptance(snapshot, "t1"))

        assert result == Accepted(seq=3, fence=1)
        session = (await loaded(store, ada)).session
        assert (session.leased_to, session.waiting, session.next_seq, session.rev) == ("w1", 1, 5, 1)
        turn = await store.turn(ada.id, "t1")
        assert turn is not None
        assert (turn.status, turn.starts) == ("accepted", 1)

    async def test_an_accepted_turn_may_open_its_session_and_commit_what_it_computed(
        self, store: Store
    ) -> None:
        ada = await someone(store)
        assert await store.accept(acceptance(fresh(ada), "t1")) == Accepted(seq=1, fence=1)

        [result] = await store.commit([answer_to(fresh(ada), row(fresh(ada), "t1"), 1)])

        assert isinstance(result, Committed)
        session = (await loaded(store, ada)).session
        assert (session.rev, session.next_seq, session.leased_to, session.waiting) == (1, 3, None, 0)

    async def test_an_accepted_turn_that_only_stands_in_line_takes_no_lease(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshots = [await opened(store, ada), fresh(ada, "s2")]

        results = [await store.accept(acceptance(s, s.session.id, take=False)) for s in snapshots]

        assert results == [Accepted(seq=3, fence=None), Accepted(seq=1, fence=None)]
        for session_id in ("s1", "s2"):
            session = (await loaded(store, ada, session_id)).session
            assert (session.leased_to, session.waiting) == (None, 1)
            taken = await store.take(session_id, "w1")
            assert isinstance(taken, Taken)
            assert [turn.starts for turn in taken.waiting] == [1]

    async def test_turns_queue_behind_the_lease_and_run_in_order(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        accepted = [await store.accept(acceptance(snapshot, f"t{n}")) for n in range(3)]
        assert accepted == [
            Accepted(seq=3, fence=1),
            Accepted(seq=5, fence=None),
            Accepted(seq=7, fence=None),
        ]
        assert (await loaded(store, ada)).session.waiting == 3
        first = row(snapshot, "t0", starts=1)
        await store.commit([answer_to(snapshot, first, 1)])

        for n in (1, 2):
            taken = await store.take("s1", "w1")
            assert isinstance(taken, Taken)
            assert [turn.turn_id for turn in taken.waiting] == [f"t{k}" for k in range(n, 3)]
            assert [turn.starts for turn in taken.waiting] == [1] + [0] * (2 - n)
            [result] = await store.commit([answer_to(taken.snapshot, taken.waiting[0], taken.fence)])
            assert isinstance(result, Committed)

        assert [item.seq for item in await store.items(ada.id, session_id="s1")] == list(range(1, 9))
        assert (await loaded(store, ada)).session.waiting == 0

    async def test_a_turn_accepted_from_an_old_revision_queues(self, store: Store) -> None:
        ada = await someone(store)
        old = await opened(store, ada)
        await store.commit([turn_on(old, "t1")])

        assert await store.accept(acceptance(old, "t2")) == Accepted(seq=5, fence=None)
        assert await store.commit([turn_on(await loaded(store, ada), "t3")]) == [Moved(revision=2)]

    async def test_a_live_worker_keeps_its_lease_and_a_dead_one_loses_it(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        await store.accept(acceptance(snapshot, "t1", "w1"))
        assert await store.take("s1", "w2") == Occupied(worker="w1", fence=1)

        assert await store.remove_worker("w1", beat=0)

        assert await store.stranded(10) == ["s1"]
        taken = await store.take("s1", "w2")
        assert isinstance(taken, Taken)
        assert (taken.fence, taken.waiting[0].starts, taken.snapshot.session.leased_to) == (2, 2, "w2")

    async def test_a_worker_declared_dead_writes_nothing_more(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        await store.accept(acceptance(snapshot, "t1", "w1"))
        await store.remove_worker("w1")

        before = await store.commit([answer_to(snapshot, row(snapshot, "t1"), 1)])
        await store.beat("w2", 0)
        await store.take("s1", "w2")
        after = await store.commit([answer_to(snapshot, row(snapshot, "t1"), 1)])

        assert (before, after) == ([Fenced(fence=1)], [Fenced(fence=2)])
        turn = await store.turn(ada.id, "t1")
        assert turn is not None
        assert turn.reply is None

    async def test_a_start_counts_once_the_process_that_made_it_is_gone(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("p1", 0)
        await store.accept(acceptance(fresh(ada), "t1", "p1"))

        starts = [await begun(store, "p1"), await begun(store, "p1")]
        for n in (2, 3):
            await store.remove_worker(f"p{n - 1}")
            await store.beat(f"p{n}", 0)
            starts.append(await begun(store, f"p{n}"))

        assert starts == [1, 1, 2, 3]
        turn = await store.turn(ada.id, "t1")
        assert turn is not None
        assert (turn.starts, turn.begun_by) == (3, ("p1", "p2", "p3"))

    async def test_a_process_that_was_late_and_thought_dead_counts_no_more_once_it_is_back(
        self, store: Store
    ) -> None:
        ada = await someone(store)
        await store.beat("p1", 0)
        await store.accept(acceptance(fresh(ada), "t1", "p1"))
        await store.remove_worker("p1")
        assert await begun(store, "p2") == 2

        await store.beat("p1/2", 0)
        await store.beat("p2", 0)

        assert await begun(store, "p3") == 1

    async def test_a_process_that_left_of_its_own_accord_was_not_ended_by_a_turn(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("p1", 0)
        await store.accept(acceptance(fresh(ada), "t1", "p1"))

        await store.remove_worker("p1", leaves=True)

        assert await begun(store, "p2") == 1

    async def test_a_turn_that_was_given_up_is_accepted_again_as_if_it_had_never_begun(
        self, store: Store
    ) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        await store.accept(acceptance(snapshot, "t1", "w1"))
        await store.commit([answer_to(snapshot, row(snapshot, "t1"), 1, status="failed")])
        later = await loaded(store, ada)
        await store.commit([turn_on(later, "t2")])

        assert await store.reopen(ada.id, "t1")

        turn = await store.turn(ada.id, "t1")
        assert turn is not None
        assert (turn.status, turn.seq, turn.reply, turn.starts) == ("accepted", 3, None, 0)
        assert await store.decision(ada.id, "s1", "t1") is None
        taken = await store.take("s1", "w1")
        assert isinstance(taken, Taken)
        [result] = await store.commit([answer_to(taken.snapshot, taken.waiting[0], taken.fence)])
        assert isinstance(result, Committed)
        assert [item.seq for item in await store.items(ada.id, session_id="s1")] == list(range(1, 7))
        assert (await loaded(store, ada)).session.waiting == 0

    async def test_only_a_turn_that_was_given_up_is_accepted_again(self, store: Store) -> None:
        ada, ben = await someone(store), await someone(store, "ben")
        snapshot = await opened(store, ada)
        await store.accept(acceptance(snapshot, "waits"))
        failed = await opened(store, ada, "s2")
        await store.commit([turn_on(failed, "failed", status="failed")])

        assert not await store.reopen(ada.id, "t0")
        assert not await store.reopen(ada.id, "waits")
        assert not await store.reopen(ada.id, "never sent")
        assert not await store.reopen(ben.id, "failed")
        assert await store.reopen(ada.id, "failed")
        assert not await store.reopen(ada.id, "failed")

    async def test_a_session_deleted_under_its_first_turn_stays_deleted(self, store: Store) -> None:
        ada = await someone(store)
        await store.accept(acceptance(fresh(ada), "t1"))
        await store.delete_session(ada.id, "s1")

        result = await store.commit([answer_to(fresh(ada), row(fresh(ada), "t1"), 1)])

        assert result == [Moved(revision=None)]
        assert (await store.load(ada, "s1")).snapshot is None

    async def test_a_session_deleted_between_its_first_two_turns_stays_deleted(self, store: Store) -> None:
        ada = await someone(store)
        await store.accept(acceptance(fresh(ada), "t1"))
        snapshot = await loaded(store, ada)
        await store.delete_session(ada.id, "s1")

        assert await store.accept(acceptance(snapshot, "t2")) == Moved(revision=None)
        assert await store.commit([turn_on(snapshot, "t3")]) == [Moved(revision=None)]
        assert (await store.load(ada, "s1")).snapshot is None

    async def test_force_takes_the_lease_from_a_live_worker(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        await store.accept(acceptance(snapshot, "t1", "w1"))

        taken = await store.take("s1", "w2", force=True)

        assert isinstance(taken, Taken)
        assert await store.commit([answer_to(snapshot, row(snapshot, "t1"), 1)]) == [Fenced(fence=2)]

    async def test_a_lease_is_kept_over_a_commit_on_request(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        for n in range(2):
            await store.accept(acceptance(snapshot, f"t{n}"))
        taken = await store.take("s1", "w1", force=True)
        assert isinstance(taken, Taken)
        first, second = taken.waiting

        [one] = await store.commit(
            [answer_to(taken.snapshot, first, taken.fence, status="interrupted", keep_lease=True)]
        )
        assert isinstance(one, Committed)
        snapshot = await loaded(store, ada)
        assert (snapshot.session.leased_to, snapshot.session.rev) == ("w1", one.rev)
        [two] = await store.commit([answer_to(snapshot, second, taken.fence)])

        assert isinstance(two, Committed)
        assert (await loaded(store, ada)).session.leased_to is None
        kept = await store.turn(ada.id, "t0")
        assert kept is not None
        assert kept.status == "interrupted"

    async def test_release_frees_only_the_lease_of_that_fence(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        await opened(store, ada)
        taken = await store.take("s1", "w1")
        assert isinstance(taken, Taken)

        await store.release("s1", taken.fence - 1)
        assert isinstance(await store.take("s1", "w2"), Occupied)
        await store.release("s1", taken.fence)

        assert isinstance(await store.take("s1", "w2"), Taken)

    async def test_taking_and_releasing_with_a_commit_between_moves_what_was_computed_before(
        self, store: Store
    ) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        taken = await store.take("s1", "w1")
        assert isinstance(taken, Taken)
        timer = TurnCommit(turn=None, session=taken.snapshot.session, fence=taken.fence)
        assert await store.commit([timer]) == [Committed(seq=0, rev=2, reply="")]

        assert await store.commit([turn_on(snapshot, "t1")]) == [Moved(revision=2)]

    async def test_an_own_item_under_a_lease_comes_after_turns_accepted_meanwhile(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        taken = await store.take("s1", "w1")
        assert isinstance(taken, Taken)
        await store.accept(acceptance(snapshot, "t1", "w2"))

        stale = await store.commit([own_item(taken.snapshot, "plan:1:done", fence=taken.fence)])
        assert stale == [Moved(revision=1)]
        [said] = await store.commit(
            [own_item(await loaded(store, ada), "plan:1:done", fence=taken.fence, keep_lease=True)]
        )

        assert isinstance(said, Committed)
        assert said.seq == 5
        assert [item.seq for item in await store.items(ada.id, session_id="s1")] == [1, 2]

    async def test_an_accepted_turn_that_was_committed_by_another_is_seen(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        await store.accept(acceptance(snapshot, "t1"))
        turn = row(snapshot, "t1")
        await store.commit([answer_to(snapshot, turn, 1, keep_lease=True)])

        [again] = await store.commit([answer_to(await loaded(store, ada), turn, 1)])

        assert isinstance(again, Seen)
        assert again.turn.status == "committed"

    async def test_a_snapshot_brings_what_the_session_names_and_covers(self, store: Store) -> None:
        ada = await someone(store)
        beneath = running(fresh(ada), "beneath", holds=False)
        above = running(fresh(ada), "above", covers="beneath", process="clarification")
        await opened(store, ada, instances=[beneath, above])
        other = fresh(ada, "s2")
        question = Pending(question=Question(kind="offer", prompt="Go on?"), instance_id="above", seq=1)
        session = other.session.evolve(pending=question, memo=Memo(undo=Undo(instance_id="nowhere", seq=1)))

        await store.commit([turn_on(other, "t2", session=session)])

        assert {i.id for i in (await loaded(store, ada, "s2")).instances} == {"above", "beneath"}

    async def test_a_snapshot_brings_what_a_live_instance_covers_in_whatever_state(
        self, store: Store
    ) -> None:
        ada = await someone(store)
        asleep = running(fresh(ada, "s0"), "asleep", state=State.SUSPENDED, holds=False)
        await opened(store, ada, "s0", instances=[asleep])
        above = running(fresh(ada), "above", covers="asleep", process="clarification")

        snapshot = await opened(store, ada, instances=[above])

        assert {i.id for i in snapshot.instances} == {"above", "asleep"}
