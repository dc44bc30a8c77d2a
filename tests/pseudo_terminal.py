"""A pseudo-terminal, and the screen that a person sees in it; waits for what appears, never for a clock."""

import asyncio
import fcntl
import os
import pty
import re
import struct
import termios
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import pyte
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output.vt100 import Vt100_Output

PATIENCE = 120  #: seconds after which a test gives up: a bound, not a measure
ROWS = 24
UP, TAB, ENTER, CTRL_C, CTRL_D = "\x1b[A", "\t", "\r", "\x03", "\x04"


class _Screen(pyte.HistoryScreen):
    """What is drawn; asked where its cursor is, it answers."""

    def __init__(self, columns: int, answer: Callable[[str], None]) -> None:
        super().__init__(columns, ROWS, history=1000)
        self._answer = answer

    def write_process_input(self, data: str) -> None:
        self._answer(data)


class Terminal:
    """Both ends of a pseudo-terminal: a program writes to `program`, the test types and looks."""

    def __init__(self, columns: int) -> None:
        self._ours, self.program = pty.openpty()
        fcntl.ioctl(self.program, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
        self._screen = _Screen(columns, self.type)
        self._stream = pyte.ByteStream(self._screen)
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self.written = b""  #: every byte that reached the terminal
        # A thread, for who writes waits when nobody reads, and it may be this event loop that writes.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def paste(self, text: str) -> None:
        """Paste text, as terminals do: its line ends are no Enter."""
        self.type(f"\x1b[200~{text}\x1b[201~")

    @property
    def lines(self) -> list[str]:
        """What is on the screen."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def status(self) -> str:
        """The last line of the screen."""
        return self.lines[-1]

    @property
    def everything(self) -> str:
        """What is on the screen, and above it."""
        above = [
            "".join(row[x].data for x in range(self._screen.columns)) for row in self._screen.history.top
        ]
        return "\n".join([*(line.rstrip() for line in above), *self.lines])

    def colour_of(self, words: str) -> tuple[str, bool]:
        """Colour and boldness of words in the last line."""
        cell = self._screen.buffer[ROWS - 1][self.status.index(words)]
        return cell.fg, cell.bold

    async def sees(self, words: str) -> None:
        """The words are on the screen, or above it, at last."""
        await self._until(lambda: words in self.everything)

    async def sees_below(self, pattern: str) -> None:
        """The last line is at last all that the pattern says."""
        await self._until(lambda: re.fullmatch(pattern, self.status) is not None)

    async def sees_typed(self, words: str) -> None:
        """The prompt, which is the last of its kind, holds these words at last."""
        await self._until(lambda: [one for one in self.lines if one.startswith(">")][-1:] == [f"> {words}"])

    async def _until(self, seen: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not seen():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError("\n".join(["It never appeared. The screen:", *self.lines])) from None

    def _read(self) -> None:
        while True:
            try:
                content = os.read(self._ours, 65536)
            except OSError:
                return
            if not content:
                return
            self._loop.call_soon_threadsafe(self._take, content)

    def _take(self, content: bytes) -> None:
        self.written += content
        self._stream.feed(content)
        self._changed.set()

    def close(self) -> None:
        """Hang up."""
        os.close(self.program)
        self._reader.join(PATIENCE)
        os.close(self._ours)


@asynccontextmanager
async def terminal(columns: int) -> AsyncIterator[Terminal]:
    """A terminal of that width."""
    opened = Terminal(columns)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def typed_into(opened: Terminal) -> Iterator[None]:
    """Within the block, a line editor of this process reads from that terminal and writes to it."""
    with (
        open(opened.program, closefd=False) as source,
        open(opened.program, "w", closefd=False) as target,
    ):
        output = Vt100_Output.from_pty(target, term="xterm-256color")
        with create_app_session(input=Vt100Input(source), output=output):
            yield
