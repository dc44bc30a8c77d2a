"""Where neither Node nor a browser is there, their tests are skipped with what to do; where both have to be, they fail."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.forked import ran
from tests.strangers import PYTEST

ROOT: Final = Path(__file__).parents[2]
THEIRS: Final = (
    "tests/clients/test_real_clients.py::test_a_real_client_goes_through_it_all[ai-6-transport]",
    "tests/clients/test_javascript_client.py::test_the_client_goes_through_it_all",
    "tests/clients/test_types_of_pages.py",
    "tests/browser/test_chat_looks.py::test_the_picture_in_the_docs_is_of_this_page",
)
WHY: Final = ("need Node", "need Chromium", "npm ci", "package chromium")


@pytest.mark.parametrize("required", [False, True], ids=["at home", "in continuous integration"])
def test_what_cannot_be_tried_is_said_with_what_to_do(required: bool, tmp_path: Path) -> None:
    demand = dict.fromkeys(("SOFTRAIL_CLIENT_TESTS", "SOFTRAIL_BROWSER_TESTS"), "required")
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("SOFTRAIL_", "PYTEST_"))
    }
    env = {**kept, "PATH": str(tmp_path), **(demand if required else {})}
    done = ran([*PYTEST, "-rs", *THEIRS], cwd=ROOT, env=env)

    assert done.status == (1 if required else 0), done.stdout + done.stderr
    assert ("SKIPPED" in done.stdout) is not required
    assert [why for why in WHY if why not in done.stdout] == []


def integration(here: Path, *failing: str) -> "subprocess.CompletedProcess[str]":
    """The script of continuous integration, where its commands do nothing but succeed, or fail."""
    (here / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", here / ".ci/run")
    commands = here / "commands"
    said = 'echo "${0##*/} $* clients=$SOFTRAIL_CLIENT_TESTS browser=$SOFTRAIL_BROWSER_TESTS"'
    for place in (*(commands / name for name in ("make", "npm", "apt-get")), here / ".venv/bin/python"):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"#!/bin/sh\n{said}\nexit {int(place.name in failing)}\n", encoding="utf-8")
        place.chmod(0o755)
    for name in ("bash", "dirname", "sort", "head", "timeout"):
        (commands / name).symlink_to(str(shutil.which(name)))
    return subprocess.run(
        [shutil.which("bash") or "bash", here / ".ci/run"],
        env={"PATH": str(commands)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_in_continuous_integration_what_was_installed_has_to_be_tried(tmp_path: Path) -> None:
    done = integration(tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "make test clients=required browser=required" in done.stdout
    assert "NOT TESTED" not in done.stderr


@pytest.mark.parametrize(
    ("failing", "tried", "lacks"),
    [
        ("npm", "clients= browser=required", "the clients of frontends"),
        ("apt-get", "clients=required browser=", "the pages in a browser"),
    ],
)
def test_a_run_that_could_not_install_everything_tries_the_rest_and_fails(
    failing: str, tried: str, lacks: str, tmp_path: Path
) -> None:
    done = integration(tmp_path, failing)

    assert done.returncode == 1
    assert f"\nmake test {tried}\n" in done.stdout
    assert f"NOT TESTED: {lacks}" in done.stderr
