"""`/plan FILE` in the terminal is the plan in that file."""

from pathlib import Path

import pytest

from softrail.cli.planning import with_file
from softrail.core.errors import BadRequest


def test_the_text_of_the_file_takes_the_place_of_its_name(tmp_path: Path) -> None:
    file = tmp_path / "my plan.yaml"
    file.write_text("problem: x\n", encoding="utf-8")

    assert with_file(f"/plan {file}") == "/plan\nproblem: x\n"


@pytest.mark.parametrize(
    "message", ["/plan", "/plan nothing.yaml", "/plan\nproblem: x", "plan my week", "/plans x"]
)
def test_every_other_message_stays_as_it_is(message: str) -> None:
    assert with_file(message) == message


def test_a_file_that_is_no_text_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "plan.bin"
    file.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(BadRequest, match=r"plan\.bin cannot be read as text"):
        with_file(f"/plan {file}")
