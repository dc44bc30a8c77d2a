"""What a person said about plans is in their export, and none of it is left anywhere once they are erased."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import MetaData, select

from softrail.bootstrap import plugin_tables
from softrail.plans.tables import runs, wishes
from softrail.store import MemoryStore
from softrail.testing.contracts.counting import until
from tests.integration.api_server import ADA, BOB, Served, served, settings
from tests.integration.plan_server import Gates, hold, plan, sum_of
from tests.integration.test_plan_routes import attach, told
from tests.integration.test_plans_by_a_model import Thinking, query, written

pytestmark = pytest.mark.usefixtures("quick_data")

NO = written(missing="Nobody counted the greengages.")


@pytest.fixture
def gates() -> Gates:
    return Gates()


@pytest.fixture
def model() -> Thinking:
    return Thinking([NO, written(query("one", "SELECT 1"), problem="Too late")])


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(plugins=plugin_tables())


@pytest.fixture
def server(store: MemoryStore, gates: Gates, model: Thinking) -> Iterator[Served]:
    chosen = settings(bundled=("plans",), encoder="none")
    with served(store=store, chosen=chosen, actions=[hold], services={Gates: gates}, model=model) as one:
        yield one
        go_on(one, gates, model)  # a server waits for what is being done


def go_on(server: Served, gates: Gates, model: Thinking) -> None:
    """The step that waits ends, and the model answers."""
    call(server, gates["slow"].opened.set)
    call(server, model.go_on.set)


def in_the_middle_of_everything(server: Served, gates: Gates, model: Thinking) -> str:
    """A conversation with data, a fact that was told, a run, a plan that waits, a wish without a plan, one thought about."""
    session = str(server.client.post("/sessions", headers=ADA).json()["id"])
    assert (
        attach(server, session, "Apricots.csv", b"Sort,Kilos\nBergeron,12\nOrangered,9\n").status_code == 201
    )
    server.say(plan(sum_of("price", "12.50"), problem="What do bananas cost?"), session)
    server.say("yes", session)
    told(server, session, "Done: What do bananas cost?")
    server.say("use 13.75 for the price", session)
    server.say(plan({**sum_of("more", "1 + 1"), "title": "Add up cherries"}, "slow"), session)
    server.say("yes", session)
    portal = server.client.portal
    assert portal is not None
    portal.call(gates.at, "slow")
    server.say("/plan find out about figs", session)
    told(server, session, "Nobody counted the greengages.")
    server.say(plan(sum_of("x", "1"), problem="How many elderberries?"), session)
    server.say("/proof", session)
    call(server, model.go_on.clear)
    server.say("/plan find out about damsons", session)
    return session


SAID = ("Apricots.csv", "bananas", "13.75", "cherries", "figs", "greengages", "elderberries", "damsons")


def everything(server: Served, store: MemoryStore) -> str:
    """All rows of all tables."""

    def rows(conn: Any) -> str:
        found = MetaData()
        found.reflect(conn)
        return "\n".join(
            str(tuple(row)) for table in found.sorted_tables for row in conn.execute(select(table))
        )

    return str(call(server, store.read, rows))


def call(server: Served, function: Any, *given: Any) -> Any:
    portal = server.client.portal
    assert portal is not None
    return portal.call(function, *given)


def test_the_export_names_everything_that_was_said_about_plans(
    server: Served, gates: Gates, model: Thinking
) -> None:
    session = in_the_middle_of_everything(server, gates, model)

    kept = server.client.get("/me/export", headers=ADA).json()

    of_plans = json.dumps({name: kept[name] for name in ("plans", "planning", "wishes", "facts", "sources")})
    assert [one for one in SAID if one not in of_plans] == []
    assert [(one["message"], one["plan"], one["trouble"]) for one in kept["wishes"]] == [
        ("find out about figs", None, "Nobody counted the greengages."),
        ("find out about damsons", None, None),
    ]
    [stands] = kept["planning"]
    assert (stands["session_id"], stands["mode"], stands["later"]) == (session, "exploratory", ["mode:proof"])
    assert stands["queued"]["problem"] == "How many elderberries?"
    others = server.client.get("/me/export", headers=BOB).json()
    assert [others[name] for name in ("plans", "planning", "wishes", "facts", "sources")] == [[]] * 5


@pytest.mark.parametrize("what", ["person", "session"])
def test_erasing_leaves_nothing_of_plans_anywhere_and_nothing_comes_late(
    server: Served, store: MemoryStore, gates: Gates, model: Thinking, what: str
) -> None:
    session = in_the_middle_of_everything(server, gates, model)
    ids = [*call(server, store.read, lambda conn: [*conn.scalars(select(runs.c.id))]), session]
    ids += call(server, store.read, lambda conn: [*conn.scalars(select(wishes.c.id))])
    before = everything(server, store)
    assert [one for one in (*SAID, *ids) if one not in before] == []

    erased = "/me" if what == "person" else f"/sessions/{session}"
    assert server.client.delete(erased, headers=ADA).status_code == 204
    go_on(server, gates, model)

    async def at_rest() -> bool:
        await server.dispatcher.engine.settled()  # type: ignore[union-attr] # the embedded one
        return True

    call(server, until, at_rest, 60)
    after = everything(server, store)
    assert [one for one in (*SAID, *ids) if one in after] == []
