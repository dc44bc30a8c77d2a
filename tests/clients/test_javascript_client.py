"""The JavaScript client of ours: its types are those of the interface, and what it says is said once."""

import os
import shutil
from pathlib import Path
from subprocess import run
from typing import Final

import pytest

from tests.clients.conftest import LONGEST, Server
from tests.clients.written_types import WRITTEN, document, types

HERE: Final = Path(__file__).parent
CLIENT: Final = WRITTEN.with_name("client.js")


def test_the_types_of_the_client_are_those_of_the_interface() -> None:
    assert types(document()) == WRITTEN.read_text(encoding="utf-8"), (
        "client.d.ts is stale: write it again with `python -m tests.clients.written_types`."
    )


def test_the_client_goes_through_it_all(server: Server, tmp_path: Path) -> None:
    if shutil.which("node") is None:
        why = "The JavaScript client needs Node 18 or newer to be tested without a browser."
        if os.environ.get("SOFTRAIL_CLIENT_TESTS") == "required":
            pytest.fail(why)
        pytest.skip(why)
    for name in ("client.js", "asking.js"):
        (tmp_path / name).with_suffix(".mjs").write_text(
            CLIENT.with_name(name).read_text(encoding="utf-8").replace('.js"', '.mjs"'), encoding="utf-8"
        )
    command = ["node", "client.mjs", (tmp_path / "client.mjs").as_uri(), server.url]
    found = run(command, cwd=HERE, capture_output=True, text=True, timeout=LONGEST, check=False)

    assert found.returncode == 0, found.stdout + found.stderr
