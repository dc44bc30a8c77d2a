"""A message that is made to be slow costs no more than a long one: nobody else waits for it, and nothing hangs."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.language import without_long_runs
from softrail.reader.long import CHARACTERS, WORDS, beginning
from softrail.testing import FrozenClock, conversation
from tests.security.pumped import SAID, message

LONGEST = 16_000  #: characters of a message that is let in
SECONDS = 10.0  #: of processor time for one turn, which takes a fifth of one; what is slow takes a minute, or for ever


class Hive(Process, name="hive", version=1):
    """A hive of bees."""

    starts_on = ("register a hive",)

    class Answers(BaseModel):
        name: str = ask("What is it called?")
        things: list[str] = ask("Which things come along?")
        colour: Literal["red", "green"] = ask("Which colour?")
        frames: int = ask("How many frames?")
        day: date = ask("On which day?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("hive", answers)])


TOLD = ("register a hive", "Bob", "milk, eggs", "red", "3")


class Slow(BaseException):
    """No handler of errors takes it for one of its own."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises where the block takes this process more of the processor, whatever else the machine does."""

    def late(*_: Any) -> None:
        raise Slow(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("answered", [3, 4, 5])
@pytest.mark.parametrize("said", SAID[:6])
async def test_an_answer_that_is_one_thing_over_and_over_is_read_in_no_time(said: str, answered: int) -> None:
    async with conversation(Hive, clock=FrozenClock()) as talk:
        for words in TOLD[:answered]:
            await talk.say(words)
        with at_most(SECONDS):
            reply = await talk.say(message(said, LONGEST))

        assert reply.text


async def test_free_talk_that_is_one_thing_over_and_over_is_read_in_no_time() -> None:
    async with conversation(clock=FrozenClock(), discover=True) as talk:
        await talk.say("hello")
        await talk.say("no")
        with at_most(len(SAID) * SECONDS / 5):
            for said in SAID:
                assert (await talk.say(message(said, LONGEST))).text


def test_what_is_read_of_a_long_message_ends_behind_a_word_and_is_bounded_by_both() -> None:
    few = beginning("twelve frames, " * 1000)
    many = beginning("1," * 8000)

    assert CHARACTERS - 20 < len(few) <= CHARACTERS
    assert few.endswith(("twelve", "frames,"))
    assert many == ",".join(["1"] * WORDS)
    assert beginning("a" * 5000) == "a" * CHARACTERS
    assert beginning("Bob") == "Bob"


async def test_a_long_answer_is_kept_to_its_end() -> None:
    told = (
        "We look after bees in the middle of the town, where there is more for them than in the fields. " * 40
    )
    told = f"{told}The fence is green."
    async with conversation(Hive, clock=FrozenClock()) as talk:
        await talk.say("register a hive")
        await talk.say("Bob")
        await talk.say(told)
        shown = await talk.say("what did I say for the things?")

    assert "The fence is green" in shown.text


def test_only_blanks_and_signs_that_nobody_says_so_often_are_left_out() -> None:
    assert without_long_runs("a" * 500) == "a" * 500
    assert without_long_runs("no" + "!" * 40) == "no" + "!" * 40
    assert without_long_runs("no" + " \n" * 800 + "yes") == "no" + " \n" * 20 + "yes"
