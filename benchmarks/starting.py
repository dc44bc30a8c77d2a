"""Row 15: what a server has cost when it is ready, beside bare FastAPI on the same web server (Linux only)."""

import statistics
import sys
from pathlib import Path

from benchmarks.figures import Row, middle
from benchmarks.http import SERVE, server, worked
from benchmarks.sizes import Sizes
from benchmarks.talk import sqlite_url

BARE = (
    sys.executable,
    "-c",
    """
import sys
import uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.get("/healthz")
async def healthz() -> dict[str, str]:
    return {"status": "ok"}
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")
""",
)


def starting(folder: Path, sizes: Sizes) -> list[Row]:
    """Starts of both, one after the other, on files that are there; each has started once before it is measured."""
    settings = {"SOFTRAIL_DATABASE_URL": sqlite_url(folder, "starting"), "SOFTRAIL_LOG_LEVEL": "WARNING"}
    found = list[tuple[float, float]]()
    for _ in sizes.numbers():
        with server(folder, SERVE, settings) as (_, pid):
            ours = worked(pid)
        with server(folder, BARE, {}) as (_, pid):
            found.append((ours, worked(pid)))
    del found[: sizes.warming]
    return [
        Row(
            name="15 a start of `softrail serve`, SQLite",
            ours=_words([a for a, _ in found]),
            floor=_words([b for _, b in found]),
            ratio=statistics.median(a / b for a, b in found),
            spread=middle(a / b for a, b in found),
        )
    ]


def _words(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.2f} s of CPU"
