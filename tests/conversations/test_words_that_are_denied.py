"""What a message says it does not mean takes the place of nothing that was given before."""

from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from tests.conversations.kept import told


class Ride(Process, name="ride", version=1):
    """A ride across town."""

    starts_on = ("book a ride",)

    class Answers(BaseModel):
        where: str = ask("Where to?")
        by: Literal["taxi", "lyft", "bus"] = ask("With whom?", label="company")
        driver: str = ask("Which driver would you like?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("ride", answers)])


GIVEN = ("Harbour Street", "taxi", "Ida")


@pytest.mark.parametrize(
    "said",
    [
        "as long as it's not a lyft, go ahead and book it",
        "fine by me as long as it isn't the bus",
        "just not Mark please, otherwise that's right",
    ],
)
async def test_what_is_denied_takes_the_place_of_nothing(said: str) -> None:
    answers, _ = await told(Ride, *GIVEN, said)

    assert answers["by"] == "taxi"
    assert answers["driver"] == "Ida"


async def test_what_is_meant_instead_of_it_does() -> None:
    answers, _ = await told(Ride, *GIVEN, "not the taxi, the bus please")

    assert answers["by"] == "bus"
