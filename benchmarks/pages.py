"""Row 16: when the pages show something over a slow network, in the machine's Chromium; without one the row is left out."""

import asyncio
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.figures import Row, middle
from benchmarks.http import SERVE, server
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from benchmarks.talk import sqlite_url
from tests.browser.kit import launched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GOAL: Final = 1.0  #: seconds
SLOW: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}  #: milliseconds and bytes a second, in the words of the browser's DevTools protocol
FAST: Final = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
PAGES: Final = {"chat page": "/", "inspector": "/inspect"}
_PAINTED: Final = """() => new Promise((found) => new PerformanceObserver((list) => {
    for (const paint of list.getEntriesByName("first-contentful-paint")) found(paint.startTime);
}).observe({ type: "paint", buffered: true }))"""


def first_content(folder: Path, sizes: Sizes) -> list[Row]:
    """Each page opened by somebody who has never been there, over the slow network and over none, in turns."""
    asyncio.run(prepare(sqlite_url(folder, "pages")))
    settings = {"SOFTRAIL_DATABASE_URL": sqlite_url(folder, "pages"), "SOFTRAIL_LOG_LEVEL": "WARNING"}
    with server(folder, SERVE, settings) as (url, _), launched() as browser:
        return [_row(browser, url, page, sizes) for page in PAGES]


def _row(browser: "Browser", url: str, page: str, sizes: Sizes) -> Row:
    address = url + PAGES[page]
    _painted(browser, address, FAST)  # the browser itself has to begin
    opened = [
        (_painted(browser, address, SLOW), _painted(browser, address, FAST)) for _ in range(sizes.rounds)
    ]
    slow, fast = (statistics.median(times) for times in zip(*opened, strict=True))
    return Row(
        name=f"16 {page}: first content at 1.6 Mbit/s, 150 ms",
        ours=f"p50 {slow:.2f} s",
        floor=f"the machine itself: {fast:.2f} s",
        ratio=slow,
        spread=middle(slow for slow, _ in opened),
        at_most=GOAL,
        unit=" s",
    )


def _painted(browser: "Browser", url: str, network: dict[str, Any]) -> float:
    """Seconds from asking for a page until it showed something."""
    context = browser.new_context()
    try:
        page = context.new_page()
        tools = context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", network)
        page.goto(url)
        return float(page.evaluate(_PAINTED)) / 1000
    finally:
        context.close()
