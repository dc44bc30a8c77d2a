"""The scripts of the pages fit together: what they are given and what they call is there, and of the right type."""

import os
import shutil
from pathlib import Path
from subprocess import run
from typing import Final

import pytest

from tests.clients.conftest import LONGEST

HERE: Final = Path(__file__).parent
PAGES: Final = HERE.parents[1] / "softrail" / "api" / "pages"
TSC: Final = HERE / "node_modules" / "typescript" / "bin" / "tsc"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """The scripts, with the types of what stands in no script; libraries are their types alone."""
    if shutil.which("node") is None or not TSC.is_file():
        why = "The types of the pages need Node 18 or newer: cd tests/clients && npm ci"
        if os.environ.get("SOFTRAIL_CLIENT_TESTS") == "required":
            pytest.fail(why)
        pytest.skip(why)
    shutil.copytree(PAGES, tmp_path / "pages", ignore=shutil.ignore_patterns("vendor"))
    shutil.copytree(HERE / "pages", tmp_path / "pages", dirs_exist_ok=True)
    return tmp_path / "pages"


def checked(pages: Path) -> str:
    """What TypeScript finds wrong with them."""
    found = run(
        ["node", TSC, "--project", pages], capture_output=True, text=True, timeout=LONGEST, check=False
    )
    return found.stdout + found.stderr


def test_the_types_of_the_pages_fit(pages: Path) -> None:
    assert checked(pages) == ""


@pytest.mark.parametrize(
    ("script", "right", "wrong", "why"),
    [
        ("why.js", "this.talk.why(", "this.talk.wy(", "Property 'wy' does not exist on type 'Talk'"),
        ("sessions.js", "texts.conversations", "texts.sessions", "Property 'sessions' does not exist"),
        (
            "sessions.js",
            '"dialog").showModal',
            '"dialog").show_modal',
            "Property 'show_modal' does not exist",
        ),
        ("chat.js", "talk.takeBack(", "talk.takeback(", "Property 'takeback' does not exist on type 'Talk'"),
        ("question.js", "pending?.id} ${one", "pending.id} ${one", "'pending' is possibly 'null'"),
    ],
    ids=["a method", "a text", "an element", "a letter", "a question that is not there"],
)
def test_a_slip_is_found(pages: Path, script: str, right: str, wrong: str, why: str) -> None:
    text = (pages / script).read_text(encoding="utf-8")
    assert right in text
    (pages / script).write_text(text.replace(right, wrong, 1), encoding="utf-8")

    assert why in checked(pages)
