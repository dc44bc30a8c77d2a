"""Pages that put ours into a frame: the browser shows nothing of them there, whoever's page it is."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import pytest
from fastapi import Cookie, FastAPI, HTTPException
from fastapi.responses import HTMLResponse

from softrail import Settings, build, create_router
from softrail.api import create_app
from softrail.processes.builtin.standup import Standup
from softrail.store import MemoryStore
from tests.browser.kit import Visitor, running, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OURS: Final = ("/inspect", "/inspect/of-nobody", "/processes/standup/graph.svg", "/sessions")
SETTINGS: Final = Settings(database_url="sqlite://", sweep_interval=3600.0, docs=True)
ERROR: Final = "chrome-error://chromewebdata/"  #: what a browser shows where it refuses to show a page


def framing(app: FastAPI, *addresses: str) -> None:
    """A page of that application with these in frames; it sets the cookie that says who is looking."""
    frames = "".join(f'<iframe src="{address}"></iframe>' for address in addresses)
    page = f'<!doctype html><title>Another page</title><link rel="icon" href="data:,">{frames}'

    @app.get("/page", include_in_schema=False)
    async def framed() -> HTMLResponse:
        answer = HTMLResponse(page)
        answer.set_cookie("session", "ada")
        return answer


@contextmanager
def served() -> Iterator[str]:
    """A server of ours, with all of its pages."""
    dispatcher = build(SETTINGS, store=MemoryStore(), processes=[Standup], discover=False)
    with running(create_app(dispatcher, SETTINGS)) as address:
        yield address


def shown(browser: "Browser", url: str) -> list[str]:
    """The addresses of what the frames of that page show, once the browser has said of each why it is not shown, or shows it."""
    visitor = Visitor(browser, url)
    page = visitor.context.new_page()
    page.goto("/page")
    until(page, lambda: all(frame.url for frame in page.frames), "A frame never gets an address.")
    found = [frame.url for frame in page.frames[1:]]
    visitor.context.close()
    assert all("frame-ancestors 'none'" in line for line in visitor.said), visitor.said
    return found


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"], ids=["of another site", "of another port"])
def test_a_page_of_somebody_else_shows_nothing_of_ours_in_a_frame(name: str, browser: "Browser") -> None:
    with ExitStack() as stack:
        ours = stack.enter_context(served())
        theirs = FastAPI()
        framing(theirs, *(f"{ours}{path}" for path in ("/", "/docs", *OURS)))
        url = stack.enter_context(running(theirs)).replace("127.0.0.1", name)

        assert shown(browser, url) == [ERROR] * 6


def test_nor_does_a_page_of_the_host_itself_by_whose_cookie_somebody_is_known(browser: "Browser") -> None:
    async def who(session: Annotated[str, Cookie()] = "") -> str:
        if session != "ada":
            raise HTTPException(401)
        return "ada@example.org"

    dispatcher = build(SETTINGS, store=MemoryStore(), processes=[Standup], discover=False)
    app = FastAPI()
    app.include_router(create_router(dispatcher, identity=who, inspector=who), prefix="/assistant")
    framing(app, *(f"/assistant{path}" for path in OURS))
    with running(app) as url:
        assert shown(browser, url) == [ERROR] * 4
