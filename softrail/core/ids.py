"""Identifiers: ordered by time of making, with a random tail nobody can guess."""

import secrets
from typing import Protocol

from softrail.core.clock import now


class Ids(Protocol):
    """Makes identifiers; a test passes a seeded one."""

    def new(self) -> str:
        """A new identifier, unique for ever, in the text form of a UUID."""
        ...


def process_of(worker: str) -> str:
    """The process of a worker: one that was thought dead goes on as `PROCESS/2` and so on."""
    return worker.partition("/")[0]


class TimeOrderedIds:
    """UUID version 7 (RFC 9562): 48 bits of milliseconds, then 74 random bits."""

    def new(self) -> str:
        """A new version 7 UUID. Order is a convenience for indexes; nothing relies on it."""
        stamp = int(now().timestamp() * 1000) & ((1 << 48) - 1)
        tail = secrets.randbits(74)
        digits = f"{stamp << 80 | 0x7 << 76 | (tail >> 62) << 64 | 0b10 << 62 | tail & (1 << 62) - 1:032x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
