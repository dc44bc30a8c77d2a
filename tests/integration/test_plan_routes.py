"""Plans over HTTP: given, looked at, refused with what to do; and whose they are."""

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from sqlalchemy import func, select

from softrail.bootstrap import plugin_tables
from softrail.core.clock import now
from softrail.plans.settings import PlanSettings
from softrail.plans.tables import files, source_pieces, sources
from softrail.store import MemoryStore, SqlStore
from softrail.testing.contracts.counting import until
from tests.child_processes import KNOWN, processes_of_data
from tests.integration.api_server import ADA, BOB, Served, served, settings
from tests.integration.plan_server import Gates, hold

BASKET = """
problem: What do three baskets cost?
steps:
  - {id: price, action: compute, arguments: {expression: "12.50", unit: EUR}}
  - {id: total, title: Three of them, action: compute, arguments: {expression: price * 3}, needs: [price]}
"""
YAML = {"Content-Type": "application/yaml", **ADA}


@pytest.fixture
def server() -> Iterator[Served]:
    chosen = settings(bundled=("plans",), encoder="none")
    with served(
        store=MemoryStore(plugins=plugin_tables()), chosen=chosen, actions=[hold], services={Gates: Gates()}
    ) as one:
        yield one


@pytest.fixture
def session(server: Served) -> str:
    return str(server.client.post("/sessions", headers=ADA).json()["id"])


def give(server: Served, session: str, text: str, **headers: str) -> Any:
    return server.client.post(f"/sessions/{session}/plan", content=text.encode(), headers={**YAML, **headers})


def told(server: Served, session: str, words: str) -> None:
    """Wait until the conversation was told this."""

    async def there() -> bool:
        ada = await server.dispatcher.store.ensure_person("ada@example.org", id="ada", at=now())
        items = await server.dispatcher.store.items(ada.id, session_id=session)
        return any(words in item.content for item in items)

    portal = server.client.portal
    assert portal is not None
    portal.call(until, there, 30)


def test_a_plan_is_given_and_waits_for_a_yes(server: Served, session: str) -> None:
    given = give(server, session, BASKET)

    assert given.status_code == 201, given.text
    body = given.json()
    assert (body["plan"]["phase"], body["plan"]["mode"]) == ("awaiting_approval", "exploratory")
    assert [(step["id"], step["state"]) for step in body["plan"]["steps"]] == [
        ("price", "waiting"),
        ("total", "waiting"),
    ]
    assert body["reply"]["pending"]["kind"] == "approve"
    assert body["reply"]["classified_intent"] == "plan_new"
    assert server.client.get(f"/sessions/{session}/plan", headers=ADA).json() == body["plan"]


def test_json_is_taken_too_and_the_same_key_is_the_same_plan(server: Served, session: str) -> None:
    plan = {"problem": "x", "steps": [{"id": "a", "action": "wait", "arguments": {"seconds": 0}}]}
    key = {"Idempotency-Key": "once", "Content-Type": "application/json"}

    first = give(server, session, json.dumps(plan), **key)
    again = give(server, session, json.dumps(plan), **key)

    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["reply"] == again.json()["reply"]


def test_before_there_is_a_plan_there_is_nothing_to_see(server: Served, session: str) -> None:
    assert server.client.get(f"/sessions/{session}/plan", headers=ADA).json() == {
        "mode": "exploratory",
        "phase": "idle",
        "problem": None,
        "steps": [],
        "queued": None,
        "proof": None,
        "failure_context": None,
    }
    assert server.client.get(f"/sessions/{session}/facts", headers=ADA).json() == {"items": [], "next": None}


def test_facts_come_with_what_they_rest_on(server: Served, session: str) -> None:
    give(server, session, BASKET)
    server.say("yes", session)
    told(server, session, "Done: What do three baskets cost?")

    plan = server.client.get(f"/sessions/{session}/plan", headers=ADA).json()
    page = server.client.get(f"/sessions/{session}/facts?limit=1", headers=ADA).json()
    rest = server.client.get(f"/sessions/{session}/facts?after={page['next']}", headers=ADA).json()

    assert (plan["phase"], {step["state"] for step in plan["steps"]}) == ("idle", {"done"})
    [price], [total] = page["items"], rest["items"]
    assert (price["name"], price["value"], price["unit"], price["shown"]) == (
        "price",
        12.5,
        "EUR",
        "12.50 EUR",
    )
    assert (total["value"], total["type"], total["source"], total["step"]) == (
        37.5,
        "number",
        "step",
        "total",
    )
    assert total["inputs"] == [{"name": "price", "fact_id": price["id"]}]
    assert rest["next"] is None
    kept = server.client.get("/me/export", headers=ADA).json()
    assert [one["plan"]["problem"] for one in kept["plans"]] == ["What do three baskets cost?"]
    assert [one["name"] for one in kept["facts"]] == ["price", "total"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("problem: x", "steps"),
        ("{problem: x, steps: [{id: a, action: fly}]}", "steps.0.action"),
        ("steps: [", "line 1"),
        ("x" * 13_000, ""),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused_with_what_to_do(
    server: Served, session: str, text: str, where: str
) -> None:
    refused = give(server, session, text)

    assert refused.status_code == 422
    error = refused.json()["error"]
    assert error["code"] == "plan_invalid"
    assert error["details"]["fields"][0]["field"].startswith(where)
    assert server.client.get(f"/sessions/{session}/turns", headers=ADA).json()["items"] == []


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"problem: x", "text/plain", 422),
        (b"\xff\xfe", "application/yaml", 422),
        (b"x" * 2_000_000, "application/yaml", 413),
    ],
    ids=["of another kind", "no text", "too large"],
)
def test_a_body_that_cannot_be_read_is_refused(
    server: Served, session: str, content: bytes, kind: str, status: int
) -> None:
    answer = server.client.post(
        f"/sessions/{session}/plan", content=content, headers={**ADA, "Content-Type": kind}
    )
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize("method", ["GET plan", "GET facts", "POST plan"])
def test_what_is_not_yours_answers_as_what_does_not_exist(server: Served, session: str, method: str) -> None:
    verb, what = method.split()
    headers = {**BOB, "Content-Type": "application/yaml"}
    give(server, session, BASKET)

    theirs, nowhere = (
        server.client.request(verb, f"/sessions/{one}/{what}", headers=headers, content=BASKET.encode())
        for one in (session, "01a00000-0000-7000-8000-000000000000")
    )

    assert (theirs.status_code, theirs.content) == (404, nowhere.content)


def test_a_failure_and_what_waits_are_shown(server: Served, session: str) -> None:
    fails = {"id": "a", "action": "compute", "arguments": {"expression": "1 / 0"}}
    give(server, session, json.dumps({"problem": "x", "steps": [fails]}))
    server.say("yes", session)
    told(server, session, "Step 1 failed")

    plan = server.client.get(f"/sessions/{session}/plan", headers=ADA).json()

    assert plan["phase"] == "failed"
    assert plan["failure_context"] == {"step": "a", "error": "It divides by zero."}
    assert plan["steps"][0]["error"] == "It divides by zero."


def test_erasing_a_session_erases_its_plans(server: Served, session: str) -> None:
    give(server, session, BASKET)

    assert server.client.delete(f"/sessions/{session}", headers=ADA).status_code == 204
    assert server.client.get(f"/sessions/{session}/plan", headers=ADA).status_code == 404
    assert server.client.get("/me/export", headers=ADA).json()["plans"] == []


def test_the_routes_are_described(server: Served) -> None:
    paths = server.client.get("/openapi.json").json()["paths"]

    assert set(paths["/sessions/{session_id}/plan"]) == {"get", "post"}
    assert "application/yaml" in paths["/sessions/{session_id}/plan"]["post"]["requestBody"]["content"]


CSV = b"Region,Revenue (EUR)\nNorth,1.50\nSouth,2.25\n"


def attach(server: Served, session: str, name: str, content: bytes, who: dict[str, str] = ADA) -> Any:
    files = {"file": ("whatever.csv", content)}
    return server.client.post(f"/sessions/{session}/sources", files=files, data={"name": name}, headers=who)


@pytest.mark.usefixtures("quick_data")
def test_data_is_attached_listed_asked_drawn_exported_and_erased(server: Served, session: str) -> None:
    given = attach(server, session, "../Sales.csv", CSV)

    assert given.status_code == 201, given.text
    source = given.json()
    assert (source["name"], source["format"], source["bytes"]) == ("Sales.csv", "csv", len(CSV))
    [table] = source["tables"]
    assert [(c["title"], c["name"], c["kind"], c["unit"]) for c in table["columns"]] == [
        ("Region", "region", "text", ""),
        ("Revenue (EUR)", "revenue_eur", "number", "EUR"),
    ]
    listed = server.client.get(f"/sessions/{session}/sources", headers=ADA)
    assert listed.json() == {"items": [source], "next": None}
    assert attach(server, session, "x.csv", CSV, BOB).status_code == 404
    assert server.client.get(f"/sessions/{session}/sources", headers=BOB).status_code == 404

    steps = [
        {
            "id": "rows",
            "action": "query",
            "arguments": {"sql": "SELECT region, revenue_eur FROM sales ORDER BY 1"},
        },
        {
            "id": "picture",
            "action": "chart",
            "arguments": {
                "rows": {"fact": "rows"},
                "kind": "bar",
                "x": "region",
                "y": "revenue_eur",
                "title": "T",
            },
            "needs": ["rows"],
        },
        {
            "id": "claim",
            "action": "check",
            "arguments": {
                "sql": "SELECT region, revenue_eur > 0 AS holds FROM sales",
                "claim": "All are sold",
            },
        },
    ]
    assert give(server, session, json.dumps({"problem": "x", "steps": steps})).status_code == 201
    server.client.post("/converse", json={"message": "yes", "session_id": session}, headers=ADA)
    told(server, session, "bar chart")
    facts = {
        one["name"]: one
        for one in server.client.get(f"/sessions/{session}/facts", headers=ADA).json()["items"]
    }
    assert facts["rows"]["evidence"]["sources"][0]["sha256"] == source["sha256"]
    ref = facts["picture"]["ref"]
    picture = server.client.get(ref, headers=ADA)
    assert (picture.status_code, picture.headers["content-type"].split(";")[0]) == (200, "image/svg+xml")
    assert picture.headers["content-disposition"].startswith("attachment")
    assert server.client.get(ref, headers=BOB).status_code == 404
    described = server.client.head(ref, headers=ADA)
    for name in ("content-disposition", "content-length"):
        assert described.headers[name] == picture.headers[name]
    assert server.client.head(ref, headers=BOB).status_code == 404

    whole = f"/sessions/{session}/facts/{facts['rows']['id']}.csv"
    table = server.client.get(whole, headers=ADA)
    assert table.headers["content-disposition"].startswith("attachment")
    assert "rows.csv" in table.headers["content-disposition"]
    assert len(table.text.splitlines()) == 1 + 2
    assert server.client.head(whole, headers=ADA).headers["content-length"] == str(len(table.content))
    others = [whole.replace(facts["rows"]["id"], facts[name]["id"]) for name in ("picture", "claim")]
    for path, who in ((whole, BOB), *((path, ADA) for path in others)):
        assert server.client.get(path, headers=who).status_code == 404
    items = server.client.get(f"/sessions/{session}/turns", headers=ADA).json()["items"]
    assert [one["ref"] for one in items[-1]["side_effects"]] == [whole, ref]

    exported = server.client.get("/me/export", headers=ADA).json()
    assert [(one["name"], one["tables"][0]["rows"]) for one in exported["sources"]] == [("Sales.csv", 2)]
    assert [one["name"] for one in exported["charts"]] == ["T.svg", "T.png"]
    erase = f"/sessions/{session}/sources/{source['id']}"
    assert [server.client.delete(erase, headers=who).status_code for who in (BOB, ADA, ADA)] == [
        404,
        204,
        404,
    ]
    assert server.client.delete(f"/sessions/{session}", headers=ADA).status_code == 204
    assert counted(server, sources, source_pieces, files) == [0, 0, 0]


def counted(server: Served, *tables: Any) -> list[int]:
    """How many rows there are."""
    portal = server.client.portal
    assert portal is not None
    store = cast("SqlStore", server.dispatcher.store)
    counts = [select(func.count()).select_from(table) for table in tables]
    found: list[int] = portal.call(store.read, lambda conn: [int(conn.scalar(one) or 0) for one in counts])
    return found


@pytest.mark.usefixtures("quick_data")
def test_a_file_that_cannot_be_read_is_refused_with_its_place_and_one_too_many_with_the_limit(
    session: str, server: Served
) -> None:
    wrong = attach(server, session, "sales.csv", b"R,N\na,1\nb,1,5\n")
    assert wrong.status_code == 422
    error = wrong.json()["error"]
    assert (error["code"], error["details"]) == ("source_unreadable", {"row": 3, "column": "C"})
    assert counted(server, sources, source_pieces) == [0, 0]


@pytest.mark.usefixtures("quick_data")
def test_a_conversation_has_as_many_sources_as_it_may_and_none_that_is_too_large() -> None:
    chosen = settings(bundled=("plans",), encoder="none")
    limits = {PlanSettings: PlanSettings(sources=1, source_megabytes=1)}
    with served(store=MemoryStore(plugins=plugin_tables()), chosen=chosen, services=limits) as server:
        here = str(server.client.post("/sessions", headers=ADA).json()["id"])
        sent = [attach(server, here, name, CSV) for name in ("a.csv", "a.csv", "b.csv")]
        large = attach(server, here, "a.csv", b"x" * 1_100_000)
    assert [one.status_code for one in sent] == [201, 201, 422]
    assert sent[-1].json()["error"]["code"] == "limit_reached"
    assert (large.status_code, large.json()["error"]["code"]) == (413, "too_large")


@pytest.mark.skipif(not KNOWN, reason="needs /proc to see processes")
def test_a_stop_in_the_middle_of_a_query_leaves_no_step_and_no_process(server: Served, session: str) -> None:
    files = {"file": ("numbers.csv", b"a,b\n1,2\n3,4\n")}
    sent = server.client.post(
        f"/sessions/{session}/sources", data={"name": "numbers.csv"}, files=files, headers=ADA
    )
    assert sent.status_code == 201, sent.text
    endless = "SELECT sum(n.a * r.range * s.range) FROM numbers n, range(10000000) r, range(10000000) s"
    steps = [
        {"id": "endless", "action": "query", "arguments": {"sql": endless}},
        {"id": "after", "action": "query", "arguments": {"sql": "SELECT 1"}, "needs": ["endless"]},
    ]
    give(server, session, json.dumps({"problem": "Ask for ever", "steps": steps}))
    server.say("yes", session)
    portal = server.client.portal
    assert portal is not None

    async def at_work() -> bool:
        return bool(processes_of_data())

    async def gone() -> bool:
        return not processes_of_data()

    portal.call(until, at_work, 30)
    assert "I've stopped" in server.say("stop", session)["companion_message"]

    stopped = server.client.get(f"/sessions/{session}/plan", headers=ADA).json()
    assert stopped["phase"] == "idle"
    assert [step["state"] for step in stopped["steps"]] == ["cancelled", "cancelled"]
    portal.call(until, gone, 30)
    assert server.client.get(f"/sessions/{session}/facts", headers=ADA).json()["items"] == []


@pytest.mark.usefixtures("quick_data")
def test_the_file_of_a_table_is_downloaded_where_its_fact_says(server: Served, session: str) -> None:
    assert attach(server, session, "sales.csv", b"Region,Units\nNorth,3\n=1+1,4\n").status_code == 201
    steps = [
        {
            "id": "rows",
            "action": "query",
            "arguments": {"sql": "SELECT region, units FROM sales ORDER BY units"},
        },
        {
            "id": "sheet",
            "action": "table",
            "arguments": {"rows": {"fact": "rows"}, "title": "Units"},
            "needs": ["rows"],
        },
    ]
    give(server, session, json.dumps({"problem": "Keep the units", "steps": steps}))
    server.say("yes", session)
    told(server, session, "“Units” is kept as a file for spreadsheets: /sessions/")
    facts = server.client.get(f"/sessions/{session}/facts", headers=ADA).json()["items"]
    [ref] = [one["ref"] for one in facts if one["name"] == "sheet"]

    taken = server.client.get(ref, headers=ADA)

    assert taken.content.decode("utf-8-sig") == "region,units\r\nNorth,3\r\n'=1+1,4\r\n"
    assert taken.headers["content-type"].startswith("text/csv")
    assert taken.headers["content-disposition"].startswith('attachment; filename="Units.csv"')
    assert server.client.get(ref, headers=BOB).status_code == 404
