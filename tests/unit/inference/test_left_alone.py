"""What runs the models tells nobody of it, and keeps no number of this machine."""

import os
import subprocess
import sys
from pathlib import Path

LOADED = """
from softrail.classifier.encoder import MiniLM
assert MiniLM().encode(["hello"]).shape == (1, 768)
"""


def test_a_model_that_has_computed_has_written_nothing_about_it(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    homes = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "TMPDIR": str(tmp_path)}

    subprocess.run([sys.executable, "-c", LOADED], check=True, env={**kept, **homes})

    assert list(tmp_path.rglob("*")) == []
