"""The scripts of the pages fit together: what they are given and what they call is there, and of the right type."""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from subprocess import run
from typing import Final

import pytest

from tests.clients.conftest import LONGEST

HERE: Final = Path(__file__).parent
PAGES: Final = HERE.parents[1] / "softrail" / "api" / "pages"
TSC: Final = HERE / "node_modules" / "typescript" / "bin" / "tsc"


SLIPS: Final = {
    "a method": ("why.js", "this.talk.why(", "this.talk.wy(", "Property 'wy' does not exist on type 'Talk'"),
    "a text": (
        "sessions.js",
        "texts.conversations",
        "texts.sessions",
        "Property 'sessions' does not exist",
    ),
    "an element": (
        "sessions.js",
        '"dialog").showModal',
        '"dialog").show_modal',
        "Property 'show_modal' does not exist",
    ),
    "a letter": (
        "chat.js",
        "talk.takeBack(",
        "talk.takeback(",
        "Property 'takeback' does not exist on type 'Talk'",
    ),
    "a question that is not there": (
        "question.js",
        "pending?.id} ${one",
        "pending.id} ${one",
        "'pending' is possibly 'null'",
    ),
}


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What TypeScript finds wrong with the scripts as they are (""), and with each of the slips in them alone.

    They are checked one after the other in one process, as it reads the types of a browser only once.
    """
    if shutil.which("node") is None or not TSC.is_file():
        why = "The types of the pages need Node 18 or newer: cd tests/clients && npm ci"
        if os.environ.get("SOFTRAIL_CLIENT_TESTS") == "required":
            pytest.fail(why)
        pytest.skip(why)
    pages = tmp_path_factory.mktemp("types") / "pages"
    # What stands in no script has its types beside them; libraries are their types alone.
    shutil.copytree(PAGES, pages, ignore=shutil.ignore_patterns("vendor"))
    shutil.copytree(HERE / "pages", pages, dirs_exist_ok=True)
    changed = {}
    for name, (script, right, slip, _) in SLIPS.items():
        text = (pages / script).read_text(encoding="utf-8")
        assert right in text
        changed[name] = {"script": script, "text": text.replace(right, slip, 1)}
    found = run(
        ["node", HERE / "types.mjs", pages],
        input=json.dumps(changed),
        capture_output=True,
        text=True,
        timeout=6 * LONGEST,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    told: Mapping[str, str] = json.loads(found.stdout)
    return told


def test_the_types_of_the_pages_fit(wrong: Mapping[str, str]) -> None:
    assert wrong[""] == ""


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_found(slip: str, wrong: Mapping[str, str]) -> None:
    assert SLIPS[slip][-1] in wrong[slip]
