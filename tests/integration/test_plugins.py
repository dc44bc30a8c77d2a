"""What installed distributions announce beside processes and intents, and which bundled parts are there."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from softrail import Settings, build
from softrail.api import create_app
from softrail.cli import app as command_line
from softrail.companion.plugin import Companion
from softrail.companion.settings import CompanionSettings
from softrail.core.ports import Classifier, Projects, Store, Tables
from softrail.plugin import MemoryStore, PluginTables, plugin_tables
from softrail.registry.discovery import found
from softrail.settings import BUNDLED, SettingsError
from softrail.store import SqlStore
from softrail.turns.dispatcher import Dispatcher
from tests.house.machine import announce
from tests.integration.api_server import here, settings

GOOD = """
from typing import Annotated, ClassVar

from fastapi import Request
from pydantic import BaseModel

from softrail import IntentDefinition, Person, RouteResult
from softrail.plugin import Classifier, Forbidden, PluginSettings, Store, read_json, requests


class Inn(PluginSettings):
    section: ClassVar[str] = "inn"
    beds: int = 3


class Beds:
    def __init__(self, count):
        self.count = count


class Wrapped:
    def __init__(self, inner):
        self.inner = inner

    async def classify(self, message, candidates, **more):
        return await self.inner.classify(message, candidates, **more)


def services(given):
    assert given.service(Store) is not None
    return {Beds: Beds(given.service(Inn).beds), Classifier: Wrapped(given.service(Classifier))}


async def deliver(item):
    pass


def deliverers(given):
    return {"beds_made": deliver}


def routes(parts):
    router = parts.router("Inn")
    beds = parts.service(Beds)

    @router.get("/inn")
    async def inn() -> dict[str, int]:
        return {"beds": beds.count}

    return router


class Wish(BaseModel):
    wish: str


def careful(parts):
    router = parts.router("Inn", 403, 404, 413, 422)
    Asker = Annotated[Person, parts.person]

    @router.get("/inn/me")
    async def me(person: Asker) -> str:
        return person.email

    @router.get("/inn/sessions/{session_id}")
    async def session(session_id: str, person: Asker) -> str:
        return (await parts.own_session(person, session_id)).id

    @router.get("/inn/projects/{project_id}")
    async def project(project_id: str, person: Asker) -> str:
        return (await parts.own_project(person, project_id)).name

    @router.post("/inn/wishes", openapi_extra=requests(Wish))
    async def wishes(request: Request, person: Asker) -> Wish:
        wish = await read_json(request, Wish, parts.body_limit)
        if wish.wish == "gold":
            raise Forbidden("There is no gold for you.")
        return wish

    return router


def exports(parts, person_id):
    async def nights():
        yield b'["to'
        yield b'night"]'

    return {"nights": nights()}


class Rooms(BaseModel):
    rooms_free: int | None = None


class Unannounced(BaseModel):
    secret: int | None = 7


async def looks(turn, intent):
    fields = Unannounced() if "secret" in turn.message else Rooms(rooms_free=3)
    return RouteResult(text="Three rooms are free.", reply=fields)


free_rooms = IntentDefinition(
    name="free_rooms", description="Are there rooms?", examples=("are there free rooms",), handler=looks
)


def broken(given):
    raise KeyError("cellar")


def number(given):
    return 7


def no_types(given):
    return {"beds": 3}
"""


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs a distribution that announces these places, by group."""

    def install(**groups: str) -> None:
        lines = ["[project]", 'name = "softrail-inn"', 'version = "1.0"']
        for group, place in groups.items():
            lines += [f'[project.entry-points."softrail.{group}"]', f'inn = "inn_of_a_test:{place}"']
        site = tmp_path / "site"
        site.mkdir()
        (site / "inn_of_a_test.py").write_text(GOOD, encoding="utf-8")
        (site / "pyproject.toml").write_text("\n".join(lines), encoding="utf-8")
        announce(site)
        monkeypatch.syspath_prepend(site)

    yield install
    sys.modules.pop("inn_of_a_test", None)


def built(**parts: object) -> Dispatcher:
    return build(settings(encoder="none", bundled=()), store=MemoryStore(), **parts)  # type: ignore[arg-type]


def test_settings_services_and_routes_are_found_and_work_together(
    installed: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(settings="Inn", services="services", routes="routes", deliverers="deliverers")
    (tmp_path / "softrail.toml").write_text("[inn]\nbeds = 5\n", encoding="utf-8")

    dispatcher = built()
    with here(create_app(dispatcher, settings())) as client:
        assert client.get("/inn").json() == {"beds": 5}
    monkeypatch.setenv("SOFTRAIL_INN_BEDS", "8")
    with here(create_app(built(), settings())) as client:
        assert client.get("/inn").json() == {"beds": 8}

    assert dispatcher.faults == ()
    assert type(dispatcher.parts.classifier).__name__ == "Wrapped"
    assert dispatcher.registry.find_service(Tables) is not None
    assert dispatcher.registry.find_service(Store) is None  # of no concern to a process
    assert dispatcher.registry.find_service(SqlStore) is None


def test_the_routes_of_a_plugin_know_who_asks_and_answer_as_ours_do(installed: Callable[..., None]) -> None:
    installed(routes="careful")
    dispatcher = built()
    ada, bob = {"X-Softrail-Person": "ada@example.org"}, {"X-Softrail-Person": "bob@example.org"}

    with here(create_app(dispatcher, settings(encoder="none", bundled=()))) as client:
        assert client.get("/inn/me", headers=ada).json() == "ada@example.org"
        own = client.post("/sessions", headers=ada).json()["id"]
        assert client.get(f"/inn/sessions/{own}", headers=ada).json() == own
        theirs = client.get(f"/inn/sessions/{own}", headers=bob)
        none = client.get("/inn/sessions/nothing", headers=bob)
        assert (theirs.status_code, theirs.content) == (404, none.content)
        assert client.get("/inn/projects/nothing", headers=ada).content == none.content
        assert client.get("/inn/me", headers={"Authorization": "Bearer wrong"}).status_code == 401

        wished = client.post("/inn/wishes", json={"wish": "a bed"}, headers=ada)
        refused = client.post("/inn/wishes", json={"wish": "gold"}, headers=ada)
        wrong = client.post("/inn/wishes", json={"wish": 3}, headers=ada)
        large = client.post("/inn/wishes", json={"wish": "x" * 2_000_000}, headers=ada)
        assert wished.json() == {"wish": "a bed"}
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
        assert (wrong.status_code, wrong.json()["error"]["details"]["fields"][0]["field"]) == (422, "wish")
        assert large.status_code == 413


def test_a_plugin_adds_fields_to_replies_and_to_their_description(installed: Callable[..., None]) -> None:
    installed(reply="Rooms", intents="free_rooms")
    dispatcher = built()
    app = create_app(dispatcher, settings(encoder="none", bundled=()))

    with here(app) as client:
        said = {"message": "are there free rooms", "intent_hint": "free_rooms"}
        told = client.post("/converse", json=said).json()
        other = client.post("/converse", json={"message": "hello"}).json()
        secret = client.post("/converse", json={**said, "message": "the secret"}).json()

    assert dispatcher.faults == ()
    assert (told["rooms_free"], other["rooms_free"]) == (3, None)
    assert "rooms_free" in app.openapi()["components"]["schemas"]["Reply"]["properties"]
    assert (secret["companion_message"], "secret" in secret) == ("Three rooms are free.", False)
    # What clients rely on stays, also where the part that fills it is left out.
    assert (told["draft_specification"], told["readiness"]) == (None, None)


def test_fields_that_cannot_be_added_are_left_out_and_named(installed: Callable[..., None]) -> None:
    installed(reply="number")

    dispatcher = built()

    [fault] = dispatcher.faults
    assert "is no pydantic model" in fault


def test_the_companion_without_its_routes_loads_no_web_framework() -> None:
    code = "import sys, softrail.companion.plugin; print('fastapi' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_what_a_plugin_keeps_of_a_person_is_in_what_they_take_away(installed: Callable[..., None]) -> None:
    installed(exports="exports")

    with here(create_app(built(), settings())) as client:
        assert client.get("/me/export").json()["nights"] == ["tonight"]


def test_what_build_was_given_is_replaced_by_nobody(installed: Callable[..., None]) -> None:
    installed(settings="Inn", services="services")
    own = object()

    dispatcher = built(services={Classifier: own})

    assert dispatcher.registry.service(Classifier) is own


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        ({"services": "broken"}, "failed: KeyError: 'cellar'"),
        ({"services": "number"}, "gave int, and not a mapping"),
        ({"services": "no_types"}, "gave 'beds' as the type of a service, which is no type"),
        ({"services": "nowhere"}, "could not be imported: AttributeError"),
        ({"deliverers": "broken"}, "failed: KeyError: 'cellar'"),
        ({"settings": "services"}, "is not a class derived from PluginSettings"),
        ({"services": "services"}, "There is no service Inn. There are: "),
    ],
    ids=["raises", "no mapping", "no types", "not there", "deliverer", "no settings", "needs another"],
)
def test_one_that_cannot_be_used_is_left_out_and_named(
    installed: Callable[..., None], groups: dict[str, str], why: str
) -> None:
    installed(**groups)

    (fault,) = built().faults

    assert fault.startswith("Entry point 'inn' = 'inn_of_a_test:")
    assert " of softrail-inn 1.0" in fault
    assert why in fault


def test_routes_that_cannot_be_made_are_left_out_and_named(installed: Callable[..., None]) -> None:
    installed(routes="number")
    dispatcher = built()

    with here(create_app(dispatcher, settings())) as client:
        assert client.get("/healthz").status_code == 200

    assert "it gave a int, and not a fastapi.APIRouter" in dispatcher.faults[0]


def test_routes_that_cannot_be_made_are_found_by_the_check(
    installed: Callable[..., None], tmp_path: Path
) -> None:
    installed(routes="broken")
    (tmp_path / "softrail.toml").write_text('bundled = []\nencoder = "none"\n', encoding="utf-8")

    said = CliRunner().invoke(command_line, ["check"])

    assert said.exit_code == 1
    assert "of softrail-inn 1.0 failed: KeyError: 'cellar'" in said.stdout


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("[inn]\nbedz = 5\n", "softrail.toml [inn]: there is no setting named 'bedz'. Did you mean 'beds'?"),
        ("[inn]\nbeds = 'many'\n", "SOFTRAIL_INN_BEDS is not usable"),
        ("[in]\nbeds = 5\n", "settings in a table [in]. Did you mean [inn]?"),
    ],
    ids=["no such setting", "wrong value", "no such table"],
)
def test_a_wrong_setting_of_a_plugin_stops_the_start_in_one_line(
    installed: Callable[..., None], tmp_path: Path, written: str, why: str
) -> None:
    installed(settings="Inn")
    (tmp_path / "softrail.toml").write_text(written, encoding="utf-8")

    with pytest.raises(SettingsError) as told:
        built()

    assert why in told.value.message


def test_the_bundled_parts_are_those_of_the_settings() -> None:
    assert {part.name for part in found(installed=False)} == {*BUNDLED, "clarification"}


@pytest.mark.parametrize(
    ("bundled", "processes"),
    [
        ((), {"clarification"}),
        (("standup",), {"clarification", "standup"}),
        (BUNDLED, {"clarification", "standup", "onboarding", "seed_conversation", "planning"}),
    ],
    ids=["none", "one", "all"],
)
def test_what_is_not_named_is_left_out(bundled: tuple[str, ...], processes: set[str]) -> None:
    chosen = Settings(bundled=bundled, database_url="sqlite://", encoder="none")

    dispatcher = build(chosen)

    assert {d.name for d in dispatcher.registry.definitions()} == processes
    there = "companion" in bundled
    assert (dispatcher.registry.find_service(Companion) is not None) is there
    assert [p.name for p in dispatcher.store.plugins] == (["companion", "plans"] if there else [])  # type: ignore[attr-defined]
    app = create_app(dispatcher, chosen)
    document = app.openapi()
    assert ("/projects" in document["paths"]) is there
    assert any("Note" in name for name in document["components"]["schemas"]) is there
    with here(app) as client:
        nowhere = client.post("/nowhere")
        for path in ("/projects", "/me/dashboard", "/artifacts/x/download", "/projects/x/notes"):
            assert (client.put(path).content == nowhere.content) is not there  # 405 where there is a route
    assert dispatcher.faults == ()


def test_a_part_that_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTRAIL_BUNDLED", "standup,onbording")

    with pytest.raises(ValueError, match="'onbording' is none of the bundled parts"):
        Settings()
    monkeypatch.setenv("SOFTRAIL_BUNDLED", "")
    assert Settings().bundled == ()


def test_a_part_whose_tables_are_not_in_the_store_is_left_out() -> None:
    without = build(settings(encoder="none"), store=MemoryStore())
    beside = build(settings(encoder="none"), store=MemoryStore(plugins=plugin_tables()))

    assert without.registry.find_service(CompanionSettings) is None
    assert beside.registry.find_service(Companion) is not None
    assert beside.parts.projects is beside.registry.service(Projects)
    assert all(isinstance(one, PluginTables) for one in plugin_tables())
