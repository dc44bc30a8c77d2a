"""Every pattern of the package against messages made out of its own parts: `python -m tests.security.slow_patterns`.

Imports everything and plays some talk, so that patterns that are made later are there, too; then each repeat of a pattern is
said over and over, as long as a message is read, with an end that it does not wait for. Prints the patterns that take longest.
"""

import argparse
import asyncio
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Iterator
from datetime import date, timedelta
from datetime import time as hour
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final, Literal, NamedTuple

from tests.security.pumped import SAID, message, pumps

READ: Final = 2000  #: characters that patterns are given at most
_SIZES: Final = (60, 150, 500, READ)
_PUMPS: Final = 300  #: of one pattern
_LIMIT: Final = 2.0  #: seconds of one search
_HOW: Final = ("search", "match", "fullmatch")

_TOLD: Final = (
    *(
        "hello",
        "no",
        "create a new project",
        "it's about bees",
        "Bee House",
        "people",
        "honey",
        "plain",
        "none",
        "save",
    ),
    *("note: the van is 90 euros", "what did i say about the van?", "save note 1", "show my projects"),
    *(
        "use the sample data",
        "revenue by region",
        "yes",
        "why?",
        "withdraw note 1",
        "undo",
        "start my standup",
    ),
    *("fixed the printer", "call Anna, no wait, Bob", "none", "swap yesterday and today", "yes", "bye"),
)
_ANSWERED: Final = (
    *(
        "register a hive",
        "Bob, no wait, Ann",
        "red please",
        "three, sorry four",
        "2 tons",
        "next tuesday, no friday",
    ),
    *(
        "half past six",
        "2 hours and a half",
        "yes but not on sunday",
        "milk, eggs and bread",
        "no, the name is Kim",
    ),
    *("change the day to monday and the colour to green", "what have you got?", "undo", "yes"),
)


class Slow(NamedTuple):
    """A pattern, the processor time in seconds that it took, and of what."""

    seconds: float
    pattern: str
    where: str
    how: str
    before: str
    said: str
    size: int


class _TooLongError(Exception):
    pass


def patterns() -> dict[re.Pattern[str], str]:
    """All that the package compiles, each with the place in the source that first did."""
    found: dict[re.Pattern[str], str] = {}
    compiled = re._compile  # type: ignore[attr-defined] # every way to a pattern goes through it

    def noted(pattern: Any, flags: Any) -> Any:
        made = compiled(pattern, flags)
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.endswith(("re/__init__.py", "functools.py")):
            frame = frame.f_back
        file = Path(frame.f_code.co_filename) if frame is not None else Path()
        if (
            frame is not None
            and "softrail" in file.parts
            and "site-packages" not in file.parts
            and isinstance(made.pattern, str)
        ):
            found.setdefault(made, f"{'/'.join(file.parts[-3:])}:{frame.f_lineno}")
        return made

    re._compile = noted  # type: ignore[attr-defined]
    try:
        softrail = importlib.import_module("softrail")
        for module in pkgutil.walk_packages(softrail.__path__, "softrail."):
            if ".migrations." not in module.name:
                importlib.import_module(module.name)
        asyncio.run(_talk())
    finally:
        re._compile = compiled  # type: ignore[attr-defined]
    return found


async def _talk() -> None:
    """Say something of everything, so that what is made at the first use is made."""
    from pydantic import BaseModel

    from benchmarks.talk import Conversation, somebody
    from softrail import Done, Process, Record, Settings, Turn, ask, build

    class Hive(Process, name="hive", version=1):
        """A hive of bees."""

        starts_on = ("register a hive",)

        class Answers(BaseModel):
            name: str = ask("What is it called?")
            colour: Literal["red", "green"] = ask("Which colour?")
            frames: int = ask("How many frames?")
            weight: float = ask("How heavy is it, in kilograms?")
            day: date = ask("On which day?")
            at: hour = ask("At what time?")
            long: timedelta = ask("How long?")
            insured: bool = ask("Shall it be insured?")
            things: list[str] = ask("Which things come along?")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("Kept.", effects=[Record("hive", answers)])

    with TemporaryDirectory() as folder:
        dispatcher = build(Settings(database_url=f"sqlite:///{folder}/data.db"), processes=[Hive])
        async with dispatcher:
            for told in (_TOLD, _ANSWERED):
                conversation = Conversation(dispatcher, await somebody(dispatcher))
                for words in told:
                    await conversation.say(words)


def slowest(pattern: re.Pattern[str], where: str) -> Slow | None:
    """What of all that is tried takes the pattern longest; None where nothing takes it any time."""
    from softrail.language import without_long_runs  # as a message is read

    worst: Slow | None = None
    for before, said in dict.fromkeys(_tried(pattern)):
        for size in _SIZES:
            told = without_long_runs(message(said, size, before))
            took = {how: _took(pattern, how, told) for how in _HOW}
            how = max(took, key=lambda one: took[one])
            if worst is None or took[how] > worst.seconds:
                worst = Slow(took[how], pattern.pattern, where, how, before[:40], said[:40], size)
            if took[how] >= _LIMIT:
                return worst
    return worst


def _tried(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    yield from (("", said) for said in SAID)
    for count, (before, said) in enumerate(pumps(pattern)):
        if count == _PUMPS:
            return
        if said:
            yield before, said


def _took(pattern: re.Pattern[str], how: str, told: str) -> float:
    signal.setitimer(signal.ITIMER_VIRTUAL, _LIMIT)
    began = time.process_time()
    try:
        getattr(pattern, how)(told)
    except _TooLongError:
        return _LIMIT
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began


def _raise(*_: Any) -> None:
    raise _TooLongError


def main() -> None:
    """Print the slowest patterns; exit with 1 where one is slower than it may be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.25, help="a pattern that takes longer fails")
    parser.add_argument("--shown", type=int, default=12, help="how many of the slowest are printed")
    chosen = parser.parse_args()
    signal.signal(signal.SIGVTALRM, _raise)
    all_ = patterns()
    found = sorted((slow for one, where in all_.items() if (slow := slowest(one, where))), reverse=True)
    print(f"{len(all_)} patterns")
    for slow in found[: chosen.shown]:
        print(
            f"{1000 * slow.seconds:7.1f} ms  {slow.how} of {slow.before!r} and {slow.said!r} ({slow.size})  {slow.where}  {slow.pattern[:90]!r}"
        )
    sys.exit(any(slow.seconds > chosen.seconds for slow in found))


if __name__ == "__main__":
    main()
