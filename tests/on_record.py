"""A conversation whose turns have everything that a decision record can hold: for the inspector's tests."""

from decimal import Decimal
from typing import Any, Final

from softrail import Done, Process, Turn, step
from softrail.companion.wall import wall
from softrail.core.errors import ModelUnavailable
from softrail.core.ports import ModelAnswer
from softrail.plugin import Wall
from softrail.processes.builtin.standup import Standup
from softrail.testing import ScriptedModel
from tests.slow_process import Nothing

RAIN: Final = "Rain, and then more rain."
#: What is said, in this order.
SAID: Final = (
    "let us do our standup",
    "never mind",
    "what will the weather be like?",
    "and on Sunday?",
    "tell everybody",
    "all of them",
    "break it",
)


class Tell(Process, name="tell", version=1):
    """Tells everybody, in a word that people are not to see."""

    starts_on = ("tell everybody",)

    @step(asks="Whom?", takes_anything=True)
    async def whom(self, said: Turn, data: Nothing) -> Done:
        await said.say("The engagement is told.")
        return Done("Told.")


class Broken(Process, name="broken", version=1):
    """Its author made a mistake."""

    starts_on = ("break it",)

    @step()
    async def breaks(self, said: Turn, data: Nothing) -> Done:
        raise RuntimeError("the kettle is empty")


def parts() -> dict[str, Any]:
    """What `build` is given: the processes, a model that answers once and then is away, and a wall."""
    rain = ModelAnswer(
        text=RAIN, model="scripted", input_tokens=1234, output_tokens=7, cost_usd=Decimal("0.0021")
    )
    away = ModelUnavailable("The model is away.", purpose="respond")
    return {
        "processes": [Standup, Tell, Broken],
        "model": ScriptedModel({"respond": [rain, away]}),
        "services": {Wall: wall()},
    }
