"""Figures about turns, and what they never hold."""

from dataclasses import replace

from softrail.api import create_app
from softrail.api.metrics import TurnMetrics
from softrail.bootstrap import build
from softrail.core.effects import OutboxItem
from softrail.store import MemoryStore
from tests.integration.api_server import ADA, START, CheckIn, here, settings
from tests.readers import reader

ITEM = OutboxItem(
    key="s:1:1", person_id="p", session_id="s", seq=1, n=1, kind="mail", payload={"to": "secret"}, tries=1
)


def test_turns_are_counted_by_owner_and_nothing_a_person_said_is_in_the_figures() -> None:
    chosen, metrics = settings(metrics=True), TurnMetrics()
    dispatcher = build(
        chosen,
        store=MemoryStore(),
        processes=[CheckIn],
        discover=False,
        on_turn=[metrics.observe],
        reader=reader(),
    )
    with here(create_app(dispatcher, chosen, metrics=metrics)) as client:
        session_id = client.post("/converse", json={"message": START}, headers=ADA).json()["session_id"]
        body = {"message": "my very secret answer", "session_id": session_id}
        client.post("/converse", json=body, headers=ADA)
        shown = client.get("/metrics")

    assert shown.headers["content-type"].startswith("text/plain")
    assert 'softrail_turns_total{owner="check_in",status="committed"} 1.0' in shown.text
    assert 'softrail_transitions_total{process="check_in",trigger="start"} 1.0' in shown.text
    assert "softrail_turn_seconds_bucket" in shown.text
    assert "secret" not in shown.text
    assert "ada" not in shown.text


def test_deliveries_are_counted_by_kind_and_outcome() -> None:
    metrics = TurnMetrics()
    for status in ("delivered", "delivered", "failed"):
        metrics.hear(replace(ITEM, status=status))

    shown = metrics.text().decode()

    assert 'softrail_deliveries_total{kind="mail",outcome="delivered"} 2.0' in shown
    assert 'softrail_deliveries_total{kind="mail",outcome="failed"} 1.0' in shown
    assert "secret" not in shown
