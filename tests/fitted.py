"""What every server with the usual settings fits after its start, fitted once for all servers of a run.

A server that a test ends before it is done with that leaves nothing behind, and the next one begins again.
"""

from functools import cache

from softrail.bootstrap import build
from softrail.classifier import default_cache
from softrail.classifier.encoder import encoder
from softrail.classifier.head import STRANGERS
from softrail.classifier.heads import Heads
from softrail.settings import Settings
from softrail.store import MemoryStore


@cache
def fit_what_is_bundled() -> None:
    """Both sets of bundled intents: the usual one, and that of a session with a plan."""
    registry = build(Settings(), store=MemoryStore()).registry
    heads = Heads(encoder(), default_cache(), strangers=STRANGERS)
    own = [one for one in registry.definitions() if any(i.offered == "active" for i in one.intents)]
    for candidates in (registry.candidates(), registry.candidates(own)):
        heads.known(candidates)
