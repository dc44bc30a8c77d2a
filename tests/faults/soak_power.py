"""A row of the long fault tests: the power goes, on a disk that keeps what it was told to keep and nothing else."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, row
from tests.faults.power import goes_on, missing, moments, talked

STARTED = 20  #: on one in so many of the disks a server is started, too


class Cuts(NamedTuple):
    """What was found on the disks that were left, the power having gone at so many moments."""

    moments: int
    disks: int
    faults: Sequence[str]
    most: int  #: turns that were missing on one of them


@row("A6")
async def the_power_goes(ground: Ground) -> Row:
    people, turns = ground.count(16, 4), ground.count(50, 6)
    full = await cuts(ground, durability="full", people=people, turns=turns, count=ground.count(2_000, 60))
    normal = await cuts(ground, durability="normal", people=4, turns=8, count=ground.count(200, 60))
    faults = [*full.faults[:3], *(fault for fault in normal.faults if not fault.endswith("is lost"))][:3]
    if not normal.most:
        faults.append("nothing is missing where nothing is synced: the disk is no such disk")
    return Row(
        name="A6",
        what="the power goes at any moment, SQLite as it is by default; the same with `normal`, to see that it can fail",
        counts=f"{2 * turns * (people + 1)} turns, {full.moments} moments, {full.disks} disks that were left; with `normal` up to "
        f"{normal.most} of {2 * 8 * 5} turns are missing, as it says",
        found=Findings(lost_acked=sum(fault.endswith("is lost") for fault in full.faults)),
        faults=faults,
    )


async def cuts(ground: Ground, *, durability: str, people: int, turns: int, count: int) -> Cuts:
    """What is missing after each of that many cuts."""
    folder, after = (Path(tempfile.mkdtemp(dir=ground.folder)) for _ in range(2))
    rng = Random(ground.seed)
    disk = await talked(folder, people=people, turns=turns, durability=durability)
    chosen = moments(disk, count, rng)
    found, disks, most = list[str](), 0, 0
    for disks, left in enumerate(disk.left(chosen, rng), 1):
        faults = missing(after, left)
        most = max(most, len({fault.split()[0] for fault in faults if fault.endswith("is lost")}))
        if not faults and disks % STARTED == 1:
            faults = await goes_on(after, list(left.told), rng)
        found += [f"before act {left.moment} of {len(disk.acts)}: {fault}" for fault in faults]
    return Cuts(len(chosen), disks, found, most)
