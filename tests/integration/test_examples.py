"""The example distributions, as a stranger would use them: installed, found, talked to, and passing their own tests."""

import ast
import json
import os
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.build import build_wheel

from tests.forked import SOFTRAIL, ran
from tests.strangers import PYTEST

ROOT = Path(__file__).parents[2]
EXAMPLES = ("bank", "family", "leave", "refunds", "reviewers", "table")

#: What of ours an example needs; its tests may need `softrail.testing` as well.
PUBLIC = {"softrail", "softrail.plugin"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A way to get a folder into which nothing but that example was installed."""

    @cache
    def install(name: str) -> Path:
        source = tmp_path_factory.mktemp("source") / name
        example = ROOT / "examples" / name
        for path in (p for p in example.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
            copy = source / path.relative_to(example)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        # What pip does, less its own start: the backend is asked for a wheel, and its files are laid there.
        target = tmp_path_factory.mktemp("site")
        with chdir(source):
            wheel = build_wheel(str(source))
        with ZipFile(source / wheel) as packed:
            packed.extractall(target)
        return target

    return install


def _run(*command: str, path: Path = ROOT, folder: Path = ROOT, said: str = "") -> str:
    env = {
        **{name: value for name, value in os.environ.items() if not name.startswith("SOFTRAIL_")},
        "PYTHONPATH": os.pathsep.join([str(path), str(ROOT)]),
    }
    done = ran(command, cwd=folder, env=env, said=said)
    assert done.status == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_it_is_found_by_its_entry_point_alone(installed: Callable[[str], Path], tmp_path: Path) -> None:
    without = json.loads(_run(*SOFTRAIL, "processes", "--json", folder=tmp_path))
    beside = json.loads(_run(*SOFTRAIL, "processes", "--json", path=installed("refunds"), folder=tmp_path))

    assert "refund" not in [kind["name"] for kind in without]
    [kind] = [kind for kind in beside if kind["name"] == "refund"]
    assert kind["steps"] == ["begin", "order", "too_late", "reason", "damage", "check", "confirmed"]
    assert [k["name"] for k in beside if k["name"] != "refund"] == [k["name"] for k in without]


def test_it_is_talked_to_in_the_terminal_with_no_other_wiring(
    installed: Callable[[str], Path], tmp_path: Path
) -> None:
    said = _run(
        *(*SOFTRAIL, "chat", "--json"),
        path=installed("refunds"),
        folder=tmp_path,
        said="I want my money back\nA-1001\n2\nyes please\n",
    )

    replies = [json.loads(line) for line in said.splitlines()]
    assert [r["process"]["step"] for r in replies] == ["order", "reason", "confirmed", "confirmed"]
    assert replies[-1]["process"]["state"] == "completed"
    assert [s["kind"] for s in replies[-1]["side_effects"]] == ["refund_saved", "accounts_told"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_its_own_tests_pass_against_what_was_installed(
    name: str, installed: Callable[[str], Path], tmp_path: Path
) -> None:
    example = ROOT / "examples" / name

    said = _run(
        *PYTEST,
        *("-c", str(example / "pyproject.toml"), "--rootdir", str(tmp_path), str(example / "tests")),
        path=installed(name),
        folder=tmp_path,
    )

    assert " passed" in said
    assert len(list((example / "tests").iterdir())) > 1


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_imports_what_is_public_and_nothing_else_of_ours(name: str) -> None:
    trees = [ast.parse(path.read_text()) for path in (ROOT / "examples" / name / name).glob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    named = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    named |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}

    assert {module for module in named if module.split(".")[0] == "softrail"} - PUBLIC == set()


def test_every_example_is_tested() -> None:
    assert sorted(p.name for p in (ROOT / "examples").iterdir() if (p / "pyproject.toml").exists()) == list(
        EXAMPLES
    )
