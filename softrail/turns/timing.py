"""How long the path of a turn waits, and for what."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Timing:
    """The limits of the path; times in seconds."""

    accept_after: float = 0.05  #: a turn that is not done by then is written down
    wait_limit: float = 60.0  #: how long a client waits for its turn's place
    waiting_limit: int = 100  #: turns that may wait in one session
    poll: float = 0.01  #: how often a waiting turn looks, at first
    poll_most: float = 0.2
