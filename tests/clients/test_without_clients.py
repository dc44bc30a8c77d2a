"""Where neither Node nor a browser is there, their tests are skipped with what to do; where both have to be, they fail."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

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
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", *THEIRS],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == (1 if required else 0), ran.stdout + ran.stderr
    assert ("SKIPPED" in ran.stdout) is not required
    assert [why for why in WHY if why not in ran.stdout] == []
