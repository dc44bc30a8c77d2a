"""Runs code of plugins so that nothing it does reaches anyone else: not its errors, not its delays."""

import asyncio
import contextvars
import dis
import inspect
import threading
import types
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any, Literal, TypeVar, cast

from softrail.core.clock import ticks
from softrail.core.decisions import Took
from softrail.core.errors import StepFailed
from softrail.core.holding import Holding, nothing_on_its_way, taken
from softrail.core.within import Within

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Raised:
    error: BaseException


#: Every `await`, `async with` and `async for` is one of these.
_WAITING = frozenset({"GET_AWAITABLE", "GET_AITER"})

#: What a function gives that has not run yet, besides what can be awaited.
_GENERATORS = (types.GeneratorType, types.AsyncGeneratorType)

#: Tasks that were cancelled and have not ended: the loop itself keeps only weak references.
_left_behind: set[asyncio.Task[Any]] = set()


_taking: ContextVar[list[Took] | None] = ContextVar("softrail_took", default=None)


def timing(into: list[Took]) -> Within[list[Took] | None]:
    """Within the block, it is noted how long each `call` took."""
    return Within(_taking, into)


async def call(
    where: str,
    function: Callable[..., Any],
    *args: Any,
    limit: timedelta,
    services: Mapping[str, object] | None = None,
    **named: Any,
) -> Any:
    """What `function` returns, run at most `limit` long; raises StepFailed for whatever else it does.

    `services` are further arguments, by name; how long all of it took is noted with them.
    """
    given, began, failed = services or {}, ticks(), "cancelled"
    try:
        result = await _limited(where, function, args, {**named, **given}, limit)
        failed = ""
        return result
    except StepFailed as error:
        failed = error.kind.replace("_", " ")
        raise
    finally:
        taking = _taking.get()
        if taking is not None:
            names = [type(one).__name__ for one in given.values() if one is not None]
            taken = round((ticks() - began) * 1000, 1)
            taking.append(Took(what=where, milliseconds=taken, services=names, failed=failed))


async def _limited(
    where: str, function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any], limit: timedelta
) -> Any:
    """The call itself.

    A coroutine function runs in a task of its own and is cancelled at the limit; one without an `await` runs at once,
    for nothing could end it anyway. Any other runs in a thread of its own; at the limit it is left behind, and its
    late result is dropped. A cancellation from outside passes through.
    """
    holding = Holding(where)
    waiting: asyncio.Future[Any]
    kind = _kind(function)
    if kind != "plain":
        await nothing_on_its_way()
    if kind == "at once":
        return _opened(where, _at_once(function(*args, **named), holding))
    if kind == "waits":
        waiting = _in_task(function(*args, **named), holding)
    else:
        waiting = _in_thread(function, args, named)
    if not await _ended(waiting, limit, holding):
        seconds = limit.total_seconds()
        raise StepFailed(f"{where} did not end within {seconds:g} s.", kind="hung", where=where)
    return _opened(where, waiting.result())


async def awaited(where: str, work: Awaitable[T], limit: timedelta) -> T:
    """What something awaitable of a plugin comes to, in a task of its own; raises what it raises, or TimeoutError."""
    holding = Holding(where)
    task = _in_task(_awaiting(work), holding)
    if not await _ended(task, limit, holding):
        raise TimeoutError
    result = task.result()
    if isinstance(result, _Raised):
        raise result.error
    return cast(T, result)


def waits(function: Callable[..., Any]) -> bool:
    """Whether a coroutine function may wait for anything, as far as its code tells; True where there is none to see."""
    return _kind(function) != "at once"


def _kind(function: Callable[..., Any]) -> Literal["at once", "waits", "plain"]:
    """A coroutine function that waits for nothing, as its code tells; one that may wait; one that is none."""
    code = getattr(function, "__code__", None)
    if type(code) is types.CodeType and code.co_flags & inspect.CO_COROUTINE:  # a mock says that it is one
        return "waits" if _awaits(code) else "at once"
    return "waits" if inspect.iscoroutinefunction(function) else "plain"


@lru_cache(maxsize=4096)
def _awaits(code: types.CodeType) -> bool:
    return any(instruction.opname in _WAITING for instruction in dis.get_instructions(code))


def _at_once(coroutine: Coroutine[Any, Any, Any], holding: Holding) -> Any:
    """What a coroutine comes to that waits for nothing, with context variables of its own as a task has them."""
    try:
        holding.now(contextvars.copy_context().run, coroutine.send, None)
    except StopIteration as end:
        return end.value
    except BaseException as error:
        return _Raised(error)
    coroutine.close()
    return _Raised(RuntimeError("It waits for something, though there is no await in its code."))


def _in_task(coroutine: Coroutine[Any, Any, Any], holding: Holding) -> asyncio.Task[Any]:
    """A task of its own, which is kept until it ends though nobody may wait for it any more."""
    task = asyncio.create_task(_guarded(holding.steps(coroutine)))
    _left_behind.add(task)
    task.add_done_callback(_left_behind.discard)
    return task


async def _awaiting(work: Awaitable[T]) -> T:
    return await work


async def _ended(waiting: asyncio.Future[Any], limit: timedelta, holding: Holding) -> bool:
    """Whether it ended within its limit; else it is cancelled. What others held the loop for does not count."""
    clock, seconds = asyncio.get_running_loop().time, limit.total_seconds()
    began, before, left = clock(), taken(), seconds
    try:
        await asyncio.sleep(0)  # most coroutines wait for nothing: they have ended, and no clock is set
        while left > 0 and not waiting.done():
            await asyncio.wait({waiting}, timeout=left)
            left = seconds + (taken() - before - holding.seconds) - (clock() - began)
    except asyncio.CancelledError:
        waiting.cancel()
        raise
    if not waiting.done():
        waiting.cancel()
        return False
    return True


def call_now(where: str, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """What a quick plain `function` returns, run at once; raises StepFailed for whatever else it does."""
    return _opened(where, _attempt(Holding(where).now, (function, *args), named))


async def _guarded(coroutine: Awaitable[Any]) -> Any:
    # SystemExit and KeyboardInterrupt would leave a task by ending the event loop: they become values here.
    try:
        return await coroutine
    except BaseException as error:
        return _Raised(error)


def _attempt(function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    try:
        return function(*args, **named)
    except BaseException as error:
        return _Raised(error)


def _in_thread(
    function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> asyncio.Future[Any]:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Any) -> None:
        if not future.done():
            future.set_result(result)

    def work() -> None:
        result = context.run(_attempt, function, args, named)
        try:
            loop.call_soon_threadsafe(settle, result)
        except RuntimeError:
            return  # the loop has ended meanwhile: nobody waits any more

    # A pool would be used up by functions that never return, and would be waited for at exit.
    threading.Thread(target=work, name="softrail-step", daemon=True).start()
    return future


def _opened(where: str, result: Any) -> Any:
    if isinstance(result, _Raised):
        error = result.error
        if isinstance(error, StepFailed):
            raise error
        raise StepFailed(f"{where} raised {type(error).__name__}: {error!s:.300}", where=where) from error
    if isinstance(result, _GENERATORS) or hasattr(type(result), "__await__"):
        if inspect.iscoroutine(result):
            result.close()
        raise StepFailed(
            f"{where} returned a {type(result).__name__}. Declare it `async def`, or return the outcome itself.",
            kind="not_an_outcome",
            where=where,
        )
    return result
