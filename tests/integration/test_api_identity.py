"""Who may ask: access keys, and local mode without any."""

import asyncio
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Annotated

import pytest
from fastapi import Depends, FastAPI, Header, HTTPException, Request
from starlette.testclient import TestClient

from softrail.api import create_router
from softrail.api.failures import Unauthorized
from softrail.api.identity import Identity
from softrail.bootstrap import build
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.keys import hash_key, new_key
from softrail.core.people import Person
from softrail.settings import SettingsError, load_settings
from softrail.store import MemoryStore
from tests.integration.api_server import ADA, CheckIn, Served, served, settings


def keyed(store: MemoryStore, email: str, key_id: str) -> str:
    """A key of that person, made as the command line makes it."""
    key = new_key()

    async def make() -> None:
        await store.start()
        person = await store.ensure_person(email, id=f"p-{email}", at=now())
        await store.add_key(
            AccessKey(id=key_id, person_id=person.id, name="", hash=hash_key(key), created_at=now())
        )

    asyncio.run(make())
    return key


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def ada(store: MemoryStore) -> str:
    return keyed(store, "ada@example.org", "k-ada")


@pytest.fixture
def server(store: MemoryStore, ada: str) -> Iterator[Served]:
    with served(store=store) as running:
        yield running


def test_in_local_mode_a_header_picks_and_makes_a_person() -> None:
    with served() as server:
        assert server.client.get("/me").json()["email"] == "me@localhost"
        picked = server.client.get("/me", headers={"X-Softrail-Person": "New@Example.org"})
        assert picked.json()["email"] == "new@example.org"


#: What says that somebody handed a request on, written out: it is not the code's own list that is trusted here.
PROXIES = (
    *("Forwarded", "Forwarded-For", "Via", "Max-Forwards", "Proxy-Connection", "Front-End-Https"),
    *("X-Forwarded", "X-Forwarded-By", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Port"),
    *("X-Forwarded-Prefix", "X-Forwarded-Proto", "X-Forwarded-Server", "X-Forwarded-Ssl", "X_Forwarded_For"),
    *("X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP", "True-Client-IP", "X-ProxyUser-Ip", "X-Scheme"),
    *("X-Original-For", "X-Original-Host", "X-Original-URL", "X-Envoy-External-Address", "X-Amzn-Trace-Id"),
    *("CDN-Loop", "CF-Connecting-IP", "CF-Ray", "Fastly-Client-IP", "Fly-Client-IP", "Ngrok-Trace-Id"),
    *("Surrogate-Capability", "Tailscale-User-Login", "X-Appengine-User-IP", "X-Azure-ClientIP"),
    *("X-Nf-Client-Connection-Ip", "X-Varnish", "X-Vercel-Id"),
)


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "https://evil.example"}, id="a page of another site"),
        pytest.param({"Origin": "null"}, id="a page without an origin"),
        *(pytest.param({name: "127.0.0.1"}, id=f"a proxy, by {name}") for name in PROXIES),
    ],
)
def test_local_mode_trusts_only_its_own_machine(headers: dict[str, str]) -> None:
    with served() as server:
        assert server.client.get("/me", headers=headers).status_code == 401
        own = {"Origin": "http://localhost:3000", "Host": "127.0.0.1:8000", "X-Request-Id": "7"}
        assert server.client.get("/me", headers=own).status_code == 200


def test_local_mode_takes_two_origins_for_none_of_its_own() -> None:
    with served() as server:
        both = [(b"Origin", b"http://localhost"), (b"Origin", b"https://evil.example")]
        assert server.client.get("/me", headers=both).status_code == 401


@pytest.mark.parametrize(("version", "refused"), [("1.0", True), ("1.1", False), ("2", False)])
async def test_local_mode_takes_what_web_servers_speak_to_each_other_for_a_proxy(
    version: str, *, refused: bool
) -> None:
    asked = Request(
        {
            "type": "http",
            "http_version": version,
            "headers": [(b"host", b"127.0.0.1:8000")],
            "client": ("127.0.0.1", 50000),
        }
    )
    identity = Identity(MemoryStore(), local_person="me@localhost")
    with pytest.raises(Unauthorized) if refused else nullcontext():
        assert (await identity(asked)).email == "me@localhost"


@pytest.mark.parametrize(
    "host",
    [
        pytest.param("evil.example:8000", id="a name that was made to point here"),
        pytest.param("192.0.2.7", id="another address"),
        pytest.param("intranet", id="a name of one label"),
        pytest.param("", id="no name"),
        pytest.param("evil.example@localhost", id="a name before another"),
        pytest.param("localhost/evil.example", id="a name before a path"),
        pytest.param("localhost:80:90", id="two ports"),
        pytest.param("[::1", id="half a bracket"),
    ],
)
@pytest.mark.parametrize(
    "path", ["/me", "/", "/metrics", "/docs", "/openapi.json", "/healthz", "/readyz", "/nowhere"]
)
def test_local_mode_answers_by_no_name_but_its_own_on_any_route(host: str, path: str) -> None:
    with served() as server:
        answer = server.client.get(path, headers={"Host": host})
        assert (answer.status_code, answer.json()["error"]["code"]) == (421, "wrong_host")


def test_with_keys_any_name_with_a_dot_will_do_until_there_is_a_list(store: MemoryStore, ada: str) -> None:
    def status(server: Served, host: str) -> int:
        headers = {"Host": host, "Authorization": f"Bearer {ada}"}
        return int(server.client.get("/me", headers=headers).status_code)

    with served(store=store) as server:
        found = {
            host: status(server, host) for host in ("a.example", "10.1.2.3:80", "[fd00::1]", "softrail", "")
        }
        assert list(found.values()) == [200, 200, 200, 421, 421]
    listed = settings(hosts=("Softrail", "*.a.example", "10.0.0.0/8", "fd00::1"))
    with served(store=store, chosen=listed) as server:
        known = (
            "softrail",
            "softrail.:80",
            "x.a.example",
            "10.1.2.3",
            "[fd00::1]:80",
            "localhost",
            "127.0.0.1",
        )
        assert {status(server, host) for host in known} == {200}
        strange = (
            "a.example",
            "evil.example",
            "xa.example",
            "11.1.2.3",
            "softrail2",
            "*.a.example.evil.example",
        )
        assert {status(server, host) for host in strange} == {421}


def test_local_mode_answers_by_a_name_of_one_label_that_is_listed() -> None:
    with served(chosen=settings(hosts=("workbench",))) as server:
        assert server.client.get("/me", headers={"Host": "workbench:8000"}).status_code == 200
        assert server.client.get("/me", headers={"Host": "evil.example"}).status_code == 421


def test_two_names_in_one_request_are_none() -> None:
    with served() as server:
        both = [(b"Host", b"localhost"), (b"Host", b"evil.example")]
        assert server.client.get("/me", headers=both).status_code == 421


@pytest.mark.parametrize(
    "host", ["http://a.example", "a.example:80", "*", "a.*.example", "10.0.0.0/33", "a b"]
)
def test_what_is_no_host_is_no_setting(host: str) -> None:
    with pytest.raises(SettingsError, match="hosts is not usable"):
        load_settings(hosts=host)


@pytest.mark.parametrize(
    "peer", ["192.0.2.7", "::ffff:192.0.2.7", "2001:db8::7", "10.0.0.1", "128.0.0.1", "unix"]
)
def test_local_mode_answers_no_other_machine_whatever_it_says(peer: str) -> None:
    with served() as server:
        app = server.client.app
        elsewhere = TestClient(app, base_url="http://localhost", client=(peer, 50000))
        assert elsewhere.get("/me").status_code == 401
        assert elsewhere.post("/converse", json={"message": "hi"}).status_code == 401
        mapped = TestClient(app, base_url="http://[::1]:8000", client=("::ffff:127.0.0.1", 50000))
        assert mapped.get("/me").status_code == 200


async def test_local_mode_answers_nobody_who_cannot_be_seen() -> None:
    asked = Request({"type": "http", "headers": [(b"host", b"localhost")], "client": None})
    with pytest.raises(Unauthorized):
        await Identity(MemoryStore(), local_person="me@localhost")(asked)


def test_a_setting_wants_keys_before_there_are_any_and_another_keeps_to_this_machine(
    store: MemoryStore, ada: str
) -> None:
    with served(chosen=settings(access="keys")) as server:
        assert server.client.get("/me").status_code == 401
    with served(store=store, chosen=settings(access="local")) as server:
        assert server.client.get("/me").json()["email"] == "me@localhost"
        assert server.client.get("/me", headers={"X-Forwarded-For": "::1"}).status_code == 401


def test_a_key_says_who_asks_and_the_header_does_not(server: Served, ada: str) -> None:
    answer = server.client.get(
        "/me", headers={"Authorization": f"Bearer {ada}", "X-Softrail-Person": "bob@example.org"}
    )

    assert answer.json()["email"] == "ada@example.org"


BAD = {
    "none": {},
    "local mode's header alone": ADA,
    "another key": {"Authorization": f"Bearer {new_key()}"},
    "empty": {"Authorization": ""},
    "no key": {"Authorization": "Bearer "},
    "basic": {"Authorization": "Basic YWRhOng="},
    "alg none": {"Authorization": "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."},
    "a path": {"Authorization": "Bearer ../../etc/passwd"},
    "sql": {"Authorization": "Bearer ' OR 1=1 --"},
    "very long": {"Authorization": "Bearer " + "x" * 30_000},
    "not ascii": {"Authorization": "Bearer \u00e9\u00ff"},
}


@pytest.mark.parametrize("headers", [pytest.param(h, id=i) for i, h in BAD.items()])
def test_bad_credentials_are_401_whatever_is_asked(server: Served, headers: dict[str, str]) -> None:
    raw = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
    for method, path in (
        ("GET", "/me"),
        ("POST", "/converse"),
        ("GET", "/sessions/x"),
        ("GET", "/processes"),
    ):
        response = server.client.request(method, path, headers=raw)
        assert response.status_code == 401, path
        assert response.headers["www-authenticate"] == "Bearer"
        assert response.json()["error"]["code"] == "unauthorized"


def test_a_hash_that_leaked_is_no_key(server: Served, ada: str) -> None:
    answer = server.client.get("/me", headers={"Authorization": f"Bearer {hash_key(ada)}"})

    assert answer.status_code == 401


def test_a_revoked_key_is_refused_and_revoking_all_keys_opens_nothing(store: MemoryStore, ada: str) -> None:
    asyncio.run(store.revoke_key("k-ada", at=now()))
    with served(store=store) as server:
        assert server.client.get("/me", headers={"Authorization": f"Bearer {ada}"}).status_code == 401
        assert server.client.get("/me").status_code == 401


def test_erasing_the_last_holder_of_a_key_opens_nothing(store: MemoryStore, ada: str) -> None:
    headers = {"Authorization": f"Bearer {ada}"}
    with served(store=store) as server:
        assert server.client.delete("/me", headers=headers).status_code < 300
        assert server.client.get("/me").status_code == 401
    assert asyncio.run(no_keys(store))
    with served(store=store) as later:  # a worker that never saw a key
        assert later.client.get("/me").status_code == 401
        assert later.client.get("/me", headers=ADA).status_code == 401


async def no_keys(store: MemoryStore) -> bool:
    return not await store.keys()


def test_who_erased_themselves_is_refused_at_once(server: Served, ada: str) -> None:
    headers = {"Authorization": f"Bearer {ada}"}
    assert server.client.get("/me", headers=headers).status_code == 200

    server.client.delete("/me", headers=headers)

    assert server.client.get("/me", headers=headers).status_code == 401


def test_health_needs_no_key(server: Served) -> None:
    assert server.client.get("/healthz").json() == {"status": "ok"}
    assert server.client.get("/readyz").json()["store"] == "ok"


def test_docs_and_figures_are_closed_unless_a_setting_opens_them() -> None:
    with served(chosen=settings(docs=False)) as server:
        for path in ("/docs", "/redoc", "/openapi.json", "/metrics"):
            assert server.client.get(path).status_code == 404
    with served() as server:
        assert server.client.get("/docs").status_code == 200


def test_a_team_mounts_the_router_in_its_own_application_with_its_own_identity() -> None:
    async def current_user(x_user: Annotated[str | None, Header()] = None) -> str:
        if x_user is None:
            raise HTTPException(401, "who are you?")
        return f"{x_user}@team.example"

    async def as_person(email: Annotated[str, Depends(current_user)]) -> Person:
        return await dispatcher.store.ensure_person(email, id=f"id-{email}", at=now())

    dispatcher = build(settings(), store=MemoryStore(), processes=[CheckIn], discover=False)
    app = FastAPI()
    app.include_router(create_router(dispatcher, identity=current_user), prefix="/assistant")
    app.include_router(create_router(dispatcher, identity=as_person), prefix="/other")

    asyncio.run(dispatcher.store.start())
    with TestClient(app) as client:
        email = client.get("/assistant/me", headers={"X-User": "eve"}).json()["email"]
        other = client.get("/other/me", headers={"X-User": "eve"}).json()["email"]
        nobody = client.get("/assistant/me")
        bad = client.post("/assistant/converse", json={"message": ""}, headers={"X-User": "eve"})

    assert email == other == "eve@team.example"
    assert nobody.status_code == 401
    assert nobody.json()["error"]["code"] == "unauthorized"
    assert bad.json()["error"]["code"] == "bad_request"
