"""Signals at once, twice, in the middle of a turn and from workers that are gone: each once, in order."""

import asyncio
from pathlib import Path

from pydantic import BaseModel

from softrail import Ask, Done, Process, Record, Release, Signal, Turn, Wait, step
from softrail.core.outcomes import Outcome
from softrail.core.turns import Reply
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import Gate, file_url, person_of, say, worker


class News(BaseModel):
    keys: list[str] = []


class Listening(Process, name="listening"):
    """Keeps the keys of what it hears, in the order it heard them."""

    starts_on = ("listen please",)

    @step(goes_to=("heard",))
    async def begin(self, said: Turn, data: News) -> Wait:
        return Wait(say="Listening.", step="heard")

    @step(on="news", goes_to=("answered",))
    async def heard(self, said: Turn, data: News, gate: Gate) -> Outcome:
        assert said.signal is not None
        if said.signal.data.get("slow"):
            await gate.wait()
        if said.signal.data.get("asks"):
            return Ask("Shall I go on?", step="answered")
        keys = [*data.keys, said.signal.key]
        return Release(data=News(keys=keys), effects=[Record("news", {"key": said.signal.key})])

    @step()
    async def answered(self, said: Turn, data: News) -> Outcome:
        return Done(f"Heard {len(data.keys)}.")


class Typing(Process, name="typing"):
    """Holds the session and takes long."""

    starts_on = ("type please",)

    @step(asks="What?", takes_anything=True)
    async def typed(self, said: Turn, data: News, gate: Gate) -> Outcome:
        await gate.wait()
        return Done(f"Typed {said.message}.")


async def listening(dispatcher: Dispatcher, name: str) -> tuple[str, str]:
    """The session and the instance of one that listens."""
    reply = await say(dispatcher, await person_of(dispatcher, name), "listen please")
    assert reply.process is not None
    return reply.session_id, reply.process.instance_id


async def heard(dispatcher: Dispatcher, name: str) -> list[str]:
    kept = await dispatcher.store.list((await person_of(dispatcher, name)).id, "news")
    return [record.data["key"] for record in kept]


async def test_64_signals_at_once_over_two_workers_are_each_heard_once(url: str) -> None:
    services = {Gate: Gate()}
    async with (
        worker(url, Listening, services=services) as one,
        worker(url, Listening, services=services) as two,
    ):
        _, instance = await listening(one, "many")
        signals = [Signal("news", f"n{n}") for n in range(64)]

        replies = await asyncio.gather(
            *(
                (one, two)[n % 2].signal(instance, signal)
                for n, signal in enumerate([*signals, *signals[:16]])
            )
        )

        assert replies[64:] == replies[:16]
        assert sorted(await heard(one, "many")) == sorted(s.key for s in signals)
        kept = await one.store.instance(instance)
        assert kept is not None
        numbers = {s.key: Reply.model_validate_json(r).seq for s, r in zip(signals, replies, strict=False)}
        assert sorted(numbers, key=numbers.__getitem__) == await heard(one, "many")


async def test_a_signal_in_the_middle_of_a_turn_comes_after_it(tmp_path: Path) -> None:
    gate = Gate()
    async with worker(file_url(tmp_path), Listening, Typing, services={Gate: gate}) as one:
        session, instance = await listening(one, "sam")
        person = await person_of(one, "sam")
        await say(one, person, "type please", session_id=session)
        typed = asyncio.create_task(say(one, person, "a letter", session_id=session))
        await gate.entered.wait()
        told = asyncio.create_task(one.signal(instance, Signal("news", "n1", {"asks": True})))
        gate.opened.set()

        assert (await typed).companion_message == "Typed a letter."
        after = Reply.model_validate_json(await told)
        assert after.companion_message == "Shall I go on?"
        assert after.seq == (await typed).seq + 2
        assert (await say(one, person, "yes", session_id=session)).companion_message == "Heard 0."


async def test_an_escape_word_stops_turns_of_the_person_and_no_signal(tmp_path: Path) -> None:
    gate = Gate()
    async with worker(
        file_url(tmp_path), Listening, services={Gate: gate}, changed={"step_limit": 30, "accept_after": 0.0}
    ) as one:
        session, instance = await listening(one, "sam")
        told = asyncio.create_task(one.signal(instance, Signal("news", "n1", {"slow": True})))
        await gate.entered.wait()
        stop = asyncio.create_task(say(one, await person_of(one, "sam"), "stop", session_id=session))
        await asyncio.wait({stop}, timeout=0.3)
        gate.opened.set()
        await stop
        await told

        assert await heard(one, "sam") == ["n1"]


async def test_a_signal_that_a_worker_took_before_it_died_is_run_by_another_one(tmp_path: Path) -> None:
    services = {Gate: Gate()}
    url = file_url(tmp_path)
    brisk = {"accept_after": 0.0, "dead_after": 0.3, "beat_interval": 0.05}
    async with worker(url, Listening, services=services) as one:
        _, instance = await listening(one, "sam")
    gate = Gate()
    async with worker(url, Listening, services={Gate: gate}, changed=brisk | {"step_limit": 30}) as dying:
        doomed = asyncio.create_task(dying.signal(instance, Signal("news", "n1", {"slow": True})))
        await gate.entered.wait()
        await dying.worker.stop()  # no beat comes any more, as if it had been killed
        opened = Gate()
        opened.opened.set()
        async with worker(url, Listening, services={Gate: opened}, changed=brisk) as two:
            async with asyncio.timeout(20):
                while not await heard(two, "sam"):
                    await two.sweep()
                    await asyncio.sleep(0.05)
            assert await heard(two, "sam") == ["n1"]
            again = Reply.model_validate_json(
                await two.signal(instance, Signal("news", "n1", {"slow": True}))
            )
            assert again.companion_message == ""
            gate.opened.set()
            await asyncio.wait({doomed}, timeout=5)
            assert await heard(two, "sam") == ["n1"]
        doomed.cancel()
