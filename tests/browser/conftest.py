"""One browser for the tests of a file, and visitors that are seen out."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.kit import Visitor, launched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    # Not for longer: its loop runs on this thread as long as it is there, and no other file's test could run one.
    with launched() as found:
        yield found


@pytest.fixture
def visit(browser: "Browser", url: str) -> Iterator[Visit]:
    """Makes a visitor, whose pages must have said nothing wrong by the end."""
    visitors: list[Visitor] = []

    def made(**options: Any) -> Visitor:
        visitors.append(Visitor(browser, url, **options))
        return visitors[-1]

    yield made
    for visitor in visitors:
        visitor.close()
