"""From the installed package to a process of one's own over HTTP, with its tests: what `softrail new project` writes runs."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from typer.testing import CliRunner

from softrail.cli import app
from tests.forked import SOFTRAIL, ran
from tests.strangers import PYTEST

ROOT = Path(__file__).parents[2]
PATIENCE = 240


def environment(*path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SOFTRAIL_")}
    return {**kept, "PYTHONPATH": os.pathsep.join(map(str, (*path, ROOT))), "SOFTRAIL_MODEL": "plain"}


def run(*command: str, folder: Path, path: tuple[Path, ...] = ()) -> str:
    done = ran(command, cwd=folder, env=environment(*path))
    assert done.status == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_four_commands_lead_to_a_process_over_http_with_a_passing_test(tmp_path: Path) -> None:
    run(*SOFTRAIL, "new", "project", "help-desk", folder=tmp_path)
    folder = tmp_path / "help-desk"

    tested = run(*PYTEST, folder=folder)
    server = subprocess.Popen(
        [*SOFTRAIL, "serve", "--port", "0"],
        cwd=folder,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr is not None
        found = next(
            filter(None, (re.search(r"running on (http://[\d.:]+)", line) for line in server.stderr))
        )
        said = {"message": "start the enquiry"}
        reply = httpx2.post(f"{found[1]}/converse", json=said, timeout=PATIENCE).json()
    finally:
        server.terminate()
        server.wait(PATIENCE)
        assert server.stderr is not None
        server.stderr.close()

    assert "2 passed" in tested
    assert reply["companion_message"] == "What is it about?"
    assert reply["process"]["name"] == "enquiry"


def test_another_process_in_it_brings_a_test_that_runs_with_the_others(tmp_path: Path) -> None:
    run(*SOFTRAIL, "new", "project", "shop", folder=tmp_path)
    folder = tmp_path / "shop"

    said = run(*SOFTRAIL, "new", "process", "street_lamp", "--into", "shop", folder=folder)
    inside = run(*SOFTRAIL, "new", "process", "bench", folder=folder / "shop")
    tested = run(*PYTEST, folder=folder)

    assert "Wrote shop/street_lamp.py\nWrote tests/test_street_lamp.py" in said
    assert "pytest tests/test_street_lamp.py" in said
    assert "add StreetLamp to the processes in shop/app.py" in said
    assert "Wrote ../tests/test_bench.py" in inside
    assert "6 passed" in tested


def test_it_is_a_distribution_in_which_nothing_is_at_fault(tmp_path: Path) -> None:
    run(*SOFTRAIL, "new", "project", "shop", folder=tmp_path)
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index")
    site = tmp_path / "site"

    lay = (*pip, "--no-deps", "--no-build-isolation", "--target", str(site), "./shop")
    subprocess.run(lay, cwd=tmp_path, env=environment(), timeout=PATIENCE, check=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "softrail.toml").write_text(
        'app = "shop.app:dispatcher"\nbundled = []\n', encoding="utf-8"
    )
    known = run(*SOFTRAIL, "processes", "--json", folder=tmp_path / "elsewhere", path=(site,))
    run(*SOFTRAIL, "check", folder=tmp_path / "shop")

    assert {kind["name"] for kind in json.loads(known)} == {"clarification", "enquiry"}


@pytest.mark.parametrize(
    "name", ["../evil", "Shop", "class", "json", "softrail", "tests", "a--b", "", "x" * 51]
)
def test_a_name_that_would_clash_or_lead_elsewhere_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    said = CliRunner().invoke(app, ["new", "project", name])

    assert said.exit_code == 2
    assert "a name of its own: shop, help-desk" in said.stderr
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()

    said = CliRunner().invoke(app, ["new", "project", "shop"])

    assert said.exit_code == 1
    assert "exists already; nothing was written" in said.stderr
    assert list((tmp_path / "shop").iterdir()) == []
