"""The circuit, on a clock that stands still until it is moved."""

from collections.abc import AsyncIterator

import pytest

from softrail.core.errors import ModelUnavailable, ModelUnreachable
from softrail.core.ports import Message, ModelAnswer, ModelRequest
from softrail.models.circuit import FAILURES, PAUSE, Circuit

REQUEST = ModelRequest(purpose="respond", system="", messages=[Message(role="user", content="hello")])
AWAY = ModelUnreachable("away")
UNUSABLE = ModelUnavailable("it declined")


class Provider:
    """Does what it is told to; counts how often it was asked."""

    name = "provider"

    def __init__(self) -> None:
        self.asked = 0
        self.error: BaseException | None = None

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        self.asked += 1
        if self.error is not None:
            raise self.error
        return ModelAnswer(text="Here.", model=self.name)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        answer = await self.answer(request)
        yield answer.text
        yield answer


class Clock:
    """Seconds that pass only when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def circuit(provider: Provider, clock: Clock) -> Circuit:
    return Circuit(provider, clock=clock)


async def fails(circuit: Circuit, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(ModelUnreachable):
            await circuit.answer(REQUEST)


async def test_three_failures_in_a_row_open_it_and_nobody_is_asked_any_more(
    circuit: Circuit, provider: Provider
) -> None:
    provider.error = AWAY
    await fails(circuit, FAILURES)
    assert circuit.is_open

    await fails(circuit, 20)
    with pytest.raises(ModelUnreachable):
        [piece async for piece in circuit.stream(REQUEST)]

    assert provider.asked == FAILURES


async def test_failures_with_an_answer_between_them_open_nothing(
    circuit: Circuit, provider: Provider
) -> None:
    for _ in range(5):
        provider.error = AWAY
        await fails(circuit, FAILURES - 1)
        provider.error = None
        await circuit.answer(REQUEST)

    assert not circuit.is_open


async def test_an_answer_that_cannot_be_used_shows_that_the_provider_is_there(
    circuit: Circuit, provider: Provider
) -> None:
    provider.error = AWAY
    await fails(circuit, FAILURES - 1)
    provider.error = UNUSABLE
    with pytest.raises(ModelUnavailable):
        await circuit.answer(REQUEST)
    provider.error = AWAY
    await fails(circuit, FAILURES - 1)

    assert not circuit.is_open


async def test_after_the_pause_one_call_tries_and_its_answer_closes_it(
    circuit: Circuit, provider: Provider, clock: Clock
) -> None:
    provider.error = AWAY
    await fails(circuit, FAILURES)
    provider.error = None

    clock.now += PAUSE - 0.001
    await fails(circuit)
    clock.now += 0.001
    assert (await circuit.answer(REQUEST)).text == "Here."

    assert not circuit.is_open
    assert provider.asked == FAILURES + 1


async def test_a_provider_that_is_still_away_opens_it_again_at_the_first_try(
    circuit: Circuit, provider: Provider, clock: Clock
) -> None:
    provider.error = AWAY
    await fails(circuit, FAILURES)
    for n in range(1, 4):
        clock.now += PAUSE
        await fails(circuit, 10)
        assert provider.asked == FAILURES + n


async def test_while_one_call_tries_no_other_does(circuit: Circuit, provider: Provider, clock: Clock) -> None:
    provider.error = AWAY
    await fails(circuit, FAILURES)
    provider.error = None
    clock.now += PAUSE

    trying = circuit.stream(REQUEST)
    assert await anext(trying) == "Here."
    await fails(circuit)
    assert [piece async for piece in trying] == [ModelAnswer(text="Here.", model="provider")]

    assert (await circuit.answer(REQUEST)).text == "Here."


async def test_a_try_that_is_cut_off_says_nothing_and_the_next_call_tries(
    circuit: Circuit, provider: Provider, clock: Clock
) -> None:
    provider.error = AWAY
    await fails(circuit, FAILURES)
    clock.now += PAUSE
    provider.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        await circuit.answer(REQUEST)
    assert not circuit.is_open

    provider.error = AWAY
    await fails(circuit)
    assert circuit.is_open


async def test_calls_that_began_before_it_opened_do_not_keep_it_open(
    circuit: Circuit, provider: Provider, clock: Clock
) -> None:
    slow = Provider()
    slow.error = AWAY
    watched = circuit._watched()  # a call under way
    watched.__enter__()
    provider.error = AWAY
    await fails(circuit, FAILURES)

    clock.now += PAUSE - 1
    assert watched.__exit__(ModelUnreachable, AWAY, None) in (False, None)
    clock.now += 1

    provider.error = None
    assert (await circuit.answer(REQUEST)).text == "Here."


async def test_calls_that_never_left_the_process_open_nothing(circuit: Circuit, provider: Provider) -> None:
    provider.error = ModelUnreachable("The library is still being loaded.", asked=False)
    await fails(circuit, 2 * FAILURES)

    assert not circuit.is_open
    assert circuit.standing == "unasked", "nobody knows yet how the provider is"


async def test_a_try_that_never_left_the_process_leaves_the_next_call_to_try(
    circuit: Circuit, provider: Provider, clock: Clock
) -> None:
    provider.error = AWAY
    await fails(circuit, FAILURES)
    clock.now = PAUSE
    provider.error = ModelUnreachable("The library is still being loaded.", asked=False)
    await fails(circuit)

    provider.error = None
    assert (await circuit.answer(REQUEST)).text == "Here."
    assert not circuit.is_open
