import pytest

from softrail.classifier.settle import settled
from softrail.classifier.split import split


def said(message: str) -> list[str]:
    return [segment.said for segment in settled(split(message))]


@pytest.mark.parametrize(
    ("message", "holds"),
    [
        (
            "Note that the gate opens on June 2. wait, I got that wrong. It's June 9.",
            ["Note that the gate opens on June 9."],
        ),
        ("The fair is in July 7. I mean July 8.", ["The fair is in July 8."]),
        ("The owner is Berta; sorry, I meant Carla.", ["The owner is Carla;"]),
        ("the owner is berta; sorry, i meant carla", ["the owner is carla;"]),
        ("The audit is on Monday. No, sorry, Tuesday.", ["The audit is on Tuesday."]),
        ("We have 12 chairs. No, 14.", ["We have 14 chairs."]),
        ("It costs 900 euros a month. I mean 950 euros.", ["It costs 950 euros a month."]),
        ("The wall is grey. I got that wrong. It's white.", ["The wall is white."]),
        ("The fair is on May 2. Correction: the fair is on May 4.", ["the fair is on May 4."]),
        ("plot the costs. hold on, plot the income instead", ["plot the income instead"]),
        (
            "The wall is grey. The fair is on May 2. I mean May 4. Show me my notes.",
            ["The wall is grey.", "The fair is on May 4.", "Show me my notes."],
        ),
    ],
    ids=[
        "a date",
        "I mean",
        "a name",
        "in lower case",
        "a weekday",
        "a number",
        "with its unit",
        "a value after a slip",
        "said again",
        "instead",
        "only what it corrects",
    ],
)
def test_a_sure_correction_is_carried_out(message: str, holds: list[str]) -> None:
    assert said(message) == holds


@pytest.mark.parametrize(
    "message",
    [
        "The wall is grey. wait, it's fine.",
        "We are open from 9 to 17. I mean 10.",
        "The cellar is dry. No, parking is free.",
        "The wall is grey. I mean, who paints a wall?",
        "The team is large. Wait, the team is in Lyon.",
        "The fair is on May 2. wait, I got that wrong. We have to ask Berta.",
        "the owner is berta. I mean carla",
        "The price is 20. wait, 3 more things",
        "The wall is grey and the roof is red. I got that wrong. It's white.",
    ],
)
def test_where_it_is_not_sure_what_is_corrected_every_word_stays(message: str) -> None:
    assert " ".join(said(message)) == message


@pytest.mark.parametrize(
    "message",
    [
        "We close at six. Instead of cash we take cards.",
        "Lunch is free. Correction tape is in the drawer.",
        "The door is open. Hold on Fridays is longer.",
        "Seats are few. Wait lists are long.",
        "It is a wide road. Rather narrow roads are closed.",
        "The fair is on May 2. I mean it.",
        "The wall is grey. I meant to say that the roof is red.",
        "The ward is open. No wait is longer than an hour.",
    ],
)
def test_a_word_that_may_correct_corrects_nothing_without_a_stop_after_it(message: str) -> None:
    assert [segment.cue for segment in split(message)] == ["", ""]
    assert " ".join(said(message)) == message


def test_a_correction_with_nothing_before_it_corrects_nothing() -> None:
    assert said("wait, show me my notes") == ["wait, show me my notes"]
    assert said("No, May 4.") == ["No, May 4."]
