"""What is installed is pinned with hashes: the two commands of the README take nothing else."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("requirements.txt", "requirements-dev.txt")


def name_of(requirement: str) -> str:
    """A package's name as every tool writes it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0]).lower()


def pinned(file: str) -> dict[str, tuple[str, int]]:
    """Version and number of hashes of each package in that file."""
    text = (ROOT / file).read_text(encoding="utf-8")
    found = re.findall(r"^([A-Za-z0-9_.-]+)==(\S+)(.*(?:\n    .*)*)", text, re.MULTILINE)
    return {name_of(name): (version, rest.count("--hash=sha256:")) for name, version, rest in found}


@pytest.mark.parametrize("file", FILES)
def test_everything_is_pinned_with_hashes(file: str) -> None:
    assert all(hashes for _, hashes in pinned(file).values())
    assert "://" not in (ROOT / file).read_text(encoding="utf-8")


def test_the_locked_versions_are_those_of_the_constraints() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = {name_of(line): line.partition("==")[2] for line in lines if "==" in line}
    for file in FILES:
        locked = {name: version for name, (version, _) in pinned(file).items()}
        differing = {
            name: version for name, version in locked.items() if wanted.get(name, version) != version
        }
        assert differing == {}, "run `make lock`"


def test_every_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    build = project["build-system"]["requires"]
    run = {name_of(one) for one in [*project["project"]["dependencies"], *build]}
    dev = {name_of(one) for one in project["dependency-groups"]["dev"]} - {"softrail"}
    assert run <= set(pinned("requirements.txt")), "run `make lock`"
    assert run | dev <= set(pinned("requirements-dev.txt")), "run `make lock`"
