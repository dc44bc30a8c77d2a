"""The command line on a real database file."""

import asyncio
import json
import os
import sqlite3
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from softrail.bootstrap import build
from softrail.cli import app
from softrail.core.clock import now
from softrail.core.keys import hash_key
from softrail.core.turns import Request
from tests.forked import ran


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOFTRAIL_DURABILITY", "normal")
    return tmp_path


def softrail(*words: str, said: str | bytes = "", code: int = 0) -> Result:
    """Run a command; its exit code must be `code`, and no traceback may show."""
    result = CliRunner().invoke(app, list(words), input=said)
    assert result.exit_code == code, f"{result.output}\n{result.stderr}\n{result.exception!r}"
    assert "Traceback" not in result.output + result.stderr
    return result


def chatted(*messages: str, session: str | None = None) -> list[dict[str, object]]:
    """Talk over a pipe; the replies."""
    more = ["--session", session] if session else []
    result = softrail("chat", "--json", *more, said="".join(f"{m}\n" for m in messages))
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_chat_over_a_pipe_is_plain_lines_with_what_may_be_said_next() -> None:
    shown = softrail(
        "chat", said="let's do my standup\n\nfixed login\n/exit\nnever read\n"
    ).stdout.splitlines()

    assert shown[0] == "What did you work on yesterday?"
    assert any("your standup is paused" in line for line in shown)
    assert not any("never read" in line for line in shown)


def test_a_chat_goes_on_in_the_same_session_later() -> None:
    [asked] = chatted("let's do my standup")
    session = str(asked["session_id"])

    [again] = chatted("fixed login", session=session)

    assert again["session_id"] == session
    assert again["seq"] == 3
    assert softrail("chat", "--session", "nope", code=1).stderr.startswith("There is no session nope")


def test_a_message_that_cannot_be_taken_does_not_end_the_chat() -> None:
    shown = softrail("chat", said="a" * 16_001 + "\nhello\n").stdout

    assert "! The field 'message' is not usable" in shown
    assert len(shown.splitlines()) > 1


def test_why_tells_a_support_person_who_answered_and_why() -> None:
    [first, second] = chatted("let's do my standup", "stop")

    started = softrail("why", str(first["turn_id"])).stdout
    stopped = softrail("why", str(second["turn_id"])).stdout

    assert "The person said:  let's do my standup" in started
    assert "standup  new → active  (start" in started
    assert "active → suspended  (escape" in stopped
    assert "Language model calls:  0" in stopped
    record = json.loads(softrail("why", str(second["turn_id"]), "--json").stdout)
    assert record["turn_id"] == second["turn_id"]
    assert softrail("why", "nope", code=1).stderr == "No turn 'nope' is stored.\n"


def test_why_asks_whose_turn_it_is_when_two_people_used_one_id() -> None:
    async def two_turns() -> None:
        async with build(discover=False) as dispatcher:
            for name in ("ada", "bob"):
                person = await dispatcher.store.ensure_person(f"{name}@x.org", id=name, at=now())
                await dispatcher.converse(Request(message=f"I am {name}", turn_id="same"), person)

    asyncio.run(two_turns())

    assert "--person" in softrail("why", "same", code=1).stderr
    assert "I am bob" in softrail("why", "same", "--person", "Bob@x.org").stdout


def test_a_key_is_shown_once_and_only_its_hash_is_kept(folder: Path) -> None:
    made = json.loads(softrail("keys", "create", "--person", "Ada@X.org", "--name", "ci", "--json").stdout)
    listed = softrail("keys", "list").stdout

    assert made["key"].startswith("sr_")
    assert made["key"] not in listed
    assert "ada@x.org" in listed
    content = b"".join(path.read_bytes() for path in folder.glob("softrail.db*"))
    assert made["key"].encode() not in content
    assert hash_key(made["key"]).encode() in content

    softrail("keys", "revoke", made["id"])
    [row] = json.loads(softrail("keys", "list", "--json").stdout)
    assert row["revoked_at"] is not None
    softrail("keys", "revoke", "nope", code=1)
    softrail("keys", "create", "--person", "nobody", code=1)


def test_a_key_is_given_a_right_by_name(folder: Path) -> None:
    given = ("keys", "create", "--person", "ops@x.org", "--right")
    made = json.loads(softrail(*given, "inspect", "--json").stdout)

    assert made["rights"] == ["inspect"]
    assert "may inspect" in softrail("keys", "list").stdout
    assert "inspect" in softrail(*given, "everything", code=2).stderr


def test_serve_refuses_the_world_in_local_mode() -> None:
    refused = softrail("serve", "--host", "0.0.0.0", code=2)  # noqa: S104 - that it is refused is the point

    assert "keys create" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_processes_and_their_diagrams() -> None:
    names = {row["name"] for row in json.loads(softrail("processes", "--json").stdout)}
    assert {"standup", "onboarding", "clarification"} <= names
    assert "stateDiagram" in softrail("graph", "standup").stdout
    assert "gathering_today" in softrail("graph", "standup", "--text").stdout
    assert softrail("graph", "standup", "--svg").stdout.startswith("<svg ")
    assert "aria-current" in softrail("graph", "standup", "--svg", "--step", "gathering_today").stdout
    assert "gathering_today" in softrail("graph", "standup", "--svg", "--step", "nope", code=2).stderr
    assert "Choose one" in softrail("graph", "standup", "--svg", "--text", code=2).stderr
    assert "Registered:" in softrail("graph", "nope", code=1).stderr


def test_classify_reads_one_message_a_line_and_prints_one_object_a_line() -> None:
    lines = softrail("classify", "-", "--json", said="hello\n\nlet's do my standup\n").stdout.splitlines()

    found = [json.loads(line) for line in lines]
    assert [row["intent"] for row in found] == ["greeting", "start_standup"]
    keys = ["intent", "confidence", "tier", "parameters", "target", "ambiguous", "missing", "scores"]
    assert [list(row) for row in found] == [[*keys, "candidates", "also", "left_over"]] * 2


def test_classify_tells_a_person_every_intent_of_a_message_and_what_was_taken_from_it() -> None:
    said = "Remember that our budget is ten thousand. Then draft the specification."

    shown = softrail("classify", said).stdout.splitlines()

    assert shown[0] == f"“{said}”"
    assert shown[1].startswith("  add_knowledge at ")
    assert "sure, from the examples alone" in shown[1]
    assert "    knowledge_text: our budget is ten thousand" in shown
    assert any(line.startswith("  then request_draft at ") for line in shown)
    assert not any("  0.00  " in line for line in shown)


def test_bytes_that_are_no_text_are_read_as_a_replacement_character() -> None:
    torn = "remember that \udcff the roof leaks"
    found = json.loads(softrail("classify", torn, "--json").stdout)
    assert found["intent"] == "add_knowledge"
    assert found["parameters"] == {"knowledge_text": "\ufffd the roof leaks"}
    assert "the roof leaks" in softrail("classify", torn).stdout

    lines = softrail("classify", "-", "--json", said=b"remember that \xff the roof leaks\nhello\n").stdout
    assert [json.loads(line)["intent"] for line in lines.splitlines()] == ["add_knowledge", "greeting"]


def labelled(folder: Path, *rows: tuple[str, str], before: bytes = b"") -> str:
    file = folder / "messages.jsonl"
    lines = [json.dumps({"text": text, "label": label}) for text, label in rows]
    file.write_bytes(before + "\n".join(lines).encode())
    return str(file)


def test_eval_reads_half_a_surrogate_pair_a_byte_order_mark_and_every_label_there_is(folder: Path) -> None:
    rows = [("remember that \ud800 the roof leaks", "add_knowledge"), ("hello", "greeting"), ("zqx", "oos")]

    file = labelled(folder, *rows, before=b"\xef\xbb\xbf")

    found = json.loads(softrail("eval", file, "--json").stdout)
    assert (found["accuracy"]["share"], found["accuracy"]["n"]) == (1.0, 2)


def test_eval_names_a_label_that_no_intent_has(folder: Path) -> None:
    file = labelled(folder, ("hello", "greeting"), ("note that", "add_knowlege"))

    told = softrail("eval", file, code=1).stderr

    assert "messages.jsonl:2: No intent is called 'add_knowlege'. Did you mean 'add_knowledge'?" in told
    assert "`oos`" in told


@pytest.mark.parametrize("precision", ["2", "0", "-1", "nan"])
def test_eval_refuses_a_precision_that_is_no_share(precision: str, folder: Path) -> None:
    file = labelled(folder, ("hello", "greeting"))

    assert "precision" in softrail("eval", file, "--bars", "--precision", precision, code=2).stderr


def test_check_finds_nothing_in_what_is_shipped() -> None:
    assert softrail("check").stderr == "Everything is in order.\n"


def test_check_tells_that_the_encoder_cannot_be_used_once_and_looks_at_the_rest(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "packages").mkdir()
    (folder / "packages" / "sentence_transformers.py").write_text(
        "class SentenceTransformer:\n"
        "    def __init__(self, name, *, device):\n"
        "        raise OSError(f'{name} is no model')\n"
    )
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)
    monkeypatch.syspath_prepend(folder / "packages")
    for setting, why in (("no-such-model", "no-such-model is no model"), ("./none", "does not exist")):
        monkeypatch.setenv("SOFTRAIL_ENCODER", setting)

        [found] = json.loads(softrail("check", "--json", code=1).stdout)

        assert (found["area"], found["path"]) == ("encoder", "settings")
        assert why in found["message"]
    assert softrail("chat", said="hello\n", code=1).stderr.startswith(
        "The encoder setting names the folder './none'"
    )
    sys.modules.pop("sentence_transformers", None)


def test_check_tells_every_fault_with_file_and_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "texts" / "registry").mkdir(parents=True)
    (folder / "texts" / "registry" / "paused.txt").write_text("Okay.\n{proces} is paused.\n")
    monkeypatch.setenv("SOFTRAIL_PROMPTS_DIR", str(folder / "texts"))

    shown = softrail("check", code=1).stdout

    assert "registry/paused.txt:2: The place {proces} is not filled here." in shown
    assert "registry/paused.txt: The place {process} is missing." in shown
    found = json.loads(softrail("check", "--json", code=1).stdout)
    assert {row["area"] for row in found} == {"prompts"}


def test_the_database_is_upgraded_and_its_standing_told() -> None:
    assert "db upgrade" in softrail("db", "status", code=1).stdout
    softrail("db", "upgrade")
    assert json.loads(softrail("db", "status", "--json").stdout)["standing"] == "current"
    assert "bytes now; it had" in softrail("db", "compact").stdout


def test_sweep_reports_in_counts() -> None:
    counts = json.loads(softrail("sweep", "--json").stdout)

    assert counts == {"suspended": 0, "expired": 0, "defaulted": 0, "stranded": 0, "delivered": 0}


@pytest.mark.parametrize(
    "url", ["sqlite:///no/such/folder/x.db", "sqlite:///."], ids=["a missing folder", "a folder as file"]
)
def test_a_database_that_cannot_be_opened_is_one_line(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("SOFTRAIL_DATABASE_URL", url)

    for command in (["sweep"], ["keys", "list"], ["serve"], ["chat"]):
        assert len(softrail(*command, code=1).stderr.splitlines()) == 1


def test_a_file_that_is_no_database_is_one_line(folder: Path) -> None:
    (folder / "softrail.db").write_bytes(b"this is no database, really not" * 100)

    assert len(softrail("keys", "list", code=1).stderr.splitlines()) == 1


def test_a_wrong_setting_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTRAIL_PORT", "eighty")

    assert softrail("sweep", code=2).stderr.startswith("SOFTRAIL_PORT is not usable")
    softrail("nope", code=2)


def test_a_locked_database_is_told_in_chat_and_the_chat_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [_] = chatted("hello")
    monkeypatch.setenv("SOFTRAIL_BUSY_TIMEOUT", "0.05")
    lock = sqlite3.connect(folder / "softrail.db", isolation_level=None)
    try:
        lock.execute("BEGIN IMMEDIATE")
        refused = softrail("keys", "create", "--person", "a@b", code=1)
    finally:
        lock.close()

    assert "database is locked" not in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_a_new_process_and_its_test_run_as_they_are(folder: Path) -> None:
    softrail("new", "process", "book_a_room")

    done = ran(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_book_a_room.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )

    assert done.status == 0, done.stdout
    assert "2 passed" in done.stdout
    softrail("new", "process", "book_a_room", code=1)
    softrail("new", "process", "../evil", code=2)
    softrail("new", "process", "class", code=2)
