"""What every store promises about instances, their transitions, effects and records."""

from datetime import timedelta
from typing import Any

from pydantic import BaseModel

from softrail.core.commits import Committed, Due, Moved, Refused
from softrail.core.effects import Effect, Forget, Record
from softrail.core.instances import DueKind, State
from softrail.core.ports import EffectTransaction, Store
from softrail.core.questions import Question
from softrail.testing.contracts.values import (
    AT,
    MakeStore,
    fresh,
    loaded,
    opened,
    own_item,
    running,
    someone,
    started,
    turn_on,
)


class InstanceContract:
    """Instances are saved with the turn that moves them, and the database keeps them unique."""

    async def test_an_instance_comes_back_as_it_was_saved(self, store: Store) -> None:
        ada = await someone(store)
        instance = running(
            fresh(ada),
            question=Question(prompt="Today?"),
            due_at=AT + timedelta(minutes=15, microseconds=1),
            due_kind=DueKind.IDLE,
            handled_at=AT,
            failures=2,
            offered_back=True,
        )

        snapshot = await opened(store, ada, instances=[instance], transitions=[started(instance)])

        assert snapshot.holder == instance.evolve(rev=1)
        assert await store.instance("i1") == instance.evolve(rev=1)
        assert await store.instances("s1") == [instance.evolve(rev=1)]
        assert await store.transitions(["i1"]) == [started(instance)]

    async def test_an_instance_that_moved_meanwhile_moves_the_turn(self, store: Store) -> None:
        ada = await someone(store)
        first = await opened(store, ada, instances=[running(fresh(ada))])
        instance = first.instances[0]
        second = await opened(store, ada, "s2")
        await store.commit([turn_on(first, "t1", instances=[instance.evolve(step="later", holds=False)])])

        results = await store.commit(
            [
                turn_on(second, "t2", instances=[instance.evolve(session_id="s2")]),
                turn_on(await loaded(store, ada), "t3"),
            ]
        )

        assert results[0] == Moved(revision=1)
        assert isinstance(results[1], Committed)
        kept = await store.instance("i1")
        assert kept is not None
        assert (kept.step, kept.rev, kept.session_id) == ("later", 2, "s1")

    async def test_a_session_has_one_holder(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada, instances=[running(fresh(ada))])

        results = await store.commit(
            [
                turn_on(snapshot, "t1", instances=[running(snapshot, "i2")]),
                turn_on(fresh(ada, "s2"), "t2"),
            ]
        )

        assert results[0] == Moved(revision=1)
        assert isinstance(results[1], Committed)
        assert await store.instance("i2") is None
        assert await store.turn(ada.id, "t1") is None

    async def test_a_session_has_one_offer(self, store: Store) -> None:
        ada = await someone(store)
        offers = [running(fresh(ada), f"i{n}", state=State.OFFERED, holds=False) for n in range(2)]

        assert await store.commit([turn_on(fresh(ada), "t1", instances=offers)]) == [Moved(revision=None)]

    async def test_a_person_has_one_suspended_instance_per_process_and_slot(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")
        asleep: dict[str, Any] = {"state": State.SUSPENDED, "holds": False}
        await opened(store, ada, "s1", instances=[running(fresh(ada), **asleep)])
        await opened(store, ada, "s2", instances=[running(fresh(ada, "s2"), "i2", slot="b", **asleep)])
        await opened(store, bob, "s3", instances=[running(fresh(bob, "s3"), "i3", **asleep)])

        clash = turn_on(fresh(ada, "s4"), "t4", instances=[running(fresh(ada, "s4"), "i4", **asleep)])

        assert await store.commit([clash]) == [Moved(revision=None)]
        assert {i.id for i in await store.suspended(ada.id)} == {"i1", "i2"}

    async def test_one_turn_may_pass_hold_and_slot_from_instance_to_instance(self, store: Store) -> None:
        ada = await someone(store)
        both = [running(fresh(ada), "i1"), running(fresh(ada), "i2", state=State.SUSPENDED, holds=False)]
        snapshot = await opened(store, ada, instances=both)
        one, two = sorted(snapshot.instances + tuple(await store.suspended(ada.id)), key=lambda i: i.id)

        for n, (active, asleep) in enumerate([(two, one), (one, two)]):
            snapshot = await loaded(store, ada)
            swapped = [
                asleep.evolve(state=State.SUSPENDED, holds=False, rev=n + 1),
                active.evolve(state=State.ACTIVE, holds=True, rev=n + 1),
            ]
            [result] = await store.commit([turn_on(snapshot, f"t{n}", instances=swapped)])
            assert isinstance(result, Committed)
            assert (await loaded(store, ada)).holder == active.evolve(
                state=State.ACTIVE, holds=True, rev=n + 2
            )

    async def test_a_resumed_instance_leaves_its_old_session(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(
            store, ada, instances=[running(fresh(ada), state=State.SUSPENDED, holds=False)]
        )
        [asleep] = await store.suspended(ada.id)
        assert snapshot.instances == ()
        other = await opened(store, ada, "s2")

        await store.commit(
            [turn_on(other, "t", instances=[asleep.evolve(session_id="s2", state=State.ACTIVE, holds=True)])]
        )

        assert (await loaded(store, ada)).instances == ()
        assert [i.id for i in (await loaded(store, ada, "s2")).instances] == ["i1"]
        assert [i.id for i in await store.elsewhere(ada.id, "s1")] == ["i1"]
        assert await store.elsewhere(ada.id, "s2") == []

    async def test_an_instance_is_due_strictly_after_its_time(self, store: Store) -> None:
        ada = await someone(store)
        step = timedelta(microseconds=1)
        for n, due_at in enumerate([AT + step, AT, None]):
            snapshot = fresh(ada, f"s{n}")
            await opened(
                store,
                ada,
                f"s{n}",
                instances=[running(snapshot, f"i{n}", due_at=due_at, due_kind=DueKind.IDLE)],
            )

        assert await store.due(AT, 10) == []
        assert await store.due(AT + step, 10) == [Due(instance_id="i1", session_id="s1", person_id=ada.id)]
        assert [due.instance_id for due in await store.due(AT + 2 * step, 10)] == ["i1", "i0"]
        assert [due.instance_id for due in await store.due(AT + 2 * step, 1)] == ["i1"]

    async def test_instances_of_a_process_are_those_that_have_not_ended(self, store: Store) -> None:
        ada = await someone(store)
        for n, state in enumerate([State.ACTIVE, State.SUSPENDED, State.COMPLETED, State.OFFERED]):
            snapshot = fresh(ada, f"s{n}")
            moved = AT + timedelta(minutes=n)
            instance = running(snapshot, f"i{n}", state=state, holds=state is State.ACTIVE, moved_at=moved)
            await opened(store, ada, f"s{n}", instances=[instance])

        assert [i.id for i in await store.instances_of("standup")] == ["i0", "i1", "i3"]
        assert await store.instances_of("onboarding") == []
        assert [i.id for i in await store.past(ada.id, "standup")] == ["i3", "i2", "i1", "i0"]

    async def test_the_last_moved_suspended_instance_comes_first(self, store: Store) -> None:
        ada = await someone(store)
        for n, minutes in enumerate([1, 3, 2]):
            snapshot = fresh(ada, f"s{n}")
            instance = running(
                snapshot,
                f"i{n}",
                state=State.SUSPENDED,
                holds=False,
                slot=str(n),
                moved_at=AT + timedelta(minutes=minutes),
            )
            await opened(store, ada, f"s{n}", instances=[instance])

        assert [i.id for i in await store.suspended(ada.id)] == ["i1", "i2", "i0"]


class Standup(BaseModel):
    """Something a process keeps."""

    today: list[str]


def refuse(tx: EffectTransaction, effect: Effect) -> str | None:
    """Refuses what says so, even in ways that plugins should not."""
    how: Any = effect.payload.get("raise")
    if how == "error":
        raise ValueError("the list is full")
    if how == "exit":
        raise SystemExit(3)
    return f"{tx.session_id}/{tx.seq}/{effect.payload.get('name')}"


class EffectContract:
    """Effects are part of their turn: exactly once, or not at all."""

    async def test_a_record_is_kept_under_its_key_and_the_newest_wins(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(
            store,
            ada,
            effects=[Record("standup", Standup(today=["a"]), "monday"), Record("mood", {"v": "ü"})],
        )
        await store.commit([turn_on(snapshot, "t", effects=[Record("standup", {"today": ["b"]}, "monday")])])

        kept = await store.get(ada.id, "standup", "monday")
        assert kept is not None
        assert (kept.data, kept.session_id, kept.seq) == ({"today": ["b"]}, "s1", 3)
        [mood] = await store.list(ada.id, "mood")
        assert (mood.key, mood.data) == ("s1:1:2", {"v": "ü"})
        assert await store.get("someone-else", "standup", "monday") is None

    async def test_a_record_is_deleted_with_its_turn_and_only_that_one(self, store: Store) -> None:
        ada, bob = await someone(store), await someone(store, "bob")
        three = [Record("standup", {"is": key}, key) for key in ("a", "b", "c")]
        snapshot = await opened(store, ada, effects=[*three, Record("mood", {}, "a")])
        await opened(store, bob, "s2", effects=three)

        forgetting = turn_on(
            snapshot, "t", effects=[Forget("standup", "a"), Forget("standup", "never there")]
        )
        [done] = await store.commit([forgetting])
        [again] = await store.commit([forgetting])

        assert (type(done).__name__, type(again).__name__) == ("Committed", "Seen")
        assert [record.key for record in await store.list(ada.id, "standup")] == ["b", "c"]
        assert await store.get(ada.id, "mood", "a") is not None
        assert len(await store.list(bob.id, "standup")) == 3

    async def test_of_what_one_turn_keeps_and_deletes_the_last_counts(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada, effects=[Record("r", {"n": 1}, "a"), Record("r", {"n": 1}, "b")])

        await store.commit(
            [
                turn_on(
                    snapshot,
                    "t",
                    effects=[
                        Forget("r", "a"),
                        Record("r", {"n": 2}, "a"),
                        Record("r", {"n": 2}, "b"),
                        Forget("r", "b"),
                    ],
                )
            ]
        )

        assert [(record.key, record.data) for record in await store.list(ada.id, "r")] == [("a", {"n": 2})]

    async def test_a_refused_turn_deletes_nothing(self, make_store: MakeStore) -> None:
        store = await make_store(effect_handlers={"project": refuse})
        ada = await someone(store)
        snapshot = await opened(store, ada, effects=[Record("r", {}, "a")])
        full = Effect(kind="project", summary="", payload={"name": "x", "raise": "error"})

        [result] = await store.commit([turn_on(snapshot, "t", effects=[Forget("r", "a"), full])])

        assert isinstance(result, Refused)
        assert await store.get(ada.id, "r", "a") is not None

    async def test_records_of_a_kind_are_listed_oldest_first(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        for key in ("c", "a", "b"):
            await store.commit([turn_on(snapshot, key, effects=[Record("standup", {"is": key}, key)])])
            snapshot = await loaded(store, ada)

        assert [record.key for record in await store.list(ada.id, "standup")] == ["c", "a", "b"]

    async def test_a_handlers_reference_is_sealed_into_the_reply(self, make_store: MakeStore) -> None:
        store = await make_store(effect_handlers={"project": refuse})
        ada = await someone(store)
        project = Effect(kind="project", summary="Project created", payload={"name": "atlas"})
        note = Effect(kind="note", summary="Note saved")

        results = await store.commit(
            [
                turn_on(
                    fresh(ada),
                    "t1",
                    effects=[note, project, Record("x", {})],
                    seal=lambda refs: f'{{"companion_message": "{refs}"}}',
                )
            ]
        )

        reply = '{"companion_message": "[None, \'s1/1/atlas\', None]"}'
        assert results == [Committed(seq=1, rev=1, reply=reply)]
        kept = await store.turn(ada.id, "t1")
        assert kept is not None
        assert kept.reply == reply

    async def test_a_refused_effect_refuses_its_turn_and_no_other(self, make_store: MakeStore) -> None:
        store = await make_store(effect_handlers={"project": refuse})
        ada = await someone(store)

        def creates(how: str) -> list[Effect | Record]:
            payload = {"name": how, "raise": how}
            return [Record("r", {}, how), Effect(kind="project", summary="", payload=payload)]

        results = await store.commit(
            [
                turn_on(fresh(ada, f"s-{how}"), f"t-{how}", effects=creates(how))
                for how in ("one", "error", "exit", "two")
            ]
        )

        assert [type(result).__name__ for result in results] == [
            "Committed",
            "Refused",
            "Refused",
            "Committed",
        ]
        assert results[1] == Refused(kind="project", reason="the list is full")
        assert [record.key for record in await store.list(ada.id, "r")] == ["one", "two"]
        assert (await store.load(ada, "s-error")).snapshot is None

    async def test_data_that_is_no_json_refuses_its_turn(self, store: Store) -> None:
        ada = await someone(store)

        [result] = await store.commit([turn_on(fresh(ada), "t", effects=[Record("r", {"x": object()})])])

        assert isinstance(result, Refused)
        assert await store.turn(ada.id, "t") is None

    async def test_text_no_database_can_keep_refuses_its_turn_and_no_other(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        half = turn_on(fresh(ada, "s2"), "half", decision='"\ud800"')

        results = await store.commit([half, turn_on(snapshot, "whole")])

        assert [type(result).__name__ for result in results] == ["Refused", "Committed"]

    async def test_an_effect_for_after_the_commit_waits_in_the_outbox(self, store: Store) -> None:
        ada = await someone(store)
        later = Effect(kind="mail", summary="Mail sent", payload={"to": "ü"}, after_commit=True)
        await opened(store, ada, effects=[Effect(kind="mail", summary="now"), later])

        [item] = await store.outbox(AT, 10)
        assert (item.key, item.kind, item.payload, item.tries, item.person_id) == (
            "s1:1:2",
            "mail",
            {"to": "ü"},
            0,
            ada.id,
        )
        await store.postpone(item, AT + timedelta(seconds=5))

        assert await store.outbox(AT + timedelta(seconds=4), 10) == []
        [again] = await store.outbox(AT + timedelta(seconds=5), 10)
        assert (again.key, again.tries) == (item.key, 1)
        await store.delivered(again)
        assert await store.outbox(AT + timedelta(days=1), 10) == []

    async def test_effects_of_the_companions_own_items_are_kept_too(self, store: Store) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)

        await store.commit([own_item(snapshot, "plan:1:done", effects=[Record("plan", {"ok": True}, "1")])])

        assert (await store.list(ada.id, "plan"))[0].seq == 3
