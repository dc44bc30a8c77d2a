"""Pages of other origins: what they may not do, what every answer tells a browser, and who is let in."""

import pytest

from softrail.api.web import pages
from softrail.settings import SettingsError, load_settings
from tests.integration.api_server import START, CheckIn, served, settings
from tests.integration.host_server import boss, embedded, hosted

HELLO = {"message": "hello"}
FOREIGN = "https://elsewhere.example"


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
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


#: Of a router in somebody else's application: what its answers are, with the cookie of a person.
INSIDE = [
    ("GET", "/sessions", 200),
    ("GET", "/sessions/of-nobody", 404),
    ("POST", "/converse", 422),
    ("GET", "/agui", 200),
    ("POST", "/agui", 422),
    ("POST", "/api/chat", 422),
    ("GET", "/api/chat/of-nobody/stream", 204),
    ("GET", "/processes/check_in/graph.svg", 200),
    ("GET", "/ui/HASH/nothing.js", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), INSIDE)
def test_what_a_router_adds_to_an_application_is_framed_by_nobody(
    method: str, path: str, status: int
) -> None:
    with embedded([CheckIn]) as client:
        answer = client.request(method, f"/assistant{path.replace('HASH', pages().hash)}", content="{}")

        assert answer.status_code == status, answer.text
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/ui/chat.js", "/ui/HASH/chat.js", "/ui/HASH/inspect/inspect.js"])
def test_the_files_that_a_router_adds_keep_their_kind(path: str) -> None:
    with embedded(inspector=boss) as client:
        answer = client.get(f"/assistant{path.replace('HASH', pages().hash)}")

        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_inspector_of_a_router_is_safe_for_those_who_may_and_unknown_to_others() -> None:
    with embedded(inspector=boss) as client:
        hidden, unknown = client.get("/assistant/inspect"), client.get("/assistant/nothing")
        assert (hidden.status_code, hidden.content) == (404, unknown.content)
        assert hidden.headers == unknown.headers

        client.cookies.set("session", "boss")
        for path in ("/inspect", "/inspect/of-nobody", "/inspect/sessions"):
            shown = client.get(f"/assistant{path}")
            assert shown.status_code == 200
            assert shown.headers["x-content-type-options"] == "nosniff"
            assert shown.headers["cross-origin-opener-policy"] == "same-origin"
            assert "frame-ancestors 'none'" in shown.headers["content-security-policy"]


def test_what_is_the_hosts_own_is_left_as_it_is() -> None:
    with embedded() as client:
        for path in ("/own", "/nothing", "/openapi.json"):
            assert set(client.get(path).headers) == {"content-length", "content-type"}


@pytest.mark.parametrize("path", ["/converse/stream", "/agui", "/api/chat"])
async def test_a_stream_of_a_router_comes_piece_by_piece(path: str) -> None:
    words = "do the slow thing"
    body = {
        "/converse/stream": {"message": words},
        "/agui": {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": words}]},
        "/api/chat": {
            "id": "t",
            "messages": [{"id": "m", "role": "user", "parts": [{"type": "text", "text": words}]}],
        },
    }[path]
    async with hosted() as server, server.browser("ada") as browser:
        async with browser.stream("POST", path, json=body) as answer:
            assert answer.headers["x-content-type-options"] == "nosniff"
            pieces, came = answer.aiter_text(), ""
            while "One moment." not in came:
                came += await anext(pieces)
            assert "All done." not in came  # it waits, and what was said is here
            server.gate.open.release()
            came += "".join([piece async for piece in pieces])

        assert "All done." in came


def test_what_is_no_origin_stops_the_start() -> None:
    with pytest.raises(SettingsError, match="no origin"):
        load_settings(allowed_origins="https://example.org/path")
