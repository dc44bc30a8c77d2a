"""The way back along the questions of a run: which one was before, and how it is asked again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from softrail.core.questions import Question
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.state import State
from softrail.processes.trail import Stop, digest


@dataclass(frozen=True, slots=True)
class WayBack:
    """Moves along the trail of one run on one turn."""

    definition: Definition
    state: State
    at: datetime
    applies: Callable[[FieldDefinition], bool]

    def stop_before(self, step: str) -> Stop | None:
        """Go back to the question before that of `step`; None where there is none, and nothing moves."""
        before = self._before(step)
        found = next((at for at in reversed(range(len(before))) if self._can_ask(before[at])), None)
        if found is None:
            return None
        del self.state.trail[found + 1 :]
        before[found].anew = True
        return before[found]

    def is_there(self, step: str) -> bool:
        """There is a question before that of `step`, which `stop_before` would go back to."""
        return any(self._can_ask(stop) for stop in self._before(step))

    def _before(self, step: str) -> list[Stop]:
        """The questions before that of `step`."""
        stops = [Stop(kept) for kept in self.state.trail]
        return stops[:-1] if stops and stops[-1].step == step else stops

    def own_before(self, step: str) -> Stop | None:
        """The same, if the question before is one of a step of one's own."""
        trail = self.state.trail
        before = self.definition.steps.get(Stop(trail[-2]).step) if len(trail) > 1 else None
        return self.stop_before(step) if before is not None and before.kind == "own" else None

    def rewind(self, to: str, step: str) -> None:
        """Forget the question of `step`, where the person goes back to that of `to`, which was before it."""
        if [Stop(kept).step for kept in self.state.trail[-2:]] == [to, step]:
            self.state.trail.pop()

    def again(self, stop: Stop) -> str | Question:
        """The step that asks this question anew; or the question as it was, where no step does."""
        question, known = stop.question_at(self.at), digest(self.state.answers)
        changed, stop.answers = stop.answers != known, known
        last = Stop(self.state.trail[-1]) if self.state.trail else stop
        if last.step == stop.step:
            last.answers = known  # it is no other question for that
        asker = self.asks_anew(stop) if changed else None
        return asker or question or stop.step

    def asks_anew(self, stop: Stop) -> str | None:
        """The step that puts this question when it is reached, where another one answers it."""
        asker = self.definition.steps.get(stop.asker)
        if asker is None or asker.name == stop.step or asker.kind != "own" or asker.asks is not None:
            return None
        return asker.name

    def _can_ask(self, stop: Stop) -> bool:
        step = self.definition.steps.get(stop.step)
        if step is None or (stop.is_put and stop.answers != digest(self.state.answers)):
            return False  # it may tell answers that are others by now
        return step.kind != "gathering" or self.applies(self.definition.fields[step.field or ""])
