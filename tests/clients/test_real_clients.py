"""The clients that frontends are made with, through one process, each against a real server."""

import os
import shutil
from pathlib import Path
from subprocess import run
from typing import Final

import pytest

from tests.agui_streams import faults
from tests.clients.conftest import LONGEST, Server

HERE: Final = Path(__file__).parent
CLIENTS: Final = {
    "ag-ui-1.0.0": ("ai",),
    "ag-ui-0.0.59": ("ai",),
    "ai-6-transport": ("ai",),
    "ai-6-use-chat": ("ai",),
    "assistant-ui-ag-ui": ("jsdom", "assistant-ui"),
    "assistant-ui-ai-sdk": ("jsdom", "assistant-ui"),
    "copilotkit": ("jsdom", "copilotkit"),
}  #: what each needs in node_modules, and the folder of its own that it has been installed in


def missing(needs: str, folder: str = "") -> str:
    """Why a client cannot be run here; "" when it can."""
    how = "Install them with Node 20 or newer: cd tests/clients && npm ci"
    if folder:
        how += f" && npm ci --prefix {folder}"
    if shutil.which("node") is None:
        return f"The clients of frontends need Node. {how}"
    wanted = [HERE / "node_modules" / needs, *([HERE / folder / "node_modules"] if folder else [])]
    if not all(one.is_dir() for one in wanted):
        return f"The clients of frontends are not installed. {how}"
    return ""


@pytest.mark.parametrize("client", CLIENTS)
def test_a_real_client_goes_through_it_all(client: str, request: pytest.FixtureRequest) -> None:
    if why := missing(*CLIENTS[client]):
        if os.environ.get("SOFTRAIL_CLIENT_TESTS") == "required":
            pytest.fail(why)
        pytest.skip(why)
    server: Server = request.getfixturevalue("server")  # not before: whoever has no client starts none
    server.recorder.take()
    command = ["node", "scenarios.mjs", client, server.url]
    found = run(command, cwd=HERE, capture_output=True, text=True, timeout=LONGEST, check=False)

    assert found.returncode == 0, found.stdout + found.stderr
    streams = server.recorder.take()
    assert bool(streams) is ("ag-ui" in client or client == "copilotkit")
    assert [fault for stream in streams for fault in faults(stream)] == []
