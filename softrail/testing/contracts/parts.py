"""What every store promises about parts that one person does for another, and about erasing either of them."""

from datetime import timedelta

from softrail.core.assignments import ANSWERED, ASKED, Assigned, Part, PartRequest
from softrail.core.clock import now
from softrail.core.effects import OutboxItem
from softrail.core.instances import Instance, State
from softrail.core.people import Person
from softrail.core.ports import Store
from softrail.core.signals import Result
from softrail.testing.contracts.values import AT, fresh, loaded, opened, running, someone, turn_on

PART = Part(key="part", process="approve", to="bob@example.org", asked_by="ada", caller="i1", asked_at=AT)


async def _waiting(store: Store) -> tuple[Person, Person]:
    """Ada, whose instance `i1` in session `s1` waits for Bob, who is asked in `s2`."""
    ada, bob = await someone(store), await someone(store, "bob")
    caller = running(fresh(ada), holds=False).note(assigned=Assigned(part=PART, then="decided"))
    await opened(store, ada, instances=[caller])
    await opened(store, bob, "s2", instances=[_asked(bob)])
    return ada, bob


def _asked(person: Person, part: Part = PART, **changes: object) -> Instance:
    asked = running(fresh(person, "s2"), part.key, holds=False, state=State.OFFERED, slot=part.key)
    return asked.evolve(**changes).note(asked=part)


async def _outbox(store: Store) -> list[OutboxItem]:
    return list(await store.outbox(now() + timedelta(days=1), 10))


class PartContract:
    """Who is asked, and that whoever waits hears of an erasure."""

    async def test_a_person_is_found_by_their_address_and_none_is_made(self, store: Store) -> None:
        ada = await someone(store)

        assert await store.person_by_email(ada.email) == ada
        assert await store.person_by_email("nobody@example.org") is None
        assert await store.person_by_email("nobody@example.org") is None

    async def test_several_parts_may_be_offered_in_one_session_and_those_that_ended_are_not_listed(
        self, store: Store
    ) -> None:
        _, bob = await _waiting(store)
        more = [PART.model_copy(update={"key": f"part-{n}"}) for n in range(3)]
        states = (State.OFFERED, State.SUSPENDED, State.COMPLETED)
        made = [_asked(bob, part, state=state) for part, state in zip(more, states, strict=True)]
        snapshot = await loaded(store, bob, "s2")
        await store.commit([turn_on(snapshot, "t2", instances=made)])

        assert [i.id for i in await store.asked_of(bob.id)] == ["part", "part-0", "part-1"]
        assert await store.asked_of("person-ada") == []

    async def test_a_part_whose_person_is_erased_is_told_to_be_gone(self, store: Store) -> None:
        ada, bob = await _waiting(store)

        await store.delete_person(bob.id)

        [item] = await _outbox(store)
        news = PartRequest.model_validate(item.payload)
        assert (item.kind, item.person_id) == (ANSWERED, ada.id)
        assert news.result == Result(process="approve", left="gone")

    async def test_a_part_whose_session_is_erased_is_asked_for_anew(self, store: Store) -> None:
        _, bob = await _waiting(store)

        assert await store.delete_session(bob.id, "s2")

        [item] = await _outbox(store)
        assert (item.kind, PartRequest.model_validate(item.payload).part) == (ASKED, PART)

    async def test_what_came_of_a_part_survives_an_erasure_until_it_is_told(self, store: Store) -> None:
        _, bob = await _waiting(store)
        result = Result(process="approve", value={"yes": True})
        told = PartRequest(news="result", part=PART, result=result).effect("Told ada")
        snapshot = await loaded(store, bob, "s2")
        done = snapshot.instances[0].evolve(state=State.COMPLETED).note(outcome=result)
        await store.commit([turn_on(snapshot, "t2", instances=[done], effects=[told])])

        await store.delete_person(bob.id)

        [item] = await _outbox(store)
        assert PartRequest.model_validate(item.payload).result == result

    async def test_what_was_told_is_not_told_again_by_an_erasure(self, store: Store) -> None:
        _, bob = await _waiting(store)
        snapshot = await loaded(store, bob, "s2")
        done = snapshot.instances[0].evolve(state=State.COMPLETED).note(outcome=Result(process="approve"))
        await store.commit([turn_on(snapshot, "t2", instances=[done])])

        await store.delete_person(bob.id)

        assert await _outbox(store) == []

    async def test_where_whoever_waits_is_erased_too_nothing_is_left(self, store: Store) -> None:
        ada, bob = await _waiting(store)
        await store.delete_person(bob.id)

        await store.delete_person(ada.id)

        assert await _outbox(store) == []
