"""Writes `requirements.txt` and `requirements-dev.txt`: every dependency in one version, with the hashes of its files.

The versions are those of `constraints.txt`. Needs uv: `make lock` brings it.
"""

import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEAD = "# Written by `make lock` from pyproject.toml and constraints.txt; do not edit. pip verifies the hashes.\n"


def main() -> None:
    """Write both files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    build = project["build-system"]["requires"]
    optional = project["project"]["optional-dependencies"]
    run = [*project["project"]["dependencies"], *optional["plans"], *build]
    extras = [one for some in optional.values() for one in some]
    dev = [one for one in project["dependency-groups"]["dev"] if not one.startswith("softrail[")]
    write("requirements.txt", run)
    write("requirements-dev.txt", [*run, *extras, *dev])


def write(name: str, wanted: list[str]) -> None:
    """Resolve what is wanted into one file."""
    command = "uv pip compile - --quiet --constraint constraints.txt --universal --python-version 3.11"
    made = subprocess.run(  # noqa: S603 - a fixed command
        [*command.split(), "--generate-hashes", "--no-header", "--no-annotate"],
        input="\n".join(wanted),
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    (ROOT / name).write_text(HEAD + made.stdout, encoding="utf-8")


main()
