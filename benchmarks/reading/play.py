"""Plays lines through Softrail as an application would: one process class from the flow, no key, nothing else."""

import asyncio
import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time
from functools import partial
from typing import Any, Literal

from pydantic import BaseModel, create_model

from benchmarks.reading.judge import DOUBT, Seen
from benchmarks.reading.lines import CONFIRM, OFFER, Line, Slot
from benchmarks.reading.playing import bare, played
from softrail import Done, Process, Record, Turn, ask
from softrail.core.reading import LAYERS
from softrail.reader import LayeredReader
from softrail.reader.learned import learned
from softrail.testing import Conversation, FrozenClock, Said, conversation

START = "let us begin"
RECORD = "answers"
TYPES: dict[str, Any] = {
    "int": int,
    "decimal": float,
    "bool": bool,
    "date": date,
    "list": list[str],
    "clock": time,
}


def process_of(line: Line) -> type[Process]:
    """The process a developer would write for the flow of this line."""
    fields: dict[str, Any] = {slot.name: _field(slot) for slot in _in_order(line)}
    answers = create_model("Answers", **(fields or {"answer": (str, ask("What is it?"))}))
    given = {s.name: s.value for s in line.slots if s.value is not None}

    class Flow(Process, name="flow", version=1):
        """Asks some questions."""

        title = "this"
        starts_on = (START,)
        offer_text = line.question
        Answers = answers

        def prefill(self, said: Turn) -> dict[str, Any]:
            return given

        async def offer_when(self, turn: Turn) -> bool:
            return line.open == OFFER

        async def summary(self, answers: BaseModel, turn: Turn) -> str | None:
            return line.question if line.open == CONFIRM else None

        async def complete(self, answers: BaseModel, turn: Turn) -> Done:
            return Done("That is done.", effects=[Record(RECORD, answers)])

    return Flow


def _in_order(line: Line) -> Sequence[Slot]:
    """The slots so that the open one is asked: what is not answered and stands before it comes behind it."""
    names = [slot.name for slot in line.slots]
    at = names.index(line.open) if line.open in names else 0
    open_before = [slot for slot in line.slots[:at] if slot.value is None]
    first = [slot for slot in line.slots[: at + 1] if slot not in open_before]
    return [*first, *open_before, *line.slots[at + 1 :]]


def _field(slot: Slot) -> tuple[Any, Any]:
    kind: Any = Literal[slot.options] if slot.options else TYPES.get(slot.kind, str)
    more: dict[str, Any] = {"description": slot.description} if slot.description else {}
    if slot.kind == "digits":
        more["pattern"] = r"^\d[\d -]*$"  # a number that is a name: leading zeros count
    if slot.optional:
        more["default"] = {"list": [], "date": None, "bool": None, "int": None}.get(slot.kind, "")
        kind = kind | None if slot.kind in ("date", "bool", "int") else kind
    return kind, ask(slot.question, **more)


def _patient() -> LayeredReader:
    """The reader as it is, with time enough on a busy machine: what is judged is what it reads."""
    return LayeredReader(learned, furthest="learned", limit=60)


async def say(line: Line, message: str, *, reader: LayeredReader | None = None) -> Seen:
    """Say something in the place of the line, in a conversation of its own."""
    clock = FrozenClock(datetime.combine(line.today, time(9), UTC)) if line.today else FrozenClock()
    async with conversation(process_of(line), clock=clock, reader=reader or _patient()) as talk:
        first = await talk.say("hi" if line.open == OFFER else START)
        if _asks(line, first) != line.open:
            raise AssertionError(f"{line.id} does not begin at {line.open!r}: {first!r}")
        before = await stored(talk) or {}
        said = await talk.say(message)
        pending, state = said.reply.pending, _state(said)
        kept = await stored(talk)
        after = (
            before if kept is None else kept
        )  # a run that was closed is not found: closing it stored nothing
        if state == "completed":
            after = (await talk.records(RECORD))[-1]
        return Seen(
            before=before,
            after=after,
            state=state,
            asks=_asks(line, said, first),
            words=said.text,
            passed=said.intent is not None,
            again=pending is not None and bare(said.text) == bare(pending.prompt),
            handed_over="handover" in said.effects,
            acts=_acts(said),
            layer=_layer(said),
        )


async def stored(talk: Conversation) -> dict[str, Any] | None:
    """The answers kept of the newest run that this session still knows; None where it knows none."""
    loaded = await talk.dispatcher.store.load(talk.person, talk.session_id)
    runs = loaded.snapshot.instances if loaded.snapshot else ()
    return json.loads(runs[-1].data).get("answers", {}) if runs else None


def _state(said: Said) -> Literal["active", "left", "completed"]:
    if said.state == "completed":
        return "completed"
    return "active" if said.state in ("active", "offered") else "left"


def _asks(line: Line, said: Said, first: Said | None = None) -> str | None:
    pending = said.reply.pending
    if pending is None:
        return None
    if pending.kind in ("clarify", DOUBT):
        return DOUBT
    if pending.kind == "offer":
        return OFFER
    asked = CONFIRM if pending.kind == "confirm" else (said.step or "").removeprefix("gathering_")
    if first is None or first.reply.pending is None:
        return asked
    # Buttons that the flow's own question does not have were made for this message.
    own = first.reply.pending.options if asked == line.open else pending.options
    return asked if pending.options == own or not pending.options else DOUBT


def _acts(said: Said) -> frozenset[str]:
    """What the decision record says the message was read as; empty where it says nothing."""
    read = said.decision.gate("read")
    return frozenset(re.findall(r"\w+", read.outcome)) if read else frozenset()


def _layer(said: Said) -> str:
    """The last layer that read the message."""
    read = said.decision.gate("read")
    return next((layer for layer in reversed(LAYERS) if read is not None and layer in read.why), LAYERS[0])


def play_all(lines: Iterable[Line], *, reader: LayeredReader | None = None) -> list[tuple[Line, Seen]]:
    """All lines with what is seen of each; another reader than the one that is installed, where one is given."""
    return asyncio.run(played(lines, partial(say, reader=reader)))
