"""What a run that is under way is told by words alone: that it is to end, and nothing that only sounds like it."""

import pytest

from softrail.plans.intents import stops


@pytest.mark.parametrize(
    "words",
    [
        "stop",
        "cancel that",
        "Stop!",
        "please stop it now",
        "no, wait, stop that",
        "Wait. Stop.",
        "no please cancel the plan",
        "could you stop that now, please",
        "can you abort the run",
        "halt everything at once",
        "kill it",
        "end the run",
        "drop the whole plan",
        "stop running",
        "cancel all of it right away",
    ],
)
def test_a_run_is_stopped(words: str) -> None:
    assert stops(words)


@pytest.mark.parametrize(
    "words",
    [
        "stop, no, wait",
        "please no stop",
        "no stop",
        "stop? no",
        "the end",
        "end of the plan",
        "could that end now",
        "can it stop",
        "quit",
        "drop",
        "end it all",
        "don't stop",
        "stop the music",
        "",
    ],
)
def test_a_run_is_not_stopped(words: str) -> None:
    assert not stops(words)
