"""Prints the table.

python -m benchmarks [--quick] [--only 1,3]
"""

import argparse
import asyncio
import logging
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from benchmarks.archiving import archiving
from benchmarks.companion import companion_growth
from benchmarks.fairness import fairness
from benchmarks.figures import Row, table
from benchmarks.free_turn import free_turns
from benchmarks.growth import growth
from benchmarks.http import over_http, with_pages
from benchmarks.in_process import alone_on_postgres, alone_on_sqlite, require_durable, together
from benchmarks.pages import first_content
from benchmarks.plainer import beside_plainer
from benchmarks.plans import plans
from benchmarks.reader import reading
from benchmarks.sizes import FULL, QUICK, Sizes
from benchmarks.speaking import speaking
from benchmarks.starting import starting
from benchmarks.streams import streams
from benchmarks.waiting import waiting
from benchmarks.wakes import wakes
from benchmarks.weight import weight
from benchmarks.writes import Recording, record
from tests.browser.kit import missing

NOTES = """
Every figure is from this run, on this machine; Softrail and the floor took turns, and the middle half is that
of the ratios of single rounds. The floor writes the same rows with the raw driver, one commit a turn, with the
same durability, and does nothing else: it reads nothing, checks nothing, decides nothing.
"""


def rows(folder: Path, sizes: Sizes, wanted: Sequence[int]) -> Iterator[Row]:
    """The rows of the table, measured one after the other."""
    recording = record()
    parts: dict[int, Callable[[], list[Row]]] = {
        1: lambda: _alone(folder, recording, sizes),
        2: lambda: asyncio.run(together(folder, recording, sizes)),
        3: lambda: over_http(folder, sizes),
        4: lambda: asyncio.run(growth(folder, recording, sizes)),
        5: lambda: asyncio.run(weight(folder, recording, sizes)),
        6: lambda: _companion(folder, sizes),
        7: lambda: asyncio.run(speaking(folder, sizes)),
        8: lambda: asyncio.run(reading(folder, sizes)),
        9: lambda: asyncio.run(waiting(folder, sizes)),
        10: lambda: asyncio.run(archiving(folder, recording, sizes)),
        11: lambda: asyncio.run(fairness(folder, sizes)),
        12: lambda: _streams(folder, sizes),
        13: lambda: _wakes(sizes),
        14: lambda: asyncio.run(plans(folder, sizes)),
        15: lambda: starting(folder, sizes),
        16: lambda: _pages(folder, sizes),
        17: lambda: with_pages(folder, sizes) + asyncio.run(beside_plainer(folder, sizes)),
        18: lambda: asyncio.run(free_turns(folder, sizes)),
    }
    for number in wanted:
        yield from parts[number]()


def _alone(folder: Path, recording: Recording, sizes: Sizes) -> list[Row]:
    found = asyncio.run(alone_on_sqlite(folder, recording, sizes))
    with _postgres() as (url, floor_url):
        return found + asyncio.run(alone_on_postgres(url, floor_url, recording, sizes))


def _streams(folder: Path, sizes: Sizes) -> list[Row]:
    found = asyncio.run(streams(folder, sizes))
    with _postgres() as (url, _):
        return found + asyncio.run(streams(folder, sizes, url))


def _wakes(sizes: Sizes) -> list[Row]:
    with _postgres() as (url, floor_url):
        return asyncio.run(wakes(url, floor_url, sizes))


def _pages(folder: Path, sizes: Sizes) -> list[Row]:
    if why := missing():
        print(f"  row 16 is left out. {why}", flush=True)
        return []
    return first_content(folder, sizes)


def _companion(folder: Path, sizes: Sizes) -> list[Row]:
    found = asyncio.run(companion_growth(folder, sizes))
    with _postgres() as (url, _):
        return found + asyncio.run(companion_growth(folder, sizes, url))


@contextmanager
def _postgres() -> Iterator[tuple[str, str]]:
    """Two fresh databases on a server of this run."""
    from tests.postgres import run_sql, start_server

    server = start_server(f"bench-{uuid4().hex[:8]}")
    try:
        names = ("softrail_bench", "softrail_floor")
        asyncio.run(run_sql(server.get_uri(), *(f"CREATE DATABASE {name}" for name in names)))
        ours, floor = (server.get_uri(name) for name in names)
        asyncio.run(require_durable(floor))
        yield ours, floor
    finally:
        server.cleanup()


def main() -> None:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="What a durable turn costs.")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    parser.add_argument(
        "--only", default="1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18", help="rows, for example 1,3"
    )
    parser.add_argument("--folder", help="where the database files are made: on the disk to be measured")
    given = parser.parse_args()
    # As the commands of `softrail` have it; numpy is not there yet.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    logging.disable(logging.WARNING)
    wanted = [int(number) for number in given.only.split(",")]
    sizes = QUICK if given.quick else FULL
    with tempfile.TemporaryDirectory(prefix="softrail-bench-", dir=given.folder) as folder:
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
        found = list[Row]()
        for row in rows(Path(folder), sizes, wanted):
            print(f"  measured: {row.name}", flush=True)
            found.append(row)
    print(f"\n{table(found)}\n{NOTES}")


if __name__ == "__main__":
    main()
