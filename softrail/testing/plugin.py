"""The pytest plugin: the fixtures `frozen` and `talk`, and `*.talk` files as tests.

Each loads what it needs when it is used: this module is loaded at every start of pytest, whatever is tested then.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from softrail.replay.clock import FrozenClock
    from softrail.replay.conversation import Conversation
    from softrail.replay.script import Script

Talk = Callable[..., Awaitable["Conversation"]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`softrail_app` in the configuration: another application for tests than the one of `softrail.toml`."""
    parser.addini("softrail_app", "The application that .talk files play, as MODULE:NAME.", default="")


@pytest.fixture
def frozen() -> "Iterator[FrozenClock]":
    """A clock that stands at Monday, 2 March 2026, 9:00 UTC until the test moves it."""
    from softrail.replay.clock import FrozenClock

    with FrozenClock().installed() as clock:
        yield clock


@pytest.fixture
async def talk(frozen: "FrozenClock") -> AsyncIterator[Talk]:
    """A way to open conversations: call it with process classes and intents, await it, and `say` something."""
    from softrail.replay.conversation import conversation

    async with AsyncExitStack() as stack:

        async def open_one(*processes: Any, **options: Any) -> "Conversation":
            return await stack.enter_async_context(conversation(*processes, clock=frozen, **options))

        yield open_one


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Every `*.talk` file is a test."""
    if file_path.suffix == ".talk":
        return TalkFile.from_parent(parent, path=file_path)
    return None


class TalkFile(pytest.File):
    """A file with one conversation."""

    def collect(self) -> Iterator[pytest.Item]:
        """The one conversation in it."""
        yield TalkItem.from_parent(self, name=self.path.stem)


class TalkItem(pytest.Item):
    """Plays the script and fails at the first line that is not as written."""

    def runtest(self) -> None:
        """Play it on a memory store with a stopped clock."""
        from softrail.replay.script import Script

        text = self.path.read_text(encoding="utf-8")
        script = Script.parse(text, name=self.path.name, folder=self.path.parent)
        asyncio.run(_play(script, self.config.getini("softrail_app")))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The line, what was expected and what came."""
        from softrail.core.errors import SoftrailError
        from softrail.replay.script import Mismatch

        if isinstance(excinfo.value, Mismatch | SoftrailError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands."""
        return self.path, 0, self.name


async def _play(script: "Script", app: str) -> None:
    from softrail.application import named
    from softrail.replay.clock import FrozenClock
    from softrail.replay.conversation import conversation, in_memory
    from softrail.settings import load_settings

    used = script.uses()
    where = "" if used else app or load_settings().app
    whole = in_memory(named(where)) if where else None
    async with conversation(*used, clock=FrozenClock(), discover=not used, dispatcher=whole) as talk:
        await script.play(talk)
