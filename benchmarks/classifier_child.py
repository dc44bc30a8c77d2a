"""One process of the cost table: loads, answers 300 messages, tells what that took."""

import asyncio
import json
import os
import sys
from pathlib import Path
from time import perf_counter, process_time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"


def main(folder: str) -> None:
    from softrail.core.intents import IntentDefinition

    task = json.loads((Path(folder) / "task.json").read_text(encoding="utf-8"))
    definitions = [IntentDefinition(name=n, examples=tuple(texts)) for n, texts in task["intents"].items()]
    said = task["said"]
    del task

    began = perf_counter()
    from softrail.classifier import Cascade

    cascade = Cascade(cache=Path(folder))
    asyncio.run(cascade.classify(said[0], definitions))
    cold = perf_counter() - began
    spent = process_time()
    times = asyncio.run(timed(cascade, said, definitions))
    spent = process_time() - spent
    ordered = sorted(times)
    print(
        json.dumps(
            {
                "intents": len(definitions),
                "exemplars": sum(len(d.examples) for d in definitions),
                "cold": cold,
                "p50": 1000 * ordered[len(ordered) // 2],
                "p99": 1000 * ordered[int(0.99 * len(ordered))],
                "cpu": 1000 * spent / len(said),
                "rss": peak(),
            }
        )
    )


def peak() -> float:
    """The most memory this process ever held, in MB; `getrusage` would count its parent's too."""
    status = Path("/proc/self/status").read_text()
    return next(int(row.split()[1]) for row in status.splitlines() if row.startswith("VmHWM")) / 1024


async def timed(cascade: object, said: list[str], definitions: list[object]) -> list[float]:
    found = []
    for text in said:
        began = perf_counter()
        await cascade.classify(text, definitions)  # type: ignore[attr-defined]
        found.append(perf_counter() - began)
    return found


if __name__ == "__main__":
    main(sys.argv[1])
