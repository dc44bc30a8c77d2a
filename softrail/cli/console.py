"""The two ends of a terminal chat: a person at a keyboard, or lines through a pipe."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from threading import Thread
from typing import Any, Final, Protocol, TextIO

from softrail.cli.plan_status import PlanStatus
from softrail.cli.terminal import legible
from softrail.core.turns import Reply

Stop = Callable[[], Coroutine[Any, Any, None]]
PLAIN: Final = (
    "prompt_toolkit is not installed, so lines are read as they come: without a line that stays open, a status line, "
    "history and completion. `pip install prompt-toolkit` brings them."
)


class Leave(Exception):
    """The person left."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """An empty line, typed below a plan that waits for its approval."""

    question: str  #: the id of that question: to no other one is anything said


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Ctrl+C was pressed, for the first time in a row."""


class Console(Protocol):
    """Where messages come from and replies go."""

    @property
    def status_shown(self) -> bool:
        """There is a line that shows how the plan stands."""
        ...

    def open(self) -> AbstractAsyncContextManager[None]:
        """For as long as the talk lasts."""
        ...

    def welcome(self) -> None: ...
    async def read(self) -> str | Agreed | Interrupted:
        """The next message. Raises Leave."""
        ...

    async def working(self, reply: Awaitable[str], stop: Stop) -> str:
        """Wait for the reply; `stop` interrupts the turn."""
        ...

    def said(self, message: str) -> None:
        """Words of a reply that is still being made."""
        ...

    def show(self, reply: Reply, raw: str, *, heard: Sequence[str] = ()) -> None:
        """The reply, but for the messages that were `heard` before it."""
        ...

    def asked(self, approval: str | None) -> None:
        """The id of the question about a plan that was shown last and waits for a yes; None: there is none."""
        ...

    def standing(self, status: PlanStatus) -> None:
        """How the plan stands from now on."""
        ...

    def tell(self, message: str) -> None: ...
    def trouble(self, message: str) -> None: ...


def console_for(
    source: TextIO,
    target: TextIO,
    *,
    as_json: bool,
    escapes: Callable[[str], bool] = lambda message: False,
    words: Sequence[str] = (),
    said: Sequence[str] = (),
) -> Console:
    """A keyboard's console when both ends are a terminal that can move its cursor, else lines.

    Args:
        source: Where messages come from.
        target: Where replies go.
        as_json: A program reads the replies.
        escapes: Whether a message is to stop the turn that runs.
        words: Slash words, to complete.
        said: What was said in the session before, to come back to.
    """
    lines = Lines(source, target, as_json=as_json)
    if as_json or not (source.isatty() and target.isatty()) or os.environ.get("TERM") in ("dumb", "unknown"):
        return lines
    try:
        from softrail.cli.keyboard import Keyboard
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "prompt_toolkit":
            raise
        lines.tell(PLAIN)
        return lines
    return Keyboard(escapes=escapes, words=words, said=said)


class Lines:
    """One message a line in, replies as plain lines out."""

    status_shown = False

    def __init__(self, source: TextIO, target: TextIO, *, as_json: bool = False) -> None:
        self._source = source
        self._target = target
        self._as_json = as_json

    def open(self) -> AbstractAsyncContextManager[None]:
        """Nothing is to be prepared."""
        return nullcontext()

    def welcome(self) -> None:
        """Say nothing: a program may be listening."""

    async def read(self) -> str | Agreed | Interrupted:
        """The next line."""
        found: Future[str] = Future()
        # Not a thread of the loop's: leaving would wait for it, and so for a line that may never come.
        Thread(target=self._read_into, args=(found,), name="softrail-lines", daemon=True).start()
        line = await asyncio.wrap_future(found)
        if not line:
            raise Leave
        return line.rstrip("\r\n")

    def _read_into(self, found: Future[str]) -> None:
        if not found.set_running_or_notify_cancel():
            return
        try:
            found.set_result(self._source.readline())
        except BaseException as error:  # whoever waits for the line is told
            found.set_exception(error)

    async def working(self, reply: Awaitable[str], stop: Stop) -> str:
        """The reply."""
        return await reply

    def said(self, message: str) -> None:
        """The words; a program gets them with the reply."""
        if not self._as_json:
            self._write(legible(message))

    def show(self, reply: Reply, raw: str, *, heard: Sequence[str] = ()) -> None:
        """The words, then what may be said next."""
        if self._as_json:
            self._write(raw)
            return
        if words := not_heard(reply, heard):
            self._write(legible(words))
        if reply.suggested_actions:
            self._write(suggestions(reply))

    def asked(self, approval: str | None) -> None:
        """An empty line says nothing here: files have many."""

    def standing(self, status: PlanStatus) -> None:
        """Nothing is shown that would have to be taken back."""

    def tell(self, message: str) -> None:
        """What was done on this machine, or said of its own accord; a program reads that in the history."""
        if not self._as_json:
            self._write(legible(message))

    def trouble(self, message: str) -> None:
        """What went wrong."""
        self._write(legible(f"! {message}"))

    def _write(self, text: str) -> None:
        self._target.write(text + "\n")
        self._target.flush()


def not_heard(reply: Reply, heard: Sequence[str]) -> str:
    """What of a reply's words is new; all of them where another attempt said something else before."""
    messages = reply.messages or []
    if heard and messages[: len(heard)] == list(heard):
        return "\n\n".join(messages[len(heard) :])
    return reply.companion_message


def suggestions(reply: Reply) -> str:
    """What may be said next, on one line."""
    return legible("  ".join(f"[{action}]" for action in reply.suggested_actions))
