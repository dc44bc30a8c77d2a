"""The tape on Softrail and its peers: `python -m benchmarks.peers [--python NAME=INTERPRETER …] [--only NAME …]`.

A peer whose interpreter is not named, there or in `PEER_NAME_PYTHON`, is left out.
"""

import argparse
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.reading.judge import Seen
from benchmarks.reading.lines import ANSWERS, Line, tape
from benchmarks.reading.play import play_all
from benchmarks.reading.tables import TAPE_ROWS, VERDICTS, WORDS, Judged, figures, judged, told

ROOT = Path(__file__).parents[2]
LIMIT = 900  #: seconds for one peer
PEERS = {
    "aiogram": "aiogram_scenes",
    "telegram": "telegram_conversations",
    "botframework": "botframework_dialogs",
}


def main() -> None:
    """Play the tape to each and print one table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__.split("\n")[0])
    parser.add_argument("--python", action="append", default=[], metavar="NAME=INTERPRETER")
    parser.add_argument("--only", action="append", choices=["softrail", *PEERS], default=[])
    chosen = parser.parse_args()
    named = dict(pair.split("=", 1) for pair in chosen.python)
    found: dict[str, list[Judged]] = {}
    for name in chosen.only or ["softrail", *PEERS]:
        interpreter = named.get(name) or os.environ.get(f"PEER_{name.upper()}_PYTHON")
        if name == "softrail":
            found[name] = judged(play_all(tape()))
        elif interpreter:
            found[name] = judged(peer(name, interpreter))
        else:
            print(f"{name}: left out, no interpreter is named")
    show(found)


def peer(name: str, interpreter: str) -> list[tuple[Line, Seen]]:
    """What a peer makes of every line, in a process of its own."""
    command = [interpreter, "-m", f"benchmarks.peers.{PEERS[name]}"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, timeout=LIMIT, check=True, text=True
    )
    lines = {line.id: line for line in tape()}
    rows = [json.loads(row) for row in ran.stdout.split("\n") if row]
    return [(lines[row.pop("id")], Seen(**{**row, "acts": frozenset(row["acts"])})) for row in rows]


def show(found: dict[str, Sequence[Judged]] | dict[str, list[Judged]]) -> None:
    """Print every figure of every peer, then what became of answers and of everything else."""
    names = list(found)
    tables = {name: figures(TAPE_ROWS, found[name]) for name in names}
    print(f"\n{'':40}" + "".join(f"{name:30}" for name in names))
    for row in TAPE_ROWS:
        print(f"{row.name:40}" + "".join(f"{told(tables[name][row.name]):30}" for name in names))
    for title, answers in (("answers", True), ("everything else", False)):
        print(f"\n{title}, %")
        for verdict in VERDICTS:
            cells = ""
            for name in names:
                about = [j for j in found[name] if (j.line.label in ANSWERS) is answers]
                cells += f"{100 * sum(j.verdict == verdict for j in about) / len(about):<30.1f}"
            print(f"  {WORDS[verdict]:38}{cells}")


if __name__ == "__main__":
    main()
