"""Drives work that goes on while the conversation does.

An engine knows ids and claims: which run of which kind of work is driven here. What a run is, what is done in it and
what is true of it is its `Work`'s. `Embedded` needs nothing but the database, `Dbos` is for a fleet of
machines. This room knows core alone.
"""

from softrail.execution.embedded import Embedded
from softrail.execution.fleet import Dbos

__all__ = ["Dbos", "Embedded"]
