"""The samples of other frameworks on the pages “Coming from …” do what the page says, where their library is installed.

They are no dependency of ours: an interpreter that has one is named in `PEER_AIOGRAM_PYTHON`, `PEER_LANGGRAPH_PYTHON` or
`PEER_BOT_FRAMEWORK_PYTHON` (`benchmarks/peers/README.md`), or they are where the tests run.
"""

import importlib.util
import os
import subprocess
import sys

import pytest
import yaml

from benchmarks.peers.samples import PEERS, page, sample
from tests.house.pages import ROOT, blocks


def interpreter(name: str) -> str | None:
    """One that has the library."""
    named = os.environ.get(f"PEER_{name.upper().replace('-', '_')}_PYTHON")
    module = PEERS[name][0].split(".")[0]
    return named or (sys.executable if importlib.util.find_spec(module) else None)


@pytest.mark.parametrize("name", PEERS)
def test_a_sample_of_another_framework_does_what_the_page_shows(name: str) -> None:
    python = interpreter(name)
    if python is None:
        pytest.skip(
            f"{PEERS[name][0]} is not installed; benchmarks/peers/README.md says how to have it played"
        )

    done = subprocess.run(
        [python, "-m", "benchmarks.peers.samples", name],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout == sample(name)[1]


@pytest.mark.parametrize("name", PEERS)
def test_a_sample_is_python_and_its_talk_is_shown(name: str) -> None:
    code, talk = sample(name)

    compile(code, str(page(name)), "exec", dont_inherit=True)
    assert talk.startswith("> ")


def test_what_is_shown_of_rasa_is_yaml_and_said_to_be_not_run() -> None:
    shown = [block for block in blocks(page("rasa")) if block.kind == "yaml"]

    assert all(yaml.safe_load(block.text) for block in shown)
    assert shown
    assert "not run" in page("rasa").read_text(encoding="utf-8")
