"""Hostile text and bodies: never a 5xx, never a leak, and what was taken comes back as it was sent."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from softrail.store import MemoryStore, open_store
from tests.integration.api_server import ADA, Served, served

MIB = 1_048_576
LEAKS = (
    "Traceback",
    'File "',
    "sqlite3",
    "sqlalchemy",
    "pydantic",
    "psycopg",
    "asyncpg",
    "SELECT ",
    "Error(",
)

TEXTS = {
    "sql comment": "'; DROP TABLE turns; --",
    "sql union": '" UNION SELECT hash FROM keys --',
    "sql wildcards": "100% _under_ [x]",
    "sql placeholder": "? :name %(x)s $1 %s",
    "template attributes": "{companion_name.__class__.__mro__}",
    "template width": "{x:>999999999}",
    "template position": "{0} {} {{}}",
    "jinja": "{{7*7}} {% for x in ().__class__.__bases__ %}",
    "shell": "$(rm -rf /) `id` ; | && > /dev/null",
    "path": "../../../../etc/passwd",
    "windows path": "C:\\con\\nul.txt",
    "url": "http://169.254.169.254/latest/meta-data/",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "markdown link": "[x](javascript:alert(1))",
    "header injection": "hi\r\nSet-Cookie: a=b\r\n\r\n",
    "event stream injection": "hi\n\nevent: turn.committed\ndata: {}\n\n",
    "log forging": 'hi\n{"level":"ERROR","message":"forged"}',
    "ansi": "\x1b[2J\x1b[1;31mred",
    "control characters": "".join(chr(c) for c in range(1, 32)) + "x",
    "delete and c1": "\x7f\x80\x9f x",
    "bom": "\ufeffhello",
    "right to left": "\u202egnp.exe",
    "isolates": "\u2066\u2067\u2068\u2069 hi",
    "zero width": "st\u200bop",
    "combining": "Z" + "\u0351" * 2_000,
    "emoji family": "👨‍👩‍👧‍👦" * 100,
    "flags": "🇩🇪🇫🇷🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "astral": "𝕳𝖊𝖑𝖑𝖔 \U0010fffd",
    "noncharacters": "\ufffe\uffff x",
    "replacement": "\ufffd\ufffd x",
    "line separators": "a\u2028b\u2029c\u0085d",
    "nbsp": "a\u00a0b\u3000c",
    "normal forms": "e\u0301 é ﬁ ＳＴＯＰ",
    "turkish": "İıŞş STANDİUP",
    "arabic": "أهلا وسهلا",
    "han": "你好，世界" * 500,
    "long word": "a" * 16_000,
    "many lines": "\n".join(["x"] * 8_000),
    "blanks around": "   hi   ",
    "only punctuation": "?!…",
    "one letter": "x",
    "a number": "0",
    "looks like json": '{"message": "inner", "session_id": null}',
    "looks like null": "null",
    "looks like true": "true",
    "nan": "NaN Infinity -0",
    "slash": "/",
    "unknown slash": "/xyzzy",
    "a path as message": "/etc/hosts",
    "slash with argument": "/help; rm -rf /",
    "escape shouted": "STOP!!!!!!",
    "escape wide": "ｓｔｏｐ",
    "yaml bomb": "a: &a [*a,*a]",
    "regex": "(a+)+$" + "a" * 5_000,
    "backslashes": "\\" * 16_000,
    "quotes": "\"'`´„“«»" * 1_000,
    "prototype": "__proto__ constructor",
    "format string": "%n%n%n%x%x",
    "ldap": "*)(uid=*))(|(uid=*",
    "xml": '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
}

BODIES = {
    "not json": b"hello",
    "empty": b"",
    "half": b'{"message": "hi',
    "trailing": b'{"message": "hi"} x',
    "nested brackets": b"[" * 100_000 + b"]" * 100_000,
    "nested in a field": b'{"message": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "nested objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "long number": b'{"message": ' + b"9" * 5_000 + b"}",
    "huge exponent": b'{"message": 1e999999}',
    "nan": b'{"message": NaN}',
    "infinity": b'{"message": "hi", "project_id": Infinity}',
    "bad utf-8": b'{"message": "\xff\xfe"}',
    "utf-16": '{"message": "hi"}'.encode("utf-16"),
    "lone surrogate": b'{"message": "a\\ud800b"}',
    "reversed surrogates": b'{"message": "\\udc00\\ud800"}',
    "surrogate in turn id": b'{"message": "hi", "turn_id": "\\ud800"}',
    "raw NUL": b'{"message": "a\x00b"}',
    "escaped NUL": b'{"message": "a\\u0000b"}',
    "bom": b'\xef\xbb\xbf{"message": 1}',
    "many fields": json.dumps({f"f{n}": n for n in range(20_000)}).encode(),
    "a list of turns": b'[{"message": "hi"}]',
    "object as message": b'{"message": {"$gt": ""}}',
    "list as message": b'{"message": ["hi"]}',
    "boolean": b"true",
}


@pytest.fixture(scope="module", params=["memory", "file"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    if request.param == "memory":
        with served(store=MemoryStore()) as running:
            yield running
    else:
        folder: Path = tmp_path_factory.mktemp("hostile")
        with served(store=open_store(f"sqlite:///{folder}/hostile.db", durability="normal")) as running:
            yield running


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in TEXTS.items()])
def test_hostile_text_is_kept_as_sent(server: Served, text: str) -> None:
    response = server.client.post("/converse", json={"message": text}, headers=ADA)

    assert response.status_code == 200
    assert not any(leak in response.text for leak in LEAKS)
    session_id = response.json()["session_id"]
    [said, answer] = server.client.get(f"/sessions/{session_id}/turns", headers=ADA).json()["items"]
    assert said["content"] == text
    assert answer["content"] == response.json()["companion_message"]


def test_hostile_text_as_an_answer_is_kept_as_sent(server: Served) -> None:
    for text in TEXTS.values():
        if text.startswith("/") or text in ("STOP!!!!!!", "ｓｔｏｐ", "st\u200bop"):
            continue  # these are for the registry, not answers
        session_id = server.say("start the check-in")["session_id"]
        reply = server.say(text, session_id)
        leaks = [leak for leak in LEAKS if leak not in text]  # their own words may be read back
        assert not any(leak in json.dumps(reply) for leak in leaks)
        said = server.client.get(f"/sessions/{session_id}/turns?after=2", headers=ADA).json()["items"][0]
        assert said["content"] == text


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in BODIES.items()])
@pytest.mark.parametrize("path", ["/converse", "/converse/stream"])
def test_a_body_that_is_no_turn_is_a_clean_4xx(server: Served, path: str, body: bytes) -> None:
    headers = {**ADA, "Content-Type": "application/json"}

    response = server.client.post(path, content=body, headers=headers)

    assert response.status_code == 422
    assert response.json()["error"]["code"] == "bad_request"
    assert not any(leak in response.text for leak in LEAKS)
    assert len(response.content) < 10_000


@pytest.mark.parametrize("size", [MIB + 1, 10 * MIB])
@pytest.mark.parametrize("chunked", [False, True], ids=["with its length", "in pieces"])
def test_a_body_over_the_limit_is_413(server: Served, size: int, chunked: bool) -> None:
    taken = 0

    def pieces() -> Iterator[bytes]:
        nonlocal taken
        for _ in range(0, size, 65_536):
            taken += 65_536
            yield b"x" * 65_536

    headers = {**ADA, "Content-Type": "application/json"}
    response = server.client.post("/converse", content=pieces() if chunked else b"x" * size, headers=headers)

    assert response.status_code == 413
    assert response.json()["error"]["details"] == {"limit": MIB}


def test_a_body_just_under_the_limit_is_read(server: Served) -> None:
    body = json.dumps({"message": "x" * (MIB - 100)}).encode()

    response = server.client.post(
        "/converse", content=body, headers={**ADA, "Content-Type": "application/json"}
    )

    assert response.status_code == 422
    assert "16000" in response.json()["error"]["message"]


HEADERS = {
    "a bad Last-Event-ID": {"Last-Event-ID": "1\u00e9"},
    "a huge Last-Event-ID": {"Last-Event-ID": "9" * 5_000},
    "a bad person": {"X-Softrail-Person": "no address"},
    "a person with two ats": {"X-Softrail-Person": "a@b@c"},
    "a long person": {"X-Softrail-Person": "a" * 300 + "@x"},
    "an unprintable key": {"Idempotency-Key": "\u0080"},
}


@pytest.mark.parametrize("headers", [pytest.param(h, id=i) for i, h in HEADERS.items()])
def test_hostile_headers_are_refused_cleanly(server: Served, headers: dict[str, str]) -> None:
    raw = {name.encode(): value.encode("latin-1") for name, value in {**ADA, **headers}.items()}

    response = server.client.post("/converse/stream", json={"message": "hi", "turn_id": None}, headers=raw)

    assert response.status_code == 422
    assert not any(leak in response.text for leak in LEAKS)


@pytest.mark.parametrize(
    "path",
    [
        "/sessions/%00",
        "/sessions/..%2f..%2fetc",
        "/sessions/%ff",
        "/sessions/x%0d%0aSet-Cookie:%20a=b/turns",
        "/sessions/" + "a" * 3_000,
        "/sessions/1' OR '1'='1/turns",
        "/processes/%7B%7B7*7%7D%7D",
        "/processes/__class__",
    ],
)
def test_hostile_paths_lead_nowhere(server: Served, path: str) -> None:
    response = server.client.get(path, headers=ADA)

    assert response.status_code == 404
    assert not any(leak in response.text for leak in LEAKS)


@pytest.mark.parametrize(
    "query", ["after=-1", "after=1e9", "after=99999999999999999999999", "limit=0", "limit=201", "limit=x"]
)
def test_hostile_queries_are_refused_cleanly(server: Served, query: str) -> None:
    session_id = server.say("hi")["session_id"]

    response = server.client.get(f"/sessions/{session_id}/turns?{query}", headers=ADA)

    assert response.status_code == 422
    assert response.json()["error"]["details"]["fields"][0]["field"] in ("after", "limit")
