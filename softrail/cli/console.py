"""The two ends of a terminal chat: a person at a keyboard, or lines through a pipe."""

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import Any, Protocol, TextIO

from softrail.cli.terminal import legible
from softrail.core.turns import Reply

Stop = Callable[[], Coroutine[Any, Any, None]]


class Leave(Exception):
    """The person left."""


class Console(Protocol):
    """Where messages come from and replies go."""

    def welcome(self) -> None: ...
    async def read(self) -> str:
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

    def tell(self, message: str) -> None: ...
    def trouble(self, message: str) -> None: ...


def console_for(source: TextIO, target: TextIO, *, as_json: bool) -> Console:
    """A keyboard's console when both ends are a terminal, else lines."""
    if source.isatty() and target.isatty() and not as_json:
        return Keyboard()
    return Lines(source, target, as_json=as_json)


class Lines:
    """One message a line in, replies as plain lines out."""

    def __init__(self, source: TextIO, target: TextIO, *, as_json: bool = False) -> None:
        self._source = source
        self._target = target
        self._as_json = as_json

    def welcome(self) -> None:
        """Say nothing: a program may be listening."""

    async def read(self) -> str:
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
        if words := _not_heard(reply, heard):
            self._write(legible(words))
        if reply.suggested_actions:
            self._write(suggestions(reply))

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


class Keyboard:
    """A line editor with history; Ctrl+C clears or stops, twice in a row leaves."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.patch_stdout import patch_stdout

        self._above = patch_stdout
        self._session: PromptSession[str] = PromptSession()

    def welcome(self) -> None:
        """How to leave."""
        print("Just talk. /help shows what else there is, /upload FILE sends a file, /exit leaves.")

    async def read(self) -> str:
        """What was typed."""
        warned = False
        while True:
            try:
                with self._above():  # what is said meanwhile appears above the line that is typed
                    return await self._session.prompt_async("> ")
            except EOFError:
                raise Leave from None
            except KeyboardInterrupt:
                if warned:
                    raise Leave from None
                warned = True
                self.trouble("Press Ctrl+C again to leave.")

    async def working(self, reply: Awaitable[str], stop: Stop) -> str:
        """The reply; Ctrl+C meanwhile stops the turn, and the reply says so."""
        loop = asyncio.get_running_loop()
        stopping: list[asyncio.Task[None]] = []
        with contextlib.suppress(NotImplementedError):  # no such handlers on Windows
            loop.add_signal_handler(signal.SIGINT, lambda: stopping.append(loop.create_task(stop())))
        try:
            return await reply
        finally:
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(signal.SIGINT)
            if stopping:
                await asyncio.wait(stopping)

    def said(self, message: str) -> None:
        """The words."""
        print(legible(message))

    def show(self, reply: Reply, raw: str, *, heard: Sequence[str] = ()) -> None:
        """The words, then what may be said next."""
        if words := _not_heard(reply, heard):
            print(legible(words))
        if reply.suggested_actions:
            print(suggestions(reply))

    def tell(self, message: str) -> None:
        """What was done on this machine."""
        print(legible(message))

    def trouble(self, message: str) -> None:
        """What went wrong."""
        print(legible(f"! {message}"))


def _not_heard(reply: Reply, heard: Sequence[str]) -> str:
    """What of a reply's words is new; all of them where another attempt said something else before."""
    messages = reply.messages or []
    if heard and messages[: len(heard)] == list(heard):
        return "\n\n".join(messages[len(heard) :])
    return reply.companion_message


def suggestions(reply: Reply) -> str:
    """What may be said next, on one line."""
    return legible("  ".join(f"[{action}]" for action in reply.suggested_actions))
