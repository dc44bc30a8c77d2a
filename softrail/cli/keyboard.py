"""A person at a keyboard: one prompt that stays open, everything that is said above it, how the plan stands below it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from typing import Any, Final, cast

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, get_app_session, run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from softrail.cli.completing import Completions
from softrail.cli.console import Agreed, Interrupted, Leave, Stop, not_heard, suggestions
from softrail.cli.plan_status import PlanStatus
from softrail.cli.status_line import status_line
from softrail.cli.terminal import legible
from softrail.core.turns import Reply

TURNS: Final = 10.0  #: frames of the spinner in a second
PROMPT: Final = "> "
_STYLE: Final = Style.from_dict({"bottom-toolbar": "noreverse"})


class Keyboard:
    """A line editor that is never closed; Ctrl+C stops what is being done, twice in a row leaves."""

    status_shown = True

    def __init__(
        self,
        *,
        escapes: Callable[[str], bool] = lambda message: False,
        words: Sequence[str] = (),
        said: Sequence[str] = (),
    ) -> None:
        self._escapes = escapes
        self._entered: deque[str | Agreed | Interrupted] = deque()
        self._news = asyncio.Event()
        self._left = False
        self._warned = False
        self._above: list[str] = []  #: what is still to be written above the prompt
        self._unwritten = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None
        self._asked: str | None = None  #: the question about a plan that is open
        self._approval: str | None = None  #: the same, once it is on the screen
        self._status: PlanStatus | None = None
        self._stop: Stop | None = None
        self._stopping: set[asyncio.Task[None]] = set()
        self._turning: asyncio.Task[None] | None = None
        self._session: PromptSession[str] = PromptSession(
            PROMPT,
            history=InMemoryHistory(said),
            completer=Completions(words),
            complete_while_typing=Condition(lambda: get_app().current_buffer.text.startswith("/")),
            key_bindings=self._keys(),
            input_processors=[_Legible()],
            style=_STYLE,
            erase_when_done=True,
            input=cast("Input", _AllItsKeys(get_app_session().input)),
        )
        self._session.default_buffer.accept_handler = self._accept

    # -- the prompt

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """The prompt is open; what is printed by anybody appears above it."""
        with patch_stdout():  # what others print: log lines, warnings
            prompt = asyncio.create_task(self._prompt(), name="softrail-prompt")
            self._writing = asyncio.create_task(self._write(), name="softrail-above")
            try:
                yield
            finally:
                if self._turning is not None:
                    self._turning.cancel()
                if not self._close():
                    prompt.cancel()  # it has not begun
                await asyncio.wait({prompt})
                self._writing.cancel()
                await asyncio.wait({self._writing})
                self._writing = None
                self._put()
                if not prompt.cancelled() and (error := prompt.exception()) is not None:
                    raise error

    async def _prompt(self) -> None:
        try:
            with suppress(EOFError):
                await self._session.prompt_async(set_exception_handler=False)
        finally:
            self._leave()

    def _close(self) -> bool:
        """Take the prompt off the screen, if it is there; whether it ends by itself now."""
        app = self._session.app
        if app.is_running and not app.is_done:
            app.exit()
        return app.is_running or self._left

    async def _write(self) -> None:
        """Put what is to be said above the prompt, as soon as it is said."""
        while True:
            await self._unwritten.wait()
            if self._above:
                await run_in_terminal(self._put)
            else:
                self._put()

    def _put(self) -> None:
        """Write all that was said; only a question that can be seen is agreed to."""
        lines, self._above = self._above, []
        self._unwritten.clear()
        if lines:
            output = self._session.app.output
            output.enable_autowrap()
            output.write("".join(f"{line}\n" for line in lines))  # it takes escape sequences out once more
            output.flush()
        self._approval = self._asked

    def _print(self, text: str) -> None:
        self._above.append(text)
        self._unwritten.set()
        if self._writing is None:
            self._put()

    def _leave(self) -> None:
        self._left = True
        self._news.set()

    def _accept(self, buffer: Buffer) -> bool:
        """Take what was typed; the line stays open, and empty."""
        message, approval = buffer.text, self._approval
        self._warned = False
        if message and not message.strip():
            return False
        self._asked = self._approval = None
        if message:
            self._print(legible(f"{PROMPT}{message}"))
            if self._escapes(message):
                self._stop_turn()
            self._enter(message)
        elif approval is not None:
            self._print(f"{PROMPT}yes")
            self._enter(Agreed(approval))
        return False

    def _enter(self, entered: str | Agreed) -> None:
        self._entered.append(entered)
        self._news.set()

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        keys.add("c-c", filter=has_focus(DEFAULT_BUFFER))(self._interrupted)  # else it ends a search
        keys.add("<sigint>")(self._interrupted)
        return keys

    def _interrupted(self, event: KeyPressEvent) -> None:
        """Stop at once what is being done; the second time in a row it is over, and what was typed ahead is dropped."""
        event.current_buffer.reset()
        if self._warned:
            self._entered = deque(one for one in self._entered if isinstance(one, Interrupted))
            self._leave()
            self._close()
            return
        self._warned = True
        self.tell("Press Ctrl+C again to leave.")
        self._stop_turn()
        self._entered.appendleft(Interrupted())
        self._news.set()

    def _stop_turn(self) -> None:
        if self._stop is not None:
            self._stopping.add(asyncio.create_task(self._stop()))

    # -- what a console does

    def welcome(self) -> None:
        """How to leave."""
        self._print("Just talk. /help shows what else there is, /exit leaves.")

    async def read(self) -> str | Agreed | Interrupted:
        """What was typed."""
        while not self._entered:
            if self._left:
                raise Leave
            self._news.clear()
            await self._news.wait()
        return self._entered.popleft()

    async def working(self, reply: Awaitable[str], stop: Stop) -> str:
        """The reply; Ctrl+C meanwhile, or a word of leaving, stops the turn, and the reply says so."""
        self._stop = stop
        try:
            return await reply
        finally:
            self._stop = None
            if self._stopping:
                await asyncio.wait(self._stopping)
                self._stopping.clear()

    def said(self, message: str) -> None:
        """The words."""
        self._print(legible(message))

    def show(self, reply: Reply, raw: str, *, heard: Sequence[str] = ()) -> None:
        """The words, then what may be said next."""
        if words := not_heard(reply, heard):
            self._print(legible(words))
        if reply.suggested_actions:
            self._print(suggestions(reply))

    def asked(self, approval: str | None) -> None:
        """To this question an empty line is a yes: it was shown before the line was typed."""
        self._asked = approval
        self._unwritten.set()

    def standing(self, status: PlanStatus) -> None:
        """Show it below the prompt; where something is being done the spinner turns."""
        self._status = status
        self._session.bottom_toolbar = self._line
        self._session.app.invalidate()
        if status.working and (self._turning is None or self._turning.done()):
            self._turning = asyncio.create_task(self._turn())

    def _line(self) -> StyleAndTextTuples:
        if self._status is None:
            return []
        width = self._session.app.output.get_size().columns
        return [*status_line(self._status, width, int(asyncio.get_running_loop().time() * TURNS))]

    async def _turn(self) -> None:
        while self._status is not None and self._status.working:
            self._session.app.invalidate()
            await asyncio.sleep(1 / TURNS)

    def tell(self, message: str) -> None:
        """What was done on this machine, or said of its own accord."""
        self._print(legible(message))

    def trouble(self, message: str) -> None:
        """What went wrong."""
        self._print(legible(f"! {message}"))


class _AllItsKeys:
    """An input whose keys are the prompt's while something is written above it, too.

    `run_in_terminal` gives the terminal back to itself for that moment. Of what is typed then it would echo the keys,
    make a signal of Ctrl+C, which takes along what was typed ahead, and nothing of Ctrl+D.
    """

    def __init__(self, keys: Input) -> None:
        self._keys = keys

    def __getattr__(self, name: str) -> Any:
        return getattr(self._keys, name)

    def cooked_mode(self) -> AbstractContextManager[None]:
        """Stay as it is: nothing that is written here reads."""
        return nullcontext()


class _Legible(Processor):
    """What is typed, pasted or completed commands nothing either: each such character is shown as one that is none."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        return Transformation([(style, legible(text)) for style, text, *_ in transformation_input.fragments])
