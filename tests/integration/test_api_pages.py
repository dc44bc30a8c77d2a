"""The pages and their files: what they may do, how long they are kept, and what is switched off."""

import gzip
import json
import re
from hashlib import sha256
from importlib.resources import files
from typing import Final

import pytest
from fastapi import FastAPI

from softrail import build, create_router
from softrail.api.web import POLICY, pages, without_comments
from softrail.companion.wall import wall
from softrail.core.border import LONGEST_MESSAGE
from softrail.store import MemoryStore
from tests.integration.api_server import here, served, settings

FOLDER: Final = files("softrail.api").joinpath("pages")
SCRIPTS: Final = sorted(name for name in pages().assets if name.endswith(".js"))
OURS: Final = [name for name in SCRIPTS if not name.startswith("vendor/")]


@pytest.mark.parametrize("path", ["/", "/docs", "/inspect"])
def test_a_page_may_run_and_fetch_what_is_ours_and_nothing_else(path: str) -> None:
    with served() as server:
        answer = server.client.get(path)

        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-cache"
        assert "<style" not in answer.text
        assert not re.search(r"<script(?! type=\"module\" src=\"ui/)", answer.text)
        assert not re.search(r"[a-z]+://", answer.text.replace("http://www.w3.org/2000/svg", ""))


@pytest.mark.parametrize("path", ["/", "/docs", "/inspect"])
def test_every_file_that_a_page_names_is_kept_for_ever_and_comes_packed(path: str) -> None:
    with served() as server:
        named = re.findall(r'(?:href|src)="(ui/[^"]+)"', server.client.get(path).text)
        assert len(named) > 3
        for name in named:
            answer = server.client.get(f"/{name}", headers={"Accept-Encoding": "gzip"})
            assert answer.status_code == 200, name
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["content-encoding"] == "gzip"
            assert answer.headers["x-content-type-options"] == "nosniff"


def test_who_cannot_unpack_gets_a_file_as_it_is_and_an_old_name_is_kept_by_nobody() -> None:
    with served() as server:
        plain = server.client.get(f"/ui/{pages().hash}/chat.js", headers={"Accept-Encoding": "identity"})
        assert plain.content == without_comments(FOLDER.joinpath("chat.js").read_bytes())
        assert "content-encoding" not in plain.headers
        old = server.client.get("/ui/0123456789abcdef/chat.js")
        assert (old.status_code, old.headers["cache-control"]) == (200, "no-store")


@pytest.mark.parametrize(
    "path", ["chat.html", "vendor/lock.json", "../web.py", "%2e%2e/web.py", "nothing.js", ""]
)
def test_nothing_else_is_a_file(path: str) -> None:
    with served() as server:
        assert server.client.get(f"/ui/{pages().hash}/{path}").status_code == 404


def test_what_is_switched_off_is_answered_as_an_unknown_path_is() -> None:
    with served(chosen=settings(web="none", docs=False)) as server:
        unknown = server.client.get("/nowhere")
        for path in ("/", "/docs", f"/ui/{pages().hash}/chat.js"):
            answer = server.client.get(path)
            assert (answer.status_code, answer.text) == (404, unknown.text)
    with served(chosen=settings(web="none")) as server:
        assert server.client.get("/").status_code == 404
        assert server.client.get("/docs").status_code == 200
    with served(chosen=settings(web="chat", docs=False)) as server:
        assert server.client.get("/").status_code == 200
        assert server.client.get("/docs").status_code == 404


def test_the_libraries_are_the_ones_that_were_locked() -> None:
    folder = FOLDER.joinpath("vendor")
    lock = json.loads(folder.joinpath("lock.json").read_text(encoding="utf-8"))
    for name, told in lock.items():
        content = folder.joinpath(name).read_bytes()
        assert sha256(content).hexdigest() == told["sha256"], f"{name} was changed; `make vendor` writes it"
        assert f"{name.removesuffix('.js')} {told['version']}".encode() in content[:80]
        assert folder.joinpath(name.replace(".js", ".LICENCE")).is_file()
    assert set(lock) == {name.removeprefix("vendor/") for name in SCRIPTS if name.startswith("vendor/")}


def test_every_language_has_the_same_words() -> None:
    def names(language: str) -> list[str]:
        text = FOLDER.joinpath(f"texts/{language}.js").read_text(encoding="utf-8")
        return re.findall(r"^ +(\w+):", text, re.MULTILINE)

    assert names("de") == names("en")


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_word_of_the_machinery_is_shown_to_people(language: str) -> None:
    text = FOLDER.joinpath(f"texts/{language}.js").read_text(encoding="utf-8")
    said = re.findall(r'"([^"]*)"|`([^`]*)`', text)

    assert [one for pair in said for one in pair if wall().catches(one)] == []


@pytest.mark.parametrize("name", OURS)
def test_no_text_becomes_markup_or_code(name: str) -> None:
    source = FOLDER.joinpath(name).read_text(encoding="utf-8")

    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafe|\beval\b|new Function|localStorage|cookie",
        source,
    )


@pytest.mark.parametrize(("name", "shown"), [("chat.js", "16_000"), ("inspect/sandbox.js", "16000")])
def test_a_page_knows_how_long_a_message_may_be(name: str, shown: str) -> None:
    assert int(shown) == LONGEST_MESSAGE
    assert shown in FOLDER.joinpath(name).read_text(encoding="utf-8")


def test_the_chat_page_is_small() -> None:
    later = (
        "client.js",
        "docs.js",
        "files.js",
        "sessions.js",
        "values.js",
        "why.js",
        "texts/de.js",
        "texts/de.dialogs.js",
        "texts/en.dialogs.js",
    )  # when they are wanted
    wanted = [name for name in SCRIPTS if name not in later and not name.startswith("inspect/")]

    assert (
        sum(len(gzip.compress(pages().assets[name].content)) for name in wanted) < 45_000
    )  # and 60,000 over the wire, in a browser test


@pytest.mark.parametrize("name", OURS)
def test_a_module_is_sent_without_its_comments_and_each_line_keeps_its_number(name: str) -> None:
    written = FOLDER.joinpath(name).read_text(encoding="utf-8").split("\n")
    sent = pages().assets[name].content.decode().split("\n")

    assert len(sent) == len(written)
    gone = [number for number, line in enumerate(written) if line != sent[number]]
    assert all(sent[number] == "" for number in gone)
    assert all(written[number].lstrip().startswith(("//", "/**", "*")) for number in gone)
    for number in gone:  # no text of the module has been taken for one
        before = re.sub(r"```|-`", "", "\n".join(sent[:number]))  # those of expressions
        assert before.count("`") % 2 == 0, f"{name}:{number + 1} stands in a text"


def test_the_libraries_are_sent_as_they_are_with_their_licences() -> None:
    for name in ("vendor/lit.js", "vendor/marked.js"):
        assert pages().assets[name].content == FOLDER.joinpath(name).read_bytes()


def test_the_inspector_adds_little_to_the_chat_page() -> None:
    page = FOLDER.joinpath("inspect.html").read_bytes()
    more = [asset.content for name, asset in pages().assets.items() if name.startswith("inspect/")]

    assert sum(len(gzip.compress(content)) for content in (page, *more)) < 16_000


def test_a_page_below_another_names_its_files_from_there() -> None:
    with served() as server:
        named = re.findall(r'(?:href|src)="([^"]*ui/[^"]+)"', server.client.get("/inspect/anything").text)

    assert len(named) > 3
    assert all(name.startswith(f"../ui/{pages().hash}/") for name in named)


@pytest.mark.parametrize("name", ["chat.js", "client.js"])
def test_other_pages_name_a_file_by_an_address_that_stays(name: str) -> None:
    with served(chosen=settings(allowed_origins=("https://app.example.org",))) as server:
        asked = {"Origin": "https://app.example.org", "Accept-Encoding": "identity"}
        for path in (f"/ui/{name}", f"/ui/{pages().hash}/{name}"):
            answer = server.client.get(path, headers=asked)
            assert answer.headers["access-control-allow-origin"] == "https://app.example.org"
            plain = server.client.get(path)
            assert "access-control-allow-origin" not in plain.headers
            assert {"Origin", "Accept-Encoding"} <= set(plain.headers["vary"].split(", "))
        entry = server.client.get(f"/ui/{name}", headers=asked)
        assert entry.text == f'export * from "./{pages().hash}/{name}";\n'
        assert entry.headers["cache-control"] == "no-cache"


def test_an_application_of_ones_own_has_the_element_below_its_prefix() -> None:
    dispatcher = build(settings(), store=MemoryStore(), discover=False)
    app = FastAPI()
    app.include_router(create_router(dispatcher, identity=lambda: "ada@example.org"), prefix="/assistant")
    with here(app) as client:
        named = client.get("/assistant/ui/chat.js").text.split('"')[1]
        assert client.get(f"/assistant/ui/{named}").content == pages().assets["chat.js"].content
        assert client.get(f"/assistant/ui/{pages().hash}/inspect/inspect.js").status_code == 404
