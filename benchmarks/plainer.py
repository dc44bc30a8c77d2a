"""`python -m benchmarks.plainer serve …`: the server as it is where nobody needs pages, ways out or progress in a reply.

And row 17's third line: what those cost in a turn, one conversation with them and one without, in one process.
"""

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Final

from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.sizes import Sizes
from benchmarks.talk import Conversation, application, somebody, sqlite_url
from softrail.cli import app
from softrail.core.instances import Instance
from softrail.core.turns import ProcessView
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.ways import Ways
from softrail.turns.dispatcher import Dispatcher

UNOPENED: Final = 0.97  #: of what can be done without the pages


async def no_ways(_: Ways, draft: Draft) -> None:
    """A draft without ways out."""
    draft.ways = ()


def described(parts: Parts, instance: Instance) -> ProcessView:
    """An instance without its title and progress."""
    definition = parts.registry.of(instance)
    return ProcessView(
        name=instance.process,
        version=instance.version,
        instance_id=instance.id,
        state=str(instance.state),
        step=instance.step,
        description=definition.description if definition else "",
    )


@contextmanager
def plainly() -> Iterator[None]:
    """Turns without any of it."""
    note, describe = Ways.note, Parts.describe
    Ways.note, Parts.describe = no_ways, described  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        Ways.note, Parts.describe = note, describe  # type: ignore[method-assign]


async def beside_plainer(folder: Path, sizes: Sizes) -> list[Row]:
    """Pairs of conversations, which of the two is first taking turns: sure to a hundredth where rounds over HTTP are not."""
    full, plain = list[float](), list[float]()
    async with application(sqlite_url(folder, "plainer")) as dispatcher:
        await _cost(dispatcher)  # warm
        for number in range(3 * sizes.conversations):
            if number % 2:
                full.append(await _cost(dispatcher))
            with plainly():
                plain.append(await _cost(dispatcher))
            if not number % 2:
                full.append(await _cost(dispatcher))
    ratios = [b / a for a, b in zip(full, plain, strict=True)]
    row = Row(
        name="17 the same in one process, by its processor time",
        ours=f"{ms(statistics.median(full))} a turn",
        floor=f"without: {ms(statistics.median(plain))} a turn",
        ratio=statistics.median(ratios),
        spread=middle(ratios),
        at_least=UNOPENED,
    )
    return [row]


async def _cost(dispatcher: Dispatcher) -> float:
    """Seconds of processor time a turn, over one conversation."""
    samples = Samples()
    person = await somebody(dispatcher)
    used = process_time()
    await Conversation(dispatcher, person).onboarding(samples)
    return (process_time() - used) / len(samples.seconds)


if __name__ == "__main__":
    with plainly():
        app()
