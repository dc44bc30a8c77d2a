"""What a list does not show is said below it: who has just as much, when there was nothing; and what is rounded, is so once."""

import pytest

from tests.integration.plan_server import Planned, planned
from tests.integration.test_data_of_plans import attach

pytestmark = pytest.mark.usefixtures("quick_data")

VISITS = b"""Day,Clinic,Doctor,Minutes
2024-01-03,North,Abel,10
2024-01-20,South,Baker,11
2024-02-07,North,Abel,10
2024-05-09,South,Cole,11
2024-05-30,South,Baker,12
"""


async def found(ada: Planned, said: str) -> str:
    await attach(ada, "visits.csv", VISITS)
    await ada.say(said)
    await ada.say("yes")
    return (await ada.heard("Done:")).content


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("which doctor has the most visits", "- Abel: 2\n- Baker: 2\n\nThese 2 have the same."),
        ("which clinic has the most visits", "- South: 3"),
        ("visits by month", "- 2024-05: 2\n\nThere is nothing in 2024-03, 2024-04."),
        ("visits by day", "There is nothing in 144 days in between."),
        ("compare the average minutes of north and south", "1.3"),
    ],
)
async def test_what_a_list_does_not_show_is_said_below_it(said: str, told: str) -> None:
    async with planned() as ada:
        content = await found(ada, said)
        assert told in content
        assert "000000" not in content
        assert ("have the same" in content) == ("have the same" in told)
