"""What is loaded is not searched for garbage, unless somebody else decides that."""

import subprocess
import sys

import pytest
from pydantic import BaseModel

from softrail.core.loading import described_later

BEGIN = "import gc; looked = []; gc.callbacks.append(lambda phase, about: looked.append(phase))\n"
LOAD = """
from softrail.core.loading import loading
looked.clear()
with loading():
    made = [[] for _ in range(100_000)]
    while_loading = len(looked)
print(while_loading, gc.get_freeze_count() > 100_000, gc.isenabled())
"""


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("", "0 True True"),
        ("gc.disable()", "0 False False"),
        ("kept = [[]]; gc.freeze()", "0 False True"),
    ],
    ids=["by itself", "where nothing is looked for", "where a host has set things aside"],
)
def test_what_is_loaded_is_looked_through_neither_then_nor_later(before: str, told: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{BEGIN}{before}\n{LOAD}"],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == f"{told}\n"


def test_a_model_that_is_described_later_is_built_when_it_is_first_used_and_no_other_is() -> None:
    with described_later():

        class Late(BaseModel):
            size: int

    class Early(BaseModel):
        size: int

    assert Early.__pydantic_complete__
    assert not Late.__pydantic_complete__
    assert Late.model_validate({"size": "3"}).size == 3
    assert Late.__pydantic_complete__
