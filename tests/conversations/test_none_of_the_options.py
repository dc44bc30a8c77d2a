"""“None of them” is said of the options that are shown, and takes no earlier answer back."""

from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from softrail import Done, Process, Turn, ask


class Order(Process, name="order", version=1):
    """Cloth is ordered."""

    title = "the order"
    starts_on = ("order cloth",)

    class Answers(BaseModel):
        metres: Annotated[int, Field(gt=3)] = ask("How many metres?")
        colour: str = ask("Which colour?", options=("Red", "Blue"))
        lining: str = ask("Which lining?", options=("Silk", "Wool"), default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.")


@pytest.mark.parametrize("said", ["none", "neither", "none of them", "neither of those, thanks", "nothing"])
async def test_none_of_the_options_goes_back_to_no_other_question(talk: Any, said: str) -> None:
    c = await talk(Order)
    for words in ("order cloth", "5"):
        await c.say(words)

    asked = await c.say(said)
    assert "Which colour?" in asked.text
    taken = await c.say("blue")
    assert "Which lining?" in taken.text

    summary = await c.say(said)
    assert "5" in summary.text
    assert "Silk" not in summary.text


async def test_a_bound_beside_a_type_is_told_as_it_is(talk: Any) -> None:
    c = await talk(Order)
    await c.say("order cloth")
    assert "It must be more than 3." in (await c.say("3")).text
