"""What `softrail check` finds in files of intents and in labelled messages."""

import json
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from softrail.cli import app
from softrail.settings import BUNDLED


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def more(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = folder / "more.yaml"
    monkeypatch.setenv("SOFTRAIL_INTENTS_FILES", path.name)
    return path


def check(*words: str, code: int) -> Result:
    result = CliRunner().invoke(app, ["check", *words])
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize(
    "parts",
    [parts for many in range(len(BUNDLED) + 1) for parts in combinations(BUNDLED, many)],
    ids=lambda parts: " and ".join(parts) or "none",
)
def test_whichever_bundled_parts_are_wanted_they_are_in_order_and_somebody_answers(
    folder: Path, parts: tuple[str, ...]
) -> None:
    (folder / "softrail.toml").write_text(f"bundled = {json.dumps(parts)}\n")

    assert check(code=0).stderr == "Everything is in order.\n"
    heard = CliRunner().invoke(app, ["chat", "--json"], input="what can you do?\n")
    assert json.loads(heard.stdout.splitlines()[-1])["companion_message"], heard.output


def test_a_file_that_only_adds_examples_and_bars_is_in_order(more: Path) -> None:
    more.write_text(
        "primary_intents:\n  finalize_project:\n    examples: [we are through with the questionnaire]\n"
        "  greeting:\n    bar: 0.9\n"
    )
    check(code=0)


def test_a_misspelt_name_a_copy_a_contradiction_and_a_wrong_bar_are_named_with_file_and_line(
    more: Path,
) -> None:
    more.write_text(
        "primary_intents:\n"
        "  aprove_draft:\n"
        "    bar: 0.9\n"
        "  create_project:\n"
        "    bar: 1.5\n"
        "    examples:\n"
        "      - I want to start new projects\n"
        "      - revise the specification\n"
    )

    found = check(code=1).stdout

    assert "more.yaml:2: No intent named 'aprove_draft' is registered. Did you mean 'approve_draft'?" in found
    assert "more.yaml:5: The bar of create_project must be a number from 0 to 1." in found
    assert "more.yaml:7: The example 'I want to start new projects' is nearly the test message" in found
    assert (
        "more.yaml:8: The example 'revise the specification' of create_project is one of request_revision"
        in found
    )


def test_no_example_may_be_nearly_one_of_the_labelled_messages_that_are_given(folder: Path) -> None:
    (folder / "mine.jsonl").write_text(
        '{"text": "Revise the specifications.", "label": "request_revision"}\n'
    )

    assert (
        "'revise the specification' is nearly the test message"
        in check("--labelled", "mine.jsonl", code=1).stdout
    )
    assert "none.jsonl cannot be read" in check("--labelled", "none.jsonl", code=1).stderr


PLUGIN = """
from pydantic import BaseModel
from softrail import Done, Process, Turn, ask


class Fine(Process, name="fine_plugin", version=1):
    class Answers(BaseModel):
        name: str = ask("Name?"{more})

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("ok")
"""


@pytest.fixture
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Installs a distribution with one process, whose question has more arguments."""

    def install(more: str) -> None:
        (folder / "fine_plugin.py").write_text(PLUGIN.format(more=more))
        (folder / "fine-1.dist-info").mkdir()
        (folder / "fine-1.dist-info" / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: fine\nVersion: 1\n"
        )
        (folder / "fine-1.dist-info" / "entry_points.txt").write_text(
            "[softrail.processes]\nfine_plugin = fine_plugin:Fine\n"
        )
        monkeypatch.syspath_prepend(str(folder))

    yield install
    sys.modules.pop("fine_plugin", None)


CALLS = """
from pydantic import BaseModel
from softrail import Call, Done, Process, Turn, ask, step


class Fine(Process, name="fine_plugin"):
    starts_on = ("begin finely",)

    class Answers(BaseModel):
        name: str = ask("Name?")

    async def complete(self, answers: Answers, turn: Turn) -> Call:
        return Call("{called}", then="end")

    @step()
    async def end(self, said: Turn, data: Answers) -> Done:
        return Done("ok")
"""


def test_a_process_that_is_called_and_not_there_is_a_fault_and_a_circle_a_warning(
    installed: Callable[[str], None], folder: Path
) -> None:
    installed("")
    (folder / "fine_plugin.py").write_text(CALLS.format(called="standupp"))
    found = check(code=1).stdout
    assert (
        "fine_plugin.py:13: Process 'fine_plugin' (fine_plugin.Fine) calls 'standupp' in complete()" in found
    )
    assert "Did you mean 'standup'?  [processes]" in found

    sys.modules.pop("fine_plugin", None)
    (folder / "fine_plugin.py").write_text(CALLS.format(called="fine_plugin") + "# now itself\n")
    found = check(code=0).stdout
    assert "calls in a circle: fine_plugin → fine_plugin." in found
    assert "the last of these calls fails.  [warning]" in found


def test_a_mere_warning_is_told_with_its_line_and_only_strict_counts_it(
    installed: Callable[[str], None],
) -> None:
    installed("")

    told = check(code=0)
    assert (
        "fine_plugin.py:6: Process 'fine_plugin' (fine_plugin.Fine) can be started by nobody" in told.stdout
    )
    assert told.stderr.endswith("1 warning.\n")
    check("--strict", code=1)
    [found] = json.loads(check("--json", code=0).stdout)
    assert (found["area"], found["level"], found["path"], found["line"]) == (
        "processes",
        "warning",
        "fine_plugin.py",
        6,
    )


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (", default=5", "has 5 as the default of 'name', which is no str."),
        (", lable='x'", "ask() has no argument 'lable'. Did you mean label=? (line 8 of "),
    ],
    ids=["a default of the wrong type", "a misspelt argument of ask"],
)
def test_a_process_that_is_refused_is_a_fault_and_the_others_go_on(
    installed: Callable[[str], None], more: str, says: str
) -> None:
    installed(more)

    told = check(code=1)

    assert says in told.stdout
    assert "line 8 of" in told.stdout
    assert told.stderr.endswith("1 fault.\n")
