"""A message the model was sure of waits for a person, who adds it as an example."""

import asyncio
import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from softrail.classifier import Bars, Cascade
from softrail.classifier.review import ReviewQueue
from softrail.cli import app
from softrail.core.intents import IntentDefinition
from softrail.models import ScriptedModel

REFUND = IntentDefinition(
    name="refund", description="Money back.", examples=("I want a refund", "give me my money back")
)
CHAT = IntentDefinition(name="general_conversation", description="Talk.")
YAML = {"primary_intents": {"refund": {"description": "Money back.", "examples": ["I want a refund"]}}}


def _ask(queue: ReviewQueue, message: str, confidence: float) -> None:
    answer = json.dumps({"intent": "refund", "confidence": confidence, "parameters": {}, "alternative": None})
    cascade = Cascade(encoder="none", bars=Bars(bar=1.01), review=queue)
    asyncio.run(cascade.classify(message, [REFUND, CHAT], model=ScriptedModel([answer])))


def test_only_what_the_model_was_sure_of_waits(tmp_path: Path) -> None:
    queue = ReviewQueue(tmp_path / "waiting.jsonl")
    _ask(queue, "the toaster came in pieces, pay me back", 0.95)
    _ask(queue, "hm, the toaster", 0.75)

    assert [(p.text, p.intent) for p in queue.waiting()] == [
        ("the toaster came in pieces, pay me back", "refund")
    ]


def test_a_person_accepts_and_rejects_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, intents = tmp_path / "waiting.jsonl", tmp_path / "intents.yaml"
    intents.write_text(yaml.safe_dump(YAML), encoding="utf-8")
    monkeypatch.setenv("SOFTRAIL_REVIEW_FILE", str(waiting))
    queue = ReviewQueue(waiting)
    queue.propose("pay me back", "refund", why="the model read it so")
    queue.propose("nice weather", "refund", why="the model read it so")
    run = CliRunner().invoke

    listed = json.loads(run(app, ["review", "list", "--json"]).stdout)
    accepted = run(app, ["review", "accept", "1", "--into", str(intents)])
    rejected = run(app, ["review", "reject", "2"])

    assert [p["text"] for p in listed] == ["pay me back", "nice weather"]
    assert (accepted.exit_code, rejected.exit_code) == (0, 0), accepted.output + rejected.output
    assert "pay me back" in intents.read_text(encoding="utf-8")
    assert "nice weather" not in intents.read_text(encoding="utf-8")
    assert queue.waiting() == []
    assert run(app, ["review", "reject", "7"]).exit_code == 1


def test_without_a_file_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOFTRAIL_REVIEW_FILE", raising=False)
    told = CliRunner().invoke(app, ["review", "list"])
    assert told.exit_code == 2
    assert "SOFTRAIL_REVIEW_FILE" in told.stderr


def test_eval_reports_on_labelled_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTRAIL_CACHE_DIR", str(tmp_path))
    labelled = tmp_path / "mine.jsonl"
    labelled.write_text('{"text": "let\'s do my standup", "label": "start_standup"}\n', encoding="utf-8")
    run = CliRunner().invoke

    told = run(app, ["eval", str(labelled), "--json", "--bars"])
    broken = run(app, ["eval", str(tmp_path / "none.jsonl")])

    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["confusion"] == [["start_standup", "start_standup", 1]]
    assert broken.exit_code == 1
    assert "none.jsonl" in broken.stderr
