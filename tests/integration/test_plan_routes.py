"""Plans over HTTP: given, looked at, refused with what to do; and whose they are."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from softrail.bootstrap import plugin_tables
from softrail.core.clock import now
from softrail.store import MemoryStore
from softrail.testing.contracts.counting import until
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
