"""What every store promises about effects that are delivered after their commit."""

from datetime import timedelta

from softrail.core.effects import Effect, OutboxItem
from softrail.core.ports import Store
from softrail.testing.contracts.values import AT, MakeStore, loaded, opened, own_item, someone, turn_on

LATER = AT + timedelta(seconds=15)


def mail(kind: str = "mail", **payload: str) -> Effect:
    return Effect(kind=kind, summary="Mail sent", payload=payload, after_commit=True)


async def waiting(store: Store, *effects: Effect, instance: str | None = None) -> list[OutboxItem]:
    """What waits after a turn with these effects."""
    made_by = [instance] * len(effects) if instance is not None else ()
    await opened(store, await someone(store), effects=effects, made_by=made_by)
    return list(await store.outbox(AT, 10))


async def in_hand(store: Store, *, instance: str | None = None) -> OutboxItem:
    """One effect that worker w1 has claimed."""
    await store.beat("w1", 0)
    [item] = await store.claim(await waiting(store, mail(), instance=instance), "w1")
    return item


class OutboxContract:
    """Each is in the hands of one worker at a time, is tried again, and is set aside in the end."""

    async def test_an_effect_knows_the_instance_that_made_it(self, store: Store) -> None:
        ada = await someone(store)
        both = [mail(), Effect(kind="note", summary=""), mail("other")]
        snapshot = await opened(store, ada, effects=both, made_by=["i1", "i1", None])
        await store.commit([own_item(snapshot, "plan:1:done", effects=[mail("plan")])])

        found = {item.kind: item.instance_id for item in await store.outbox(AT, 10)}
        assert found == {"mail": "i1", "other": None, "plan": None}

    async def test_what_is_for_after_the_commit_is_not_handled_in_it(self, make_store: MakeStore) -> None:
        handled = list[str]()

        def handle(tx: object, effect: Effect) -> None:
            handled.append(effect.summary)

        store = await make_store(effect_handlers={"mail": handle})
        at_once = Effect(kind="mail", summary="Stamped")

        [later] = await waiting(store, at_once, mail())

        assert (handled, later.n, later.status) == (["Stamped"], 2, "waiting")

    async def test_what_one_worker_has_in_hand_no_other_gets(self, store: Store) -> None:
        item = await in_hand(store)
        await store.beat("w2", 0)

        assert (item.claimed_by, item.tries) == ("w1", 0)
        assert await store.outbox(AT, 10) == []
        assert await store.outbox(AT, 10, worker="w2") == []
        assert await store.claim([item], "w2") == []
        [mine] = await store.outbox(AT, 10, worker="w1")
        assert (mine.key, mine.tries) == (item.key, 1)

    async def test_what_a_worker_that_is_gone_had_in_hand_is_free_and_its_try_counts(
        self, store: Store
    ) -> None:
        lost = await in_hand(store)
        await store.beat("w2", 0)
        await store.remove_worker("w1")

        [item] = await store.claim(await store.outbox(AT, 10, worker="w2"), "w2")

        assert (item.key, item.tries, item.claimed_by) == (lost.key, 1, "w2")
        assert not await store.delivered(lost)
        assert not await store.postpone(lost, LATER)
        assert not await store.put_back(lost)
        assert await store.delivered(item)

    async def test_what_was_claimed_after_it_was_read_cannot_be_claimed_from_that(self, store: Store) -> None:
        [read] = await waiting(store, mail())
        for worker in ("w1", "w2"):
            await store.beat(worker, 0)
        [item] = await store.claim([read], "w1")
        await store.postpone(item, LATER)

        assert await store.claim([read], "w2") == []

    async def test_what_is_put_back_was_never_begun(self, store: Store) -> None:
        item = await in_hand(store)

        assert await store.put_back(item)

        [again] = await store.outbox(AT, 10)
        assert (again.tries, again.claimed_by) == (0, None)

    async def test_a_failed_try_is_due_again_at_its_time_and_says_why(self, store: Store) -> None:
        item = await in_hand(store)

        assert await store.postpone(item, LATER, error="It was away.")

        assert await store.outbox(LATER - timedelta(microseconds=1), 10) == []
        [again] = await store.outbox(LATER, 10)
        assert (again.tries, again.error, again.next_at, again.claimed_by) == (1, "It was away.", LATER, None)

    async def test_kinds_are_asked_for_each_up_to_the_limit(self, store: Store) -> None:
        await waiting(store, mail(), mail(), mail(), mail("fax"), mail("pigeon"))

        found = await store.outbox(AT, 2, kinds=["fax", "mail", "none"])

        assert sorted(item.kind for item in found) == ["fax", "mail", "mail"]
        assert await store.outbox(AT, 2, kinds=[]) == []
        assert await store.kinds_due(AT) == {"mail": 3, "fax": 1, "pigeon": 1}
        assert await store.kinds_due(AT - timedelta(seconds=1)) == {}

    async def test_what_is_set_aside_is_listed_and_can_be_tried_again(self, store: Store) -> None:
        item = await in_hand(store)
        ada = await someone(store)
        await store.commit([turn_on(await loaded(store, ada), "t2", effects=[mail("fax")])])

        assert await store.set_aside(item, "It was away.")

        assert [one.kind for one in await store.outbox(LATER, 10)] == ["fax"]
        found = await store.undelivered(10)
        assert [(one.kind, one.status, one.tries, one.error) for one in found] == [
            ("mail", "failed", 1, "It was away."),
            ("fax", "waiting", 0, ""),
        ]
        assert [one.kind for one in await store.undelivered(1)] == ["mail"]
        assert [one.key for one in await store.undelivered_of("s1", 1)] == [item.key]
        for wrong in ("s1:3:1", "s1:1:9", "s1:x:1", "nothing", "s1:99999999999999999999:1", ""):
            assert not await store.try_again(wrong, at=LATER)
        assert await store.try_again(item.key, at=LATER)
        [again] = await store.outbox(LATER, 10, kinds=["mail"])
        assert (again.tries, again.status) == (0, "waiting")

    async def test_what_is_delivered_is_listed_no_more(self, store: Store) -> None:
        item = await in_hand(store)

        assert await store.delivered(item)

        assert await store.undelivered(10) == []
        assert await store.undelivered_of("s1", 1) == []
        assert not await store.try_again(item.key, at=AT)
        assert await store.unreported(LATER, 10) == []

    async def test_an_outcome_stays_to_be_reported_until_it_was(self, store: Store) -> None:
        item = await in_hand(store, instance="i1")
        await store.beat("w2", 0)
        await store.delivered(item, report=True)
        assert await store.outbox(LATER, 10) == []
        assert await store.unreported(AT, 10, worker="w2") == []
        [mine] = await store.unreported(AT, 10, worker="w1")
        assert (mine.status, mine.instance_id, mine.unreported) == ("delivered", "i1", 0)

        assert await store.reported(mine, again=LATER)

        assert await store.unreported(AT, 10, worker="w2") == []
        [again] = await store.claim(await store.unreported(LATER, 10, worker="w2"), "w2")
        assert (again.unreported, again.tries, again.claimed_by) == (1, 1, "w2")
        assert await store.reported(again)
        assert await store.unreported(LATER, 10) == []
        assert not await store.reported(again, again=LATER)

    async def test_a_failure_is_reported_too_even_by_another_worker(self, store: Store) -> None:
        item = await in_hand(store, instance="i1")
        await store.set_aside(item, "It was away.", report=True)
        await store.remove_worker("w1")

        await store.beat("w2", 0)
        [again] = await store.claim(await store.unreported(AT, 10), "w2")

        assert (again.status, again.error) == ("failed", "It was away.")
        assert await store.reported(again)
        assert [one.status for one in await store.undelivered(10)] == ["failed"]

    async def test_what_a_session_still_had_to_deliver_goes_with_it(self, store: Store) -> None:
        item = await in_hand(store)

        await store.delete_session("person-ada", "s1")

        assert not await store.delivered(item)
        assert await store.undelivered(10) == []
