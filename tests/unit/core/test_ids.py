"""Identifiers: made in order of time, with tails that nobody else has."""

import os
import re
import subprocess
import sys

import pytest

from softrail.core.ids import TimeOrderedIds

VERSION_7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")

FORKS = """
import os
from softrail.core.ids import TimeOrderedIds

def tails():
    return [TimeOrderedIds().new()[-12:] for _ in range(500)]

tails()
reading, writing = os.pipe()
if not os.fork():
    os.write(writing, " ".join(tails()).encode())
    os._exit(0)
os.close(writing)
with open(reading) as child:
    print(len({*tails(), *child.read().split()}))
"""


def test_every_id_is_another_of_version_7() -> None:
    made = [TimeOrderedIds().new() for _ in range(1000)]

    assert len({one[-12:] for one in made}) == len(made)
    assert all(VERSION_7.fullmatch(one) for one in made)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process is forked here")
def test_a_process_that_is_forked_makes_none_of_the_other() -> None:
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "1000"
