"""The application that `softrail.toml` names: every command runs it, and what is wrong with it is said in one line."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from softrail.api.serving import app as served
from softrail.application import application, settings_of
from softrail.cli import app as command_line
from softrail.core.errors import SoftrailError
from softrail.settings import Settings, SettingsError
from tests.forked import Ran, ran
from tests.integration.api_server import here
from tests.strangers import PYTEST

SHOP = '''
from pydantic import BaseModel

from softrail import Done, Process, Record, Settings, Turn, ask, build
from softrail.store import open_store


class Prices:
    """What things cost."""

    async def of(self, thing: str) -> str:
        return "12 EUR"


class Order(Process, name="order", version=1):
    """Orders something."""

    starts_on = ("I want to order",)
    confirm = False

    class Answers(BaseModel):
        thing: str = ask("What would you like?")

    def __init__(self, prices: Prices) -> None:
        self._prices = prices

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"That is {await self._prices.of(answers.thing)}.", effects=[Record("order", answers)])


def make():
    return build(
        Settings(local_person="shop@example.org", grace=1),
        store=open_store("sqlite:///elsewhere.db"),
        processes=[Order],
        services={Prices: Prices()},
        discover=False,
    )


dispatcher = make()
'''

WRONG = {
    "no colon": ("shop", "write MODULE:NAME, for example shop.app:dispatcher"),
    "no name": ("shop:", "write MODULE:NAME"),
    "a path": ("shop/app.py:dispatcher", "write MODULE:NAME"),
    "no such module": ("shoq:dispatcher", "there is no module 'shoq', neither in "),
    "no such part": ("shop.app:dispatcher", "there is no module 'shop.app'"),
    "misspelt": ("shop:dispacher", "shop has no 'dispacher'. Did you mean 'dispatcher'?"),
    "a process": (
        "shop:Order",
        "it is called without arguments, and that fails: missing a required argument: 'prices'",
    ),
    "a text": (
        "shop:__name__",
        "it is a str, and not a Dispatcher (what softrail.build gives) or a function",
    ),
    "a web application": ("web:app", "it is a fastapi.applications.FastAPI, and not a Dispatcher"),
    "async": ("web:later", "it is an async function. Write a plain one"),
    "awaitable": ("web:hidden", "it gives a coroutine. Write a plain function"),
    "wants something": ("web:wants", "it is called without arguments, and that fails"),
    "gives something else": ("web:nothing", "it gave a NoneType, and not a Dispatcher"),
    "fails": ("web:fails", "calling it failed: KeyError: 'SHOP_KEY' ("),
    "a bad definition": ("web:undefined", "calling it failed: A process named 'order' is registered already"),
    "an import that fails": (
        "broken:dispatcher",
        "importing broken failed: ZeroDivisionError: division by zero (",
    ),
    "an import that is missing": (
        "missing:dispatcher",
        "importing missing failed: ModuleNotFoundError: No module named 'stripe_",
    ),
    "not python": ("typo:dispatcher", "importing typo failed: SyntaxError: "),
}

WEB = """
import os

from fastapi import FastAPI

from shop import Order, Prices
from softrail import build

app = FastAPI()


async def later():
    return None


def hidden():
    return later()


def wants(database):
    return None


def nothing():
    return None


def fails():
    return os.environ["SHOP_KEY"]


def undefined():
    return build(processes=[Order, Order], services={Prices: Prices()}, discover=False)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with an application and a `softrail.toml` that names it."""
    for name, text in {
        "shop.py": SHOP,
        "web.py": WEB,
        "broken.py": "1 / 0\n",
        "missing.py": "import stripe_of_nobody\n",
        "typo.py": "def make(:\n",
        "softrail.toml": 'app = "shop:dispatcher"\nencoder = "none"\n',
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    yield tmp_path
    sys.path[:] = path
    unload(tmp_path)


def unload(folder: Path) -> None:
    for name, module in list(sys.modules.items()):
        places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]  # a folder has no file
        if any(str(place or "").startswith(str(folder)) for place in places):
            del sys.modules[name]


def softrail(*words: str, said: str = "", code: int = 0) -> Result:
    unload(Path.cwd())  # every command is a process of its own
    result = CliRunner().invoke(command_line, list(words), input=said)
    assert result.exit_code == code, f"{result.output}\n{result.stderr}\n{result.exception!r}"
    return result


@pytest.mark.parametrize("name", ["dispatcher", "make"], ids=["a dispatcher", "a function that makes one"])
def test_every_command_runs_it(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTRAIL_APP", f"shop:{name}")

    said = softrail("chat", "--json", said="I want to order\na lamp\n").stdout
    replies = [json.loads(line) for line in said.splitlines()]

    assert replies[-1]["companion_message"] == "That is 12 EUR."
    assert [kind["name"] for kind in json.loads(softrail("processes", "--json").stdout)] == ["order"]
    assert "thing" in softrail("graph", "order").stdout
    assert "order  new → active" in softrail("why", replies[0]["turn_id"]).stdout
    assert "start_order" in softrail("classify", "I want to order").stdout
    assert "inform" in softrail("read", "What would you like?", "a lamp").stdout
    assert json.loads(softrail("migrate", "order", "--json").stdout) == []
    assert json.loads(softrail("sweep", "--json").stdout)["delivered"] == 0
    assert "current" in softrail("db", "status", "--json").stdout
    assert json.loads(softrail("keys", "list", "--json").stdout) == []
    assert json.loads(softrail("check", "--json").stdout) == []
    labelled = folder / "labelled.jsonl"
    labelled.write_text('{"text": "I want to order", "label": "start_order"}\n', encoding="utf-8")
    assert json.loads(softrail("eval", str(labelled), "--json").stdout)["accuracy"]["share"] == 1.0
    assert (folder / "elsewhere.db").exists()
    assert not (folder / "softrail.db").exists()


def test_the_server_runs_it_with_the_settings_it_was_built_with() -> None:
    with here(served()) as client:
        asked = client.post("/converse", json={"message": "I want to order"}).json()
        done = client.post("/converse", json={"message": "a lamp", "session_id": asked["session_id"]}).json()
        me = client.get("/me").json()
        measured = client.get("/metrics").text

    assert done["companion_message"] == "That is 12 EUR."
    assert me["email"] == "shop@example.org"
    assert "softrail_turns" in measured


def test_without_one_it_is_what_is_installed() -> None:
    found = application(Settings(app="", database_url="sqlite://"))

    assert "standup" in [d.name for d in found.registry.definitions()]
    assert settings_of(found).database_url == "sqlite://"


@pytest.mark.parametrize(("where", "why"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_one_line(where: str, why: str) -> None:
    with pytest.raises(SettingsError) as told:
        application(Settings(app=where))

    assert told.value.message.startswith(f"The application {where!r} (setting `app`) is not usable: ")
    assert why in told.value.message
    assert "\n" not in told.value.message


def test_a_command_says_it_and_ends_with_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTRAIL_APP", "shop:dispacher")

    said = softrail("processes", code=2)

    assert "Did you mean 'dispatcher'?" in said.stderr
    assert "Traceback" not in said.output + said.stderr


def test_a_store_without_tables_has_none_to_bring_up_to_date(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    more = "from softrail.store import MemoryStore\n\nsmall = build(store=MemoryStore(), discover=False)\n"
    (folder / "small.py").write_text(f"from softrail import build\n{more}", encoding="utf-8")
    monkeypatch.setenv("SOFTRAIL_APP", "small:small")

    assert "has no tables" in softrail("db", "upgrade", code=1).stderr


TALK = """
person: I want to order
us: What would you like?
person: a lamp
us: That is 12 EUR.
effects: order_saved
"""


def pytest_says(folder: Path, *words: str) -> Ran:
    return ran([*PYTEST, *words], cwd=folder)


def test_a_talk_plays_it_in_memory_and_leaves_its_database_alone(folder: Path) -> None:
    (folder / "order.talk").write_text(TALK, encoding="utf-8")
    (folder / "again.talk").write_text(TALK, encoding="utf-8")

    done = pytest_says(folder)

    assert done.status == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
    assert not (folder / "elsewhere.db").exists()


def test_a_talk_says_what_is_wrong_with_it_and_tests_may_have_another(folder: Path) -> None:
    (folder / "order.talk").write_text(TALK, encoding="utf-8")
    (folder / "softrail.toml").write_text('app = "shop:dispacher"\n', encoding="utf-8")

    wrong = pytest_says(folder)
    right = pytest_says(folder, "-o", "softrail_app=shop:make")

    assert "Did you mean 'dispatcher'?" in wrong.stdout
    assert "1 failed" in wrong.stdout
    assert right.status == 0, right.stdout + right.stderr


def test_what_build_did_not_make_cannot_be_made_again() -> None:
    from softrail.testing import in_memory

    found = application()
    found.again = None

    with pytest.raises((TypeError, SoftrailError), match="not made by"):
        in_memory(found)
