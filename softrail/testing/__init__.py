"""For those who write processes: talk to yours in a test, with a stopped clock, no key and no server.

The pytest plugin brings the fixtures `frozen` and `talk` and runs every `*.talk` file as a test;
`softrail.testing.contracts` holds the suites for those who write a store of their own. This room may know every
other; no other may know it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from softrail.models import ScriptedModel
    from softrail.replay.clock import FrozenClock
    from softrail.replay.conversation import Conversation, Said, conversation, in_memory
    from softrail.replay.script import Mismatch, Script, ScriptError
    from softrail.store import MemoryStore

__all__ = [
    "Conversation",
    "FrozenClock",
    "MemoryStore",
    "Mismatch",
    "Said",
    "Script",
    "ScriptError",
    "ScriptedModel",
    "conversation",
    "in_memory",
]


def __getattr__(name: str) -> Any:
    """Loaded when one of them is first asked for: pytest loads this package at every start, whatever it tests then."""
    if name not in __all__:
        raise AttributeError(f"module 'softrail.testing' has no attribute {name!r}")
    from softrail import models, store
    from softrail.replay import clock, conversation, script

    homes = (models, store, clock, conversation, script)
    value = next(getattr(home, name) for home in homes if hasattr(home, name))
    globals()[name] = value
    return value
