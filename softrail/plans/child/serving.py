"""One line of JSON in: what this process may use, and its jobs; one line out: what came of each.

Before it, a line for each thing that a job tells as it goes on: it is out whatever becomes of the process.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from softrail.plans.child.faults import Refused, one_line
from softrail.plans.child.limits import bind, end_with_the_parent

Job = Mapping[str, Any]

OUT_OF_MEMORY: Final = "This takes more than the {megabytes} MB that a step may use."


def serve(ahead: str = "") -> None:
    """Do the jobs in their order, and end; with a kind of them, make ready for it before they are known."""
    out = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer
    if ahead:
        _make_ready(ahead)
    line = sys.stdin.buffer.readline()
    if not line:
        os._exit(0)  # there was nothing to do
    asked = json.loads(line)
    bind(asked["limits"])
    end_with_the_parent()
    folder = Path(asked["folder"])
    os.chdir(folder)
    with os.fdopen(out, "wb") as stream:
        _say(stream, _done(asked, folder, lambda part: _say(stream, part)))
    os._exit(0)  # nothing that a library would still do at its end is wanted


def _say(stream: BinaryIO, told: object) -> None:
    stream.write(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    stream.flush()


def _done(
    asked: Mapping[str, Any], folder: Path, tell: Callable[[Mapping[str, Any]], None]
) -> list[Mapping[str, Any]]:
    try:
        do = _worker(asked, folder, tell)
    except Refused as refused:
        return [{"error": refused.told}] * len(asked["jobs"])
    except ImportError as error:
        return [{"error": Refused("not_installed", str(error)).told}] * len(asked["jobs"])
    except MemoryError:
        return [{"error": _too_much(asked).told}] * len(asked["jobs"])
    return [_one(asked, do, job) for job in asked["jobs"]]


def _one(asked: Mapping[str, Any], do: Callable[[Job], Mapping[str, Any]], job: Job) -> Mapping[str, Any]:
    try:
        return {"answer": do(job)}
    except Refused as refused:
        return {"error": refused.told}
    except MemoryError:
        return {"error": _too_much(asked).told}
    except Exception as error:
        return {"error": Refused("failed", one_line(error) or type(error).__name__).told}


def _make_ready(kind: str) -> None:
    """Load what jobs of a kind need. What is missing, or fails, is told with the first of them."""
    with suppress(Exception):
        match kind:
            case "query":
                from softrail.plans.child.asking import make_ready

                make_ready()
            case "draw":
                from softrail.plans.child.drawing import make_ready as make_ready_to_draw

                make_ready_to_draw()


def _worker(
    asked: Mapping[str, Any], folder: Path, tell: Callable[[Mapping[str, Any]], None]
) -> Callable[[Job], Mapping[str, Any]]:
    """What does such jobs. Each kind loads only the libraries that it needs."""
    match asked["kind"]:
        case "read":
            from softrail.plans.child.reading import read

            return lambda job: read(folder, job)
        case "query":
            from softrail.plans.child.asking import Database

            return Database(asked["tables"], asked["limits"]).answer
        case "draw":
            from softrail.plans.child.drawing import draw

            return lambda job: draw(folder, job)
        case "pages":
            from softrail.plans.child.pages import pages

            return lambda job: pages(folder, job, asked["limits"], tell)
    raise Refused("failed", "There is no such job.")


def _too_much(asked: Mapping[str, Any]) -> Refused:
    return Refused("limit_reached", OUT_OF_MEMORY.format(megabytes=asked["limits"]["megabytes"]))
