"""Services that begin and end with the worker."""

import asyncio
from typing import Protocol

import pytest

from softrail import Settings, build
from softrail.core.errors import DefinitionError, ServiceNotStarted
from softrail.core.execution import Host
from softrail.store import MemoryStore
from softrail.turns.services import Services, services_in

Log = list[str]


class First:
    def __init__(self, log: Log) -> None:
        self.log = log
        self.host: Host | None = None

    async def start(self, host: Host) -> None:
        self.host = host
        self.log.append(f"{type(self).__name__} starts")

    async def stop(self, grace: float) -> None:
        self.log.append(f"{type(self).__name__} stops")


class Second(First):
    pass


class Failing(First):
    async def start(self, host: Host) -> None:
        raise ConnectionError("nobody listens on port 5")


class Hanging(First):
    async def stop(self, grace: float) -> None:
        self.log.append("Hanging begins to stop")
        try:
            await asyncio.Event().wait()
        finally:
            self.log.append("Hanging is cut off")


class Breaking(First):
    async def stop(self, grace: float) -> None:
        raise RuntimeError("broken")


class Half:
    async def start(self, host: Host) -> None: ...


class Player:
    """Has a start and a stop of its own, which are no business of ours."""

    def start(self) -> None:
        raise AssertionError

    async def stop(self) -> None:
        raise AssertionError


class Other(Protocol): ...


async def test_services_start_in_order_and_stop_in_reverse() -> None:
    log: Log = []
    second = Second(log)
    services: dict[type, object] = {
        First: First(log),
        Second: second,
        Other: second,
        Player: Player(),
        str: "text",
    }

    async with build(Settings(), store=MemoryStore(), discover=False, services=services) as dispatcher:
        assert log == ["First starts", "Second starts"]
        host = second.host
        assert host is not None
        assert host.now().tzinfo is not None
        assert host.new_id() != host.new_id()
        assert await host.worker() == dispatcher.worker.id
        assert not host.stopping

    assert host.stopping
    assert log[2:] == ["Second stops", "First stops"]


async def test_a_start_that_fails_is_named_and_those_before_it_are_stopped() -> None:
    log: Log = []
    store = MemoryStore()
    dispatcher = build(
        Settings(),
        store=store,
        discover=False,
        services={First: First(log), Failing: Failing(log), Second: Second(log)},
    )

    with pytest.raises(ServiceNotStarted) as failed:
        await dispatcher.start()

    assert failed.value.message.endswith(
        "test_services_of_workers.Failing could not be started. ConnectionError: nobody listens on port 5"
    )
    assert log == ["First starts", "First stops"]
    assert await store.workers() == {}


async def test_a_stop_that_hangs_is_cut_off_and_one_that_fails_stops_nobody_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log: Log = []
    services = Services([First(log), Breaking(log), Hanging(log)])
    async with build(Settings(), store=MemoryStore(), discover=False) as dispatcher:
        await services.start(dispatcher._host)

    await services.stop(0)

    assert log[3:] == ["Hanging begins to stop", "Hanging is cut off", "First stops"]
    assert "Hanging did not stop within" in caplog.text
    assert "Breaking failed while it stopped" in caplog.text


def test_half_a_service_is_refused() -> None:
    with pytest.raises(
        DefinitionError, match=r"Half .* has `async def start\(host\)` and no `async def stop\(grace\)`"
    ):
        services_in({Half: Half()})
