"""Row 18: a free turn without a language model: read by the examples among all intents there are, carried out, answered.

Every message is a new one: nothing that was read before is remembered for it.
"""

import itertools
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import process_time
from typing import Any

from onnxruntime import InferenceSession

from benchmarks.companion import founded
from benchmarks.figures import Row, Samples, ms
from benchmarks.floors import raw_sqlite, sqlite_conversation
from benchmarks.sizes import Sizes
from benchmarks.tables import PLUGINS, prepare
from benchmarks.talk import Conversation, somebody, sqlite_url
from benchmarks.writes import recorded
from softrail import Settings, build
from softrail.companion.plugin import Companion
from softrail.store import open_store
from softrail.turns.dispatcher import Dispatcher

GOAL = 8.0  #: milliseconds
NOTES = (
    "The pump was repaired by Mr. Falk in March",
    "The mooring costs 1,450 euros a month",
    "The ferry is full before ten on Saturdays",
    "The harbour master is called Greta Olsson",
    "We close for two weeks in August",
)
#: What people say where no process holds the turn; {} is another word in each lap.
SAID = (
    "hey, what have we got on the go with the {} these days?",
    "how is the {} coming along",
    "what did I tell you about the {}?",
    "who was it again that repaired the {} pump",
    "which of my projects has the {} in it",
    "please remember that the {} arrives on Friday",
    "could you write me a first draft about the {}",
    "what else can I do here besides the {}",
    "will the {} be ready if it rains tomorrow",
    "ugh, that {} was a long day",
    "who besides me can read what I say about the {}?",
    "what is still waiting about the {}",
    "save note 1 and leave the {} for later",
    "that's all for the {}, thanks",
)


async def free_turns(folder: Path, sizes: Sizes) -> list[Row]:
    """Laps over all messages, each in a session and with a project of its own, the floor's in between."""
    ours, floor, runs, cpu = Samples(), Samples(), 0, 0.0
    url, things = sqlite_url(folder, "free"), _things()
    await prepare(url)
    settings = Settings(database_url=url, model="plain")
    async with build(settings, store=open_store(url, plugins=PLUGINS)) as dispatcher:
        talk = Conversation(dispatcher, await somebody(dispatcher))
        recording = await recorded(
            folder / "free.db", talk, _said(next(things)), furnished=lambda: _furnish(dispatcher, talk)
        )
        await prepare(sqlite_url(folder, "free-floor"))
        with closing(raw_sqlite(folder / "free-floor.db")) as conn:
            for _ in range(sizes.conversations):
                talk = Conversation(dispatcher, await somebody(dispatcher))
                await _furnish(dispatcher, talk)
                used = process_time()
                with _model_runs() as counted:
                    for message in _said(next(things)):
                        await talk.say(message, ours)
                cpu += process_time() - used
                runs += len(counted)
                sqlite_conversation(conn, recording.copy(), its := Samples())
                floor.seconds += its.seconds[1:]  # the first is what was furnished
        intents = len(dispatcher.registry.intents())
    row = Row(
        name=f"18 a free turn without a language model, {intents} intents",
        ours=f"{ours}, CPU {ms(cpu / len(ours.seconds))}, {runs / len(ours.seconds):.2f} runs of a small model a turn",
        floor=str(floor),
        ratio=1000 * ours.p50,
        at_most=GOAL,
        unit=" ms",
    )
    return [row]


async def _furnish(dispatcher: Dispatcher, talk: Conversation) -> None:
    talk.project_id = await founded(dispatcher, talk.person)
    notes = dispatcher.registry.service(Companion).notes
    for text in NOTES:
        await notes.add(talk.person.id, talk.project_id, text)


def _said(thing: str) -> list[str]:
    return [message.format(thing) for message in SAID]


def _things() -> Iterator[str]:
    """Words that name a thing, another one each time."""
    heads, tails = (
        ("sea", "wood", "iron", "stone", "river", "north"),
        ("gate", "shed", "boat", "wall", "yard"),
    )
    for number in itertools.count(1):
        for head, tail in itertools.product(heads, tails):
            yield f"{head} {tail}" if number == 1 else f"{head} {tail} of pier {number}"


@contextmanager
def _model_runs() -> Iterator[list[None]]:
    """One for each time that a small model, of the classifier or of the reader, computes in the block."""
    counted, run = list[None](), InferenceSession.run

    def counting(self: Any, *given: Any) -> Any:
        counted.append(None)
        return run(self, *given)

    InferenceSession.run = counting
    try:
        yield counted
    finally:
        InferenceSession.run = run
