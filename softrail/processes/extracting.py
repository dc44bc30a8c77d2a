"""What one step extracts from what is said, on one turn: read, kept, and what is missing asked for."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from pydantic import ValidationError

from softrail.core.errors import StepFailed
from softrail.core.outcomes import Ask, Decline
from softrail.core.ports import Reader
from softrail.core.questions import Question
from softrail.core.reading import Bars, Place, Reading
from softrail.core.turns import Turn
from softrail.processes.definition import Definition, StepDefinition
from softrail.processes.gathering import Gathering
from softrail.processes.moves import Complete, Move, Waiting
from softrail.processes.placing import extracting
from softrail.processes.sentences import Wording
from softrail.processes.state import State, answers_of

_SURE = Bars().inform  #: less likely values are asked for


class Extraction:
    """Fills the model of one step; what it has so far is kept in the state of the process."""

    def __init__(
        self,
        definition: Definition,
        step: StepDefinition,
        turn: Turn,
        state: State,
        *,
        wording: Wording,
        limit: timedelta,
        reader: Reader | None,
    ) -> None:
        self._whole = definition
        self._step = step
        self._turn = turn
        self._state = state
        self._own = definition.extracting(step.name)
        self._kept = state.extracted.setdefault(step.name, State())
        self._wording = wording
        self._limit = limit
        self._reader = reader
        self._gathering = self._gather(turn)
        self._move: Move | None = None

    @property
    def why(self) -> str:
        """What was kept, for the decision record."""
        return ", ".join(f"{self._step.name}: {why}" for why in self._gathering.kept.why)

    def ask(self, field: str) -> Waiting:
        """Put the question of a field."""
        return self._gathering.ask(self._own.fields[field])

    async def answer(self, field: str) -> Move:
        """Take the turn as the answer to the question for a field."""
        move = await self._gathering.answer(self._own.fields[field])
        begun = self._state.captured or self._state.data or self._state.extracted.keys() - {self._step.name}
        if isinstance(move, Decline) and (begun or self._kept.captured):
            move = self._gathering.next(self._wording.say("cannot_skip"))
        self._move = move
        return move

    async def fill(self, *, received: bool) -> Move:
        """Read the message, unless that is done; `received`: it was read as the answer to the step's own question."""
        if self._move is not None:
            return self._move
        if self._turn.origin != "person":
            self._move = self._gathering.next()
            return self._move
        reading = self._turn.reading if received else None
        if reading is None or reading.exactly("inform", target="settled"):  # "it is an answer", and no more
            reading = await self._read()
        if reading is not None:
            self._gathering = self._gather(replace(self._turn, reading=reading))
            self._move = await self._gathering.take_all()
        else:
            self._move = self._gathering.next()
        return self._move

    def value(self) -> Any:
        """The model, once all of it is there."""
        try:
            return answers_of(self._own, self._kept)
        except ValidationError as error:
            raise StepFailed(f"What step {self._step.name!r} extracts is not valid: {error}") from error

    def question(self, move: Move) -> Ask:
        """The question for what is missing, as an outcome of the step."""
        if not isinstance(move, Waiting):
            raise TypeError(f"{move!r} asks nothing.")
        return Ask(move.question.prompt, say=move.before, step=move.step, polish=move.polish)

    def complete(self, move: Move) -> bool:
        """All of it is there."""
        return isinstance(move, Complete)

    async def _read(self) -> Reading | None:
        """The message was said elsewhere: it is read for what is wanted here, and only what is likely is taken."""
        if self._reader is None:
            return None
        missing = self._gathering.missing()
        asks = self._step.asks or (missing[0].question if missing else self._step.name)
        known = Place(question=Question(prompt=asks), names=self._whole.names)
        place = extracting(self._whole, self._step.name, self._state, self._turn, known)
        found = await self._reader.read(self._turn.message, place, locale=self._turn.person.locale)
        likely = tuple(c for c in found.commands if c.layer == "exact" or c.confidence >= _SURE)
        return found.evolve(commands=likely)

    def _gather(self, turn: Turn) -> Gathering:
        return Gathering(self._own, turn, self._kept, self._wording, self._limit)
