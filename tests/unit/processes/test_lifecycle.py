"""The lifecycle: the table, and nothing outside it."""

import itertools

import pytest

from softrail.core.instances import Instance, State, Trigger
from softrail.processes import IllegalMove, move
from tests.unit.processes.kit import MONDAY

TABLE = """
new offer offered
new start active
offered accept active
offered decline declined
offered lapse lapsed
active complete completed
active decline declined
active escape suspended
active timeout suspended
active trouble suspended
active close abandoned
active fail failed
suspended resume active
suspended decline declined
suspended close abandoned
suspended expire expired
abandoned undo active
declined undo active
suspended undo active
"""

LEGAL = {
    (None if source == "new" else State(source), Trigger(trigger)): State(dest)
    for source, trigger, dest in (line.split() for line in TABLE.strip().splitlines())
}


@pytest.mark.parametrize(
    ("state", "trigger"),
    list(itertools.product([None, *State], Trigger)),
    ids=lambda value: str(value),
)
def test_every_pair_of_state_and_trigger_does_what_the_table_says(
    state: State | None, trigger: Trigger
) -> None:
    instance = Instance(
        id="i1", person_id="p", session_id="s", process="x", version=1, state=state, holds=True, moves=4
    )
    dest = LEGAL.get((state, trigger))
    if dest is None:
        with pytest.raises(IllegalMove, match=f"cannot {trigger}"):
            move(instance, trigger, at=MONDAY, seq=7)
        return
    moved, transition = move(instance, trigger, at=MONDAY, seq=7, reason="because")
    assert (moved.state, moved.moves, moved.moved_at) == (dest, 5, MONDAY)
    assert moved.holds is (dest is State.ACTIVE)
    assert (transition.source, transition.dest, transition.trigger) == (state, dest, trigger)
    assert (transition.n, transition.seq, transition.at, transition.reason) == (5, 7, MONDAY, "because")
    assert instance.state is state
