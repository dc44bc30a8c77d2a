"""What reading costs: a turn that needs the small model beside one that exact words decide, and what others notice."""

import asyncio
import statistics
from pathlib import Path

from pydantic import BaseModel

from benchmarks.figures import Row, Samples, ms
from benchmarks.sizes import Sizes
from benchmarks.talk import Conversation, application, somebody, sqlite_url
from softrail import Done, Process, Turn, ask
from softrail.core.questions import Question
from softrail.core.reading import Bars, Field, Place, Reading
from softrail.language import language
from softrail.reader.exact import exact
from softrail.reader.hearing import Hearing
from softrail.reader.learned import learned
from softrail.reader.marking import marked
from softrail.turns.dispatcher import Dispatcher

NEED_IT = 8  #: sessions whose turns need the small model
BESIDE = 8  #: sessions whose turns do not
WORDS = ("teachers", "nurses on night shift", "small farms", "choirs", "people who run", "our sales team")


class Chat(Process, name="chat", version=1):
    """Asks for a number and for words, again and again."""

    starts_on = ("chat with me",)

    class Answers(BaseModel):
        number: int = ask("How many?")
        audience: str = ask("Who is it for?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Thanks.")


async def reading(folder: Path, sizes: Sizes) -> list[Row]:
    """The rows."""
    return [_one_reading(sizes), await _others(folder, sizes)]


def _one_reading(sizes: Sizes) -> Row:
    """One reading of one short message for one question, every message a new one."""
    marker = learned()
    if marker is None:
        raise RuntimeError("The small model is not installed.")
    field = Field(name="audience", wanted="text", question="Who is it for?")
    place = Place(
        question=Question(prompt=field.question), wanted="text", field="audience", fields=lambda: (field,)
    )
    words = language("en")
    hearing = Hearing(place=place, marker=marker, bars=Bars(), language=words)
    marked(Reading(message="to begin with"), hearing)
    ours, floor = Samples(), Samples()
    for n in range(20 * sizes.rounds):
        message = f"I think {WORDS[n % len(WORDS)]}, {n} of them"
        with floor.timed():
            exact(message, place, words)
        with ours.timed():
            marked(Reading(message=message), hearing)
    more = 1000 * (ours.p50 - floor.p50)
    return Row(
        name="a message read by the small model, p50, one thread",
        ours=ms(ours.p50),
        floor=f"exact words {ms(floor.p50)}",
        ratio=more,
        at_most=6,
        unit=" ms",
    )


async def _others(folder: Path, sizes: Sizes) -> Row:
    """Turns that exact words decide, p95, while other sessions need the model, beside the same without them."""
    alone, beside = list[float](), list[float]()
    async with application(sqlite_url(folder, "reading"), Chat) as dispatcher:
        counting = [await _begun(dispatcher) for _ in range(BESIDE)]
        telling = [await _begun(dispatcher, "3") for _ in range(NEED_IT)]
        for lap in range(sizes.rounds):
            alone.append(await _p95(counting, lap))
            stop = asyncio.Event()
            busy = [asyncio.create_task(_tell(one, n, stop)) for n, one in enumerate(telling)]
            beside.append(await _p95(counting, lap))
            stop.set()
            await asyncio.gather(*busy)
    ratio = statistics.median(b / a for a, b in zip(alone, beside, strict=True))
    return Row(
        name=f"turns of {BESIDE} sessions while {NEED_IT} others need the small model, p95",
        ours=ms(statistics.median(beside)),
        floor=f"without them {ms(statistics.median(alone))}",
        ratio=ratio,
        at_most=1.1,
    )


async def _begun(dispatcher: Dispatcher, *said: str) -> Conversation:
    talk = Conversation(dispatcher, await somebody(dispatcher))
    for words in ("chat with me", *said):
        await talk.say(words)
    return talk


async def _p95(talks: list[Conversation], lap: int) -> float:
    """Each session says a number and takes it back, ten times; exact words, both."""
    samples = Samples()

    async def one(talk: Conversation) -> None:
        for n in range(10):
            await talk.say(str(lap + n), samples)
            await talk.say("back", samples)

    await asyncio.gather(*(one(talk) for talk in talks))
    ordered = sorted(samples.seconds)
    return ordered[int(0.95 * len(ordered))]


async def _tell(talk: Conversation, n: int, stop: asyncio.Event) -> None:
    """Says what the small model has to read, until the others are done."""
    turn = 0
    while not stop.is_set():
        turn += 1
        await talk.say(f"hm, what do you mean by that, {WORDS[turn % len(WORDS)]} {n}-{turn}?")
