"""The clients that frontends are made with, through one process, each against a real server."""

import os
import shutil
from pathlib import Path
from subprocess import run
from typing import Final

import pytest

from tests.clients.conftest import LONGEST

HERE: Final = Path(__file__).parent
CLIENTS: Final = ("ag-ui-1.0.0", "ag-ui-0.0.59", "ai-6-transport", "ai-6-use-chat")
HOW: Final = "Install them with Node 18 or newer: cd tests/clients && npm ci"


def missing() -> str:
    """Why the clients cannot be run here; "" when they can."""
    if shutil.which("node") is None:
        return f"The clients of frontends need Node. {HOW}"
    if not (HERE / "node_modules" / "ai").is_dir():
        return f"The clients of frontends are not installed. {HOW}"
    return ""


@pytest.fixture(scope="module")
def url(server: str) -> str:
    """The server, where there are clients for it."""
    if why := missing():
        if os.environ.get("SOFTRAIL_CLIENT_TESTS") == "required":
            pytest.fail(why)
        pytest.skip(why)
    return server


@pytest.mark.parametrize("client", CLIENTS)
def test_a_real_client_goes_through_it_all(client: str, url: str) -> None:
    command = ["node", "scenarios.mjs", client, url]
    found = run(command, cwd=HERE, capture_output=True, text=True, timeout=LONGEST, check=False)

    assert found.returncode == 0, found.stdout + found.stderr
