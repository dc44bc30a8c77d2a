"""Begins a process without holding the event loop, and waits for its end.

Python's own way holds the interpreter until the new process has loaded its program: on a machine with much to do that is
milliseconds in which no turn goes on. The system's own call, from a thread that lets the interpreter go, holds nobody.
"""

import asyncio
import ctypes
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, Protocol

_NEW_SESSION: Final = 0x80  #: POSIX_SPAWN_SETSID, as glibc has it
_ROOM: Final = 1024  #: bytes, more than either of its structures has
_NEEDED: Final = ("addchdir_np", "addclosefrom_np")  #: glibc since 2.34 has both


class Process(Protocol):
    """A process that was begun, with what it reads and what it says."""

    @property
    def pid(self) -> int:
        """Its number; the number of its group, too."""
        ...

    @property
    def stdin(self) -> asyncio.StreamWriter | None:
        """What it reads."""
        ...

    @property
    def stdout(self) -> asyncio.StreamReader | None:
        """What it says."""
        ...

    @property
    def returncode(self) -> int | None:
        """How it ended; None: it has not."""
        ...

    def kill(self) -> None:
        """End it, whatever it does."""
        ...

    async def wait(self) -> int:
        """How it ends, once it has."""
        ...


async def begun(
    command: Sequence[str], *, folder: str, environment: Mapping[str, str], after: Callable[[int], None]
) -> Process:
    """A process in a session of its own; `after` is done to it as soon as there is one. Raises OSError."""
    if _system() is None:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
        after(process.pid)
        return process
    ours, theirs = socket.socketpair()
    made = _Begun(lambda: _spawned(command, theirs, folder, environment), after)
    try:
        await made.is_there()  # whoever is cut off here closes its input, and it ends by itself
        made.stdout, made.stdin = await asyncio.open_unix_connection(sock=ours)
    except BaseException:
        ours.close()
        raise
    return made


class _Begun:
    """One that a thread begins, and waits for."""

    def __init__(self, begin: Callable[[], int], after: Callable[[int], None]) -> None:
        self.pid = 0
        self.stdin: asyncio.StreamWriter | None = None
        self.stdout: asyncio.StreamReader | None = None
        self.returncode: int | None = None
        self._loop = asyncio.get_running_loop()
        self._there, self._ended = self._loop.create_future(), self._loop.create_future()
        name = "softrail-process"
        threading.Thread(target=self._live, args=(begin, after), name=name, daemon=True).start()

    async def is_there(self) -> None:
        """Wait until it was begun. Raises OSError."""
        await self._there

    def kill(self) -> None:
        """End it, unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)

    async def wait(self) -> int:
        """How it ends, once it has; who is cut off meanwhile may wait again."""
        await asyncio.shield(self._ended)
        assert self.returncode is not None  # noqa: S101 - it is told with its end
        return self.returncode

    def _live(self, begin: Callable[[], int], after: Callable[[int], None]) -> None:
        try:
            self.pid = begin()
        except OSError as error:
            self._tell(self._there, error)
            return
        after(self.pid)
        self._tell(self._there, None)
        _, status = os.waitpid(self.pid, 0)
        self._tell(self._ended, None, os.waitstatus_to_exitcode(status))

    def _tell(self, whom: asyncio.Future[None], error: OSError | None, code: int | None = None) -> None:
        def told() -> None:
            self.returncode = code
            if whom.done():  # nobody waits any more
                return
            if error is None:
                whom.set_result(None)
            else:
                whom.set_exception(error)

        with suppress(RuntimeError):  # the event loop is over
            self._loop.call_soon_threadsafe(told)


# -- the system's own call


@lru_cache(maxsize=1)
def _system() -> Any:
    """The C library, where it has all of it; else None."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None, use_errno=True)
    there = all(hasattr(library, f"posix_spawn_file_actions_{name}") for name in _NEEDED)
    return library if there else None


def _spawned(
    command: Sequence[str], theirs: socket.socket, folder: str, environment: Mapping[str, str]
) -> int:
    """Its number: it has three files, none of them ours. Raises OSError."""
    library = _system()
    files, chosen = ctypes.create_string_buffer(_ROOM), ctypes.create_string_buffer(_ROOM)
    pid, path = ctypes.c_int(), os.fsencode(command[0])
    words = _strings([os.fsencode(word) for word in command])
    known = _strings([os.fsencode(f"{name}={value}") for name, value in environment.items()])
    _must(library.posix_spawn_file_actions_init(files), path)
    _must(library.posix_spawnattr_init(chosen), path)
    try:
        here = theirs.fileno()
        for number in (0, 1):
            _must(library.posix_spawn_file_actions_adddup2(files, here, number), path)
        nowhere = os.fsencode(os.devnull)
        _must(library.posix_spawn_file_actions_addopen(files, 2, nowhere, os.O_RDWR, 0), path)
        _must(library.posix_spawn_file_actions_addclosefrom_np(files, 3), path)
        _must(library.posix_spawn_file_actions_addchdir_np(files, os.fsencode(folder)), path)
        _must(library.posix_spawnattr_setflags(chosen, ctypes.c_short(_NEW_SESSION)), path)
        _must(library.posix_spawn(ctypes.byref(pid), path, files, chosen, words, known), path)
    finally:
        library.posix_spawn_file_actions_destroy(files)
        library.posix_spawnattr_destroy(chosen)
        theirs.close()
    return pid.value


def _strings(given: Sequence[bytes]) -> Any:
    return (ctypes.c_char_p * (len(given) + 1))(*given, None)


def _must(error: int, path: bytes) -> None:
    if error:
        raise OSError(error, os.strerror(error), os.fsdecode(path))
