"""What is loaded is not searched for garbage, unless somebody else decides that."""

import subprocess
import sys

import pytest

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
