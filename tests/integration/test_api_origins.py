"""Pages of other origins: what they may not do, what every answer tells a browser, and who is let in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import pytest
from fastapi import Cookie, FastAPI, HTTPException
from starlette.testclient import TestClient

from softrail import Settings, build, create_router
from softrail.settings import SettingsError, load_settings
from softrail.store import MemoryStore
from tests.integration.api_server import START, served, settings

HELLO = {"message": "hello"}
FOREIGN = "https://elsewhere.example"


@contextmanager
def embedded(**options: object) -> Iterator[TestClient]:
    """An application whose people are known by a cookie, which a browser sends by itself."""

    async def who(session: Annotated[str, Cookie()] = "") -> str:
        if session != "ada":
            raise HTTPException(401)
        return "ada@example.org"

    dispatcher = build(Settings(database_url="sqlite://"), store=MemoryStore(), discover=False)
    app = FastAPI()
    app.include_router(create_router(dispatcher, identity=who, **options), prefix="/assistant")  # type: ignore[arg-type]
    with TestClient(app, base_url="https://app.example.org", cookies={"session": "ada"}) as client:
        yield client


@pytest.mark.parametrize("path", ["/converse", "/agui", "/api/chat", "/sessions"])
@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "cross-site"}, {"Origin": FOREIGN}, {"Origin": "null"}],
    ids=["cross-site", "foreign", "no-origin"],
)
def test_a_page_of_another_site_changes_nothing_with_a_cookie(path: str, headers: dict[str, str]) -> None:
    with embedded() as client:
        refused = client.post(f"/assistant{path}", json=HELLO, headers=headers)

        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
        assert client.get("/assistant/sessions", headers=headers).json()["items"] == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://app.example.org", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "https://app.example.org:8443"},
        {"Origin": "https://listed.example", "Sec-Fetch-Site": "cross-site"},
        {"Origin": FOREIGN, "Authorization": "Bearer of-theirs"},
    ],
    ids=["no-page", "own", "own-other-port", "listed", "a-token"],
)
def test_own_pages_listed_ones_and_those_with_a_token_may(headers: dict[str, str]) -> None:
    with embedded(allowed_origins=["https://listed.example"]) as client:
        assert client.post("/assistant/converse", json=HELLO, headers=headers).status_code == 200


@pytest.mark.parametrize("path", ["/converse", "/agui", "/api/chat", "/sessions"])
def test_a_page_that_comes_by_another_name_of_the_host_changes_nothing_with_a_cookie(path: str) -> None:
    with embedded() as client:
        own = {"Host": "elsewhere.example", "Origin": "https://app.example.org"}
        refused = client.post(f"/assistant{path}", json=HELLO, headers=own)  # its own page, sent elsewhere

        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")

        client.cookies.clear()  # a name that was pointed here later: a browser has no cookie for it
        rebound = {"Host": "elsewhere.example", "Origin": FOREIGN, "Sec-Fetch-Site": "same-origin"}
        assert client.post(f"/assistant{path}", json=HELLO, headers=rebound).status_code == 401
        client.cookies.set("session", "ada")
        assert client.get("/assistant/sessions").json()["items"] == []


def test_a_server_refuses_foreign_pages_whoever_asks_and_answers_cors_only_to_those_listed() -> None:
    with served(chosen=settings(allowed_origins=("https://listed.example",), access="local")) as server:
        asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}

        cross = server.client.post("/converse", json=HELLO, headers={"Sec-Fetch-Site": "cross-site"})
        assert cross.status_code == 403
        ok = server.client.options("/agui", headers={**asked, "Origin": "https://listed.example"})
        assert ok.headers["access-control-allow-origin"] == "https://listed.example"
        refused = server.client.options("/agui", headers={**asked, "Origin": FOREIGN})
        assert "access-control-allow-origin" not in refused.headers


@pytest.mark.parametrize("path", ["/", "/docs", "/sessions", "/nowhere", "/processes/check_in/graph.svg"])
def test_every_answer_keeps_its_kind_and_is_framed_by_nobody(path: str) -> None:
    with served() as server:
        server.say(START)
        headers = server.client.get(path).headers

        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        policy = headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy or "sandbox" in policy


def test_what_is_no_origin_stops_the_start() -> None:
    with pytest.raises(SettingsError, match="no origin"):
        load_settings(allowed_origins="https://example.org/path")
