"""The example of two people, as it is: found by its entry points alone, and short."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "leave"


def _run(*command: str, folder: Path) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("SOFTRAIL_")},
            "PYTHONPATH": os.pathsep.join([str(EXAMPLE), str(ROOT)]),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_its_entry_points_name_its_processes(tmp_path: Path) -> None:
    told = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))
    points = told["project"]["entry-points"]["softrail.processes"]
    code = "import leave, sys; print(*(getattr(leave, n.split(':')[1]).name for n in sys.argv[1:]))"

    assert _run(sys.executable, "-c", code, *points.values(), folder=tmp_path).split() == [*points]


def test_its_code_is_short() -> None:
    text = (EXAMPLE / "leave" / "__init__.py").read_text(encoding="utf-8")

    assert len([line for line in text.splitlines() if line.strip()]) <= 45
