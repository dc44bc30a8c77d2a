"""What starting the command line costs."""

import subprocess
import sys

HEAVY = "ag_ui fastapi sqlalchemy alembic uvicorn anthropic transitions prompt_toolkit numpy onnxruntime yaml"


def test_no_command_pays_for_what_another_one_needs() -> None:
    code = f"import sys, softrail.cli; print(sorted(set({HEAVY!r}.split()) & set(sys.modules)))"

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "[]\n"
