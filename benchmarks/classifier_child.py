"""One process of the cost table: loads, answers 300 messages, tells what that took."""

import asyncio
import json
import os
import resource
import sys
from pathlib import Path
from time import perf_counter

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

DATA = Path(__file__).parent / "data" / "intents"
SETS = ("banking77", "clinc150", "hwu64")
PREFIXES = ("", "please, ", "ok so ", "could you tell me: ")


def texts(part: str) -> list[tuple[str, str]]:
    found = []
    for name in SETS:
        lines = (DATA / name / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
        found += [(f"{name}_{row['label']}", row["text"]) for row in map(json.loads, lines)]
    return found


def main(size: int, folder: str) -> None:
    from softrail.core.intents import IntentDefinition

    pool = [(label, prefix + text) for prefix in PREFIXES for label, text in texts("train")]
    labels = sorted({label for label, _ in pool})[: max(2, size // 10)]
    by_label: dict[str, list[str]] = {label: [] for label in labels}
    for label, text in pool:
        if label in by_label:
            by_label[label].append(text)
    each = -(-size // len(labels))
    spare = size
    definitions = []
    for label in labels:
        taken = by_label[label][: min(each, spare)]
        spare -= len(taken)
        definitions.append(IntentDefinition(name=label, examples=tuple(taken)))
    said = [text for _, text in texts("valid")][::12][:300]

    began = perf_counter()
    from softrail.classifier import Cascade

    cascade = Cascade(cache=Path(folder))
    asyncio.run(cascade.classify(said[0], definitions))
    cold = perf_counter() - began
    times = asyncio.run(timed(cascade, said, definitions))
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ordered = sorted(times)
    print(
        json.dumps(
            {
                "intents": len(definitions),
                "exemplars": sum(len(d.examples) for d in definitions),
                "cold": cold,
                "p50": 1000 * ordered[len(ordered) // 2],
                "p99": 1000 * ordered[int(0.99 * len(ordered))],
                "rss": rss,
            }
        )
    )


async def timed(cascade: object, said: list[str], definitions: list[object]) -> list[float]:
    found = []
    for text in said:
        began = perf_counter()
        await cascade.classify(text, definitions)  # type: ignore[attr-defined]
        found.append(perf_counter() - began)
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
