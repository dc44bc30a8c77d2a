"""A message the model was sure of waits for a person, who adds it as an example."""

import asyncio
import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from softrail.classifier import Bars, Cascade
from softrail.classifier.catalogue import read_catalogue
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


@pytest.fixture
def waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReviewQueue:
    monkeypatch.setenv("SOFTRAIL_REVIEW_FILE", str(tmp_path / "waiting.jsonl"))
    monkeypatch.setenv("SOFTRAIL_DATABASE_URL", f"sqlite:///{tmp_path}/softrail.db")
    queue = ReviewQueue(tmp_path / "waiting.jsonl")
    queue.propose("wrap the whole caboodle up", "finalize_project", why="the model read it so")
    return queue


def test_what_is_accepted_into_a_file_of_the_settings_is_known_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waiting: ReviewQueue
) -> None:
    more = tmp_path / "more.yaml"
    more.write_text("primary_intents:\n  finalize_project:\n    examples:\n      - we are through\n")
    monkeypatch.setenv("SOFTRAIL_INTENTS_FILES", str(more))
    monkeypatch.setenv("SOFTRAIL_ENCODER", "none")  # what is fitted is as much known without
    run = CliRunner().invoke

    accepted = run(app, ["review", "accept", "1"])
    read = json.loads(run(app, ["classify", "--json", "wrap the whole caboodle up"]).stdout)

    assert (accepted.exit_code, accepted.stderr) == (0, "")
    assert (read["intent"], read["confidence"]) == ("finalize_project", 1.0)
    assert waiting.waiting() == []
    assert run(app, ["check"]).exit_code == 0


def test_accepting_into_a_file_that_is_not_read_says_so(tmp_path: Path, waiting: ReviewQueue) -> None:
    more = tmp_path / "more.yaml"
    more.write_text("primary_intents:\n  finalize_project:\n    examples:\n      - we are through\n")

    accepted = CliRunner().invoke(app, ["review", "accept", "1", "--into", str(more)])

    assert accepted.exit_code == 0
    assert accepted.stderr == f"The assistant does not read {more}: name it in SOFTRAIL_INTENTS_FILES.\n"


@pytest.mark.parametrize(
    ("into", "said"),
    [
        (["--into", "nofile.yaml"], "There is no file nofile.yaml.\n"),
        (["--into", "/"], "There is no file /.\n"),
        ([], "Where to? Name a file in SOFTRAIL_INTENTS_FILES, or here with --into.\n"),
    ],
    ids=["no file", "a folder", "nothing named"],
)
def test_a_file_that_cannot_take_examples_is_one_line(
    waiting: ReviewQueue, into: list[str], said: str
) -> None:
    told = CliRunner().invoke(app, ["review", "accept", "1", *into])

    assert (told.exit_code, told.stderr) == (2, said)
    assert len(waiting.waiting()) == 1


def test_without_a_file_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOFTRAIL_REVIEW_FILE", raising=False)
    told = CliRunner().invoke(app, ["review", "list"])
    assert told.exit_code == 2
    assert "SOFTRAIL_REVIEW_FILE" in told.stderr


def test_eval_reports_on_labelled_messages(tmp_path: Path) -> None:
    labelled = tmp_path / "mine.jsonl"
    labelled.write_text('{"text": "let\'s do my standup", "label": "start_standup"}\n', encoding="utf-8")
    run = CliRunner().invoke

    told = run(app, ["eval", str(labelled), "--json", "--bars"])
    broken = run(app, ["eval", str(tmp_path / "none.jsonl")])

    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["confusion"] == [["start_standup", "start_standup", 1]]
    assert broken.exit_code == 1
    assert "none.jsonl" in broken.stderr


def test_suggested_bars_are_lines_of_a_file_that_the_assistant_reads(tmp_path: Path) -> None:
    labelled, more = tmp_path / "mine.jsonl", tmp_path / "more.yaml"
    said = {"text": "revise the specification", "label": "request_revision"}
    labelled.write_text("".join(f"{json.dumps(said)}\n" for _ in range(20)), encoding="utf-8")

    shown = CliRunner().invoke(app, ["eval", str(labelled), "--bars"]).stdout

    assert "name it in SOFTRAIL_INTENTS_FILES" in shown
    more.write_text(shown[shown.index("primary_intents:") :], encoding="utf-8")
    found = read_catalogue(more, adds=True)
    assert (found.faults, [(i.name, i.bar) for i in found.intents]) == ((), [("request_revision", 0.4)])
