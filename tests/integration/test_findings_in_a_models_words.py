"""A model phrases what a plan has found; a number that is in no fact does not reach the person, and the plain words always do."""

import pytest

from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.models.scripted import ScriptedModel
from softrail.plugin import ModelUnavailable
from tests.integration.plan_server import Planned, plan, planned, sum_of

STEPS = (sum_of("price", "12.50", unit="EUR"), sum_of("total", "price * 3", "price", unit="EUR"))
PLAIN = "Done: What do three cost?\n- price: 12.50 EUR\n- total: 37.50 EUR"


class Phrasing(ScriptedModel):
    """Phrases findings as scripted; nothing else can be asked of it."""

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        if request.purpose != "phrase_findings":
            raise ModelUnavailable("It only phrases.", purpose=request.purpose)
        return await super().answer(request)


async def done(ada: Planned, problem: str = "What do three cost?") -> str:
    await ada.say(plan(*STEPS, problem=problem))
    await ada.say("yes")
    return (await ada.heard("Done: ")).content


async def test_what_the_facts_say_is_said_in_the_models_words_above_the_plain_ones() -> None:
    async with planned(model=Phrasing(["The total is 37.50 EUR."])) as ada:
        assert await done(ada) == f"The total is 37.50 EUR.\n\n{PLAIN}"


@pytest.mark.parametrize(
    "line",
    [
        "The total is 37.49 EUR.",
        "The total is 38 EUR.",
        "The price is 37.50 EUR.",
        "The total is 37.50 EUR, 200 % more.",
        "The total is thirty-seven EUR.",
        "The total is 37.50 EUR since May.",
        ModelUnavailable("away"),
        "",
    ],
    ids=["digit", "rounded", "swapped", "percent", "words", "date", "away", "silent"],
)
async def test_a_model_that_lies_or_fails_leaves_the_plain_words(line: str | BaseException) -> None:
    async with planned(model=Phrasing([line])) as ada:
        assert await done(ada) == PLAIN


async def test_a_proof_is_told_in_plain_words_alone() -> None:
    model = Phrasing([])
    async with planned(model=model) as ada:
        assert (await done(ada, "Verify what three cost")).startswith("Done: Verify what three cost\n- price")
    assert model.requests == []
