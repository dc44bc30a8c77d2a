"""No change of the path of a turn goes unseen: every conversation's decision records are kept."""

import asyncio
from pathlib import Path

import pytest

from tests.conversations.golden import FOLDER, TALKS, played, script_of


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.stem)
def test_every_turn_passes_the_gates_it_passed_before(talk: Path) -> None:
    kept = FOLDER / f"{talk.stem}.txt"

    assert kept.read_text(encoding="utf-8") == asyncio.run(played(script_of(talk))), (
        "The records of this conversation have changed. If that is meant, write them anew with "
        "`python -m tests.conversations.golden` and name the change in the commit."
    )
