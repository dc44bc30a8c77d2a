"""How a run goes on, transaction by transaction: what was cut off, what changed, what comes too late."""

import threading
from typing import Any

import pytest
from sqlalchemy import update

from softrail import Actions, Attempt, Signal, action
from softrail.core.execution import Claim
from softrail.plans.advancing import Advanced, Ended, advance
from softrail.plans.tables import runs, steps
from softrail.plans.values import Made
from softrail.testing.contracts.counting import until
from tests.integration.plan_server import Nobody, Planned, plan, planned, sum_of

DONE = Ended(made=Made(value="done", unit="", type="text"))


@action
def once(name: str) -> str:
    """Do something that must not be done twice."""
    return name


@action
def by_key(name: str, attempt: Attempt) -> str:
    """Do something once for each key."""
    return attempt.key


def one(id: str, name: str, *needs: str) -> dict[str, Any]:
    return {"id": id, "action": name, "arguments": {"name": id}, "needs": list(needs)}


class Run:
    """A run that the test drives by hand."""

    def __init__(self, ada: Planned, claim: Claim) -> None:
        self._ada = ada
        self.claim = claim
        self.actions = ada.dispatcher.registry.service(Actions)

    async def advanced(self, *ended: str, under_way: tuple[str, ...] = (), free: int = 4) -> Advanced | None:
        known = dict.fromkeys(ended, DONE)
        return await self._ada.store.write(
            lambda conn: advance(conn, self.claim, self.actions, known, under_way=under_way, free=free)
        )


async def begun(ada: Planned, *written: dict[str, Any] | str) -> Run:
    """A plan that was agreed to, and its run, claimed by the test."""
    await ada.say(plan(*written))
    await ada.say("yes")
    run = (await ada.standing()).run
    assert run is not None
    claim = await ada.store.claim_run("plan", run.id, await ada.dispatcher.worker.ready())
    assert claim is not None
    return Run(ada, claim)


def titles(found: Advanced | None) -> list[str]:
    assert found is not None
    return [begin.step.id for begin in found.begin]


async def test_steps_whose_needs_are_there_begin_together_as_many_as_are_free() -> None:
    async with planned(engine=Nobody()) as ada:
        first = {"id": "a", "action": "hold", "arguments": {"name": "a"}}
        others = [{"id": n, "action": "hold", "arguments": {"name": n}, "needs": []} for n in "bcd"]
        run = await begun(ada, first, *others)

        assert titles(await run.advanced(free=2)) == ["a", "b"]
        assert titles(await run.advanced("a", under_way=("b",), free=1)) == ["c"]
        assert titles(await run.advanced("b", "c", free=2)) == ["d"]
        last = await run.advanced("d")
        assert last is not None
        assert (last.state, last.done, last.total) == ("done", 4, 4)


async def test_what_was_cut_off_is_begun_again_where_that_does_no_harm() -> None:
    async with planned(engine=Nobody(), actions=[once, by_key]) as ada:
        run = await begun(ada, one("a", "by_key"), one("b", "once", "a"))

        for tries in (1, 2):
            again = await run.advanced()
            assert again is not None
            assert [(begin.step.id, begin.tries) for begin in again.begin] == [("a", tries)]
        assert titles(await run.advanced("a")) == ["b"]
        cut = await run.advanced()
        assert cut is not None
        assert cut.state == "failed"
        standing = await ada.standing()
        assert standing.run is not None
        assert standing.run.failed is not None
        assert standing.run.failed.error is not None
        assert standing.run.failed.error.startswith("It was cut off in the middle")


async def test_a_step_that_ends_its_worker_each_time_is_set_aside_after_five_tries() -> None:
    async with planned(engine=Nobody()) as ada:
        run = await begun(ada, "a", "b")
        for _ in range(5):
            assert titles(await run.advanced()) == ["a"]
        last = await run.advanced()
        assert last is not None
        assert last.state == "failed"


async def test_an_action_that_has_changed_since_the_yes_is_not_run() -> None:
    async with planned(engine=Nobody()) as ada:
        run = await begun(ada, "a")
        await ada.store.write(lambda conn: conn.execute(update(steps).values(form="as it was")))
        found = await run.advanced()
        assert found is not None
        assert (found.state, found.begin) == ("failed", [])


@pytest.mark.parametrize("when", ["before", "during", "after"])
async def test_a_cancel_before_during_and_after_a_step(when: str) -> None:
    async with planned(engine=Nobody()) as ada:
        run = await begun(ada, "a", "b")
        if when != "before":
            assert titles(await run.advanced()) == ["a"]
        if when == "after":
            assert titles(await run.advanced("a")) == ["b"]

        await ada.say("stop")
        late = await run.advanced("a" if when == "during" else "b")

        assert late is not None
        assert (late.state, late.begin) == ("cancelled", [])
        assert list((await ada.standing()).facts) == (["a"] if when == "after" else [])
        wanted = "done" if when == "after" else "cancelled"
        assert await ada.states() == {"a": wanted, "b": "cancelled"}


async def test_who_has_lost_the_run_writes_nothing() -> None:
    async with planned(engine=Nobody()) as ada:
        run = await begun(ada, "a")
        await run.advanced()
        await ada.store.hand_on_run(run.claim)
        other = await ada.store.claim_run("plan", run.claim.run_id, await ada.dispatcher.worker.ready())
        assert other is not None

        assert await run.advanced("a") is None
        assert (await ada.standing()).facts == {}


async def test_a_run_that_was_over_before_the_stop_is_told_once_all_the_same() -> None:
    async with planned(engine=Nobody()) as ada:
        run = await begun(ada, sum_of("price", "2 + 2"))
        await ada.store.write(lambda conn: conn.execute(update(runs).values(state="done")))

        await ada.say("stop")
        signal = Signal("plan_done", key=f"plan:{run.claim.run_id}:done", data={"run_id": run.claim.run_id})
        [instance] = await ada.store.instances(ada.here)
        for _ in range(2):
            await ada.dispatcher.signal(instance.id, signal)

        told = [item.content for item in await ada.items() if "had just come to its end" in item.content]
        assert len(told) == 1
        assert await ada.phase() == "idle"


async def test_the_late_result_of_a_step_that_cannot_be_cut_off_is_dropped() -> None:
    began, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    @action(repeatable=True)
    def stubborn() -> str:
        """Go on whatever happens."""
        began.set()
        go_on.wait(30)
        ended.set()
        return "too late"

    async with planned(actions=[stubborn]) as ada:
        await ada.say(plan({"id": "a", "action": "stubborn"}))
        await ada.say("yes")

        async def there() -> bool:
            return began.is_set()

        await until(there, 30)
        await ada.say("stop")
        await ada.dispatcher.engine.settled()  # type: ignore[union-attr] # the embedded one
        go_on.set()

        async def over() -> bool:
            return ended.is_set()

        await until(over, 30)
        assert (await ada.standing()).facts == {}
        assert await ada.states() == {"a": "cancelled"}


async def test_what_was_read_of_data_that_is_another_one_by_now_is_no_fact() -> None:
    async with planned(engine=Nobody()) as ada:
        run = await begun(ada, "a")
        await run.advanced()
        used = {"name": "sales.csv", "sha256": "of the one before"}
        made = Made(value="1", unit="", type="number", evidence={"sources": [used]})
        late = await ada.store.write(
            lambda conn: advance(conn, run.claim, run.actions, {"a": Ended(made=made)}, under_way=(), free=4)
        )
        standing = await ada.standing()
    assert late is not None
    assert (late.state, standing.facts) == ("failed", {})
    assert standing.run is not None
    assert standing.run.failed is not None
    assert "attached again" in (standing.run.failed.error or "")
