"""What every store promises about commits: numbers, revisions, and each turn exactly once."""

import asyncio

from softrail.core.commits import Committed, Moved, Seen, TurnCommit
from softrail.core.effects import Record
from softrail.core.ports import Store
from softrail.core.questions import Pending, Question
from softrail.core.sessions import Memo, Undo
from softrail.testing.contracts.outbox import mail
from softrail.testing.contracts.values import (
    AT,
    acceptance,
    fresh,
    loaded,
    opened,
    own_item,
    row,
    someone,
    turn_on,
)


class CommitContract:
    """Turns that are computed from a snapshot and committed at once."""

    async def test_the_first_turn_opens_its_session(self, store: Store) -> None:
        ada = await someone(store)
        assert (await store.load(ada, "s1")).snapshot is None

        [result] = await store.commit([turn_on(fresh(ada), "t1")])

        assert result == Committed(seq=1, rev=1, reply='{"companion_message": "t1 is answered"}')
        session = (await loaded(store, ada)).session
        assert (session.rev, session.next_seq, session.last_turn_at) == (1, 3, AT)

    async def test_the_loser_of_two_commits_on_one_revision_is_told(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        assert await store.commit([turn_on(snapshot, "t1")]) == [
            Committed(seq=3, rev=2, reply='{"companion_message": "t1 is answered"}')
        ]

        assert await store.commit([turn_on(snapshot, "t2")]) == [Moved(revision=2)]

        assert await store.turn(ada.id, "t2") is None

    async def test_what_a_lost_attempt_computed_does_not_happen(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.commit([turn_on(snapshot, "t1", effects=[Record("note", {"by": "winner"}, key="n")])])

        lost = turn_on(snapshot, "t2", effects=[Record("note", {"by": "loser"}, key="n"), mail()])

        assert await store.commit([lost]) == [Moved(revision=2)]
        assert [note.data for note in await store.list(ada.id, "note")] == [{"by": "winner"}]
        assert await store.outbox(AT, 10) == []
        assert await store.turn(ada.id, "t2") is None

    async def test_of_two_turns_on_one_session_in_one_list_the_second_has_moved(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)

        first, second = await store.commit([turn_on(snapshot, "t1"), turn_on(snapshot, "t2")])

        assert isinstance(first, Committed)
        assert second == Moved(revision=2)

    async def test_two_turns_that_open_the_same_session_at_once_make_one(self, store: Store) -> None:
        ada = await someone(store)

        first, second = await store.commit([turn_on(fresh(ada), "t1"), turn_on(fresh(ada), "t2")])

        assert (first.__class__, second) == (Committed, Moved(revision=1))

    async def test_a_list_commits_winners_and_tells_losers_in_order(self, store: Store) -> None:
        ada = await someone(store)
        snapshots = [await opened(store, ada, f"s{n}") for n in range(6)]
        for n in (1, 4):
            await store.commit([turn_on(snapshots[n], f"before-{n}")])

        results = await store.commit([turn_on(snapshot, f"t{n}") for n, snapshot in enumerate(snapshots)])

        assert [type(r).__name__ for r in results] == [
            "Committed",
            "Moved",
            "Committed",
            "Committed",
            "Moved",
            "Committed",
        ]
        there = [await store.turn(ada.id, f"t{n}") is not None for n in range(6)]
        assert there == [True, False, True, True, False, True]

    async def test_a_commit_saves_question_and_memo_of_the_session(self, store: Store) -> None:
        ada = await someone(store)
        question = Question(kind="confirm", prompt="Save „this“?", tail=True)
        pending = Pending(question=question, instance_id="i1", seq=1, misses=1)
        memo = Memo(undo=Undo(instance_id="i2", seq=1), ended=True, extra={"n": [1, None]})
        session = fresh(ada).session.evolve(pending=pending, memo=memo)

        await store.commit([turn_on(fresh(ada), "t1", session=session)])

        kept = (await loaded(store, ada)).session
        assert (kept.pending, kept.memo) == (pending, memo)

    async def test_a_turn_and_its_decision_come_back_as_they_were_given(self, store: Store) -> None:
        ada = await someone(store)
        turn = row(
            fresh(ada),
            "t1",
            intent="start_standup",
            process="standup",
            project_id="p",
            reply='{"a": "ü\u2028"}',
        )

        await store.commit([TurnCommit(turn=turn, session=fresh(ada).session, decision='{"why":  "spaces"}')])

        assert await store.turn(ada.id, "t1") == turn
        assert await store.decision(ada.id, "s1", "t1") == '{"why":  "spaces"}'

    async def test_a_commit_under_no_hold_waits_for_whoever_holds(self, store: Store) -> None:
        ada = await someone(store)
        await store.beat("w1", 0)
        snapshot = await opened(store, ada)
        await store.take("s1", "w1")

        assert await store.commit([turn_on(snapshot, "t1")]) == [Moved(revision=1)]

    async def test_nothing_is_committed_at_once_past_a_turn_that_waits(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.accept(acceptance(snapshot, "t1"))
        await store.release("s1", 1)
        snapshot = await loaded(store, ada)
        assert (snapshot.session.leased_to, snapshot.session.waiting) == (None, 1)
        timer = TurnCommit(turn=None, session=snapshot.session)

        results = [
            (await store.commit([commit]))[0]
            for commit in (turn_on(snapshot, "t2"), own_item(snapshot, "plan"), timer)
        ]

        assert results == [Moved(revision=1)] * 3

    async def test_a_change_without_a_turn_takes_no_number(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        session = snapshot.session.evolve(memo=Memo(ended=True))

        result = await store.commit([TurnCommit(turn=None, session=session)])

        assert result == [Committed(seq=0, rev=2, reply="")]
        kept = (await loaded(store, ada)).session
        assert (kept.next_seq, kept.memo.ended, kept.last_turn_at) == (3, True, AT)

    async def test_fifty_commits_at_once_on_as_many_sessions_all_stand(self, store: Store) -> None:
        ada = await someone(store)
        snapshots = [await opened(store, ada, f"s{n}") for n in range(50)]

        lists = await asyncio.gather(*(store.commit([turn_on(s, f"t-{s.session.id}")]) for s in snapshots))

        assert {type(result) for results in lists for result in results} == {Committed}
        assert [(await loaded(store, ada, f"s{n}")).session.rev for n in range(50)] == [2] * 50

    async def test_of_many_commits_at_once_on_one_session_exactly_one_stands(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)

        lists = await asyncio.gather(*(store.commit([turn_on(snapshot, f"t{n}")]) for n in range(20)))

        results = [result for results in lists for result in results]
        assert sum(isinstance(result, Committed) for result in results) == 1
        assert results.count(Moved(revision=2)) == 19

    async def test_a_session_that_is_gone_is_said_to_be_gone(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.delete_session(ada.id, "s1")

        assert await store.commit([turn_on(snapshot, "t1")]) == [Moved(revision=None)]
        assert await store.accept(acceptance(snapshot, "t2")) == Moved(revision=None)
        assert await store.take("s1", "w1") is None

    async def test_nobody_opens_a_session_for_a_person_who_is_gone(self, store: Store) -> None:
        ada = await someone(store)
        await store.delete_person(ada.id)

        assert await store.commit([turn_on(fresh(ada), "t1")]) == [Moved(revision=None)]
        assert await store.accept(acceptance(fresh(ada), "t1")) == Moved(revision=None)

    async def test_a_session_of_someone_else_is_no_session(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")
        await opened(store, ada)

        assert (await store.load(bob, "s1")).snapshot is None
        assert await store.commit([turn_on(fresh(bob), "t1")]) == [Moved(revision=None)]
        assert await store.accept(acceptance(fresh(bob), "t1")) == Moved(revision=None)


class OnceContract:
    """A turn id is used once by a person."""

    async def test_a_turn_that_was_committed_is_seen_and_not_written_again(self, store: Store) -> None:
        ada = await someone(store)
        commit = turn_on(await opened(store, ada), "t1")
        await store.commit([commit])

        again = await store.commit([commit])

        assert again == [Seen(turn=await store.turn(ada.id, "t1"))]  # type: ignore[arg-type]  # it is there
        assert (await store.load(ada, "s1", "t1")).seen == commit.turn
        assert (await loaded(store, ada)).session.rev == 2

    async def test_a_turn_id_used_in_another_session_is_seen(self, store: Store) -> None:
        ada = await someone(store)
        await opened(store, ada, turn=row(fresh(ada), "t1"))

        [result] = await store.commit([turn_on(fresh(ada, "s2"), "t1")])

        assert isinstance(result, Seen)
        assert result.turn.session_id == "s1"
        assert (await store.load(ada, "s2")).snapshot is None

    async def test_a_used_turn_id_spoils_no_other_turn_of_the_list(self, store: Store) -> None:
        ada = await someone(store)
        await opened(store, ada, turn=row(fresh(ada), "t1"))

        results = await store.commit(
            [turn_on(fresh(ada, f"s{n}"), "t1" if n == 4 else f"other-{n}") for n in range(2, 6)]
        )

        assert [type(r).__name__ for r in results] == ["Committed", "Committed", "Seen", "Committed"]

    async def test_the_same_turn_sent_eight_times_at_once_is_committed_once(self, store: Store) -> None:
        ada = await someone(store)
        sent = [turn_on(fresh(ada, f"s{n}"), "t1") for n in range(8)]

        lists = await asyncio.gather(*(store.commit([commit]) for commit in sent))

        results = [result for results in lists for result in results]
        assert sorted(type(result).__name__ for result in results) == ["Committed"] + ["Seen"] * 7
        assert len({r.turn.session_id for r in results if isinstance(r, Seen)}) == 1

    async def test_two_people_may_use_the_same_turn_id(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")

        results = await store.commit([turn_on(fresh(ada, "s1"), "t1"), turn_on(fresh(bob, "s2"), "t1")])

        assert [type(result) for result in results] == [Committed, Committed]
        assert {turn.person_id for turn in await store.turn_anywhere("t1")} == {ada.id, bob.id}
        assert (await store.load(bob, "s1", "t1")).seen == await store.turn(bob.id, "t1")

    async def test_an_accepted_turn_is_seen_by_a_second_acceptance(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.accept(acceptance(snapshot, "t1"))

        again = await store.accept(acceptance(snapshot, "t1", "w2"))

        assert isinstance(again, Seen)
        assert (again.turn.seq, again.turn.status, again.turn.reply) == (3, "accepted", None)
        assert (await loaded(store, ada)).session.waiting == 1

    async def test_an_item_of_the_companions_own_is_said_exactly_once(self, store: Store) -> None:
        ada = await someone(store)
        await store.commit([own_item(await opened(store, ada), "plan:7:done")])

        again = await store.commit([own_item(await loaded(store, ada), "plan:7:done")])

        assert isinstance(again[0], Seen)
        assert (await loaded(store, ada)).session.next_seq == 4
