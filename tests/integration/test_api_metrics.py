"""Figures about turns, and what they never hold."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from softrail.api import create_app
from softrail.api.metrics import SHARED_FIGURES, TurnMetrics
from softrail.bootstrap import build
from softrail.cli.serving import _counted_together
from softrail.core.effects import OutboxItem
from softrail.store import MemoryStore
from tests.faults.server import ROOT
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


COUNT = """
from dataclasses import replace

from softrail.api.metrics import TurnMetrics
from tests.integration.test_api_metrics import ITEM

metrics = TurnMetrics()
metrics.hear(replace(ITEM, status="delivered"))
print(metrics.text().decode())
"""


def test_workers_of_one_server_count_together_also_those_that_have_died(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), SHARED_FIGURES: str(tmp_path)}
    for expected in ("1.0", "2.0"):  # the second is another process, and the first has ended
        shown = subprocess.run(
            [sys.executable, "-c", COUNT], env=environment, capture_output=True, text=True, check=True
        )
        assert f'softrail_deliveries_total{{kind="mail",outcome="delivered"}} {expected}' in shown.stdout


def test_the_folder_they_count_in_is_there_while_they_run_and_gone_afterwards() -> None:
    with _counted_together():
        folder = Path(os.environ[SHARED_FIGURES])
        assert folder.is_dir()
        with _counted_together():  # whoever has one keeps it
            assert Path(os.environ[SHARED_FIGURES]) == folder
    assert not folder.exists()
    assert SHARED_FIGURES not in os.environ
