"""Identifiers: ordered by time of making, with a random tail nobody can guess."""

import os
import sys
from typing import Final, Protocol

from softrail.core.clock import now


class Ids(Protocol):
    """Makes identifiers; a test passes a seeded one."""

    def new(self) -> str:
        """A new identifier, unique for ever, in the text form of a UUID."""
        ...


def process_of(worker: str) -> str:
    """The process of a worker: one that was thought dead goes on as `PROCESS/2` and so on."""
    return worker.partition("/")[0]


_TAIL: Final = 10  #: bytes of one, of which 74 bits are used
#: From the system, for the ids to come: asking it lets other threads in, which is dear where that is done for each.
_tails: list[bytes] = []
if sys.platform != "win32":
    os.register_at_fork(after_in_child=_tails.clear)  # no two processes may have the same


def _tail() -> int:
    try:
        drawn = _tails.pop()
    except IndexError:
        fresh = os.urandom(128 * _TAIL)
        _tails.extend(fresh[at : at + _TAIL] for at in range(_TAIL, len(fresh), _TAIL))
        drawn = fresh[:_TAIL]
    return int.from_bytes(drawn) >> 6


class TimeOrderedIds:
    """UUID version 7 (RFC 9562): 48 bits of milliseconds, then 74 random bits."""

    def new(self) -> str:
        """A new version 7 UUID. Order is a convenience for indexes; nothing relies on it."""
        stamp = int(now().timestamp() * 1000) & ((1 << 48) - 1)
        tail = _tail()
        digits = f"{stamp << 80 | 0x7 << 76 | (tail >> 62) << 64 | 0b10 << 62 | tail & (1 << 62) - 1:032x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
