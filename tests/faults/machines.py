"""The state machines of the suite, driven for longer: many more walks, of more steps each."""

import logging

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

STEPS = 50  #: of one walk


def broken(machine: type[RuleBasedStateMachine], *, walks: int) -> list[str]:
    """What the machine found broken, a sentence; nothing when every walk held. It computes; call it off the loop."""
    chosen = settings(
        max_examples=walks,
        stateful_step_count=STEPS,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    logging.disable(logging.CRITICAL)  # what fails on purpose in a walk is no news
    try:
        run_state_machine_as_test(machine, settings=chosen)
    except Exception as error:
        told = [str(error) or type(error).__name__, *getattr(error, "__notes__", ())]
        return [" ".join(" ".join(told).split())]
    finally:
        logging.disable(logging.NOTSET)
    return []
