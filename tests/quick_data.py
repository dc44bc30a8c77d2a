"""Processes for data that begin where everything they need is loaded, for tests about what comes of data.

Four fifths of the time of such a test went by while each of its processes loaded DuckDB. How they are begun, bounded,
confined and ended is tested with those that begin as they do in a server.
"""

import asyncio
import socket
from collections.abc import Callable, Mapping, Sequence

from softrail.plans.data.beginning import Process, begun
from tests.forked import DATA, Forked, begun_for_data


async def forked(
    command: Sequence[str], *, folder: str, environment: Mapping[str, str], after: Callable[[int], None]
) -> Process:
    """What `begun` does, with a process that has everything already."""
    _, *isolated, program = command[: command.index(str(DATA)) + 1]
    if isolated != ["-I", "-B"]:
        return await begun(command, folder=folder, environment=environment, after=after)
    words = command[command.index(program) + 1 :]
    ours, theirs = socket.socketpair()
    try:
        with theirs:
            one = begun_for_data(*words, folder=folder, environment=environment, talks=theirs.fileno())
        made = _Quick(one)
        after(one.pid)
        made.stdout, made.stdin = await asyncio.open_unix_connection(sock=ours)
    except BaseException:
        ours.close()  # it has nothing to do, and ends
        raise
    return made


class _Quick:
    """One that was forked, waited for by the event loop."""

    def __init__(self, forked: Forked) -> None:
        self.pid = forked.pid
        self.stdin: asyncio.StreamWriter | None = None
        self.stdout: asyncio.StreamReader | None = None
        self._forked = forked
        self._loop = asyncio.get_running_loop()
        self._ended = self._loop.create_future()
        self._loop.add_reader(forked.ends, self._has_ended)

    @property
    def returncode(self) -> int | None:
        """How it ended; None: it has not."""
        return self._forked.returncode

    def kill(self) -> None:
        """End it, whatever it does."""
        self._forked.kill()

    async def wait(self) -> int:
        """How it ends, once it has."""
        return int(await asyncio.shield(self._ended))

    def _has_ended(self) -> None:
        self._loop.remove_reader(self._forked.ends)
        self._ended.set_result(self._forked.wait())
