"""What is right is often said in the same breath as what is wrong: it is taken, or asked about, and never dropped."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Fair(Process, name="fair", version=1):
    """A stand at a fair."""

    starts_on = ("plan a stand",)

    class Answers(BaseModel):
        motto: str = ask("What is the motto of the stand?", description="the motto of the stand")
        helpers: str = ask("Who will help you?", description="the people who help", names=("helper",))
        success: str = ask("How will you know that it was a success?", label="success condition")
        tone: str = ask("Which tone should the leaflet have?", default="", names=("style",))
        limits: list[str] = ask(
            "Which limits are there: money, time, rules?",
            default=[],
            description="limits: budget, time, rules",
        )

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


TO_THE_SUMMARY = ("Bees in town", "me and my brother", "when everything is sold", "plain", "500 euros")


@pytest.mark.parametrize(
    ("said", "limits"),
    [
        ("500 is too low, say 600", "600 euros"),
        ("500 euros is not enough, make it 900", "900 euros"),
        ("rather 450 than 500", "450 euros"),
    ],
)
async def test_a_number_that_is_said_again_is_changed_within_its_answer(said: str, limits: str) -> None:
    answers, words = await told(Fair, *TO_THE_SUMMARY, said)
    assert answers["limits"] == [limits]
    assert words.startswith("I've changed limits.")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("that's not right, the budget was 600", "limits: 600 euros instead of 500 euros"),
        ("500 seems little, 700 would be better", "limits: 700 euros instead of 500 euros"),
        ("is 500 enough, or should i say 600", "limits: 600 euros instead of 500 euros"),
        (
            "sold is not enough, people should come back",
            "success condition: people should come back",
        ),
        (
            "sold is not enough, we need a profit",
            "success condition: we need a profit instead of when everything is sold",
        ),
    ],
)
async def test_what_is_likely_right_is_put_to_the_person(said: str, asked: str) -> None:
    answers, words = await told(Fair, *TO_THE_SUMMARY, said)
    assert asked in words
    assert answers["limits"] == ["500 euros"]
    assert answers["tone"] == "plain"


async def test_what_is_told_behind_approval_is_not_dropped() -> None:
    answers, _ = await told(Fair, *TO_THE_SUMMARY, "fine, just make the tone playful")
    assert answers["tone"] == "playful"


@pytest.mark.parametrize(
    "said", ["the tone is wrong, sorry about that", "the tone is wrong, can you fix it", "the tone is wrong"]
)
async def test_an_answer_that_is_only_called_wrong_is_asked_for(said: str) -> None:
    _, words = await told(Fair, *TO_THE_SUMMARY, said)
    assert words.startswith("Which tone should the leaflet have?")


@pytest.mark.parametrize("said", ["no tone please", "no style", "no tone"])
async def test_what_can_be_left_out_is_left_out_by_its_name(said: str) -> None:
    answers, words = await told(Fair, *TO_THE_SUMMARY, said)
    assert "tone" not in answers
    assert words.startswith("I've changed tone.")


async def test_what_is_needed_is_asked_for_anew() -> None:
    _, words = await told(Fair, *TO_THE_SUMMARY, "no motto")
    assert words.startswith("What is the motto of the stand?")


async def test_more_of_an_answer_of_words_comes_behind_it() -> None:
    answers, _ = await told(Fair, *TO_THE_SUMMARY, "add Lena to the helpers")
    assert answers["helpers"] == "me and my brother, Lena"


@pytest.mark.parametrize("said", ["add my sister", "and my sister", "good except the helpers, add my sister"])
async def test_where_it_is_not_said_to_which_it_comes_it_is_asked(said: str) -> None:
    answers, words = await told(Fair, *TO_THE_SUMMARY, said)
    assert "helpers: my sister as well; helpers: my sister instead of me and my brother" in words
    assert answers["helpers"] == "me and my brother"
    answers, _ = await told(Fair, *TO_THE_SUMMARY, said, "as well")
    assert answers["helpers"] == "me and my brother, my sister"
    answers, _ = await told(Fair, *TO_THE_SUMMARY, said, "instead")
    assert answers["helpers"] == "my sister"


@pytest.mark.parametrize("said", ["and the helpers are just me", "oh and the helpers are just me"])
async def test_a_correction_behind_another_is_one_as_well(said: str) -> None:
    answers, words = await told(Fair, *TO_THE_SUMMARY, "500 is too low, say 600", said)
    assert answers["limits"] == ["600 euros"]
    assert answers["helpers"] == "just me" or "just me instead of me and my brother" in words


async def test_an_answer_that_calls_another_one_is_asked_about() -> None:
    answers, words = await told(Fair, *TO_THE_SUMMARY[:2], "and the helpers are just me")
    assert "just me instead of me and my brother" in words
    assert "success" not in answers


async def test_a_name_in_what_is_told_of_it_stays_an_answer() -> None:
    answers, _ = await told(Fair, *TO_THE_SUMMARY[:2], "the helpers are happier than last year")
    assert answers["success"] == "the helpers are happier than last year"
