"""Tokens for pages: who may make one, what it is good for, and each way in which one is refused."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

import pytest

from softrail.api.tokens import Tokens
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.keys import Right, hash_key, new_key
from softrail.core.tokens import PREFIX, Token, sign
from softrail.replay.clock import FrozenClock
from softrail.store import MemoryStore
from tests.integration.api_server import CheckIn, Served, served, settings
from tests.integration.companion_server import memory

PAGE: Final = "https://app.example.org"
OTHER: Final = "https://other.example.org"
FOREIGN: Final = "https://elsewhere.example"
SECRET: Final = "a secret that nobody has guessed and nobody will"
LISTED: Final = settings(secret_key=SECRET, allowed_origins=(PAGE, OTHER))
HELLO: Final = {"message": "hello"}
Made = Callable[..., str]


@pytest.fixture
def keys() -> dict[str, str]:
    return {name: new_key() for name in ("makes", "plain")}


@pytest.fixture
def store(keys: Mapping[str, str]) -> MemoryStore:
    return with_keys(MemoryStore(), keys)


def with_keys(store: MemoryStore, keys: Mapping[str, str]) -> MemoryStore:
    """The store, where both are keys of the host's."""

    async def make() -> None:
        await store.start()
        host = await store.ensure_person("host@example.org", id="host", at=now())
        rights: dict[str, tuple[Right, ...]] = {"makes": (Right.TOKENS,), "plain": (Right.INSPECT,)}
        for name, given in rights.items():
            await store.add_key(
                AccessKey(
                    id=name,
                    person_id=host.id,
                    name=name,
                    hash=hash_key(keys[name]),
                    created_at=now(),
                    rights=given,
                )
            )

    asyncio.run(make())
    return store


@pytest.fixture
def server(store: MemoryStore) -> Iterator[Served]:
    with served(store=store, chosen=LISTED, processes=[CheckIn]) as running:
        yield running


def bearer(credential: str, origin: str | None = None) -> dict[str, str]:
    return {"Authorization": f"Bearer {credential}", **({"Origin": origin} if origin else {})}


@pytest.fixture
def token(server: Served, keys: Mapping[str, str]) -> Made:
    def made(person: str = "ada@example.org", **more: Any) -> str:
        answer = server.client.post("/tokens", json={"person": person, **more}, headers=bearer(keys["makes"]))
        assert answer.status_code == 201, answer.text
        assert answer.json()["token"].startswith(PREFIX)
        return str(answer.json()["token"])

    return made


def refused(answer: Any) -> tuple[int, str, str]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["message"]


def test_a_token_talks_for_its_person_from_its_page(server: Served, token: Made) -> None:
    headers = bearer(token(origin=PAGE), PAGE)
    said = server.client.post("/converse", json=HELLO, headers=headers)

    assert said.status_code == 200
    assert said.headers["access-control-allow-origin"] == PAGE
    assert server.client.get("/me", headers=headers).json()["email"] == "ada@example.org"
    shown = server.client.get(f"/sessions/{said.json()['session_id']}/turns", headers=headers)
    assert shown.json()["items"][0]["content"] == "hello"


def test_a_token_without_an_origin_is_for_whoever_has_it(server: Served, token: Made) -> None:
    given = token()
    assert server.client.get("/me", headers=bearer(given)).status_code == 200
    assert server.client.get("/me", headers=bearer(given, PAGE)).status_code == 200


def test_it_is_good_for_fifteen_minutes_at_most_and_not_a_second_longer(
    server: Served, token: Made, keys: Mapping[str, str], frozen: FrozenClock
) -> None:
    given = token(seconds=60)
    frozen.advance(seconds=59)
    assert server.client.get("/me", headers=bearer(given)).status_code == 200
    frozen.advance(seconds=1)
    status, code, message = refused(server.client.get("/me", headers=bearer(given)))
    assert (status, code) == (401, "token_expired")
    assert "Ask your own server for a new one" in message

    longer = {"person": "ada@example.org", "seconds": 901}
    assert server.client.post("/tokens", json=longer, headers=bearer(keys["makes"])).status_code == 422


@pytest.mark.parametrize("origin", [OTHER, FOREIGN, "null", None])
def test_a_token_of_one_page_is_refused_from_any_other(
    server: Served, token: Made, origin: str | None
) -> None:
    headers = bearer(token(origin=PAGE), origin)
    for answer in (
        server.client.get("/me", headers=headers),
        server.client.post("/converse", json=HELLO, headers=headers),
    ):
        status, code, message = refused(answer)
        assert (status, code) == (403, "forbidden")
        assert PAGE in message
        assert answer.headers.get("access-control-allow-origin") != FOREIGN


def test_a_page_that_is_not_listed_changes_nothing_whatever_token_it_has(server: Served, token: Made) -> None:
    headers = {**bearer(token(), FOREIGN), "Sec-Fetch-Site": "cross-site"}
    answer = server.client.post("/converse", json=HELLO, headers=headers)

    assert refused(answer)[:2] == (403, "forbidden")
    assert "access-control-allow-origin" not in answer.headers


def _changed(token: str, at: int) -> str:
    return f"{token[:at]}{'A' if token[at] != 'A' else 'B'}{token[at + 1 :]}"


@pytest.mark.parametrize(
    "tampered",
    [
        pytest.param(lambda token: _changed(token, len(PREFIX) + 5), id="whom-it-speaks-for"),
        pytest.param(lambda token: _changed(token, token.index(".") + 3), id="its-signature"),
        pytest.param(lambda token: token[: token.index(".")], id="no-signature"),
        pytest.param(lambda token: f"{token}.{token}", id="twice"),
        pytest.param(lambda token: PREFIX, id="nothing-in-it"),
        pytest.param(lambda token: PREFIX + "é.é", id="no-ascii"),
        pytest.param(lambda token: PREFIX + "A" * 5000, id="endless"),
    ],
)
def test_a_changed_token_is_refused(server: Served, token: Made, tampered: Callable[[str], str]) -> None:
    header = f"Bearer {tampered(token())}".encode()
    answer = server.client.get("/me", headers={b"authorization": header})

    status, code, message = refused(answer)
    assert (status, code) == (401, "unauthorized")
    assert "was not made by this server" in message


def test_a_token_of_another_secret_or_another_server_is_refused(
    server: Served, store: MemoryStore, token: Made, keys: Mapping[str, str]
) -> None:
    good = token()
    assert server.client.get("/me", headers=bearer(good)).status_code == 200
    expires = now() + timedelta(days=1)
    ada = asyncio.run(store.ensure_person("ada@example.org", id="new", at=now())).id
    for secret, person, key in (
        ("another secret that is long enough to sign", ada, keys["makes"]),
        (SECRET, ada, new_key()),  # the same secret beside another database
        (SECRET, "nobody-here", keys["makes"]),
    ):
        made = sign(Token(person_id=person, key_hash=hash_key(key), origin=None, expires_at=expires), secret)
        assert refused(server.client.get("/me", headers=bearer(made)))[:2] == (401, "unauthorized")


def test_a_second_secret_still_opens_what_it_signed(store: MemoryStore, keys: Mapping[str, str]) -> None:
    asked = {"person": "ada@example.org"}
    with served(store=store, chosen=LISTED) as first:
        given = first.client.post("/tokens", json=asked, headers=bearer(keys["makes"])).json()["token"]
    new = "another secret that nobody has guessed either"
    with served(store=store, chosen=settings(secret_key=f"{new},{SECRET}")) as second:
        assert second.client.get("/me", headers=bearer(given)).status_code == 200
    with served(store=store, chosen=settings(secret_key=new)) as third:
        assert third.client.get("/me", headers=bearer(given)).status_code == 401


async def test_taking_back_the_key_takes_back_its_tokens(store: MemoryStore, keys: Mapping[str, str]) -> None:
    with served(store=store, chosen=LISTED) as server:
        asked = {"person": "ada@example.org"}
        given = server.client.post("/tokens", json=asked, headers=bearer(keys["makes"])).json()["token"]
        assert await store.revoke_key("makes", at=now())
        assert refused(server.client.get("/me", headers=bearer(given)))[:2] == (401, "unauthorized")


def test_who_was_erased_has_no_token_any_more(store: MemoryStore, server: Served, token: Made) -> None:
    headers = bearer(token())
    said = server.client.post("/converse", json=HELLO, headers=headers).json()["session_id"]
    ada = asyncio.run(store.ensure_person("ada@example.org", id="new", at=now())).id
    assert server.client.portal is not None
    server.client.portal.call(server.dispatcher.erase_person, ada)

    new = bearer(token(seconds=30))  # the same address is somebody new
    assert server.client.get("/me", headers=new).json()["email"] == "ada@example.org"
    assert server.client.get(f"/sessions/{said}", headers=new).status_code == 404
    assert server.client.get(f"/sessions/{said}", headers=headers).status_code == 404


def test_one_persons_token_shows_nothing_of_anothers(server: Served, token: Made) -> None:
    adas = server.client.post("/converse", json=HELLO, headers=bearer(token())).json()["session_id"]
    bobs = bearer(token("bob@example.org"))

    assert server.client.get("/sessions", headers=bobs).json()["items"] == []
    unknown = server.client.get("/sessions/nothing-here", headers=bobs)
    answer = server.client.get(f"/sessions/{adas}", headers=bobs)
    assert (answer.status_code, answer.text) == (404, unknown.text)
    into = server.client.post("/converse", json={**HELLO, "session_id": adas}, headers=bobs)
    assert into.status_code == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/tokens"),
        ("DELETE", "/me"),
        ("PATCH", "/me"),
        ("PUT", "/me/model-key"),
        ("GET", "/me/export"),
        ("POST", "/instances/some-run/signals"),
    ],
)
def test_a_token_is_for_talking(server: Served, token: Made, method: str, path: str) -> None:
    body = {"person": "bob@example.org"} if method in ("POST", "PUT", "PATCH") else None
    answer = server.client.request(method, path, headers=bearer(token()), json=body)

    status, code, message = refused(answer)
    assert (status, code) == (403, "forbidden")
    assert "needs an access key" in message


@pytest.mark.parametrize("path", ["/inspect", "/inspect/sessions"])
def test_a_token_looks_into_nobodys_conversation(server: Served, token: Made, path: str) -> None:
    assert server.client.get(path, headers=bearer(token())).status_code == 404


def test_a_token_is_for_talking_also_in_what_plugins_bring(keys: Mapping[str, str]) -> None:
    with served(store=with_keys(memory(), keys), chosen=LISTED) as server:
        asked = {"person": "ada@example.org"}
        headers = bearer(
            server.client.post("/tokens", json=asked, headers=bearer(keys["makes"])).json()["token"]
        )
        project = "0b5d6600-0000-4000-8000-000000000000"

        assert server.client.get("/projects", headers=headers).status_code == 200
        member = {"email": "eve@example.org", "role": "owner"}
        answer = server.client.post(f"/projects/{project}/members", json=member, headers=headers)
        assert refused(answer)[:2] == (403, "forbidden")


@pytest.mark.parametrize(
    ("key", "status", "said"),
    [("plain", 403, "--right tokens"), ("", 401, "Send an access key"), ("wrong", 401, "Send an access key")],
)
def test_only_a_key_with_that_right_makes_tokens(
    server: Served, keys: Mapping[str, str], key: str, status: int, said: str
) -> None:
    headers = bearer(keys.get(key, key)) if key else {}
    answer = server.client.post("/tokens", json={"person": "ada@example.org"}, headers=headers)

    assert refused(answer)[0] == status
    assert said in refused(answer)[2]


def test_nobody_makes_one_in_local_mode() -> None:
    with served(chosen=LISTED) as server:
        answer = server.client.post("/tokens", json={"person": "ada@example.org"})
        assert refused(answer)[0] == 401


def test_one_cannot_be_made_for_a_page_that_may_not_ask(server: Served, keys: Mapping[str, str]) -> None:
    asked = {"person": "ada@example.org", "origin": FOREIGN}
    answer = server.client.post("/tokens", json=asked, headers=bearer(keys["makes"]))

    status, code, message = refused(answer)
    assert (status, code) == (403, "forbidden")
    assert FOREIGN in message
    assert "SOFTRAIL_ALLOWED_ORIGINS" in message


def test_a_page_that_got_hold_of_the_key_is_refused(server: Served, keys: Mapping[str, str]) -> None:
    headers = bearer(keys["makes"], FOREIGN)
    answer = server.client.post("/tokens", json={"person": "ada@example.org"}, headers=headers)
    assert refused(answer)[:2] == (403, "forbidden")


def test_without_a_secret_the_operator_is_told(store: MemoryStore, keys: Mapping[str, str]) -> None:
    with served(store=store, chosen=settings()) as server:
        answer = server.client.post(
            "/tokens", json={"person": "ada@example.org"}, headers=bearer(keys["makes"])
        )
        status, code, message = refused(answer)
        assert (status, code) == (409, "tokens_off")
        assert "SOFTRAIL_SECRET_KEY" in message


@pytest.mark.parametrize(
    "more", [{"person": ""}, {"person": "nobody"}, {"person": 7}, {"role": "owner"}, {"seconds": 0}]
)
def test_what_is_no_use_in_a_body_is_refused(
    server: Served, keys: Mapping[str, str], more: Mapping[str, Any]
) -> None:
    body = {"person": "ada@example.org", **more}
    answer = server.client.post("/tokens", json=body, headers=bearer(keys["makes"]))
    assert refused(answer)[:2] == (422, "bad_request")


async def test_what_was_begun_with_a_token_ends_with_it(
    store: MemoryStore, keys: Mapping[str, str], frozen: FrozenClock
) -> None:
    tokens = Tokens(store, [SECRET], ())
    key = await store.key_by_hash(hash_key(keys["makes"]))
    host = await store.person("host")
    assert key is not None
    assert host is not None
    short, _ = tokens.make(host, key, None, 60)
    long, _ = tokens.make(host, key, None, 600)

    assert set(await tokens.still([short, long, "srt_of.nobody"])) == {short, long}
    frozen.advance(seconds=60)
    assert await tokens.still([short, long]) == [long]
    await store.revoke_key("makes", at=now())
    assert await tokens.still([long]) == []
